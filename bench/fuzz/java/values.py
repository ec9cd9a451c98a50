"""Arguments of Java methods: random ones with many that are at the edge, for a machine and for the interpreter."""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from typing import Any

from bench.fuzz.java.methods import FIELDS
from sorrel.frontends.java.strings import CONTENT
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine, Type
from sorrel.program.value import Value

MACHINES = {
    "int": Machine(32, True),
    "long": Machine(64, True),
    "short": Machine(16, True),
    "byte": Machine(8, True),
    "char": Machine(16, False),
}
TEXTS = ("", "a", "A", "b", "ab", "aB", "Ab", "B", " a ", "a b", "0", "zz", "abc", "\t", "b" * 40, "\u00e9", "\uffff")


def random_value(choose: random.Random, type: str) -> Any:
    """A number, a truth value, a text, a list, a dictionary of fields, or None for null."""
    if type in MACHINES:
        return _number(choose, MACHINES[type])
    if type == "boolean":
        return choose.random() < 0.5
    if choose.random() < 0.04:
        return None
    match type:
        case "String":
            return choose.choice(TEXTS)
        case "Integer":
            return _number(choose, MACHINES["int"])
        case "Color":
            return choose.randrange(3)
        case "int[]":
            return [_number(choose, MACHINES["int"]) for _ in range(choose.randrange(5))]
        case _:
            return {name: random_value(choose, own) for name, own in FIELDS.items()}


def _number(choose: random.Random, machine: Machine) -> int:
    low, high = machine.smallest, machine.largest
    edges = [low, low + 1, high, high - 1, 0, 1, 2, 3, 65, 97, 48, 31, 32, 33, 127, 128, 255, 256, 1000]
    edges += [-each for each in (1, 2, 31, 128, 1000)]
    way = choose.random()
    if way < 0.7:
        return machine.wrap(choose.choice(edges))
    return choose.randint(low, high) if way < 0.85 else machine.wrap(choose.randint(-20, 120))


def words(value: Any, type: str) -> list[str]:
    """As the machine reads it."""
    if value is None:
        return ["n"]
    if type in MACHINES or type in ("Integer", "Color"):
        return [str(value)]
    if type == "boolean":
        return ["t" if value else "f"]
    if type == "String":
        return ["s" + "".join(f"{ord(each):04x}" for each in value)]
    if type == "int[]":
        return ["a" + ",".join(map(str, value))]
    return ["P", *(word for name, own in FIELDS.items() for word in words(value[name], own))]


@dataclass(slots=True)
class Objects:
    """Numbers of objects, and what functions say about them."""

    functions: dict[tuple[str, tuple[Value, ...], Type], Value] = field(default_factory=dict)
    texts: dict[int, str] = field(default_factory=dict)
    count: int = 10

    def value(self, value: Any, type: str) -> Value:
        """As the interpreter sees it."""
        if value is None:
            return 0
        if type in MACHINES or type == "boolean":
            return value  # type: ignore[no-any-return]
        if type == "Color":
            return int(value) + 1
        self.count += 1
        number = self.count
        match type:
            case "String":
                self.functions[CONTENT, (number,), UNBOUNDED] = number
                self.texts[number] = value
            case "Integer":
                self.functions["java.lang.Integer.value", (number,), MACHINES["int"]] = value
            case "int[]":
                self.functions["[].length", (number,), MACHINES["int"]] = len(value)
                for at, each in enumerate(value):
                    self.functions["int[]", (number, at), MACHINES["int"]] = each
            case _:
                for name, own in FIELDS.items():
                    self.functions[f"P.{name}", (number,), _type(own)] = self.value(value[name], own)
        return number


def _type(type: str) -> Type:
    return BOOLEAN if type == "boolean" else MACHINES.get(type, UNBOUNDED)
