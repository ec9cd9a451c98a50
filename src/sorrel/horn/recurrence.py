"""A recurrent set as evidence: states of a loop, the ways round it, and a state that a run reaches."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.logic import terms
from sorrel.logic.printing_smtlib import smtlib, smtlib_sort, symbol
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

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

    def declarations(self) -> str:
        """The loop's variables, as SMT-LIB commands."""
        return "\n".join(f"(declare-const {symbol(terms.name_of(v))} {smtlib_sort(v.sort())})" for v, _ in self.start)

    def questions(self) -> list[str]:
        """As SMT-LIB assertions, each of which cannot be met: the start is outside, and a state has no way back."""
        here = [terms.equal(variable, value) for variable, value in self.start]
        outside = terms.conjunction([*here, terms.negation(self.states)])
        return [f"(assert {smtlib(claim)})" for claim in (outside, self.leaving())]

    def script(self) -> str:
        """For any solver with bit-vectors: the claim holds if it answers unsat twice."""
        asked = [f"(push 1)\n{question}\n(check-sat) ; unsat\n(pop 1)" for question in self.questions()]
        lines = ["(set-info :sorrel-certificate recurrent)", "(set-logic ALL)", self.declarations(), *asked]
        return "\n".join(lines) + "\n"
