"""Running the clauses of a task forwards, as the program they were written from.

This is the second opinion about a verdict: what the clauses compute is compared with the reference of each
claim, on many inputs.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from bench.families.horn import Expression, Path, Procedure, Query, is_numeral, parse

Binding = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Cells:
    """An array without bounds: `elsewhere` in every cell that is not written."""

    elsewhere: int
    written: tuple[tuple[int, int], ...] = ()

    def select(self, index: int) -> int:
        return dict(self.written).get(index, self.elsewhere)

    def store(self, index: int, value: int) -> Cells:
        return Cells(self.elsewhere, tuple(sorted({**dict(self.written), index: value}.items())))


class Execution:
    """All results of each call, remembered; recursion must be well-founded, as it is in every family."""

    def __init__(self, procedures: Iterable[Procedure]) -> None:
        self._procedures = {procedure.name: procedure for procedure in procedures}
        self._results: dict[tuple[Any, ...], list[tuple[Any, ...]]] = {}
        self._parsed: dict[str, Expression] = {}

    def violated(self, query: Query, inputs: Mapping[str, Any]) -> bool:
        """Can the body of this query be satisfied with these inputs?"""
        return bool(self._run(query.body, [dict(inputs)]))

    def returned(self) -> set[str]:
        """Procedures that have returned from a call."""
        return {key[0] for key, results in self._results.items() if results}

    def call(self, name: str, inputs: tuple[Any, ...]) -> list[tuple[Any, ...]]:
        key = (name, *inputs)
        if key not in self._results:
            procedure = self._procedures[name]
            start = dict(zip(procedure.inputs, inputs, strict=True))
            found = [end for each in procedure.paths for end in self._run(each.body, _starts(start, each))]
            self._results[key] = list(dict.fromkeys(tuple(end[r] for r in procedure.results) for end in found))
        return self._results[key]

    def _run(self, body: Sequence[str], bindings: list[Binding]) -> list[Binding]:
        for text in body:
            if text not in self._parsed:
                self._parsed[text] = parse(text)
            step = self._parsed[text]
            bindings = [after for before in bindings for after in self._step(step, before)]
        return bindings

    def _step(self, step: Expression, binding: Binding) -> list[Binding]:
        match step:
            case [str(name), *arguments] if name in self._procedures:
                return self._after_call(self._procedures[name], arguments, binding)
            case ["=", str(name), value] if _is_new(name, binding):
                return [{**binding, name: evaluate(value, binding)}]
        return [binding] if evaluate(step, binding) else []

    def _after_call(self, callee: Procedure, arguments: list[Expression], binding: Binding) -> list[Binding]:
        count = len(callee.inputs)
        inputs = tuple(evaluate(argument, binding) for argument in arguments[:count])
        matches = (_match(arguments[count:], results, binding) for results in self.call(callee.name, inputs))
        return [after for after in matches if after is not None]


def _starts(start: Binding, path: Path) -> list[Binding]:
    choices = product(*path.havoc.values())
    return [{**start, **dict(zip(path.havoc, choice, strict=True))} for choice in choices]


def _is_new(name: str, binding: Binding) -> bool:
    return name not in binding and name not in ("true", "false") and not is_numeral(name)


def _match(patterns: Sequence[Expression], values: Sequence[Any], binding: Binding) -> Binding | None:
    """The binding extended by the results of a call; None when a result is not the one that is asked for."""
    extended = dict(binding)
    for pattern, value in zip(patterns, values, strict=True):
        if isinstance(pattern, str) and _is_new(pattern, extended):
            extended[pattern] = value
        elif evaluate(pattern, extended) != value:
            return None
    return extended


def evaluate(expression: Expression, binding: Binding) -> Any:
    """The value of a term; division and remainder are those of SMT-LIB for positive divisors."""
    match expression:
        case "true" | "false":
            return expression == "true"
        case str(symbol):
            return int(symbol) if is_numeral(symbol) else binding[symbol]
        case ["ite", condition, left, right]:
            return evaluate(left if evaluate(condition, binding) else right, binding)
        case [str(operator), *parts]:
            return _apply(operator, [evaluate(part, binding) for part in parts])
    raise ValueError(f"cannot be run: {expression}")


def _apply(operator: str, values: list[Any]) -> Any:
    match operator, values:
        case "and", _:
            return all(values)
        case "or", _:
            return any(values)
        case "not", [value]:
            return not value
        case "+", _:
            return sum(values)
        case "-", [value]:
            return -value
        case "-", [left, *rest]:
            return left - sum(rest)
        case "select", [cells, index]:
            return cells.select(index)
        case "store", [cells, index, value]:
            return cells.store(index, value)
        case _, [left, right]:
            return _binary(operator, left, right)
    raise ValueError(f"cannot be run: {operator} with {len(values)} arguments")


def _binary(operator: str, left: Any, right: Any) -> Any:
    match operator:
        case "=":
            return left == right
        case "distinct":
            return left != right
        case "<":
            return left < right
        case "<=":
            return left <= right
        case ">":
            return left > right
        case ">=":
            return left >= right
        case "*":
            return left * right
        case "div":
            return left // right
        case "mod":
            return left % right
    raise ValueError(f"cannot be run: {operator}")
