"""Contracts without a property: what can be proved about functions and loops on their own."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.contracts import pointer_guesses
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.points import Place
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import UnwindOptions
from sorrel.engines.unwind import ForwardSearch, GaveUp, sampled_points
from sorrel.evidence.door import InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.explain import telling
from sorrel.explain.bounds import always, bounds
from sorrel.explain.cases import cases
from sorrel.explain.needs import with_needs
from sorrel.explain.plan import PLAN
from sorrel.guess.atoms import Guess
from sorrel.guess.facts import Facts, Sampled, facts, subjects, tightest
from sorrel.guess.points import Point
from sorrel.guess.selection import select
from sorrel.horn.clause import Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Outcome
from sorrel.model.values import dataclass
from sorrel.program.checks import REASONS, may_overflow
from sorrel.program.program import Program
from sorrel.program.statement import Assume, Kind
from sorrel.smt.solver import Oracle

FORWARD_LEVELS, PLAIN_LEVELS = 12, 5


@dataclass(frozen=True, slots=True, eq=False)
class Inferred:
    """`proved` is inductive as a whole; `told` is the part of it, or a consequence, that makes a good contract."""

    proved: Summaries
    told: Summaries


def contracts(program: Program, effort: Effort) -> Outcome:
    """Contracts over unbounded integers, which hold on every machine as long as nothing overflows."""
    encoding = encode(program, Arithmetic.IDEAL, alone=True)
    effort.sizes.update(system=encoding.system.statistics())
    inferred = with_cases(encoding.system, infer(encoding.system, effort), effort)
    inferred = for_callers(encoding, with_pointers(encoding, inferred, effort), effort)
    outcome = accept(InductiveFacts(encoding.system, inferred.proved), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    return replace(
        outcome,
        program_contracts=telling.short(telling.contracts(encoding, inferred.told, _oracle(effort), inferred.proved)),
        arithmetic=str(Arithmetic.IDEAL),
        assumptions=(*map(Assumption.of, program.assumptions), *_checked_elsewhere(program)),
    )


def _checked_elsewhere(program: Program) -> Iterator[Assumption]:
    """What the runs that are looked at do not do wrong, wherever the program might."""
    if may_overflow(program):
        yield Assumption.that(AssumptionKind.OVERFLOW)
    blocks = (block for procedure in program.procedures for block in procedure.blocks)
    reasons = {each.reason for block in blocks for each in block.statements if isinstance(each, Assume)}
    own = {each.kind for each in program.assumptions}
    for kind in AssumptionKind:
        if kind.brief in reasons and kind not in own and kind is not AssumptionKind.OVERFLOW:
            yield Assumption.that(kind)
    for reason in (REASONS[Kind.ASSERTION], REASONS[Kind.ERROR_CALL]):
        if reason in reasons:
            yield Assumption(AssumptionKind.OTHER, reason, words=reason)


def with_cases(system: HornSystem, inferred: Inferred, effort: Effort) -> Inferred:
    """With results as cases of the arguments, where clauses have them."""
    proved, told = dict(inferred.proved), dict(inferred.told)
    for name, equations in cases(system, proved, _oracle(effort)).items():
        proved[name] = terms.conjunction([proved[name], *equations])
        told[name] = terms.conjunction([*equations, told[name]])
    return Inferred(proved, told)


def with_pointers(encoding: Encoding, inferred: Inferred, effort: Effort) -> Inferred:
    """With what is so of pointers that functions return, wherever they return."""
    system, oracle = encoding.system, _oracle(effort)
    proved, told = dict(inferred.proved), dict(inferred.told)
    for name, guesses in pointer_guesses(encoding.program, system, encoding.points, encoding.semantics, oracle).items():
        held = [guess for guess in guesses if always(system, name, guess, proved, oracle)]
        proved[name] = terms.conjunction([proved[name], *held])
        told[name] = terms.conjunction([told[name], *held])
    return Inferred(proved, told)


def for_callers(encoding: Encoding, inferred: Inferred, effort: Effort) -> Inferred:
    """With what callers rely on among what is told."""
    functions = {name for name, point in encoding.points.items() if point.place is Place.FUNCTION}
    told = with_needs(encoding.system, functions, inferred.proved, inferred.told, _oracle(effort))
    return Inferred(inferred.proved, told)


def _oracle(effort: Effort) -> Oracle:
    clock = PLAN.needs.of(effort.clock)
    return Oracle(clock, effort.statistics, query_seconds=PLAN.needs_question, measure_sizes=False)


def infer(
    system: HornSystem, effort: Effort, choose: Callable[[Sampled, Sequence[Guess]], list[Guess]] = select
) -> Inferred:
    """Facts from templates for every predicate of a system, which needs no query; `choose` says what is told."""
    clock = PLAN.inference.of(effort.clock)
    run = Circumstances(clock, effort.statistics, effort.progress, effort.options.seed)
    points = _points(system, run, FORWARD_LEVELS)
    oracle = Oracle(clock, effort.statistics, query_seconds=PLAN.inference_question, seed=effort.options.seed)
    effort.progress({"phase": "facts"})
    about = subjects(system, points)
    found = facts(system, about, clock, oracle)
    proved = dict(_built(system, found))
    limits = bounds(system, proved, points, _oracle(effort))
    told = {}
    for subject in about:
        p = subject.predicate
        chosen = [g.build(p.formals) for g in choose(subject, found[p.name])]
        limited = limits.get(p.name, terms.TRUE)
        told[p.name] = terms.conjunction(oracle.without_redundant([*terms.conjuncts(limited), *chosen]))
        proved[p.name] = terms.conjunction([proved[p.name], limited])
    return Inferred(proved, told)


def plain_facts(system: HornSystem, effort: Effort) -> Iterator[Summaries]:
    """As `infer`, soon and without conditions: what often settles a question about lengths and counters.

    Where only long runs come to a predicate, there are no points to guess from, or few that are much alike; without
    what is asked of arguments there are more. So what results are whatever the arguments comes second, or at once.
    """
    points = _soon(system, effort)
    asking_nothing = _asking_nothing(system)
    if all(points[predicate.name] for predicate in asking_nothing.predicates):
        yield _built(system, _plain_facts(system, points, effort))
    promised = _plain_facts(asking_nothing, _soon(asking_nothing, effort), effort)
    yield _built(system, _plain_facts(system, points, effort, promised))


def _asking_nothing(system: HornSystem) -> HornSystem:
    """The clauses of predicates with results, whose bodies mention such predicates alone: what they imply, holds."""
    with_results = [p for p in system.predicates if any(a.role is Role.OUTPUT for a in p.arguments)]
    names = {predicate.name for predicate in with_results}
    clauses = [
        replace(clause, body=tuple(atom for atom in clause.body if atom.predicate.name in names))
        for clause in system.clauses
        if clause.head is not None and clause.head.predicate.name in names
    ]
    return HornSystem(tuple(with_results), tuple(clauses))


def _soon(system: HornSystem, effort: Effort) -> dict[str, list[Point]]:
    """Points that a few levels of facts give."""
    run = Circumstances(effort.clock, effort.statistics, effort.progress, effort.options.seed)
    return _points(system, run, PLAIN_LEVELS)


def _plain_facts(
    system: HornSystem, points: Mapping[str, Sequence[Point]], effort: Effort, given: Facts | None = None
) -> Facts:
    oracle = Oracle(effort.clock, effort.statistics, query_seconds=PLAN.plain_question, seed=effort.options.seed)
    return facts(system, subjects(system, points), effort.clock, oracle, conditional=False, given=given)


def _built(system: HornSystem, found: Facts) -> Summaries:
    return {p.name: terms.conjunction(g.build(p.formals) for g in tightest(found[p.name])) for p in system.predicates}


def _points(system: HornSystem, run: Circumstances, levels: int) -> dict[str, list[Point]]:
    """From a few levels of facts, in limits that hold for each question, too: only points are wanted."""
    clock = PLAN.forward.of(run.clock)
    forward = ForwardSearch(system, replace(run, clock=clock), UnwindOptions())
    with suppress(GaveUp):
        while forward.level < levels and not forward.complete and not clock.expired():
            forward.advance()
    return sampled_points(forward, run.oracle(query_seconds=PLAN.points_question))
