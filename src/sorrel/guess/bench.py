"""A clause in a solver, where what is guessed of its calls and of its head is tried."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import field
from typing import Generic, TypeVar

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Session


@dataclass
class Bench:
    """A clause and all that is known of its calls. What is guessed is said under switches, each when it comes up."""

    clause: Clause
    session: Session
    switches: dict[Hashable, Term] = field(default_factory=dict)

    def switch(self, key: Hashable, said: Callable[[], Term]) -> Term:
        """The literal under which something is said; it is said once."""
        if key not in self.switches:
            self.switches[key] = terms.variable(f"on!{len(self.switches)}", terms.BOOL)
            self.session.add(terms.implication(self.switches[key], said()))
        return self.switches[key]


Kind = TypeVar("Kind", bound=Bench)


class Benches(Generic[Kind]):
    """One for each clause, made when it is asked for; with `most` given, the oldest make room for new ones."""

    def __init__(self, make: Callable[[Clause], Kind], most: int | None = None) -> None:
        self._make = make
        self._most = most
        self._made: dict[str, Kind] = {}

    def of(self, clause: Clause) -> Kind:
        bench = self._made.pop(clause.name, None) or self._make(clause)
        self._made[clause.name] = bench
        if self._most is not None and len(self._made) > self._most:
            del self._made[next(iter(self._made))]
        return bench


def session_of(clause: Clause, oracle: Oracle, known: Summaries, kind: str) -> Session:
    """A solver that knows the clause's constraint, and what is known of its calls."""
    session = oracle.session(kind)
    session.add(*given(clause, known))
    return session


def given(clause: Clause, known: Summaries) -> list[Term]:
    """The constraint of the clause, and what is known of its calls."""
    at_calls = [terms.substitute(known[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in known]
    return [clause.constraint, *at_calls]


def atoms(clause: Clause) -> list[Atom]:
    """The calls, and the head behind them."""
    return [*clause.body, *([clause.head] if clause.head else [])]
