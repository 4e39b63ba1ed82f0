"""The text means what it means as a script's module body, with `await` and `return` on top."""

import sys
import unittest
from textwrap import dedent

from harness import run

ECHO = {"echo": lambda args: args}


class Values(unittest.TestCase):
    def check(self, program, value, **options):
        result = run(dedent(program), ECHO, **options)
        self.assertEqual(result.value, value)
        self.assertEqual(result.code, 0)
        self.assertEqual(result.raw_lines, [])
        return result

    def test_plain(self):
        result = self.check("a = 2\nb = 3\nprint('sum', a + b)\nreturn {'sum': a + b}", {"sum": 5})
        self.assertEqual(result.logs, ["sum 5"])
        self.check("return 2 + 2", 4)
        for program in ("", "# nothing", "x = 1", "return", "return None", '"""Only a docstring."""'):
            self.check(program, None)

    def test_globals_hold_only_what_was_promised(self):
        self.check("return sorted(globals())", ["__builtins__", "__name__", "tools"])
        self.check("return [__name__, '__file__' in globals()]", ["__main__", False])

    def test_return_everywhere(self):
        for program, value in (
            ("for i in range(9):\n  for j in range(9):\n    while True:\n      if i * j == 12: return [i, j]\n      break", [2, 6]),
            ("try:\n  return 'a'\nfinally:\n  print('cleanup')", "a"),
            ("try:\n  raise ValueError\nexcept ValueError:\n  return 'handled'\nprint('never')", "handled"),
            ("try:\n  return 1\nexcept BaseException:\n  return 2", 1),
            ("for i in []:\n  pass\nelse:\n  return 'else'\nreturn 'after'", "else"),
            ("for k in (1, 2):\n  for i in []:\n    pass\n  else:\n    return k\nreturn 'after'", 1),
            ("while True:\n  try:\n    return 1\n  finally:\n    break\nreturn 2", 2),
            ("for x in (1, 2):\n  try:\n    try:\n      return 'no'\n    finally:\n      1 / 0\n  except ZeroDivisionError:\n    break\nreturn x", 1),
            ("for x in (1, 2):\n  try:\n    try:\n      return 'no'\n    finally:\n      1 / 0\n  except ZeroDivisionError:\n    pass\nreturn x", 2),
            ("import contextlib\nfor x in (1, 2):\n  with contextlib.suppress(ZeroDivisionError):\n    try:\n      return 'no'\n    finally:\n      1 / 0\nreturn [x, sorted(globals())]", [2, ["__builtins__", "__name__", "contextlib", "tools", "x"]]),
            ("while True:\n  try:\n    return 1\n  finally:\n    return 2", 2),
            ("try:\n  return 0\nfinally:\n  for x in (1, 2):\n    break", 0),
            ("x = []\ntry:\n  return x\nfinally:\n  for y in (1, 2):\n    if y > 2: return 'no'\n  x.append('after')", ["after"]),
            ("match [1, 2]:\n  case [a, *rest]:\n    return rest", [2]),
            ("if 1:\n  return 5\nreturn 6", 5),
            ("for i in range(3):\n  if i == 1: continue\n  if i == 2: break\nreturn i", 2),
            ("x = [1]\nreturn [*x, 2]", [1, 2]),
            ("return await tools.echo({'a': 1})", {"a": 1}),
            ("async def numbers():\n  yield 1\n  yield 2\nasync for n in numbers():\n  if n == 2: return n", 2),
            ("def f():\n  return 3\nclass A:\n  def g(self): return 4\nreturn f() + A().g()", 7),
        ):
            with self.subTest(program):
                self.check(program, value)

    def test_return_sees_with_blocks_left_without_an_error(self):
        self.check(
            """
            seen = []
            class Guard:
                def __enter__(self): return self
                def __exit__(self, kind, error, trace): seen.append(kind is None)
            def done():
                return seen
            with Guard():
                with Guard():
                    return seen
            """,
            [True, True],
        )

    def test_return_in_finally_replaces_the_error(self):
        self.check("try:\n  1 / 0\nfinally:\n  return 'swallowed'", "swallowed")

    def test_names_are_module_globals(self):
        self.check(
            """
            count = 0
            def bump():
                global count, made
                count += 1
                made = 'in helper'
            bump(); bump()
            exec('dynamic = count * 10')
            table = {k: eval('count + k') for k in range(2)}
            first, *rest = [1, 2, 3]
            if (n := 10) > 5: pass
            del first
            def fib(k): return k if k < 2 else fib(k - 1) + fib(k - 2)
            adders = [lambda x, i=i: x + i + count for i in range(3)]
            return [count, made, dynamic, list(table.values()), rest, n, 'first' in globals(), fib(10),
                    [add(1) for add in adders], locals() is globals(), eval('rest')]
            """,
            [2, "in helper", 20, [2, 3], [2, 3], 10, False, 55, [3, 4, 5], True, [2, 3]],
        )

    def test_comprehensions_at_top_level(self):
        self.check(
            """
            i = 'kept'
            squares = [i * i for i in range(4)]
            locals(); exec('pass')
            nested = [[i + j for j in range(2)] for i in range(2)]
            found = [await tools.echo({'n': k}) for k in range(2)]
            total = sum([x async for x in (y async for y in agen())]) if False else 0
            return [i, squares, nested, found, total]
            """,
            ["kept", [0, 1, 4, 9], [[0, 1], [1, 2]], [{"n": 0}, {"n": 1}], 0],
        )

    def test_futures_stars_and_annotations(self):
        self.check("from __future__ import annotations\nx: Undefined = 3\nreturn [x, __annotations__['x']]", [3, "Undefined"])
        self.check("'''Doc.'''\nfrom __future__ import annotations\nx: int = 3\nreturn __doc__", "Doc.")
        self.check("from math import *\nreturn floor(pi)", 3)
        self.check("x: int = 3\ny: str\nreturn [x, sorted(__annotations__), __annotations__['x'] is int]", [3, ["x", "y"], True])
        self.check("def f(a: int, b: 'str' = 'x') -> list: ...\nreturn sorted(f.__annotations__)", ["a", "b", "return"])

    def test_qualified_names_and_repr(self):
        self.check(
            "f = lambda: 0\nclass A:\n  class B: pass\ndef g():\n  def h(): pass\n  return h\n"
            "return [f.__qualname__, A.B.__qualname__, g().__qualname__, A.__module__, repr(A)]",
            ["<lambda>", "A.B", "g.<locals>.h", "__main__", "<class '__main__.A'>"],
        )

    def test_pickle_dataclasses_enums_and_hints(self):
        self.check(
            """
            import pickle, enum, dataclasses, typing, collections, copy
            @dataclasses.dataclass
            class Point:
                x: int
                y: 'typing.Optional[Point]' = None
            class Color(enum.Enum):
                RED = 1
            Pair = collections.namedtuple('Pair', 'a b')
            def f(): return 1
            back = pickle.loads(pickle.dumps([Point(1, Point(2)), Color.RED, Pair(1, 2), f]))
            assert back[0].y.x == 2 and back[1] is Color.RED and back[2] == (1, 2) and back[3] is f
            assert typing.get_type_hints(Point)['y'] == typing.Optional[Point]
            return dataclasses.asdict(copy.deepcopy(back[0]))
            """,
            {"x": 1, "y": {"x": 2, "y": None}},
        )

    def test_source_is_found(self):
        self.check(
            """
            import inspect, traceback, linecache
            def f(x):
                # a comment
                return x
            class A:
                def g(self): pass
            try:
                f(1) / 0
            except ZeroDivisionError:
                text = traceback.format_exc()
            linecache.checkcache()
            return [inspect.getsource(f), inspect.getsource(A), 'f(1) / 0' in text, inspect.getsourcefile(f)]
            """,
            ["def f(x):\n    # a comment\n    return x\n", "class A:\n    def g(self): pass\n", True, "<model>"],
        )

    def test_nonlocal_match_star_targets_and_generators(self):
        self.check(
            """
            def counter():
                n = 0
                def step():
                    nonlocal n
                    n += 1
                    return n
                return step
            step = counter(); step()
            (a, *b), c = [1, 2, 3], 4
            match {'kind': 'x', 'rest': [1]}:
                case {'kind': kind, **others}: pass
            def gen():
                yield from range(2)
            with open('/dev/null') as handle, open('/dev/null') as other: pass
            try:
                raise ValueError('v')
            except ValueError as error:
                kept = str(error)
            return [step(), a, b, c, kind, others, list(gen()), handle.closed, kept, 'error' in globals()]
            """,
            [2, 1, [2, 3], 4, "x", {"rest": [1]}, [0, 1], True, "v", False],
        )

    def test_sync_scripts_may_run_their_own_loop(self):
        self.check(
            """
            import asyncio
            async def main():
                return await asyncio.gather(tools.echo(a=1), tools.echo(a=2))
            if __name__ == '__main__':
                first = asyncio.run(main())
            return first + asyncio.run(main())
            """,
            [{"a": 1}, {"a": 2}, {"a": 1}, {"a": 2}],
        )

    def test_files_left_open_at_top_level_are_written(self):
        import os
        import tempfile

        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "out.txt")
            self.check(f"f = open({path!r}, 'w')\nf.write('kept')\nreturn 1", 1)
            with open(path, encoding="utf-8") as file:
                self.assertEqual(file.read(), "kept")

    def test_environment_and_modules(self):
        self.check(
            """
            import sys, os
            hidden = [name for name in sys.modules if name.partition('.')[0] == 'agent']
            return [hidden, sys.modules['__main__'].__dict__ is globals(), os.environ.get('PATH'), sorted(os.environ)]
            """,
            [[], True, None, ["LC_ALL", "TMPDIR"]],
        )
        self.check("import __main__\n__main__.x = 5\nreturn x", 5)

    def test_input_is_closed(self):
        self.check(
            """
            import sys, subprocess
            try:
                input('? ')
            except EOFError:
                kind = 'eof'
            child = subprocess.run([sys.executable, '-c', 'import sys; print(repr(sys.stdin.read()))'], capture_output=True, text=True)
            return [kind, sys.stdin.read(), child.stdout]
            """,
            ["eof", "", "''\n"],
        )

    @unittest.skipUnless(sys.version_info >= (3, 12), "syntax of 3.12")
    def test_type_aliases_and_parameters(self):
        self.check("type Pair[T] = tuple[T, T]\ndef first[T](x: T) -> T: return x\nreturn [first(1), Pair.__name__]", [1, "Pair"])


class Refused(unittest.TestCase):
    def refused(self, program, *parts):
        result = run(program)
        self.assertEqual(result.kind, "exception")
        self.assertFalse(result.has_value)
        for part in ("<model>", *parts):
            self.assertIn(part, result.message)
        self.assertNotIn("code-runtime", result.message)
        return result.message

    def test_syntax(self):
        self.refused("x = = 1", "SyntaxError", "line 1", "x = = 1")
        self.refused("a = 1\nyield a\nreturn 2", "SyntaxError", "'yield' outside function", "line 2")
        self.refused("return 1\nbreak", "'break' outside loop", "line 2")
        self.refused("if 1:\n  continue\nreturn 1", "'continue' not properly in loop", "line 2")
        self.refused("class A:\n  return 1\n", "'return' outside function")
        self.refused("nonlocal x", "nonlocal declaration not allowed at module level")
        self.refused("def f():\n  await g()\n", "SyntaxError", "'await' outside async function")
        self.refused("}; async def x(): {", "SyntaxError")
        self.refused("if 1:\nx", "IndentationError")

    def test_texts_that_are_no_source(self):
        for program in ("a\0b", "x = '\ud800'"):
            result = run(program)
            self.assertEqual(result.kind, "exception")

    def test_a_deep_expression(self):
        self.assertEqual(run("x = " + "(" * 5000 + ")" * 5000).kind, "exception")


class Endings(unittest.TestCase):
    def test_base_exceptions_are_exceptions(self):
        for program, text in (
            ("import sys\nsys.exit(3)", "SystemExit: 3"),
            ("exit()", "SystemExit"),
            ("raise SystemExit('msg')", "SystemExit: msg"),
            ("raise KeyboardInterrupt", "KeyboardInterrupt"),
            ("class E(BaseException): pass\nraise E('own')", "E: own"),
            ("import asyncio\nraise asyncio.CancelledError", "CancelledError"),
            ("import asyncio\nasync def f(): raise SystemExit(4)\nasyncio.create_task(f())\nawait asyncio.sleep(10)", "SystemExit: 4"),
            ("import asyncio\nasyncio.current_task().cancel()\nawait asyncio.sleep(10)", "CancelledError"),
            ("raise GeneratorExit", "GeneratorExit"),
            ("raise StopIteration", "StopIteration"),
            ("await tools.echo()\nraise StopIteration(3)", "StopIteration"),
        ):
            with self.subTest(program):
                result = run("print('a')\n" + program, ECHO)
                self.assertEqual((result.kind, result.logs, result.code), ("exception", ["a"], 0))
                self.assertIn(text, result.message)

    def test_leaving_at_once_keeps_what_was_printed(self):
        result = run("print('line')\nprint('piece', 1, end='')\nimport os\nos._exit(7)")
        self.assertEqual((result.done, result.logs, result.code), (None, ["line", "piece 1"], 7))

    def test_a_killed_guest_keeps_what_was_printed(self):
        result = run("import os, signal\nprint('before', end='')\nos.kill(os.getpid(), signal.SIGKILL)")
        self.assertEqual((result.done, result.logs, result.code), (None, ["before"], -9))

    def test_closing_the_channel_ends_the_guest(self):
        for rest in ("await tools.echo()", "print('x')", "return 1"):
            result = run("import os\nos.close(3)\n" + rest, ECHO)
            self.assertEqual((result.done, result.code), (None, 70))

    def test_running_threads_do_not_hold_the_end(self):
        result = run("import threading, time\nthreading.Thread(target=time.sleep, args=(50,)).start()\nreturn 1")
        self.assertEqual(result.value, 1)


if __name__ == "__main__":
    unittest.main()
