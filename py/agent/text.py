"""JSON text of strings: escapes, surrogates, sizes."""

from _codecs import lookup_error, register_error, utf_16_le_decode, utf_16_le_encode

try:
    from _json import encode_basestring as quote
except ImportError:
    from json.encoder import encode_basestring as quote

CHUNK = 1 << 16
SUFFIX = "… [truncated]"
SUFFIX_BYTES = len(SUFFIX.encode())
HANDLERS = {name: lookup_error(name) for name in ("surrogatepass", "replace")}


def _through_utf16(text, errors):
    for name, handler in HANDLERS.items():
        register_error(name, handler)
    return utf_16_le_decode(utf_16_le_encode(text, "surrogatepass")[0], errors, True)[0]


def join_pairs(text):
    """The text with each surrogate pair as one character."""
    return _through_utf16(text, "surrogatepass")


def printable(text):
    """The text with pairs joined and lone surrogates replaced."""
    return _through_utf16(text, "replace")


def quoted(text, repair=join_pairs):
    """The text as JSON, quotes included."""
    quotes = quote(text)
    try:
        return quotes.encode()
    except UnicodeEncodeError:
        return quote(repair(text)).encode("utf-8", "backslashreplace")


def chunks(text):
    """The text in pieces of bounded length that split no surrogate pair."""
    start, length = 0, len(text)
    while start < length:
        end = min(start + CHUNK, length)
        if end < length and "\ud800" <= text[end - 1] <= "\udbff" and "\udc00" <= text[end] <= "\udfff":
            end += 1
        yield text[start:end]
        start = end


def escape_within(text, room, repair=join_pairs):
    """The escaped text in pieces with their size, or None when it takes more than room bytes."""
    if room is not None and len(text) > room:
        return None
    pieces, size = [], 0
    for chunk in chunks(text):
        piece = quoted(chunk, repair)[1:-1]
        size += len(piece)
        if room is not None and size > room:
            return None
        pieces.append(piece)
    return pieces, size


def capped(text, limit):
    """The escaped text in pieces, cut to limit bytes at a character with a suffix that says so."""
    whole = escape_within(text, limit)
    if whole is not None:
        return whole[0]
    room, pieces = limit - SUFFIX_BYTES, []
    for chunk in chunks(text[: max(room, 0)]):
        piece = quoted(chunk)[1:-1]
        if len(piece) > room:
            pieces.append(_prefix(chunk, room))
            break
        pieces.append(piece)
        room -= len(piece)
    pieces.append(SUFFIX.encode())
    return pieces


def _prefix(chunk, room):
    """The longest escaped prefix that takes at most room bytes."""
    low, high = 0, min(len(chunk), room)
    while low < high:
        middle = (low + high + 1) // 2
        if len(quoted(chunk[:middle])) - 2 <= room:
            low = middle
        else:
            high = middle - 1
    if 0 < low < len(chunk) and "\ud800" <= chunk[low - 1] <= "\udbff" and "\udc00" <= chunk[low] <= "\udfff":
        low -= 1
    return quoted(chunk[:low])[1:-1]
