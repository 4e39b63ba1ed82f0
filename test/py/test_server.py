"""The fork server, its host played by the test."""

import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import time
import unittest
from collections import deque

from harness import DEADLINE_SECONDS, DEFAULTS, GUEST, encode

NONCE_CHARACTERS = 32
LINUX = sys.platform == "linux"


def stat_of(pid):
    """The state of a process, or nothing."""
    try:
        with open(f"/proc/{pid}/stat", encoding="latin-1") as file:
            return file.read().rpartition(")")[2].split()
    except OSError:
        return None


def until(holds, what):
    """Waits until something holds, and fails loudly when it does not."""
    deadline = time.monotonic() + DEADLINE_SECONDS
    while not holds():
        if time.monotonic() > deadline:
            raise AssertionError(f"it did not come to this: {what}")
        time.sleep(0.005)


class Lines:
    """Lines from a socket."""

    def __init__(self, source):
        self.source, self._buffer, self._lines = source, b"", deque()
        source.settimeout(DEADLINE_SECONDS)

    def next(self):
        """The next one, parsed, or None at the end."""
        while not self._lines:
            try:
                data = self.source.recv(1 << 16)
            except ConnectionResetError:
                data = b""
            if not data:
                return None
            *lines, self._buffer = (self._buffer + data).split(b"\n")
            self._lines.extend(lines)
        return json.loads(self._lines.popleft())


class Fork:
    """One fork, connected."""

    def __init__(self, number, pid, sockets):
        self.number, self.pid = number, pid
        self.channel, self.stdout, self.stderr = (sockets[each] for each in (3, 1, 2))
        self._frames = Lines(self.channel)

    def boot(self, program, **limits):
        """Gives it a program."""
        boot = {"type": "boot", **DEFAULTS, **limits, "namespaces": [{"global": "tools", "names": ["echo"]}]}
        self.channel.sendall(encode(boot))
        assert self._frames.next() == {"type": "boot-ack"}
        self.channel.sendall(encode({"type": "run", "program": program}))

    def frame(self):
        """The next frame."""
        return self._frames.next()

    def run(self, program, **limits):
        """What a program comes to: its frames, the last of them what is done."""
        self.boot(program, **limits)
        frames = []
        while True:
            frame = self.frame()
            frames.append(frame)
            if frame is None or frame["type"] == "done":
                self.hang_up()
                return frames
            if frame["type"] == "call":
                self.channel.sendall(encode({"type": "reply", "id": frame["id"], "ok": True, "value": frame["args"]}))

    def value(self, program, **limits):
        """What it returns."""
        done = self.run(program, **limits)[-1]
        if done is None or "value" not in done:
            raise AssertionError(done)
        return done["value"]

    def hang_up(self):
        """As a host does when it has the outcome."""
        try:
            self.channel.shutdown(socket.SHUT_RDWR)
        except OSError:
            pass


class Server:
    """A fork server and its host."""

    def __init__(self, *preload, listener=True):
        self.folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self.path = os.path.join(self.folder.name, "s")
        self.door = socket.socket(socket.AF_UNIX)
        if listener:
            self.door.bind(self.path)
            self.door.listen(100)
        self.door.settimeout(DEADLINE_SECONDS)
        here, there = socket.socketpair()
        self.process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-u", GUEST, "fork-server"],
            stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, close_fds=False,
            env={"TMPDIR": self.folder.name, "LC_ALL": "C.UTF-8", "CODE_RUNTIME_RUN": "1" * 19},
            start_new_session=True, preexec_fn=lambda: os.dup2(there.fileno(), 3),
        )
        there.close()
        self.control, self._answers, self._exits = here, Lines(here), {}
        self.forks = []
        self.say(type="start", socket=self.path, preload=preload)
        self.first = self._answers.next()

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for fork in self.forks:
            for each in (fork.channel, fork.stdout, fork.stderr):
                each.close()
        self.control.close()
        self.process.wait(DEADLINE_SECONDS)
        self.process.stdout.close()
        self.door.close()
        self.folder.cleanup()

    def say(self, **order):
        """Gives an order."""
        self.control.sendall(json.dumps(order).encode() + b"\n")

    def answer(self):
        """The next answer; exits are put aside."""
        while True:
            answer = self._answers.next()
            if answer is None or answer["type"] != "exited":
                return answer
            self._exits[answer.pop("id")] = answer

    def exit(self, number):
        """How a fork has ended; answers that come before are dropped."""
        while number not in self._exits:
            answer = self._answers.next()
            if answer["type"] == "exited":
                self._exits[answer.pop("id")] = answer
        return self._exits[number]

    def ask(self, number):
        """Asks for a fork; gives its pid."""
        self.say(type="fork", id=number, nonce=f"{number:0{NONCE_CHARACTERS}d}", mark=f"CODE_RUNTIME_RUN={2 * 10**18 + number}")
        answer = self.answer()
        assert answer["type"] == "forked" and answer["id"] == number, answer
        return answer["pid"]

    def fork(self, number=0):
        """A connected fork."""
        pid = self.ask(number)
        sockets = {}
        for _ in range(3):
            connection, _ = self.door.accept()
            hello = connection.recv(NONCE_CHARACTERS + 1)
            assert int(hello[:-1]) == number, hello
            sockets[int(hello[-1:])] = connection
        fork = Fork(number, pid, sockets)
        self.forks.append(fork)
        return fork

    def reap(self, number):
        """Lets the pid go."""
        self.say(type="reap", id=number)
        assert self.answer() == {"type": "reaped", "id": number}


@unittest.skipUnless(LINUX, "forks are for Linux")
class Starting(unittest.TestCase):
    def test_it_is_ready_with_asyncio_and_one_thread(self):
        with Server("decimal") as server:
            self.assertEqual(server.first, {"type": "ready"})
            self.assertEqual(len(os.listdir(f"/proc/{server.process.pid}/task")), 1)
            program = "import sys\nreturn ['asyncio' in sys.modules, 'decimal' in sys.modules, [name for name in sys.modules if name.startswith('agent')]]"
            self.assertEqual(server.fork().value(program), [True, True, []])

    def test_what_cannot_be_imported_is_told_without_our_frames(self):
        with Server("json", "no_such_module") as server:
            self.assertEqual((server.first["type"], server.first["module"]), ("failed", "no_such_module"))
            self.assertIn("ModuleNotFoundError: No module named 'no_such_module'", server.first["message"])
            self.assertNotIn("preload", server.first["message"])
            self.assertEqual(server.process.wait(DEADLINE_SECONDS), 0)

    def test_every_kind_of_failure_is_told(self):
        with tempfile.TemporaryDirectory() as folder:
            for name, source, said in (
                ("leaves", "raise SystemExit(3)", "SystemExit: 3"),
                ("interrupts", "raise KeyboardInterrupt", "KeyboardInterrupt"),
                ("starts", "import threading, time; threading.Thread(target=time.sleep, args=(60,)).start()", "it started 1 of them"),
            ):
                with self.subTest(name):
                    with open(os.path.join(folder, f"mod_{name}.py"), "w", encoding="utf-8") as file:
                        file.write(source)
                    self.assertIn(said, failure_of(folder, f"mod_{name}"))

    def test_a_host_that_is_gone_before_it_said_anything(self):
        here, there = socket.socketpair()
        process = subprocess.Popen(
            [sys.executable, "-I", "-B", "-u", GUEST, "fork-server"], stdin=subprocess.DEVNULL, close_fds=False,
            preexec_fn=lambda: os.dup2(there.fileno(), 3),
        )
        there.close()
        here.close()
        self.assertEqual(process.wait(DEADLINE_SECONDS), 0)


# The guest's own folder, also while another file stands in for it to measure coverage.
PY = os.path.join(os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__)))), "py")


def failure_of(folder, module):
    """The message of a preload that fails, of a module in a folder."""
    code = (
        "import sys; sys.dont_write_bytecode = True; sys.path[:0] = [%r, %r]\n"
        "from agent.preload import PreloadError, preload\n"
        "try: preload([%r])\n"
        "except PreloadError as error: print(error.text, flush=True); import os; os._exit(0)"
    ) % (PY, folder, module)
    return subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, text=True, check=True).stdout


@unittest.skipUnless(LINUX, "forks are for Linux")
class Forks(unittest.TestCase):
    def test_they_are_guests_like_any_other(self):
        program = """
import asyncio, gc, os, random, signal, sys
print('printed')
os.write(2, b'raw')
number = os.environ['CODE_RUNTIME_RUN']
shown = [entry for entry in open('/proc/self/environ').read().split(chr(0)) if entry.startswith('CODE_RUNTIME_RUN')]
limit = [line.split()[3] for line in open('/proc/self/limits') if 'realtime timeout' in line]
both = await asyncio.gather(tools.echo(1), tools.echo(2))
return {
    'session': os.getsid(0) == os.getpid() == os.getpgid(0),
    'marks': [shown == ['CODE_RUNTIME_RUN=' + number], limit == [number]],
    'argv': [len(sys.argv), sys.argv[0] == sys.orig_argv[-1]],
    'signals': [signal.getsignal(signal.SIGCHLD) == signal.SIG_DFL, signal.set_wakeup_fd(-1) == -1, len(signal.pthread_sigmask(signal.SIG_BLOCK, []))],
    'collects': gc.isenabled(),
    'sockets': [n for n in range(64) if os.path.islink(f'/proc/self/fd/{n}') and os.readlink(f'/proc/self/fd/{n}').startswith('socket')],
    'input': sys.stdin.read(),
    'both': both,
    'random': random.random(),
}
"""
        seen = set()
        with Server("random") as server:
            for number in range(3):
                fork = server.fork(number)
                frames = fork.run(program)
                value = frames[-1].get("value") or self.fail(frames)
                seen.add(value.pop("random"))
                self.assertEqual(
                    {name: value[name] for name in value if name != "sockets"},
                    {
                        "session": True, "marks": [True, True], "argv": [1, True], "collects": True, "input": "",
                        "signals": [True, True, 0], "both": [1, 2],
                    },
                )
                self.assertEqual(value["sockets"][:3], [1, 2, 3])
                self.assertEqual("".join(frame["text"] for frame in frames if frame["type"] == "log"), "printed")
                self.assertEqual(fork.stderr.recv(10), b"raw")
        self.assertEqual(len(seen), 3)

    def test_the_account_begins_with_the_fork(self):
        with Server() as server:
            value = server.fork().value("import resource, time\nreturn [time.process_time(), resource.getrlimit(resource.RLIMIT_CPU)[0]]", cpuSeconds=7)
            self.assertLess(value[0], 1)
            self.assertEqual(value[1], 7)

    def test_they_map_little(self):
        with Server() as server:
            mapped = server.fork().value("return int(open('/proc/self/statm').read().split()[0]) * 4096")
            self.assertLess(mapped, 48 << 20)

    def test_their_ends_are_told_and_their_pids_are_held(self):
        with Server() as server:
            for number, (act, told) in enumerate(
                (
                    ("return 1", {"type": "exited", "code": 0}),
                    ("import os\nos._exit(7)", {"type": "exited", "code": 7}),
                    ("import os\nos.kill(os.getpid(), 9)", {"type": "exited", "signal": 9}),
                    ("import os, signal\nos.kill(os.getpid(), signal.SIGRTMIN)", {"type": "exited", "signal": signal.SIGRTMIN}),
                )
            ):
                with self.subTest(act):
                    fork = server.fork(number)
                    fork.run(act)
                    self.assertEqual(server.exit(number), told)
                    self.assertEqual(stat_of(fork.pid)[0], "Z")
                    server.reap(number)
                    self.assertIsNone(stat_of(fork.pid))

    def test_a_group_is_signalled_as_long_as_its_leader_is_held(self):
        with Server() as server:
            fork = server.fork()
            child = fork.value("import subprocess\nreturn subprocess.Popen(['/bin/sleep', '1000']).pid")
            server.exit(0)
            server.say(type="kill", id=0, signal="SIGTERM")
            self.assertEqual(server.answer(), {"type": "killed", "id": 0})
            until(lambda: (stat_of(child) or ["Z"])[0] == "Z", "the child is dead")

    def test_a_stopped_one_takes_its_signal_and_blocks_nobody(self):
        with Server() as server:
            fork = server.fork(0)
            fork.boot("import os, signal\nos.kill(os.getpid(), signal.SIGSTOP)")
            until(lambda: stat_of(fork.pid)[0] == "T", "it has stopped itself")
            self.assertEqual(server.fork(1).value("return 5"), 5)
            server.say(type="kill", id=0, signal="SIGTERM")
            self.assertEqual(server.exit(0), {"type": "exited", "signal": signal.SIGTERM})

    def test_signals_reach_one_at_once(self):
        for name, number in (("SIGKILL", signal.SIGKILL), ("SIGTERM", signal.SIGTERM)):
            with self.subTest(name), Server() as server:
                server.ask(0)
                server.say(type="kill", id=0, signal=name)
                self.assertEqual(server.exit(0), {"type": "exited", "signal": number})

    def test_orders_for_unknown_ones_are_answered(self):
        with Server() as server:
            server.say(type="kill", id=99, signal="SIGKILL")
            server.say(type="reap", id=99)
            server.say(type="no such order")
            self.assertEqual([server.answer()["type"], server.answer()["type"]], ["killed", "reaped"])
            self.assertEqual(server.fork().value("return 5"), 5)

    def test_one_that_lives_is_not_reaped(self):
        with Server() as server:
            fork = server.fork()
            server.reap(0)
            self.assertEqual(fork.value("return 5"), 5)
            self.assertEqual(server.exit(0), {"type": "exited", "code": 0})

    def test_one_that_finds_nobody_ends(self):
        with Server(listener=False) as server:
            server.ask(0)
            self.assertEqual(server.exit(0), {"type": "exited", "code": 70})

    def test_one_that_finds_somebody_else_gives_its_name_away_to_nobody(self):
        with Server(listener=False) as server:
            code = "import socket, sys; s = socket.socket(socket.AF_UNIX); s.bind(sys.argv[1]); s.listen(); print('listens', flush=True); print(s.accept()[0].recv(100))"
            with subprocess.Popen([sys.executable, "-c", code, server.path], stdout=subprocess.PIPE, text=True) as other:
                self.assertEqual(other.stdout.readline(), "listens\n")
                server.ask(0)
                self.assertEqual(server.exit(0), {"type": "exited", "code": 70})
                self.assertEqual(other.stdout.readline(), "b''\n")


@unittest.skipUnless(LINUX, "forks are for Linux")
class Hosts(unittest.TestCase):
    def test_one_that_does_not_read_blocks_nothing(self):
        with Server() as server:
            count = 20000
            orders = b"".join(b'{"type":"reap","id":%d}\n' % number for number in range(1000, 1000 + count))
            server.control.setblocking(False)
            while orders:
                # All is taken although nothing is read.
                _, writable, _ = select.select([], [server.control], [], DEADLINE_SECONDS)
                self.assertTrue(writable, "the server has stopped reading")
                orders = orders[server.control.send(orders) :]
            server.control.settimeout(DEADLINE_SECONDS)
            self.assertEqual([server.answer()["id"] for _ in range(count)], list(range(1000, 1000 + count)))
            self.assertEqual(server.fork().value("return 5"), 5)

    def test_one_that_is_gone_takes_all_with_it(self):
        with Server() as server:
            busy, deaf = server.fork(0), server.fork(1)
            busy.boot("while True: pass")
            deaf.boot("import signal, subprocess, time\nsignal.signal(signal.SIGTERM, signal.SIG_IGN)\nchild = subprocess.Popen(['/bin/sleep', '1000'])\nawait tools.echo(child.pid)\ntime.sleep(1000)")
            child = deaf.frame()["args"]
            server.control.shutdown(socket.SHUT_RDWR)
            self.assertEqual(server.process.wait(DEADLINE_SECONDS), 0)
            for pid in (busy.pid, deaf.pid, child):
                until(lambda pid=pid: (stat_of(pid) or ["Z"])[0] == "Z", "it is dead")

    def test_many_ends_at_once_are_all_told(self):
        with Server() as server:
            forks = [server.fork(number) for number in range(30)]
            for fork in forks:
                fork.channel.shutdown(socket.SHUT_RDWR)
            self.assertEqual([server.exit(fork.number)["code"] for fork in forks], [70] * 30)
            for fork in forks:
                server.reap(fork.number)
            self.assertEqual([fork.pid for fork in forks if stat_of(fork.pid)], [])


if __name__ == "__main__":
    unittest.main()
