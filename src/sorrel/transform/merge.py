"""Merge clauses that differ in their constraints only: one large block instead of many small ones."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.transform.lift import Transformed, complete, ground

MOST_NODES = 5_000
"""Merged constraints beyond this size slow a solver down more than the clauses they replace."""


@dataclass(frozen=True, slots=True, eq=False)
class _Part:
    """A merged clause, and the term over the new variables that each of its own stands for."""

    clause: Clause
    guard: Term
    stands_for: tuple[tuple[Term, Term], ...]


def merge_clauses(system: HornSystem) -> Transformed:
    """Clauses with the same head and the same calls in the same order become one, with a disjunction."""
    groups: dict[tuple[str, ...], list[Clause]] = {}
    for clause in system.clauses:
        head = clause.head.predicate.name if clause.head else ""
        groups.setdefault((head, *(a.predicate.name for a in clause.body)), []).append(clause)
    merged: dict[str, list[_Part]] = {}
    clauses: list[Clause] = []
    for group in groups.values():
        if len(group) == 1 or sum(walk.size(c.formula) for c in group) > MOST_NODES:
            clauses.extend(group)
            continue
        clause, parts = _merge(group)
        clauses.append(clause)
        merged[clause.name] = parts

    def derivation(found: Derivation) -> Derivation:
        return Derivation(
            tuple(_choose(step, merged[step.clause]) if step.clause in merged else step for step in found.steps)
        )

    return Transformed(system.with_clauses(clauses), lambda found, _: found, derivation)


def _merge(group: Sequence[Clause]) -> tuple[Clause, list[_Part]]:
    names = Names()
    first = group[0]
    head = _fresh_atom(first.head.predicate, names) if first.head else None
    body = tuple(_fresh_atom(atom.predicate, names) for atom in first.body)
    atoms = [*body, *([head] if head else [])]
    parts = [_part(clause, atoms, names) for clause in group]
    constraint = terms.disjunction(part.guard for part in parts)
    return Clause(first.name, head, body, constraint, first.origin), parts


def _fresh_atom(predicate: Predicate, names: Names) -> Atom:
    return Atom(predicate, tuple(names.variable(a.name, a.sort) for a in predicate.arguments))


def _part(clause: Clause, atoms: Sequence[Atom], names: Names) -> _Part:
    """The clause's constraint with its calls and head at the shared variables."""
    bound: dict[int, tuple[Term, Term]] = {}
    pairs: list[tuple[Term, Term]] = []
    own = [*clause.body, *([clause.head] if clause.head else [])]
    for atom, shared in zip(own, atoms, strict=True):
        for argument, variable in zip(atom.arguments, shared.arguments, strict=True):
            if terms.is_variable(argument) and argument.get_id() not in bound:
                bound[argument.get_id()] = (argument, variable)
            else:
                pairs.append((argument, variable))
    others = [v for v in clause.variables if v.get_id() not in bound]
    stands_for = [*bound.values(), *names.variables_like(others)]
    equations = [terms.equal(variable, terms.substitute(argument, stands_for)) for argument, variable in pairs]
    guard = terms.conjunction([*equations, terms.substitute(clause.constraint, stands_for)])
    return _Part(clause, guard, tuple(stands_for))


def _choose(step: Step, parts: Sequence[_Part]) -> Step:
    """The original clause whose guard holds on the values of the step."""
    for part in parts:
        if terms.is_true(evaluate(part.guard, step.values)):
            values = {variable: ground(term, list(step.values.items())) for variable, term in part.stands_for}
            return Step(part.clause.name, complete(part.clause, values), step.premises)
    raise InternalError(f"no clause merged into {step.clause} allows this step")
