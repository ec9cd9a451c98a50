"""The one door: evidence goes in, and what comes out is a verdict or the reason why it is none.

Nobody else makes an outcome that says safe or unsafe. Each kind of evidence holds what it is about, as it was asked;
`about` is what is known of the question so far, and what the accepted outcome goes on to tell.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeAlias, assert_never

from sorrel.evidence.clauses import accept_facts, confirm, confirm_encoded
from sorrel.evidence.differing_runs import accept_differing_runs
from sorrel.evidence.effort import Effort
from sorrel.evidence.endless_loop import Recurrence, accept_recurrence
from sorrel.evidence.error_run import accept_error_run
from sorrel.evidence.execution import accept_endless_calls, accept_execution, accept_only_execution
from sorrel.evidence.interleaving import accept_interleaving
from sorrel.evidence.labelling import accept_labelling
from sorrel.evidence.lasso import Lasso, accept_lasso
from sorrel.evidence.only_run import accept_only_run
from sorrel.functional import lasso as functional_lasso
from sorrel.functional import program as functional_program
from sorrel.functional.execution import Execution, Kind
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Verdict
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.task import Task
from sorrel.program.interleaving import Schedule
from sorrel.program.interpreter import Run
from sorrel.program.program import Program
from sorrel.program.threads import Threads
from sorrel.program.value import Value
from sorrel.relate.labels import Labelling
from sorrel.relate.product import Product

NOTHING_YET = Outcome(Answer.UNKNOWN)


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """A verdict about clauses; `text` is what was read, and nothing if a program was turned into the clauses."""

    system: HornSystem
    verdict: Verdict
    text: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class InductiveFacts:
    """Facts that hold of everything derivable, where no question was asked."""

    system: HornSystem
    facts: Summaries


@dataclass(frozen=True, slots=True, eq=False)
class ErrorRun:
    """Values with which the program runs into an error."""

    program: Program
    task: Task
    values: Sequence[Value]
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class DifferingRuns:
    """A run of a product that is made of runs which violate the property together."""

    product: Product
    task: Task
    run: Run
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class OnlyRun:
    """A program without inputs, whose run ends without an error."""

    program: Program
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class Interleaving:
    """A schedule of the threads into an error."""

    threads: Threads
    schedule: Schedule


@dataclass(frozen=True, slots=True, eq=False)
class ComingBack:
    """A run that comes back to where it was."""

    program: Program
    lasso: Lasso


@dataclass(frozen=True, slots=True, eq=False)
class NeverLeaving:
    """A run that comes to a loop and a set of states that it need not leave."""

    program: Program
    recurrence: Recurrence


@dataclass(frozen=True, slots=True, eq=False)
class ErrorExecution:
    """A run of a functional program into what is forbidden; `texts` are its files, for whoever compiles them."""

    program: functional_program.Program
    execution: Execution
    forbidden: frozenset[Kind]
    texts: Sequence[tuple[str, str]]
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class EndlessCalls:
    """A call within a call of the same function in which everything is the same."""

    program: functional_program.Program
    lasso: functional_lasso.Lasso


@dataclass(frozen=True, slots=True, eq=False)
class OnlyExecution:
    """A functional program without inputs, whose run ends without trouble."""

    program: functional_program.Program
    forbidden: frozenset[Kind]
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Which variables may differ between two runs of the program; none that is compared is among them."""

    program: Program
    labelling: Labelling
    about: Outcome = NOTHING_YET


Evidence: TypeAlias = (
    Solution
    | InductiveFacts
    | ErrorRun
    | DifferingRuns
    | OnlyRun
    | Interleaving
    | ComingBack
    | NeverLeaving
    | ErrorExecution
    | EndlessCalls
    | OnlyExecution
    | Labels
)


def accept(evidence: Evidence, effort: Effort) -> Outcome:
    """The verdict that the evidence supports, with who confirmed it; unknown with the reason if it supports none."""
    match evidence:
        case Solution(system, verdict, text) if text:
            return confirm(system, text, verdict, effort.options, effort.clock)
        case Solution(system, verdict):
            return confirm_encoded(system, verdict, effort)
        case InductiveFacts(system, facts):
            return accept_facts(system, facts, effort.clock)
        case ErrorRun(program, task, values, about):
            return accept_error_run(program, values, about, task, effort)
        case DifferingRuns(product, task, run, about):
            return accept_differing_runs(product, run, about, task, effort)
        case OnlyRun(program, about):
            return accept_only_run(program, about)
        case Interleaving(threads, schedule):
            return accept_interleaving(threads, schedule)
        case ComingBack(program, lasso):
            return accept_lasso(program, lasso)
        case NeverLeaving(program, recurrence):
            return accept_recurrence(program, recurrence, effort)
        case ErrorExecution(functional, execution, forbidden, texts, about):
            return accept_execution(functional, execution, forbidden, about, texts, effort)
        case EndlessCalls(functional, calls):
            return accept_endless_calls(functional, calls)
        case OnlyExecution(functional, forbidden, about):
            return accept_only_execution(functional, forbidden, about)
        case Labels(program, labelling, about):
            return accept_labelling(program, labelling, about)
        case _:
            assert_never(evidence)
