"""CPU time, address space and core dumps of the guest."""

from _signal import SIG_DFL, SIG_UNBLOCK, SIGXCPU, pthread_sigmask, signal
from posix import environ, getpid, kill
from resource import (
    RLIM_INFINITY,
    RLIMIT_AS,
    RLIMIT_CORE,
    RLIMIT_CPU,
    RUSAGE_CHILDREN,
    RUSAGE_SELF,
    getrlimit,
    getrusage,
    setrlimit,
)
from sys import platform

MARK = b"CODE_RUNTIME_RUN"
BASELINE_BYTES = 64 << 20
WORST_CASE_FACTOR = 12
# The kernel counts CPU limits in nanoseconds of 64 bits.
LONGEST_CPU_SECONDS = (1 << 31) - 2


class LimitError(Exception):
    """A limit that cannot be applied."""


def apply_limits(boot):
    """Applies what the boot frame asks for, within what was inherited; returns the soft CPU limit."""
    try:
        setrlimit(RLIMIT_CORE, (0, 0))
        _carry_mark()
        default_sigxcpu()
        seconds = _limit_cpu(boot["cpuSeconds"])
        if platform != "darwin":
            granted = _limit_address_space(boot["addressSpaceBytes"])
            check_budgets(boot, granted)
    except (OSError, ValueError, OverflowError) as error:
        raise LimitError(f"a resource limit could not be applied: {error}") from None
    return seconds


def _carry_mark():
    """Has descendants inherit the mark of the run in a limit as well, which no scrubbed environment removes."""
    try:
        from resource import RLIMIT_RTTIME

        number = int(environ[MARK])
        setrlimit(RLIMIT_RTTIME, (number, number))
    except (ImportError, KeyError, OSError, OverflowError, ValueError):
        pass


def default_sigxcpu():
    """Lets SIGXCPU end the process."""
    signal(SIGXCPU, SIG_DFL)
    pthread_sigmask(SIG_UNBLOCK, (SIGXCPU,))


def _finite(*limits):
    return min((limit for limit in limits if limit != RLIM_INFINITY), default=RLIM_INFINITY)


def _limit_cpu(seconds):
    inherited_soft, inherited_hard = getrlimit(RLIMIT_CPU)
    wanted = min(seconds, LONGEST_CPU_SECONDS)
    hard = _finite(wanted + 1, inherited_hard)
    soft = _finite(wanted, inherited_soft, hard)
    if soft == hard and hard >= 2:
        soft -= 1
    setrlimit(RLIMIT_CPU, (soft, hard))
    return soft


def _limit_address_space(size):
    granted = _finite(size, *getrlimit(RLIMIT_AS))
    setrlimit(RLIMIT_AS, (granted, granted))
    return granted


def check_budgets(boot, granted):
    """Refuses output budgets that the granted address space cannot hold."""
    room = granted - BASELINE_BYTES
    for name in ("maxLogBytes", "maxValueBytes"):
        if boot[name] * WORST_CASE_FACTOR >= room:
            raise LimitError(
                f"{name} {boot[name]} is too large for the inherited address-space limit of {granted} bytes"
            )


class CpuWatch:
    """Ends the process by SIGXCPU when the program is over its CPU time, whatever it did to the signal."""

    def __init__(self, seconds):
        self._seconds = seconds

    def enforce(self):
        """Checks, with the default disposition back in place before the signal is unblocked."""
        default_sigxcpu()
        used = 0
        for who in (RUSAGE_SELF, RUSAGE_CHILDREN):
            usage = getrusage(who)
            used += usage.ru_utime + usage.ru_stime
        if used >= self._seconds:
            kill(getpid(), SIGXCPU)
