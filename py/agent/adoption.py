"""A coroutine under way becomes the main task of a new asyncio loop."""

from _thread import get_ident

from .signalled import is_signalled
from .step import step


class Adopted:
    """A coroutine that was started before its task: it goes on from where it stands."""

    def __init__(self, coroutine, context):
        self._coroutine, self._context = coroutine, context
        self.waits_for, self.is_under_way, self.failure, self.is_done = None, False, None, False
        self.__name__, self.__qualname__ = "program", "program"

    def send(self, value):
        """The first time, only repeats what the coroutine waits for."""
        if self.is_under_way:
            self.is_under_way = False
            return self.waits_for
        if self.failure is not None:
            error, self.failure = self.failure, None
            return self._step(self._coroutine.throw, error)
        return self._step(self._coroutine.send, value)

    def throw(self, error, *rest):
        """Throws into the coroutine."""
        self.is_under_way = False
        if rest and rest[0] is not None:
            error = rest[0]
        return self._step(self._coroutine.throw, error)

    def close(self):
        """Closes the coroutine."""
        self._coroutine.close()

    def __await__(self):
        return self

    def __getattr__(self, name):
        return getattr(self._coroutine, name)

    def _step(self, resume, value):
        try:
            self.waits_for = step(self._context, resume, value)
            return self.waits_for
        except StopIteration:
            self.is_done = True
            raise
        except BaseException as error:
            self.failure, self.is_done = error, True
        raise StopIteration


class Adoption:
    """The loop, and the task that holds the coroutine."""

    def __init__(self, calls, coroutine, context):
        from asyncio.events import _set_running_loop, new_event_loop, set_event_loop
        from asyncio.tasks import _enter_task, _leave_task

        self._enter_task, self._leave_task, self._set_running_loop = _enter_task, _leave_task, _set_running_loop
        self._calls = calls
        calls.loops.learn()
        self._loop = new_event_loop()
        set_event_loop(self._loop)
        self._run_forever = self._loop.run_forever
        self._coroutine = Adopted(coroutine, context)
        self._task = self._loop.create_task(self._coroutine)  # pyright: ignore[reportArgumentType]
        calls.loops.enter(self._loop)
        self._is_entered, self._broken = False, None

    def enter(self):
        """For the rest of a step that was begun without a loop."""
        self._set_running_loop(self._loop)
        self._enter_task(self._loop, self._task)
        self._loop._thread_id = get_ident()  # pyright: ignore[reportAttributeAccessIssue]
        self._is_entered = True

    def leave(self):
        """At the end of that step."""
        if self._is_entered:
            self._is_entered = False
            self._loop._thread_id = None  # pyright: ignore[reportAttributeAccessIssue]
            self._set_running_loop(None)
            try:
                self._leave_task(self._loop, self._task)
            except RuntimeError:
                pass

    def run_from(self, yielded):
        """Goes on from what the coroutine waits for."""
        self._coroutine.waits_for, self._coroutine.is_under_way = yielded, True
        return self.run()

    def run(self, error=None):
        """Runs the loop until the coroutine ends; raises what it raises, or tells what it still waits for."""
        self._coroutine.failure = error
        loop, broken = self._loop, None
        self._task.add_done_callback(lambda _: loop.stop())
        try:
            self._run_forever()
        except BaseException as error:
            broken = error
        if self._coroutine.is_done:
            if self._coroutine.failure is not None:
                raise self._coroutine.failure
            return None
        if not self._calls.is_call(self._coroutine.waits_for):
            raise broken or RuntimeError("Event loop stopped before the program ended.")
        self._calls.loops.broken.add(loop)
        self._set_running_loop(None)
        self._broken = broken if broken is not None and is_signalled(broken) else None
        return self._coroutine.waits_for

    def take_broken(self):
        """What a signal handler raised while the coroutine waited for a reply; the loop has ended by it."""
        broken, self._broken = self._broken, None
        return broken
