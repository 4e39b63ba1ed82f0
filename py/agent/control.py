"""The server's end of descriptor 3: lines in both directions, and no wait for a host that does not read."""

from posix import read, set_blocking, set_inheritable, write
from select import POLLIN, POLLOUT, poll

from .wire import FD

READ = 1 << 16


class Control:
    """Whole lines; `lines` gives nothing more once the host is gone."""

    def __init__(self):
        self._received, self._unsent = b"", b""
        set_inheritable(FD, False)
        set_blocking(FD, False)

    @property
    def has_unsent(self):
        """Whether something waits for the host to read."""
        return bool(self._unsent)

    def say(self, line):
        """Sends a line now or when there is room."""
        self._unsent += line
        self.flush()

    def flush(self):
        """Sends what there is room for."""
        try:
            while self._unsent:
                self._unsent = self._unsent[write(FD, self._unsent) :]
        except BlockingIOError:
            pass
        except OSError:
            self._unsent = b""  # the host is gone, which the next read tells

    def lines(self):
        """What has come, or None when the host is gone."""
        try:
            data = read(FD, READ)
        except BlockingIOError:
            return []
        except OSError:
            return None
        if not data:
            return None
        *lines, self._received = (self._received + data).split(b"\n")
        return lines

    def await_line(self):
        """Blocks for the first line; ends the process when there is none."""
        while True:
            self._wait(POLLIN)
            lines = self.lines()
            if lines is None:
                raise SystemExit(0)
            if lines:
                return lines[0]

    def await_sent(self, line):
        """Blocks until a last line has been sent."""
        self.say(line)
        while self._unsent:
            self._wait(POLLOUT)
            self.flush()

    @staticmethod
    def _wait(event):
        ready = poll()
        ready.register(FD, event)
        ready.poll()
