"""Processes of the program: forks, spawned workers, subprocesses."""

import unittest
from textwrap import dedent
from time import monotonic

from harness import run

BINDINGS = {"echo": lambda args: args}


def execute(program, **options):
    """Runs a program with the usual binding."""
    return run(dedent(program), BINDINGS, **options)


class Forks(unittest.TestCase):
    def test_a_fork_that_runs_on_does_not_answer(self):
        for rest in ("return 'end'", "raise ValueError('end')", "await tools.echo()\nreturn 'end'"):
            program = "import os\npid = os.fork()\nprint('child' if pid == 0 else 'parent')\nif pid: os.waitpid(pid, 0)\n" + rest
            with self.subTest(rest):
                result = execute(program)
                self.assertEqual(len([frame for frame in result.frames if frame["type"] == "done"]), 1)
                self.assertEqual(result.logs, ["parent"])
                self.assertIn("child", result.raw_lines)
                self.assertLessEqual(len(result.calls), 1)

    def test_a_fork_after_asyncio(self):
        result = execute(
            """
            import asyncio, os
            await asyncio.sleep(0)
            pid = os.fork()
            if pid:
                os.waitpid(pid, 0)
                return await tools.echo('parent')
            try:
                await tools.echo('child')
            except RuntimeError as error:
                print(error)
            """
        )
        self.assertEqual(result.value, "parent")
        self.assertEqual([call["args"] for call in result.calls], ["parent"])
        self.assertIn("tools.echo(...) cannot be called from a forked process", result.raw_lines)

    def test_unflushed_text_is_not_doubled(self):
        result = execute("import os\nfor _ in range(1100): print('x', end='')\npid = os.fork()\nif pid == 0:\n  print('c', end='')\nelse:\n  os.waitpid(pid, 0)")
        self.assertEqual((result.logs, result.raw_lines), (["x" * 1100], ["c"]))

    def test_a_fork_has_no_channel(self):
        result = execute("import os\npid = os.fork()\nif pid == 0:\n  try:\n    os.write(3, b'x')\n  except OSError:\n    os._exit(7)\n  os._exit(0)\nreturn os.waitpid(pid, 0)[1] >> 8")
        self.assertEqual(result.value, 7)

    def test_a_subprocess_has_no_way_to_the_host(self):
        program = """
        import subprocess, sys
        code = 'import os, stat\\nfor n in range(3, 20):\\n  try:\\n    if stat.S_ISSOCK(os.fstat(n).st_mode): print(n)\\n  except OSError: pass'
        return [subprocess.run([sys.executable, '-I', '-c', code], capture_output=True, text=True, close_fds=close).stdout for close in (True, False)]
        """
        self.assertEqual(execute(program).value, ["", ""])


class Workers(unittest.TestCase):
    PROGRAM = """
    import multiprocessing, os, concurrent.futures, re
    OFFSET = 10
    WORDS = re.compile('w')
    class Shift:
        def __init__(self, by): self.by = by
        def __call__(self, x): return x + self.by
    def work(x):
        print('working')
        return x * x + OFFSET
    context = multiprocessing.get_context('{method}')
    with context.Pool(2) as pool:
        first = pool.map(work, range(4))
        second = pool.map(Shift(5), range(2))
    with concurrent.futures.ProcessPoolExecutor(2, mp_context=context) as pool:
        third = list(pool.map(work, range(3)))
    return [first, second, third, os.getppid() > 0]
    """

    def test_pools(self):
        for method in ("fork", "spawn", "forkserver"):
            with self.subTest(method):
                result = execute(self.PROGRAM.replace("{method}", method))
                self.assertEqual(result.value, [[10, 11, 14, 19], [5, 6], [10, 11, 14], True])
                self.assertEqual(b"".join(result.raw.values()).count(b"working"), 7)
                self.assertEqual(len([frame for frame in result.frames if frame["type"] == "done"]), 1)

    def test_a_guarded_script(self):
        for method in ("fork", "spawn"):
            result = execute(
                f"""
                import asyncio, multiprocessing
                multiprocessing.set_start_method({method!r})
                answer = await tools.echo(3)
                def work(queue, x): queue.put(x + 1)
                if __name__ == '__main__':
                    queue = multiprocessing.Queue()
                    process = multiprocessing.Process(target=work, args=(queue, answer))
                    process.start()
                    value = queue.get()
                    process.join()
                return [value, process.exitcode]
                """
            )
            self.assertEqual(result.value, [4, 0])

    def test_the_main_module_shows_no_file_of_ours(self):
        result = execute("import __main__\nreturn [repr(__main__), repr(__main__.__spec__.name), __main__.__file__, str(__main__.__loader__)]")
        self.assertEqual(result.value, ["<module '__main__'>", "'__main__'", "<model>", "None"])


class HostGone(unittest.TestCase):
    def test_every_way_of_waiting_ends(self):
        from harness import Host

        for program in (
            "await tools.silent()",
            "import asyncio\nawait asyncio.sleep(1000)",
            "import asyncio\nawait tools.silent()",
            "import asyncio\nasync def main(): await tools.silent()\nasyncio.run(main())",
            "while True: print('x', flush=True)",
            "import threading, asyncio\nt = threading.Thread(target=lambda: asyncio.run(tools.silent()))\nt.start()\nt.join()",
        ):
            with self.subTest(program):
                host = Host({"silent": None}, maxLogBytes=64 << 20, addressSpaceBytes=4096 << 20)
                host.answers = False
                host.run("print('started')\n" + program, until=lambda host: host.result.logs or host.result.calls)
                host.socket.close()
                self.assertEqual(host.process.wait(20), 70)
                host.close()

    @unittest.skipUnless(__import__("sys").platform == "linux", "Linux only")
    def test_the_lifeline_ends_a_spin_with_its_children(self):
        import os

        from harness import Host, above

        kept, given = map(above, os.pipe())
        host = Host(preexec=lambda: os.dup2(kept, 4))
        os.close(kept)
        program = "import subprocess\nchild = subprocess.Popen(['/bin/sleep', '100'])\nprint(child.pid)\nwhile True: pass"
        host.run(program, until=lambda host: host.result.logs)
        os.close(given)
        self.assertEqual(host.process.wait(20), -9)
        self.assertEqual([stream.read() for stream in host.streams], [b"", b""])
        host.close()

    def test_before_the_program(self):
        from harness import Host

        host = Host()
        host.socket.close()
        self.assertEqual(host.process.wait(20), 70)
        host.close()


def mapped_by(pid):
    """What a process has mapped."""
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps:
        return maps.read()


class Adoption(unittest.TestCase):
    def check(self, program, value):
        result = execute(program)
        self.assertEqual(result.done and result.done.get("value"), value, result.done)
        self.assertEqual(result.logs, [])

    def test_the_loop_is_there_at_once(self):
        self.check(
            """
            import asyncio
            loop, task = asyncio.get_running_loop(), asyncio.current_task()
            order = []
            async def note(x): order.append(x)
            other = asyncio.create_task(note('task'))
            loop.call_soon(order.append, 'soon')
            await asyncio.sleep(0)
            await other
            return [order, asyncio.current_task() is task, asyncio.get_running_loop() is loop, asyncio.get_event_loop() is loop, loop.is_running(), task in asyncio.all_tasks()]
            """,
            [["task", "soon"], True, True, True, True, True],
        )

    def test_after_a_first_await(self):
        self.check("first = await tools.echo(1)\nimport asyncio\nreturn [first] + await asyncio.gather(tools.echo(2), tools.echo(3))", [1, 2, 3])

    def test_inside_a_function_and_a_library(self):
        self.check("async def f():\n  import asyncio\n  return await asyncio.gather(tools.echo(1), asyncio.sleep(0, 2))\nreturn await f()", [1, 2])
        self.check("await tools.echo()\nimport asyncio.queues\nq = asyncio.queues.Queue()\nq.put_nowait(5)\nreturn await q.get()", 5)

    def test_context_variables(self):
        self.check(
            """
            import contextvars
            var = contextvars.ContextVar('var', default=0)
            var.set(1)
            await tools.echo()
            import asyncio
            first = var.get()
            var.set(2)
            async def child(): return var.get()
            found = await asyncio.create_task(child())
            await asyncio.sleep(0)
            var.set(var.get() + 1)
            await asyncio.sleep(0)
            return [first, found, var.get()]
            """,
            [1, 2, 3],
        )

    def test_cancellation_in_the_first_step(self):
        self.check(
            """
            import asyncio
            asyncio.current_task().cancel()
            try:
                await asyncio.sleep(10)
            except asyncio.CancelledError:
                seen = 'cancelled'
            await asyncio.sleep(0)
            return seen
            """,
            "cancelled",
        )

    def test_timeouts(self):
        self.check("import asyncio\ntry:\n  await asyncio.wait_for(asyncio.sleep(10), 0.01)\nexcept asyncio.TimeoutError:\n  return 'timeout'", "timeout")

    @unittest.skipUnless(hasattr(__import__("asyncio"), "timeout"), "of 3.11")
    def test_task_groups_and_timeouts_in_the_first_step(self):
        self.check(
            """
            import asyncio
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(tools.echo(i)) for i in range(3)]
            try:
                async with asyncio.timeout(0.01):
                    await asyncio.sleep(10)
            except TimeoutError:
                return [task.result() for task in tasks]
            """,
            [0, 1, 2],
        )

    def test_subprocesses_and_threads(self):
        self.check(
            """
            import asyncio, sys
            process = await asyncio.create_subprocess_exec(sys.executable, '-c', 'print(6)', stdout=asyncio.subprocess.PIPE)
            out, _ = await process.communicate()
            return [out.decode(), process.returncode, await asyncio.to_thread(lambda: 7)]
            """,
            ["6\n", 0, 7],
        )

    def test_yielding_and_foreign_awaitables_without_asyncio(self):
        self.check(
            """
            import types
            @types.coroutine
            def pause():
                yield
            @types.coroutine
            def foreign():
                yield 5
            await pause()
            try:
                await foreign()
            except RuntimeError as error:
                return 'import asyncio' in str(error)
            """,
            True,
        )

    def test_a_signal_handler_that_raises_reaches_the_await(self):
        from harness import Host

        for first in ("", "import asyncio\n", "import asyncio\nawait asyncio.sleep(0)\n"):
            for name in ("TimeoutError", "KeyboardInterrupt"):
                with self.subTest(first + name):
                    host = Host({"silent": None, "echo": None})
                    host.answer = lambda frame, host=host: frame["name"] == "echo" and host.send(
                        {"type": "reply", "id": frame["id"], "ok": True, "value": 5}
                    )
                    program = f"""
                    import signal
                    def handler(*_): raise {name}('alarm')
                    signal.signal(signal.SIGALRM, handler)
                    signal.setitimer(signal.ITIMER_REAL, 0.05)
                    try:
                        await tools.silent()
                    except {name} as error:
                        return [str(error), await tools.echo()]
                    """
                    self.assertEqual(host.run(first + dedent(program)).value, ["alarm", 5])

    def test_a_guest_that_waited_has_asyncio(self):
        from harness import Host

        for program, value in (
            ("import sys, asyncio\nfirst = asyncio.current_task() is not None\nreturn [first, await asyncio.gather(tools.echo(1), tools.echo(2))]", [True, [1, 2]]),
            ("import asyncio\nasync def main(): return await tools.echo(3)\nreturn asyncio.run(main())", 3),
            ("return 1", 1),
        ):
            host = Host(BINDINGS)
            deadline = monotonic() + 60
            while "_asyncio" not in mapped_by(host.process.pid):
                self.assertLess(monotonic(), deadline)
            self.assertEqual(host.run(program).value, value)

    def test_an_import_in_a_thread_first(self):
        self.check(
            """
            import threading
            def work():
                import asyncio
            thread = threading.Thread(target=work); thread.start(); thread.join()
            await tools.echo()
            import asyncio
            return await asyncio.gather(tools.echo(1), tools.echo(2))
            """,
            [1, 2],
        )


if __name__ == "__main__":
    unittest.main()
