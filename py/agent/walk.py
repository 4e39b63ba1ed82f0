"""The iterative encoder: any depth, every slot read once, refused with the path."""

from .hints import class_name, hint_for
from .numbers import spell_number
from .path import path_of
from .problem import NotLossless, OverBudget
from .text import escape_within, join_pairs, quoted

NUMBERS = {int, float}
FLAT = 32
BLOCK = 4096
LONG_TEXT = 1 << 16


class Output:
    """JSON bytes within a budget."""

    def __init__(self, limit):
        self.limit, self.size, self.blocks, self.pieces = limit, 0, [], []

    def add(self, piece):
        """Appends bytes."""
        self.size += len(piece)
        if self.limit is not None and self.size > self.limit:
            raise OverBudget
        self.pieces.append(piece)
        if len(self.pieces) > BLOCK:
            self.blocks.append(b"".join(self.pieces))
            self.pieces.clear()

    def require(self, at_least):
        """Refuses what cannot fit, before it is walked."""
        if self.limit is not None and self.size + at_least > self.limit:
            raise OverBudget

    def text(self, value):
        """Appends a string."""
        if len(value) < LONG_TEXT:
            return self.add(quoted(value))
        room = None if self.limit is None else self.limit - self.size - 2
        found = escape_within(value, room)
        if found is None:
            raise OverBudget
        self.add(b'"')
        for piece in found[0]:
            self.add(piece)
        self.add(b'"')

    def joined(self):
        """Everything as one bytes object."""
        self.blocks.append(b"".join(self.pieces))
        return b"".join(self.blocks) if len(self.blocks) > 1 else self.blocks[0]


class Level:
    """A container that is being walked."""

    __slots__ = ("container", "items", "is_list", "key", "is_first", "joined_keys")

    def __init__(self, container, is_list):
        self.container, self.is_list, self.is_first, self.key, self.joined_keys = container, is_list, True, None, None
        self.items = iter(container) if is_list else iter(container.items())

    def step(self):
        """The key or index of the current item."""
        if not self.is_list:
            return self.key
        return len(self.container) - self.items.__length_hint__() - 1


def walk(value, limit=None):
    """JSON bytes of the value; raises NotLossless or OverBudget."""
    output, levels, active = Output(limit), [], set()
    try:
        _visit(value, output, levels, active)
        while levels:
            _advance(levels[-1], output, levels, active)
    except NotLossless as problem:
        steps = [level.step() for level in levels]
        problem.path = path_of([step for step in steps if step is not None])
        raise
    return output.joined()


def _advance(level, output, levels, active):
    try:
        for item in level.items:
            output.add(b"" if level.is_first else b",")
            level.is_first = False
            if not level.is_list:
                key, item = item
                _key(key, level, output)
            if _visit(item, output, levels, active):
                return
    except RuntimeError as error:
        raise NotLossless(f"being changed while it is read ({error})") from None
    active.discard(id(level.container))
    levels.pop()
    output.add(b"]" if level.is_list else b"}")


def _key(key, level, output):
    if type(key) is not str:
        level.key = None
        raise NotLossless(f"under a non-string dict key ({class_name(type(key))})", "use str(key)")
    level.key = key
    if not key.isascii() and not _is_encodable(key):
        joined = join_pairs(key)
        if joined != key:
            level.joined_keys = level.joined_keys or set()
            if joined in level.container or joined in level.joined_keys:
                raise NotLossless("under a key that another key becomes once surrogate pairs are joined")
            level.joined_keys.add(joined)
    output.text(key)
    output.add(b":")


def _is_encodable(text):
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def _visit(item, output, levels, active):
    """Appends one value; true when it opened a level."""
    kind = type(item)
    if kind is str:
        output.text(item)
    elif kind is int or kind is float:
        output.add(spell_number(item).encode())
    elif item is None:
        output.add(b"null")
    elif item is True:
        output.add(b"true")
    elif item is False:
        output.add(b"false")
    elif kind is list or kind is dict:
        return _open(item, kind is list, output, levels, active)
    else:
        raise NotLossless(f"of an unsupported type ({class_name(kind)})", hint_for(item))
    return False


def _open(item, is_list, output, levels, active):
    size = len(item)
    if not size:
        output.add(b"[]" if is_list else b"{}")
        return False
    output.require(2 * size + 1 if is_list else 5 * size + 1)
    if id(item) in active:
        raise NotLossless("a circular reference")
    if is_list and size > FLAT and set(map(type, item)) <= NUMBERS and _numbers(item, output):
        return False
    active.add(id(item))
    levels.append(Level(item, is_list))
    output.add(b"[" if is_list else b"{")
    return True


def _numbers(items, output):
    try:
        text = ",".join(map(spell_number, items))
    except NotLossless:
        return False
    output.add(b"[%b]" % text.encode())
    return True
