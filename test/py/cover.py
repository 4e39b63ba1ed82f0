"""Line coverage of the guest by its own suite: `python3 test/py/cover.py [pattern]`, on CPython >= 3.12."""

import glob
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
GUEST = os.path.join(os.path.dirname(os.path.dirname(HERE)), "py")
LABEL = "<code-runtime>/"

# Stands for the guest's directory: the same guest, with its lines watched and written down at its end.
WRAPPER = """
import json, os, posix, sys
ROOT, OUT, LABEL = {root!r}, {out!r}, {label!r}
seen, monitoring = set(), sys.monitoring
def note(code, line):
    if code.co_filename.startswith(LABEL): seen.add((code.co_filename, line))
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
    """The lines of a file that hold code."""
    with open(path, encoding="utf-8") as file:
        waiting = [compile(file.read(), path, "exec", optimize=2)]
    lines = set()
    while waiting:
        code = waiting.pop()
        # A function begins at the line of its `def`, which is the module's.
        own_start = code.co_firstlineno if code.co_name != "<module>" else None
        lines.update(line for _, _, line in code.co_lines() if line and line != own_start)
        waiting.extend(const for const in code.co_consts if hasattr(const, "co_lines"))
    return lines


def seen_lines(folder):
    """What every guest noted, by file name."""
    seen = {}
    for path in glob.glob(os.path.join(folder, "*.json")):
        with open(path, encoding="utf-8") as file:
            text = file.read()
        # A guest without memory or descriptors leaves an empty file.
        for label, line in json.loads(text or "[]"):
            seen.setdefault(label.removeprefix(LABEL), set()).add(line)
    return seen


def main():
    """Prints a line for each module and a last one for all."""
    if not hasattr(sys, "monitoring"):
        sys.exit("coverage of the guest needs CPython 3.12 or newer")
    pattern = sys.argv[1:2] or ["test_*.py"]
    with tempfile.TemporaryDirectory() as guest, tempfile.TemporaryDirectory() as out:
        os.chmod(out, 0o777)
        with open(os.path.join(guest, "__main__.py"), "w", encoding="utf-8") as file:
            file.write(WRAPPER.format(root=GUEST, out=out, label=LABEL))
        command = [sys.executable, "-B", os.path.join(HERE, "suite.py"), *pattern]
        subprocess.run(command, env={**os.environ, "PYGUEST": guest}, stdout=sys.stderr, check=False)
        seen = seen_lines(out)
    total = covered = 0
    for path in sorted(glob.glob(os.path.join(GUEST, "agent", "*.py"))):
        name, wanted = os.path.basename(path), code_lines(path)
        missed = sorted(wanted - seen.get(name, set()))
        total, covered = total + len(wanted), covered + len(wanted) - len(missed)
        print(f"{name:20} {100 * (len(wanted) - len(missed)) / max(1, len(wanted)):5.1f} %  missed {missed[:20]}")
    print(f"all: {100 * covered / total:.1f} % of {total} lines")


if __name__ == "__main__":
    main()
