"""Names of unsupported types and what to write instead."""

_NAME = type.__dict__["__name__"].__get__
_MODULE = type.__dict__["__module__"].__get__
_MRO = type.__dict__["__mro__"].__get__
LONGEST_NAME = 100

AWAIT = "did you forget `await`?"
LIST, DICT, TEXT, ISO = "use list(...)", "use dict(...)", "use str(...)", "use .isoformat()"
BY_CLASS = {
    ("builtins", "coroutine"): AWAIT,
    ("builtins", "async_generator"): "use [x async for x in ...]",
    ("builtins", "bytes"): "use .decode() or base64",
    ("builtins", "bytearray"): "use .decode() or base64",
    ("builtins", "memoryview"): "use .tobytes().decode() or base64",
    ("builtins", "complex"): "use [z.real, z.imag]",
    ("builtins", "function"): "did you forget to call it?",
    ("builtins", "builtin_function_or_method"): "did you forget to call it?",
    ("builtins", "method"): "did you forget to call it?",
    ("builtins", "ellipsis"): "use None",
    ("decimal", "Decimal"): "use float(...) or str(...)",
    ("fractions", "Fraction"): "use float(...) or str(...)",
    ("uuid", "UUID"): TEXT,
    ("datetime", "datetime"): ISO,
    ("datetime", "date"): ISO,
    ("datetime", "time"): ISO,
    ("datetime", "timedelta"): "use .total_seconds()",
    ("numpy", "ndarray"): "use .tolist()",
    ("numpy", "generic"): "use .item()",
    ("pydantic.main", "BaseModel"): "use .model_dump()",
    ("enum", "Enum"): "use .value",
    ("pathlib", "PurePath"): TEXT,
    ("pathlib._local", "PurePath"): TEXT,
    ("builtins", "BaseException"): TEXT,
    ("builtins", "type"): "use .__name__",
}
BY_PANDAS_NAME = {
    "DataFrame": 'use .to_dict("records")',
    "Series": "use .tolist() or .to_dict()",
    "Index": "use .tolist()",
    "Timestamp": ISO,
    "Timedelta": "use .total_seconds()",
    "NaTType": "use None",
    "NAType": "use None",
}


def class_name(cls):
    """The name of a class, read without running code of the program."""
    return _NAME(cls)[:LONGEST_NAME]


def hint_for(value):
    """What to write instead of a value that is not JSON."""
    line = _MRO(type(value))
    for cls in line:
        found = _hint_of_class(cls)
        if found:
            return found
    if any("__await__" in vars(cls) for cls in line):
        return AWAIT
    if tuple in line:
        return "use ._asdict() or list(...)" if any("_asdict" in vars(cls) for cls in line) else LIST
    for base, hint in ((dict, DICT), (list, LIST), (str, TEXT), (int, "use int(...)"), (float, "use float(...)")):
        if base in line:
            return hint
    if any("__dataclass_fields__" in vars(cls) for cls in line):
        return "use dataclasses.asdict(...)"
    if any("__iter__" in vars(cls) for cls in line):
        return DICT if any("keys" in vars(cls) for cls in line) else LIST
    return None


def _hint_of_class(cls):
    module, name = _module_name(cls), _NAME(cls)
    if module.partition(".")[0] == "pandas":
        return BY_PANDAS_NAME.get(name)
    return BY_CLASS.get((module, name))


def _module_name(cls):
    try:
        module = _MODULE(cls)
    except AttributeError:
        return ""
    return module if type(module) is str else ""
