"""Corners of the guest that few programs reach."""

import os
import sys
import unittest
from textwrap import dedent

from harness import Host, above, run

TOOLS = {"echo": lambda args: args}


def value(program, bindings=None, **options):
    """The completion of a program."""
    return run(dedent(program), bindings or TOOLS, **options).value


class Streams(unittest.TestCase):
    def test_they_have_what_real_ones_have(self):
        self.assertEqual(
            value(
                """
                import sys
                out, raw = sys.stdout, sys.stdout.buffer
                sys.stderr.reconfigure(encoding="latin-1")
                return [out.writable(), out.fileno(), repr(out), raw.writable(), raw.fileno(), raw.raw is raw, raw.mode, sys.stderr.fileno()]
                """
            ),
            [True, 1, "<TextStream name='<stdout>' mode='w' encoding='utf-8'>", True, 1, True, "wb", 2],
        )

    def test_what_is_no_text_is_refused_and_a_subclass_is_text(self):
        program = """
            import sys
            class Text(str):
                def __str__(self): return "wrong"
            sys.stdout.write(Text("right\\n"))
            sys.stdout.buffer.write("é\\n".encode())
            sys.stdout.buffer.flush()
            try: sys.stdout.write(b"x")
            except TypeError as error: return str(error)
        """
        result = run(dedent(program))
        self.assertEqual((result.value, result.logs), ("write() argument must be str, not bytes", ["right", "é"]))

    def test_an_original_stream_that_the_program_closed_holds_nothing_up(self):
        self.assertEqual(value("import sys\nsys.__stdout__.close()\nreturn 1"), 1)


class Namespaces(unittest.TestCase):
    def test_they_behave_like_a_read_only_mapping(self):
        self.assertEqual(
            value(
                """
                refused = []
                for act in (lambda: setattr(tools, "x", 1), lambda: delattr(tools, "echo"), lambda: tools.__setitem__("x", 1)):
                    try: act()
                    except AttributeError as error: refused.append(str(error))
                return [list(tools), len(tools), dir(tools), repr(tools), "echo" in tools, "x" in tools, type(tools).__name__, refused]
                """
            ),
            [["echo"], 1, ["echo"], "<namespace tools: echo>", True, False, "Namespace", ["tools is read-only"] * 3],
        )


class Loops(unittest.TestCase):
    def test_the_main_task_can_be_cancelled_and_go_on(self):
        self.assertEqual(
            value(
                """
                import asyncio
                task = asyncio.current_task()
                asyncio.get_running_loop().call_soon(task.cancel)
                try: await asyncio.sleep(60)
                except asyncio.CancelledError: caught = True
                return [caught, (await tools.echo(n=1))["n"], task.get_coro().__name__, task.get_coro().cr_running]
                """
            ),
            [True, 1, "program", True],
        )

    def test_a_call_from_another_thread_needs_a_loop_there(self):
        program = """
            import threading
            said = []
            def work():
                call = tools.echo()
                try: call.send(None)
                except RuntimeError as error: said.append(str(error))
            thread = threading.Thread(target=work)
            thread.start()
            thread.join()
            return said
        """
        self.assertEqual(value(program), ["await tools.echo(...) needs a running event loop in this thread"])

    def test_a_reply_to_a_loop_that_was_closed_is_dropped(self):
        program = """
            import asyncio
            async def leave():
                asyncio.ensure_future(tools.echo())
                await asyncio.sleep(0)
            import threading
            thread = threading.Thread(target=lambda: asyncio.run(leave()))
            thread.start()
            thread.join()
            return (await tools.echo(n=2))["n"]
        """
        self.assertEqual(value(program), 2)


class Diagnostics(unittest.TestCase):
    def message(self, program):
        return run(dedent(program), TOOLS).message

    def test_classes_that_hide_their_names_and_notes(self):
        program = """
            class Meta(type):
                def __getattribute__(cls, name): return 5 if name == "__qualname__" else type.__getattribute__(cls, name)
            class E(Exception, metaclass=Meta): pass
            raise E("x")
        """
        self.assertIn("<unknown>: x", self.message(program))
        self.assertIn("ValueError: x", self.message("error = ValueError('x')\nerror.__notes__ = 5\nraise error"))

    def test_a_type_without_a_module(self):
        self.assertIn("unsupported type (T)", self.message("T = type('T', (), {})\nT.__module__ = 5\nreturn T()"))

    def test_the_program_waits_for_what_needs_a_loop(self):
        program = "class Wait:\n  def __await__(self): yield self\nawait Wait()"
        self.assertIn("needs asyncio (Wait)", self.message(program))

    def test_an_exception_while_waiting_for_a_reply(self):
        program = """
            import signal
            def ring(*_): raise TimeoutError("rang")
            signal.signal(signal.SIGALRM, ring)
            signal.setitimer(signal.ITIMER_REAL, 0.2)
            await tools.never()
        """
        host = Host({"never": None})
        host.answers = False
        self.assertIn("TimeoutError: rang", host.run(dedent(program)).message)


@unittest.skipUnless(sys.platform == "linux", "Linux only")
class Descriptors(unittest.TestCase):
    def test_a_lifeline_that_holds_changes_nothing(self):
        kept, given = map(above, os.pipe())
        host = Host(preexec=lambda: os.dup2(kept, 4))
        os.close(kept)
        self.assertEqual(host.run("return 1").value, 1)
        os.close(given)

    def test_a_file_in_the_place_of_the_lifeline_is_left_alone(self):
        file = above(os.open("/dev/null", os.O_RDONLY))
        host = Host(preexec=lambda: os.dup2(file, 4))
        os.close(file)
        self.assertEqual(host.run("import os\nreturn os.get_inheritable(4)").value, True)


if __name__ == "__main__":
    unittest.main()
