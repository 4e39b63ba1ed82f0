"""What the program sees as sys.stdout and sys.stderr."""

from _codecs import utf_8_decode
from _io import _BufferedIOBase, _TextIOBase
from posix import write
from io import BufferedIOBase, TextIOBase
import sys


class TextStream(_TextIOBase):
    """A text stream that hands everything to a sink."""

    encoding, errors, newlines = "utf-8", "replace", None
    line_buffering, write_through, mode = True, True, "w"

    def __init__(self, name, number, take):
        self.name = name
        self._number, self._take = number, take
        self.buffer = ByteStream(name, number, take)

    def write(self, text):
        """Takes text, whatever characters it holds."""
        if type(text) is not str:
            if not isinstance(text, str):
                raise TypeError(f"write() argument must be str, not {type(text).__name__}")
            text = str.__str__(text)
        if text:
            self._take(text)
        return len(text)

    def flush(self):
        """Makes an unterminated line visible."""
        self._take("", True)

    def reconfigure(self, **_options):
        """Accepts what a real stream accepts; text is UTF-8 whatever is asked for."""

    def writable(self):
        """Always."""
        return True

    def fileno(self):
        """The descriptor that subprocesses may inherit."""
        return self._number

    def __repr__(self):
        return f"<{type(self).__name__} name={self.name!r} mode='w' encoding='utf-8'>"


class ByteStream(_BufferedIOBase):
    """The binary side of a text stream."""

    mode = "wb"

    def __init__(self, name, number, take):
        self.name = name
        self._number, self._take, self._rest = number, take, b""

    def write(self, data):
        """Takes bytes of UTF-8; a character may come in parts."""
        data = bytes(data)
        text, used = utf_8_decode(self._rest + data, "replace", False)
        self._rest = (self._rest + data)[used:]
        if text:
            self._take(text)
        return len(data)

    def flush(self):
        """Makes an unterminated line visible."""
        self._take("", True)

    def writable(self):
        """Always."""
        return True

    def fileno(self):
        """The descriptor that subprocesses may inherit."""
        return self._number

    @property
    def raw(self):
        """There is no layer below."""
        return self


TextIOBase.register(TextStream)
BufferedIOBase.register(ByteStream)


class ForkedSink:
    """Where a forked child of the program prints: its own descriptors, by whole lines."""

    def __init__(self, number):
        self._number, self._held = number, ""

    def take(self, text, flush=False):
        """Writes what is complete."""
        text = self._held + text
        end = len(text) if flush else text.rfind("\n") + 1
        self._held = text[end:]
        data = text[:end].encode("utf-8", "replace")
        while data:
            data = data[write(self._number, data) :]


class Capture:
    """Puts the two streams in place and moves them over in forked children."""

    def __init__(self, recorder):
        self._recorder = recorder
        self._sinks = []
        self._originals = (sys.stdout, sys.stderr)
        self._flushes = [original.flush for original in self._originals if original is not None]
        for number, name in ((1, "stdout"), (2, "stderr")):
            setattr(sys, name, TextStream(f"<{name}>", number, self._sink(number, name)))

    def _sink(self, number, name):
        line, sinks, take = self._recorder.line(name), self._sinks, self._recorder.take
        index = number - 1

        def record(text, flush=False):
            if sinks:
                sinks[index].take(text, flush)
            else:
                take(line, text, flush)

        return record

    def become_child(self):
        """After a fork, in the child."""
        self._sinks[:] = [ForkedSink(1), ForkedSink(2)]

    def flush(self):
        """Brings out everything printed so far, through the original streams too."""
        if self._sinks:
            for sink in self._sinks:
                sink.take("", True)
        else:
            self._recorder.flush()
        for flush in self._flushes:
            try:
                flush()
            except (OSError, ValueError):
                pass
