"""The parts of a candidate summary: each is a formula, as a circuit for the teacher and as a term for people."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field
from typing import Protocol

from sorrel.engines.cdnf.layout import Behaviour, Layout
from sorrel.engines.cdnf.learner import Around
from sorrel.finite.function import FiniteFunction
from sorrel.logic import terms, words
from sorrel.logic.compiled import holds
from sorrel.logic.listing import listing, width_of
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.bits import encode
from sorrel.smt.sat import TRUE, Circuit, Literal


class Conjunct(Protocol):
    """A statement about the behaviours of the functions."""

    def literal(self, circuit: Circuit, layout: Layout, function: str, vector: Sequence[Literal]) -> Literal:
        """Its truth at a behaviour of the function, given by the literals of its bits."""

    def term(self, layout: Layout, function: FiniteFunction) -> Term:
        """What it says about one function, over its formals."""

    def holds(self, layout: Layout, behaviour: Behaviour) -> bool: ...


@dataclass(eq=False)
class Formula:
    """A formula over the parameters and results of one function; nothing about the others."""

    function: FiniteFunction
    formula: Term

    def __post_init__(self) -> None:
        self._listing = listing(self.function.formals, [self.formula])
        self._holds = holds(self.function.formals, self.formula)

    def literal(self, circuit: Circuit, layout: Layout, function: str, vector: Sequence[Literal]) -> Literal:
        if function != self.function.name:
            return TRUE
        values = [vector[at : at + width] for at, width in layout.words(function)]
        return encode(circuit, self._listing, values)[0][0]

    def term(self, layout: Layout, function: FiniteFunction) -> Term:
        return self.formula if function is self.function else terms.TRUE

    def holds(self, layout: Layout, behaviour: Behaviour) -> bool:
        return behaviour.function != self.function.name or self._holds(behaviour.values)


def fact(function: FiniteFunction, arguments: Sequence[int], results: Sequence[int] | None) -> Formula:
    """arguments = c ⇒ results = f(c); without results, that no run on c returns."""
    count = len(function.parameters)
    given = [_is_value(p, value) for p, value in zip(function.parameters, arguments, strict=True)]
    found = (
        [terms.FALSE]
        if results is None
        else [_is_value(r, value) for r, value in zip(function.formals[count:], results, strict=True)]
    )
    return Formula(function, terms.implication(terms.conjunction(given), terms.conjunction(found)))


def _is_value(variable: Term, value: int) -> Term:
    if terms.is_boolean(variable):
        return variable if value else terms.negation(variable)
    return terms.equal(variable, words.number(value, width_of(variable.sort())))


@dataclass(eq=False)
class BitClause:
    """Not all of the bits in `mask` are as in `value`: one clause over the bits of one function."""

    function: str
    mask: int
    value: int

    def literal(self, circuit: Circuit, layout: Layout, function: str, vector: Sequence[Literal]) -> Literal:
        if function != self.function:
            return TRUE
        return -circuit.all_of(cube_literals(self.mask, self.value, vector))

    def term(self, layout: Layout, function: FiniteFunction) -> Term:
        if function.name != self.function:
            return terms.TRUE
        return terms.negation(cube_term(layout, function, self.mask, self.value))

    def holds(self, layout: Layout, behaviour: Behaviour) -> bool:
        return behaviour.function != self.function or layout.point(behaviour) & self.mask != self.value & self.mask


@dataclass(eq=False)
class Learned:
    """A part of the learner's hypothesis as it stood when this was made."""

    around: Around
    terms_: tuple[int, ...] = field(init=False)

    def __post_init__(self) -> None:
        self.terms_ = tuple(self.around.terms)

    def literal(self, circuit: Circuit, layout: Layout, function: str, vector: Sequence[Literal]) -> Literal:
        base = self.around.base
        found = -TRUE
        for term in self.terms_:  # one after the other: when terms are added, the gates of the first are shared
            found = circuit.any_of((found, circuit.all_of(cube_literals(term, ~base, vector))))
        return found

    def term(self, layout: Layout, function: FiniteFunction) -> Term:
        return terms.disjunction(cube_term(layout, function, t, ~self.around.base) for t in self.terms_)

    def holds(self, layout: Layout, behaviour: Behaviour) -> bool:
        difference = layout.point(behaviour) ^ self.around.base
        return any(term & difference == term for term in self.terms_)


def cube_literals(mask: int, value: int, vector: Sequence[Literal]) -> list[Literal]:
    """The bits of the mask have the bits of the value."""
    found = []
    while mask:
        place = (mask & -mask).bit_length() - 1
        mask &= mask - 1
        found.append(vector[place] if value >> place & 1 else -vector[place])
    return found


def cube_term(layout: Layout, function: FiniteFunction, mask: int, value: int) -> Term:
    """The same over the formals: masked equations, and equations where all bits of a word are given."""
    own = layout.tag(function.name)
    parts: list[Term] = []
    for formal, (at, width) in zip(function.formals, layout.words(function.name), strict=True):
        here = mask >> at & ((1 << width) - 1)
        wanted = value >> at & here
        mask &= ~(here << at)
        if not here:
            continue
        if terms.is_boolean(formal):
            parts.append(formal if wanted else terms.negation(formal))
        elif here == (1 << width) - 1:
            parts.append(terms.equal(formal, words.number(wanted, width)))
        else:
            parts.append(terms.equal(formal & words.number(here, width), words.number(wanted, width)))
    # What is left is tag and padding, which are constants for this function.
    return terms.conjunction(parts) if own & mask == value & mask else terms.FALSE
