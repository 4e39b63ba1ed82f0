"""Compiles the guest for this interpreter into one file: `python3 -I -B py/bundle.py OUT.pyc`."""

import os
import sys
from importlib.util import MAGIC_NUMBER
from marshal import dumps

HERE = os.path.dirname(os.path.abspath(__file__))
LABEL = "<code-runtime>"


def read(*parts):
    """The text of a file of the guest."""
    with open(os.path.join(HERE, *parts), encoding="utf-8") as file:
        return file.read()


def compiled(text, name):
    """The code of a module, without docstrings."""
    return compile(text, f"{LABEL}/{name}", "exec", dont_inherit=True, optimize=2)


def bundle():
    """The bytes of the file."""
    codes = {"agent": dumps(compiled(read("agent", "__init__.py"), "__init__.py"))}
    for name in sorted(os.listdir(os.path.join(HERE, "agent"))):
        stem, extension = os.path.splitext(name)
        if extension == ".py" and stem != "__init__":
            codes[f"agent.{stem}"] = dumps(compiled(read("agent", name), name))
    entry = compiled(f"CODES = {codes!r}\n{read('__main__.py')}", "__main__.py")
    return MAGIC_NUMBER + bytes(12) + dumps(entry)


if __name__ == "__main__":
    with open(sys.argv[1], "wb") as out:
        out.write(bundle())
