"""One step of the program's coroutine."""

_BUILTINS = __builtins__


def step(context, resume, value):
    """Resumes it in its context; raises StopIteration at its end, and never for one that the program raised."""
    try:
        return context.run(resume, value)
    except StopIteration as stop:
        if _is_of_program(stop.__traceback__):
            raise RuntimeError("coroutine raised StopIteration") from stop
        raise


def _is_of_program(traceback):
    while traceback.tb_next is not None:
        traceback = traceback.tb_next
    return dict.get(traceback.tb_frame.f_globals, "__builtins__") is not _BUILTINS
