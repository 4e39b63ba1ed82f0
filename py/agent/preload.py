"""Imports what the runs need, and takes back what that changed in the process."""

import sys
from _signal import getsignal, set_wakeup_fd, signal, valid_signals
from os import environ
from posix import chdir, getcwd, listdir, umask

# Libraries that would start threads at their import start none.
THREADLESS = {"OMP_NUM_THREADS": "1", "NUMEXPR_NUM_THREADS": "1"}
PACKAGE = __name__.partition(".")[0]


class PreloadError(Exception):
    """A module that cannot be imported, or that no fork can share."""

    def __init__(self, module, text):
        super().__init__(module)
        self.module, self.text = module, text


def preload(names):
    """Imports asyncio and the named modules, in order."""
    state = State()
    for name in [name for name in sys.modules if name.partition(".")[0] == PACKAGE]:
        del sys.modules[name]
    for name in ("asyncio", *names):
        _import(name)
        threads = thread_count()
        if threads > 1:
            raise PreloadError(name, f"it started {threads - 1} of them")
    state.restore()


def _import(name):
    try:
        __import__(name)
    except BaseException as error:
        from traceback import format_exception

        own = error.__traceback__
        text = "".join(format_exception(type(error), error, own and own.tb_next))
        raise PreloadError(name, text) from None


def thread_count():
    """How many threads this process has, those of C code too."""
    try:
        return len(listdir("/proc/self/task"))
    except OSError:
        from threading import active_count

        return active_count()


class State:
    """What belongs to the process and not to a module."""

    def __init__(self):
        self._folder, self._umask = getcwd(), umask(0o77)
        umask(self._umask)
        self._streams = sys.stdin, sys.stdout, sys.stderr
        environ.update(THREADLESS)
        self._handlers = {number: getsignal(number) for number in valid_signals()}

    def restore(self):
        """As it was before."""
        chdir(self._folder)
        umask(self._umask)
        sys.stdin, sys.stdout, sys.stderr = self._streams
        for name in THREADLESS:
            environ.pop(name, None)
        set_wakeup_fd(-1)
        for number, handler in self._handlers.items():
            if handler is not None and getsignal(number) is not handler:
                signal(number, handler)
