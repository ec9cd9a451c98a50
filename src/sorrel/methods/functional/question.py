"""Questions about functional programs, read once."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import field, replace
from functools import cached_property

from sorrel.encode.descent import Descent, Group
from sorrel.encode.refinement.descent import descent
from sorrel.encode.refinement.encoding import Encoding, encode
from sorrel.encode.refinement.precision import Precision
from sorrel.evidence.effort import Effort
from sorrel.evidence.worth import judged
from sorrel.functional.execution import Kind
from sorrel.functional.exploration import only_run
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Terminating
from sorrel.logic import terms
from sorrel.logic.printing_ml import ml_syntax, variables_of
from sorrel.logic.terms import Term
from sorrel.methods.features import Features, Subject
from sorrel.methods.schedule import Lane
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Assumption, Outcome, Ranking
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass

DEEPEST = 40_000
"""Walks through terms are recursive; Python's own limit is for programs that people write by hand."""
_FITS = "no integer leaves its 63 bits"
NO_OVERFLOW = Assumption(AssumptionKind.OVERFLOW, f"{_FITS} (--property no-overflow checks it)", words=_FITS)
_KINDS = {
    Property.ASSERTIONS: Kind.ASSERTION,
    Property.VALID_DEREF: Kind.BOUNDS,
    Property.NO_DIVISION_BY_ZERO: Kind.DIVISION,
    Property.NO_OVERFLOW: Kind.OVERFLOW,
    Property.NO_EXCEPTIONS: Kind.EXCEPTION,
}


@dataclass(eq=False)
class FunctionalQuestion:
    """`texts` are the files by name, for whoever compiles them."""

    program: Program
    task: Task
    texts: Sequence[tuple[str, str]]
    known: dict[str, Summaries] = field(default_factory=dict)
    _encodings: dict[tuple[frozenset[Kind], str], Encoding] = field(default_factory=dict)

    def __post_init__(self) -> None:
        sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
        if not self._is_ending:
            _kind(self.task)

    @property
    def _is_ending(self) -> bool:
        return self.task.goal is Property.TERMINATION

    @property
    def features(self) -> Features:
        if self._is_ending:
            return Features(Subject.FUNCTIONAL_ENDING)
        return Features(Subject.FUNCTIONAL, closed=self._closed)

    @cached_property
    def _closed(self) -> bool:
        return only_run(self.program, self.forbidden) is not None

    def clauses(self) -> HornSystem | None:
        return None if self._is_ending else self.encoding(self.forbidden).system

    def look_alone(self) -> None:
        """Known from the start."""

    def prepare(self, lane: Lane) -> None:
        """Nothing has to be made before solvers run."""

    def effort(self, given: Effort) -> Effort:
        return replace(given, proofs=[])

    def finished(self, outcome: Outcome, effort: Effort) -> Outcome:
        return judged(outcome, effort.options)

    @cached_property
    def forbidden(self) -> frozenset[Kind]:
        return frozenset({_kind(self.task)})

    @cached_property
    def simpler(self) -> Program:
        """The program as it is proved about."""
        return simplified(self.program)

    def encoding(self, forbidden: frozenset[Kind], precision: Precision | None = None) -> Encoding:
        """The clauses of what is forbidden, made once for all attempts that ask for them."""
        key = (forbidden, repr(precision))
        if key not in self._encodings:
            self._encodings[key] = encode(self.simpler, forbidden, precision)
        return self._encodings[key]

    @cached_property
    def descent(self) -> Descent:
        return descent(self.simpler)

    def proved_to_end(self, outcome: Outcome, verdict: Terminating, effort: Effort) -> Outcome:
        told = tuple(
            Ranking(f"calls of {function}", tuple(_component(group, function, each) for each in rank.components))
            for group in self.descent.groups
            for rank in verdict.ranks.get(group.obligation.name, ())
            for function in group.procedures
        )
        return replace(outcome, assumptions=(NO_OVERFLOW,), rankings=told)


def _component(group: Group, function: str, component: Term) -> str:
    """A part of a rank at a call of the function, where the places of the others are 0."""
    pairs: list[tuple[Term, Term]] = []
    for (owner, variable), formal in zip(group.inputs, group.obligation.before, strict=True):
        if not variable:
            pairs.append((formal, terms.integer(int(owner == function))))
        elif owner != function:
            pairs.append((formal, terms.integer(0)))
        else:
            pairs.append((formal, terms.variable(variable, terms.INT)))
    said = terms.simplify(terms.substitute(component, pairs))
    return ml_syntax(said, {name: name for name in variables_of(said)})


def _kind(task: Task) -> Kind:
    kind = _KINDS.get(task.goal)
    if kind is None:
        raise UsageError(
            f"{task.goal} is not checked for OCaml; there are: {', '.join([*_KINDS, Property.TERMINATION])}"
        )
    return kind
