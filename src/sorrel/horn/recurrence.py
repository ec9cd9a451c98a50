"""A recurrent set as evidence: states of a loop, the ways round it, and a state that a run reaches."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sorrel.logic import terms
from sorrel.logic.terms import Term

Pairs = Sequence[tuple[Term, Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """One way to come back: where `condition` holds of the variables, they get the values in `after`."""

    condition: Term
    after: Pairs


@dataclass(frozen=True, slots=True, eq=False)
class RecurrentSet:
    """The claim: the state `start`, which gives each variable its value, is one of `states`, and from each of these
    some round leads to another one of them. So there is a run that never leaves them.
    """

    states: Term
    rounds: tuple[Round, ...]
    start: Pairs

    def leaving(self) -> Term:
        """Of a state of the set: no round leads back into it. The claim is that this cannot be."""
        back = [terms.conjunction([r.condition, terms.substitute(self.states, r.after)]) for r in self.rounds]
        return terms.conjunction([self.states, terms.negation(terms.disjunction(back))])
