"""The clauses of a program, procedure by procedure, each made when it is first asked for."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import islice

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.body import Body
from sorrel.encode.choices import choices
from sorrel.encode.clauses import Clauses, Record
from sorrel.encode.points import Point
from sorrel.encode.survey import survey
from sorrel.horn.clause import Clause, Predicate
from sorrel.horn.verdict import Derivation
from sorrel.model.values import dataclass
from sorrel.program.program import Program
from sorrel.program.relation import Relation
from sorrel.program.value import Value
from sorrel.relate.copies import CopyOf

_START = ""
"""In place of a procedure's name: where runs start."""


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """What a procedure adds: its points, that of the whole procedure first, and the clauses with these in their heads.

    Where runs start there is no such point, and there are queries.
    """

    points: Mapping[str, Point]
    clauses: tuple[Clause, ...]


class Pieces:
    """What the clauses of one procedure are does not depend on which others have been made before."""

    def __init__(
        self,
        program: Program,
        arithmetic: Arithmetic,
        copies: Mapping[str, CopyOf] | None = None,
        *,
        alone: bool = False,
        relations: Sequence[Relation] = (),
    ) -> None:
        """`copies`, `alone` and `relations` as for `encode`."""
        self.program = program
        self.arithmetic = arithmetic
        self._survey = survey(program, arithmetic, copies, alone=alone, relations=relations)
        self.semantics = self._survey.semantics
        self._clauses = Clauses()
        self._made: dict[str, Piece] = {}

    def procedure(self, name: str) -> Piece:
        """The summary of a procedure that is called; nothing for one that is not."""
        return self._piece(name) if name in self._survey.functions else Piece({}, ())

    @property
    def start(self) -> Piece:
        """Where runs start."""
        return self._piece(_START)

    @property
    def functions(self) -> Mapping[str, Point]:
        """The points of the procedures that are called, by name, for which no clause has to be made."""
        return self._survey.functions

    @property
    def relations(self) -> tuple[Predicate, ...]:
        """The predicates of relations."""
        return tuple(self._survey.keeping.values())

    def procedure_of(self, predicate: str) -> str:
        """Whose predicate it is: of a procedure, or of a place in one whose clauses were made."""
        return self._procedures.get(predicate) or self._clauses.points[predicate].procedure

    @cached_property
    def _procedures(self) -> Mapping[str, str]:
        return {point.predicate.name: name for name, point in self.functions.items()}

    def choices(self, derivation: Derivation) -> list[Value]:
        """The values with which the interpreter's run is that of the derivation."""
        return choices(derivation, self.records, self.semantics)

    @property
    def records(self) -> Mapping[str, Record]:
        """How the clauses came about that were made so far."""
        return self._clauses.records

    def whole(self) -> Piece:
        """All of them together."""
        pieces = [*map(self._piece, self._survey.functions), self.start]
        points = {name: point for piece in pieces for name, point in piece.points.items()}
        return Piece(points, tuple(clause for piece in pieces for clause in piece.clauses))

    def _piece(self, name: str) -> Piece:
        found = self._made.get(name)
        if found is None:
            found = self._made[name] = self._encoded(name)
        return found

    def _encoded(self, name: str) -> Piece:
        made = self._clauses
        points, clauses = len(made.points), len(made.clauses)
        point = self._survey.functions.get(name)
        if point is not None:
            made.points[point.predicate.name] = point
        Body(self._survey, self.program.procedure[name or self.program.main], point, made).run()
        return Piece(dict(islice(made.points.items(), points, None)), tuple(made.clauses[clauses:]))
