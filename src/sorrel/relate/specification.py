"""What is required and ensured of several runs, as text.

    P1(a, b): requires a.x == b.y && a.y == b.x; ensures sgn(a.\\result) + sgn(b.\\result) == 0;
    same(a: f, b: g): requires low(n); ensures low(\\result);

A run is named, and may say which function it is a run of. `a.x` is the parameter x of the function in run a and
`a.\\result` what it returns; `low(x)` says that x is the same in all runs. Numbers are exact; `/` and `%` divide by
constants only. A formula about a single run that has no name writes `x` and `\\result` alone.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import NoReturn

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, TRUE, binary, every, negation, unbounded
from sorrel.program.expression import Conditional, Constant, Convert, Expression, Operator, Unary, UnaryOperator
from sorrel.program.types import BOOLEAN, UNBOUNDED, Boolean, Machine, Unbounded

RESULT = "\\result"
UNNAMED = ""
_HEAD = re.compile(r"\s*(?:hyper\s+)?(?P<name>[\w.-]+)\s*\((?P<runs>[^)]*)\)\s*:(?P<body>.*)", re.DOTALL)
_RUN = re.compile(r"\s*(?P<name>[a-z])\s*(?::\s*(?P<function>\w+)\s*)?")
_PART = re.compile(r"\s*(?P<kind>requires|ensures)\b(?P<text>[^;]*);")
_TOKEN = re.compile(
    r"\s*(?P<token>==>|&&|\|\||[=!<>]=|[-+*/%<>!()?:,]|\d+|[A-Za-z_]\w*(?:\.(?:\\result|\w+))*|\\result)", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class RunOf:
    """One of the runs; the function is that which the question is about where it is empty."""

    name: str
    function: str = ""


@dataclass(frozen=True, slots=True)
class Specification:
    """For all runs: if everything required holds, so does everything ensured."""

    name: str
    runs: tuple[RunOf, ...]
    requires: tuple[str, ...]
    ensures: tuple[str, ...]

    def __str__(self) -> str:
        runs = ", ".join(f"{run.name}: {run.function}" if run.function else run.name for run in self.runs)
        parts = [*(f"requires {part};" for part in self.requires), *(f"ensures {part};" for part in self.ensures)]
        return f"{self.name}({runs}): {' '.join(parts)}"


def read_specification(text: str, where: str = "") -> Specification:
    """A specification from its text; `where` is what errors call it."""
    place = f"{where}: " if where else ""
    head = _HEAD.fullmatch(text)
    if head is None:
        hint = "Write it as NAME(a, b): requires ...; ensures ...;"
        raise InputError(f"{place}this is not a specification of runs: {text.strip()[:60]}", hint=hint)
    runs = [_run(part, place) for part in head["runs"].split(",")]
    if [run.name for run in runs] != list("abcdefghijklmnopqrstuvwxyz"[: len(runs)]):
        raise InputError(f"{place}runs are called a, b, c and so on, in this order")
    parts: dict[str, list[str]] = {"requires": [], "ensures": []}
    body, at = head["body"], 0
    while body[at:].strip():
        found = _PART.match(body, at)
        if found is None:
            raise InputError(f"{place}expected requires ...; or ensures ...; and found {body[at:].strip()[:40]}")
        parts[found["kind"]].append(found["text"].strip())
        at = found.end()
    if not parts["ensures"]:
        raise InputError(f"{place}{head['name']} ensures nothing")
    return Specification(head["name"], tuple(runs), tuple(parts["requires"]), tuple(parts["ensures"]))


def _run(text: str, place: str) -> RunOf:
    found = _RUN.fullmatch(text)
    if found is None:
        raise InputError(f"{place}'{text.strip()}' is not a run; write a, or a: f")
    return RunOf(found["name"], found["function"] or "")


# Texts of formulas

_LOW = re.compile(r"\blow\s*\(")
_VALUE = re.compile(r"(?<![\w.])(?P<run>[a-z])\.(?P<value>\\result|\w+(?:\.\w+)*)")
_LOOSER = ("||", "==>", "?")


def conjuncts(text: str) -> tuple[str, ...]:
    """The parts that the text joins by && and by nothing weaker, outside of parentheses."""
    depth, start = 0, 0
    found: list[str] = []
    for token in _TOKEN.finditer(text):
        word = token["token"]
        depth += (word == "(") - (word == ")")
        if depth == 0 and word in _LOOSER:
            return (text,)
        if depth == 0 and word == "&&":
            found.append(text[start : token.start("token")].strip())
            start = token.end()
    return (*found, text[start:].strip())


def spoken_of(text: str, runs: Sequence[str]) -> frozenset[tuple[str, str]]:
    """The values that a formula speaks of, each with its run; what is low is so in all of `runs`."""
    named = {(found["run"], found["value"]) for found in _VALUE.finditer(text)}
    if _LOW.search(text):
        named |= {(run, value) for run in runs for value in re.findall(r"\blow\s*\(\s*(\\result|\w+(?:\.\w+)*)", text)}
    return frozenset(named)


def renamed(text: str, names: Mapping[str, str]) -> str:
    """The formula about runs of other names."""
    return _VALUE.sub(lambda found: f"{names[found['run']]}.{found['value']}", text)


# Formulas

Scope = Mapping[str, Mapping[str, Expression]]
"""For each run, what its names mean: parameters of the function, and \\result. A run without a name is the only one."""


def read_formula(text: str, scope: Scope, where: str = "") -> Expression:
    """A condition on the runs."""
    reader = _Formula(text, scope, where)
    result = _truth(reader.implication())
    reader.end()
    return result


class _Formula:
    """Reads with one function for each level of precedence; formulas are short and written by people."""

    def __init__(self, text: str, scope: Scope, where: str) -> None:
        self._scope = scope
        self._text = text
        self._place = f"{where}: " if where else ""
        self._tokens = list(self._split(text))
        self._at = 0

    def _split(self, text: str) -> list[str]:
        tokens, at = [], 0
        while text[at:].strip():
            found = _TOKEN.match(text, at)
            if found is None:
                self._fail(f"cannot read '{text[at:].strip()[:20]}'")
            tokens.append(found["token"])
            at = found.end()
        return tokens

    def _fail(self, message: str) -> NoReturn:
        raise InputError(f"{self._place}{message} in: {self._text.strip()}")

    def end(self) -> None:
        if self._at < len(self._tokens):
            self._fail(f"'{self._tokens[self._at]}' is too much")

    def _accept(self, *tokens: str) -> str:
        if self._at < len(self._tokens) and self._tokens[self._at] in tokens:
            self._at += 1
            return self._tokens[self._at - 1]
        return ""

    def _expect(self, token: str) -> None:
        if not self._accept(token):
            self._fail(f"expected '{token}'")

    def implication(self) -> Expression:
        left = self._choice()
        if self._accept("==>"):
            return binary(Operator.IMPLIES, _truth(left), _truth(self.implication()))
        return left

    def _choice(self) -> Expression:
        test = self._connected("||", lambda: self._connected("&&", self._comparison))
        if not self._accept("?"):
            return test
        then = _number(self._choice())
        self._expect(":")
        return Conditional(_truth(test), then, _number(self._choice()), UNBOUNDED)

    def _connected(self, token: str, inner: Callable[[], Expression]) -> Expression:
        left = inner()
        while self._accept(token):
            left = binary(Operator(token), _truth(left), _truth(inner()))
        return left

    def _comparison(self) -> Expression:
        left = self._sum()
        token = self._accept("==", "!=", "<", "<=", ">", ">=")
        if not token:
            return left
        right = self._sum()
        if token in ("==", "!=") and left.type == right.type:
            return binary(Operator(token), left, right)
        return binary(Operator(token), _number(left), _number(right))

    def _sum(self) -> Expression:
        left = self._product()
        while token := self._accept("+", "-"):
            left = binary(Operator(token), _number(left), _number(self._product()))
        return left

    def _product(self) -> Expression:
        left = self._prefix()
        while token := self._accept("*", "/", "%"):
            right = _number(self._prefix())
            if token != "*" and not (isinstance(right, Constant) and right.value):
                self._fail(f"the right side of {token} is not a constant other than 0")
            left = binary(Operator(token), _number(left), right)
        return left

    def _prefix(self) -> Expression:
        if self._accept("!"):
            return negation(_truth(self._prefix()))
        if self._accept("-"):
            return Unary(UnaryOperator.NEGATE, _number(self._prefix()), UNBOUNDED)
        return self._primary()

    def _primary(self) -> Expression:
        if self._accept("("):
            inner = self.implication()
            self._expect(")")
            return inner
        if self._at == len(self._tokens):
            self._fail("something is missing at the end")
        token = self._tokens[self._at]
        self._at += 1
        if token.isdigit():
            return Constant(int(token), UNBOUNDED)
        if token in ("true", "false"):
            return TRUE if token == "true" else FALSE
        if token == "low" and self._accept("("):
            return self._low()
        if token in _FUNCTIONS and self._accept("("):
            inner = _number(self.implication())
            self._expect(")")
            return _FUNCTIONS[token](inner)
        return self._name(token)

    def _low(self) -> Expression:
        """The same in all runs."""
        name = self._tokens[self._at] if self._at < len(self._tokens) else ""
        self._at += 1
        self._expect(")")
        values = [self._value(run, name) for run in self._scope]
        return every([binary(Operator.EQUAL, one, other) for one, other in pairwise(values)])

    def _name(self, token: str) -> Expression:
        if UNNAMED in self._scope:
            return self._value(UNNAMED, token)
        run, dot, name = token.partition(".")
        if not dot or run not in self._scope:
            self._fail(f"'{token}' says no run; write for example a.{token}")
        return self._value(run, name)

    def _value(self, run: str, name: str) -> Expression:
        known = self._scope[run]
        if name not in known:
            whose = f"run {run} has" if run else "there is"
            self._fail(f"{whose} no {name or 'name here'}; it has: {', '.join(known)}")
        return known[name]


def _truth(value: Expression) -> Expression:
    """As in C, a number is true if it is not zero."""
    if value.type == BOOLEAN:
        return value
    return binary(Operator.DIFFERENT, _number(value), Constant(0, UNBOUNDED))


def _number(value: Expression) -> Expression:
    match value.type:
        case Boolean():
            return Convert(value, UNBOUNDED)
        case Machine() | Unbounded():
            return unbounded(value)
        case _:
            raise InputError(f"a specification computes with numbers, not with values of type {value.type}")


def _sign(value: Expression) -> Expression:
    zero = Constant(0, UNBOUNDED)
    negative = Conditional(binary(Operator.LESS, value, zero), Constant(-1, UNBOUNDED), zero, UNBOUNDED)
    return Conditional(binary(Operator.MORE, value, zero), Constant(1, UNBOUNDED), negative, UNBOUNDED)


def _absolute(value: Expression) -> Expression:
    negated = Unary(UnaryOperator.NEGATE, value, UNBOUNDED)
    return Conditional(binary(Operator.LESS, value, Constant(0, UNBOUNDED)), negated, value, UNBOUNDED)


_FUNCTIONS: dict[str, Callable[[Expression], Expression]] = {"sgn": _sign, "abs": _absolute}
