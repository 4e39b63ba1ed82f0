"""The floats in native JSON text as JavaScript spells them."""

from .numbers import spell_float
from .problem import NotLossless

ENDS = (",", "]", "}", "")
NUMBER = "0123456789.-"


def respell(text):
    """The text with its floats spelled anew, its strings as they are; raises NotLossless for a negative zero."""
    text = _edited(text, ".0", _is_integral, _cut) if '"' in text else _cut_all(text)
    for exponent in ("e-", "e+"):
        if exponent in text:
            text = _edited(text, exponent, _is_exponent, _spell)
    return text


def _cut_all(text):
    """All at once, where there are no strings."""
    text += ","
    for end in ENDS[:3]:
        if "-0.0" + end in text:
            raise NotLossless("negative zero")
        text = text.replace(".0" + end, end)
    return text[:-1]


def _edited(text, mark, is_number, edit):
    """Edits the number at each mark that lies outside strings."""
    masked = text.replace("\\\\", "__").replace('\\"', "__") if "\\" in text else text
    pieces, kept, counted, quotes = [], 0, 0, 0
    position = text.find(mark)
    while position >= 0:
        if is_number(text, position):
            quotes += masked.count('"', counted, position)
            counted = position
            if quotes % 2 == 0:
                start, end, spelled = edit(text, position)
                pieces += (text[kept:start], spelled)
                kept = end
        position = text.find(mark, position + 2)
    pieces.append(text[kept:])
    return "".join(pieces)


def _is_integral(text, position):
    return text[position + 2 : position + 3] in ENDS


def _cut(text, position):
    if text[position - 2 : position] == "-0":
        raise NotLossless("negative zero")
    return position, position + 2, ""


def _is_exponent(text, position):
    return text[position - 1 : position].isdigit() and text[position + 2 : position + 3].isdigit()


def _spell(text, position):
    start, end = position, position + 2
    while start and text[start - 1] in NUMBER:
        start -= 1
    while text[end : end + 1].isdigit():
        end += 1
    return start, end, spell_float(float(text[start:end]))
