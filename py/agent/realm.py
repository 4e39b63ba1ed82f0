"""The modules that the program takes for `__main__` and `builtins`; ours leave its sight."""

import sys

from .spawned import MainSpec
from .wire import MODEL

ModuleType = type(sys)


class Main(ModuleType):  # pyright: ignore[reportUntypedBaseClass]
    """A main module whose globals are the program's alone; the rest are attributes of its class."""

    __doc__ = __package__ = __loader__ = __cached__ = None
    __file__ = MODEL


def make_realm(injected, text, package, path_entry):
    """Installs the program's modules, removes ours and returns its globals."""
    _forget(package, path_entry)
    copy = ModuleType("builtins")
    vars(copy).update(vars(sys.modules["builtins"]))
    main = Main("__main__")
    Main.__spec__ = MainSpec(text)
    namespace = main.__dict__
    namespace.clear()
    namespace.update(__name__="__main__", __builtins__=copy, **injected)
    sys.modules["builtins"] = copy
    sys.modules["__main__"] = main
    return namespace


def _forget(package, path_entry):
    for name in [name for name in sys.modules if name.partition(".")[0] == package]:
        del sys.modules[name]
    if path_entry is not None:
        sys.path[:] = [entry for entry in sys.path if entry != path_entry]
        for entry in [entry for entry in sys.path_importer_cache if entry.startswith(path_entry)]:
            del sys.path_importer_cache[entry]
