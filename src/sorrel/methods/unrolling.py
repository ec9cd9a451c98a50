"""All runs of a program at once, if there is an end to their loops and calls: over bit-vectors, by one question."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort, Reading
from sorrel.evidence.following import Following
from sorrel.methods.loop_direction import Direction
from sorrel.methods.loop_facts import LoopGuesses
from sorrel.methods.plan import LOOPS
from sorrel.methods.programs import ProgramQuestion
from sorrel.model.budget import Clock
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Answer, Cause, Outcome, unknown
from sorrel.model.plan import Part
from sorrel.model.task import Task
from sorrel.program.cutting import Cut, cut_at, endless_loops
from sorrel.program.program import Program
from sorrel.program.statement import Kind

EVERYTHING = frozenset({Kind.BOUNDS, Kind.DIVISION, Kind.LIFETIME, Kind.FREE, Kind.OVERFLOW})
"""What is looked at beside what was asked for: a proof of all of it takes nothing for granted."""


def all_runs(question: ProgramQuestion, effort: Effort) -> Outcome:
    """Safe, a run that fails, or that there are more runs than could be followed."""
    if question.task.arithmetic not in ("auto", "exact"):
        raise UsageError(f"unrolling is over bit-vectors: --arith {question.task.arithmetic} does not go with it")
    strict = question.read(Reading(EVERYTHING, Arithmetic.EXACT))
    labels = endless_loops(question.checked)
    outcome, _ = _of_everything(strict, question.task, _part(effort, LOOPS.cut if labels else LOOPS.whole))
    if outcome.answer is Answer.SAFE:
        # In no run anything of this goes wrong, so that it is one and the same run in any such reading.
        effort.exhausted.append(lambda reading, clock: reading.kinds <= EVERYTHING)
        return outcome
    cuts: tuple[Cut, ...] = ()
    if labels:
        outcome, cuts = _with_cuts(question.checked, labels, question.task, _part(effort, LOOPS.cut))
    if outcome.answer is not Answer.SAFE:
        cuts = ()
        outcome = _followed(AllRuns(question.checked, question.task, Arithmetic.EXACT), effort, LOOPS.needed)
    if outcome.answer is Answer.SAFE:

        def holds(reading: Reading, clock: Clock) -> bool:
            own = replace(effort, clock=clock, progress=lambda _: None)
            again = AllRuns(question.read(reading), question.task, reading.arithmetic, cuts)
            return _followed(again, own, LOOPS.needed).answer is Answer.SAFE

        effort.exhausted.append(holds)
    return outcome


def _of_everything(program: Program, task: Task, effort: Effort) -> tuple[Outcome, tuple[Cut, ...]]:
    """Loops that go on as long as an input says so are not written out, and then the one that took too long."""
    labels = endless_loops(program)
    if not labels:
        outcome = _followed(AllRuns(program, task, Arithmetic.EXACT), effort, LOOPS.written)
        last = effort.sizes.get("loop", "")
        if outcome.answer is not Answer.UNKNOWN or not last:
            return outcome, ()
        labels = (last,)
    return _with_cuts(program, labels, task, effort)


def _followed(claim: AllRuns, effort: Effort, part: Part) -> Outcome:
    """As few paths as there can be; if what they leave is hard, paths by their counters; then as hard as it may be."""
    outcome = accept(replace(claim, soon=True), _part(effort, part))
    if outcome.reason is None or outcome.reason.cause is not Cause.TIME:
        return outcome
    apart = accept(replace(claim, apart=True), _part(effort, LOOPS.apart))
    if apart.answer is not Answer.UNKNOWN:
        return apart
    return accept(claim, _part(effort, part))


def _with_cuts(
    program: Program, labels: tuple[str, ...], task: Task, effort: Effort
) -> tuple[Outcome, tuple[Cut, ...]]:
    """One round of each of these loops stands for all, with plain facts and those that are needed beside them."""
    seed = effort.options.seed
    loops = [LoopGuesses(program, label, seed) for label in labels if cut_at(program, label) is not None]
    late = unknown(Cause.TIME, "no invariant of a loop without an end was found in time")
    clock = LOOPS.plain.of(effort.clock)
    for loop in loops:
        if not loop.keep_plain(tuple(each.cut for each in loops if each is not loop), clock):
            return late, ()
    outcome, cuts = late, tuple[Cut, ...]()
    for cuts in _needed(program, loops, LOOPS.further.of(effort.clock)) if loops else ():
        outcome = _followed(AllRuns(program, task, Arithmetic.EXACT, cuts), effort, LOOPS.needed)
        if outcome.answer is Answer.SAFE:
            break
    return outcome, cuts


def _needed(program: Program, loops: list[LoopGuesses], clock: Clock) -> Iterator[tuple[Cut, ...]]:
    """Plain facts, and which others a proof may need beside them; none if these guesses are not enough."""
    cuts = {loop.cut.label: loop.cut for loop in loops}
    search = Following(LOOPS.following.of(clock), looking=False)
    if not search.follow(program, False, cuts):
        return
    guesses = [(loop.cut.label, fact) for loop in loops for fact in loop.further()]
    for found in Direction(search.runs, guesses).search(clock):
        yield tuple(
            replace(cut, facts=(*cut.facts, *(fact for at, fact in found if at == label)))
            for label, cut in cuts.items()
        )


def _part(effort: Effort, part: Part) -> Effort:
    return replace(effort, clock=part.of(effort.clock))
