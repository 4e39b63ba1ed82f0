"""The frames of a traceback as lines: the program's with source and carets, no path of the host."""

import sys
from itertools import islice

from .wire import MODEL

FIRST, LAST, REPEATS = 20, 40, 3
NAMELESS = "<code>"


def traceback_lines(traceback, source_lines, is_ours):
    """Lines for each frame that is not ours."""
    frames = []
    while traceback is not None:
        if not is_ours(traceback.tb_frame):
            frames.append((traceback.tb_frame.f_code, traceback.tb_lineno, traceback.tb_lasti))
        traceback = traceback.tb_next
    return [line for frame in _shortened(_folded(frames)) for line in _frame_lines(frame, source_lines)]


def _folded(frames):
    """Runs of the same line become one frame and a count."""
    folded, count, previous = [], 0, None
    for frame in frames + [None]:
        key = frame and frame[:2]
        if key is not None and key == previous:
            count += 1
        else:
            if count > REPEATS:
                folded.append(f"  [Previous line repeated {count - REPEATS} more times]")
            count, previous = 1, key
        if frame is not None and count <= REPEATS:
            folded.append(frame)
    return folded


def _shortened(frames):
    if len(frames) <= FIRST + LAST:
        return frames
    return frames[:FIRST] + [f"  [... {len(frames) - FIRST - LAST} frames ...]"] + frames[-LAST:]


def _frame_lines(frame, source_lines):
    if type(frame) is str:
        return [frame]
    code, number, offset = frame
    lines = [f'  File "{label_of(code.co_filename)}", line {number}, in {code.co_name}']
    if code.co_filename == MODEL and number and 0 < number <= len(source_lines):
        source = source_lines[number - 1]
        if source.strip():
            lines.append(f"    {source.strip()}")
            carets = _carets(code, offset, number, source)
            if carets:
                lines.append(f"    {carets}")
    return lines


def _carets(code, offset, number, source):
    """Marks the expression that failed, where the interpreter tells and it is not the whole line."""
    if offset < 0 or not hasattr(code, "co_positions"):
        return None
    line, end_line, start, end = next(islice(code.co_positions(), offset // 2, None), (None,) * 4)
    if line != number or start is None or end is None:
        return None
    data = source.encode("utf-8", "replace")
    start = len(data[:start].decode("utf-8", "replace"))
    end = len(data[:end].decode("utf-8", "replace")) if end_line == line else len(source.rstrip())
    indent = len(source) - len(source.lstrip())
    if start <= indent and end >= len(source.rstrip()):
        return None
    return " " * (start - indent) + "^" * max(end - start, 1)


def label_of(filename):
    """A file without the host's directories."""
    if type(filename) is not str or filename[:1] == "<":
        return filename if type(filename) is str else NAMELESS
    roots = [root for root in sys.path if type(root) is str and root and filename.startswith(root)]
    if roots:
        return filename[max(map(len, roots)) :].lstrip("/\\")
    return filename.replace("\\", "/").rpartition("/")[2]
