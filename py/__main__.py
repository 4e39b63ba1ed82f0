"""Starts the guest: `python3 -I -B -u py`, one zip of it, or the bundle made by bundle.py.

With the argument `fork-server`, starts a server of guests.
"""

import builtins
import sys
from _frozen_importlib import ModuleSpec
from _frozen_importlib_external import PathFinder

CODES = globals().get("CODES")
PACKAGE = "agent"


class Loader:
    """Runs a module of the guest with builtins that no program can reach by name."""

    builtins = dict(vars(builtins))

    def __init__(self, code):
        self.code = code

    def create_module(self, spec):
        return None

    def exec_module(self, module):
        vars(module)["__builtins__"] = self.builtins
        exec(self.code, vars(module))


class Finder:
    """Finds the guest's own modules, in the bundle or on the path."""

    @staticmethod
    def find_spec(name, path=None, target=None):
        if name.partition(".")[0] != PACKAGE:
            return None
        if CODES is not None:
            from marshal import loads

            return ModuleSpec(name, Loader(loads(CODES[name])), is_package=name == PACKAGE)  # pyright: ignore[reportArgumentType]
        spec = PathFinder.find_spec(name, path, target)
        if spec is not None:
            label = f"<code-runtime>/{name.rpartition('.')[2]}.py"
            source = spec.loader.get_source(name)  # pyright: ignore[reportAttributeAccessIssue, reportOptionalMemberAccess]
            code = compile(source, label, "exec", dont_inherit=True)
            spec.loader = Loader(code)  # pyright: ignore[reportAttributeAccessIssue]
        return spec


sys.meta_path.insert(0, Finder)
if sys.argv[1:] == ["fork-server"]:
    from agent.server import serve as main
else:
    from agent.session import main  # noqa: E402

sys.meta_path.remove(Finder)
main(sys.path[0] if CODES is None else None)
