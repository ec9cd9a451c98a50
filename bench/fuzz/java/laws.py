"""Questions about random methods, and whether the values that a machine returned contradict a law."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

from bench.fuzz.java.methods import NUMBERS, Writer, Written
from bench.fuzz.java.values import random_value

KEYED = ("P", "P", "String", "Integer", "Color", "int", "long", "char")
_COMPARED = {
    "int": ("Integer.compare({0}, {1})", "{0} - {1}", "({0} < {1} ? -1 : {0} == {1} ? 0 : 1)", "({0} > {1} ? 1 : -1)"),
    "long": ("Long.compare({0}, {1})", "(int) ({0} - {1})", "Long.signum({0} - {1})"),
    "char": ("Character.compare({0}, {1})", "{0} - {1}", "Character.toLowerCase({0}) - Character.toLowerCase({1})"),
    "short": ("Short.compare({0}, {1})", "{0} - {1}"),
    "byte": ("Byte.compare({0}, {1})", "{0} - {1}"),
    "boolean": ("Boolean.compare({0}, {1})", "({0} == {1} ? 0 : {0} ? 1 : -1)", "({0} ? 1 : -1)"),
    "String": (
        "{0}.compareTo({1})",
        "{0}.length() - {1}.length()",
        "{0}.compareToIgnoreCase({1})",
        "({0}.equals({1}) ? 0 : 1)",
    ),
    "Integer": ("{0}.compareTo({1})", "{0} - {1}", "({0}.equals({1}) ? 0 : {0} < {1} ? -1 : 1)"),
    "Color": ("{0}.compareTo({1})", "{0}.ordinal() - {1}.ordinal()", "({0} == {1} ? 0 : 1)"),
}
"""How two values of a type are compared: some ways are orders, some are not."""


@dataclass(frozen=True, slots=True)
class Question:
    written: Written
    law: str


def question(seed: int, at: int) -> Question:
    choose = random.Random(f"{seed}.law.{at}")
    name = f"L{at}"
    way = choose.random()
    if way < 0.65:
        return Question(_comparator(choose, name), choose.choice(("P1", "P2", "P3")))
    if way < 0.8:
        type = choose.choice(NUMBERS)
        return Question(
            _plain(choose, name, [type], type), choose.choice(("monotonicity", "injectivity", "idempotence"))
        )
    type = choose.choice(NUMBERS)
    return Question(_plain(choose, name, [type, type], "int"), choose.choice(("P1", "P3", "commutativity")))


def _plain(choose: random.Random, name: str, parameters: Sequence[str], result: str) -> Written:
    names = {f"p{at}": type for at, type in enumerate(parameters)}
    writer = Writer(choose, dict(names))
    body = writer.body(result, choose.randint(0, 1), choose.randint(1, 2))
    given = ", ".join(f"{type} {each}" for each, type in names.items())
    text = f"class {name} {{ static {result} f({given}) {{ {body} }} }}"
    return Written(name, text, tuple(parameters), result, frozenset(writer.constructs))


def _comparator(choose: random.Random, name: str) -> Written:
    """Keys of the two arguments, compared one after the other."""
    type = choose.choice(KEYED)
    constructs: set[str] = {"comparator"}
    steps = []
    for at in range(choose.randint(1, 3)):
        key_type = choose.choice(tuple(_COMPARED)) if type == "P" else _key_type(choose, type)
        key = _key(choose, type, key_type, constructs)
        compared = choose.choice(_COMPARED[key_type]).format(key, key.replace("p0", "p1"))
        steps.append(f"int c{at} = {compared}; if (c{at} != 0) return c{at};")
    last = choose.choice(("0", "0", "0", "1", "c0"))
    body = " ".join([*steps, f"return {last};"])
    text = f"class {name} {{ static int f({type} p0, {type} p1) {{ {body} }} }}"
    return Written(name, text, (type, type), "int", frozenset(constructs))


def _key_type(choose: random.Random, type: str) -> str:
    return choose.choice((type, type, "int", "boolean"))


def _key(choose: random.Random, type: str, wanted: str, constructs: set[str]) -> str:
    """An expression about the first argument; one without effects, so that it may stand twice."""
    writer = Writer(choose, {"p0": type}, constructs, {"p0"})
    depth = choose.randint(0, 1)
    for _ in range(8):
        text = writer.expression(wanted, depth)
        if "p0" in text and text != "null" and "++" not in text and "--" not in text:
            return text
    return "p0" if wanted == type else f"(p0 == p0 ? {_fallback(wanted)} : {_fallback(wanted)})"


def _fallback(wanted: str) -> str:
    return {"boolean": "true", "String": '"a"', "Color": "Color.RED", "Integer": "Integer.valueOf(1)"}.get(
        wanted, f"({wanted}) 1" if wanted in NUMBERS else "null"
    )


# What the machine says

Values = Mapping[tuple[int, ...], int]
"""Results by the positions of the arguments among the samples; calls that throw have none."""


def samples(question: Question, count: int, seed: int) -> list[list[Any]]:
    """Arguments for each parameter: the same for parameters of the same type."""
    choose = random.Random(f"{seed}.{question.written.name}.samples")
    of_type = {type: [random_value(choose, type) for _ in range(count)] for type in set(question.written.parameters)}
    return [of_type[type] for type in question.written.parameters]


def contradiction(law: str, results: Values, values: Sequence[Any]) -> tuple[Any, ...] | None:
    """Arguments on which the law is violated."""
    return _LAWS[law](results, values)


def _sign(value: int) -> int:
    return (value > 0) - (value < 0)


def _pairs(law: Callable[[Values, int, int], bool]) -> Callable[[Values, Sequence[Any]], tuple[Any, ...] | None]:
    def look(results: Values, values: Sequence[Any]) -> tuple[Any, ...] | None:
        for x, y in results:
            if (y, x) in results and not law(results, x, y):
                return values[x], values[y]
        return None

    return look


def _triples(law: Callable[[Values, int, int, int], bool]) -> Callable[[Values, Sequence[Any]], tuple[Any, ...] | None]:
    def look(results: Values, values: Sequence[Any]) -> tuple[Any, ...] | None:
        places = range(len(values))
        for x, y, z in product(places, places, places):
            known = all(pair in results for pair in ((x, y), (y, z), (x, z)))
            if known and not law(results, x, y, z):
                return values[x], values[y], values[z]
        return None

    return look


def _ones(law: Callable[[Any, Any, int, int], bool]) -> Callable[[Values, Sequence[Any]], tuple[Any, ...] | None]:
    def look(results: Values, values: Sequence[Any]) -> tuple[Any, ...] | None:
        for (x,), (y,) in product(results, results):
            if not law(values[x], values[y], results[x,], results[y,]):
                return values[x], values[y]
        return None

    return look


_LAWS: Mapping[str, Callable[[Values, Sequence[Any]], tuple[Any, ...] | None]] = {
    "P1": _pairs(lambda f, x, y: _sign(f[x, y]) == -_sign(f[y, x])),
    "commutativity": _pairs(lambda f, x, y: f[x, y] == f[y, x]),
    "P2": _triples(lambda f, x, y, z: not (f[x, y] > 0 and f[y, z] > 0) or f[x, z] > 0),
    "P3": _triples(lambda f, x, y, z: f[x, y] != 0 or _sign(f[x, z]) == _sign(f[y, z])),
    "monotonicity": _ones(lambda x, y, fx, fy: x > y or fx <= fy),
    "injectivity": _ones(lambda x, y, fx, fy: fx != fy or x == y),
    "idempotence": _ones(lambda x, y, fx, fy: fx != y or fy == fx),
}

_REFUTED: Mapping[str, Callable[..., bool]] = {
    "P1": lambda a, b: _sign(a) != -_sign(b),
    "commutativity": lambda a, b: a != b,
    "P2": lambda a, b, c: a > 0 and b > 0 and c <= 0,
    "P3": lambda a, b, c: a == 0 and _sign(b) != _sign(c),
    "monotonicity": lambda a, b: a > b,
    "injectivity": lambda a, b: a == b,
    "idempotence": lambda a, b: a != b,
}


def refuted(law: str, results: Sequence[int]) -> bool:
    """Whether runs that return this violate the law, in the order of its runs."""
    return _REFUTED[law](*results)
