"""Labels of what may differ between two runs: where they show that nothing that is compared does, nothing does."""

from __future__ import annotations

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import programs, random_value
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Violated
from sorrel.program.statement import Assert, Block, Havoc, Kind, Observe, Purpose, Return, Statement
from sorrel.program.types import Type
from sorrel.program.value import Value
from sorrel.relate.labels import Labelling, faults, labelled
from sorrel.relate.observing import traced
from sorrel.relate.product import product

STEPS = 3_000
HEADER = (
    "extern int __VERIFIER_nondet_int(void); extern void sorrel_low(int); extern void sorrel_assert_low(int);\n"
    "extern void sorrel_declassify(int);\n#define any __VERIFIER_nondet_int\n"
)


def observed(program: Program, seed: int) -> Program:
    """Some of what is chosen is low, and some of what comes out is compared."""
    chance = random.Random(seed)

    def block(each: Block) -> Block:
        statements: list[Statement] = []
        for statement in each.statements:
            if isinstance(statement, Assert) and statement.kind is Kind.LEAK:
                continue  # comparisons are the product's to make
            statements.append(statement)
            if isinstance(statement, Havoc) and chance.random() < 0.7:
                statements.append(Observe(statement.target, Purpose.LOW))
        if isinstance(each.terminator, Return) or chance.random() < 0.1:
            statements += [Observe(v, Purpose.COMPARED) for v in program.globals if chance.random() < 0.4]
        return replace(each, statements=tuple(statements))

    made = [replace(p, blocks=tuple(map(block, p.blocks))) for p in program.procedures]
    return replace(program, procedures=tuple(made))


@given(programs(functions=False), st.integers(0, 2**32), st.booleans())
def test_what_labels_show_no_pair_of_runs_contradicts(program: Program, seed: int, timing: bool) -> None:
    subject = traced(observed(program, seed)) if timing else observed(program, seed)
    labelling = labelled(subject)
    if labelling is None:
        return
    assert list(faults(subject, labelling)) == []
    made = product(subject)
    for attempt in range(6):
        chance = random.Random(seed + attempt)

        def choose(type: Type, chance: random.Random = chance) -> Value:
            return random_value(type, random.Random(chance.randint(0, 1)))

        end = run(made.program, choose, steps=STEPS).end
        assert not (isinstance(end, Violated) and end.assertion.kind is Kind.LEAK)


@given(programs(functions=False), st.integers(0, 2**32))
def test_a_labelling_with_less_that_is_high_is_refused(program: Program, seed: int) -> None:
    subject = observed(program, seed)
    labelling = labelled(subject)
    if labelling is None:
        return
    context = random.Random(seed).choice(list(labelling.blocks))
    blocks = labelling.blocks[context]
    label = random.Random(seed).choice(list(blocks))
    if not blocks[label]:
        return
    lost = random.Random(seed).choice(sorted(blocks[label]))
    forged = {**labelling.blocks, context: {**blocks, label: blocks[label] - {lost}}}
    assert list(faults(subject, Labelling(forged, labelling.returns)))


@given(programs(functions=False), st.integers(0, 2**32))
def test_a_labelling_that_leaves_out_a_block_or_a_context_is_refused(program: Program, seed: int) -> None:
    subject = observed(program, seed)
    labelling = labelled(subject)
    if labelling is None:
        return
    context = random.Random(seed).choice(list(labelling.blocks))
    label = random.Random(seed).choice(list(labelling.blocks[context]))
    fewer = {each: high for each, high in labelling.blocks[context].items() if each != label}
    without = {each: blocks for each, blocks in labelling.blocks.items() if each != context}
    assert list(faults(subject, Labelling({**labelling.blocks, context: fewer}, labelling.returns)))
    assert list(faults(subject, Labelling(without, labelling.returns)))


def settled(body: str, *, timing: bool = False) -> bool:
    text = HEADER + body
    program = read((Source("f.c", text),), CSettings(DataModel("LP64"), (), (), "main"))
    checked = instrument(program, frozenset())
    return labelled(traced(checked) if timing else checked) is not None


@pytest.mark.parametrize(
    ("body", "shown"),
    [
        ("int main(void) { int x = any(); sorrel_assert_low(3); return x; }", True),
        ("int main(void) { int x = any(); sorrel_assert_low(x); return 0; }", False),
        ("int main(void) { int x = any(); sorrel_low(x); sorrel_assert_low(x + 1); return 0; }", True),
        ("int main(void) { int x = any(); sorrel_assert_low(x); sorrel_low(x); return 0; }", False),
        ("int main(void) { int x = any(), y = 0; if (x) y = 1; sorrel_assert_low(y); return 0; }", False),
        ("int main(void) { int x = any(), y = 0; if (x) y = 1; y = 2; sorrel_assert_low(y); return 0; }", True),
        ("int main(void) { int x = any(); if (x) sorrel_assert_low(1); return 0; }", False),
        ("int main(void) { int x = any(); while (x > 0) x--; sorrel_assert_low(4); return 0; }", True),
        ("int main(void) { int x = any(), y = any(); if (x) sorrel_low(y); sorrel_assert_low(y); return 0; }", False),
        ("int g; void f(void) { g = 1; } int main(void) { if (any()) f(); sorrel_assert_low(g); return 0; }", False),
        ("int f(int x) { return x; } int main(void) { f(any()); sorrel_assert_low(f(3)); return 0; }", True),
        ("int f(int x) { if (!x) return 0; return f(x - 1); } int main(void) { sorrel_assert_low(f(any())); }", False),
        ("int main(void) { int x = any(); sorrel_declassify(x > 3); sorrel_assert_low(x > 3); return 0; }", False),
    ],
)
def test_labels_settle_what_is_never_near_a_secret(body: str, shown: bool) -> None:
    assert settled(body) is shown


def test_a_comparison_of_bytes_without_branches_takes_the_same_time() -> None:
    body = (
        "int main(void) { int n = any(), d = 0; sorrel_low(n); unsigned char a[16], b[16];\n"
        "for (int i = 0; i < 16; i++) { a[i] = any(); b[i] = any(); }\n"
        "for (int i = 0; i < n; i++) d |= a[i & 15] ^ b[i & 15]; return d == 0; }"
    )
    assert settled(body, timing=True)
    assert not settled(body.replace("d |=", "if (a[0] != b[0]) break; else d |="), timing=True)
