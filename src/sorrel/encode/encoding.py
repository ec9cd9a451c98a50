"""A program as a system of Horn clauses, and the way back from evidence about the clauses to the program."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.choices import choices
from sorrel.encode.clauses import Record
from sorrel.encode.contracts import Told, contracts
from sorrel.encode.pieces import Pieces
from sorrel.encode.plan import PLAN
from sorrel.encode.points import Point
from sorrel.encode.semantics import Semantics
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Summaries
from sorrel.model.budget import Budget
from sorrel.model.outcome import ProgramContract
from sorrel.model.values import dataclass
from sorrel.program.program import LIBRARY, Program
from sorrel.program.relation import Relation
from sorrel.program.value import Value
from sorrel.relate.copies import CopyOf
from sorrel.smt.solver import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Encoding:
    """`system` has no solution exactly if a run of the program violates an assertion, as `arithmetic` reads it.

    `points` tells what each predicate stands for. `abstractions` names, for each clause in which some operation is not
    modelled exactly, what that is: a derivation through one proves nothing until it is replayed.
    """

    program: Program
    arithmetic: Arithmetic
    system: HornSystem
    points: Mapping[str, Point]
    records: Mapping[str, Record]
    semantics: Semantics

    @property
    def abstractions(self) -> Mapping[str, tuple[str, ...]]:
        return {name: record.abstractions for name, record in self.records.items() if record.abstractions}

    def choices(self, derivation: Derivation) -> list[Value]:
        """The values that the interpreter must be given so that its run is that of the derivation."""
        return choices(derivation, self.records, self.semantics)

    def told(self, summaries: Summaries, oracle: Oracle | None = None) -> tuple[Told, ...]:
        """The summaries as contracts of procedures and invariants of loops, over the program's variables.

        Making them short asks the oracle; what it leaves open stays as long as it was. What it does not find to follow
        from the summary, read back from the text, is not told.
        """
        asked = oracle or Oracle(
            Budget(seconds=PLAN.contracts).start(), query_seconds=PLAN.contracts_question, measure_sizes=False
        )
        own = {name: each for name, each in summaries.items() if not self._is_library(name)}
        return contracts(self.program, self.system, self.points, self.semantics, own, asked)

    def contracts(self, summaries: Summaries, oracle: Oracle | None = None) -> tuple[ProgramContract, ...]:
        return tuple(told.contract for told in self.told(summaries, oracle))

    def _is_library(self, predicate: str) -> bool:
        """Whether it is about a model of a library function, of which nothing stands in the user's text."""
        return predicate in self.points and self.points[predicate].procedure.startswith(LIBRARY)


def encode(
    program: Program,
    arithmetic: Arithmetic,
    copies: Mapping[str, CopyOf] | None = None,
    *,
    alone: bool = False,
    relations: Sequence[Relation] = (),
) -> Encoding:
    """The clauses of a valid program: one predicate for each procedure that is called, and for each loop head.

    `copies` says of a product program which variables are copies of what. `alone`: the predicate of a procedure speaks
    of all that it writes, so that what its callers look at makes no difference to it. `relations` get a predicate each.
    """
    return encoding_of(Pieces(program, arithmetic, copies, alone=alone, relations=relations))


def encoding_of(pieces: Pieces) -> Encoding:
    """All procedures together."""
    whole = pieces.whole()
    predicates = tuple(point.predicate for point in whole.points.values())
    system = HornSystem((*predicates, *pieces.relations), whole.clauses)
    return Encoding(pieces.program, pieces.arithmetic, system, whole.points, pieces.records, pieces.semantics)
