"""A look at a whole value that stays in C, level by level: whether the native encoder may have it."""

from gc import get_referents
from itertools import chain
from marshal import dumps

from .numbers import SAFE, SMALLEST, is_exact

PLAIN = {dict, list, str, int, float, bool, type(None)}
DEEPEST = 150
# What an item takes at least: itself and a comma, and in a dict its key too.
LIST_ITEM, DICT_ITEM = 2, 5
MOST_COLUMNS, LEAST_ROWS = 32, 64
# To the collector a dict whose keys are all exactly str shows its values alone, and any other one its keys as well.
HIDES_KEYS = len(get_referents({"": None})) == 1 and len(get_referents({0: None})) == 2

_is_integer = float.is_integer


class NotPlain(Exception):
    """Something that the native encoder would take wrongly, or more than there is room for."""


class Look:
    """What a value holds; the items of many containers of one length are taken by columns, as they are alike."""

    def __init__(self, value, limit=None):
        self.has_odd_floats = False
        self._room = limit
        columns = [[value]]
        for _ in range(DEEPEST):
            below = []
            for column in columns:
                self._check(column, below)
            if not below:
                return
            columns = below
        raise NotPlain

    def _check(self, column, below):
        """Checks values, and appends the columns of what lies in them."""
        kinds = set(map(type, column))
        if not kinds <= PLAIN:
            raise NotPlain
        if int in kinds and not _are_exact(_of(int, kinds, column)):
            raise NotPlain
        if float in kinds and not self.has_odd_floats:
            self.has_odd_floats = _are_odd(_of(float, kinds, column))
        if self._room is not None and str in kinds:
            self._spend(sum(map(len, _of(str, kinds, column))))
        if dict in kinds:
            dicts = _of(dict, kinds, column)
            self._open(dicts, DICT_ITEM, _items_of_dicts, below)
        if list in kinds:
            self._open(_of(list, kinds, column), LIST_ITEM, _items_of_lists, below)

    def _open(self, containers, item_bytes, items_of, below):
        rows, count = len(containers), sum(map(len, containers))
        if self._room is not None:
            self._spend(count * item_bytes)
        items, width = items_of(containers, count), count // rows
        if rows >= LEAST_ROWS and 1 < width <= MOST_COLUMNS and width * rows == count:
            below += [items[start::width] for start in range(width)]
        elif items:
            below.append(items)

    def _spend(self, at_least):
        self._room -= at_least
        if self._room < 0:
            raise NotPlain


def _of(kind, kinds, column):
    return column if len(kinds) == 1 else [item for item in column if type(item) is kind]


def _items_of_lists(lists, _count):
    return lists[0] if len(lists) == 1 else get_referents(*lists)


def _items_of_dicts(dicts, count):
    items = get_referents(*dicts)
    if HIDES_KEYS and len(items) == count:
        return items
    if not set(map(type, chain.from_iterable(dicts))) <= {str}:
        raise NotPlain
    return list(chain.from_iterable(map(dict.values, dicts)))


def _are_exact(integers):
    # An int of 32 bits takes five bytes there, a larger one more.
    if len(dumps(integers, 2)) == 5 * len(integers) + 5:
        return True
    return (-SAFE <= min(integers) and max(integers) <= SAFE) or all(map(is_exact, integers))


def _are_odd(floats):
    """Whether JavaScript spells one of them in another way."""
    return any(map(_is_integer, floats)) or min(map(abs, floats)) < SMALLEST
