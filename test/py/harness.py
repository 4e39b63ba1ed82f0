"""Plays the host of one guest process over a socket on descriptor 3."""

import fcntl
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
from typing import Any
from collections import deque

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
GUEST = os.environ.get("PYGUEST", os.path.join(ROOT, "py"))
DEADLINE_SECONDS = 60
DEFAULTS = {"cpuSeconds": 60, "addressSpaceBytes": 2048 << 20, "maxLogBytes": 65536, "maxValueBytes": 1 << 20}


def above(descriptor):
    """Moves a descriptor out of the way of those that a guest is given by number."""
    moved = fcntl.fcntl(descriptor, fcntl.F_DUPFD_CLOEXEC, 10)
    os.close(descriptor)
    return moved


class Rejected(Exception):
    """A binding that fails."""


class Result:
    """What a run came to."""

    def __init__(self):
        self.frames: list[Any] = []
        self.logs: list[str] = []
        self.calls: list[dict[str, Any]] = []
        self.raw = {"stdout": b"", "stderr": b""}
        self.done: dict[str, Any] | None = None
        self.code: int | None = None
        self.acked = False

    @property
    def value(self):
        """The completion; fails loudly when there is none."""
        if self.done is None or "value" not in self.done:
            raise AssertionError(f"no value: {self.done} exit {self.code} {self.raw}")
        return self.done["value"]

    @property
    def has_value(self):
        """Whether there is a completion."""
        return self.done is not None and "value" in self.done

    @property
    def error(self):
        """The failure."""
        return (self.done or {}).get("error")

    @property
    def message(self):
        """The failure's text."""
        if not self.error:
            raise AssertionError(f"no error: {self.done} exit {self.code} {self.raw}")
        return self.error["message"]

    @property
    def kind(self):
        """The failure's kind."""
        return (self.error or {}).get("kind")

    @property
    def raw_lines(self):
        """Everything on descriptors 1 and 2."""
        return (self.raw["stdout"] + self.raw["stderr"]).decode("utf-8", "replace").splitlines()


class Host:
    """Starts a guest and answers it."""

    def __init__(self, bindings=None, error_class=None, global_name="tools", namespaces=None, preexec=None, env=None, **boot):
        self.bindings = bindings or {}
        if namespaces is None:
            namespaces = [{"global": global_name, "names": list(self.bindings)}]
            if error_class:
                namespaces[0]["errorClass"] = error_class
        self.boot = {"type": "boot", **DEFAULTS, **boot, "namespaces": namespaces}
        self.result = Result()
        self._open = {}
        self._buffer, self._outbox = b"", deque()
        self.answers = True
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        here, there = socket.socketpair()
        here.setblocking(False)
        self.socket = here
        theirs = above(there.detach())

        def become_guest():
            os.dup2(theirs, 3)
            if preexec:
                preexec()

        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-u", GUEST],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.PIPE, close_fds=False,
            env=env if env is not None else {"TMPDIR": self.folder.name, "LC_ALL": "C.UTF-8"},
            start_new_session=True, preexec_fn=become_guest,
        )
        os.close(theirs)
        assert self.process.stdout and self.process.stderr
        self.streams = {self.process.stdout: "stdout", self.process.stderr: "stderr"}

    def send(self, frame):
        """Writes one frame."""
        self._outbox.append(memoryview(frame if isinstance(frame, bytes) else encode(frame)))
        self._write()

    def _write(self):
        try:
            while self._outbox:
                sent = self.socket.send(self._outbox[0])
                if sent == len(self._outbox[0]):
                    self._outbox.popleft()
                else:
                    self._outbox[0] = self._outbox[0][sent:]
        except BlockingIOError:
            pass
        except OSError:
            self._outbox.clear()

    def run(self, program, until=None):
        """Boots, runs and waits for the end of the process."""
        try:
            self.program = program
            self.send(self.boot)
            deadline = time.monotonic() + DEADLINE_SECONDS
            sources = {self.socket, *self.streams}
            while sources:
                remaining = deadline - time.monotonic()
                if remaining <= 0:
                    raise AssertionError(f"the guest did not end: {self.result.logs} {self.result.raw}")
                writers = [self.socket] if self._outbox and self.socket in sources else []
                ready, writable, _ = select.select(list(sources), writers, [], remaining)
                if writable:
                    self._write()
                for source in ready:
                    if not self._read(source):
                        sources.discard(source)
                if until is not None and until(self):
                    break
            self.result.code = self.process.wait(DEADLINE_SECONDS) if until is None else self.process.poll()
            return self.result
        finally:
            if until is None:
                self.close()

    def close(self):
        """Ends the process group and closes everything."""
        try:
            os.killpg(self.process.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            pass
        self.process.wait()
        for stream in (self.socket, *self.streams):
            stream.close()
        self.folder.cleanup()

    def _hang_up(self):
        """What a host does once it has the outcome."""
        try:
            self.socket.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass

    def _read(self, source):
        if source is not self.socket:
            data = os.read(source.fileno(), 1 << 20)
            self.result.raw[self.streams[source]] += data
            return bool(data)
        try:
            data = self.socket.recv(1 << 20)
        except BlockingIOError:
            return True
        except ConnectionResetError:
            data = b""
        if b"\n" not in data:
            self._buffer += data
            return bool(data)
        *lines, self._buffer = (self._buffer + data).split(b"\n")
        for line in lines:
            self._frame(line)
        return bool(data)

    def _frame(self, line):
        try:
            frame = json.loads(line)
        except (ValueError, RecursionError):
            self.result.frames.append(line)
            if line.startswith(b'{"type":"call","id":'):
                self.send({"type": "reply", "id": int(line[20:].partition(b",")[0]), "ok": True, "value": None})
            return
        if not isinstance(frame, dict):
            return
        self.result.frames.append(frame)
        kind = frame.get("type")
        if kind == "boot-ack" and not self.result.acked:
            self.result.acked = True
            self.send({"type": "run", "program": self.program})
        elif kind == "log":
            self._log(frame)
        elif kind == "call":
            self.result.calls.append(frame)
            if self.answers:
                self.answer(frame)
        elif kind == "done" and self.result.done is None:
            self.result.done = frame
            self._hang_up()

    def _log(self, frame):
        stream = frame.get("stream")
        if frame.get("truncated") is True:
            self._open.clear()
        if stream in self._open:
            self.result.logs[self._open[stream]] += frame["text"]
        else:
            self._open[stream] = len(self.result.logs)
            self.result.logs.append(frame["text"])
        if not frame.get("open"):
            del self._open[stream]

    def answer(self, frame):
        """Replies to one call."""
        reply = {"type": "reply", "id": frame["id"]}
        try:
            reply.update(ok=True, value=self.bindings[frame["name"]](frame["args"]))
        except Rejected as error:
            reply.update(ok=False, message=str(error))
        except KeyError:
            reply.update(ok=False, message=f"unknown binding {frame['name']}")
        value = reply.get("value")
        if isinstance(value, Raw):
            head = b'{"type":"reply","id":%d,"ok":true,"value":' % frame["id"]
            return self.send(head + value.data + b"}\n")
        self.send(reply)


class Raw:
    """A reply value that is JSON already."""

    def __init__(self, data):
        self.data = data


def encode(frame):
    """A frame as the host writes it."""
    return json.dumps(frame, ensure_ascii=False, separators=(",", ":")).encode("utf-8", "backslashreplace") + b"\n"


def run(program, bindings=None, **options):
    """Runs one program to its end."""
    return Host(bindings, **options).run(program)
