"""The asyncio loops on which calls wait: each one reads the channel itself, for all."""

from _thread import RLock

from .wire import FD


def _nothing(**_):
    return None


class Loops:
    """Loops with calls under way; knows nothing of asyncio until the program imports it."""

    def __init__(self, channel, pump):
        self._channel, self._pump = channel, pump
        self._reading, self._draining, self._lock = set(), set(), RLock()
        self._future, self.running, self.broken = _nothing, _nothing, set()

    def learn(self):
        """Takes what it needs from asyncio, just after its import."""
        if self._future is _nothing:
            from asyncio.events import _get_running_loop
            from asyncio.futures import Future

            self.running, self._future = _get_running_loop, Future

    def future(self, loop):
        """A future of that loop."""
        return self._future(loop=loop)

    def enter(self, loop):
        """Makes the loop read the channel from now on."""
        with self._lock:
            if loop not in self._reading:
                self._reading = {other for other in self._reading if not other.is_closed()} | {loop}
                loop.add_reader(FD, self._pump)

    def drain_soon(self, loop):
        """Writes the calls of one turn of the loop together."""
        if loop in self._draining:
            return
        self._draining.add(loop)
        try:
            loop.call_soon(self._drain, loop)
        except Exception:
            self._drain(loop)

    def _drain(self, loop):
        # Replies are read in between: the host ends a run whose replies pile up.
        self._draining.discard(loop)
        self._channel.drain(self._pump)
