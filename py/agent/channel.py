"""Descriptor 3: whole lines in both directions, from any thread and from signal handlers."""

from _collections import deque
from _thread import RLock, allocate_lock
from itertools import islice, repeat, starmap
from posix import _exit, getpid, read, set_blocking, set_inheritable, write
from select import POLLIN, poll

from .wire import FD

BATCH, BATCH_PARTS = 1 << 16, 1024
SMALL_READ, LARGE_READ = 1 << 16, 1 << 20
LOST = 70


class Channel:
    """The guest's end; it ends the process when the host's end is gone."""

    def __init__(self):
        self.owner = getpid()
        self._outbox, self._taken, self._current, self._written = deque(), [], b"", []
        self.post = self._outbox.extend
        self._writer, self._is_writing = RLock(), False
        self._reader, self._chunks, self._lines = allocate_lock(), [], deque()
        self._ready = poll()
        self._ready.register(FD, POLLIN)
        try:
            set_inheritable(FD, False)
            set_blocking(FD, True)
        except OSError:
            self.lost()

    def lost(self):
        """Ends the process: nobody listens any more."""
        _exit(LOST)

    def send(self, *parts):
        """Writes one frame after all that is queued."""
        self._outbox.extend(parts)
        self.drain()

    def drain(self, between=None):
        """Writes what is queued, in batches; inside a signal handler, leaves it to the writer that it interrupted."""
        while self._outbox or self._taken:
            with self._writer:
                if self._is_writing:
                    return
                self._is_writing = True
                try:
                    self._write_queued(between)
                finally:
                    self._is_writing = False

    # A signal handler may raise between any two bytecodes. What is taken and what is written is therefore
    # counted inside one call into C each, and the next drain goes on where an interrupted one stopped.

    def _write_queued(self, between):
        while self._taken or self._outbox:
            if not self._taken:
                self._taken.extend(starmap(self._outbox.popleft, repeat((), self._batch_length())))
            if not self._current:
                self._current = self._taken[0] if len(self._taken) == 1 else b"".join(self._taken)
            self._write_current()
            if between is not None:
                between()

    def _batch_length(self):
        size, count = 0, -1
        for count, each in enumerate(self._queued_sizes()):
            size += each
            if size > BATCH:
                return max(count, 1)
        return count + 1

    def _queued_sizes(self):
        while True:
            try:
                return list(map(len, islice(self._outbox, BATCH_PARTS)))
            except RuntimeError:
                continue  # another thread or a handler has queued a frame in between

    def _write_current(self):
        while sum(self._written) < len(self._current):
            rest = memoryview(self._current)[sum(self._written) :]
            try:
                self._written.extend(map(write, (FD,), (rest,)))
            except OSError:
                self.lost()
        self._current, self._written, self._taken = b"", [], []

    def receive(self, timeout_ms: int | None = 0):
        """Reads once if there is something to read; true when there was."""
        if not self._reader.acquire(False):
            return False
        try:
            if not self._ready.poll(timeout_ms):
                return False
            size = SMALL_READ if len(self._chunks) < 2 else LARGE_READ
            before = len(self._chunks)
            try:
                self._chunks.extend(map(read, (FD,), (size,)))
            except OSError:
                self.lost()
            if len(self._chunks) > before and not self._chunks[-1]:
                self.lost()
            self._split()
        finally:
            self._reader.release()
        return True

    def _split(self):
        # Lines first: an interruption in between repeats a reply, which is harmless, and loses none.
        if b"\n" in self._chunks[-1]:
            *lines, rest = b"".join(self._chunks).split(b"\n")
            self._lines.extend(lines)
            self._chunks[:] = [rest] if rest else []

    def next_line(self):
        """A line that has been read, or None."""
        try:
            return self._lines.popleft()
        except IndexError:
            return None

    def waits_for_line(self, timeout_ms):
        """Whether something to read comes within that time."""
        return bool(self._lines or self._ready.poll(timeout_ms))

    def await_line(self):
        """Blocks for one line."""
        while True:
            line = self.next_line()
            if line is not None:
                return line
            self.receive(None)
