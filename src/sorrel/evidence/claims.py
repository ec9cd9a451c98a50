"""The kinds of evidence. Each holds what it is about, as it was asked.

`about` is what is known of the question so far, and what the accepted outcome goes on to tell. What a kind is made of
is named here and not loaded: clauses need no interpreter, and programs no clauses.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, TypeAlias

from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Verdict
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.task import Task
from sorrel.model.values import dataclass

if TYPE_CHECKING:
    from sorrel.encode.arithmetic import Arithmetic
    from sorrel.evidence.endless_loop import Recurrence
    from sorrel.evidence.lasso import Lasso
    from sorrel.functional import lasso as functional_lasso
    from sorrel.functional import program as functional_program
    from sorrel.functional.execution import Execution, Kind
    from sorrel.program.cutting import Cut
    from sorrel.program.interleaving import Schedule
    from sorrel.program.program import Program
    from sorrel.program.run import Run
    from sorrel.program.threads import Threads
    from sorrel.program.value import Value
    from sorrel.program.waiting import WaitingForever
    from sorrel.relate.alignment import Alignment
    from sorrel.relate.labels import Labelling
    from sorrel.relate.product import Product
    from sorrel.relate.rests import Cutting

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
class AllRuns:
    """A program whose runs can all be followed, over bit-vectors: loops written out, and calls within calls.

    Of the loops in `cuts` one round is followed, from any state in which the facts hold that are claimed there. How it
    is looked at is for the method to say: paths are kept `apart` as long as counters and places differ, and with
    `soon` what is not clear soon stays open.
    """

    program: Program
    task: Task
    arithmetic: Arithmetic
    cuts: tuple[Cut, ...] = ()
    apart: bool = False
    soon: bool = False
    about: Outcome = NOTHING_YET


@dataclass(frozen=True, slots=True, eq=False)
class Interleaving:
    """A schedule of the threads into an error."""

    threads: Threads
    schedule: Schedule


@dataclass(frozen=True, slots=True, eq=False)
class AllInterleavings:
    """Threads whose interleavings can all be followed."""

    threads: Threads


@dataclass(frozen=True, slots=True, eq=False)
class StuckThread:
    """A schedule of the threads after which one of them waits forever, while others go on."""

    threads: Threads
    forever: WaitingForever


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


@dataclass(frozen=True, slots=True, eq=False)
class AlignedRuns:
    """All runs of a law side by side, with their functions cut at rests, and a verdict about the program they make."""

    product: Product
    alignment: Alignment
    cutting: Cutting
    arithmetic: Arithmetic
    verdict: Verdict


@dataclass(frozen=True, slots=True, eq=False)
class Labels:
    """Which variables may differ between two runs of the program; none that is compared is among them."""

    program: Program
    labelling: Labelling
    about: Outcome = NOTHING_YET


AboutClauses: TypeAlias = Solution | InductiveFacts
AboutFunctions: TypeAlias = ErrorExecution | EndlessCalls | OnlyExecution
AboutPrograms: TypeAlias = (
    ErrorRun
    | DifferingRuns
    | OnlyRun
    | AllRuns
    | Interleaving
    | AllInterleavings
    | StuckThread
    | ComingBack
    | NeverLeaving
    | AlignedRuns
    | Labels
)
Evidence: TypeAlias = AboutClauses | AboutFunctions | AboutPrograms
