"""Runs the program's coroutine: alone at first, on an asyncio loop once asyncio is imported."""

from _contextvars import copy_context
from _thread import get_ident
from posix import pipe, read, write
from select import POLLIN, poll

from .adoption import Adoption
from .calls import DriverWaiter
from .step import step
from .wire import FD


class Driver:
    """Drives one coroutine to its end."""

    def __init__(self, calls, coroutine):
        self._calls, self._coroutine = calls, coroutine
        self._context, self._thread = copy_context(), get_ident()
        self._adoption, self.has_asyncio = None, False
        self._is_loop_broken = False
        self._wake_read, self._wake_write = pipe()
        self._ready = poll()
        for descriptor in (FD, self._wake_read):
            self._ready.register(descriptor, POLLIN)
        calls.driver_thread, calls.wake_driver = self._thread, self._wake

    def asyncio_imported(self):
        """In the middle of a step: gives the program its running loop before it can ask for it."""
        self.has_asyncio = True
        if get_ident() == self._thread and self._adoption is None:
            self._adoption = Adoption(self._calls, self._coroutine, self._context)
            self._adoption.enter()

    def run(self):
        """Raises what the coroutine raises."""
        error = None
        while True:
            yielded, is_done = self._advance(error)
            if is_done:
                return
            error = self._broken() or self._wait(yielded)

    def _broken(self):
        return self._adoption.take_broken() if self._adoption is not None else None

    def _advance(self, error):
        """One step, or all of them on a loop; what the coroutine waits for, and whether it has ended."""
        if self.has_asyncio and self._adoption is None:
            self._adoption = Adoption(self._calls, self._coroutine, self._context)
            return self._on_loop(self._adoption.run(error))
        try:
            yielded = self._step(error)
        except StopIteration:
            return None, True
        finally:
            if self._adoption is not None:
                self._adoption.leave()
        if self._adoption is not None and not self._is_loop_broken:
            return self._on_loop(self._adoption.run_from(yielded))
        return yielded, False

    def _on_loop(self, still_awaited):
        self._is_loop_broken = still_awaited is not None
        return still_awaited, still_awaited is None

    def _step(self, error):
        if error is not None:
            return step(self._context, self._coroutine.throw, error)
        return step(self._context, self._coroutine.send, None)

    def _wait(self, yielded):
        """Returns what is to be thrown into the coroutine, if anything."""
        if yielded is None:
            return None
        if type(yielded) is DriverWaiter:
            is_done = yielded.is_done
        elif self._calls.is_call(yielded):
            is_done = yielded.done
        else:
            return RuntimeError(f"await of an object that needs asyncio ({type(yielded).__name__}): import asyncio first")
        try:
            self._calls.drain()
            while not is_done():
                for descriptor, _ in self._ready.poll():
                    if descriptor == self._wake_read:
                        read(descriptor, 4096)
                self._calls.pump()
        except BaseException as error:
            return error
        return None

    def _wake(self):
        if get_ident() != self._thread:
            write(self._wake_write, b"\0")
