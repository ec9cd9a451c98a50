"""What one run of a question uses, and what its answer rests on."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import field
from typing import TYPE_CHECKING, Any

from sorrel.encode.arithmetic import Arithmetic
from sorrel.horn.exchange import ALONE, Exchange
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Terminating
from sorrel.model.budget import Clock
from sorrel.model.options import Options
from sorrel.model.outcome import Outcome
from sorrel.model.values import dataclass
from sorrel.smt.statistics import Statistics

if TYPE_CHECKING:  # clauses need none of this
    from sorrel.program.program import Program
    from sorrel.program.run import Run
    from sorrel.program.statement import Kind
    from sorrel.program.value import Value

Progress = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Reading:
    """A program read in another way: with these kinds of assertions beside those asked for, and with such numbers."""

    kinds: frozenset[Kind]
    arithmetic: Arithmetic


@dataclass(frozen=True, slots=True, eq=False)
class Reread:
    """The clauses of a program that was read in another way; `choices` makes values for a run of it."""

    system: HornSystem
    choices: Callable[[Derivation], list[Value]] | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What an answer rests on, and how the same question is asked of the program in another reading.

    `clauses` makes clauses of a program in the way in which those of the proof were made, if that is not the usual way;
    `engine` is who is asked about these, if it is not the one that the options name.
    """

    system: HornSystem
    verdict: Safe | Terminating
    arithmetic: Arithmetic
    reread: Callable[[Reading], Reread | None]
    clauses: Callable[[Program, Arithmetic], Reread | None] | None = None
    engine: str = ""


@dataclass(frozen=True, slots=True)
class Effort:
    """What one run uses: its options, its clock, whom it tells, and what is counted.

    `report` takes what is known so far, for the case that time runs out.
    """

    options: Options
    clock: Clock
    progress: Progress
    report: Callable[[Outcome], None] = lambda _: None
    statistics: Statistics = field(default_factory=Statistics)
    sizes: dict[str, Any] = field(default_factory=dict)
    proofs: list[Proof] = field(default_factory=list)
    """Those that the answer rests on, for whoever asks what they took for granted."""
    exhausted: list[Callable[[Reading, Clock], bool]] = field(default_factory=list)
    """If the answer rests on all runs having been followed: whether that shows the program safe in another reading."""
    brief: bool = False
    """Whether what does not settle the question need not be told, since more will be tried."""
    only_run: list[Run] = field(default_factory=list)
    """That of a program without inputs, if it was made: it went wrong nowhere."""
    exchange: Exchange = ALONE
    """Whom to tell what was proved on the way, and who may have proved something too."""
    without_numbers: list[str] = field(default_factory=list)
    """By what the property was shown, if that holds whatever the program computes with its numbers."""

    def as_json(self) -> dict[str, Any]:
        counted = {"counts": dict(self.statistics.counts)} if self.statistics.counts else {}
        return {**self.sizes, **counted, "queries": self.statistics.as_json()}
