"""What is missing for a proof: a fact about one call that, with what is known of others, would settle a query."""

from __future__ import annotations

from sorrel.guess.plan import PLAN
from sorrel.horn.clause import Atom
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_exact, project_over
from sorrel.smt.solver import Oracle, Sat


def missing(system: HornSystem, known: Summaries, oracle: Oracle) -> Summaries:
    """About the last call of the first query that the known facts do not settle; nothing if there is none to blame."""
    for query in system.queries:
        if not query.body:
            continue
        rest = [query.constraint, *(_at(atom, known) for atom in query.body)]
        if not isinstance(oracle.check(*rest, kind="missing", seconds=PLAN.missing_question), Sat):
            continue
        *others, target = query.body
        # Without what is known about the target itself: that would make the fact weaker, but longer.
        situation = terms.conjunction([query.constraint, *(_at(atom, known) for atom in others)])
        bad = _what_goes_wrong(target, situation, oracle)
        if bad is not None:
            return {target.predicate.name: terms.negation(bad)}
    return {}


def _at(atom: Atom, known: Summaries) -> Term:
    return terms.substitute(known.get(atom.predicate.name, terms.TRUE), atom.bind())


def _what_goes_wrong(target: Atom, situation: Term, oracle: Oracle) -> Term | None:
    """Over the formals of the target's predicate: at least the tuples with which the query can be derived."""
    shadows = [terms.variable(f"formal!{i}", f.sort()) for i, f in enumerate(target.predicate.formals)]
    equations = [terms.equal(shadow, argument) for shadow, argument in zip(shadows, target.arguments, strict=True)]
    formula = terms.conjunction([situation, *equations])
    kept = {shadow.get_id() for shadow in shadows}
    others = [v for v in walk.free_variables(formula) if v.get_id() not in kept]
    projected = project_exact(oracle, formula, others, seconds=PLAN.missing_projection)
    if projected is None:
        projected = project_over(oracle, formula, others)
    if terms.is_true(projected):
        return None
    return terms.substitute(projected, list(zip(shadows, target.predicate.formals, strict=True)))
