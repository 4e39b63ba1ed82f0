"""Runs the program in its realm."""

from _io import BufferedRandom, BufferedWriter, TextIOWrapper
from sys import modules

from .driver import Driver
from .program import compile_program, is_coroutine, prepare, take_result
from .watch import Watch
from .wire import MODEL

WRITERS = (TextIOWrapper, BufferedWriter, BufferedRandom)


class Runner:
    """One program, from text to result."""

    def __init__(self, calls, text, namespace):
        self._calls, self._text, self._namespace = calls, text, namespace
        self._driver, self._has_asyncio = None, False
        self.source_lines = text.splitlines()

    def run(self):
        """What the program returns; raises what it raises."""
        self._watch_imports()
        code = compile_program(self._text)
        prepare(code, self._namespace)
        result = eval(code, self._namespace)
        if is_coroutine(code):
            self._driver = Driver(self._calls, result)
            self._driver.has_asyncio = self._has_asyncio
            self._driver.run()
        return take_result(self._namespace)

    def flush_files(self):
        """Writes what the program left in files that are still open at top level."""
        for value in list(self._namespace.values()):
            if type(value) in WRITERS:
                try:
                    value.flush()
                except BaseException:
                    pass

    def _watch_imports(self):
        watched = {"asyncio": self._asyncio_imported, "linecache": self._linecache_imported}
        for name, imported in list(watched.items()):
            if name in modules:
                imported()
                del watched[name]
        if watched:
            Watch(watched)

    def _asyncio_imported(self):
        self._calls.loops.learn()
        self._has_asyncio = True
        if self._driver is not None:
            self._driver.asyncio_imported()

    def _linecache_imported(self):
        lines = self._text.splitlines(True)
        modules["linecache"].cache[MODEL] = (len(self._text), None, lines, MODEL)
