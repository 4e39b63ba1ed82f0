"""Completions: lossless, within their budget, encoded once."""

import json
import unittest
from textwrap import dedent

from harness import run


class Completions(unittest.TestCase):
    def invalid(self, program, *parts):
        result = run(program)
        self.assertEqual((result.kind, result.has_value), ("invalid-output", False))
        for part in ("lossless JSON", *parts):
            self.assertIn(part, result.message)

    def limited(self, program, budget, **options):
        result = run(program, maxValueBytes=budget, **options)
        self.assertEqual((result.kind, result.has_value), ("output-limit", False))
        self.assertIn(str(budget), result.message)

    def test_refused(self):
        for program, part in (
            ("return {1: 1, '1': 2}", "non-string dict key"), ("return {1, 2}", "set"), ("return -0.0", "negative zero"),
            ("return float('nan')", "non-finite"), ("return 2**53 + 1", "not exactly representable"), ("return (1,)", "tuple"),
            ("return b'ab'", "bytes"), ("x = []\nx.append(x)\nreturn x", "circular reference"), ("return 1e400", "non-finite"),
            ("import decimal\nreturn decimal.Decimal(1)", "Decimal"), ("import datetime\nreturn datetime.datetime(2026, 1, 1)", ".isoformat()"),
            ("import dataclasses\n@dataclasses.dataclass\nclass A: pass\nreturn A()", "asdict"), ("return tools", "Namespace"),
            ("return {'rows': [0, {'when': object()}]}", "$.rows[1].when"), ("import enum\nclass E(enum.Enum):\n  A = 1\nreturn E.A", ".value"),
            ("import asyncio\nreturn asyncio.sleep(0)", "await"), ("import asyncio\nreturn asyncio.ensure_future(asyncio.sleep(0))", "await"),
            ("return type('N' * (70 << 20), (), {})()", "unsupported type"), ("return print", "call it"), ("return type", "type"),
        ):
            with self.subTest(program):
                self.invalid(program, part)

    def test_a_class_that_lies(self):
        self.invalid("class A:\n  @property\n  def __class__(self): return dict\nreturn A()", "unsupported type (A)")

    def test_exact(self):
        program = "return [2**53, 2**60, 1e21, 1.0, 0.1, 'a\\ud800\\ud83d\\ude00', '', {}, [], None, True, {'__proto__': {'a': 1}}]"
        result = run(program)
        self.assertEqual(result.value, [2**53, 2**60, 10**21, 1, 0.1, "a\ud800😀", "", {}, [], None, True, {"__proto__": {"a": 1}}])

    def test_budgets(self):
        self.limited("return 'x' * 5000", 64)
        self.limited("return [0] * 2_000_000", 64, addressSpaceBytes=256 << 20)
        self.limited("return {str(i): 0 for i in range(2_000_000)}", 64, addressSpaceBytes=512 << 20)
        self.limited("return '\\0' * (8 << 20)", 16 << 20)
        self.limited("return 'x' * (100 << 20)", 1024, addressSpaceBytes=384 << 20)
        self.limited("return '\\ud800' * 3_000_000", 18_000_001)
        self.assertEqual(len(run("return '\\ud800' * 3_000_000", maxValueBytes=18_000_002).value), 3_000_000)
        self.assertEqual(run("return 'x' * 62", maxValueBytes=64).value, "x" * 62)
        self.limited("return 'x' * 63", 64)
        self.assertEqual(run("return None", maxValueBytes=3).kind, "output-limit")
        self.assertIsNone(run("return None", maxValueBytes=4).value)

    def test_six_million_zeros_within_384_mib(self):
        result = run("return [0] * 6_000_000", maxValueBytes=20 << 20, addressSpaceBytes=384 << 20)
        self.assertEqual(len(result.value), 6_000_000)

    def test_ten_thousand_levels(self):
        result = run("value = []\nfor _ in range(10000): value = [value]\nreturn value")
        line = next(frame for frame in result.frames if isinstance(frame, bytes)) if not result.done else None
        self.assertTrue(line is None or line == b'{"type":"done","value":' + b"[" * 10001 + b"]" * 10001 + b"}")

    def test_a_thread_that_mutates_what_was_returned(self):
        result = run(
            dedent(
                """
                import threading
                value = [[i] for i in range(20000)]
                extra = {str(i): i for i in range(2000)}
                value.append(extra)
                def spoil():
                    n = 0
                    while True:
                        n += 1
                        value[n % 20000].append(float('nan'))
                        extra[f'x{n % 5000}'] = {1}
                        extra.pop(f'x{(n + 2500) % 5000}', None)
                threading.Thread(target=spoil, daemon=True).start()
                return value
                """
            )
        )
        self.assertEqual(result.code, 0)
        self.assertTrue(result.done)

    def test_big_values_cross(self):
        result = run("return ['é' * 1000] * 8000", maxValueBytes=17 << 20)
        self.assertEqual(len(json.dumps(result.value, ensure_ascii=False)), 8000 * 1004)


class Diagnostics(unittest.TestCase):
    def test_caps(self):
        suffix = "… [truncated]"
        message = run("raise ValueError('x' * 100000)", maxValueBytes=40).message
        self.assertTrue(message.endswith(suffix))
        self.assertEqual(len(json.dumps(message, ensure_ascii=False).encode()) - 2, 40)
        self.assertEqual(run("raise ValueError('x')", maxValueBytes=4).message, suffix)
        message = run("raise ValueError('\\0' * (512 << 10))", maxValueBytes=4096).message
        self.assertTrue(message.endswith(suffix))
        self.assertLessEqual(len(json.dumps(message, ensure_ascii=False).encode()), 4104)
        message = run("raise ValueError('é\\ud800😀' * 1000)", maxValueBytes=300).message
        self.assertTrue(message.endswith(suffix))

    def test_caps_at_every_size(self):
        from agent.text import SUFFIX_BYTES, capped

        text = 'a\né"\x00😀\ud800\ud83d\ude00€' * 3
        whole = b"".join(capped(text, 10000))
        for limit in range(1, len(whole) + 2):
            data = b"".join(capped(text, limit))
            self.assertLessEqual(len(data), max(limit, SUFFIX_BYTES))
            json.loads(b'"' + data + b'"')
            if limit >= len(whole):
                self.assertEqual(data, whole)


if __name__ == "__main__":
    unittest.main()
