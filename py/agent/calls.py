"""Binding calls: ids, who waits for which reply, and how it reaches them."""

from _thread import RLock, get_ident

from .decode import decode
from .loops import Loops
from .wire import call_frame


class LoopWaiter:
    """A call awaited on an asyncio loop."""

    def __init__(self, loops, loop):
        self._loops, self._loop, self._future = loops, loop, loops.future(loop)

    def __await__(self):
        return self._future.__await__()

    def deliver(self, reply):
        """Completes the future on its own loop; a closed loop waits no more."""
        if self._loops.running() is self._loop or self._loop in self._loops.broken:
            return self._settle(reply)
        try:
            self._loop.call_soon_threadsafe(self._settle, reply)
        except RuntimeError:
            pass

    def is_for(self, future):
        """Whether that is what the caller waits for."""
        return self._future is future

    def _settle(self, reply):
        if not self._future.done():
            try:
                self._future.set_result(reply)
            except Exception:
                self._loop.stop()


class DriverWaiter:
    """A call awaited by the program itself while there is no loop."""

    def __init__(self, wake):
        self.reply: dict[str, object] | None = None
        self._wake = wake

    def __await__(self):
        while self.reply is None:
            yield self
        return self.reply

    def is_done(self):
        """Whether the reply has come."""
        return self.reply is not None

    def is_for(self, waiter):
        """Whether that is what the driver waits for."""
        return self is waiter

    def deliver(self, reply):
        """Leaves the reply for the driver."""
        self.reply = reply
        self._wake()


class Calls:
    """The account of calls under way."""

    def __init__(self, channel):
        self._channel = channel
        self._pending, self._next_id, self._lock = {}, 0, RLock()
        self.loops = Loops(channel, self.pump)
        self.is_forked, self.wake_driver = False, None
        self.driver_thread: int | None = None

    async def call(self, owner, name, args):
        """Sends one call and waits for its reply frame."""
        if self.is_forked:
            raise RuntimeError(f"{owner}.{name}(...) cannot be called from a forked process")
        loop = self.loops.running()
        waiter = self._waiter(loop, f"{owner}.{name}(...)")
        call_id = self._issue(waiter, owner, name, args)
        try:
            if loop is not None:
                self.loops.drain_soon(loop)
            else:
                self._channel.drain()
            return await waiter
        finally:
            self._pending.pop(call_id, None)

    def _waiter(self, loop, what):
        if loop is not None:
            self.loops.enter(loop)
            return LoopWaiter(self.loops, loop)
        if self.driver_thread == get_ident():
            return DriverWaiter(self.wake_driver)
        raise RuntimeError(f"await {what} needs a running event loop in this thread")

    def _issue(self, waiter, owner, name, args):
        post = self._channel.post
        with self._lock:
            call_id = self._next_id
            frame = call_frame(call_id, owner, name, args)
            self._pending[call_id] = waiter
            self._next_id = call_id + 1
            post(frame)
        return call_id

    def is_call(self, awaited):
        """Whether somebody waits for a reply in this way."""
        return any(waiter.is_for(awaited) for waiter in list(self._pending.values()))

    def drain(self):
        """Writes the calls that are queued."""
        self._channel.drain()

    def pump(self):
        """Reads what has come and delivers it, whoever waits for it."""
        self._channel.receive()
        while True:
            line = self._channel.next_line()
            if line is None:
                return
            reply = _parse(line)
            waiter = self._pending.get(reply.get("id"))
            if waiter is not None:
                waiter.deliver(reply)


def _parse(line):
    try:
        frame = decode(line)
    except MemoryError:
        return {"id": _id_of(line), "ok": None}
    except ValueError:
        return {}
    return frame if type(frame) is dict and frame.get("type") == "reply" else {}


def _id_of(line):
    digits = line[:64].partition(b'"id":')[2].partition(b",")[0]
    return int(digits) if digits.isdigit() else None
