"""The objects through which a program calls bindings."""

from .calls import Calls
from .lossless import NotLossless, encode
from .nearest import listed
from .problem import OverBudget


class Members:
    """The members of one namespace and how their failures are raised."""

    def __init__(self, calls: Calls, declaration):
        self.owner = declaration["global"]
        self._calls = calls
        self._names = declaration["names"]
        self.functions = {name: self._function(name) for name in self._names}
        declared = declaration.get("errorClass")
        self.error_class, self._member_property = None, ""
        if declared:
            self._member_property = declared["memberNameProperty"]
            self.error_class = type(declared["name"], (RuntimeError,), {"__module__": "__main__"})

    def error(self, name, message):
        """The exception of a failed call."""
        if self.error_class is None:
            return RuntimeError(message)
        error = RuntimeError.__new__(self.error_class, message)
        for key, value in (("name", self.error_class_name), ("message", message), (self._member_property, name)):
            object.__setattr__(error, key, value)
        return error

    @property
    def error_class_name(self):
        """The declared name, whatever the program did to the class."""
        return type.__dict__["__name__"].__get__(self.error_class)

    def unknown(self, name):
        """The text about a member that is not declared."""
        return f"{self.owner} has no member {name!r}; it has {listed(name, self._names)}"

    def _function(self, name):
        async def perform(args, problem):
            if problem is not None:
                raise self.error(name, problem)
            reply = await self._calls.call(self.owner, name, args)
            if reply["ok"] is None:
                raise MemoryError(f"the reply to {self.owner}.{name} does not fit into memory")
            if not reply["ok"]:
                raise self.error(name, reply["message"])
            return reply["value"]

        def member(*positional, **keywords):
            """Calls the host; await it."""
            if len(positional) > 1 or (positional and keywords):
                raise TypeError(
                    f"{self.owner}.{name} takes one argument or keyword arguments: "
                    f'await {self.owner}.{name}({{"key": value}}) or await {self.owner}.{name}(key=value)'
                )
            args, problem = _encoded(positional[0] if positional else keywords)
            call = perform(args, problem)
            call.__name__, call.__qualname__ = name, f"{self.owner}.{name}"
            return call

        member.__name__, member.__qualname__ = name, f"{self.owner}.{name}"
        member.__module__ = None  # pyright: ignore[reportFunctionMemberAccess]
        return member


def _encoded(argument):
    try:
        return encode(argument), None
    except NotLossless as problem:
        return None, f"the argument must be lossless JSON: {problem.text()}"
    except OverBudget:
        return None, "the argument is too large"


def make_namespace(members):
    """An object whose attributes and items are the members, whatever their names."""
    functions = members.functions

    class Namespace:
        __slots__ = ()

        def __getattribute__(self, name):
            function = functions.get(name)
            if function is not None:
                return function
            if name[:2] == "__" == name[-2:]:
                return object.__getattribute__(self, name)
            raise AttributeError(members.unknown(name))

        def __getitem__(self, name):
            function = functions.get(name) if type(name) is str else None
            if function is None:
                raise KeyError(members.unknown(name))
            return function

        def __setattr__(self, name, value):
            raise AttributeError(f"{members.owner} is read-only")

        __delattr__ = __setitem__ = __delitem__ = lambda self, *_: self.__setattr__("", None)

        def __contains__(self, name):
            return type(name) is str and name in functions

        def __iter__(self):
            return iter(functions)

        def __len__(self):
            return len(functions)

        def __dir__(self):
            return list(functions)

        def __repr__(self):
            return f"<namespace {members.owner}: {', '.join(functions)}>"

    Namespace.__name__ = Namespace.__qualname__ = "Namespace"
    Namespace.__module__ = "__main__"
    return Namespace()
