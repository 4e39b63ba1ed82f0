"""Lossless JSON: the native encoder where it is exact, the iterative one everywhere else."""

from .numbers import SAFE, is_exact
from .problem import NotLossless, OverBudget
from .text import quote
from .walk import LONG_TEXT, walk

try:
    from _json import make_encoder

    _native = make_encoder(None, None, quote, None, ":", ",", False, False, False)
    _native([0], 0)
except (ImportError, TypeError):
    from json import JSONEncoder

    def _native(value, _depth, _encoder=JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))):
        return (_encoder.encode(value),)


DEEPEST = 150
FLAT = 16
_is_integer = float.is_integer


def encode(value, limit=None):
    """JSON bytes of the value; raises NotLossless, or OverBudget when it takes more than limit bytes."""
    try:
        if _is_plain(value, DEEPEST, [limit if limit is not None else float("inf")]):
            data = "".join(_native(value, 0)).encode()
            if limit is not None and len(data) > limit:
                raise OverBudget
            return data
    except OverBudget:
        raise
    except (ValueError, RecursionError, RuntimeError, MemoryError, TypeError):
        pass
    return walk(value, limit)


def _is_plain(item, depth, room):
    """Whether the native encoder gives exactly the right bytes, by a look that never goes deep."""
    kind = type(item)
    if kind is dict:
        if set(map(type, item)) - {str}:
            return False
        room[0] -= 5 * len(item) + 1
        items = item.values()
    elif kind is list:
        room[0] -= 2 * len(item) + 1
        items = item
    else:
        items = (item,)
    if depth == 0 or room[0] < 0:
        return False
    if len(items) > FLAT:
        kinds = set(map(type, items))
        if kinds == {int}:
            return -SAFE <= min(items) and max(items) <= SAFE
    for item in items:
        kind = type(item)
        if kind is str:
            room[0] -= len(item)
            if len(item) >= LONG_TEXT or room[0] < 0:
                return False
        elif kind is int:
            if not -SAFE <= item <= SAFE and not is_exact(item):
                return False
        elif kind is float:
            if _is_integer(item) or not 1e-4 <= abs(item) < 1e16:
                return False
        elif kind is dict or kind is list:
            if not _is_plain(item, depth - 1, room):
                return False
        elif item is not None and kind is not bool:
            return False
    return True


__all__ = ["NotLossless", "OverBudget", "encode"]
