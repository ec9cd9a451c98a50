"""Cut points: the places of a program that have a predicate, and what each of its arguments means there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from enum import StrEnum

from sorrel.encode.region import writable
from sorrel.encode.semantics import Semantics
from sorrel.horn.clause import Argument, Predicate, Role
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.program import Procedure
from sorrel.relate.copies import CopyOf


class Place(StrEnum):
    FUNCTION = "function"  # a whole procedure, from its entry to its return
    LOOP = "loop"  # the head of a loop
    JOIN = "join"  # a place where too many paths meet


class Moment(StrEnum):
    """When an argument's variable has its value."""

    ENTRY = "entry"  # at the entry of the procedure
    NOW = "now"  # at the cut point
    EXIT = "exit"  # at the return of the procedure
    OK = "ok"  # no variable: whether no assertion failed


@dataclass(frozen=True, slots=True)
class Meaning:
    """`unchanged`: the value at the entry of the procedure is that at the cut point, too."""

    moment: Moment
    variable: Variable | None = None
    is_global: bool = False
    unchanged: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Point:
    """`meanings` has one entry for each argument of the predicate."""

    predicate: Predicate
    place: Place
    procedure: str
    label: str
    span: Span
    meanings: tuple[Meaning, ...]


_ROLES = {Moment.ENTRY: Role.INPUT, Moment.NOW: Role.OUTPUT, Moment.EXIT: Role.OUTPUT, Moment.OK: Role.OK}


def predicate_for(
    name: str,
    meanings: Sequence[Meaning],
    semantics: Semantics,
    procedure: Procedure,
    copies: Mapping[str, CopyOf],
) -> Predicate:
    """Arguments are called as in the program; of two values of one variable, the older or newer one says so.

    In a product program they also say in which run they are, and what they are called there.
    """
    names = Names(reserved=FUNCTION_NAMES | {name})
    now = {m.variable for m in meanings if m.moment is Moment.NOW}
    at_entry = {m.variable for m in meanings if m.moment is Moment.ENTRY}
    arguments: list[Argument] = []
    for meaning in meanings:
        variable = meaning.variable
        if variable is None:
            arguments.append(Argument(names.fresh("ok"), terms.BOOL, Role.OK))
            continue
        wish = variable.name
        if meaning.moment is Moment.ENTRY and variable in now:
            wish += ".old"
        if meaning.moment is Moment.EXIT and variable in at_entry:
            wish += ".new"
        base = procedure.source_names.get(variable.name, variable.name)
        sort = semantics.sort(variable.type)
        role, copy = _ROLES[meaning.moment], copies.get(variable.name)
        if copy is not None:
            base, role = copy.base, Role.ACTIVATION if copy.activation else role
        run = copy.run if copy is not None else None
        arguments.append(Argument(names.fresh(writable(wish)), sort, role, run, base))
    return Predicate(name, tuple(arguments))
