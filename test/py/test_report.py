"""Diagnostics: the model's own lines, no path of the host, no frame of ours."""

import sys
import unittest
from textwrap import dedent

from harness import run

BINDINGS = {"echo": lambda args: args}


class Tracebacks(unittest.TestCase):
    def message(self, program, **options):
        result = run(dedent(program), BINDINGS, **options)
        self.assertEqual(result.kind, "exception")
        for leak in ("code-runtime", "pyguest", "session.py", "runpy", sys.prefix, "/lib/python"):
            self.assertNotIn(leak, result.message)
        return result.message

    def test_exactly(self):
        expected = ['Traceback (most recent call last):', '  File "<model>", line 5, in <module>', "    print(f(1), 2)"]
        if sys.version_info >= (3, 11):
            expected.append("          ^^^^")
        expected += ['  File "<model>", line 3, in f', "    raise ValueError('text')", "ValueError: text"]
        message = self.message("def f(x):\n    # é\n    raise ValueError('text')\n\nprint(f(1), 2)")
        self.assertEqual(message.split("\n"), expected)

    def test_carets_after_wide_characters(self):
        message = self.message("é = {'é': 1}; x = é['é'] + é['b']")
        if sys.version_info >= (3, 11):
            self.assertIn("    é = {'é': 1}; x = é['é'] + é['b']\n                               ^^^^^^\n", message)

    def test_after_awaits_and_in_tasks(self):
        for program in (
            "await tools.echo()\n1 / 0",
            "import asyncio\nawait asyncio.sleep(0)\n1 / 0",
            "import asyncio\nasync def f():\n  await asyncio.sleep(0)\n  1 / 0\nawait asyncio.create_task(f())",
            "import asyncio\nasync def f():\n  await tools.echo()\n  1 / 0\nasyncio.run(f())",
        ):
            message = self.message(program)
            self.assertIn("ZeroDivisionError: division by zero", message)
            self.assertIn("1 / 0", message)

    def test_libraries_are_named_without_directories(self):
        message = self.message("import json\njson.loads('{')")
        self.assertIn('File "json/decoder.py", line ', message)
        self.assertIn("json.decoder.JSONDecodeError: ", message)

    def test_chains(self):
        message = self.message("try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  raise KeyError('k') from e")
        self.assertIn("direct cause", message)
        message = self.message("try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  raise KeyError('k')")
        self.assertIn("During handling", message)
        message = self.message("try:\n  1 / 0\nexcept ZeroDivisionError as e:\n  raise KeyError('k') from None")
        self.assertNotIn("ZeroDivision", message)
        message = self.message("a = ValueError('a')\nb = ValueError('b')\na.__cause__ = b\nb.__cause__ = a\nraise a")
        self.assertIn("ValueError: a", message)

    def test_long_chains_are_cut(self):
        program = """
        class Strict(Exception):
            def __setattr__(self, *rest): raise RuntimeError('setter ran')
        error = Strict('first')
        for i in range({count}):
            try:
                raise Strict(str(i)) from error
            except Strict as caught:
                error = caught
        raise error
        """
        for count in (150, 3000):
            message = self.message(dedent(program).replace("{count}", str(count)))
            self.assertEqual(message.count("chain truncated at 100 links"), 1)
            self.assertEqual(message.count("Strict: "), 100)
            self.assertNotIn("setter ran", message)
            self.assertTrue(message.endswith(f"Strict: {count - 1}"))
        self.assertNotIn("chain truncated", self.message(dedent(program).replace("{count}", "99")))

    @unittest.skipUnless(sys.version_info >= (3, 11), "groups are of 3.11")
    def test_groups(self):
        message = self.message(
            """
            def f(n):
                try:
                    raise ValueError(n)
                except ValueError as e:
                    return e
            raise ExceptionGroup('many', [f(1), ExceptionGroup('inner', [f(2), f(3)])])
            """
        )
        for part in ("  + Exception Group Traceback", "  | ExceptionGroup: many (2 sub-exceptions)", "+-+---------------- 1 ", "    | ValueError: 1", "ValueError: 3"):
            self.assertIn(part, message)
        message = self.message("raise ExceptionGroup('many', [ValueError(i) for i in range(500)])")
        self.assertIn("chain truncated at 100 links", message)
        self.assertLess(message.count("ValueError"), 101)
        message = self.message("e = ValueError(1)\nfor _ in range(500): e = ExceptionGroup('deep', [e])\nraise e")
        self.assertIn("chain truncated at 100 links", message)
        message = self.message("e = ValueError('v')\ne.add_note('a note')\nraise e")
        self.assertTrue(message.endswith("ValueError: v\na note"))

    def test_what_cannot_be_rendered(self):
        message = self.message(
            "class Bad(Exception):\n  def __str__(self): raise RuntimeError('str ran')\n  def __repr__(self): raise RuntimeError('repr ran')\nraise Bad()"
        )
        self.assertIn("Bad: <exception text could not be rendered>", message)
        self.assertNotIn("ran", message.splitlines()[-1])
        message = self.message(
            """
            class Meta(type):
                @property
                def __module__(cls): raise RuntimeError('m')
                @property
                def __name__(cls): raise RuntimeError('n')
            class Bad(Exception, metaclass=Meta):
                def __str__(self): raise SystemExit('s')
            raise Bad()
            """
        )
        self.assertTrue(message.endswith("<unknown>: <exception text could not be rendered>"))
        self.assertIn("ValueError: a\ud800b", self.message("raise ValueError('a\\ud800b')"))
        message = self.message("class S(str): pass\nclass E(Exception):\n  def __str__(self): return S('sub')\nraise E")
        self.assertTrue(message.endswith("E: sub"))

    def test_recursion(self):
        message = self.message("def f(): return f()\nf()")
        self.assertIn("RecursionError", message)
        self.assertIn("[Previous line repeated ", message)
        message = self.message("def f(): return g()\ndef g(): return f()\nf()")
        self.assertIn(" frames ...]", message)
        self.assertLess(len(message), 20000)

    def test_memory(self):
        result = run("kept = []\nwhile True: kept.append(bytearray(1 << 20))", addressSpaceBytes=200 << 20, maxValueBytes=1 << 20)
        self.assertEqual(result.kind, "exception")
        self.assertIn("MemoryError", result.message)
        result = run("kept = []\nwhile True: kept.append([0] * 3)", addressSpaceBytes=150 << 20, maxValueBytes=1 << 20)
        self.assertEqual(result.kind, "exception")
        self.assertIn("MemoryError", result.message)

    def test_hints(self):
        for program, hint in (
            ("import asyncio\nasync def main(): pass\nawait asyncio.sleep(0)\nasyncio.run(main())", "await main()"),
            ("x = tools.echo()\nx['a']", "must be awaited"),
            ("tools.echo().get('a')", "must be awaited"),
            ("input()", "no standard input"),
        ):
            self.assertIn("Hint: ", self.message(program))
            self.assertIn(hint, self.message(program))

    def test_syntax_errors_of_the_program_itself(self):
        message = self.message("path = '/secret/place/x.py'\ncompile('x = = 1', path, 'exec')")
        self.assertIn('File "x.py", line 1', message)
        self.assertNotIn("secret", message)
        self.assertIn("SyntaxError", self.message("raise SyntaxError('own')"))

    def test_the_end_is_not_held_by_a_changed_exception(self):
        self.assertIn("KeyError", self.message("import builtins\nbuiltins.BaseException = ValueError\nraise KeyError('k')"))


if __name__ == "__main__":
    unittest.main()
