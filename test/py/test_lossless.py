"""What crosses arrives equal; what cannot is refused with its path."""

import json
import math
import random
import struct
import unittest

from agent.decode import _iterate, decode
from agent.lossless import encode
from agent.numbers import spell_float
from agent.plain import HIDES_KEYS
from agent.problem import NotLossless, OverBudget
from agent.walk import walk


def nested(depth):
    """A list within a list."""
    value = []
    for _ in range(depth):
        value = [value]
    return value


def anything(random_source, depth=0):
    """A random value that crosses."""
    kind = random_source.randrange(9 if depth < 4 else 6)
    if kind == 0:
        return random_source.choice([None, True, False, 0, -1, 2**53, -(2**53), 2**60, 10**21])
    if kind == 1:
        return random_source.choice([0.5, 1.0, -3.0, 1e-5, 1e-7, 5e-324, 1e21, 1.7976931348623157e308, 123.456])
    if kind in (2, 3):
        return "".join(random_source.choice("ab\"\\\n\x00\x7fé€😀\ud800\udc00\u2028") for _ in range(random_source.randrange(6)))
    if kind in (4, 5):
        return random_source.randrange(-1000, 1000)
    if kind == 6:
        return [random_source.random() for _ in range(random_source.randrange(60))]
    if kind == 7:
        return [anything(random_source, depth + 1) for _ in range(random_source.randrange(5))]
    return {f"k{index}": anything(random_source, depth + 1) for index in range(random_source.randrange(5))}


class Refusals(unittest.TestCase):
    def refused(self, value, *parts):
        for encoder in (encode, walk):
            with self.assertRaises(NotLossless) as caught:
                encoder(value)
            for part in parts:
                self.assertIn(part, caught.exception.text())

    def test_non_finite_and_negative_zero(self):
        self.refused(-0.0, "negative zero", "$ is")
        self.refused([1.5, -0.0], "negative zero", "$[1]")
        for number in (math.nan, math.inf, -math.inf):
            self.refused({"a": [number]}, "non-finite", "$.a[0]")
        self.refused([-0.0] * 100, "negative zero", "$[0]")
        self.refused([0.5] * 99 + [math.nan], "$[99]")

    def test_integers_no_double_holds(self):
        for number in (2**53 + 1, -(2**53) - 1, 2**60 + 1, 10**400):
            self.refused({"n": number}, "not exactly representable", "$.n")
            self.refused([1] * 50 + [number], "$[50]")

    def test_types(self):
        class Float(float):
            def __repr__(self):
                return "1"

        for value in ((1,), {1}, b"x", bytearray(), Float(1), object(), 1j, range(2), frozenset(), type("L", (list,), {})()):
            self.refused({"rows": [0, {"when": value}]}, "$.rows[1].when", f"unsupported type ({type(value).__name__})")
        self.refused(type("S", (str,), {})("x"), "unsupported type (S)", "str(...)")
        self.refused(type("D", (dict,), {})(), "unsupported type (D)", "dict(...)")

    def test_keys(self):
        self.refused({1: 1, "1": 2}, "non-string dict key", "$ is")
        self.refused({"a": {(1,): 1}}, "non-string dict key", "$.a is")
        self.refused({"\ud83d\ude00": 1, "😀": 2}, "surrogate pairs")
        self.refused({"\ud83d\ude00\ud83d\ude00": 1, "😀\ud83d\ude00": 2}, "surrogate pairs")

    def test_cycles(self):
        loop: list[object] = [1]
        loop.append({"again": loop})
        self.refused(loop, "circular reference", "$[1].again")

    def test_hints(self):
        import datetime
        import decimal

        async def later():
            pass

        pending = later()
        for value, hint in (
            (pending, "did you forget `await`?"),
            (datetime.datetime(2026, 1, 1), ".isoformat()"),
            (decimal.Decimal(1), "float(...)"),
            ((1,), "list(...)"),
            ({}.keys(), "list(...)"),
            (iter([]), "list(...)"),
            (later, "call it"),
            (ValueError(), "str(...)"),
        ):
            self.refused(value, hint)
        pending.close()

    def test_hints_by_module(self):
        for module, name, hint in (
            ("numpy", "generic", ".item()"),
            ("numpy", "ndarray", ".tolist()"),
            ("pandas.core.frame", "DataFrame", '.to_dict("records")'),
        ):
            base = type(name, (), {"__module__": module})
            self.refused(type("Sub", (base,), {})(), hint)

    def test_a_very_long_class_name_is_cut(self):
        value = type("N" * (1 << 20), (), {})()
        with self.assertRaises(NotLossless) as caught:
            encode(value)
        self.assertLess(len(caught.exception.text()), 400)

    def test_a_long_path_is_cut(self):
        value = object()
        for _ in range(10000):
            value = {"k" * 200: value}
        with self.assertRaises(NotLossless) as caught:
            encode(value)
        self.assertLess(len(caught.exception.text()), 8000)


class Budgets(unittest.TestCase):
    def test_exactly_at_the_budget(self):
        for value in ("x" * 62, "é" * 31, [1, 2, 3], {"a": "\x00\ud800"}, 1.0, [0.5] * 100, "\U0001f600" * 50000):
            size = len(encode(value))
            for encoder in (encode, walk):
                self.assertEqual(len(encoder(value, size)), size)
                with self.assertRaises(OverBudget):
                    encoder(value, size - 1)

    def test_a_container_is_refused_before_it_is_walked(self):
        class Trap:
            def __len__(self):
                raise AssertionError

        for value in ([Trap()] * 100, {str(index): Trap() for index in range(100)}, [[Trap()] * 100]):
            with self.assertRaises(OverBudget):
                encode(value, 64)

    def test_lone_surrogates_take_six_bytes(self):
        self.assertEqual(len(encode("\ud800" * 300000, 1800002)), 1800002)
        with self.assertRaises(OverBudget):
            encode("\ud800" * 300000, 1800001)


class Spelling(unittest.TestCase):
    def test_floats_as_javascript_spells_them(self):
        for number, text in (
            (1.0, "1"), (-5.0, "-5"), (0.0, "0"), (1e-7, "1e-7"), (1.5e-7, "1.5e-7"), (1e-6, "0.000001"), (1.25e-5, "0.0000125"),
            (0.0001, "0.0001"), (1e21, "1000000000000000000000"), (2.0**60, "1152921504606846976"), (1e16, "10000000000000000"),
            (5e-324, "5e-324"), (0.1, "0.1"), (-2.5e-6, "-0.0000025"), (123456789.125, "123456789.125"),
        ):
            self.assertEqual(spell_float(number), text)
            self.assertEqual(encode([number, "x"]).decode(), f'[{text},"x"]')
        self.assertEqual(float(spell_float(1.7976931348623157e308)), 1.7976931348623157e308)

    def test_random_floats_come_back(self):
        source = random.Random(7)
        for _ in range(20000):
            number = struct.unpack("d", source.randbytes(8))[0]
            if math.isfinite(number):
                self.assertEqual(float(spell_float(number)), number)

    def test_strings(self):
        self.assertEqual(encode("\ud83d\ude00\ud800x\x00\n\"é").decode(), '"😀\\ud800x\\u0000\\n\\"é"')
        self.assertEqual(encode("a" * 65535 + "\ud83d\ude00").decode(), '"' + "a" * 65535 + '😀"')

    def test_decimal_context_does_not_matter(self):
        import decimal

        with decimal.localcontext() as context:
            context.prec = 1
            self.assertEqual(encode(2.0**60), b"1152921504606846976")

    def test_both_encoders_agree(self):
        source = random.Random(11)
        for _ in range(3000):
            value = anything(source)
            try:
                slow = walk(value)
            except NotLossless as problem:
                with self.assertRaises(NotLossless) as caught:
                    encode(value)
                self.assertEqual(caught.exception.text(), problem.text())
                continue
            self.assertEqual(encode(value), slow)
            self.assertEqual(encode(value, len(slow)), slow)
            parsed = json.loads(slow)
            self.assertEqual(walk(parsed), slow)
            self.assertEqual(decode(slow), parsed)
            self.assertEqual(_iterate(slow.decode()), parsed)


class Tables(unittest.TestCase):
    ODD = (
        0.0, -0.0, 5.0, -12.0, 1e16, -1e300, 1e-4, 9.9e-5, -1e-7, 5e-324, math.nan, math.inf, 2**31, 2**53, 2**53 + 1, 2**60, True, None, "",
        (1,), b"", [], {}, [0.0], {"k": -0.0}, {1: 1}, {"a": (1,)}, "\ud800", "1.0,", '1.0,"', '"1.0', "\\", '\\"', "e-5", "1e-05", "[1.0]",
        type("I", (int,), {})(1), type("F", (float,), {})(1.5), type("S", (str,), {})("x"), type("D", (dict,), {})(a=1), object(),
    )

    def agree(self, value):
        """Both encoders give the same bytes or the same reason."""
        try:
            expected = walk(value)
        except NotLossless as problem:
            with self.assertRaises(NotLossless) as caught:
                encode(value)
            return self.assertEqual(caught.exception.text(), problem.text())
        self.assertEqual(encode(value), expected)
        self.assertEqual(encode(value, len(expected)), expected)
        with self.assertRaises(OverBudget):
            encode(value, len(expected) - 1)

    def test_one_odd_value_anywhere(self):
        for odd in self.ODD:
            rows = [{"id": index, "name": f'"{index}.0,', "score": index / 7 + 1, "tags": ["e-1", "\\"]} for index in range(100)]
            self.agree(odd)
            self.agree([odd])
            self.agree([1.5] * 100 + [odd])
            self.agree({"a": {"b": [odd] * 100}})
            for place, key in ((0, "id"), (57, "name"), (99, "score")):
                changed: list[dict[str, object]] = [dict(row) for row in rows]
                changed[place][key] = odd
                self.agree(changed)
            self.agree(rows + [odd])
            self.agree([*map(list, zip(range(100), [odd] * 100, map(str, range(100))))])

    def test_odd_floats_between_strings_that_look_like_them(self):
        source = random.Random(5)
        for _ in range(500):
            texts = ["".join(source.choice('".0,e-1]}\\:[é\ud800') for _ in range(source.randrange(8))) for _ in range(6)]
            floats = [source.choice((0.0, 1.0, -3.0, 10.0, 100.05, 1e-5, 1.5e-9, 2.5e17, 0.5)) for _ in range(6)]
            self.agree([dict(zip(texts, floats)), list(map(list, zip(floats, texts))), floats])

    def test_keys(self):
        once_general = {0: 0, "a": 1.5}
        del once_general[0]
        for key in (0, None, True, 1.5, (), type("S", (str,), {})("x"), "\ud83d\ude00"):
            self.agree([{"a": 1, "b": 2}] * 99 + [{"a": 1, key: 2}])
            self.agree([{key: 1, "b": 2}] * 99)
        self.agree([once_general] * 99)
        self.agree([{}] * 99)
        self.assertTrue(HIDES_KEYS)

    def test_integers_of_every_size(self):
        for bits in range(70):
            for number in (2**bits - 1, 2**bits, -(2**bits), 2**bits + 1):
                self.agree(number)
                self.agree([7] * 99 + [number])


class Depth(unittest.TestCase):
    def test_a_hundred_thousand_levels(self):
        data = encode(nested(100000))
        self.assertEqual(data, b"[" * 100001 + b"]" * 100001)
        value, depth = decode(data), 0
        while value:
            value, depth = value[0], depth + 1
        self.assertEqual(depth, 100000)

    def test_deep_objects(self):
        data = b'{"a":[1,' * 30000 + b"null" + b"]}" * 30000
        self.assertEqual(encode(decode(data)), data)

    def test_a_shared_subtree_passes(self):
        shared = {"x": [1]}
        self.assertEqual(encode([shared, shared]), b'[{"x":[1]},{"x":[1]}]')

    def test_whitespace_and_empties(self):
        text = ' [ { "a" : [ ] , "b" : { } } , -1.5e3 ,"x" ] '
        self.assertEqual(_iterate(text), json.loads(text))

    def test_bad_json(self):
        for data in (b"", b"[", b"{", b"nul", b"[1", b"\xff", b'{"a"'):
            with self.assertRaises(ValueError):
                decode(data)


if __name__ == "__main__":
    unittest.main()
