"""Conditions mean to us what they mean to the compiler, and what is wrong with them does not get through."""

from __future__ import annotations

import random
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from sorrel.contracts.checks import Claim
from sorrel.contracts.meaning import meaning
from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.vocabulary import Vocabulary
from sorrel.contracts.writing import Style, in_c
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.contracts import Told
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.points import Place
from sorrel.encode.readback import Readback
from sorrel.encode.tidying import type_range
from sorrel.evidence.effort import Effort
from sorrel.explain.inference import infer
from sorrel.explain.telling import falsified
from sorrel.frontends import c
from sorrel.horn.verdict import Summaries
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Variable
from sorrel.program.program import CONTRACT
from sorrel.program.statement import Kind
from sorrel.program.types import Machine
from sorrel.program.value import Value
from sorrel.replay.compiler import compiler
from sorrel.replay.instrumenting import exact_number
from sorrel.smt.solver import Oracle

# The compiler's opinion

TYPES = {
    "a": (Machine(32, True), "int"),
    "b": (Machine(32, False), "unsigned"),
    "c": (Machine(8, True), "signed char"),
    "d": (Machine(16, False), "unsigned short"),
    "e": (Machine(64, True), "long long"),
    "f": (Machine(64, False), "unsigned long long"),
}
KNOWN = Vocabulary({name: Variable(name, type) for name, (type, _) in TYPES.items()}, {})
SIGNS = ("+", "-", "*", "/", "%", "<", "<=", ">", ">=", "==", "!=", "&&", "||", "&", "|", "^")
CASTS = ("int", "unsigned", "long long", "unsigned char", "short", "unsigned long long")
NUMBERS = ("0", "1", "2", "7", "255", "2147483647", "2147483648", "4294967295", "3u")


def condition(chance: random.Random, depth: int, dialect: Dialect) -> str:
    kind = chance.random()
    if depth == 0 or kind < 0.1:
        return chance.choice([*TYPES, chance.choice(NUMBERS)])
    inner = [f"({condition(chance, depth - 1, dialect)})" for _ in range(3)]
    if kind < 0.2:
        return f"{chance.choice('-!~')}{inner[0]}"
    if kind < 0.3:
        return f"({chance.choice(CASTS)}){inner[0]}"
    if kind < 0.38:
        return f"{inner[0]} ? {inner[1]} : {inner[2]}"
    signs = (*SIGNS, "==>", "<==>") if dialect is Dialect.ACSL else (*SIGNS, "<<", ">>")
    return f"{inner[0]} {chance.choice(signs)} {inner[1]}"


def state(chance: random.Random) -> dict[str, int]:
    return {
        name: chance.choice((0, 1, type.smallest, type.largest, type.wrap(chance.randint(-9, 300))))
        for name, (type, _) in TYPES.items()
    }


def ours(text: str, dialect: Dialect, values: dict[str, int]) -> bool | None:
    """None if there is no value."""

    def no_function(*_: object) -> Value:
        raise AssertionError

    try:
        code = compile(meaning(text, dialect, KNOWN).holds, frozenset())
        return bool(evaluate(code, dict(values), {}, no_function))
    except (UndefinedOperation, InputError):
        return None


def constant(value: int) -> str:
    return f"((long long){value % 2**64}ull)" if value >= 0 else f"(-{-value - 1}ll - 1)"


@pytest.mark.skipif(not compiler(), reason="there is no C compiler")
@pytest.mark.parametrize("dialect", Dialect)
def test_conditions_have_the_value_that_the_compiler_gives_them(tmp_path: Path, dialect: Dialect) -> None:
    chance = random.Random(7)
    style = Style(lambda place: f"((__int128)({place}))", exact_number)
    lines: list[str] = []
    expected: list[bool] = []
    while len(expected) < 400:
        text, values = condition(chance, 3, dialect), state(chance)
        value = ours(text, dialect, values)
        if value is None or (dialect is Dialect.ACSL and text.count("*") > 2):
            continue
        expected.append(value)
        declared = " ".join(f"{TYPES[name][1]} {name} = {constant(number)};" for name, number in values.items())
        written = text if dialect is Dialect.C else in_c(read(text, dialect), style)
        lines.append(f"{{ {declared} putchar('0' + !!({written})); }}")
    source, program = tmp_path / "conditions.c", tmp_path / "conditions"
    source.write_text("int putchar(int);\nint main(void) {\n" + "\n".join(lines) + "\nreturn 0; }\n")
    subprocess.run([compiler(), "-w", "-O0", str(source), "-o", str(program)], check=True, timeout=120)
    said = subprocess.run([str(program)], check=True, capture_output=True, text=True, timeout=60).stdout
    assert [sign == "1" for sign in said] == expected


# Conditions with a mistake in them

PROGRAMS = (
    "int counter; int next(int by) { return counter += by; } int main(void) { int s = 0; next(2);"
    " for (int i = 0; i < 4; i++) s = next(i); return s; }",
    "int f(int n) { n = n + 1; if (n > 100) return n - 10; return f(f(n + 10)); } int main(void) { return f(3); }",
    "extern int any(void); void up(int *p, int by) { if (by > 0) *p = *p + by; } int main(void) { int x = any();"
    " int k = x; for (int i = 0; i < 5; i++) { up(&x, any()); } return x - k; }",
    "unsigned half(unsigned n) { unsigned r = 0; while (n > 1) { n -= 2; r++; } return r; }"
    " int main(void) { return half(9); }",
    "struct s { int a, b; }; int low(struct s v) { return v.a < v.b ? v.a : v.b; } extern int any(void);"
    " int main(void) { struct s v; v.a = any(); v.b = any(); while (v.a < v.b) v.a++; return low(v); }",
)


def mistakes(text: str, known: Vocabulary, chance: random.Random) -> Iterator[str]:
    """The condition with something changed: a number, a sign, a name, the past forgotten."""
    for match in re.finditer(r"\d+", text):
        yield f"{text[: match.start()]}{int(match[0]) + chance.choice((1, 2))}{text[match.end() :]}"
    for match in re.finditer(r"<=|>=|==(?!>)|!=|[-+]", text):
        other = chance.choice([sign for sign in ("<=", ">=", "==", "!=") if sign != match[0]])
        swapped = {"+": "-", "-": "+"}.get(match[0], other)
        yield f"{text[: match.start()]}{swapped}{text[match.end() :]}"
    for match in re.finditer(r"\\(?:old|at)\(([^(),]*)(?:, Pre)?\)", text):
        yield f"{text[: match.start()]}{match[1]}{text[match.end() :]}"
    for match in re.finditer(r"(?<![\w\\.])[a-z]\w*", text):
        yield f"{text[: match.start()]}{chance.choice([*known.now, *known.before])}{text[match.end() :]}"


def proved(text: str) -> tuple[Encoding, Summaries, tuple[Told, ...], Oracle]:
    program = instrument(c.read((Source(text=text),), c.CSettings()), frozenset({Kind.ASSERTION}))
    encoding = encode(program, Arithmetic.IDEAL)
    inferred = infer(encoding.system, Effort(Options(), Budget(20.0).start(), lambda _: None))
    oracle = Oracle(Budget(60.0).start(), query_seconds=1.0)
    return encoding, inferred.told, encoding.told(inferred.told, oracle), oracle


@pytest.mark.parametrize("text", [PROGRAMS[0], *(pytest.param(text, marks=pytest.mark.long) for text in PROGRAMS[1:])])
def test_a_condition_that_a_run_refutes_is_not_read_back_as_proved(text: str) -> None:
    encoding, summaries, told, oracle = proved(text)
    chance = random.Random(3)
    tried = caught = 0
    for each in told:
        point = each.point
        label = CONTRACT if point.place is Place.FUNCTION else point.label
        types = [
            fact
            for meant, formal in zip(point.meanings, point.predicate.formals, strict=True)
            if meant.variable
            for fact in type_range(formal, meant.variable.type)
        ]
        back = Readback(point, encoding.semantics, [summaries[point.predicate.name], *types], oracle)
        for wrong in (wrong for right in each.contract.conjuncts for wrong in mistakes(right, each.known, chance)):
            try:
                said = meaning(wrong, Dialect.ACSL, each.known)
            except InputError:
                continue
            tried += 1
            if falsified(encoding.program, [Claim(point.procedure, label, said, wrong)], 1.0):
                caught += 1
                assert back.holds(wrong, Dialect.ACSL, each.known) is not True, wrong
    assert tried
    assert caught >= tried // 3
