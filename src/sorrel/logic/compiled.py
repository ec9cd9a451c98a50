"""Terms as Python functions: a run of a program takes microseconds a step.

Truth values are 0 and 1, bit-vectors have no sign, arrays of integers are `Cells`. Integers divided by zero have no
fixed value: `ZeroDivisionError`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from sorrel.logic import terms
from sorrel.logic.listing import INTEGER, Instruction, Listing, NotListed, Operation, listing
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

Values: TypeAlias = tuple[int, ...]
Compiled: TypeAlias = Callable[[Sequence[int]], Values]
Guarded: TypeAlias = Callable[[Sequence[int]], Values | None]
SPREAD, FIRST, STEP = 9_973, 4_711, 7_919
"""What elements are that nobody has written: scattered, of both signs, and further from zero than most numbers."""


@dataclass(frozen=True, slots=True)
class Cells:
    """An array of integers: what was written, and for the rest one number, or numbers without a pattern by a seed."""

    written: Mapping[int, int]
    rest: int | None = None
    seed: int = 0

    def at(self, index: int) -> int:
        found = self.written.get(index)
        if found is not None:
            return found
        if self.rest is not None:
            return self.rest
        size = pow(STEP, (2 * index + 1) % SPREAD + 101 * self.seed, SPREAD)
        return FIRST + size if size & 2 else -FIRST - size

    def put(self, index: int, element: int) -> Cells:
        return Cells({**self.written, index: element}, self.rest, self.seed)


Concrete: TypeAlias = int | Cells
Rule: TypeAlias = Callable[[Sequence[Concrete | None]], tuple[Concrete, ...] | None]


@dataclass(frozen=True, slots=True, eq=False)
class Calculation:
    """A term as a function of the values of all variables; `places` are those of the variables that occur in it.

    `variable` is the place of the variable that the term is, if it is one.
    """

    places: tuple[int, ...]
    run: Callable[[Sequence[int | None]], int]
    variable: int | None = None


def calculations(variables: Sequence[Term], results: Sequence[Term]) -> list[Calculation]:
    """Each result, over truth values and integers, as a function of the variables' values; of nothing else."""
    if any(terms.is_bitvector(each) for each in (*variables, *results)):
        raise NotListed("bit-vectors are not calculated as integers")
    return [_calculation(listing(variables, [result], integers=True)) for result in results]


def _calculation(listed: Listing) -> Calculation:
    places = {each.data for each in listed.instructions if each.operation is Operation.VARIABLE}
    lines, (name,) = _lines(listed)
    last = listed.instructions[listed.results[0]]
    is_variable = last.operation is Operation.VARIABLE
    return Calculation(
        tuple(sorted(places)), _function([*lines, f" return {name}"]), last.data if is_variable else None
    )


def compiled(variables: Sequence[Term], results: Sequence[Term]) -> Compiled:
    """A function from the values of the variables to those of the results, without integers."""
    lines, names = _lines(listing(variables, results))
    found: Compiled = _function([*lines, f" return ({_tuple(names)})"])
    return found


def guarded(variables: Sequence[Term], guard: Term, results: Sequence[Term]) -> Guarded:
    """The same, with None where the guard does not hold."""
    lines, (condition, *names) = _lines(listing(variables, [guard, *results]))
    found: Guarded = _function([*lines, f" return ({_tuple(names)}) if {condition} else None"])
    return found


def rule(variables: Sequence[Term], guard: Term, results: Sequence[Term]) -> Rule:
    """The same over truth values, integers and arrays of these."""
    lines, (condition, *names) = _lines(listing(variables, [guard, *results], integers=True, arrays=True))
    found: Rule = _function([*lines, f" return ({_tuple(names)}) if {condition} else None"])
    return found


def _tuple(names: Sequence[str]) -> str:
    return "".join(f"{name}," for name in names)


def _lines(listed: Listing) -> tuple[list[str], list[str]]:
    """The body of a function of `v`, and the names of the results in it."""
    lines: list[str] = []
    names: list[str] = []
    for place, instruction in enumerate(listed.instructions):
        text = _expression(instruction, names, [listed.instructions[a].width for a in instruction.arguments])
        if instruction.operation in (Operation.NUMBER, Operation.VARIABLE):
            names.append(text)
        else:
            names.append(f"t{place}")
            lines.append(f" t{place}={text}")
    return lines, [names[place] for place in listed.results]


def _function(lines: Sequence[str]) -> Any:
    scope: dict[str, Any] = {"divided": _divided, "remainder": _remainder, "quotient": _quotient, "Cells": Cells}
    exec("\n".join(["def run(v):", *lines]), scope)
    return scope["run"]


def holds(variables: Sequence[Term], formula: Term) -> Callable[[Sequence[int]], bool]:
    run = compiled(variables, [formula])
    return lambda values: bool(run(values)[0])


def _quotient(x: int, y: int) -> int:
    """Of integers, as SMT-LIB defines it: the remainder is never negative."""
    return x // y if y > 0 else -(x // -y)


def _divided(x: int, y: int, mask: int) -> int:
    return x // y if y else mask


def _remainder(x: int, y: int) -> int:
    return x % y if y else x


def _expression(instruction: Instruction, names: Sequence[str], widths: Sequence[int]) -> str:
    a = [names[place] for place in instruction.arguments]
    width = instruction.width
    if width == INTEGER and instruction.operation in _OF_INTEGERS:
        return _OF_INTEGERS[instruction.operation].format(*a)
    mask = (1 << max(1, width)) - 1
    match instruction.operation:
        case Operation.NUMBER:
            return f"({instruction.data})"
        case Operation.VARIABLE:
            return f"v[{instruction.data}]"
        case Operation.NOT:
            return f"{a[0]}^{mask}"
        case Operation.AND:
            return f"{a[0]}&{a[1]}"
        case Operation.OR:
            return f"{a[0]}|{a[1]}"
        case Operation.XOR:
            return f"{a[0]}^{a[1]}"
        case Operation.EQUAL:
            return f"1 if {a[0]}=={a[1]} else 0"
        case Operation.LESS:
            return f"1 if {a[0]}<{a[1]} else 0"
        case Operation.ITE:
            return f"{a[1]} if {a[0]} else {a[2]}"
        case Operation.ADD:
            return f"({a[0]}+{a[1]})&{mask}"
        case Operation.MULTIPLY:
            return f"({a[0]}*{a[1]})&{mask}"
        case Operation.NEGATE:
            return f"(-{a[0]})&{mask}"
        case Operation.DIVIDE:
            return f"divided({a[0]},{a[1]},{mask})"
        case Operation.REMAINDER:
            return f"remainder({a[0]},{a[1]})"
        case Operation.LEFT:
            return f"({a[0]}<<{a[1]})&{mask} if {a[1]}<{width} else 0"
        case Operation.RIGHT:
            return f"{a[0]}>>{a[1]} if {a[1]}<{width} else 0"
        case Operation.RIGHT_SIGNED:
            signed = f"({a[0]}-(({a[0]}>>{width - 1})<<{width}))"
            return f"({signed}>>min({a[1]},{width}))&{mask}"
        case Operation.CONCAT:
            return f"{a[0]}<<{widths[1]}|{a[1]}"
        case Operation.EXTRACT:
            return f"({a[0]}>>{instruction.data})&{mask}"
        case Operation.EXTEND:
            return a[0]
        case Operation.SELECT:
            return f"{a[0]}.at({a[1]})"
        case Operation.STORE:
            return f"{a[0]}.put({a[1]},{a[2]})"
        case Operation.FILLED:
            return f"Cells({{}},{a[0]})"
        case Operation.EXTEND_SIGNED:
            return f"({a[0]}-(({a[0]}>>{widths[0] - 1})<<{widths[0]}))&{mask}"


_OF_INTEGERS = {
    Operation.ADD: "{}+{}",
    Operation.MULTIPLY: "{}*{}",
    Operation.NEGATE: "-{}",
    Operation.DIVIDE: "quotient({},{})",
    Operation.REMAINDER: "{}%abs({})",
}
