"""What is wrong with a value that cannot cross."""


class NotLossless(Exception):
    """A value that is not lossless JSON; the path is added on the way out."""

    def __init__(self, reason, hint=None):
        self.reason, self.hint, self.path = reason, hint, "$"

    def text(self):
        """One line for the model."""
        hint = f" (hint: {self.hint})" if self.hint else ""
        return f"{self.path} is {self.reason}{hint}"


class OverBudget(Exception):
    """A value whose JSON takes more bytes than it may."""
