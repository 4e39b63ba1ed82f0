"""Top-level returns against CPython's own: the same text as the body of a function gives the same."""

import builtins
import random
import unittest
from types import ModuleType
from typing import Any

from agent.program import compile_program, prepare, take_result
from agent.returns import RESULT

PROGRAMS = 500
DEEPEST = 3


class Suppress:
    """Suppresses errors; with `fails`, raises one of its own."""

    def __init__(self, fails=False):
        self.fails = fails

    def __enter__(self):
        return self

    def __exit__(self, kind, error, trace):
        if self.fails:
            raise KeyError("exit")
        return True


class Writer:
    """Writes random bodies in which a return gets into every kind of trouble."""

    def __init__(self, seed):
        self.random, self.number = random.Random(seed), 0

    def body(self, depth, in_loop):
        lines = []
        for _ in range(self.random.randint(1, 2)):
            lines += self.statement(depth, in_loop)
        return lines

    def block(self, head, depth, in_loop):
        return [head, *("  " + line for line in self.body(depth - 1, in_loop))]

    def statement(self, depth, in_loop):
        self.number += 1
        number, choose = self.number, self.random.choice
        simple = [f"log({number})", f"return {number}", f"if flip(): return {number}", "if flip(): fail()"]
        if in_loop:
            simple += ["break", "continue", "if flip(): break", "if flip(): continue"]
        if depth == 0 or self.random.random() < 0.4:
            return [choose(simple)]
        kind = choose(("try", "try", "finally", "finally", "both", "for", "while", "with", "if"))
        if kind == "for":
            return [*self.block("for _ in range(2):", depth, True), *self.block("else:", depth, in_loop)]
        if kind == "while":
            return self.block("while flip():", depth, True)
        if kind == "with":
            return self.block(f"with Suppress({choose((True, False))}):", depth, in_loop)
        if kind == "if":
            return self.block("if flip():", depth, in_loop)
        lines = self.block("try:", depth, in_loop)
        if kind != "finally":
            lines += self.block("except Exception:", depth, in_loop)
        if kind != "try":
            lines += self.block("finally:", depth, in_loop)
        return lines


def world(seed):
    """What a program may use, and what it logged."""
    logged, decide = [], random.Random(seed)

    def fail():
        raise ValueError("fail")

    def flip():
        if len(logged) > 200:
            return False
        logged.append("flip")
        return decide.random() < 0.5

    names: "dict[str, Any]" = {"log": logged.append, "fail": fail, "flip": flip, "Suppress": Suppress}
    return logged, names


def outcome(run, logged):
    try:
        return run(), logged
    except Exception as error:
        return type(error).__name__, logged


def as_function(text, seed):
    logged, names = world(seed)
    exec("def main():\n" + "\n".join("  " + line for line in text.split("\n")), names)
    return outcome(names["main"], logged)


def as_program(text, seed):
    logged, names = world(seed)
    own_builtins = ModuleType("builtins")
    vars(own_builtins).update(vars(builtins))
    names["__builtins__"] = own_builtins
    code = compile_program(text)
    prepare(code, names)
    known = set(names)

    def run():
        exec(code, names)
        return take_result(names)

    result = outcome(run, logged)
    left = set(names) - known - {"_", RESULT}
    assert not left, f"names are left: {left}"
    return result


class Returns(unittest.TestCase):
    def test_they_are_what_they_are_in_a_function(self):
        for seed in range(PROGRAMS):
            text = "\n".join(Writer(seed).body(DEEPEST, False))
            with self.subTest(seed=seed, text=text):
                self.assertEqual(as_program(text, seed), as_function(text, seed))


if __name__ == "__main__":
    unittest.main()
