"""The guest's codec beside the standard library's json: `python3 -I -B bench/python-codec.py PY_FOLDER ROUNDS` prints JSON."""

import json
import statistics
import sys
import time

sys.path.insert(0, sys.argv[1])
from agent.decode import decode  # noqa: E402
from agent.lossless import encode  # noqa: E402


def nested(levels):
    """A list within a list."""
    value = []
    for _ in range(levels):
        value = [value]
    return value


VALUES = {
    "1e6 integers": list(range(10**6)),
    "1e6 floats": [number / 7 + 1 for number in range(10**6)],
    "50k rows": [{"id": i, "name": f"row {i}", "score": i / 7, "tags": ["a", "b"]} for i in range(50_000)],
    "200k-key object": {f"key{i}": i for i in range(200_000)},
    "16 MB string": "x" * 16_000_000,
    "100k levels": nested(100_000),
}


def json_encode(value):
    """As json writes compact UTF-8."""
    return json.dumps(value, ensure_ascii=False, allow_nan=False, separators=(",", ":")).encode()


def milliseconds(task, argument):
    """How long one call takes; None where it refuses."""
    started = time.perf_counter()
    try:
        task(argument)
    except RecursionError:
        return None
    return (time.perf_counter() - started) * 1000


def medians(tasks, argument, rounds):
    """The median of each task, their calls in turns; the first turn does not count."""
    turns = [[milliseconds(task, argument) for task in tasks] for _ in range(rounds + 1)][1:]
    return [None if None in column else statistics.median(column) for column in zip(*turns)]


def main():
    """A row for each value and direction."""
    rounds = int(sys.argv[2])
    rows = []
    for name, value in VALUES.items():
        data = encode(value)
        for what, tasks, argument in (("encode", (encode, json_encode), value), ("decode", (decode, json.loads), data)):
            ms, floor_ms = medians(tasks, argument, rounds)
            rows.append({"what": what, "name": name, "ms": ms, "floorMs": floor_ms})
    print(json.dumps(rows))


if __name__ == "__main__":
    main()
