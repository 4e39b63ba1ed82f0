"""JSON text to values: the native scanner, and an iterative one for deep texts."""

from sys import getrecursionlimit, version_info

try:
    from _json import make_scanner
except ImportError:
    from json.scanner import py_make_scanner as make_scanner  # pyright: ignore[reportAttributeAccessIssue]


class _Context:
    strict, memo = True, {}
    object_hook = object_pairs_hook = None
    parse_float, parse_int, parse_constant = float, int, None


_scan = make_scanner(_Context)  # pyright: ignore[reportArgumentType]
TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

SHALLOW = 900
SPACE = " \t\r\n"


def decode(data) -> "Any":
    """The value of a JSON text in UTF-8; raises ValueError."""
    text = data.decode()
    if _is_safe(data):
        try:
            return _scan_at(text, 0)[0]
        except RecursionError:
            pass
    return _iterate(text)


def _scan_at(text, position):
    # Up to CPython 3.11 the scanner gives a SystemError where json.decoder has not been imported.
    try:
        return _scan(text, position)
    except (StopIteration, SystemError):
        raise ValueError("not JSON") from None


def _is_safe(data):
    # Up to CPython 3.11 only the recursion limit, which a program may raise, guards the C stack.
    return (
        version_info >= (3, 12)
        or getrecursionlimit() <= SHALLOW + 100
        or data.count(b"[") + data.count(b"{") < SHALLOW
    )


def _iterate(text):
    stack, position = [], 0
    while True:
        position = _skip(text, position)
        opener = text[position : position + 1]
        if opener in ("[", "{") and opener:
            value = [] if opener == "[" else {}
            closing = _skip(text, position + 1)
            if text[closing : closing + 1] not in ("]", "}"):
                stack.append((value, None))
                position = closing if opener == "[" else _read_key(text, closing, stack)
                continue
            position = closing + 1
        else:
            value, position = _scan_at(text, position)
        while True:
            if not stack:
                return value
            container, key = stack[-1]
            if key is None:
                container.append(value)
            else:
                container[key] = value
            position = _skip(text, position)
            if text[position : position + 1] == ",":
                position = _skip(text, position + 1)
                if key is not None:
                    position = _read_key(text, position, stack)
                break
            value, _ = stack.pop()
            position += 1


def _read_key(text, position, stack):
    key, position = _scan_at(text, position)
    stack[-1] = (stack[-1][0], key)
    return _skip(text, position) + 1


def _skip(text, position):
    while text[position : position + 1] and text[position] in SPACE:
        position += 1
    return position
