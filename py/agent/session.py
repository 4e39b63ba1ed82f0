"""One run: boot, acknowledgement, program, outcome."""

from _signal import SIG_DFL, SIGTERM, signal
from posix import _exit, close, getpid, register_at_fork
from select import poll

from .calls import Calls
from .channel import Channel
from .decode import decode
from .lifeline import hold
from .limits import CpuWatch, LimitError, apply_limits
from .namespace import Members, make_namespace
from .outcome import Outcome
from .realm import make_realm
from .recorder import Recorder
from .rehearsal import rehearse
from .runner import Runner
from .streams import Capture
from .wire import FD, boot_ack

# Never touched, so only mapped: given back when the program has used up everything.
RESERVE_BYTES = 1 << 20
# A guest that nothing is sent to by then was prepared for a later run.
IDLE_MS = 20
HOST_MS = 1000
PACKAGE = __name__.partition(".")[0]


def main(path_entry):
    """Serves one run and ends the process."""
    hold()
    channel = Channel()
    if not channel.waits_for_line(IDLE_MS):
        rehearse()
    boot = decode(channel.await_line())
    outcome = Outcome(channel, boot["maxValueBytes"])
    try:
        seconds = apply_limits(boot)
    except LimitError as error:
        outcome.fail("exception", str(error))
        _exit(0)
    channel.send(boot_ack())
    program = decode(channel.await_line())["program"]
    _run(boot, program, channel, outcome, CpuWatch(seconds), path_entry)


def _run(boot, program, channel, outcome, watch, path_entry):
    calls = Calls(channel)
    capture = Capture(Recorder(channel, boot["maxLogBytes"]))
    injected = _injected(boot["namespaces"], calls)
    namespace = make_realm(injected, program, PACKAGE, path_entry)
    pid = getpid()

    def become_child():
        calls.is_forked = True
        capture.become_child()
        try:
            close(FD)
        except OSError:
            pass

    register_at_fork(after_in_child=become_child)
    runner = Runner(calls, program, namespace)
    reserve = [bytes(RESERVE_BYTES)]
    try:
        result, error = runner.run(), None
    except BaseException as caught:
        reserve.clear()
        if type(caught) is MemoryError:
            namespace.clear()
        result, error = None, caught
    if getpid() != pid:
        capture.flush()
        _exit(0)
    _finish(outcome, runner, capture, watch, result, error)


def _finish(outcome, runner, capture, watch, result, error):
    runner.flush_files()
    capture.flush()
    watch.enforce()
    if error is not None:
        outcome.fail_with(error, runner.source_lines)
    else:
        outcome.complete(result)
    _await_host()
    _exit(0)


def _await_host():
    """Stays until the host has seen the outcome and measured the guest, at most a second."""
    try:
        signal(SIGTERM, SIG_DFL)
        host = poll()
        host.register(FD, 0)
        host.poll(HOST_MS)
    except (OSError, ValueError):
        pass


def _injected(declarations, calls):
    injected = {}
    for declaration in declarations:
        members = Members(calls, declaration)
        injected[declaration["global"]] = make_namespace(members)
        if members.error_class is not None:
            injected[members.error_class_name] = members.error_class
    return injected
