"""Clauses with one call each as one transition system: a state is a predicate with its arguments."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from sorrel.engines.tpa.plan import PLAN
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import assignment_from, evaluate
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle, Sat

"""For a clause without variables of its own; where that fails they stay."""

Point = tuple[Term, ...]
"""Values of a state."""


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """`body` over states and over variables of its own, which every use has to rename."""

    body: Term
    own: tuple[Term, ...] = ()

    def at(self, pairs: Iterable[tuple[Term, Term]], tag: str) -> Term:
        fresh = [(v, terms.variable(f"{terms.name_of(v)}@{tag}", v.sort())) for v in self.own]
        return terms.substitute(self.body, [*pairs, *fresh])


class TransitionSystem:
    """Arguments of the same sort share variables; which predicate it is, truth values say, one of which is true.

    `facts` are inductive: all that is reached satisfies them.
    """

    def __init__(self, system: HornSystem, facts: Summaries, oracle: Oracle) -> None:
        self.system = system
        self._facts = facts
        self._oracle = oracle
        self._names = Names()
        self._places = system.predicates if len(system.predicates) > 1 else ()
        sorts = _slots(system.predicates)
        self.state: Point = tuple(
            [self._names.variable(f"at.{p.name}", terms.BOOL) for p in self._places]
            + [self._names.variable(f"s{number}", sort) for number, sort in enumerate(sorts)]
        )
        self.later = self.copy("next")
        self._sorts = sorts
        self.initial = self._joined([c for c in system.clauses if c.head and not c.body])
        self.step = self._joined([c for c in system.clauses if c.head and c.body])
        self.bad = self._joined([c for c in system.clauses if not c.head and c.body])

    def copy(self, tag: str) -> Point:
        return tuple(terms.variable(f"{terms.name_of(v)}.{tag}", v.sort()) for v in self.state)

    # --- formulas -------------------------------------------------------------------------------------------

    def _joined(self, clauses: Sequence[Clause]) -> Formula:
        parts = [self._formula(clause) for clause in clauses]
        return Formula(terms.disjunction(p.body for p in parts), tuple(v for p in parts for v in p.own))

    def _formula(self, clause: Clause) -> Formula:
        """The clause between the state of its call and that of its head; a fact speaks of `state`."""
        fresh, _ = clause.rename_apart(self._names)
        after = self.later if fresh.body else self.state
        parts = [fresh.constraint]
        for atom, state in [(a, self.state) for a in fresh.body] + ([(fresh.head, after)] if fresh.head else []):
            values = self.values(atom)
            parts += [terms.equal(v, value) for v, value in zip(state, values, strict=True)]
            known = self._facts.get(atom.predicate.name)
            parts += [terms.substitute(known, atom.bind())] if known is not None else []
        formula = terms.conjunction(parts)
        without = project_exact(self._oracle, formula, fresh.variables, PLAN.inlined)
        return Formula(without) if without is not None else Formula(formula, fresh.variables)

    def values(self, atom: Atom) -> list[Term]:
        """The state of an atom: what it does not have is set to a value of its sort."""
        places = [terms.TRUE if p is atom.predicate else terms.FALSE for p in self._places]
        waiting = list(atom.arguments)
        found: list[Term] = []
        for sort in self._sorts:
            index = next((i for i, argument in enumerate(waiting) if argument.sort() == sort), None)
            found.append(terms.default_value(sort) if index is None else waiting.pop(index))
        return places + found

    # --- and back -------------------------------------------------------------------------------------------

    def summaries(self, invariant: Term) -> Summaries:
        """What a set of states says of each predicate."""
        found: dict[str, Term] = {}
        for predicate in self.system.predicates:
            values = self.values(Atom(predicate, predicate.formals))
            here = terms.substitute(invariant, zip(self.state, values, strict=True))
            found[predicate.name] = terms.simplify(here)
        return found

    def derivation(self, points: Sequence[Point]) -> Derivation | None:
        """The clauses between one state and the next; None if a solver did not find them again."""
        steps: list[Step] = []
        for before, after in zip([None, *points], [*points, None], strict=True):
            step = self._step(before, after, len(steps))
            if step is None:
                return None
            steps.append(step)
        return Derivation(tuple(steps))

    def _step(self, before: Point | None, after: Point | None, number: int) -> Step | None:
        for clause in self._between(before, after):
            ends = [(a, before) for a in clause.body] + ([(clause.head, after)] if clause.head else [])
            values = self._assigned(clause, ends)
            if values is not None:
                return Step(clause.name, values, (number - 1,) if clause.body else ())
        return None

    def _between(self, before: Point | None, after: Point | None) -> Sequence[Clause]:
        return self._by_ends.get((self._place(before), self._place(after)), ())

    def _place(self, point: Point | None) -> str | None:
        if point is None:
            return None
        for place, value in zip(self._places, point, strict=False):
            if terms.is_true(value):
                return place.name
        return self.system.predicates[0].name

    @cached_property
    def _by_ends(self) -> Mapping[tuple[str | None, str | None], list[Clause]]:
        found: dict[tuple[str | None, str | None], list[Clause]] = {}
        for clause in self.system.clauses:
            begin = clause.body[0].predicate.name if clause.body else None
            found.setdefault((begin, clause.head.predicate.name if clause.head else None), []).append(clause)
        return found

    def _assigned(self, clause: Clause, ends: Sequence[tuple[Atom, Point | None]]) -> dict[Term, Term] | None:
        """Values of the clause's variables, by evaluation where the ends tell all of them, else by the solver."""
        known: dict[Term, Term] = {}
        equations: list[Term] = []
        for atom, point in ends:
            for value, argument in zip(point or (), self.values(atom), strict=True):
                if terms.is_variable(argument):
                    known.setdefault(argument, value)
                equations.append(terms.equal(argument, value))
        formula = evaluate(terms.conjunction([*equations, clause.constraint]), known)
        if terms.is_false(formula):
            return None
        rest = [v for v in clause.variables if v not in known]
        if terms.is_true(formula):
            return {**known, **{v: terms.default_value(v.sort()) for v in rest}}
        match self._oracle.check(formula, kind="tpa.step"):
            case Sat(model):
                return {**known, **assignment_from(model, rest)}
        return None


def _slots(predicates: Sequence[Predicate]) -> list[terms.Sort]:
    """So many variables of each sort as the predicate has that has most."""
    found: list[terms.Sort] = []
    for predicate in predicates:
        missing = list(found)
        for sort in predicate.sorts:
            index = next((i for i, known in enumerate(missing) if known == sort), None)
            if index is None:
                found.append(sort)
            else:
                missing.pop(index)
    return found
