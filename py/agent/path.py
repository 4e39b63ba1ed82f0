"""Where in a value something is wrong: `$.rows[3].when`."""

from .text import quoted

LONGEST_PATH = 40
LONGEST_KEY = 100


def path_of(steps):
    """The path of keys and indexes from the root, its middle left out when it is long."""
    if len(steps) > LONGEST_PATH:
        half = LONGEST_PATH // 2
        return f"${_join(steps[:half])} ... {_join(steps[-half:])}"
    return f"${_join(steps)}"


def _join(steps):
    return "".join(map(_step, steps))


def _step(step):
    if type(step) is int:
        return f"[{step}]"
    key = step[:LONGEST_KEY]
    if key.isidentifier():
        return f".{key}"
    return f"[{quoted(key).decode('utf-8', 'replace')}]"
