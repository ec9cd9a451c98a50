"""Evidence about programs made of procedures, kind by kind."""

from __future__ import annotations

from typing import assert_never

from sorrel.evidence.all_interleavings import accept_all_interleavings
from sorrel.evidence.claims import (
    AboutPrograms,
    AlignedRuns,
    AllInterleavings,
    AllRuns,
    ComingBack,
    DifferingRuns,
    ErrorRun,
    Interleaving,
    Labels,
    NeverLeaving,
    OnlyRun,
    StuckThread,
)
from sorrel.evidence.differing_runs import accept_differing_runs
from sorrel.evidence.effort import Effort
from sorrel.evidence.endless_loop import accept_recurrence
from sorrel.evidence.error_run import accept_error_run
from sorrel.evidence.interleaving import accept_interleaving
from sorrel.evidence.labelling import accept_labelling
from sorrel.evidence.lasso import accept_lasso
from sorrel.evidence.only_run import accept_only_run
from sorrel.evidence.stuck_thread import accept_stuck_thread
from sorrel.model.outcome import Outcome


def accept_about_programs(evidence: AboutPrograms, effort: Effort) -> Outcome:
    match evidence:
        case ErrorRun(program, task, values, about):
            return accept_error_run(program, values, about, task, effort)
        case DifferingRuns(product, task, run, about):
            return accept_differing_runs(product, run, about, task, effort)
        case OnlyRun(program, about):
            return accept_only_run(program, about)
        case AllRuns():
            from sorrel.evidence.all_runs import accept_all_runs  # has a solver of its own

            return accept_all_runs(evidence, effort)
        case Interleaving(threads, schedule):
            return accept_interleaving(threads, schedule)
        case AllInterleavings(threads):
            return accept_all_interleavings(threads, effort)
        case StuckThread(threads, forever):
            return accept_stuck_thread(threads, forever)
        case ComingBack(program, lasso):
            return accept_lasso(program, lasso)
        case NeverLeaving(program, recurrence):
            return accept_recurrence(program, recurrence, effort)
        case AlignedRuns():
            from sorrel.evidence.aligned_runs import accept_aligned_runs  # most programs are asked about alone

            return accept_aligned_runs(evidence, effort)
        case Labels(program, labelling, about):
            return accept_labelling(program, labelling, about)
        case _:
            assert_never(evidence)
