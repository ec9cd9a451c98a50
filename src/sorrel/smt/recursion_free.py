"""Solve Horn systems without recursion: tree interpolation by other means.

Spacer without inlining gives compact, quantifier-free solutions (notes in docs/decisions/0004). Where it does
not answer in time, predicates are defined by what their clauses say, with quantifiers only as a last resort.
"""

from __future__ import annotations

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt import fixedpoint
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle


def solve_recursion_free(system: HornSystem, oracle: Oracle, *, seconds: float = 5.0) -> Summaries:
    """A solution of a system that has one. The caller checks: a solver's word is not taken here either."""
    for ask in (fixedpoint.refute, fixedpoint.solve):
        match ask(system, oracle, seconds=seconds):
            case fixedpoint.Solved(summaries) if is_solution(system, summaries, oracle):
                return summaries
    return strongest(system, oracle)


def is_solution(system: HornSystem, summaries: Summaries, oracle: Oracle) -> bool:
    """Is every clause valid under the summaries, as far as the oracle can tell?"""
    return all(oracle.entails(_premise(c, summaries), _conclusion(c, summaries), "solution") for c in system.clauses)


def _premise(clause: Clause, summaries: Summaries) -> Term:
    calls = [terms.substitute(summaries[a.predicate.name], a.bind()) for a in clause.body]
    return terms.conjunction([clause.constraint, *calls])


def _conclusion(clause: Clause, summaries: Summaries) -> Term:
    if clause.head is None:
        return terms.FALSE
    return terms.substitute(summaries[clause.head.predicate.name], clause.head.bind())


def strongest(system: HornSystem, oracle: Oracle) -> Summaries:
    """Each predicate is exactly what its clauses derive, callees first."""
    found: dict[str, Term] = {}
    for (name,) in system.call_graph.components:
        predicate = system.predicate[name]
        cases = [_image(clause, predicate, found, oracle) for clause in system.defining[name]]
        found[name] = terms.disjunction(cases)
    return found


def _image(clause: Clause, predicate: Predicate, found: Summaries, oracle: Oracle) -> Term:
    """∃ locals. body ∧ formals = head arguments, over the formals."""
    if clause.head is None:
        return terms.FALSE
    # The clause's variables may be named like formals: rename them first.
    renaming = [(v, terms.variable(f"{v.decl().name()}!local", v.sort())) for v in clause.variables]
    premise = terms.substitute(_premise(clause, found), renaming)
    arguments = [terms.substitute(a, renaming) for a in clause.head.arguments]
    bound: dict[int, tuple[Term, Term]] = {}
    equations: list[Term] = []
    for formal, argument in zip(predicate.formals, arguments, strict=True):
        if terms.is_variable(argument) and argument.get_id() not in bound:
            bound[argument.get_id()] = (argument, formal)
        else:
            equations.append(terms.equal(formal, argument))
    image = terms.substitute(terms.conjunction([premise, *equations]), bound.values())
    formals = {f.get_id() for f in predicate.formals}
    local = [v for v in walk.free_variables(image) if v.get_id() not in formals]
    if not local:
        return image
    exact = project_exact(oracle, image, local, seconds=1.0)
    return exact if exact is not None else terms.exists(local, image)
