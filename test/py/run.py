"""Runs the suite under every CPython >= 3.10 that it finds: `python3 test/py/run.py [pattern]`."""

import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
AT_ONCE = 2
OLDEST = (3, 10)
PROBE = "import sys; print(sys.implementation.name, *sys.version_info[:3], sys.executable)"


def interpreters():
    """Version to executable; the first one found of a version counts."""
    candidates = [*sorted(glob.glob(os.path.expanduser("~/.pyenv/versions/3.*/bin/python3"))), "/usr/bin/python3", sys.executable]
    found = {}
    for candidate in candidates:
        probe = subprocess.run([candidate, "-I", "-c", PROBE], capture_output=True, text=True, check=False)
        parts = probe.stdout.split()
        if len(parts) == 5 and parts[0] == "cpython" and tuple(map(int, parts[1:3])) >= OLDEST:
            found.setdefault(".".join(parts[1:4]), parts[4])
    return found


def test(executable, pattern):
    """The counts of one interpreter and what it said."""
    command = [executable, "-B", os.path.join(HERE, "suite.py"), pattern]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counts = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", done.stdout, re.MULTILINE)
    return list(map(int, counts[-1])) if counts else [0, 1, 0], done.stderr


def main():
    """Prints a line for each interpreter and a last one for all."""
    totals = [0, 0, 0]
    pattern = sys.argv[1] if len(sys.argv) > 1 else "test_*.py"
    found = interpreters()
    with ThreadPoolExecutor(AT_ONCE) as pool:
        for version, (numbers, said) in zip(found, pool.map(lambda executable: test(executable, pattern), found.values())):
            if numbers[1]:
                print(said[-20000:])
            print("{:8} {} passed, {} failed, {} skipped ({})".format(version, *numbers, found[version]), flush=True)
            totals = [total + number for total, number in zip(totals, numbers)]
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
