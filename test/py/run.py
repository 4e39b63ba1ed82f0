"""Runs the suite under every CPython >= 3.10 that it finds: `python3 test/py/run.py [--cover] [pattern]`.

With `--list`, only tells what it finds: a line of version and path for each.

With `--cover`, one that can watch lines (3.12 or newer) measures coverage as well, and fails below the bound.
"""

import glob
import os
import re
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor

HERE = os.path.dirname(os.path.abspath(__file__))
AT_ONCE = 2
OLDEST, OLDEST_TO_COVER = (3, 10), (3, 12)
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


def covering(found):
    """The executable that measures coverage: the oldest that can, or none."""
    able = {version: found[version] for version in found if numbers_of(version) >= OLDEST_TO_COVER}
    return able[min(able, key=numbers_of)] if able else None


def numbers_of(version):
    """3.12.1 as numbers."""
    return tuple(map(int, version.split(".")))


def test(executable, script, arguments):
    """The counts of one interpreter, what it printed and what it said on the way."""
    command = [executable, "-B", os.path.join(HERE, script), *arguments]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    counts = re.findall(r"^(\d+) passed, (\d+) failed, (\d+) skipped$", done.stdout, re.MULTILINE)
    return list(map(int, counts[-1])) if counts else [0, 1, 0], done.stdout, done.stderr


def main():
    """Prints a line for each interpreter and a last one for all."""
    totals = [0, 0, 0]
    arguments = [argument for argument in sys.argv[1:] if argument != "--cover"]
    found = interpreters()
    if "--list" in sys.argv:
        print(*(f"{version} {found[version]}" for version in found), sep="\n")
        return 0
    covered_by = covering(found) if "--cover" in sys.argv else None
    if "--cover" in sys.argv and covered_by is None:
        print("coverage of py/: skipped, there is no CPython 3.12 or newer")
        totals[2] += 1

    def run(executable):
        return test(executable, "cover.py" if executable == covered_by else "suite.py", arguments)

    with ThreadPoolExecutor(AT_ONCE) as pool:
        for version, (numbers, printed, said) in zip(found, pool.map(run, found.values())):
            for line in printed.splitlines()[:-1]:
                print(line)
            if numbers[1]:
                print(said[-20000:])
            print("{:8} {} passed, {} failed, {} skipped ({})".format(version, *numbers, found[version]), flush=True)
            totals = [total + number for total, number in zip(totals, numbers)]
    print("{} passed, {} failed, {} skipped".format(*totals))
    return 1 if totals[1] or not totals[0] else 0


if __name__ == "__main__":
    sys.exit(main())
