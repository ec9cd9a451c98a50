"""What runs of a function do between their rests, as terms: for engines that explore several runs side by side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from sorrel.logic import terms
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass
from sorrel.program.types import Type
from sorrel.relate.rests import Course


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    """A value of a function of which nothing is known, as a term of the solver's own functions."""

    function: str
    arguments: tuple[tuple[Term, Type], ...]
    result: Term
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Edge:
    """If `conditions` hold of the variables `start`, the run comes to `target` and those in `values` have changed.

    `chosen` are the values that the run chose, in order; `open` are all variables in the terms that are not in `start`.
    `statements` are how many statements it executes.
    """

    target: str
    start: Mapping[str, Term]
    conditions: tuple[Term, ...]
    values: Mapping[str, Term]
    chosen: tuple[tuple[Term, Type], ...]
    applied: tuple[Applied, ...]
    open: tuple[Term, ...]
    statements: int


@dataclass(frozen=True, slots=True, eq=False)
class Flow:
    """`paths` follow those of the course. `sides` are those of a decision: what holds if its condition does, and else.

    `rounds` are the ways once round a loop, by its head; None: there is a loop inside, and a round can do anything.
    `first` are the values at the entry with what may be said of them; `facts` says what the type of a variable says.
    """

    course: Course
    paths: Mapping[str, Edge]
    sides: Mapping[str, tuple[Edge, Edge]]
    rounds: Mapping[str, tuple[Edge, ...] | None]
    sorts: Mapping[str, Sort]
    facts: Callable[[str, Term], list[Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Required:
    """A part of what is required; `about` are the variables that it speaks of, by run and name."""

    formula: Term
    about: tuple[tuple[int, str], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Question:
    """Do all tuples of runs that meet what is required meet what is ensured?

    `formals` are the variables that formulas use for those of the runs, by run and name; `start` are the values of
    each run at its entry, with `known` about them, and `chosen` those among them that the run chose.
    """

    flows: tuple[Flow, ...]
    formals: Mapping[tuple[int, str], Term]
    required: tuple[Required, ...]
    ensured: Term
    start: tuple[Mapping[str, Term], ...]
    known: tuple[Term, ...]
    chosen: tuple[tuple[tuple[Term, Type], ...], ...]

    @property
    def violation(self) -> Term:
        """What is required holds, what is ensured does not."""
        return terms.conjunction([*(each.formula for each in self.required), terms.negation(self.ensured)])

    def permuted(self, formula: Term, permutation: Sequence[int]) -> Term:
        """The formula about the runs in another order."""
        pairs = [(variable, self.formals[permutation[run], name]) for (run, name), variable in self.formals.items()]
        return terms.substitute(formula, pairs)
