"""The frames of the channel, declared once: field name to type, required and optional."""

from .text import quoted

FD = 3
MODEL = "<model>"

NAMESPACE = {
    "required": {"global": "string", "names": "string[]"},
    "optional": {"errorClass": {"name": "string", "memberNameProperty": "string"}},
}
FRAMES = {
    "boot": {
        "required": {
            "type": "string",
            "cpuSeconds": "integer",
            "addressSpaceBytes": "integer",
            "maxLogBytes": "integer",
            "maxValueBytes": "integer",
            "namespaces": "namespace[]",
        },
        "optional": {},
    },
    "boot-ack": {"required": {"type": "string"}, "optional": {}},
    "run": {"required": {"type": "string", "program": "string"}, "optional": {}},
    "call": {
        "required": {"type": "string", "id": "integer", "global": "string", "name": "string", "args": "json"},
        "optional": {},
    },
    "reply": {
        "required": {"type": "string", "id": "integer", "ok": "boolean"},
        "optional": {"value": "json", "message": "string"},
    },
    "log": {
        "required": {"type": "string", "text": "string"},
        "optional": {"stream": "string", "open": "true", "truncated": "true"},
    },
    "done": {
        "required": {"type": "string"},
        "optional": {"value": "json", "error": {"kind": "string", "message": "string"}},
    },
}
KINDS = ("exception", "invalid-output", "output-limit")
STREAMS = ("stdout", "stderr")


def truncation_marker(max_log_bytes):
    """The last log entry of a run that printed more than its budget."""
    return f"[code-runtime] log capture truncated at {max_log_bytes} bytes"


def boot_ack():
    """The frame that asks for the program."""
    return b'{"type":"boot-ack"}\n'


def call_frame(call_id, owner, name, args):
    """A call, in parts; args is JSON already."""
    return b'{"type":"call","id":%d,"global":%b,"name":%b,"args":' % (call_id, quoted(owner), quoted(name)), args, b"}\n"


def log_frame(stream, pieces, is_open=False):
    """One line or an open piece of one, in parts; the pieces are escaped already."""
    tail = b'","stream":"%b"%b}\n' % (stream.encode(), b',"open":true' if is_open else b"")
    return b'{"type":"log","text":"', *pieces, tail


def marker_frame(stream, max_log_bytes):
    """The frame that ends log capture."""
    text = quoted(truncation_marker(max_log_bytes))
    return b'{"type":"log","text":%b,"stream":"%b","truncated":true}\n' % (text, stream.encode())


def value_frame(value):
    """The completion, in parts; the value is JSON already."""
    return b'{"type":"done","value":', value, b"}\n"


def error_frame(kind, pieces):
    """The failure, in parts; the pieces are the escaped message."""
    return b'{"type":"done","error":{"kind":"%b","message":"' % kind.encode(), *pieces, b'"}}\n'
