"""Conditions that say the same in other words: sides exchanged, an implication the other way round, `<` for `<=`."""

from __future__ import annotations

import re
from dataclasses import fields, is_dataclass, replace
from functools import cache

from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Choice, Condition, Infix, Number, Prefix, Quantified, Truth
from sorrel.model.errors import InputError

_FLIPPED = {">": "<", ">=": "<="}
_NEGATED = {"<": ">=", "<=": ">", ">": "<=", ">=": "<", "==": "!=", "!=": "=="}
_TRUTHS = ("&&", "||", "==>", "<==>", *_NEGATED)
_WHOLE = re.compile(r"-?\d+")
_JOINING = ("+", "*", "&", "|", "^")


@cache
def canonical(text: str) -> str:
    """The same for conditions that are variants of each other; never the same for two that differ in meaning."""
    try:
        return _canonical(read(text, Dialect.ACSL))
    except InputError:
        return " ".join(text.split())


def _canonical(node: Condition) -> str:
    match node:
        case Infix("&&" | "||" | "==>" as operator) | Prefix("!" as operator):
            return _joined("&&" if operator == "&&" else "||", node)
        case Infix(operator, left, right) if operator in _NEGATED:
            return _compared(operator, left, right)
        case Infix(operator, left, right) if operator in _JOINING:
            return f"({f' {operator} '.join(sorted((_canonical(left), _canonical(right))))})"
        case Prefix("-", Number(value)):
            return str(-value)
        case Number(value) | Truth(value):
            return str(value)
    return _spelt(node)


def _joined(operator: str, node: Condition) -> str:
    return _of(_parts(operator, node), operator)


def _of(parts: set[str], operator: str) -> str:
    return f"({f' {operator} '.join(sorted(parts))})" if len(parts) > 1 else next(iter(parts))


def _parts(operator: str, node: Condition) -> set[str]:
    """What is joined by `&&` or by `||`, in all depths."""
    match node:
        case Infix(own, left, right) if own == operator:
            return _parts(operator, left) | _parts(operator, right)
        case Infix("==>", left, right) if operator == "||":
            return _denied_parts(operator, left) | _parts(operator, right)
        case Prefix("!", operand):
            return _denied_parts(operator, operand)
    return {_as_truth(node)}


def _denied_parts(operator: str, node: Condition) -> set[str]:
    match node, operator:
        case (Infix("&&", left, right), "||") | (Infix("||", left, right), "&&"):
            return _denied_parts(operator, left) | _denied_parts(operator, right)
        case Infix("==>", left, right), "&&":
            return _parts(operator, left) | _denied_parts(operator, right)
        case Prefix("!", operand), _:
            return _parts(operator, operand)
    return {_denied(node)}


def _denied(node: Condition) -> str:
    match node:
        case Infix("&&"):
            return _of(_denied_parts("||", node), "||")
        case Infix("||" | "==>"):
            return _of(_denied_parts("&&", node), "&&")
        case Infix(operator, left, right) if operator in _NEGATED:
            return _compared(_NEGATED[operator], left, right)
        case Truth(value):
            return str(not value)
        case Choice() | Quantified() | Infix("<==>"):
            return f"!{_spelt(node)}"
    return _compared("==", node, Number(0))


def _compared(operator: str, left: Condition, right: Condition) -> str:
    """Numbers are whole: `x < 5` is `x <= 4`."""
    if operator in _FLIPPED:
        return _compared(_FLIPPED[operator], right, left)
    sides = [_canonical(left), _canonical(right)]
    if operator == "<" and _WHOLE.fullmatch(sides[1]):
        return f"({sides[0]} <= {int(sides[1]) - 1})"
    if operator == "<" and _WHOLE.fullmatch(sides[0]):
        return f"({int(sides[0]) + 1} <= {sides[1]})"
    return f"({f' {operator} '.join(sorted(sides) if operator in ('==', '!=') else sides)})"


def _as_truth(node: Condition) -> str:
    """What a number says where a truth is wanted."""
    is_truth = isinstance(node, Truth | Quantified | Choice) or (isinstance(node, Infix) and node.operator in _TRUTHS)
    if is_truth or (isinstance(node, Prefix) and node.operator == "!"):
        return _canonical(node)
    return _compared("!=", node, Number(0))


def _spelt(node: object) -> str:
    """As the tree is, with its parts in their canonical forms; where in the text they stand does not matter."""
    if not is_dataclass(node) or isinstance(node, type):
        return repr(node)
    plain = replace(node, column=0) if any(each.name == "column" for each in fields(node)) else node
    parts = (getattr(plain, each.name) for each in fields(plain) if each.name != "column")
    return f"{type(node).__name__}({', '.join(map(_part, parts))})"


def _part(value: object) -> str:
    if isinstance(value, tuple):
        return f"[{', '.join(map(_part, value))}]"
    is_condition = is_dataclass(value) and any(each.name == "column" for each in fields(value))
    return _canonical(value) if is_condition else repr(value)  # type: ignore[arg-type]
