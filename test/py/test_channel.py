"""The channel: any chunking, foreign bytes on it, and the ways to start the guest."""

import json
import os
import subprocess
import sys
import tempfile
import unittest
from textwrap import dedent

import harness
from harness import Host, run

DIRECTORY = os.path.join(harness.ROOT, "py")
BINDINGS = {"echo": lambda args: args}


class Chunking(unittest.TestCase):
    def test_frames_byte_by_byte(self):
        host = Host(BINDINGS)
        whole = host.send

        def bytewise(frame):
            data = frame if isinstance(frame, bytes) else harness.encode(frame)
            for byte in data:
                whole(bytes([byte]))

        host.send = bytewise
        result = host.run("return [await tools.echo({'é': 'x' * 300}) for _ in range(3)]")
        self.assertEqual(result.value, [{"é": "x" * 300}] * 3)

    def test_boot_and_run_in_one_write(self):
        host = Host(BINDINGS)
        host.result.acked = True
        host.send(harness.encode(host.boot) + harness.encode({"type": "run", "program": "return await tools.echo(5)"}))
        host.boot = {"type": "noise"}
        self.assertEqual(host.run("unused").value, 5)

    def test_many_replies_in_one_write(self):
        host = Host(BINDINGS)
        held = []

        def answer(frame):
            held.append(harness.encode({"type": "reply", "id": frame["id"], "ok": True, "value": frame["args"]}))
            if len(held) == 500:
                host.send(b"".join(reversed(held)))

        host.answer = answer
        result = host.run("import asyncio\nreturn sum(await asyncio.gather(*[tools.echo(i) for i in range(500)]))")
        self.assertEqual(result.value, 124750)

    def test_noise_from_the_host_is_ignored(self):
        host = Host(BINDINGS)

        def answer(frame):
            for noise in (b"", b"{", b"null", b"[1]", b'"x"', b'{"type":"reply"}', b'{"type":"reply","id":"0","ok":true,"value":1}', b'{"type":"call","id":0}', b"\xff"):
                host.send(noise + b"\n")
            host.send({"type": "reply", "id": frame["id"], "ok": True, "value": 1})

        host.answer = answer
        self.assertEqual(host.run("return [await tools.echo(), await tools.echo()]").value, [1, 1])

    def test_the_program_may_write_to_the_channel(self):
        result = run(
            dedent(
                """
                import os
                os.write(3, b'junk\\n')
                for _ in range(3): os.write(3, b'A' * (1 << 20))
                os.write(3, b'\\n')
                return await tools.echo(7)
                """
            ),
            BINDINGS,
        )
        self.assertEqual(result.value, 7)
        self.assertIn(b"junk", result.frames)

    def test_frames_have_exactly_their_fields(self):
        result = run("print('a', flush=True)\nprint('b', end='', flush=True)\nawait tools.echo(1)\nreturn 2", BINDINGS)
        shapes = [(frame["type"], sorted(frame)) for frame in result.frames]
        self.assertEqual(shapes[0], ("boot-ack", ["type"]))
        self.assertIn(("log", ["open", "stream", "text", "type"]), shapes)
        self.assertIn(("log", ["stream", "text", "type"]), shapes)
        self.assertIn(("call", ["args", "global", "id", "name", "type"]), shapes)
        self.assertEqual(shapes[-1], ("done", ["type", "value"]))
        self.assertEqual(sorted(run("1/0").error or ()), ["kind", "message"])


class Declaration(unittest.TestCase):
    def test_dumped_by_an_isolated_interpreter(self):
        code = "import json, sys; sys.path.insert(0, sys.argv[1]); from agent import wire; print(json.dumps([wire.FD, wire.FRAMES, wire.NAMESPACE, [wire.truncation_marker(n) for n in (1, 65536, 1048576)]]))"
        out = subprocess.run([sys.executable, "-I", "-B", "-c", code, DIRECTORY], capture_output=True, text=True, check=True).stdout
        number, frames, namespace, markers = json.loads(out)
        self.assertEqual((number, sorted(frames)), (3, ["boot", "boot-ack", "call", "done", "log", "reply", "run"]))
        self.assertEqual(sorted(namespace["required"]), ["global", "names"])
        self.assertEqual(markers[0], "[code-runtime] log capture truncated at 1 bytes")

    def test_no_bytecode_is_left(self):
        run("return 1")
        self.assertEqual([name for _, names, _ in os.walk(DIRECTORY) for name in names if name == "__pycache__"], [])


class Starts(unittest.TestCase):
    PROGRAM = "import sys\nprint(await tools.echo('x'))\nreturn [sys.path == [p for p in sys.path if 'guest' not in p], [n for n in sys.modules if n.startswith('agent')], sys.argv[0] == sys.orig_argv[-1]]"

    def check(self, path):
        previous, harness.GUEST = harness.GUEST, path
        try:
            result = run(self.PROGRAM, BINDINGS)
            self.assertEqual((result.value[1:], result.logs), ([[], True], ["x"]))
            self.assertIn("ZeroDivisionError", run("1 / 0").message)
            message = run("import traceback\ntry:\n  await tools.nothing()\nexcept AttributeError:\n  print(traceback.format_exc())", BINDINGS).logs
            self.assertNotIn(os.path.dirname(path), "\n".join(message))
        finally:
            harness.GUEST = previous

    def test_a_directory(self):
        self.check(DIRECTORY)

    def test_a_zip_and_a_bundle(self):
        with tempfile.TemporaryDirectory() as folder:
            packed, bundle = os.path.join(folder, "guest.pyz"), os.path.join(folder, "guest.pyc")
            subprocess.run([sys.executable, "-m", "zipapp", DIRECTORY, "-o", packed], check=True)
            self.check(packed)
            subprocess.run([sys.executable, "-I", "-B", os.path.join(DIRECTORY, "bundle.py"), bundle], check=True)
            self.check(bundle)


class Names(unittest.TestCase):
    def test_nearest_first(self):
        from agent.nearest import distance, listed

        self.assertEqual(distance("kitten", "sitting"), 3)
        self.assertEqual(listed("weathr", ["alpha", "whether", "weather"]), "weather, whether, alpha")
        self.assertEqual(listed("x", []), "no members")
        self.assertTrue(listed("m7", [f"member{i}" for i in range(1000)]).endswith(" and 980 more"))


if __name__ == "__main__":
    unittest.main()
