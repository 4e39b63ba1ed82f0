"""Lossless JSON: the native encoder where it is exact, the iterative one everywhere else."""

from .plain import Look, NotPlain
from .problem import NotLossless, OverBudget
from .respell import respell
from .text import quote
from .walk import walk

try:
    from _json import make_encoder

    _native = make_encoder(None, None, quote, None, ":", ",", False, False, False)  # pyright: ignore[reportArgumentType]
    _native([0], 0)
except (ImportError, TypeError):
    from json import JSONEncoder

    _encoder = JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(",", ":"))
    _native = lambda value, _depth: (_encoder.encode(value),)  # noqa: E731

FAILURES = (NotPlain, NotLossless, ValueError, RecursionError, RuntimeError, MemoryError, TypeError)


def encode(value, limit=None):
    """JSON bytes of the value; raises NotLossless, or OverBudget when it takes more than limit bytes."""
    try:
        look = Look(value, limit)
        text = "".join(_native(value, 0))
        data = (respell(text) if look.has_odd_floats else text).encode()
    except FAILURES:
        return walk(value, limit)
    if limit is not None and len(data) > limit:
        raise OverBudget
    return data


__all__ = ["NotLossless", "OverBudget", "encode"]
