"""Names and texts of exceptions, whatever their classes do."""

UNKNOWN = "<unknown>"
UNRENDERABLE = "<exception text could not be rendered>"


def isinstance_exactly(value, cls):
    """isinstance by the real class, whatever `__class__` says."""
    return cls in type.__dict__["__mro__"].__get__(type(value))


def class_name(cls):
    """The class with its module, as tracebacks name it."""
    try:
        plain, name, module = cls.__name__, cls.__qualname__, cls.__module__
    except BaseException:
        return UNKNOWN
    if type(plain) is not str or type(name) is not str:
        return UNKNOWN
    return name if type(module) is not str or module in ("builtins", "__main__") else f"{module}.{name}"


def message_of(error):
    """The text of an exception."""
    try:
        text = str(error)
    except BaseException:
        return UNRENDERABLE
    return str.__str__(text)
