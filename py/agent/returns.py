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
    Subscript,
    Tuple,
    While,
)

from .wire import MODEL

# No program can write these names.
RESULT = ".returned"
# Returns under way while the `finally` that they came through is at work, each at the number of that `finally`.
SET_ASIDE = ".set-aside"
SCOPES = ("FunctionDef", "AsyncFunctionDef", "ClassDef")
# What a return under way can get lost in: an error on its way out may be handled, or suppressed.
GUARDS = ("Try", "TryStar", "With", "AsyncWith")
LOOPS = (For, AsyncFor, While)


class Lifter:
    """Rewrites the statements of a module; what lies in functions and classes stays as it is."""

    def __init__(self):
        self.count, self._finallys = 0, 0

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
            return _leave(statement)
        if kind in (Break, Continue):
            if not is_in_loop:
                word = "'break' outside loop" if kind is Break else "'continue' not properly in loop"
                raise SyntaxError(word, (MODEL, statement.lineno, statement.col_offset + 1, None))
            return [statement]
        if kind in LOOPS:
            statement.body = self.lift(statement.body, True)
            passes_on = self.count > before
            statement.orelse = self.lift(statement.orelse, is_in_loop)
            return [statement, _pass_on(statement)] if passes_on else [statement]
        if kind.__name__ in SCOPES:
            return [statement]
        self._lift_blocks(statement, is_in_loop)
        is_guard = kind.__name__ in GUARDS
        return [statement, _cancel(statement)] if is_guard and self.count > before else [statement]

    def _lift_blocks(self, statement, is_in_loop):
        before = self.count
        for field in ("body", "handlers", "cases", "orelse", "finalbody"):
            block = getattr(statement, field, None)
            if type(block) is not list:
                continue
            has_returns = self.count > before
            if field in ("handlers", "cases"):
                for part in block:
                    lost = [_cancel(part)] if has_returns and field == "handlers" else []
                    part.body = lost + self.lift(part.body, is_in_loop)
                continue
            lifted = self.lift(block, is_in_loop)
            is_on_the_way = has_returns and field == "finalbody" and block
            setattr(statement, field, self._set_aside(lifted, block[0]) if is_on_the_way else lifted)

    def _set_aside(self, lifted, origin):
        """The body of a `finally`: a return that came through goes on after it, unless another way is taken in it."""
        number = self._finallys
        self._finallys += 1
        keep = _at(Assign([_pending(number, Store(), origin)], _at(Name(RESULT, Load()), origin)), origin)
        give_back = _at(Assign([_at(Name(RESULT, Store()), origin)], _pending(number, Load(), origin)), origin)
        return [keep, _cancel(origin), *lifted, _at(If(_pending(number, Load(), origin), [give_back], []), origin)]


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


def _pending(number, use, origin):
    return _at(Subscript(_at(Name(SET_ASIDE, Load()), origin), _at(Constant(number), origin), use), origin)


def _at(node, origin):
    node.lineno, node.col_offset = origin.lineno, origin.col_offset
    node.end_lineno, node.end_col_offset = origin.end_lineno, origin.end_col_offset
    return node
