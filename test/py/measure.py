"""Cold start: spawn to done for `return 1`, next to the interpreter alone, interleaved."""

import os
import statistics
import subprocess
import sys
import tempfile
import time

import harness

ROUNDS = int(sys.argv[1]) if len(sys.argv) > 1 else 15


def guest(path, program="return 1"):
    """Milliseconds from spawn to done."""
    harness.GUEST = path
    started = time.perf_counter()
    host = harness.Host({"echo": lambda args: args})
    host.run(program, until=lambda host: host.result.done is not None)
    elapsed = time.perf_counter() - started
    host.close()
    return elapsed * 1000


def bare(*arguments):
    """Milliseconds from spawn to exit."""
    started = time.perf_counter()
    subprocess.run([sys.executable, *arguments], check=True)
    return (time.perf_counter() - started) * 1000


def main():
    """Prints medians."""
    directory = os.path.join(harness.ROOT, "py")
    with tempfile.TemporaryDirectory() as folder:
        pyc, pyz = os.path.join(folder, "guest.pyc"), os.path.join(folder, "guest.pyz")
        subprocess.run([sys.executable, "-I", "-B", os.path.join(directory, "bundle.py"), pyc], check=True)
        subprocess.run([sys.executable, "-m", "zipapp", directory, "-o", pyz], check=True)
        asynchronous = "import asyncio\nawait asyncio.sleep(0)\nreturn await tools.echo({})"
        rows = {
            "-I -S -c pass": lambda: bare("-I", "-S", "-c", "pass"),
            "-I -c pass": lambda: bare("-I", "-c", "pass"),
            "-I -c 'import asyncio'": lambda: bare("-I", "-c", "import asyncio"),
            "guest, directory": lambda: guest(directory),
            "guest, zip": lambda: guest(pyz),
            "guest, bundle": lambda: guest(pyc),
            "guest, bundle, one call": lambda: guest(pyc, "return await tools.echo({})"),
            "guest, bundle, asyncio": lambda: guest(pyc, asynchronous),
        }
        times = {name: [] for name in rows}
        for _ in range(ROUNDS):
            for name, measure in rows.items():
                times[name].append(measure())
        for name, values in times.items():
            print(f"{sys.version.split()[0]}  {name:26} median {statistics.median(values):6.1f} ms  min {min(values):6.1f} ms")


if __name__ == "__main__":
    main()
