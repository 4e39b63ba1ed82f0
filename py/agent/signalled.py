"""Tells what a signal handler of the program raised from what broke for another reason."""

from _signal import getsignal, valid_signals


class _Example:
    def method(self):
        """Shows the type of methods."""


FunctionType, MethodType = type(_Example.method), type(_Example().method)


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
    # By its type alone: a look-up on the handler could run the program.
    function = handler
    if type(handler) is MethodType:
        function = handler.__func__
    elif type(handler) is not FunctionType:
        function = getattr(type(handler), "__call__", None)
    return getattr(function, "__code__", None) if type(function) is FunctionType else None
