"""Clauses with their heads at the formals of the predicate: what bodies and environments are made of."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """constraint ∧ calls ⇒ p(formals); a query has no predicate. `local`: variables that are not formals (loc_C)."""

    clause: Clause
    predicate: Predicate | None
    constraint: Term
    calls: tuple[Atom, ...]
    local: tuple[Term, ...]

    def instance(self, actuals: Sequence[Term], level: int) -> Rule:
        """The rule for one call on a path: formals become the arguments, locals get names of their own."""
        fresh = [terms.variable(f"{v.decl().name()}@{level}", v.sort()) for v in self.local]
        pairs = list(zip(self.local, fresh, strict=True))
        if self.predicate:
            pairs += zip(self.predicate.formals, actuals, strict=True)
        return Rule(
            self.clause,
            self.predicate,
            terms.substitute(self.constraint, pairs),
            tuple(call.substitute(pairs) for call in self.calls),
            tuple(fresh),
        )


def rule_of(clause: Clause) -> Rule:
    if clause.head is None:
        return Rule(clause, None, clause.constraint, clause.body, clause.variables)
    predicate = clause.head.predicate
    names = Names(a.name for a in predicate.arguments)
    bound: dict[int, tuple[Term, Term]] = {}
    rest: list[tuple[Term, Term]] = []
    for formal, argument in zip(predicate.formals, clause.head.arguments, strict=True):
        if terms.is_variable(argument) and argument.get_id() not in bound:
            bound[argument.get_id()] = (argument, formal)
        else:
            rest.append((formal, argument))
    others = names.variables_like([v for v in clause.variables if v.get_id() not in bound])
    pairs = [*bound.values(), *others]
    equations = [terms.equal(formal, terms.substitute(argument, pairs)) for formal, argument in rest]
    return Rule(
        clause,
        predicate,
        terms.conjunction([terms.substitute(clause.constraint, pairs), *equations]),
        tuple(atom.substitute(pairs) for atom in clause.body),
        tuple(fresh for _, fresh in others),
    )


@dataclass(frozen=True, slots=True, eq=False)
class Rules:
    """All rules of a system, by predicate; queries apart."""

    by_predicate: dict[str, tuple[Rule, ...]]
    queries: tuple[Rule, ...]

    @staticmethod
    def of(system: HornSystem) -> Rules:
        return Rules(
            {name: tuple(map(rule_of, clauses)) for name, clauses in system.defining.items()},
            tuple(map(rule_of, system.queries)),
        )
