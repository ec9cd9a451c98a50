"""The product of all threads: an invariant with one part for each location, from comparisons or from an engine."""

from __future__ import annotations

from sorrel.encode.thread_product import ThreadProduct, thread_product
from sorrel.engines.options import parse_options
from sorrel.evidence.effort import Effort
from sorrel.guess.comparisons import comparisons
from sorrel.horn.verdict import Safe, Summaries
from sorrel.logic import terms
from sorrel.methods.clauses import decide, inner
from sorrel.methods.options import ProductOptions
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.threads.interleavings import by_invariant, seen_by
from sorrel.methods.threads.invariance import invariance, threads_in
from sorrel.methods.threads.plan import PLAN
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.program.schedules import Explored
from sorrel.smt.solver import Oracle


def by_product(question: ProgramQuestion, effort: Effort) -> Outcome:
    instance, explored = invariance(question), seen_by(question, effort)
    effort.sizes.update(system=instance.system.statistics(), configurations=len(explored.reached))
    effort.progress({"phase": "product"})
    product = thread_product(threads_in(instance), lambda: not effort.clock.expired())
    if product is None:
        return unknown(Cause.TIME, "the product of the threads has too many locations")
    effort.sizes.update(locations=len(product.predicates))
    found, way = _solution(product, explored, effort)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no invariant of the product was found")
    (predicate,) = instance.system.predicates
    told = f"by the product of the threads, with {len(product.predicates)} locations"
    verdict = Safe(
        {predicate.name: product.lift(found, predicate.formals)}, (told,), by=f"product of threads, by {way}"
    )
    return by_invariant(question, instance, verdict, effort)


def _solution(product: ThreadProduct, explored: Explored, effort: Effort) -> tuple[Summaries | None, str]:
    """And how it was found."""
    system = product.system
    if not system.queries:
        return {predicate.name: terms.TRUE for predicate in system.predicates}, "its locations alone"
    points = product.points(explored.reached)
    wanted = parse_options(ProductOptions, dict(effort.options.engine_options)).comparisons
    for guarded, part in ((False, PLAN.plain_comparisons), (True, PLAN.guarded_comparisons)) if wanted else ():
        clock = part.of(effort.clock)
        oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.comparisons_question, measure_sizes=False)
        found = comparisons(system, points, oracle, guarded=guarded)
        if found is not None:
            return found, "comparisons"
    own = inner(effort, ProductOptions)
    verdict = decide(system, own, {})
    return (verdict.summaries, verdict.by or own.options.engine) if isinstance(verdict, Safe) else (None, "")
