"""Conditions that a person might ask of a caller, as text: they are worth what they mean once they are read back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import combinations, permutations

from sorrel.contracts.entry import EntryState
from sorrel.contracts.meaning import Meaning
from sorrel.methods.preconditions.guards import Guarded, guarded_by
from sorrel.methods.preconditions.paths import demanded
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.expression import Binary, Constant, Operator, Variable
from sorrel.program.program import CONTRACT
from sorrel.program.traversal import expressions, free_variables, steps, subexpressions, written
from sorrel.program.types import Array, Machine
from sorrel.program.visible import EntryKind
from sorrel.testing.probe import constants_of

MOST_NUMBERS, MOST_CONSTANTS, LONGEST = 8, 12, 400


@dataclass(frozen=True, slots=True, eq=False)
class Atom:
    """`weight`: how much there is to read. `likely`: the program itself compares what is said to be enough."""

    text: str
    said: Meaning = field(compare=False)
    weight: int = 1
    likely: bool = False


def atoms(state: EntryState) -> list[Atom]:
    """Each once; those that cannot be read back are left out."""
    return list(read(state, _Texts(state).all()))


def read(state: EntryState, texts: Iterable[tuple[str, int]]) -> Iterator[Atom]:
    """With what there is to read of each."""
    likely = guarded_by(state)
    seen: set[str] = set()
    for text, weight in texts:
        if text in seen:
            continue
        seen.add(text)
        try:
            yield Atom(text, state.meaning(text), weight, _is_likely(text, likely))
        except InputError:
            continue


def _is_likely(text: str, likely: Iterable[Guarded]) -> bool:
    return any(each.text in text for each in likely)


def changed(state: EntryState) -> frozenset[str]:
    """The names of variables that the function, or what it calls, writes to."""
    others = (each for each in state.program.procedures if each.name != state.procedure.name)
    steps = (step for each in others for block in each.blocks for step in block.statements)
    return frozenset(variable.name for step in steps for variable in written(step))


def held(state: EntryState, pointer: str) -> list[str]:
    """The variables with what is in the object that the pointer leads to: numbers, and pointers."""
    kinds = (EntryKind.CONTENTS, EntryKind.HELD)
    return [p.variable for p in state.program.entry_parts if p.text == pointer and p.kind in kinds]


def word(state: EntryState, pointer: str) -> str:
    """What must be said of what the pointer leads to: that it may be written, if the function does so, or read."""
    own = held(state, pointer)
    unseen = "" in own and not _assigns_nothing(state)
    return "\\valid" if unseen or any(name in changed(state) for name in own) else "\\valid_read"


def _assigns_nothing(state: EntryState) -> bool:
    """Whether the text of the function shows that."""
    scopes = state.program.procedure[state.function].scopes or {}
    scope = scopes.get(CONTRACT)
    return scope is not None and scope.frame == ()


def _multiplies(state: EntryState) -> bool:
    """Whether the program has products of which neither factor is a constant."""
    blocks = (block for each in state.program.procedures for block in each.blocks)
    parts = (part for block in blocks for step in steps(block) for e in expressions(step) for part in subexpressions(e))
    products = (part for part in parts if isinstance(part, Binary) and part.operator is Operator.MULTIPLY)
    return any(free_variables(each.left) and free_variables(each.right) for each in products)


class _Texts:
    def __init__(self, state: EntryState) -> None:
        self._state = state
        known = state.vocabulary
        self._numbers = {
            text: variable.type
            for text, variable in list(known.now.items())
            if isinstance(variable.type, Machine) and variable.type.bits > 1
        }
        self._few = list(self._numbers)[:MOST_NUMBERS]
        self._constants = [c for c in constants_of(state.program) if abs(c) <= 2**31][:MOST_CONSTANTS]
        self._strings = [text for text, each in known.pointers.items() if self._may_be_text(each.contents)]
        self._multiplies = _multiplies(state)

    def all(self) -> Iterator[tuple[str, int]]:
        yield from self._lengths()
        yield from ((text, 3 if "==>" in text else 1) for text in demanded(self._state))
        yield from ((self._string(text), 1) for text in self._strings)
        yield from self._comparisons()

    def _string(self, pointer: str) -> str:
        return f"{word(self._state, pointer)}_string({pointer})"

    def _may_be_text(self, contents: Variable | None) -> bool:
        return contents is not None and isinstance(contents.type, Array) and contents.type.element in _CHARACTERS

    # Lengths

    def _lengths(self) -> Iterator[tuple[str, int]]:
        for pointer, located in self._state.vocabulary.pointers.items():
            valid = word(self._state, pointer)
            yield f"{valid}({pointer})", 1
            if isinstance(located.length, Constant):
                continue
            for last, weight in self._ends():
                yield f"{valid}({pointer} + (0 .. {last}))", weight
            for other in self._strings:
                if other != pointer:
                    yield f"{self._string(other)} && {valid}({pointer} + (0 .. strlen({other})))", 2

    def _ends(self) -> Iterator[tuple[str, int]]:
        for number in self._few:
            yield f"{number} - 1", 1
            yield number, 1
        yield from ((str(c), 2) for c in self._constants if 0 < c < LONGEST)
        yield from ((str(c - 1), 2) for c in self._constants if 1 < c <= LONGEST)
        for one, other in combinations(self._few, 2):
            yield f"{one} + {other} - 1", 3
            yield f"{one} + {other}", 3
            if self._multiplies:
                yield f"{one} * {other} - 1", 3

    # Numbers

    def _comparisons(self) -> Iterator[tuple[str, int]]:
        for text, type in list(self._numbers.items())[:MOST_NUMBERS]:
            if not isinstance(type, Machine):
                continue
            if type.signed:
                yield f"0 <= {text}", 1
            yield f"0 < {text}", 1
            yield f"{text} != 0", 1
            for constant in self._within(type):
                yield f"{text} < {constant}", 2
                yield f"{text} <= {constant}", 2
                yield f"{constant} <= {text}", 2
                yield f"{text} != {constant}", 2
            if type.signed:
                yield f"{type.smallest} < {text}", 2
            yield f"{text} < {type.largest}", 2
        for one, other in permutations(self._few, 2):
            yield f"{one} <= {other}", 1
            yield f"{one} < {other}", 1

    def _within(self, type: Machine) -> Sequence[int]:
        return [c for c in self._constants if c != 0 and type.contains(c)]


_CHARACTERS = (Machine(8, True), Machine(8, False))
