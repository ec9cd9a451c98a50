"""Solve Horn systems without recursion: tree interpolation by other means.

Two questions. `solve_recursion_free` wants any solution, for lifting: Spacer without inlining gives compact,
quantifier-free ones (notes in docs/decisions/0004); where it does not answer in time, predicates are defined by
what their clauses say, with quantifiers only as a last resort.

`refinement` wants one that teaches something, for abstraction refinement and for interpolants of a derivation:
quantifier-free, over the formals alone, and checked clause by clause before it leaves. Its methods differ in how
general their answers are, so the caller gives the order:

    system = HornSystem(nodes, clauses)            # one predicate a node; a query that is not derivable
    found = refinement(system, oracle)             # found.summaries: by name, over the formals of each node
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from enum import StrEnum

from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.instances import without_quantifiers
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt import fixedpoint
from sorrel.smt.plan import PLAN
from sorrel.smt.projection import project_exact
from sorrel.smt.solver import Oracle, Session, Unsat
from sorrel.smt.tree_interpolation import by_farkas


def solve_recursion_free(system: HornSystem, oracle: Oracle, *, seconds: float = PLAN.recursion_free) -> Summaries:
    """A solution of a system that has one. The caller checks: a solver's word is not taken here either."""
    for ask in (fixedpoint.refute, fixedpoint.solve):
        match ask(system, oracle, seconds=seconds):
            case fixedpoint.Solved(summaries) if is_solution(system, summaries, oracle):
                return summaries
    return strongest(system, oracle)


def is_solution(system: HornSystem, summaries: Summaries, oracle: Oracle, recursion: Recursion = NOTHING) -> bool:
    """Is every clause valid under the summaries, as far as the oracle can tell?"""
    quick = oracle.plain_session("solution")
    return all(
        _holds(_premise(c, summaries), _conclusion(c, summaries), oracle, recursion, quick) for c in system.clauses
    )


def _holds(premise: Term, conclusion: Term, oracle: Oracle, recursion: Recursion, quick: Session) -> bool:
    """If it is not seen at once, by instances of the quantifiers, if there are any: that decides more, and sooner."""
    wrong = terms.conjunction([premise, terms.negation(conclusion)])
    if recursion:
        return isinstance(oracle.check(wrong, *recursion.facts(wrong), kind="solution"), Unsat)
    if isinstance(quick.check_with([wrong], seconds=PLAN.quick), Unsat):
        return True
    weaker = without_quantifiers(wrong)
    if weaker is not None and weaker is not wrong and isinstance(oracle.check(weaker, kind="solution"), Unsat):
        return True
    return oracle.entails(premise, conclusion, "solution") is True


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
    image = image_of(clause, predicate, found)
    formals = {f.get_id() for f in predicate.formals}
    local = [v for v in walk.free_variables(image) if v.get_id() not in formals]
    if not local:
        return image
    exact = None if oracle.clock.expired() else project_exact(oracle, image, local, seconds=PLAN.strongest)
    return exact if exact is not None else terms.exists(local, image)


def image_of(clause: Clause, predicate: Predicate, found: Summaries) -> Term:
    """body ∧ formals = head arguments, over the formals and the clause's variables by other names."""
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
    return terms.substitute(terms.conjunction([premise, *equations]), bound.values())


class Method(StrEnum):
    """Ways to solve a system without recursion."""

    SPACER = "spacer"  # property-directed: compact and general
    FARKAS = "farkas"  # sums of few inequalities: fewest predicates; derivation trees over linear arithmetic only
    STRONGEST = "strongest"  # by projection, callees first
    WEAKEST = "weakest"  # by projection, callers first


METHODS = (Method.SPACER, Method.FARKAS, Method.STRONGEST, Method.WEAKEST)
"""From the one that solved most to the ones that overfit (measured on the trees of 12 systems)."""


@dataclass(frozen=True, slots=True, eq=False)
class Refinement:
    """A solution, and the method that found it."""

    summaries: Summaries
    method: Method


def refinement(
    system: HornSystem, oracle: Oracle, *, methods: Sequence[Method] = METHODS, seconds: float = PLAN.refinement
) -> Refinement | None:
    """A quantifier-free solution of a system without recursion by the first method that has one.

    Each method gets at most `seconds`. None says only that none was found: the query may be derivable.
    """
    for method in methods:
        if oracle.clock.expired():
            return None
        found = _SOLVE[method](system, oracle, seconds)
        if found is not None and is_plain_solution(system, found, oracle):
            return Refinement(found, method)
    return None


def is_plain_solution(system: HornSystem, summaries: Summaries, oracle: Oracle) -> bool:
    """A solution without quantifiers, and without variables but the formals of each predicate."""
    for predicate in system.predicates:
        formals = {formal.get_id() for formal in predicate.formals}
        body = summaries[predicate.name]
        if walk.has_quantifier(body) or any(v.get_id() not in formals for v in walk.free_variables(body)):
            return False
    return is_solution(system, summaries, oracle)


def _by_spacer(system: HornSystem, oracle: Oracle, seconds: float) -> Summaries | None:
    match fixedpoint.refute(system, oracle, seconds=seconds):
        case fixedpoint.Solved(summaries):
            return summaries
    return None


def _strongest(system: HornSystem, oracle: Oracle, seconds: float) -> Summaries | None:
    return strongest(system, Oracle(oracle.clock.share(1.0, seconds), oracle.statistics, seed=oracle.seed))


def weakest(system: HornSystem, oracle: Oracle, seconds: float) -> Summaries | None:
    """Each predicate is all that its uses allow, callers first; None where a projection is not found.

    A use allows what keeps its clause valid while the other calls are as they are solved already, or as strong
    as can be. So the last call of each clause to be solved makes the clause valid.
    """
    limited = Oracle(oracle.clock.share(1.0, seconds), oracle.statistics, seed=oracle.seed)
    known = dict(strongest(system, limited))
    for (name,) in reversed(system.call_graph.components):
        if limited.clock.expired():
            return None
        allowed = []
        for clause in system.using[name]:
            for position, atom in enumerate(clause.body):
                if atom.predicate.name == name:
                    unwanted = _unwanted(clause, position, known, limited)
                    if unwanted is None:
                        return None
                    allowed.append(terms.negation(unwanted))
        known[name] = terms.conjunction(allowed)
    return known


def _unwanted(clause: Clause, position: int, known: Summaries, oracle: Oracle) -> Term | None:
    """What the call at this position must exclude, over the formals of its predicate."""
    call = clause.body[position]
    renaming = [(v, terms.variable(f"{terms.name_of(v)}!local", v.sort())) for v in clause.variables]
    others = [terms.substitute(known[a.predicate.name], a.bind()) for i, a in enumerate(clause.body) if i != position]
    around = terms.conjunction([clause.constraint, *others, terms.negation(_conclusion(clause, known))])
    equations = [terms.equal(formal, terms.substitute(argument, renaming)) for formal, argument in call.bind()]
    situation = terms.conjunction([terms.substitute(around, renaming), *equations])
    formals = {formal.get_id() for formal in call.predicate.formals}
    local = [v for v in walk.free_variables(situation) if v.get_id() not in formals]
    return project_exact(oracle, situation, local, seconds=PLAN.weakest)


_SOLVE: Mapping[Method, Callable[[HornSystem, Oracle, float], Summaries | None]] = {
    Method.SPACER: _by_spacer,
    Method.FARKAS: by_farkas,
    Method.STRONGEST: _strongest,
    Method.WEAKEST: weakest,
}
