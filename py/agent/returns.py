"""Top-level `return`: the body becomes a loop that runs once, and a return leaves it."""

from _ast import (
    Assign,
    AsyncFor,
    Break,
    Constant,
    Continue,
    Del,
    Delete,
    Expr,
    For,
    If,
    ImportFrom,
    Load,
    Name,
    Return,
    Store,
    Tuple,
    While,
)

from .wire import MODEL

# No program can write this name.
RESULT = ".returned"
SCOPES = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
# What can stop a return under way: an error or a break in `finally`, a suppressing context manager.
GUARDS = ("Try", "TryStar", "With", "AsyncWith")
LOOPS = (For, AsyncFor, While)


class Lifter:
    """Rewrites the statements of a module; what lies in functions and classes stays as it is."""

    def __init__(self):
        self.count, self._guards, self._cancels = 0, 0, False

    def lift(self, statements, is_in_loop=False):
        """The statements with each return replaced."""
        lifted = []
        for statement in statements:
            lifted += self._lift_one(statement, is_in_loop)
        return lifted

    def _lift_one(self, statement, is_in_loop):
        kind, before = type(statement), self.count
        if kind is Return:
            self.count += 1
            self._cancels |= self._guards > 0
            return _leave(statement)
        if kind in (Break, Continue):
            if not is_in_loop:
                word = "'break' outside loop" if kind is Break else "'continue' not properly in loop"
                raise SyntaxError(word, (MODEL, statement.lineno, statement.col_offset + 1, None))
            return [_cancel(statement), statement] if self._cancels else [statement]
        if kind in LOOPS:
            statement.body = self.lift(statement.body, True)
            passes_on = self.count > before
            statement.orelse = self.lift(statement.orelse, is_in_loop)
            return [statement, _pass_on(statement)] if passes_on else [statement]
        if kind.__name__ in SCOPES:
            return [statement]
        is_guard = kind.__name__ in GUARDS
        self._guards += is_guard
        self._lift_blocks(statement, is_in_loop)
        self._guards -= is_guard
        return [statement, _cancel(statement)] if is_guard and self.count > before else [statement]

    def _lift_blocks(self, statement, is_in_loop):
        for field in ("body", "handlers", "cases", "orelse", "finalbody"):
            block = getattr(statement, field, None)
            if type(block) is not list:
                continue
            if field in ("handlers", "cases"):
                for part in block:
                    part.body = self.lift(part.body, is_in_loop)
            else:
                setattr(statement, field, self.lift(block, is_in_loop))


def lift_returns(tree):
    """The tree of a module whose top-level returns store RESULT and end it; true when there were any."""
    head = _head_length(tree.body)
    lifter = Lifter()
    body = lifter.lift(tree.body[head:])
    if not lifter.count:
        return False
    first = tree.body[head]
    body.append(_at(Break(), first))
    tree.body[head:] = [_at(While(_at(Constant(True), first), body, []), first)]
    return True


def _head_length(statements):
    """How many statements must stay first: the docstring and imports from __future__."""
    length = 0
    for index, statement in enumerate(statements):
        is_docstring = (
            index == 0
            and type(statement) is Expr
            and type(statement.value) is Constant
            and type(statement.value.value) is str
        )
        if not is_docstring and not (type(statement) is ImportFrom and statement.module == "__future__"):
            break
        length = index + 1
    return length


def _leave(statement):
    value = statement.value or _at(Constant(None), statement)
    result = _at(Tuple([value], Load()), statement)
    return [_at(Assign([_at(Name(RESULT, Store()), statement)], result), statement), _at(Break(), statement)]


def _pass_on(statement):
    return _at(If(_at(Name(RESULT, Load()), statement), [_at(Break(), statement)], []), statement)


def _cancel(statement):
    """Forgets a return that did not come through."""
    forget = _at(Delete([_at(Name(RESULT, Del()), statement)]), statement)
    return _at(If(_at(Name(RESULT, Load()), statement), [forget], []), statement)


def _at(node, origin):
    node.lineno, node.col_offset = origin.lineno, origin.col_offset
    node.end_lineno, node.end_col_offset = origin.end_lineno, origin.end_col_offset
    return node
