"""Lets processes that multiprocessing spawns find the program's functions and classes."""

from marshal import dumps

from .wire import MODEL


def define(text, path, model):
    """In a spawned process: a main module with the program's definitions, its actions left out."""
    import sys
    from _ast import AnnAssign, Assign, AsyncFunctionDef, Await, ClassDef, FunctionDef, Import, ImportFrom, Module, Try

    for stream in (sys.stdout, sys.stderr):
        stream.reconfigure(line_buffering=True)  # pyright: ignore[reportAttributeAccessIssue]
    sys.path[:] = path
    module = type(sys)("__mp_main__")
    module.__file__ = model
    sys.modules["__main__"] = sys.modules["__mp_main__"] = module
    kinds = (Import, ImportFrom, FunctionDef, AsyncFunctionDef, ClassDef, Assign, AnnAssign, Try)
    for statement in compile(text, model, "exec", 0x2400, True).body:
        if isinstance(statement, kinds) and not isinstance(getattr(statement, "value", None), Await):
            try:
                exec(compile(Module([statement], []), model, "exec", 0, True), vars(module))
            except BaseException:
                pass
    return "__main__"


class SpawnName(str):
    """The name `__main__`; unpickled, it first defines the program's module."""

    text = ""

    def __reduce__(self):
        import sys

        expression = "type(lambda: 0)(__import__('marshal').loads(code), {'__builtins__': __builtins__})(text, path, model)"
        names = {"code": dumps(define.__code__), "text": self.text, "path": list(sys.path), "model": MODEL}
        return eval, (expression, names)


class MainSpec:
    """Stands for the spec of the main module, which multiprocessing asks for its name."""

    origin = loader = submodule_search_locations = parent = cached = None
    has_location = False

    def __init__(self, text):
        self.name = SpawnName("__main__")
        self.name.text = text
