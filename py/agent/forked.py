"""A fork of the server becomes a guest: its own channels, session, mark and random state."""

import gc
import os
import sys
from _signal import SIG_DFL, SIG_SETMASK, SIGCHLD, pthread_sigmask, set_wakeup_fd, signal
from _socket import AF_UNIX, SO_PEERCRED, SOCK_STREAM, SOL_SOCKET, socket
from posix import O_CLOEXEC, O_RDONLY, O_RDWR, close, dup2, environ, listdir, open, pread, pwrite, read, setsid, urandom

from .wire import FD

DESCRIPTORS = (FD, 1, 2)
MOST_DESCRIPTORS = 1024
PID_BYTES, STAT_BYTES = 4, 4096
# Of the fields behind the name in /proc/PID/stat: where the kernel finds the environment that it shows.
ENV_START, ENV_END = 47, 48


def become_guest(path, host, order):
    """Leaves nothing of the server but its modules. Raises when it cannot be."""
    set_wakeup_fd(-1)
    signal(SIGCHLD, SIG_DFL)
    pthread_sigmask(SIG_SETMASK, ())
    setsid()
    _connect(path, host, order["nonce"])
    _close_others()
    _carry(order["mark"])
    _reseed()
    gc.enable()


def _connect(path, host, nonce):
    """Gives the host, and nobody else, a connection for each descriptor; that of the server's own channel goes first."""
    for number in DESCRIPTORS:
        connection = socket(AF_UNIX, SOCK_STREAM)
        connection.connect(path)
        listener = connection.getsockopt(SOL_SOCKET, SO_PEERCRED, PID_BYTES)
        if int.from_bytes(listener, sys.byteorder) != host:
            raise PermissionError("somebody else listens")
        connection.sendall(f"{nonce}{number}".encode())
        dup2(connection.fileno(), number)
        connection.close()


def _close_others():
    """Descriptors of the server's, and those that a module left open: their positions would be shared by all runs."""
    try:
        numbers = map(int, listdir("/proc/self/fd"))
    except OSError:
        numbers = range(MOST_DESCRIPTORS)
    for number in numbers:
        if number > FD:
            try:
                close(number)
            except OSError:
                pass


def _carry(mark):
    """Has descendants inherit the mark of the run, and the kernel show it."""
    name, _, number = mark.partition("=")
    os.environ[name] = number
    name, number = name.encode(), number.encode()
    environ[name] = number
    try:
        _write_environment(name + b"=", number)
    except (OSError, IndexError, ValueError):
        pass  # there is the limit as well


def _write_environment(name, number):
    """In place, over the server's own mark, which has as many digits."""
    stat = open("/proc/self/stat", O_RDONLY | O_CLOEXEC)
    try:
        fields = read(stat, STAT_BYTES).rpartition(b")")[2].split()
    finally:
        close(stat)
    start, end = int(fields[ENV_START]), int(fields[ENV_END])
    memory = open("/proc/self/mem", O_RDWR | O_CLOEXEC)
    try:
        at = (b"\0" + pread(memory, end - start, start)).find(b"\0" + name)
        if at >= 0:
            pwrite(memory, number, start + at + len(name))
    finally:
        close(memory)


def _reseed():
    """What the server's modules drew from must not be drawn again; `random` has seen to itself."""
    numpy = sys.modules.get("numpy.random")
    if numpy is not None:
        try:
            numpy.seed()
        except Exception:
            pass  # a module gave numpy a generator of its own, which this does not know
    process = sys.modules.get("multiprocessing.process")
    if process is not None:
        process.current_process().authkey = urandom(32)
