"""All runs of a program, loops written out and calls followed: evidence that it is safe, or a run that shows it is not.

Where no run is left out and none fails, there is nothing more to know of assertions. What says so are questions to
fresh solvers, without quantifiers; whoever followed the runs is not believed that some of them end somewhere.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.unrolled_choices import choices
from sorrel.encode.unrolled_operations import TooWide
from sorrel.encode.unrolling import Ending, Unrolled
from sorrel.evidence.claims import AllRuns
from sorrel.evidence.effort import Effort
from sorrel.evidence.error_run import accept_error_run
from sorrel.evidence.following import Following, asked, some
from sorrel.evidence.last_question import LastQuestion
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node
from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.program.cutting import Cut, cut_at, is_about_head, is_plain
from sorrel.program.shrinking import shrunk
from sorrel.smt.word_solver import SOLVER, WordSolver

FOLLOWING_SHARE = 0.75
"""Of the time, for following runs; what is left is for the question whether one fails."""
MORE = (
    "there are more rounds of loops, deeper calls or larger numbers than were followed; none of the runs that were"
    " followed fails"
)


def accept_all_runs(claim: AllRuns, effort: Effort) -> Outcome:
    """Safe if every run was followed to its end and none fails; unsafe if one fails that can be repeated.

    Where a loop is cut, the facts that are claimed there must hold before it and after any round.
    """
    cuts: dict[str, Cut] = {}
    for each in claim.cuts:
        cut = cut_at(claim.program, each.label, each.facts)  # what a round changes is not for others to say
        if cut is None:
            return unknown(Cause.INCOMPLETE, f"{each.label} is not a loop of which one round can stand for all")
        if not all(map(is_plain, cut.facts)):  # else runs are left out in which it has none
            return unknown(Cause.INCOMPLETE, f"the invariant at {each.label} is not defined in every state")
        if not is_about_head(claim.program, cut):
            return unknown(
                Cause.INCOMPLETE, f"the invariant at {each.label} mentions a variable that is not live there"
            )
        cuts[cut.label] = cut
    search = Following(effort.clock.share(FOLLOWING_SHARE))
    try:
        complete = search.follow(claim.program, claim.arithmetic is Arithmetic.WRAPPED_BITS, cuts, claim.apart)
    except TooWide as problem:
        return unknown(Cause.UNSUPPORTED, f"{problem} are not modelled as bit-vectors")
    effort.sizes.update(steps=search.runs.steps, loop=search.runs.loop)
    return _judged(claim, search.runs, complete, effort)


def _judged(claim: AllRuns, runs: Unrolled, complete: bool, effort: Effort) -> Outcome:
    """Whether one of the runs fails, if all were followed, or is one of those that were left out."""
    started = time.monotonic()
    if claim.cuts and not complete:
        return unknown(Cause.INCOMPLETE, MORE)
    broken = [ending for _, ending in runs.broken]
    if complete:
        last = LastQuestion(runs.graph, [*runs.failed, *runs.left_out, *broken], effort.clock, soon=claim.soon)
        found, solver, names = last.answer(), last.solver, last.solvers
    else:
        (solver, found), names = _fresh(runs, runs.failed, effort), (SOLVER,)
    if found is False and complete:
        detail = f"all runs were followed, {runs.steps} steps of all of them together, and none fails"
        if claim.cuts:
            detail += "; of loops without an end any round, before and after which what is claimed holds"
        confirmation = Confirmation(" and ".join(names), True, time.monotonic() - started, detail)
        done = replace(claim.about, answer=Answer.SAFE, reason=None, confirmations=(confirmation,))
        return replace(done, notes=(detail,), missing=(), arithmetic="")
    if found and claim.cuts:
        return unknown(Cause.INCOMPLETE, "an iteration of a loop may fail that starts in a state of its invariant")
    model = Model(_chosen(solver)) if found else None
    ending = _ended(model, runs.failed)
    if found and ending is None:
        solver, found = _fresh(runs, runs.failed, effort)
        model = Model(_chosen(solver)) if found else None
        ending = _ended(model, runs.failed)
    if model is not None and ending is not None:
        values = shrunk(claim.program, choices(ending.trace, model), REPEATED_STEPS)
        return accept_error_run(claim.program, values, claim.about, claim.task, effort)
    if found is None:
        return unknown(Cause.TIME, "whether one of the runs fails was not decided in time")
    return unknown(Cause.INCOMPLETE, MORE)


def _fresh(runs: Unrolled, endings: list[Ending], effort: Effort) -> tuple[WordSolver, bool | None]:
    """Whether some run comes to one of the endings, by a solver that knows of nothing else."""
    solver = WordSolver()
    solver.add(some(runs.graph, endings))
    return solver, asked(solver, [], effort.clock, effort.clock.until_deadline())


def _chosen(solver: WordSolver) -> Callable[[Node], int]:
    """What the solver's model chooses; what it did not ask for may be anything."""
    known = solver.model()
    return lambda node: known[node] if node in known else max(0, node.low)


def _ended(model: Model | None, endings: list[Ending]) -> Ending | None:
    """The ending that the run of the model comes to; of several the one that was met first."""
    return next((ending for ending in endings if model is not None and model.holds(ending.guard)), None)
