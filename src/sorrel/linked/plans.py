"""In which ways the memory of a program may be described, those first that look as if they would help."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.linked.abstraction import Plan
from sorrel.linked.hoisting import hoisted
from sorrel.linked.records import Attribute
from sorrel.linked.regions import Region, regions
from sorrel.model.values import dataclass
from sorrel.program.expression import COMPARISONS, Binary, Constant, Expression, Operator, Select, Variable
from sorrel.program.program import Program
from sorrel.program.statement import Assign
from sorrel.program.traversal import expressions, steps, subexpressions

MOST_ATTRIBUTES = 6


@dataclass(frozen=True, slots=True)
class Plans:
    """`likely` are worth some time before any of the `others` is tried."""

    likely: tuple[Plan, ...] = ()
    others: tuple[Plan, ...] = ()

    def __iter__(self) -> Iterator[Plan]:
        yield from (*self.likely, *self.others)


def has_linked_objects(program: Program) -> bool:
    """Whether there is memory that can be described by what is the same of all objects."""
    return bool(regions(hoisted(program)))


def plans(program: Program) -> Plans:
    """Fields alone, also with an object in focus; values that are compared; lengths; sums of what is added up."""
    simple = hoisted(program)
    found = regions(simple)
    if not found:
        return Plans()
    compared, added = _used(simple, COMPARISONS), _used(simple, {Operator.ADD, Operator.SUBTRACT})
    likely = [
        _plan(found, 0),
        *([_plan(found, 0, values=True)] if compared & _data(found) else []),
        _plan(found, 0, lengths=True),
        *([_plan(found, 0, sums=True)] if added & _data(found) else []),
        _plan(found, 1),
    ]
    others = [
        *(_plan(found, focus, values=True) for focus in (0, 1)),
        _plan(found, 1, lengths=True),
        *(_plan(found, focus, sums=True) for focus in (0, 1)),
        _plan(found, 2),
    ]
    different: list[Plan] = []
    for each in (*likely, *others):
        if each not in different:
            different.append(each)
    return Plans(
        tuple(each for each in different if each in likely), tuple(each for each in different if each not in likely)
    )


def _plan(
    found: tuple[Region, ...], focus: int, *, values: bool = False, lengths: bool = False, sums: bool = False
) -> Plan:
    attributes: dict[str, tuple[Attribute, ...]] = {}
    for region in found:
        links = [each for each in region.fields if each in region.links]
        data = [each for each in region.fields if each not in region.links]
        chosen = [
            *(Attribute(data=each) for each in data if values),
            *(Attribute(link=each) for each in links if lengths),
            *(Attribute(one, other) for other in links for one in data if sums),
        ]
        attributes[region.name] = tuple(chosen[:MOST_ATTRIBUTES])
    return Plan(attributes, focus)


def _data(found: tuple[Region, ...]) -> frozenset[Variable]:
    return frozenset(each for region in found for each in region.fields if each not in region.links)


def _used(program: Program, operators: frozenset[Operator] | set[Operator]) -> frozenset[Variable]:
    """The arrays whose elements are operands of such an operation, directly or by way of a variable."""
    read: dict[Variable, set[Variable]] = {}
    operands: list[Expression] = []
    for procedure in program.procedures:
        for step in (step for block in procedure.blocks for step in steps(block)):
            if isinstance(step, Assign):
                read.setdefault(step.target, set()).update(_arrays(step.value))
            for node in (node for each in expressions(step) for node in subexpressions(each)):
                if isinstance(node, Binary) and node.operator in operators:
                    sides = (node.left, node.right)
                    operands += sides if not any(isinstance(side, Constant) for side in sides) else ()
    direct = {array for operand in operands for array in _arrays(operand)}
    variables = {node for each in operands for node in subexpressions(each) if isinstance(node, Variable)}
    return frozenset(direct | {array for variable in variables for array in read.get(variable, ())})


def _arrays(expression: Expression) -> set[Variable]:
    selects = (node.array for node in subexpressions(expression) if isinstance(node, Select))
    return {array for array in selects if isinstance(array, Variable)}
