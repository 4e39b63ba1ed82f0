"""A program may rebind every name it can reach: logs, calls, limits and the outcome stay."""

import unittest
from textwrap import dedent

from harness import Rejected, run


def fail(args):
    """A binding that fails."""
    raise Rejected("denied by host")


BINDINGS = {"echo": lambda args: args, "fail": fail}
MODULES = (
    "builtins", "json", "json.encoder", "json.decoder", "json.scanner", "_json", "os", "posix", "io", "_io", "codecs", "_codecs", "signal", "_signal",
    "resource", "select", "selectors", "threading", "_thread", "traceback", "linecache", "contextvars", "collections", "itertools", "types", "inspect", "decimal",
    "weakref", "abc", "time", "errno", "marshal", "struct", "encodings.utf_8", "concurrent.futures", "queue", "socket", "gc", "site", "__main__",
)
LOOP_MODULES = (
    "_asyncio", "asyncio.events", "asyncio.base_events", "asyncio.selector_events", "asyncio.unix_events", "asyncio.futures", "asyncio.tasks",
    "asyncio.coroutines", "asyncio.base_futures", "asyncio.base_tasks", "asyncio.exceptions", "asyncio.log", "asyncio.locks", "asyncio.runners",
    "selectors", "select", "heapq", "collections", "functools", "time", "socket", "weakref", "contextvars", "logging", "signal", "os",
)
SPOIL = """
for __name in list(vars(__spoiled)):
    if __name not in KEPT:
        try: setattr(__spoiled, __name, None)
        except Exception: pass
"""
AFTER = """
emit('printed\\n')
value = await echo({'a': [1.0, 'é']})
try:
    await failing({})
except Failure as error:
    text = error.args[0]
return [value, text]
"""
KEPT = ("__name__", "__builtins__", "emit", "echo", "failing", "Failure", "list", "vars", "setattr", "Exception", "KEPT", "__spoiled", "__name")


def program_for(module):
    """A program that sets everything in a module to None, then prints, calls and returns."""
    prelude = "import sys\nemit, echo, failing, Failure = sys.stdout.write, tools.echo, tools.fail, RuntimeError\n"
    return f"{prelude}KEPT = {KEPT!r}\nimport importlib\n__spoiled = importlib.import_module({module!r})\n{SPOIL}{AFTER}"


class EveryName(unittest.TestCase):
    def test_each_module(self):
        for module in MODULES:
            with self.subTest(module):
                result = run(program_for(module), BINDINGS)
                self.assertEqual(result.done and result.done.get("value"), [{"a": [1, "é"]}, "denied by host"], result.done)
                self.assertEqual(result.logs, ["printed"])

    def test_each_module_with_an_exception_at_the_end(self):
        for module in MODULES:
            with self.subTest(module):
                program = program_for(module).replace("return [value, text]", "raise Failure('own text')")
                result = run(program, BINDINGS)
                self.assertEqual((result.kind, result.logs), ("exception", ["printed"]))
                self.assertIn("RuntimeError: own text", result.message)
                self.assertIn('File "<model>", line ', result.message)

    def test_the_public_names_of_asyncio(self):
        program = program_for("asyncio")
        result = run(program, BINDINGS)
        self.assertEqual(result.value, [{"a": [1, "é"]}, "denied by host"])

    def test_names_of_asyncio_after_a_first_await(self):
        program = "import asyncio\nawait asyncio.sleep(0)\n" + program_for("asyncio")
        self.assertEqual(run(program, BINDINGS).value, [{"a": [1, "é"]}, "denied by host"])

    def test_what_the_loop_is_made_of(self):
        for module in LOOP_MODULES:
            with self.subTest(module):
                result = run("import asyncio\n" + program_for(module), BINDINGS)
                self.assertEqual(result.done and result.done.get("value"), [{"a": [1, "é"]}, "denied by host"], result.done)

    def test_a_loop_that_was_stopped_is_told(self):
        result = run("import asyncio\nasyncio.get_running_loop().stop()\nawait asyncio.sleep(10)")
        self.assertIn("Event loop stopped", result.message)


class Single(unittest.TestCase):
    def check(self, program, value: object = 1, logs=("x",)):
        result = run(dedent(program), BINDINGS)
        self.assertEqual((result.done and result.done.get("value"), result.logs), (value, list(logs)), result.done)

    def test_streams(self):
        self.check("import sys\nprint('x')\nsys.stdout = sys.stderr = None\nreturn 1")
        self.check("import sys\nprint('x', end='')\nsys.stdout = sys.__stdout__ = 5\ndel sys.stderr, sys.__stderr__\nreturn 1")
        self.check("import sys\nprint('x', end='')\ntype(sys.stdout).flush = None\nreturn 1")
        self.check("import sys\nprint('x', end='')\nsys.stdout.close()\nreturn 1")

    def test_builtins_for_libraries(self):
        self.check("import builtins, json\nprint('x')\nbuiltins.len = builtins.isinstance = builtins.open = None\njson.loads('[1]')\nimport csv\nreturn 1")
        self.check("import builtins\nbuiltins.print = lambda *a: None\nprint('never')\nreturn 1", logs=())
        self.check("import builtins\nbuiltins.answer = 42\nprint('x')\nreturn answer", 42)

    def test_main(self):
        self.check("import __main__, sys\nprint('x')\nvars(__main__)['main'] = vars(__main__)['Channel'] = None\nsys.modules['__main__'] = None\nreturn 1")
        self.check("import sys\nprint('x')\nglobals().clear()\n", None)

    def test_sys(self):
        self.check("import sys\nprint('x')\nsys.modules.clear()\nreturn 1")
        self.check("import sys\nprint('x')\nsys.path = sys.meta_path = sys.path_hooks = None\nsys.excepthook = sys.exit = None\nreturn 1")
        self.check("import sys\nprint('x')\nsys.setrecursionlimit(60)\nawait tools.echo()\nreturn 1")

    def test_the_class_of_an_error(self):
        result = run("import builtins\nbuiltins.BaseException = builtins.Exception = ValueError\nraise KeyError('k')")
        self.assertEqual(result.kind, "exception")
        self.assertIn("KeyError: 'k'", result.message)


if __name__ == "__main__":
    unittest.main()
