"""Diagnostics for the model that wrote the program; nothing here runs the program's code but its `__str__`."""

import sys

from .advice import advice_for
from .frames import traceback_lines
from .naming import class_name, isinstance_exactly, message_of
from .syntax import is_syntax_error, syntax_lines

MOST_LINKS = 100
CUT = "chain truncated at 100 links"
HEADER = "Traceback (most recent call last):"
CAUSE = "The above exception was the direct cause of the following exception:"
CONTEXT = "During handling of the above exception, another exception occurred:"

_cause = BaseException.__dict__["__cause__"].__get__
_context = BaseException.__dict__["__context__"].__get__
_is_suppressed = BaseException.__dict__["__suppress_context__"].__get__
_traceback = BaseException.__dict__["__traceback__"].__get__
if sys.version_info >= (3, 11):
    Group = BaseExceptionGroup
    _members = Group.__dict__["exceptions"].__get__
else:
    Group = _members = None


class Report:
    """Renders one exception, its chain and its groups within a number of links."""

    def __init__(self, source_lines, is_ours):
        self._source_lines, self._is_ours = source_lines, is_ours
        self._links, self._seen = 0, set()

    def text(self, error):
        """The whole diagnostic."""
        advice = advice_for(class_name(type(error)), message_of(error))
        lines = self._chain(error)
        return "\n".join(lines + [f"Hint: {advice}"] if advice else lines)

    def _chain(self, error):
        links, relation = [], None
        while error is not None:
            if self._links >= MOST_LINKS:
                links.append((None, relation))
                break
            self._links += 1
            self._seen.add(id(error))
            links.append((error, relation))
            error, relation = self._previous(error)
        lines = []
        for error, relation in reversed(links):
            lines += [f"[{CUT}]"] if error is None else self._one(error)
            if relation:
                lines += ["", relation, ""]
        return lines

    def _previous(self, error):
        cause = _cause(error)
        previous, relation = (cause, CAUSE) if cause is not None else (_context(error), CONTEXT)
        if previous is None or (cause is None and _is_suppressed(error)) or id(previous) in self._seen:
            return None, None
        return previous, relation

    def _one(self, error):
        frames = traceback_lines(_traceback(error), self._source_lines, self._is_ours)
        if _members is not None and isinstance_exactly(error, Group):
            return self._group(error, _members(error), frames)
        return ([HEADER] + frames if frames else []) + self._last_lines(error)

    def _last_lines(self, error):
        if is_syntax_error(error):
            return syntax_lines(error, self._source_lines) + _notes(error)
        name, message = class_name(type(error)), message_of(error)
        return f"{name}: {message}".split("\n") + _notes(error) if message else [name] + _notes(error)

    def _group(self, error, members, frames):
        lines = ["  + Exception Group Traceback (most recent call last):"] if frames else []
        lines += [f"  | {line}" for line in frames + self._last_lines(error)]
        for number, member in enumerate(members, 1):
            lines.append(f"  {'+' if number > 1 else '+-+'}---------------- {number} ----------------")
            if self._links >= MOST_LINKS:
                lines.append(f"    | [{CUT}]")
                break
            lines += [f"    | {line}" for line in self._chain(member)]
        lines.append("    +------------------------------------")
        return lines


def _notes(error):
    try:
        notes = error.__notes__
    except BaseException:
        return []
    if type(notes) is not list:
        return []
    return [line for note in notes if type(note) is str for line in note.split("\n")]
