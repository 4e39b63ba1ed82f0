"""Numbers spelled as JavaScript spells them."""

from .problem import NotLossless

SAFE = 1 << 53
# Smaller floats are spelled with an exponent by Python, and not all of them by JavaScript.
SMALLEST = 1e-4


def spell_float(value):
    """JSON of a float: integral ones by their exact digits, the others in their shortest form."""
    if value.is_integer():
        if value == 0 and str(value)[0] == "-":
            raise NotLossless("negative zero")
        return repr(int(value))
    if value != value or value in (float("inf"), float("-inf")):
        raise NotLossless(f"a non-finite number ({value})", "use None")
    text = repr(value)
    mantissa, mark, exponent = text.partition("e")
    if not mark:
        return text
    power = -int(exponent)
    if power > 6:
        return f"{mantissa}e-{power}"
    sign, digits = ("-", mantissa[1:]) if mantissa[0] == "-" else ("", mantissa)
    return f"{sign}0.{'0' * (power - 1)}{digits.replace('.', '')}"


def spell_int(value):
    """JSON of an int that a double holds exactly."""
    if -SAFE <= value <= SAFE or is_exact(value):
        return repr(value)
    raise NotLossless("an integer not exactly representable as a number", "use str(...)")


def is_exact(value):
    """Whether a double holds this int."""
    try:
        return int(float(value)) == value
    except OverflowError:
        return False


def spell_number(value):
    """JSON of an int or a float."""
    return spell_float(value) if type(value) is float else spell_int(value)
