"""Line coverage of py/ by its own suite, in guests and in the suite's process: `python3 test/py/cover.py [pattern]`, on CPython >= 3.12."""

import glob
import json
import os
import sys
import tempfile
from typing import Any

HERE = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(os.path.dirname(os.path.dirname(HERE)), "py")
LABEL = "<code-runtime>/"
BOUND_PERCENT = 96
monitoring: Any = getattr(sys, "monitoring", None)

# Stands for the guest's directory: the same guest, with its lines watched and written down at its end.
WRAPPER = """
import json, os, posix, sys
ROOT, OUT, LABEL = {root!r}, {out!r}, {label!r}
seen, monitoring = set(), sys.monitoring
def note(code, line):
    try:
        if code.co_filename.startswith(LABEL): seen.add((code.co_filename.rpartition("/")[2], line))
    except MemoryError:
        monitoring.set_events(monitoring.COVERAGE_ID, 0)  # the program's own end of memory must come out as it would
    return monitoring.DISABLE
monitoring.use_tool_id(monitoring.COVERAGE_ID, "cover")
monitoring.register_callback(monitoring.COVERAGE_ID, monitoring.events.LINE, note)
monitoring.set_events(monitoring.COVERAGE_ID, monitoring.events.LINE)
leave, dumps, write, flags = posix._exit, json.dumps, posix.write, os.O_WRONLY | os.O_CREAT | os.O_TRUNC
create, process = posix.open, posix.getpid
def leave_noted(code):
    try:
        file = create(f"{{OUT}}/{{process()}}.json", flags)
        write(file, dumps(sorted(seen)).encode())
    finally:
        leave(code)
posix._exit = leave_noted
sys.path[0] = ROOT
with open(ROOT + "/__main__.py", encoding="utf-8") as file: source = file.read()
exec(compile(source, LABEL + "__main__.py", "exec"))
"""


def code_lines(path):
    """The lines of a file that the interpreter can run."""
    with open(path, encoding="utf-8") as file:
        waiting = [compile(file.read(), path, "exec", dont_inherit=True)]
    lines = set()
    while waiting:
        code = waiting.pop()
        # Code begins with an instruction for the line of its `def` or `class`, which tells nothing: its module runs that line.
        found = code.co_lines() if code.co_name == "<module>" else list(code.co_lines())[1:]
        lines.update(line for _, _, line in found if line)
        waiting.extend(const for const in code.co_consts if hasattr(const, "co_lines"))
    return lines


class Watch:
    """Notes the lines of py/ that run in this process."""

    def __init__(self):
        self.seen = {}
        tool, line = monitoring.COVERAGE_ID, monitoring.events.LINE
        monitoring.use_tool_id(tool, "cover")
        monitoring.register_callback(tool, line, self._note)
        monitoring.set_events(tool, line)

    def _note(self, code, line):
        if code.co_filename.startswith(GUEST + os.sep):
            self.seen.setdefault(os.path.basename(code.co_filename), set()).add(line)
        return monitoring.DISABLE


def add_guests(seen, folder):
    """Adds what every guest noted."""
    for path in glob.glob(os.path.join(folder, "*.json")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # A guest without memory or descriptors leaves an empty file.
        for name, line in json.loads(text or "[]"):
            seen.setdefault(name, set()).add(line)


def report(seen):
    """Prints what was missed of each module; the share of all lines that ran, in percent."""
    total = covered = 0
    for path in sorted(glob.glob(os.path.join(GUEST, "**", "*.py"), recursive=True)):
        name, wanted = os.path.basename(path), code_lines(path)
        missed = sorted(wanted - seen.get(name, set()))
        total, covered = total + len(wanted), covered + len(wanted) - len(missed)
        if missed:
            print(f"{name:20} {100 * (len(wanted) - len(missed)) / len(wanted):5.1f} %  missed {missed}")
    percent = 100 * covered / total
    print(f"py/: {percent:.1f} % of {total} lines (bound: {BOUND_PERCENT} %)")
    return percent


def main():
    """Runs the suite; its counts are the last line. Fails below the bound, unless only a part was run."""
    if monitoring is None:
        sys.exit("coverage of py/ needs CPython 3.12 or newer")
    with tempfile.TemporaryDirectory() as guest, tempfile.TemporaryDirectory() as out:
        os.chmod(out, 0o777)
        with open(os.path.join(guest, "__main__.py"), "w", encoding="utf-8") as file:
            file.write(WRAPPER.format(root=GUEST, out=out, label=LABEL))
        os.environ["PYGUEST"] = guest
        watch = Watch()
        import suite

        passed, failed, skipped = suite.run()
        add_guests(watch.seen, out)
    is_low = report(watch.seen) < BOUND_PERCENT and len(sys.argv) == 1
    print(f"{passed} passed, {failed + is_low} failed, {skipped} skipped")
    return 1 if failed or is_low else 0


if __name__ == "__main__":
    sys.exit(main())
