"""CPU time, address space, core dumps; what a program does against them."""

import os
import resource
import signal
import sys
import unittest
from textwrap import dedent

from harness import Host, run

SPIN = "\nimport time\nwhile time.process_time() < 1.05: pass\nreturn 'escaped'"


class Applied(unittest.TestCase):
    LIMITS = "import resource\nreturn [list(resource.getrlimit(which)) for which in (resource.RLIMIT_CPU, resource.RLIMIT_AS, resource.RLIMIT_CORE)]"

    def test_as_asked(self):
        cpu, space, core = run(self.LIMITS, cpuSeconds=42, addressSpaceBytes=400 << 20).value
        self.assertEqual((cpu, core), ([42, 43], [0, 0]))
        if sys.platform != "darwin":
            self.assertEqual(space, [400 << 20, 400 << 20])

    def test_within_what_was_inherited(self):
        def soft():
            resource.setrlimit(resource.RLIMIT_CPU, (5, resource.getrlimit(resource.RLIMIT_CPU)[1]))

        self.assertEqual(run(self.LIMITS, cpuSeconds=30, preexec=soft).value[0], [5, 31])

        def hard():
            resource.setrlimit(resource.RLIMIT_CPU, (9, 9))

        self.assertEqual(run(self.LIMITS, cpuSeconds=30, preexec=hard).value[0], [8, 9])

    def test_a_huge_number_of_seconds(self):
        soft, hard = run(self.LIMITS, cpuSeconds=2**53 - 2).value[0]
        self.assertEqual(hard, soft + 1)
        self.assertGreater(soft, 10**9)

    @unittest.skipIf(sys.platform == "darwin", "not applied there")
    def test_budgets_against_the_granted_space(self):
        def small():
            resource.setrlimit(resource.RLIMIT_AS, (128 << 20, 128 << 20))

        result = run("return 1", maxLogBytes=32 << 20, addressSpaceBytes=512 << 20, preexec=small)
        self.assertEqual((result.kind, result.acked), ("exception", False))
        self.assertIn("too large for the inherited", result.message)
        self.assertEqual(run("return 1", addressSpaceBytes=512 << 20, preexec=small, maxValueBytes=65536).value, 1)

    def test_a_limit_that_cannot_be_applied(self):
        result = run("return 1", addressSpaceBytes=2**70)
        self.assertEqual((result.kind, result.acked), ("exception", False))
        self.assertIn("could not be applied", result.message)

    @unittest.skipUnless(os.path.exists("/proc/self/statm"), "needs /proc")
    def test_little_is_mapped(self):
        program = dedent(
            """
            import resource
            def mapped():
                with open('/proc/self/statm') as file: return int(file.read().split()[0]) * resource.getpagesize()
            before = mapped()
            await tools.echo()
            return [before, mapped() - before]
            """
        )
        before, growth = run(program, {"echo": lambda args: args}, addressSpaceBytes=256 << 20).value
        self.assertLess(before, 48 << 20)
        self.assertLess(growth, 8 << 20)

    def test_no_thread_of_ours(self):
        self.assertEqual(run("import threading, os\nreturn [threading.active_count(), len(os.listdir('/proc/self/task'))]").value, [1, 1])


class CpuTime(unittest.TestCase):
    def killed(self, program):
        result = run(dedent(program), cpuSeconds=1)
        self.assertIsNone(result.done)
        self.assertEqual(result.code, -signal.SIGXCPU)

    def test_a_spin(self):
        self.killed("while True: pass")

    def test_a_trap(self):
        self.killed("import signal\nsignal.signal(signal.SIGXCPU, lambda *_: None)" + SPIN)

    def test_an_ignored_signal(self):
        self.killed("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)" + SPIN)

    def test_a_masked_signal(self):
        self.killed("import signal\nsignal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXCPU})" + SPIN)

    def test_a_trap_with_everything_replaced(self):
        self.killed(
            "import signal, resource, os, time\nsignal.signal(signal.SIGXCPU, lambda *_: None)\nspin = time.process_time\n"
            "for module in (signal, resource, os):\n  for name in dir(module):\n    try: setattr(module, name, None)\n    except Exception: pass\n"
            "while spin() < 1.05: pass\nreturn 'escaped'"
        )

    def test_an_exception_after_the_time(self):
        self.killed("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)" + SPIN.replace("return 'escaped'", "raise ValueError"))

    def test_ignoring_it_and_spinning_on(self):
        result = run("import signal\nsignal.signal(signal.SIGXCPU, signal.SIG_IGN)\nwhile True: pass", cpuSeconds=1)
        self.assertEqual((result.done, result.code), (None, -signal.SIGKILL))

    def test_inherited_disposition_and_mask_are_reset(self):
        def spoil():
            signal.signal(signal.SIGXCPU, signal.SIG_IGN)
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGXCPU})

        result = Host(preexec=spoil, cpuSeconds=1).run("while True: pass")
        self.assertEqual((result.done, result.code), (None, -signal.SIGXCPU))

    def test_reaped_children_count(self):
        self.killed(
            "import subprocess, sys\nfor _ in range(4):\n  subprocess.run([sys.executable, '-I', '-S', '-c', 'import time\\nwhile time.process_time() < 0.4: pass'])\nreturn 'escaped'"
        )

    def test_waiting_is_free(self):
        self.assertEqual(run("import time\ntime.sleep(1.2)\nreturn 1", cpuSeconds=1).value, 1)


if __name__ == "__main__":
    unittest.main()
