"""The program's text as a module body in which `await` and `return` work."""

from .returns import RESULT, SET_ASIDE, lift_returns
from .wire import MODEL

ALLOW_TOP_LEVEL_AWAIT = 0x2000
ONLY_AST = 0x400
CO_COROUTINE = 0x80


def compile_program(text):
    """The code of the program; raises SyntaxError and its like."""
    if "return" not in text:
        return compile(text, MODEL, "exec", ALLOW_TOP_LEVEL_AWAIT, True)
    tree = compile(text, MODEL, "exec", ALLOW_TOP_LEVEL_AWAIT | ONLY_AST, True)
    lift_returns(tree)
    return compile(tree, MODEL, "exec", ALLOW_TOP_LEVEL_AWAIT, True)


def is_coroutine(code):
    """Whether running the code gives a coroutine: it awaits something at top level."""
    return bool(code.co_flags & CO_COROUTINE)


def prepare(code, namespace):
    """Gives the names of our own their values for as long as nothing was returned."""
    if RESULT in code.co_names:
        vars(namespace["__builtins__"]).update({RESULT: (), SET_ASIDE: {}})


def take_result(namespace):
    """What the program returned."""
    result = namespace.pop(RESULT, None)
    return result[0] if type(result) is tuple and result else None
