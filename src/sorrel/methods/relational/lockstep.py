"""Laws by exploration: the runs of a law followed side by side, and what was followed checked as a program.

The exploration is trusted in nothing (`evidence.aligned_runs`). What it found about loops are summaries of the clauses
of a program that makes the runs as they were followed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding
from sorrel.encode.flows import Flows
from sorrel.engines import registry
from sorrel.engines.engine import Circumstances, Engine
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.engines.synonym.engine import Answer as Explored
from sorrel.engines.synonym.engine import Synonym
from sorrel.engines.synonym.result import Proved, Undone, Violating
from sorrel.evidence.aligned_runs import clauses_of
from sorrel.evidence.certificate import check
from sorrel.evidence.door import AlignedRuns, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.evidence.side_by_side import together
from sorrel.explain import telling
from sorrel.guess.houdini import Houdini
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.methods.relational.plan import PLAN
from sorrel.model.budget import Clock
from sorrel.model.errors import InputError
from sorrel.model.outcome import Answer, Cause, ContractKind, Outcome, ProgramContract, Reason, unknown
from sorrel.model.values import dataclass
from sorrel.program import run
from sorrel.program.run import Functions
from sorrel.relate.alignment import Aligned, Permutation, Spot
from sorrel.relate.copies import run_name
from sorrel.relate.product import Product
from sorrel.relate.rests import Course, Cutting, courses
from sorrel.smt.solver import Oracle

SYNONYM = "synonym"
Judge = Callable[[run.Run, Outcome], Outcome]
"""Whether a run of the product is made of runs that violate the law, and how they are told."""
MOST_VISITS = 40
"""A set of loops that runs come to more often is described by what all visits have in common."""


def explored(product: Product, arithmetic: Arithmetic, effort: Effort, clock: Clock, judge: Judge) -> Outcome:
    """Whether all runs of the law meet it, by following them side by side."""
    if product.claim is None:
        return _unknown(arithmetic, Cause.UNSUPPORTED, "engine synonym explores laws (--spec), not this property")
    try:
        outcome, notes = _attempts(product, arithmetic, effort, clock, judge)
    except InputError as problem:
        return _unknown(arithmetic, Cause.UNSUPPORTED, str(problem))
    return replace(outcome, arithmetic=str(arithmetic), notes=(*notes, *outcome.notes))


def _attempts(
    product: Product, arithmetic: Arithmetic, effort: Effort, clock: Clock, judge: Judge
) -> tuple[Outcome, tuple[str, ...]]:
    """Loops for a few rounds, in case that there are no more; with invariants; for more rounds, to find violations.

    The answer of the second attempt stands if none settles the question.
    """
    engine: Synonym = registry.entry(SYNONYM).load(effort.options.engine_options)
    cutting = Cutting(engine.options.ways, None, engine.options.conditionals)
    whole = courses(product.originals, cutting)
    if whole is None:
        return unknown(Cause.UNSUPPORTED, "the functions are too large"), ()
    has_loops = any(each.loops for each in whole)
    if has_loops and engine.options.unroll:
        shorter = replace(cutting, rounds=engine.options.unroll)
        few = courses(product.originals, shorter)
        if few is not None:
            first = _Attempt(product, few, shorter, arithmetic, effort, PLAN.few_rounds.of(clock), judge, engine)
            outcome = first.outcome()
            if outcome.answer is not Answer.UNKNOWN:
                return outcome, first.notes
    attempt = _Attempt(product, whole, cutting, arithmetic, effort, PLAN.exploring.of(clock), judge, engine)
    outcome = attempt.outcome()
    rounds = 2 * engine.options.unroll or 1
    while has_loops and outcome.answer is Answer.UNKNOWN and rounds <= engine.options.search and not clock.expired():
        longer = replace(cutting, rounds=rounds)
        many = courses(product.originals, longer)
        if many is None:
            break
        share = PLAN.exploring.of(clock)
        search = _Attempt(product, many, longer, arithmetic, effort, share, judge, engine, searching=True)
        found = search.outcome()
        if found.answer is not Answer.UNKNOWN:
            return found, search.notes
        rounds *= 2
    return outcome, attempt.notes


def _unknown(arithmetic: Arithmetic, cause: Cause, message: str) -> Outcome:
    return replace(unknown(cause, message), arithmetic=str(arithmetic))


@dataclass(slots=True, eq=False)
class _Attempt:
    product: Product
    courses: tuple[Course, ...]
    cutting: Cutting
    arithmetic: Arithmetic
    effort: Effort
    clock: Clock
    judge: Judge
    engine: Synonym
    searching: bool = False
    notes: tuple[str, ...] = ()

    def outcome(self) -> Outcome:
        flows = Flows(self.product, self.courses, self.arithmetic)
        question = flows.question()
        answer = self.engine.explore(question, self._run(self.clock), searching=self.searching)
        self._tell(answer)
        match answer.result:
            case Proved() as proved:
                return self._proved(proved)
            case Violating() as found:
                outcome = self._violated(found, flows)
                if outcome.answer is Answer.UNSAFE or found.exact:
                    return outcome
                return unknown(Cause.INCOMPLETE, "no invariants of the loops were found that prove the law")
            case Undone(reason, expired):
                return unknown(Cause.TIME if expired else Cause.INCOMPLETE, reason)

    def _run(self, clock: Clock) -> Circumstances:
        options = self.effort.options
        return Circumstances(clock, self.effort.statistics, self.effort.progress, options.seed, options.explain)

    def _tell(self, answer: Explored) -> None:
        """What this attempt explored is added to what others did, which found nothing or were about another part."""
        effort = answer.effort
        before = self.effort.sizes.get("explored", {})
        counted = {
            "triples": effort.triples,
            "statements": effort.statements,
            "loops": effort.loops,
            "decisions": effort.decisions,
            "restarts": effort.restarts,
        }
        total = {name: before.get(name, 0) + number for name, number in counted.items()}
        self.effort.sizes["explored"] = {**total, "group": max(before.get("group", 1), len(answer.group))}
        parts = f"{effort.statements} statements, {effort.loops} sets of loops, {effort.decisions} decisions"
        self.notes = (
            f"explored {effort.triples} Hoare triples: {parts}",
            f"symmetries of the law: {_told(answer.group)}",
        )

    # Violations

    def _violated(self, found: Violating, flows: Flows) -> Outcome:
        """The runs, each repeated on its own."""
        lists = [[flows.value(value, type) for value, type in own] for own in found.chosen]
        functions: Functions = {
            (name, tuple(flows.value(v, t) for v, t in arguments), type): flows.value(result, type)
            for name, arguments, result, type in found.functions
        }
        repeated = together(self.product, lists, functions, REPEATED_STEPS)
        return self.judge(repeated, Outcome(Answer.UNKNOWN))

    # Proofs

    def _proved(self, proved: Proved) -> Outcome:
        clauses = clauses_of(self.product, proved.alignment, self.arithmetic)
        self.effort.sizes.update(system=clauses.system.statistics())
        visits = _Visits(proved, clauses.aligned, clauses.encoding)
        verdict = self._verdict(clauses.system, visits)
        claim = AlignedRuns(self.product, proved.alignment, self.cutting, self.arithmetic, verdict)
        outcome = accept(claim, self.effort)
        if outcome.answer is not Answer.SAFE or not isinstance(verdict, Safe):
            return outcome
        told = self._contracts(clauses.encoding, verdict.summaries, clauses.aligned)
        return replace(outcome, program_contracts=told)

    def _verdict(self, system: HornSystem, visits: _Visits) -> Verdict:
        """What was known at loops, as summaries; a part of it that is inductive; else whatever spacer finds."""
        whole = {predicate.name: visits.whole(predicate) for predicate in system.predicates}
        if not whole or self._is_accepted(system, whole):
            return Safe(whole)
        clock = PLAN.inductive.of(self.effort.clock)
        oracle = Oracle(clock, self.effort.statistics, query_seconds=PLAN.inductive_question)
        candidates = {p.name: [visits.whole(p), *visits.parts(p)] for p in system.predicates}
        houdini = Houdini(system, candidates, oracle, {})
        kept = {name: terms.conjunction(found) for name, found in houdini.run().items()}
        if self._is_accepted(system, kept):
            return Safe(kept)
        spacer: Engine = Spacer(SpacerOptions())
        verdict = spacer.solve(system, self._run(PLAN.kept_back.reserved(self.effort.clock)), {})
        if isinstance(verdict, Safe):
            return replace(verdict, notes=("summaries of the explored product by spacer",))
        if isinstance(verdict, Unsafe):
            why = "the exploration relied on more than its invariants say"
            return Unknown(Reason(Cause.INCOMPLETE, why))
        return verdict

    def _is_accepted(self, system: HornSystem, summaries: Summaries) -> bool:
        seconds = PLAN.accepting * self.effort.clock.until_deadline()
        return isinstance(check(system, Safe(summaries), seconds), Accepted)

    def _contracts(self, encoding: Encoding, summaries: Summaries, made: Aligned) -> tuple[ProgramContract, ...]:
        """What holds of loops side by side, told where the first of them stands."""
        clock = PLAN.contracts.of(self.effort.clock)
        oracle = Oracle(clock, self.effort.statistics, query_seconds=PLAN.contracts_question)
        spots = {label: spot for spot, label in made.labels.items()}
        found = []
        for name, point in encoding.points.items():
            spot = spots.get(point.label)
            loop = (
                next((c.loops[p] for c, p in zip(self.courses, spot.places, strict=True) if p in c.loops), None)
                if spot
                else None
            )
            for contract in telling.contracts(encoding, {name: summaries[name]}, oracle) if name in summaries else ():
                span = loop.span if loop is not None else contract.span
                found.append(replace(contract, procedure=self._function(), kind=ContractKind.LOOP, span=span))
        return tuple(found)

    def _function(self) -> str:
        return self.courses[0].procedure.name.removeprefix("runs.")


def _told(group: frozenset[Permutation]) -> str:
    """Permutations as a table: who takes whose place."""
    if len(group) == 1:
        return "none"
    shown = [" ".join(run_name(image + 1) for image in each) for each in sorted(group)]
    return f"{len(group)} orders of the runs ({'; '.join(shown)})"


class _Visits:
    """What the exploration knew at sets of loops, over the arguments of the predicates of these places."""

    def __init__(self, proved: Proved, made: Aligned, encoding: Encoding) -> None:
        labels = {label: spot for spot, label in made.labels.items()}
        self._spots: Mapping[str, Spot | None] = {n: labels.get(point.label) for n, point in encoding.points.items()}
        self._proved = proved
        self._cache: dict[str, list[tuple[Term, ...]]] = {}

    def _of(self, predicate: Predicate) -> list[tuple[Term, ...]]:
        """For each visit what the arguments of the predicate can say of it."""
        if predicate.name not in self._cache:
            self._cache[predicate.name] = self._translated(predicate)
        return self._cache[predicate.name]

    def _translated(self, predicate: Predicate) -> list[tuple[Term, ...]]:
        spot = self._spots.get(predicate.name)
        pairs = []
        for argument, formal in zip(predicate.arguments, predicate.formals, strict=True):
            known = self._proved.formals.get(((argument.copy or 0) - 1, argument.base or ""))
            if known is not None:
                pairs.append((known, formal))
        allowed = {terms.identity(formal) for formal in predicate.formals}
        found = []
        for visit in self._proved.visits.get(spot, ()) if spot else ():
            parts = terms.substitute_all(visit, pairs)
            found.append(tuple(p for p in parts if all(terms.identity(v) in allowed for v in walk.free_variables(p))))
        return found

    def whole(self, predicate: Predicate) -> Term:
        visits = self._of(predicate)
        if not visits or len(visits) > MOST_VISITS:
            return terms.TRUE
        return terms.disjunction(terms.conjunction(visit) for visit in visits)

    def parts(self, predicate: Predicate) -> list[Term]:
        found = {terms.identity(part): part for visit in self._of(predicate) for part in visit}
        return list(found.values())
