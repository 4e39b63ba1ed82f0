"""The fork server: it imports once what the runs need, and each run is a fork of it.

Lines in, JSON: `start` (socket, preload), then `fork` (id, nonce, mark), `kill` (id, signal), `reap` (id). Each is
answered by one line: `ready` or `failed`, `forked` or `refused`, `killed`, `reaped`. `exited` comes by itself. A
fork that has exited keeps its pid until it is reaped, so that no signal reaches another process of that number.
"""

import gc
import sys
from _signal import SIGCHLD, SIGCONT, SIGKILL, SIGTERM, set_wakeup_fd, signal
from posix import (
    CLD_EXITED,
    P_PID,
    WEXITED,
    WNOHANG,
    WNOWAIT,
    _exit,
    fork,
    getppid,
    kill,
    killpg,
    pipe,
    read,
    set_blocking,
    waitid,
    waitpid,
)
from select import POLLIN, POLLOUT, poll

from .channel import LOST
from .control import Control
from .decode import decode
from .forked import become_guest
from .preload import PreloadError, preload
from .session import main
from .text import quoted
from .wire import FD


def serve(path_entry):
    """Serves until the host is gone; in each fork goes on as the guest of one run."""
    control, host = Control(), getppid()
    del sys.argv[1:], sys.orig_argv[-1:]
    start = decode(control.await_line())
    try:
        preload(start["preload"])
    except PreloadError as error:
        control.await_sent(b'{"type":"failed","module":%b,"message":%b}\n' % (quoted(error.module), quoted(error.text)))
        _exit(0)
    gc.collect()
    gc.disable()
    order = Server(control).run()
    del control
    try:
        become_guest(start["socket"], host, order)
    except BaseException:
        _exit(LOST)
    main(path_entry)


class Server:
    """The forks that have not been reaped, and the host's orders."""

    def __init__(self, control):
        self._control = control
        self._pids, self._exited = {}, set()
        self._woken, wakes = pipe()
        for end in (self._woken, wakes):
            set_blocking(end, False)
        signal(SIGCHLD, _wake)
        set_wakeup_fd(wakes, warn_on_full_buffer=False)
        control.say(b'{"type":"ready"}\n')

    def run(self):
        """Returns its order in each fork; the server's own process ends here, when the host is gone."""
        ready = poll()
        ready.register(self._woken, POLLIN)
        while True:
            ready.register(FD, POLLIN | POLLOUT if self._control.has_unsent else POLLIN)
            woken = [descriptor for descriptor, _ in ready.poll()]
            if self._woken in woken:
                read(self._woken, 4096)
                self._tell_exits()
            self._control.flush()
            lines = self._control.lines() if FD in woken else ()
            if lines is None:
                self._end()
            for line in lines:
                order = self._obey(decode(line))
                if order is not None:
                    return order

    def _obey(self, order):
        kind = order["type"]
        if kind == "fork":
            return self._fork(order)
        if kind == "kill":
            self._strike(order["id"], order["signal"])
        elif kind == "reap":
            self._reap(order["id"])
        return None

    def _fork(self, order):
        number = order["id"]
        gc.freeze()
        try:
            pid = fork()
        except OSError as error:
            self._control.say(b'{"type":"refused","id":%d,"message":%b}\n' % (number, quoted(str(error))))
            return None
        if pid == 0:
            return order
        self._pids[number] = pid
        self._control.say(b'{"type":"forked","id":%d,"pid":%d}\n' % (number, pid))
        return None

    def _strike(self, number, name):
        pid = self._pids.get(number)
        if pid is not None:
            _signal_group(pid, SIGKILL if name == "SIGKILL" else SIGTERM)
        self._control.say(b'{"type":"killed","id":%d}\n' % number)

    def _reap(self, number):
        if number in self._exited:
            self._exited.discard(number)
            waitpid(self._pids.pop(number), 0)
        self._control.say(b'{"type":"reaped","id":%d}\n' % number)

    def _tell_exits(self):
        for number, pid in self._pids.items():
            if number not in self._exited:
                status = waitid(P_PID, pid, WEXITED | WNOWAIT | WNOHANG)
                if status is not None:
                    self._exited.add(number)
                    how = b"code" if status.si_code == CLD_EXITED else b"signal"
                    self._control.say(b'{"type":"exited","id":%d,"%b":%d}\n' % (number, how, status.si_status))

    def _end(self):
        for pid in self._pids.values():
            _signal_group(pid, SIGKILL)
        _exit(0)


def _signal_group(pid, number):
    # A stopped process takes no SIGTERM. Before its first instructions a fork leads no group yet.
    for each in (number, SIGCONT) if number == SIGTERM else (number,):
        for send in (killpg, kill):
            try:
                send(pid, each)
                break
            except (ProcessLookupError, PermissionError):
                pass


def _wake(_signal, _frame):
    """The descriptor is written to by the interpreter."""
