"""Printed text to log frames: lines, open lines, the budget and its marker."""

from _collections import deque
from _thread import RLock

from .ledger import Ledger
from .text import escape_within, printable
from .wire import log_frame, marker_frame

HOLD = 4096
EAGER_PIECES = 1024


class Line:
    """The unterminated line of one stream."""

    def __init__(self, stream):
        self.stream, self.is_open = stream, False
        self.held, self.length = [], 0


class Recorder:
    """Takes text of any stream from any thread, and from a signal handler amid a write."""

    def __init__(self, channel, max_log_bytes):
        self._channel, self._max_log_bytes = channel, max_log_bytes
        self._ledger, self._eager = Ledger(max_log_bytes), EAGER_PIECES
        self._inbox, self._lock, self._is_busy = deque(), RLock(), False
        self._lines = []
        self.is_truncated = False

    def line(self, stream):
        """A new stream."""
        line = Line(stream)
        self._lines.append(line)
        return line

    def take(self, line, text, flush=False):
        """Records text; complete lines are visible at once, and what is flushed stays open."""
        if self.is_truncated:
            return
        self._inbox.append((line, text, flush))
        with self._lock:
            if self._is_busy:
                return
            self._is_busy = True
            try:
                while self._inbox:
                    self._record(*self._inbox.popleft())
            finally:
                self._is_busy = False
        self._channel.drain()

    def flush(self):
        """Makes every held piece visible."""
        for line in self._lines:
            self.take(line, "", True)

    def _record(self, line, text, flush):
        start = 0
        while not self.is_truncated:
            end = text.find("\n", start)
            if end < 0:
                return self._hold(line, text, start, flush)
            if self._append(line, text, start, end):
                self._emit(line, False)
            start = end + 1

    def _hold(self, line, text, start, flush):
        if start < len(text) and not self._append(line, text, start, len(text)):
            return
        if line.length and (flush or self._eager > 0 or line.length >= HOLD):
            self._eager -= 1
            self._emit(line, True)

    def _append(self, line, text, start, end):
        """Holds a slice of the text unless it cannot be admitted any more."""
        if line.length + end - start > self._ledger.room(line.is_open):
            if line.length:
                self._emit(line, True)
            if not self.is_truncated:
                self._truncate(line)
            return False
        if end > start:
            line.held.append(text[start:end] if end - start < len(text) else text)
            line.length += end - start
        return True

    def _emit(self, line, is_open):
        text = line.held[0] if len(line.held) == 1 else "".join(line.held)
        found = escape_within(text, self._ledger.room(line.is_open), printable)
        if found is None:
            return self._truncate(line)
        pieces, size = found
        self._channel.post(log_frame(line.stream, pieces, is_open))
        self._ledger.bill(size, line.is_open)
        line.is_open, line.held, line.length = is_open, [], 0

    def _truncate(self, line):
        self.is_truncated = True
        for each in self._lines:
            each.held, each.length = [], 0
        self._channel.post((marker_frame(line.stream, self._max_log_bytes),))
