"""Binding calls: their form, their failures, and who is answered where."""

import sys
import unittest
from textwrap import dedent

from harness import Host, Raw, Rejected, run

ERROR_CLASS = {"name": "ToolCallError", "memberNameProperty": "tool-name"}


def reject(args):
    """A binding that fails."""
    raise Rejected("denied by host")


BINDINGS = {"echo": lambda args: args, "fail": reject, "empty": lambda args: (_ for _ in ()).throw(Rejected(""))}


def execute(program, **options):
    """Runs a program with the usual bindings."""
    return run(dedent(program), options.pop("bindings", BINDINGS), **options)


class Forms(unittest.TestCase):
    def test_arguments(self):
        result = execute(
            """
            await tools.echo()
            await tools.echo(city='Oslo', n=1)
            await tools.echo({'city': 'Oslo'})
            await tools.echo([1, None])
            await tools.echo(None)
            await tools['echo']('text')
            """
        )
        self.assertEqual([call["args"] for call in result.calls], [{}, {"city": "Oslo", "n": 1}, {"city": "Oslo"}, [1, None], None, "text"])
        self.assertEqual([call["id"] for call in result.calls], list(range(6)))
        self.assertEqual({(call["global"], call["name"]) for call in result.calls}, {("tools", "echo")})

    def test_wrong_forms_show_the_right_one(self):
        result = execute(
            """
            texts = []
            for form in (lambda: tools.echo(1, 2), lambda: tools.echo({}, a=1)):
                try:
                    await form()
                except TypeError as error:
                    texts.append(str(error))
            return texts
            """
        )
        for text in result.value:
            self.assertIn('await tools.echo({"key": value})', text)
        self.assertEqual(result.calls, [])

    def test_lossy_arguments_never_reach_the_host_and_take_no_id(self):
        result = execute(
            """
            import math
            class F(float):
                def __repr__(self): return '1'
            texts = []
            for bad in ({'x': math.nan}, {1: 2}, -0.0, F(1), {'x': math.inf}, {1, 2}, 2**53 + 1):
                try:
                    await tools.echo(bad)
                except RuntimeError as error:
                    texts.append(str(error))
            return [texts, await tools.echo({'good': 1})]
            """
        )
        texts, good = result.value
        self.assertEqual((len(texts), good), (7, {"good": 1}))
        for text, part in zip(texts, ("$.x", "non-string dict key", "negative zero", "unsupported type (F)", "$.x", "set", "exactly")):
            self.assertIn("lossless JSON", text)
            self.assertIn(part, text)
        self.assertEqual([(call["id"], call["args"]) for call in result.calls], [(0, {"good": 1})])

    def test_arguments_are_taken_at_the_call(self):
        result = execute("x = [1]\npending = tools.echo(x)\nx.append(2)\nreturn await pending")
        self.assertEqual(result.value, [1])

    def test_a_call_that_is_not_awaited_is_told(self):
        result = execute("tools.echo()\nreturn 1")
        self.assertEqual((result.value, result.calls), (1, []))
        self.assertIn("coroutine 'tools.echo' was never awaited", "\n".join(result.logs))

    def test_names_are_data(self):
        names = ["__proto__", "my-tool", "__class__", "constructor", "then", "toString", "__init__", "owner", "name", "😀", "a b"]
        result = execute(
            """
            found = [await tools[name](name) for name in tools]
            found.append(await tools.__class__('dot'))
            found.append(await tools.then('dot'))
            return found
            """,
            bindings={name: (lambda args: args) for name in names},
        )
        self.assertEqual(result.value[-2:], ["dot", "dot"])
        self.assertEqual([call["name"] for call in result.calls][:3], ["__proto__", "my-tool", "__class__"])

    def test_unknown_members(self):
        result = execute(
            """
            texts = []
            for look in (lambda: tools.ecko, lambda: tools['fial'], lambda: tools[0], lambda: tools._calls):
                try:
                    look()
                except (AttributeError, KeyError) as error:
                    texts.append(type(error).__name__ + ': ' + error.args[0])
            try:
                tools.echo = 1
            except AttributeError as error:
                texts.append(str(error))
            return texts + [hasattr(tools, 'nope'), 'echo' in tools, 'nope' in tools, len(tools), list(tools), dir(tools), tools.echo is tools.echo]
            """
        )
        self.assertIn("AttributeError: tools has no member 'ecko'; it has echo,", result.value[0])
        self.assertIn("KeyError: tools has no member 'fial'; it has fail,", result.value[1])
        self.assertIn("read-only", result.value[4])
        self.assertEqual(result.value[5:], [False, True, False, 3, ["echo", "fail", "empty"], ["echo", "empty", "fail"], True])

    def test_several_namespaces_and_an_empty_one(self):
        namespaces = [{"global": "a", "names": ["echo"]}, {"global": "b", "names": [], "errorClass": {"name": "BError", "memberNameProperty": "code"}}]
        result = execute("try:\n  b.x\nexcept AttributeError as e:\n  print(e)\nreturn [await a.echo(1), BError.__name__, issubclass(BError, Exception)]", namespaces=namespaces)
        self.assertEqual((result.value, result.logs), ([1, "BError", True], ["b has no member 'x'; it has no members"]))


class Failures(unittest.TestCase):
    def test_without_an_error_class(self):
        result = execute(
            """
            seen = []
            for name in ('fail', 'empty'):
                try:
                    await tools[name]()
                except RuntimeError as error:
                    seen.append([type(error).__name__, str(error)])
            return seen
            """
        )
        self.assertEqual(result.value, [["RuntimeError", "denied by host"], ["RuntimeError", ""]])

    def test_with_an_error_class(self):
        result = execute(
            """
            seen = []
            for form in (lambda: tools.fail(), lambda: tools.echo({1: 1})):
                try:
                    await form()
                except ToolCallError as error:
                    seen.append([type(error).__name__, str(error), error.name, error.message, getattr(error, 'tool-name')])
            return seen
            """,
            error_class=ERROR_CLASS,
        )
        first, second = result.value
        self.assertEqual(first, ["ToolCallError", "denied by host", "ToolCallError", "denied by host", "fail"])
        self.assertEqual(second[4], "echo")
        self.assertIn("lossless JSON", second[1])

    def test_the_class_in_the_program_may_be_spoiled(self):
        result = execute(
            "Kept = ToolCallError\nToolCallError.__init__ = None\nToolCallError.__setattr__ = None\nToolCallError = None\n"
            "try:\n  await tools.fail()\nexcept Kept as error:\n  return error.message",
            error_class=ERROR_CLASS,
        )
        self.assertEqual(result.value, "denied by host")

    def test_uncaught(self):
        result = execute("x = 1\nawait tools.fail()")
        self.assertEqual(result.kind, "exception")
        self.assertIn('File "<model>", line 2', result.message)
        self.assertTrue(result.message.endswith("RuntimeError: denied by host"))
        self.assertNotIn("code-runtime", result.message)
        self.assertNotIn(".py", result.message)

    def test_in_gather(self):
        result = execute(
            """
            import asyncio
            found = await asyncio.gather(tools.fail(), tools.echo(a=1), tools.echo({1: 2}), return_exceptions=True)
            return [str(each) for each in found]
            """
        )
        self.assertEqual(result.value[0:2], ["denied by host", "{'a': 1}"])
        self.assertIn("lossless", result.value[2])

    @unittest.skipUnless(sys.version_info >= (3, 11), "TaskGroup is of 3.11")
    def test_in_a_task_group(self):
        result = execute("import asyncio\nasync with asyncio.TaskGroup() as group:\n  group.create_task(tools.fail())\n  group.create_task(asyncio.sleep(30))")
        self.assertEqual(result.kind, "exception")
        self.assertIn("denied by host", result.message)
        self.assertIn("ExceptionGroup", result.message)
        self.assertNotIn("code-runtime", result.message)
        self.assertNotIn("/", result.message.replace("asyncio/", ""))


class Sizes(unittest.TestCase):
    def test_an_argument_has_no_cap(self):
        result = execute("await tools.echo({'s': 'x' * 204800})\nreturn 1", maxValueBytes=4096)
        self.assertEqual(len(result.calls[0]["args"]["s"]), 204800)

    def test_six_million_elements_within_384_mib(self):
        host = Host({"length": len}, addressSpaceBytes=384 << 20)
        self.assertEqual(host.run("return await tools.length([0] * 6_000_000)").value, 6000000)

    def test_a_reply_of_four_mib_within_512_mib(self):
        result = execute("return [len(await tools.big()) for _ in range(3)]", bindings={"big": lambda _: "é" * (2 << 20)}, addressSpaceBytes=512 << 20)
        self.assertEqual(result.value, [2 << 20] * 3)

    def test_deep_replies(self):
        for depth in (12000, 100000):
            for prelude in ("", "import sys\nsys.setrecursionlimit(10**7)\n"):
                program = prelude + "value, depth = await tools.deep(), 0\nwhile value:\n  value, depth = value[0], depth + 1\nreturn depth"
                result = execute(program, bindings={"deep": lambda _, depth=depth: Raw(b"[" * (depth + 1) + b"]" * (depth + 1))})
                self.assertEqual(result.value, depth)

    def test_deep_arguments(self):
        program = "import sys\nsys.setrecursionlimit(10**7)\nvalue = []\nfor _ in range(100000): value = [value]\ntry:\n  await tools.echo(value)\nexcept RuntimeError: pass"
        host = Host({"echo": lambda _: None})
        result = host.run(program)
        self.assertEqual(result.code, 0, result.raw)
        self.assertTrue(any(isinstance(frame, bytes) and len(frame) > 200000 for frame in result.frames) or result.calls)

    def test_a_reply_that_does_not_fit_fails_its_call_only(self):
        program = """
        try:
            await tools.big()
        except MemoryError as error:
            seen = str(error)
        return [seen, await tools.echo(1)]
        """
        result = execute(program, bindings={**BINDINGS, "big": lambda _: Raw(b"[" + b"{}," * 3_000_000 + b"0]")}, addressSpaceBytes=200 << 20, maxValueBytes=1024)
        self.assertIn("does not fit into memory", result.value[0])
        self.assertEqual(result.value[1], 1)


class Waiting(unittest.TestCase):
    def test_replies_may_overtake_each_other(self):
        host = Host({"echo": None})
        held = []

        def answer(frame):
            held.append(frame)
            if len(held) == 3:
                for call in reversed(held):
                    host.send({"type": "reply", "id": call["id"], "ok": True, "value": call["args"]})
                    host.send({"type": "reply", "id": 99, "ok": True, "value": 0})

        host.answer = answer
        result = host.run("import asyncio\nreturn await asyncio.gather(*[tools.echo(i) for i in range(3)])")
        self.assertEqual(result.value, [0, 1, 2])

    def test_an_abandoned_call_disturbs_nothing(self):
        host = Host({"slow": None, "echo": None})
        held = []

        def answer(frame):
            if frame["name"] == "slow":
                held.append(frame)
                return
            for call in [*held, frame]:
                host.send({"type": "reply", "id": call["id"], "ok": True, "value": call["args"]})
            held.clear()

        host.answer = answer
        result = host.run(
            dedent(
                """
                import asyncio
                seen = []
                try:
                    await asyncio.wait_for(tools.slow(0), 0.01)
                except asyncio.TimeoutError:
                    seen.append('timeout')
                task = asyncio.ensure_future(tools.slow(1))
                await asyncio.sleep(0)
                task.cancel()
                seen.append(await tools.echo(2))
                seen.append(await tools.echo(3))
                return seen
                """
            )
        )
        self.assertEqual(result.value, ["timeout", 2, 3])

    def test_calls_from_threads_with_loops_of_their_own(self):
        for main in (
            "thread.join()",
            "await tools.echo('main')\nthread.join()",
            "await asyncio.sleep(0.01)\nthread.join()",
            "for i in range(200): await tools.echo(i)\nthread.join()",
        ):
            program = (
                dedent(
                    """
                    import asyncio, threading
                    seen = []
                    def work():
                        for i in range(100):
                            seen.append(asyncio.run(tools.echo(i)))
                    thread = threading.Thread(target=work)
                    thread.start()
                    """
                )
                + main
                + "\nreturn seen == list(range(100))"
            )
            with self.subTest(main):
                self.assertEqual(execute(program).value, True)

    def test_threads_while_the_program_itself_has_no_loop(self):
        result = execute(
            """
            import threading
            seen = []
            def work(base):
                import asyncio
                async def many():
                    return await asyncio.gather(*[tools.echo(base + i) for i in range(50)])
                for _ in range(5):
                    seen.append(sum(asyncio.run(many())))
            threads = [threading.Thread(target=work, args=(1000 * k,)) for k in range(4)]
            for thread in threads: thread.start()
            own = [await tools.echo(i) for i in range(300)]
            for thread in threads: thread.join()
            return [sorted(set(seen)), len(seen), own == list(range(300)), await tools.echo('end')]
            """
        )
        self.assertEqual(result.value, [[1225 + 50000 * k for k in range(4)], 20, True, "end"])
        self.assertEqual([call["id"] for call in result.calls], list(range(len(result.calls))))

    def test_a_closed_loop_disturbs_nothing(self):
        host = Host({"slow": None, "echo": None})
        held = []

        def answer(frame):
            held.append(frame)
            if frame["name"] == "echo":
                for call in held:
                    host.send({"type": "reply", "id": call["id"], "ok": True, "value": 1})
                held.clear()

        host.answer = answer
        result = host.run(
            dedent(
                """
                import asyncio, threading
                kept = []
                def work():
                    loop = asyncio.new_event_loop()
                    kept.append(loop.create_task(tools.slow()))
                    loop.run_until_complete(asyncio.sleep(0.01))
                    loop.close()
                thread = threading.Thread(target=work)
                thread.start(); thread.join()
                return [await tools.echo() for _ in range(3)]
                """
            )
        )
        self.assertEqual(result.value, [1, 1, 1])

    def test_a_thread_without_a_loop_is_told(self):
        result = execute(
            """
            import threading
            seen = []
            def work():
                try:
                    tools.echo().send(None)
                except RuntimeError as error:
                    seen.append(str(error))
            thread = threading.Thread(target=work); thread.start(); thread.join()
            return seen
            """
        )
        self.assertIn("needs a running event loop", result.value[0])

    def test_a_thousand_at_once_are_written_together(self):
        result = execute("import asyncio\nreturn sum(await asyncio.gather(*[tools.echo(i) for i in range(1000)]))")
        self.assertEqual(result.value, 499500)

    def test_to_thread_and_executors(self):
        result = execute(
            """
            import asyncio, concurrent.futures
            def work(i):
                return asyncio.run(tools.echo(i))
            with concurrent.futures.ThreadPoolExecutor(4) as pool:
                first = list(pool.map(work, range(8)))
            second = await asyncio.gather(*[asyncio.to_thread(work, i) for i in range(8)])
            return first == second == list(range(8))
            """
        )
        self.assertEqual(result.value, True)


if __name__ == "__main__":
    unittest.main()
