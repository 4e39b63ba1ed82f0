"""The keeper kills what its host has left behind, and nothing else."""

import io
import os
import signal
import subprocess
import sys
import tempfile
import unittest

import bundle
import keeper

SLEEP = ["/bin/sleep", "100"]


def start_time(pid):
    """Field 22 of /proc/PID/stat."""
    return keeper.stat_fields(pid)[19].decode()


@unittest.skipUnless(sys.platform == "linux", "Linux only")
class Keeper(unittest.TestCase):
    def setUp(self):
        self.mark = f"CODE_RUNTIME_RUN={int.from_bytes(os.urandom(7), 'big') + 10**18}"
        self.folder = tempfile.mkdtemp(prefix=keeper.FOLDER_PREFIX)
        self.children = []
        self.addCleanup(self.end)

    def end(self):
        """Leaves nothing of a test."""
        for child in self.children:
            child.kill()
            child.wait()
        keeper.remove(self.folder)

    def start(self, **options):
        """A process that sleeps, leader of a group of its own."""
        child = subprocess.Popen(SLEEP, start_new_session=True, **options)
        self.children.append(child)
        return child

    def keep(self, *lines):
        """What the keeper does with these lines, once they have ended."""
        before, sys.stdin = sys.stdin, io.StringIO("\n".join(lines))
        try:
            keeper.main()
        finally:
            sys.stdin = before

    def test_a_guest_and_its_descendants_are_killed_and_its_folder_is_removed(self):
        guest = self.start()
        name, _, number = self.mark.partition("=")
        by_environment = self.start(env={name: number})
        by_limit = self.start(env={}, preexec_fn=lambda: keeper.mark_by_limit(os.getpid(), self.mark.encode()))
        other = self.start(env={name: "1"})
        self.keep(f"+ {guest.pid} {start_time(guest.pid)} {self.mark} {self.folder}", "")
        self.assertEqual([child.wait(20) for child in (guest, by_environment, by_limit)], [-signal.SIGKILL] * 3)
        self.assertIsNone(other.poll())
        self.assertFalse(os.path.exists(self.folder))

    def test_a_guest_that_was_forgotten_lives_and_keeps_its_folder(self):
        guest = self.start()
        self.keep(f"+ {guest.pid} - {self.mark} {self.folder}", f"- {guest.pid}", f"- {guest.pid}", "")
        self.assertIsNone(guest.poll())
        self.assertTrue(os.path.exists(self.folder))

    def test_a_recycled_pid_is_spared(self):
        other = self.start()
        self.keep(f"+ {other.pid} 1 {self.mark} {self.folder}", "")
        self.assertIsNone(other.poll())

    def test_a_guest_that_is_gone_harms_nothing(self):
        guest = self.start()
        guest.kill()
        guest.wait()
        self.keep(f"+ {guest.pid} - {self.mark} {self.folder}", "")
        self.assertFalse(os.path.exists(self.folder))

    def test_lines_that_do_not_fit_are_ignored(self):
        other = self.start()
        number = "CODE_RUNTIME_RUN=1"
        self.keep("", "noise", "- x", f"* {other.pid}", f"+ {other.pid} -", f"+ {other.pid} - {number} {self.folder}", "")
        self.assertIsNone(other.poll())

    def test_a_line_that_its_host_could_not_finish_is_ignored(self):
        other = self.start()
        for cut in ("+", "- {pid}", f"+ {other.pid} - {self.mark} /"):
            guest = self.start()
            self.keep(f"+ {guest.pid} - {self.mark} {self.folder}", cut.replace("{pid}", str(guest.pid)))
            self.assertEqual((guest.wait(20), other.poll()), (-signal.SIGKILL, None))

    def test_no_other_folder_is_removed(self):
        with tempfile.TemporaryDirectory() as folder:
            keeper.remove(folder)
            self.assertTrue(os.path.exists(folder))

    def test_a_number_that_is_no_limit_is_left_out(self):
        keeper.mark_by_limit(os.getpid(), b"CODE_RUNTIME_RUN=%d" % 10**30)
        self.assertFalse(keeper.has_mark(os.getpid(), b"CODE_RUNTIME_RUN=%d" % 10**30))


class Bundle(unittest.TestCase):
    def test_it_is_the_same_each_time_and_a_pyc_of_this_interpreter(self):
        from importlib.util import MAGIC_NUMBER

        self.assertEqual(bundle.bundle(), bundle.bundle())
        self.assertEqual(bundle.bundle()[: len(MAGIC_NUMBER)], MAGIC_NUMBER)


class Spawned(unittest.TestCase):
    TEXT = (
        "import math\nfrom os import sep\nprint('never')\nX = 1\nY: int = X + 1\nasync def later(): pass\nclass A:\n  def f(self): return Y\n"
        "value = await later()\ntry: Z = 3\nfinally: pass\nbroken = 1 / 0\ndef after(): return A().f()\nreturn 5\n"
    )

    def test_a_spawned_process_has_the_definitions_and_not_the_actions(self):
        import multiprocessing  # noqa: F401  # pyright: ignore[reportUnusedImport]

        from agent.spawned import define

        path, main, streams = list(sys.path), sys.modules["__main__"], (sys.stdout, sys.stderr)
        written = [io.TextIOWrapper(io.BytesIO()) for _ in streams]
        sys.stdout, sys.stderr = written
        try:
            self.assertEqual(define(self.TEXT, path, "<model>"), "__main__")
            module = sys.modules["__main__"]
        finally:
            sys.stdout, sys.stderr = streams
            sys.modules["__main__"] = main
            sys.modules.pop("__mp_main__", None)
            sys.path[:] = path
        self.assertEqual((module.after(), module.Z, hasattr(module, "value"), hasattr(module, "broken")), (2, 3, False, False))
        self.assertEqual([stream.buffer.getvalue() for stream in written], [b"", b""])


if __name__ == "__main__":
    unittest.main()
