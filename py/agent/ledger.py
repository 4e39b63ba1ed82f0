"""The byte budget of the logs."""

QUOTES_AND_SEPARATOR = 3


class Ledger:
    """What may still be logged; one byte of the array's brackets is prepaid."""

    def __init__(self, max_log_bytes):
        self.remaining = max_log_bytes - 1

    def room(self, is_continued):
        """The content bytes that the next piece may take; negative when not even an empty one fits."""
        return self.remaining - (0 if is_continued else QUOTES_AND_SEPARATOR)

    def bill(self, content_bytes, is_continued):
        """Takes an admitted piece."""
        self.remaining -= content_bytes + (0 if is_continued else QUOTES_AND_SEPARATOR)
