"""`dataclass` as in `dataclasses`, for classes that a process loads and may never make a value of.

A process that answers one small question loads two hundred dataclasses and makes values of a third of them. The
standard decorator compiles up to six methods of each at once: more than half of what loading our modules takes.
Here a method is compiled when it is first asked for, if at all. To a type checker this is the standard decorator, and
`fields`, `replace`, `asdict` and patterns work as ever.
"""

from __future__ import annotations

import dataclasses
import sys
from collections.abc import Callable
from dataclasses import MISSING, FrozenInstanceError, fields
from reprlib import recursive_repr
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dataclasses import dataclass as dataclass
else:

    def dataclass(cls=None, /, *, frozen=False, slots=False, eq=True):
        """With the choices that are in use here."""

        def decorated(plain):
            return _with_methods(plain, frozen=frozen, slots=slots, eq=eq)

        return decorated if cls is None else decorated(cls)


def _with_methods(plain: type[Any], *, frozen: bool, slots: bool, eq: bool) -> type[Any]:
    own = dict(vars(plain))
    plain.__doc__ = plain.__doc__ or plain.__name__  # the standard decorator would compile what it lacks to document it
    cls = dataclasses.dataclass(init=False, repr=False, eq=False, slots=slots)(plain)
    cls.__doc__ = own["__doc__"]
    methods: dict[str, Any] = {"__init__": _MadeWhenAskedFor(cls, frozen, _initializer), "__repr__": _shown}
    if eq:
        methods["__eq__"] = _MadeWhenAskedFor(cls, frozen, _equality)
        methods["__hash__"] = _MadeWhenAskedFor(cls, frozen, _hash) if frozen else None
        if own.get("__hash__") is None:
            own.pop("__hash__", None)  # not said by the class: whoever has `__eq__` and no more gets this one
    if frozen:
        methods |= {"__setattr__": _refuse_to_set, "__delattr__": _refuse_to_delete}
    if frozen and slots:
        methods |= {"__getstate__": _state, "__setstate__": _put_state}
    for name, method in methods.items():
        if name not in own:
            setattr(cls, name, method)
    return cls


class _MadeWhenAskedFor:
    """In the place of a method: the first who looks there finds the real one, which stays."""

    def __init__(self, cls: type[Any], frozen: bool, make: Callable[[type[Any], bool], Any]) -> None:
        self.cls, self.frozen, self.make = cls, frozen, make

    def __get__(self, value: object, kind: type[Any]) -> Callable[..., Any]:
        made = self.make(self.cls, self.frozen)
        setattr(self.cls, made.__name__, made)
        bound: Callable[..., Any] = made.__get__(value, kind)
        return bound


_ABSENT = object()
"""The argument that was not given, where a default is made for each value."""


def _initializer(cls: type[Any], frozen: bool) -> Any:
    scope: dict[str, Any] = {"_put": object.__setattr__, "_ABSENT": _ABSENT}
    parameters, lines = ["self"], []
    for each in fields(cls):
        name, value, default = each.name, each.name, ""
        if each.default_factory is not MISSING:
            scope[f"_new_{name}"] = each.default_factory
            value = f"{name} if {name} is not _ABSENT else _new_{name}()" if each.init else f"_new_{name}()"
            default = "=_ABSENT"
        elif each.default is not MISSING:
            scope[f"_default_{name}"] = each.default
            value = name if each.init else f"_default_{name}"
            default = f"=_default_{name}"
        elif not each.init:
            continue  # `__post_init__` looks after it
        if each.init:
            parameters.append(name + default)
        lines.append(f"_put(self, {name!r}, {value})" if frozen else f"self.{name} = {value}")
    if hasattr(cls, "__post_init__"):
        lines.append("self.__post_init__()")
    made = _compiled(cls, "__init__", parameters, "; ".join(lines) or "pass", scope)
    made.__annotations__ = {each.name: each.type for each in fields(cls) if each.init} | {"return": None}
    return made


def _equality(cls: type[Any], _: bool) -> Any:
    both = f"{_compared(cls, 'self')} == {_compared(cls, 'other')}"
    return _compiled(
        cls, "__eq__", ["self", "other"], f"return {both} if other.__class__ is self.__class__ else NotImplemented", {}
    )


def _hash(cls: type[Any], _: bool) -> Any:
    return _compiled(cls, "__hash__", ["self"], f"return hash({_compared(cls, 'self')})", {})


def _compared(cls: type[Any], value: str) -> str:
    """The tuple of what is compared."""
    return "(" + "".join(f"{value}.{each.name}, " for each in fields(cls) if each.compare) + ")"


def _compiled(cls: type[Any], name: str, parameters: list[str], body: str, scope: dict[str, Any]) -> Any:
    """As if it stood in the module of the class, where annotations are understood, with the scope around it."""
    within: dict[str, Any] = {}
    text = f"def make({', '.join(scope)}):\n def {name}({', '.join(parameters)}): {body}\n return {name}"
    exec(text, vars(sys.modules[cls.__module__]) if cls.__module__ in sys.modules else {}, within)
    made = within["make"](**scope)
    made.__qualname__ = f"{cls.__qualname__}.{name}"
    return made


@recursive_repr()
def _shown(value: Any) -> str:
    shown = ", ".join(f"{each.name}={getattr(value, each.name)!r}" for each in fields(value) if each.repr)
    return f"{value.__class__.__qualname__}({shown})"


def _refuse_to_set(_: object, name: str, __: object) -> None:
    raise FrozenInstanceError(f"cannot assign to field {name!r}")


def _refuse_to_delete(_: object, name: str) -> None:
    raise FrozenInstanceError(f"cannot delete field {name!r}")


def _state(value: Any) -> list[Any]:
    return [getattr(value, each.name) for each in fields(value)]


def _put_state(value: Any, state: list[Any]) -> None:
    for each, part in zip(fields(value), state, strict=True):
        object.__setattr__(value, each.name, part)
