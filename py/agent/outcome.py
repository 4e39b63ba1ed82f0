"""The one frame that ends a run."""

from .lossless import NotLossless, OverBudget, encode
from .naming import class_name
from .report import Report
from .text import capped
from .wire import error_frame, value_frame

HARD_CASE = "the diagnostic could not be rendered"


class Outcome:
    """Sends the completion or the failure, each within its budget."""

    def __init__(self, channel, max_value_bytes):
        self._channel, self._limit = channel, max_value_bytes

    def complete(self, value):
        """Sends a value, if it is lossless JSON and fits."""
        try:
            data = encode(value, self._limit)
        except NotLossless as problem:
            return self.fail("invalid-output", f"program completion must be lossless JSON: {problem.text()}")
        except (OverBudget, MemoryError):
            return self.fail("output-limit", f"program completion exceeds maxValueBytes ({self._limit} bytes)")
        except BaseException as error:
            return self.fail_with(error, [])
        self._channel.send(*value_frame(data))

    def fail_with(self, error, source_lines):
        """Sends what the program raised."""
        try:
            text = Report(source_lines, _is_ours).text(error)
        except BaseException:
            text = f"{class_name(type(error))}: {HARD_CASE}"
        self.fail("exception", text)

    def fail(self, kind, message):
        """Sends a failure."""
        self._channel.send(*error_frame(kind, capped(message, self._limit)))


def _is_ours(frame):
    return dict.get(frame.f_globals, "__builtins__") is _BUILTINS or frame.f_code.co_filename.startswith("<frozen ")


_BUILTINS = __builtins__
