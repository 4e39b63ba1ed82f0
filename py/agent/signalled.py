"""Tells what a signal handler of the program raised from what broke for another reason."""

from _signal import getsignal, valid_signals

FunctionType = type(lambda: 0)


def is_signalled(error):
    """Whether a handler that is in place raised it; an interrupt needs none."""
    if not isinstance(error, Exception):
        return True
    handlers = {_code_of(getsignal(number)) for number in valid_signals()}
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code in handlers:
            return True
        trace = trace.tb_next
    return False


def _code_of(handler):
    function = handler if isinstance(handler, FunctionType) else getattr(handler, "__func__", None)
    function = function or getattr(type(handler), "__call__", None)
    return getattr(function, "__code__", None) if isinstance(function, FunctionType) else None
