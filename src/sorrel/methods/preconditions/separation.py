"""Which objects a function takes to be apart from each other, as a condition that its callers can see to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations

from sorrel.contracts.entry import EntryState
from sorrel.methods.preconditions.atoms import changed, held
from sorrel.model.values import dataclass
from sorrel.program.program import CONTRACT
from sorrel.program.types import Array, Machine, Type
from sorrel.program.visible import EntryKind


@dataclass(frozen=True, slots=True)
class _Object:
    """What a pointer leads to, or a variable of the program: how to point at it, and what holds its parts."""

    text: str
    variables: tuple[str, ...]
    types: frozenset[Type]
    is_variable: bool = False
    is_compared: bool = False
    is_apart: bool = False


def separated(state: EntryState, lengths: Mapping[str, str], forgotten: frozenset[str]) -> Iterator[str]:
    """Conditions, one for each pair of objects that must not meet. `lengths` are how far pointers are known to go.

    Objects that nobody writes to, and whose addresses nobody compares, may meet: what is read is any value anyway. So
    may those whose elements make no difference to the proof, which are `forgotten`.
    """
    written = changed(state)
    objects = [*_pointed(state), *_variables(state)]
    for one, other in combinations(objects, 2):
        if one.is_variable and other.is_variable:
            continue
        is_written = any(name in written for each in (one, other) for name in each.variables)
        matters = any(name not in forgotten for each in (one, other) for name in each.variables)
        # The program may look whether they are the same, or demand that they are not.
        shows = (one.is_compared and other.is_compared) or (one.is_apart and other.is_apart)
        if (shows or (is_written and matters)) and _may_meet(one.types, other.types):
            yield f"\\separated({lengths.get(one.text, one.text)}, {lengths.get(other.text, other.text)})"


def _may_meet(one: frozenset[Type], other: frozenset[Type]) -> bool:
    """Objects of different types do not, except where one is made of characters."""
    bytes_ = any(isinstance(each, Machine) and each.bits == 8 for each in (*one, *other))
    return bytes_ or bool({_plain(each) for each in one} & {_plain(each) for each in other})


def _plain(type: Type) -> object:
    return type.bits if isinstance(type, Machine) else type


def _pointed(state: EntryState) -> Iterator[_Object]:
    for part in state.program.entry_parts:
        if part.kind is EntryKind.LENGTH:
            own = [name for name in held(state, part.text) if name in state.variables]
            yield _Object(
                part.text,
                tuple(own),
                _types(state, own),
                is_compared=part.compared,
                is_apart=part.apart,
            )


def _variables(state: EntryState) -> Iterator[_Object]:
    """Those that the function may use, and that can be pointed at by their name."""
    scopes = state.program.procedure[state.function].scopes or {}
    scope = scopes.get(CONTRACT)
    apart = any(part.apart for part in state.program.entry_parts)
    named: dict[str, list[str]] = {}
    shared = {each.name for each in state.program.globals}
    for name, text in (scope.before if scope else {}).items():
        if name in shared:
            named.setdefault(text.split(".")[0].split("[")[0], []).append(name)
    for text, names in named.items():
        if text.isidentifier():
            yield _Object(f"&{text}", tuple(names), _types(state, names), is_variable=True, is_apart=apart)


def unnamed(state: EntryState) -> bool:
    """Whether the function writes to variables that have no name where it stands, which a pointer might lead to."""
    known = {name for each in (*_pointed(state), *_variables(state)) for name in each.variables}
    own = {part.variable for part in state.program.entry_parts}
    written = changed(state)
    return any(
        each.name in written and each.name not in known | own and not each.name.startswith(("input.", "memory.$"))
        for each in state.program.globals
    )


def _types(state: EntryState, names: Sequence[str]) -> frozenset[Type]:
    found = (state.variables[name].type for name in names)
    return frozenset(each.element if isinstance(each, Array) else each for each in found)
