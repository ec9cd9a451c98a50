"""Terms over truth values and integers as Python functions: a run of a program takes microseconds a step.

Truth values are 0 and 1. What has no fixed value, such as division by zero, raises `ZeroDivisionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from sorrel.logic import pointers
from sorrel.logic.pointers import Pointer
from sorrel.logic.terms import Term
from sorrel.model.errors import SorrelError

Function: TypeAlias = Callable[[Sequence[int | None]], int]


class NotCalculable(SorrelError):
    """The term has an operator or a sort that is not one of truth values and integers."""


@dataclass(frozen=True, slots=True, eq=False)
class Calculation:
    """A term as a function of the values of all variables; `places` are those of the variables that occur in it.

    `variable` is the place of the variable that the term is, if it is one.
    """

    places: tuple[int, ...]
    run: Function
    variable: int | None = None


def calculations(variables: Sequence[Term], results: Sequence[Term]) -> list[Calculation]:
    """Each result as a function of the variables' values; a variable that is not among them is refused."""
    places = {pointers.address(variable): place for place, variable in enumerate(variables)}
    lines: list[str] = []
    used: list[set[int]] = []
    for number, result in enumerate(results):
        occurring: set[int] = set()
        lines += _definition(number, pointers.address(result), places, occurring)
        used.append(occurring)
    scope: dict[str, Any] = {"div": _divided, "mod": _remainder}
    exec("\n".join(lines), scope)
    return [
        Calculation(tuple(sorted(used[n])), scope[f"f{n}"], places.get(pointers.address(result)))
        for n, result in enumerate(results)
    ]


def _definition(number: int, root: Pointer, places: Mapping[Pointer, int], used: set[int]) -> list[str]:
    """A function of `v`; a node that is used several times is calculated once."""
    lines = [f"def f{number}(v):"]
    names: dict[Pointer, str] = {}
    stack = [(root, False)]
    while stack:
        node, expanded = stack.pop()
        if node in names:
            continue
        if node in places:
            used.add(places[node])
            names[node] = f"v[{places[node]}]"
            continue
        children = pointers.children(node)
        if children and not expanded:
            stack.append((node, True))
            stack.extend((child, False) for child in children)
            continue
        text = _expression(node, [names[child] for child in children])
        if children:
            lines.append(f" t{len(names)}={text}")
            text = f"t{len(names)}"
        names[node] = text
    return [*lines, f" return {names[root]}"]


def _expression(node: Pointer, parts: Sequence[str]) -> str:
    operator = pointers.operator(node)
    if pointers.kind(node) == pointers.QUANTIFIER or pointers.sort_kind(node) not in (z3.Z3_BOOL_SORT, z3.Z3_INT_SORT):
        raise NotCalculable(f"{pointers.term(node)} is not a number or a truth value that can be calculated")
    match operator:
        case z3.Z3_OP_TRUE:
            return "1"
        case z3.Z3_OP_FALSE:
            return "0"
        case z3.Z3_OP_ANUM:
            return f"({int(pointers.numeral(node))})"
        case z3.Z3_OP_NOT:
            return f"0 if {parts[0]} else 1"
        case z3.Z3_OP_IMPLIES:
            return f"1 if not {parts[0]} or {parts[1]} else 0"
        case z3.Z3_OP_ITE:
            return f"{parts[1]} if {parts[0]} else {parts[2]}"
        case z3.Z3_OP_DISTINCT:
            return f"1 if len({{{', '.join(parts)}}})=={len(parts)} else 0"
        case z3.Z3_OP_UMINUS:
            return f"-{parts[0]}"
        case z3.Z3_OP_IDIV:
            return f"div({parts[0]},{parts[1]})"
        case z3.Z3_OP_MOD:
            return f"mod({parts[0]},{parts[1]})"
    if operator in _CONNECTIVES:
        return f"1 if {f' {_CONNECTIVES[operator]} '.join(parts)} else 0"
    if operator in _ARITHMETIC:
        return _ARITHMETIC[operator].join(parts)
    if operator in _COMPARISONS and len(parts) == 2:
        return f"1 if {parts[0]}{_COMPARISONS[operator]}{parts[1]} else 0"
    raise NotCalculable(f"{pointers.term(node)} is not calculated")


_CONNECTIVES = {z3.Z3_OP_AND: "and", z3.Z3_OP_OR: "or"}
_ARITHMETIC = {z3.Z3_OP_ADD: "+", z3.Z3_OP_SUB: "-", z3.Z3_OP_MUL: "*"}
_COMPARISONS = {
    z3.Z3_OP_EQ: "==",
    z3.Z3_OP_IFF: "==",
    z3.Z3_OP_XOR: "!=",
    z3.Z3_OP_LE: "<=",
    z3.Z3_OP_LT: "<",
    z3.Z3_OP_GE: ">=",
    z3.Z3_OP_GT: ">",
}


def _divided(x: int, y: int) -> int:
    """As SMT-LIB defines it: the remainder is never negative."""
    return x // y if y > 0 else -(x // -y)


def _remainder(x: int, y: int) -> int:
    return x % abs(y)
