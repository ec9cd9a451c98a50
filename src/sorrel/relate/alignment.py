"""Runs side by side as they were explored: who moves when, which ways are left out and why; and that as a program.

An alignment is a graph of spots. In a spot each run rests at a place; some runs decide, or some go round their loops
once more. A way that no tuple of runs takes is `IMPOSSIBLE`, which the program asserts. A way may also be left out by
symmetry: the spot's group holds permutations under which the specification and everything done so far stay the same,
and one of them takes the decision to one that is kept. Then a tuple of runs that violates the specification and goes
the way left out is, in another order, one that goes a way that is kept.

That argument needs of each spot that its permutations are a group, that runs they exchange rest at the same place of
the same function and move together, and that the next spot keeps only permutations that leave the decision as it is.
`faults` checks this, and that nothing else was left out; the rest is a question about an ordinary program.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field
from enum import Enum
from itertools import pairwise, product
from typing import TypeAlias

from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, binary, every, zero
from sorrel.program.expression import Binary, Expression, Operator, Variable
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Choice,
    Goto,
    Havoc,
    Kind,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.traversal import free_variables, rename, substitute
from sorrel.relate.copies import Copies, run_name
from sorrel.relate.product import ENTRY, Claim, Product
from sorrel.relate.rests import RETURN, STOP, Course
from sorrel.relate.unrolling import LIMIT

Permutation: TypeAlias = tuple[int, ...]
"""π as the list of its values: run i of the tuple in another order is run π(i)."""
Vector: TypeAlias = tuple[bool, ...]
"""For each run that decides, whether its condition holds."""


@dataclass(frozen=True, slots=True)
class Spot:
    """`rounds` are the loops that runs are in: members and heads, from the outside in."""

    places: tuple[str, ...]
    rounds: tuple[tuple[tuple[int, ...], tuple[str, ...]], ...]
    group: frozenset[Permutation]


class LeftOut(Enum):
    IMPOSSIBLE = "no tuple of runs goes this way"
    STOPPED = "a run ends before its time"


@dataclass(frozen=True, slots=True)
class Symmetric:
    """The permutation takes the decision to one that is kept."""

    permutation: Permutation


Way: TypeAlias = Spot | LeftOut | Symmetric


@dataclass(frozen=True, slots=True)
class Deciding:
    runs: tuple[int, ...]
    ways: dict[Vector, Way] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Looping:
    """The members rest at heads of loops and go one round, as often as they like, until one leaves."""

    members: tuple[int, ...]
    after: Way


@dataclass(frozen=True, slots=True)
class Ending:
    """All runs are over."""


Node: TypeAlias = Deciding | Looping | Ending


@dataclass(frozen=True, slots=True)
class Alignment:
    """`first` is where all runs rest first; `copies` are the functions of the runs."""

    courses: tuple[Course, ...]
    first: Spot
    nodes: Mapping[Spot, Node]


def composed(one: Permutation, other: Permutation) -> Permutation:
    return tuple(one[i] for i in other)


def rearranged(vector: Vector, runs: Sequence[int], permutation: Permutation) -> Vector:
    """v∘π: the decision of the tuple in another order."""
    at = {run: position for position, run in enumerate(runs)}
    return tuple(vector[at[permutation[run]]] for run in runs)


def stabiliser(group: frozenset[Permutation], runs: Sequence[int], vector: Vector) -> frozenset[Permutation]:
    """The permutations that leave the decision as it is."""
    return frozenset(each for each in group if rearranged(vector, runs, each) == vector)


# What makes an alignment one


def faults(alignment: Alignment) -> Iterator[str]:
    """Everything that keeps the alignment from covering all tuples of runs, up to the order of the runs."""
    starts = tuple(course.paths[course.procedure.entry].rest for course in alignment.courses)
    if alignment.first.places != starts:
        yield "the runs do not start where they should"
    for spot, node in alignment.nodes.items():
        yield from (f"at {', '.join(spot.places)}: {text}" for text in _about(alignment, spot, node))


def _about(alignment: Alignment, spot: Spot, node: Node) -> Iterator[str]:
    movers = node.runs if isinstance(node, Deciding) else node.members if isinstance(node, Looping) else ()
    yield from _about_group(alignment.courses, spot, movers)
    match node:
        case Deciding(runs, ways):
            if not runs:
                yield "nobody decides"
            for vector in product((True, False), repeat=len(runs)):
                if vector not in ways:
                    yield f"a way is missing: {vector}"
                    continue
                targets = [
                    decision.then if holds else decision.otherwise
                    for run, holds in zip(runs, vector, strict=True)
                    for decision in (alignment.courses[run].decisions[spot.places[run]],)
                ]
                kept = stabiliser(spot.group, runs, vector)
                yield from _about_way(alignment, spot, dict(zip(runs, targets, strict=True)), ways[vector], kept)
                way = ways[vector]
                if isinstance(way, Symmetric) and not _is_kept(spot, runs, vector, way, ways):
                    yield f"the way {vector} is left out, and the permutation takes it to none that is kept"
        case Looping(members, after):
            if not members:
                yield "nobody moves"
            yield from _about_way(alignment, spot, {run: spot.places[run] for run in members}, after, spot.group)
        case Ending():
            if any(place != RETURN for place in spot.places):
                yield "a run is not over"


def _about_group(courses: Sequence[Course], spot: Spot, movers: Sequence[int]) -> Iterator[str]:
    identity = tuple(range(len(courses)))
    if identity not in spot.group:
        yield "the permutations lack the identity"
    for one in spot.group:
        if sorted(one) != list(identity):
            yield f"{one} is not a permutation"
        if any(composed(one, other) not in spot.group for other in spot.group):
            yield "the permutations are not a group"
        for run, image in enumerate(one):
            if courses[run] is not courses[image] or spot.places[run] != spot.places[image]:
                yield f"{one} exchanges runs that rest at different places"
            if (run in movers) != (image in movers):
                yield f"{one} exchanges a run that moves with one that does not"


def _about_way(
    alignment: Alignment, spot: Spot, starts: Mapping[int, str], way: Way, kept: frozenset[Permutation]
) -> Iterator[str]:
    if not isinstance(way, Spot | LeftOut) or way is LeftOut.IMPOSSIBLE:
        return
    paths = {run: alignment.courses[run].paths[label] for run, label in starts.items()}
    rests = tuple(paths[run].rest if run in paths else place for run, place in enumerate(spot.places))
    if way is LeftOut.STOPPED:
        if STOP not in rests:
            yield "a way is left out though no run stops"
        return
    if isinstance(way, Spot):
        if LIMIT in rests:
            yield "a way goes beyond the rounds that are followed"
        if way.places != rests:
            yield f"a way leads to {', '.join(way.places)} and not to {', '.join(rests)}"
        if not way.group <= kept:
            yield "a permutation is kept that changes a decision"
        if way not in alignment.nodes:
            yield "a way leads to a spot that nobody looked at"


def _is_kept(spot: Spot, runs: Sequence[int], vector: Vector, way: Symmetric, ways: Mapping[Vector, Way]) -> bool:
    if way.permutation not in spot.group:
        return False
    return not isinstance(ways.get(rearranged(vector, runs, way.permutation)), Symmetric | None)


# The alignment as a program


@dataclass(frozen=True, slots=True)
class Aligned:
    """The product of the runs as they are aligned, and the label of each spot in it."""

    product: Product
    labels: Mapping[Spot, str]


def aligned(alignment: Alignment, original: Product) -> Aligned:
    """One program that makes all runs of the alignment; `original` is the product that the claim came with."""
    return _Alignment(alignment, original).result()


def conjuncts(formula: Expression) -> list[Expression]:
    found: list[Expression] = []
    work = [formula]
    while work:
        match work.pop():
            case Binary(Operator.AND, left, right):
                work += [right, left]
            case other:
                found.append(other)
    return found


class _Alignment:
    def __init__(self, alignment: Alignment, original: Product) -> None:
        self._alignment = alignment
        self._original = original
        self._copies = Copies(len(alignment.courses))
        self._blocks: list[Block] = []
        self._labels = {spot: f"spot.{number}" for number, spot in enumerate(alignment.nodes)}
        self._names = [
            {v: self._copies.variable(v, run) for v in (*course.procedure.variables, *course.program.globals)}
            for run, course in enumerate(alignment.courses, 1)
        ]
        self._claim = self._translated(original)

    def _translated(self, original: Product) -> Claim:
        """The claim over the variables of the runs themselves."""
        claim = original.claim
        if claim is None:
            return Claim(every([]), every([]), ())
        own = tuple(
            tuple(names[v] for v in course.procedure.outputs)
            for names, course in zip(self._names, self._alignment.courses, strict=True)
        )
        pairs: dict[Variable, Expression] = {
            old: new
            for old_ones, new_ones in zip(claim.variables, own, strict=True)
            for old, new in zip(old_ones, new_ones, strict=True)
        }
        return Claim(substitute(claim.required, pairs), substitute(claim.ensured, pairs), own)

    def result(self) -> Aligned:
        alignment = self._alignment
        entry = Block("start", tuple(self._start()), Goto(self._labels[alignment.first]))
        for spot, node in alignment.nodes.items():
            self._node(spot, node)
        courses = alignment.courses
        pairs = list(zip(self._names, courses, strict=True))
        globals_ = [(names[v], v, c) for names, c in pairs for v in c.program.globals]
        initial = {new.name: c.program.initial[old.name] for new, old, c in globals_ if old.name in c.program.initial}
        own = dict.fromkeys(names[v] for names, c in pairs for v in c.procedure.variables)
        shown = {
            variable.name: f"{run_name(run)}.{text}"
            for run, (names, c) in enumerate(pairs, 1)
            for old, variable in names.items()
            for text in (c.procedure.user_name(old.name),)
            if text
        }
        procedure = Procedure(
            ENTRY, (), (), tuple(own), (entry, *self._blocks), "start", courses[0].procedure.span, shown
        )
        procedure = _fixed(procedure)
        program = Program(
            (procedure,), tuple(new for new, _, _ in globals_), initial, ENTRY, self._original.program.assumptions
        )
        made = Product(self._original.originals, program, self._copies.known, {}, self._claim)
        return Aligned(made, self._labels)

    def _start(self) -> Iterator[Statement]:
        """All runs start with the same globals, with what they may read unwritten, and go to their first rests."""
        for variable in dict.fromkeys(v for c in self._alignment.courses for v in c.program.globals):
            having = [
                names[variable]
                for names, c in zip(self._names, self._alignment.courses, strict=True)
                if variable in names and variable.name not in c.program.initial
            ]
            for one, other in pairwise(having):
                yield Assume(binary(Operator.EQUAL, one, other))
        for run, course in enumerate(self._alignment.courses):
            for variable in open_starts(course.procedure):
                yield Havoc(self._names[run][variable], Choice.UNINITIALISED, variable.name)
        for run, course in enumerate(self._alignment.courses):
            yield from self._path(run, course.procedure.entry)

    def _path(self, run: int, label: str) -> Iterator[Statement]:
        for statement in self._alignment.courses[run].paths[label].statements:
            yield rename(statement, self._names[run])

    def _node(self, spot: Spot, node: Node) -> None:
        label = self._labels[spot]
        assumed = self._settled(spot)
        match node:
            case Deciding(runs, ways):
                self._deciding(label, spot, runs, ways, assumed)
            case Looping(members, after):
                moved = [s for run in members for s in self._path(run, spot.places[run])]
                self._leave(label, [*assumed, *moved], after)
            case Ending():
                span = self._alignment.courses[0].procedure.span
                claim = self._claim
                message = self._message()
                done = (Assume(claim.required, "", span), Assert(claim.ensured, Kind.LEAK, message, span))
                self._blocks.append(Block(label, done, Return(span)))

    def _message(self) -> str:
        """What the original product says when the claim does not hold."""
        entry = self._original.program.procedure[self._original.program.main]
        found = [s.message for b in entry.blocks for s in b.statements if isinstance(s, Assert) and s.kind is Kind.LEAK]
        return found[-1] if found else ""

    def _settled(self, spot: Spot) -> list[Statement]:
        """What is required of values that no longer change."""
        known = {
            self._names[run][v]
            for run, (course, place) in enumerate(zip(self._alignment.courses, spot.places, strict=True))
            for v in course.settled[place]
        }
        parts = conjuncts(self._claim.required)
        return [Assume(part) for part in parts if known.issuperset(free_variables(part))]

    def _deciding(
        self, label: str, spot: Spot, runs: Sequence[int], ways: Mapping[Vector, Way], assumed: list[Statement]
    ) -> None:
        """A tree of branches, one level for each run that decides."""
        for depth, run in enumerate(runs):
            decision = self._alignment.courses[run].decisions[spot.places[run]]
            names: dict[Variable, Expression] = dict(self._names[run])
            condition = substitute(decision.condition, names)
            span = self._alignment.courses[run].procedure.block[spot.places[run]].terminator.span
            for vector in product((True, False), repeat=depth):
                here = _below(label, vector)
                branch = Branch(condition, _below(label, (*vector, True)), _below(label, (*vector, False)), span)
                self._blocks.append(Block(here, () if vector else tuple(assumed), branch))
        for vector, way in ways.items():
            moved: list[Statement] = []
            for run, holds in zip(runs, vector, strict=True):
                decision = self._alignment.courses[run].decisions[spot.places[run]]
                moved += self._path(run, decision.then if holds else decision.otherwise)
            self._leave(_below(label, vector), moved, way)

    def _leave(self, label: str, moved: Sequence[Statement], way: Way) -> None:
        end: Terminator = Return()
        match way:
            case Spot():
                end = Goto(self._labels[way])
            case LeftOut.IMPOSSIBLE:
                moved = [Assert(FALSE, Kind.LEAK, "a way was taken to be impossible")]
            case LeftOut.STOPPED:
                end = Stop()
            case Symmetric():
                moved = [Assume(FALSE, "the runs in another order go a way that is followed")]
        self._blocks.append(Block(label, tuple(moved), end))


def _below(label: str, vector: Vector) -> str:
    return f"{label}.{''.join('t' if holds else 'f' for holds in vector)}" if vector else label


def _fixed(procedure: Procedure) -> Procedure:
    """What could still be read unwritten belongs to no run: the runs chose their own values explicitly."""
    missing = [Assign(v, zero(v.type)) for v in open_starts(procedure)]
    if not missing:
        return procedure
    start = Block("fixed", tuple(missing), Goto(procedure.entry))
    return Procedure(
        procedure.name,
        procedure.parameters,
        procedure.outputs,
        procedure.locals,
        (start, *procedure.blocks),
        "fixed",
        procedure.span,
        procedure.source_names,
    )
