"""What a guest that waits for its run does with the time: it loads and touches what a run will need."""

import sys

from .decode import decode
from .lossless import encode
from .program import compile_program, prepare, take_result


def rehearse():
    """Imports asyncio, and runs a program of no effect; nothing of it is left but warm pages."""
    from asyncio import new_event_loop

    new_event_loop().close()
    builtins = type(sys)("builtins")
    vars(builtins).update(vars(sys.modules["builtins"]))
    namespace = {"__builtins__": builtins}
    code = compile_program("return 1")
    prepare(code, namespace)
    eval(code, namespace)
    decode(encode({"value": take_result(namespace)}, 64))
