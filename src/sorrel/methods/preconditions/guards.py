"""Which numbers a function compares its indices with: a person says that as many elements are there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sorrel.contracts.entry import EntryState
from sorrel.model.values import dataclass
from sorrel.program.expression import COMPARISONS, Binary, Constant, Expression, Select, Store, Variable
from sorrel.program.program import Procedure
from sorrel.program.traversal import expressions, free_variables, steps, subexpressions


@dataclass(frozen=True, slots=True)
class Guarded:
    """An index of what `pointer` leads to is compared with `number`."""

    pointer: str
    number: str

    @property
    def text(self) -> str:
        return f"({self.pointer} + (0 .. {self.number} - 1))"


def guarded_by(state: EntryState) -> frozenset[Guarded]:
    """In the function that is called."""
    procedure = state.program.procedure[state.function]
    numbers = _numbers(state, procedure)
    contents = {each.contents.name: text for text, each in state.vocabulary.pointers.items() if each.contents}
    fixed = _fixed(state, procedure)
    indices = {(contents[array], name) for array, name in _indices(procedure, fixed) if array in contents}
    found = set()
    for one, other in _compared(procedure):
        for index, bound in ((one, other), (other, one)):
            if bound in numbers:
                found |= {Guarded(pointer, numbers[bound]) for pointer, name in indices if name == index}
    return frozenset(found)


def _numbers(state: EntryState, procedure: Procedure) -> Mapping[str, str]:
    """Variables of the function that hold what the user has a name for before the call."""
    texts = {variable.name: text for text, variable in state.vocabulary.now.items()}
    found = dict(texts)
    assert state.call is not None
    for parameter, argument in zip(procedure.parameters, state.call.arguments, strict=True):
        if isinstance(argument, Variable) and argument.name in texts:
            found[parameter.name] = texts[argument.name]
    return found


def _parts(procedure: Procedure) -> Iterator[Expression]:
    for block in procedure.blocks:
        for step in steps(block):
            for expression in expressions(step):
                yield from subexpressions(expression)


def _fixed(state: EntryState, procedure: Procedure) -> frozenset[str]:
    """Parameters that are the same in all calls, such as where a pointer starts in its object."""
    assert state.call is not None
    pairs = zip(procedure.parameters, state.call.arguments, strict=True)
    return frozenset(parameter.name for parameter, argument in pairs if isinstance(argument, Constant))


def _indices(procedure: Procedure, fixed: frozenset[str]) -> Iterator[tuple[str, str]]:
    """Arrays, and variables that are an index of them all by themselves."""
    for part in _parts(procedure):
        if isinstance(part, Select | Store) and isinstance(part.array, Variable):
            moving = [variable.name for variable in free_variables(part.index) if variable.name not in fixed]
            if len(moving) == 1:
                yield part.array.name, moving[0]


def _compared(procedure: Procedure) -> Iterator[tuple[str, str]]:
    for part in _parts(procedure):
        if isinstance(part, Binary) and part.operator in COMPARISONS and not _has_elements(part):
            for one in free_variables(part.left):
                yield from ((one.name, other.name) for other in free_variables(part.right))


def _has_elements(expression: Expression) -> bool:
    """What is compared with an element says nothing about how many there are."""
    return any(isinstance(part, Select) for part in subexpressions(expression))
