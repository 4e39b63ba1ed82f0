"""Syntax errors as lines: where, the source and a caret."""

from .frames import label_of
from .naming import class_name, isinstance_exactly
from .wire import MODEL

FIELDS = {
    name: SyntaxError.__dict__[name].__get__ for name in ("msg", "filename", "lineno", "offset", "text", "end_lineno", "end_offset")
}


def is_syntax_error(error):
    """Whether the error says where in a text it lies."""
    return isinstance_exactly(error, SyntaxError) and type(FIELDS["lineno"](error)) is int


def syntax_lines(error, source_lines):
    """The lines that follow the frames."""
    filename, number, offset, text = (FIELDS[name](error) for name in ("filename", "lineno", "offset", "text"))
    lines = [f'  File "{label_of(filename)}", line {number}']
    if filename == MODEL and 0 < number <= len(source_lines):
        text = source_lines[number - 1]
    if type(text) is str and text.strip():
        text = text.rstrip("\r\n")
        lines.append(f"    {text.strip()}")
        if type(offset) is int and offset > 0:
            lines.append("    " + _carets(error, number, offset, text))
    message = FIELDS["msg"](error)
    return lines + [f"{class_name(type(error))}: {message if type(message) is str else '<no detail available>'}"]


def _carets(error, number, offset, text):
    end_number, end = FIELDS["end_lineno"](error), FIELDS["end_offset"](error)
    indent = len(text) - len(text.lstrip())
    start = max(min(offset - 1, len(text)) - indent, 0)
    if type(end) is not int or end_number != number or end <= offset:
        end = offset + 1
    return " " * start + "^" * max(min(end, len(text) + 1) - offset, 1)
