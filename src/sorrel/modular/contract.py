"""The summaries of a component as text over numbered arguments, which renaming a variable leaves readable.

One definition for each predicate, sorted by canonical names (`even`, `even.loop1`). What is read back is a claim like
any other: it has the right shape, and that is all.
"""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.encode.points import Point
from sorrel.horn.clause import Argument, Predicate
from sorrel.horn.text import read_definition, write_definition
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.printing_smtlib import symbol
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.modular.canonical import canonical_names
from sorrel.modular.component import Component


class WrongShape(Exception):
    """The text is no contract of this component: where it differs."""


def names_of(points: Mapping[str, Point]) -> Mapping[str, str]:
    """The canonical names of a component's own predicates."""
    return canonical_names([(name, point.procedure, str(point.place)) for name, point in points.items()])


def write_contract(component: Component, summaries: Summaries) -> tuple[str, ...]:
    """A line for each predicate of the component."""
    names = names_of(component.points)
    lines = {}
    for predicate in component.own:
        numbered = _numbered(predicate, names[predicate.name])
        pairs = list(zip(predicate.formals, numbered.formals, strict=True))
        text = write_definition(numbered, terms.substitute(summaries[predicate.name], pairs))
        lines[names[predicate.name]] = " ".join(text.split())
    return tuple(lines[name] for name in sorted(lines))


def read_contract(component: Component, lines: tuple[str, ...]) -> Summaries:
    """The summaries of the component's own predicates; raises WrongShape if the lines are no such thing.

    No lines claim nothing, which is enough for a component in which nothing can go wrong.
    """
    if not lines:
        return nothing_known(component)
    if len(lines) != len(component.own):
        raise WrongShape(f"it has {len(lines)} definitions for {len(component.own)} predicates")
    names = names_of(component.points)
    return {predicate.name: read_summary(predicate, names[predicate.name], lines) for predicate in component.own}


def read_summary(predicate: Predicate, name: str, lines: tuple[str, ...]) -> Term:
    """What the lines of a contract say of one predicate, which has this canonical name.

    Each line is read for itself, so that no other can change what it says: whoever reads one for a caller, without the
    component that it is about, reads what was checked there.
    """
    if not lines:
        return terms.TRUE
    beginning = f"(define-fun {symbol(name)} "
    own = [line for line in lines if line.startswith(beginning)]
    if len(own) != 1:
        raise WrongShape(f"it says {'nothing' if not own else 'several things'} about {name}")
    stored = _numbered(predicate, name)
    try:
        return read_definition(stored, own[0], "contract", predicate.formals)
    except InputError as problem:
        raise WrongShape(problem.message) from None


def nothing_known(component: Component) -> Summaries:
    """What holds of any component."""
    return {predicate.name: terms.TRUE for predicate in component.own}


def _numbered(predicate: Predicate, name: str) -> Predicate:
    return Predicate(name, tuple(Argument(f"a{i}", argument.sort) for i, argument in enumerate(predicate.arguments)))
