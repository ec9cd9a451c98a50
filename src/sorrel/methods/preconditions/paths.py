"""What the first assertions on a way demand of the state before the call, where that can be said without a loop."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.contracts.entry import EntryState
from sorrel.contracts.expressing import expressed
from sorrel.contracts.writing import Inexpressible
from sorrel.model.values import dataclass
from sorrel.program.construction import negation
from sorrel.program.expression import Binary, Expression, Operator, Variable
from sorrel.program.program import Procedure
from sorrel.program.statement import Assert, Assign, Assume, Branch, Call, Goto, Havoc
from sorrel.program.traversal import free_variables, substitute

MOST_PATHS, MOST_TEXTS, LONGEST = 200, 40, 90


@dataclass(frozen=True, slots=True)
class _Path:
    """Where a way has come, what variables hold there, and under which conditions it is taken."""

    label: str
    values: Mapping[Variable, Expression]
    conditions: tuple[Expression, ...] = ()
    visited: frozenset[str] = frozenset()


def demanded(state: EntryState) -> Iterator[str]:
    """Conditions of the function's own assertions, over the state before the call, as texts."""
    procedure = state.program.procedure[state.function]
    found: dict[str, None] = {}
    for condition, taken in _assertions(state, procedure):
        for text in _texts(state, condition, taken):
            found.setdefault(text)
        if len(found) >= MOST_TEXTS:
            break
    yield from found


def _texts(state: EntryState, condition: Expression, taken: Sequence[Expression]) -> Iterator[str]:
    for part in _conjuncts(condition):
        if not free_variables(part):
            continue
        try:
            text = expressed(part, state.vocabulary)
            if len(text) <= LONGEST:
                yield text
            if taken:
                given = " && ".join(expressed(each, state.vocabulary) for each in taken[-1:])
                whole = f"{given} ==> {text}"
                if len(whole) <= LONGEST:
                    yield whole
        except Inexpressible:
            continue


def _conjuncts(condition: Expression) -> Iterator[Expression]:
    pending = [condition]
    while pending:
        part = pending.pop()
        if isinstance(part, Binary) and part.operator is Operator.AND:
            pending += [part.right, part.left]
        else:
            yield part


def _assertions(state: EntryState, procedure: Procedure) -> Iterator[tuple[Expression, tuple[Expression, ...]]]:
    """Along ways that visit no block twice."""
    assert state.call is not None
    start = dict(zip(procedure.parameters, state.call.arguments, strict=True))
    pending = [_Path(procedure.entry, start)]
    seen = 0
    while pending and seen < MOST_PATHS:
        path = pending.pop()
        seen += 1
        block = procedure.block[path.label]
        values = dict(path.values)
        for statement in block.statements:
            match statement:
                case Assert(condition):
                    yield substitute(condition, values), path.conditions
                case Assign(target, value):
                    values[target] = substitute(value, values)
                case Havoc(target):
                    values[target] = Variable(f"{target.name}..any", target.type)
                case Call(_, _, results):
                    # What the call changed is not followed.
                    values = {v: Variable(f"{v.name}..any", v.type) for v in (*values, *state.program.globals)}
                    values.update({v: Variable(f"{v.name}..any", v.type) for v in results if v is not None})
                case Assume():
                    pass
        visited = path.visited | {path.label}
        match block.terminator:
            case Goto(label):
                ways = [(label, path.conditions)]
            case Branch(condition, then, otherwise):
                holds = substitute(condition, values)
                ways = [(otherwise, (*path.conditions, negation(holds))), (then, (*path.conditions, holds))]
            case _:
                ways = []
        pending += [_Path(label, values, taken, visited) for label, taken in ways if label not in visited]
