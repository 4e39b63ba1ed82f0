"""What to do about failures that are typical of programs written for this runtime."""

ADVICE = (
    ("RuntimeError", "asyncio.run() cannot be called from a running event loop",
     "the program runs in an event loop already: write `await main()` instead of `asyncio.run(main())`"),
    ("RuntimeError", "This event loop is already running", "use `await` instead of `loop.run_until_complete(...)`"),
    ("RuntimeError", "Cannot run the event loop while another loop is running",
     "use `await` instead of `loop.run_until_complete(...)`"),
    ("TypeError", "'coroutine' object", "a call of a binding or an async function must be awaited: `await f(...)`"),
    ("AttributeError", "'coroutine' object", "a call of a binding or an async function must be awaited: `await f(...)`"),
    ("EOFError", "EOF when reading a line", "there is no standard input; put the data into the program"),
    ("SyntaxError", "'await' outside async function", "`await` works at top level and in `async def` only"),
    ("SyntaxError", "'yield' outside function", "put the generator into a function"),
)


def advice_for(class_name, message):
    """One sentence, or None."""
    for name, part, advice in ADVICE:
        if name == class_name and part in message[:1000]:
            return advice
    return None
