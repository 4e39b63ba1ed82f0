"""Printed text: entries, budget, marker, order, floods."""

import unittest
from textwrap import dedent

from harness import run


def marker(budget):
    """The entry that ends capture."""
    return f"[code-runtime] log capture truncated at {budget} bytes"


class Entries(unittest.TestCase):
    def logs(self, program, logs, **options):
        result = run(dedent(program), **options)
        self.assertIsNone(result.error)
        self.assertEqual(result.logs, logs)
        self.assertEqual(result.code, 0)
        return result

    def test_lines(self):
        self.logs("print('a', 'b')\nprint('c')", ["a b", "c"])
        self.logs("print('partial', end='')", ["partial"])
        self.logs("print('a\\nb\\n\\nc')", ["a", "b", "", "c"])
        self.logs("print()\nprint('', end='')\nimport sys\nfor _ in range(9): sys.stdout.write('')", [""])
        self.logs("print('x\\r\\ny\\t\"\\\\\\x01é😀')", ["x\r", 'y\t"\\\x01é😀'])
        self.logs("import sys\nsys.stdout.writelines(['a\\n', 'b', 'c\\n'])", ["a", "bc"])

    def test_open_lines(self):
        self.logs("print('a', end='', flush=True)\nprint('b')", ["ab"])
        self.logs("print('word', end='', flush=True)\nreturn 1", ["word"])
        self.logs(
            "import sys\nprint('o1 ', end='', flush=True)\nprint('e1 ', end='', flush=True, file=sys.stderr)\nprint('o2')\nprint('e2', file=sys.stderr)",
            ["o1 o2", "e1 e2"],
        )
        self.logs("import sys\nsys.stdout.flush()\nprint('a')\nsys.stdout.flush()", ["a"])

    def test_a_flushed_piece_is_visible_at_once(self):
        result = run("import os, sys\nprint('a', end='', flush=True)\nprint('b', end='', flush=True)\nos._exit(1)")
        self.assertEqual([frame["text"] for frame in result.frames if frame["type"] == "log"], ["a", "b"])
        self.assertTrue(all(frame["open"] is True for frame in result.frames if frame["type"] == "log"))

    def test_streams_are_named_and_bypassing_text_is_raw(self):
        result = self.logs(
            """
            import os, subprocess, sys
            print('err', file=sys.stderr)
            os.write(1, b'raw one\\n'); os.write(2, b'raw two\\n')
            sys.__stdout__.reconfigure(line_buffering=False, write_through=False)
            sys.__stdout__.write('original')
            sys.__stderr__.write('original error')
            subprocess.run(['/bin/echo', 'child'])
            subprocess.run(['/bin/echo', 'child through stdout'], stdout=sys.stdout)
            """,
            ["err"],
        )
        self.assertEqual([frame["stream"] for frame in result.frames if frame["type"] == "log"], ["stderr", "stderr"])
        for text in (b"raw one", b"child\n", b"child through stdout", b"original"):
            self.assertIn(text, result.raw["stdout"])
        self.assertIn(b"original error", result.raw["stderr"])

    def test_the_binary_side(self):
        self.logs(
            "import sys\nb = sys.stdout.buffer\nfor byte in 'é😀'.encode(): b.write(bytes([byte]))\nb.write(b'\\xff\\n')\nb.flush()\nprint('x')",
            ["é😀\ufffd", "x"],
        )

    def test_lone_surrogates_are_replaced(self):
        self.logs("print('a\\ud800b\\ud83d\\ude00\\udc00')", ["a\ufffdb😀\ufffd"])

    def test_the_stream_looks_like_one(self):
        self.logs(
            """
            import io, sys, contextlib, logging
            out = sys.stdout
            assert isinstance(out, io.TextIOBase) and out.encoding == 'utf-8' and not out.isatty() and out.fileno() == 1
            assert out.writable() and not out.readable() and sys.stderr.fileno() == 2 and out.errors == 'replace'
            out.reconfigure(encoding='utf-8', line_buffering=True)
            assert out.write('four') == 4
            try:
                out.write(b'x')
            except TypeError as error:
                print(' ' + str(error))
            with contextlib.redirect_stdout(io.StringIO()) as held:
                print('held')
            assert held.getvalue() == 'held\\n'
            class Text(str): pass
            print(Text('sub'))
            logging.warning('logged')
            """,
            ["four write() argument must be str, not bytes", "sub", "WARNING:root:logged"],
        )

    def test_start_up_is_silent(self):
        result = run("return 1", env={"TMPDIR": "/tmp", "LC_ALL": "nonsense", "PYTHONSTARTUP": "/nowhere", "PYTHONWARNINGS": "nonsense"})
        self.assertEqual((result.value, result.logs, result.raw_lines), (1, [], []))

    def test_threads_print_whole_lines(self):
        result = run(
            dedent(
                """
                import threading
                def work(name):
                    for i in range(200): print(f'{name}{i}\\n', end='')
                threads = [threading.Thread(target=work, args=(name,)) for name in 'abcd']
                for thread in threads: thread.start()
                for thread in threads: thread.join()
                """
            )
        )
        self.assertEqual(sorted(result.logs), sorted(f"{name}{i}" for name in "abcd" for i in range(200)))

    def test_a_flood_around_a_completion_interleaves_nothing(self):
        result = run(
            "import threading\ndef flood():\n  while True: print('x' * 50)\nthreading.Thread(target=flood, daemon=True).start()\nreturn 'v' * 300000",
            maxLogBytes=4 << 20,
        )
        self.assertEqual(result.value, "v" * 300000)
        self.assertFalse([frame for frame in result.frames if isinstance(frame, bytes)])

    def test_handlers_that_print_amid_prints(self):
        result = run(
            dedent(
                """
                import signal
                count = 0
                def handler(*_):
                    global count
                    count += 1
                    print('tick')
                signal.signal(signal.SIGALRM, handler)
                signal.setitimer(signal.ITIMER_REAL, 0.0005, 0.0005)
                while count < 200:
                    print('x' * 2000)
                signal.setitimer(signal.ITIMER_REAL, 0)
                return count
                """
            ),
            maxLogBytes=64 << 20, addressSpaceBytes=4096 << 20,
        )
        self.assertEqual("".join(result.logs).count("tick"), result.value)
        self.assertFalse([frame for frame in result.frames if isinstance(frame, bytes)])

    def test_handlers_that_raise_amid_prints_break_no_frame(self):
        result = run(
            dedent(
                """
                import signal
                count, inside = 0, False
                class Tick(Exception): pass
                def handler(*_):
                    global count, inside
                    if inside and count < 300:
                        inside = False
                        count += 1
                        raise Tick
                signal.signal(signal.SIGALRM, handler)
                signal.setitimer(signal.ITIMER_REAL, 0.0007, 0.0007)
                def burst():
                    global inside
                    inside = True
                    while count < 300: print('x' * 3000)
                while count < 300:
                    try:
                        burst()
                    except Tick:
                        pass
                signal.setitimer(signal.ITIMER_REAL, 0)
                print('end')
                return await tools.echo(count)
                """
            ),
            {"echo": lambda args: args}, maxLogBytes=64 << 20, addressSpaceBytes=4096 << 20,
        )
        self.assertGreaterEqual(result.value, 300)
        self.assertFalse([frame for frame in result.frames if isinstance(frame, bytes)])
        # How much is printed until enough ticks have come is the machine's affair.
        self.assertTrue(result.logs[-1].endswith("end") or "truncated" in result.logs[-1])


class Budget(unittest.TestCase):
    def logs(self, program, logs, budget, **options):
        result = run(program, maxLogBytes=budget, **options)
        self.assertEqual(result.logs, logs)
        self.assertIsNone(result.error)
        return result

    def test_both_sides_of_the_smallest_budget(self):
        self.logs("print('x' * 60)", ["x" * 60], 64)
        self.logs("print('x' * 61)", [marker(64)], 64)
        self.logs("print('x' * 30, end='', flush=True)\nprint('y' * 30)", ["x" * 30 + "y" * 30], 64)
        self.logs("print('x' * 40, end='', flush=True)\nprint('y' * 40)", ["x" * 40, marker(64)], 64)
        self.logs("print('word', end='', flush=True)\nprint('y' * 100)", ["word", marker(64)], 64)
        self.logs("for _ in range(16): print('x', end='', flush=True)\nprint()", ["x" * 16], 64)
        self.logs("print('x' * 28)\nprint('y' * 29)", ["x" * 28, "y" * 29], 64)
        self.logs("print('x' * 28)\nprint('y' * 30)", ["x" * 28, marker(64)], 64)

    def test_blank_lines_cost_and_empty_writes_do_not(self):
        self.logs("for _ in range(21): print()", [""] * 21, 64)
        self.logs("for _ in range(22): print()", [""] * 21 + [marker(64)], 64)
        self.logs("import sys\nfor _ in range(1000): sys.stdout.write(''); sys.stdout.flush()\nprint('x')", ["x"], 64)

    def test_a_flush_at_the_end_of_the_budget_truncates_nothing(self):
        self.logs("import sys\nprint('x' * 60)\nsys.stdout.flush()\nsys.stderr.flush()", ["x" * 60], 64)

    def test_escapes_cost_their_bytes(self):
        for text, count in (("\\0", 10), ("\\t", 30), ('"', 30), ("é", 30), ("😀", 15), ("\\ud800", 20), ("\\x7f", 60)):
            line = f"'{text}'"
            self.assertEqual(len(run(f"print({line} * {count})", maxLogBytes=64).logs[0]), count, text)
            self.logs(f"print({line} * {count + 1})", [marker(64)], 64)

    def test_nothing_after_the_marker(self):
        result = self.logs("for i in range(50): print('0123456789')\nimport sys\nprint('late', file=sys.stderr)\nreturn 1", ["0123456789"] * 9 + [marker(128)], 128)
        self.assertTrue([frame for frame in result.frames if frame["type"] == "log"][-1]["truncated"])

    def test_single_characters(self):
        result = self.logs("import sys\nfor _ in range(200000): sys.stdout.write('x')", ["x" * 4092, marker(4096)], 4096)
        self.assertLess(len(result.frames), 2000)

    def test_unterminated_prints(self):
        result = run("for _ in range(100000): print('0123456789', end='')\nreturn 1", maxLogBytes=1024)
        self.assertEqual((result.value, result.logs[-1]), (1, marker(1024)))
        self.assertLess(sum(map(len, result.logs)), 1100)

    def test_floods_in_one_write(self):
        for program in (
            "print('x' * (100 << 20))",
            "import sys\nsys.stdout.write('x' * (100 << 20))",
            "print('x', end='')\nimport sys\nsys.stdout.write('x' * (100 << 20))",
            "import sys\nsys.stdout.write('\\n' + 'x' * (100 << 20))",
            "import sys\nsys.stdout.write('x\\n' * (25 << 20))",
            "import sys\nsys.stdout.write('\\0' * (100 << 20))",
        ):
            with self.subTest(program):
                result = run(program + "\nreturn 1", maxLogBytes=1024, maxValueBytes=1024, addressSpaceBytes=300 << 20)
                self.assertEqual((result.value, result.logs[-1]), (1, marker(1024)))

    def test_an_escaping_flood_below_its_budget_in_characters(self):
        result = run("print('\\0' * (24 << 20))\nreturn 1", maxLogBytes=32 << 20, addressSpaceBytes=512 << 20)
        self.assertEqual((result.value, result.logs), (1, [marker(32 << 20)]))

    def test_half_a_million_lines(self):
        result = run("import sys\nsys.stdout.write('line\\n' * 500000)\nreturn 1", maxLogBytes=256)
        self.assertEqual((result.value, result.logs.count(marker(256))), (1, 1))

    def test_long_lines_are_exact(self):
        text = "ab€😀\n" * 50000
        result = run("print(('ab€😀' * 50000))\nreturn 1", maxLogBytes=4 << 20)
        self.assertEqual(result.logs, [text.replace("\n", "")])

    def test_a_million_lines_take_linear_time(self):
        result = run("for i in range(200000): print(i)\nreturn 1", maxLogBytes=16 << 20)
        self.assertEqual(result.logs, [str(i) for i in range(200000)])

    def test_logs_and_value_share_the_memory(self):
        program = "s = '😀' * 33_000_000\nprint(s, end='')\nreturn s"
        result = run(program, maxLogBytes=32 << 20, maxValueBytes=32 << 20, addressSpaceBytes=512 << 20)
        self.assertEqual((result.kind, result.logs), ("output-limit", [marker(32 << 20)]))


if __name__ == "__main__":
    unittest.main()
