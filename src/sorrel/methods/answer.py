"""How a question becomes an answer: a schedule of methods, and the first outcome that its evidence supports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace

from sorrel.evidence.effort import Effort
from sorrel.frontends.errors import Unsupported
from sorrel.methods.fitting import misfit
from sorrel.methods.method import Method
from sorrel.methods.plan import PLAN
from sorrel.methods.question import Question, Unanswerable
from sorrel.methods.registry import METHODS, demand_known, left_out, named, options_for
from sorrel.methods.schedule import Lane, Schedule, Step, only, schedule
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.values import dataclass

WORST_FIRST = (Cause.INTERNAL, Cause.UNCONFIRMED, Cause.MEMORY, Cause.TIME)
"""A failure of ours matters most, then an answer that was not confirmed; that time runs out is ordinary."""


def answer(question: Question, effort: Effort) -> Outcome:
    """In this process, one lane after the other."""
    attempts = Attempts(question, effort)
    try:
        for outcome in _in_turn(attempts):
            if outcome.is_final:
                return outcome
    except Unanswerable as problem:
        return unanswerable(problem)
    return attempts.unsettled()


def unanswerable(problem: Unanswerable) -> Outcome:
    """Of a question that no method is there for."""
    return unknown(problem.cause, str(problem))


def _in_turn(attempts: Attempts) -> Iterator[Outcome]:
    yield from attempts.first()
    lanes = attempts.lanes()
    clock = attempts.clock_for_lanes()
    for position, lane in enumerate(lanes):
        share = clock if position + 1 == len(lanes) else clock.share(1 / (len(lanes) - position))
        yield attempts.along(lane, replace(attempts.effort, clock=share))
    yield from attempts.last()


@dataclass(eq=False)
class Attempts:
    """The schedule of one question, and what came of the steps that were taken."""

    question: Question
    effort: Effort
    failed: list[Outcome] = field(default_factory=list)

    @property
    def _methods(self) -> Sequence[Method]:
        return named(self.effort.options.engine)

    def schedule(self) -> Schedule:
        """What is left to be done, given what has been found out so far."""
        if not self._methods:
            features = replace(self.question.features, limited=self.effort.clock.deadline is not None)
            return _less(schedule(features), left_out(self.effort.options.engine))
        if any(method.name == "only-run" for method in self._methods):
            self.question.look_alone()
        for method in self._methods:
            fit = method.fits(self.question.features)
            if not fit:
                raise self._misfit(method.name, fit.reason)
        return only(self._methods)

    def first(self) -> Iterator[Outcome]:
        """What is cheap, once, before anything else."""
        plan = self.schedule()
        demand_known(self.effort.options.engine_options, plan.names)
        for step in plan.first:
            yield self._noted(self.step(step, replace(self.effort, brief=True)))

    def lanes(self) -> tuple[Lane, ...]:
        plan = self.schedule()
        self.effort.sizes.update(schedule={"steps": str(plan)})
        return plan.lanes

    def clock_for_lanes(self) -> Clock:
        plan = self.schedule()
        clock = self.effort.clock
        return PLAN.left_for_last.reserved(clock).share(plan.share, plan.seconds) if plan.last else clock

    def last(self) -> Iterator[Outcome]:
        for step in self.schedule().last:
            yield self._noted(self.step(step, self.effort))

    def along(self, lane: Lane, effort: Effort) -> Outcome:
        """The steps of a lane until one settles the question."""
        self.question.prepare(lane)
        outcome = unknown(Cause.TIME, "no time was left")
        found: list[Outcome] = []
        for position, step in enumerate(lane):
            in_time = found and not _ran_out_of_time(found[-1])
            if effort.clock.expired() or (step.late and in_time):
                break
            outcome = self.step(step, replace(effort, brief=position + 1 < len(lane)))
            if outcome.is_final:
                return outcome
            found.append(outcome)
        return self._noted(merged(found) if found else outcome)

    def step(self, step: Step, effort: Effort) -> Outcome:
        """One method, with its options, for its part of the time."""
        method = METHODS[step.method]
        asked = effort.options
        given = {**dict(step.options), **options_for(method, asked.engine_options)}
        whole = step.share == 1.0 and step.seconds >= 3600.0
        clock = effort.clock if whole else effort.clock.share(step.share, at_most=step.seconds)
        options = replace(asked, engine=method.name, engine_options=given)

        def report(known: Outcome) -> None:
            effort.report(_named(known, method))

        own = self.question.effort(replace(effort, options=options, clock=clock, report=report))
        try:
            outcome = _named(method.attempt(self.question, own), method)
        except Unanswerable as problem:
            return unknown(problem.cause, str(problem), engine=method.name)
        except Unsupported as construct:
            return unknown(Cause.INPUT, str(construct), engine=method.name)
        return self.question.finished(outcome, replace(own, clock=effort.clock))

    def _noted(self, outcome: Outcome) -> Outcome:
        if not outcome.is_final:
            self.failed.append(outcome)
        return outcome

    def unsettled(self) -> Outcome:
        """Nobody knows: why, from all who tried. A method that was named and cannot be asked is a mistake."""
        refused = [each for each in self.failed if each.reason and each.reason.cause is Cause.UNSUPPORTED]
        if self._methods and len(refused) == len(self.failed) and refused:
            raise self._misfit(refused[0].engine, str(refused[0].reason))
        return merged(self.failed)

    def _misfit(self, name: str, reason: str) -> UsageError:
        """A method that was named and does not fit is a mistake."""
        return misfit(name, reason, self.question, keep_contracts=self.effort.options.keep_contracts)


def _less(whole: Schedule, without: str) -> Schedule:
    rest = whole.without(without) if without else whole
    if not rest.lanes:
        raise UsageError(f"without {without} nothing is left to try; the schedule is: {whole}")
    return rest


def _ran_out_of_time(outcome: Outcome) -> bool:
    return outcome.reason is not None and outcome.reason.cause is Cause.TIME


def _named(outcome: Outcome, method: Method) -> Outcome:
    """The outcome with who decided it."""
    decided = outcome.decided_by or method.decided or method.name
    return replace(outcome, engine=method.name, decided_by=decided if outcome.answer is not Answer.UNKNOWN else "")


def merged(failed: Sequence[Outcome]) -> Outcome:
    """One outcome from several that settle nothing: everyone's reason, and what was proved by whoever proved most."""
    if not failed:
        return unknown(Cause.TIME, "the time limit was too short to try any method")
    reports = sorted(failed, key=_rank)
    first = reports[0]
    telling = [each for each in reports if not _found_nothing(each)] or reports
    if len(telling) == 1 or first.reason is None or first.reason.cause is Cause.INPUT:
        return telling[0] if first.reason is None or first.reason.cause is not Cause.INPUT else first
    message = _together([(each.engine, str(each.reason)) for each in telling])
    most = max(reports, key=lambda report: len(report.program_contracts))
    return replace(
        telling[0],
        reason=replace(telling[0].reason or first.reason, message=message),
        facts=next((each.facts for each in reports if each.facts), ""),
        program_contracts=most.program_contracts,
        missing=most.missing,
        engine="+".join(dict.fromkeys(each.engine for each in telling)),
    )


def _together(reasons: Sequence[tuple[str, str]]) -> str:
    """Why each engine has no answer; a reason that all of them have is said once."""
    engines = dict.fromkeys(engine for engine, _ in reasons)
    said = dict.fromkeys(reason for _, reason in reasons)
    if len(said) == 1:
        return f"{next(iter(said))} (tried: {', '.join(engines)})"
    return "; ".join(dict.fromkeys(f"{engine}: {reason}" for engine, reason in reasons))


def _rank(outcome: Outcome) -> int:
    cause = outcome.reason.cause if outcome.reason else None
    return WORST_FIRST.index(cause) if cause in WORST_FIRST else len(WORST_FIRST)


def _found_nothing(outcome: Outcome) -> bool:
    """Whether it says no more than that something was looked for, as running does, or that there was nothing to do."""
    return METHODS[outcome.engine].may_find_nothing if outcome.engine in METHODS else False
