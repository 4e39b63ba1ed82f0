"""Outlives its host by a moment: when standard input ends, it kills every guest that was still registered.

Lines in: `+ PID START MARK` registers a guest, `- PID` forgets one. START is field 22 of /proc/PID/stat, or `-`.
"""

from posix import kill, killpg, listdir
from signal import SIGKILL
import sys
from time import monotonic, sleep

SWEEP_SECONDS = 5
ROUND_SECONDS = 0.02


def stat_fields(pid):
    """The fields of /proc/PID/stat behind the name, or nothing."""
    try:
        with open(f"/proc/{pid}/stat", "rb") as file:
            return file.read().rpartition(b")")[2].split()
    except OSError:
        return None


def is_same(pid, start):
    """Whether a process is the one that was registered, as far as can be known."""
    fields = stat_fields(pid)
    return fields is None or start == "-" or fields[19].decode() == start


def has_mark(pid, mark):
    """Whether a process inherited the mark of a run."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as file:
            return mark in file.read().split(b"\0")
    except OSError:
        return False


def living():
    """The processes that exist and are no zombies, where the system lists them."""
    try:
        pids = [int(name) for name in listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    return [pid for pid in pids if (stat_fields(pid) or [b"Z"])[0] not in (b"Z", b"X")]


def strike(guests):
    """Kills what is left of the guests' groups and marked descendants; returns how many that were."""
    for pid, (start, _) in guests.items():
        if is_same(pid, start):
            attempt(killpg, pid)
    marks = [mark for _, mark in guests.values()]
    struck = [pid for pid in living() if any(has_mark(pid, mark) for mark in marks)]
    for pid in struck:
        attempt(kill, pid)
    return len(struck)


def attempt(send, pid):
    """Sends SIGKILL to what may be gone already."""
    try:
        send(pid, SIGKILL)
    except (ProcessLookupError, PermissionError):
        pass


def main():
    """Registers guests until the host is gone or done."""
    guests = {}
    for line in sys.stdin:
        sign, pid, *rest = line.split()
        if sign == "+":
            guests[int(pid)] = (rest[0], rest[1].encode())
        else:
            guests.pop(int(pid), None)
    deadline = monotonic() + SWEEP_SECONDS
    while guests and strike(guests) and monotonic() < deadline:
        sleep(ROUND_SECONDS)


if __name__ == "__main__":
    main()
