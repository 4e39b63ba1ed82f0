"""Outlives its host by a moment: when standard input ends, it kills every guest that was still registered.

Lines in: `+ PID START MARK FOLDER` registers a guest, `* ...` a server of guests, `- PID` forgets one; others are
ignored. START is field 22 of
/proc/PID/stat, or `-`. MARK is `NAME=NUMBER`: every descendant inherits it in its environment, and the number as a
limit. FOLDER holds the staged files, and is removed.
"""

from posix import kill, killpg, listdir
import resource
from _signal import SIGKILL
import sys
from time import monotonic, sleep

MARK_DIGITS = 19
FOLDER_PREFIX = "code-runtime-run-"
SWEEP_SECONDS = 5
ROUND_SECONDS = 0.02


def read(path):
    """The bytes of a file, or none."""
    try:
        with open(path, "rb") as file:
            return file.read()
    except OSError:
        return b""


def stat_fields(pid):
    """The fields of /proc/PID/stat behind the name."""
    return read(f"/proc/{pid}/stat").rpartition(b")")[2].split()


def is_same(pid, start):
    """Whether a process is the one that was registered, as far as can be known."""
    fields = stat_fields(pid)
    return not fields or start == "-" or fields[19].decode() == start


def number_of(mark):
    """The digits of a mark."""
    return mark.rpartition(b"=")[2]


def mark_by_limit(pid, mark):
    """Gives a guest the limit that nothing but real-time scheduling ever meets, where there is such a limit."""
    number = int(number_of(mark))
    try:
        resource.prlimit(pid, resource.RLIMIT_RTTIME, (number, number))
    except (AttributeError, OSError, OverflowError, ValueError):
        pass


def has_mark(pid, mark):
    """Whether a process inherited the mark of a run."""
    if number_of(mark) in read(f"/proc/{pid}/limits"):
        return True
    return mark in read(f"/proc/{pid}/environ").split(b"\0")


def living():
    """The processes that exist and are no zombies, where the system lists them."""
    try:
        pids = [int(name) for name in listdir("/proc") if name.isdigit()]
    except OSError:
        return []
    return [pid for pid in pids if (stat_fields(pid) or [b"Z"])[0] not in (b"Z", b"X")]


def strike(guests):
    """Kills what is left of the guests' groups and marked descendants; returns how many that were."""
    for pid, (start, _, _) in guests.items():
        if is_same(pid, start):
            attempt(killpg, pid)
    marks = [mark for _, mark, _ in guests.values()]
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


def remove(folder):
    """Removes staged files, and nothing else."""
    from shutil import rmtree

    if folder.rpartition("/")[2].startswith(FOLDER_PREFIX):
        rmtree(folder, ignore_errors=True)


def register(guests, sign, pid, start, mark, folder):
    """Remembers a guest, and marks it; the children of a server get marks of their own."""
    guests[pid] = (start, mark, folder)
    if sign == "+" and is_same(pid, start):
        mark_by_limit(pid, mark)


def fields_of(line):
    """The fields of a whole line; a host that dies may leave a part of one."""
    fields = line[:-1].split(" ", 4) if line.endswith("\n") else []
    return fields if len(fields) > 1 else ("", "")


def main():
    """Registers guests until the host is gone or done."""
    guests = {}
    for line in sys.stdin:
        sign, pid, *rest = fields_of(line)
        if not pid.isdigit():
            continue
        if sign == "-":
            guests.pop(int(pid), None)
        elif len(rest) == 3 and len(number_of(rest[1].encode())) == MARK_DIGITS:
            register(guests, sign, int(pid), rest[0], rest[1].encode(), rest[2])
    deadline = monotonic() + SWEEP_SECONDS
    while guests and strike(guests) and monotonic() < deadline:
        sleep(ROUND_SECONDS)
    for _, _, folder in guests.values():
        remove(folder)


if __name__ == "__main__":
    main()
