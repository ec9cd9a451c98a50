"""Small random programs with threads: proofs and interleavings against the enumeration of every step."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from asking import asked
from c_threads import read, threads_text
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.rules.builtin import builtin_rule
from sorrel.encode.rules.instance import instantiate
from sorrel.encode.transition import thread_view
from sorrel.evidence.effort import Effort
from sorrel.horn.verdict import Safe, Unsafe
from sorrel.methods.clauses import decide
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.program.expression import Variable
from sorrel.program.interleaving import Failed, replay
from sorrel.program.schedules import explore
from sorrel.program.statement import Block, Goto, Statement
from sorrel.program.threads import Thread, Threads, threads_of

STATEMENTS = st.sampled_from(
    [
        "a = 1;",
        "a = 0;",
        "b = a;",
        "b = 1;",
        "a = b + a;",
        "if (a) b = 0;",
        "if (a == b) a = 2;",
        "while (a == 0) { if (b) break; a = b; }",
        "if (a == 2) reach_error();",
        "if (a && !b) reach_error();",
        "pthread_mutex_lock(&m); b = a; a = 1; pthread_mutex_unlock(&m);",
        "__VERIFIER_atomic_begin(); if (a != b) reach_error(); __VERIFIER_atomic_end();",
    ]
)
BODIES = st.lists(st.lists(STATEMENTS, min_size=1, max_size=3).map(" ".join), min_size=2, max_size=2)


def _threads(bodies: list[str]) -> Threads:
    declarations = "int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    return threads_of(read(threads_text(declarations, bodies)))


def _everywhere_interruptible(thread: Thread) -> Thread:
    """Cut before every statement that is not in an atomic section: those stay within one block of the original."""
    blocks: list[Block] = []
    cuts = set(thread.cuts)
    for block in thread.procedure.blocks:
        if len(block.statements) > 1 and not _is_section(thread, block):
            parts: list[Statement] = list(block.statements)
            labels = [block.label, *(f"{block.label}.{i}" for i in range(1, len(parts)))]
            for i, part in enumerate(parts):
                last = i == len(parts) - 1
                blocks.append(Block(labels[i], (part,), block.terminator if last else Goto(labels[i + 1])))
            cuts.update(labels)
        else:
            blocks.append(block)
    procedure = replace(thread.procedure, blocks=tuple(blocks))
    return replace(thread, procedure=procedure, cuts=frozenset(cuts))


def _is_section(thread: Thread, block: Block) -> bool:
    """Several accesses in one block without a cut between them: an atomic section."""
    return sum(any(v.name in ("a", "b", "m") for v in _touched(s)) for s in block.statements) > 1


def _touched(statement: Statement) -> list[Variable]:
    from sorrel.program.traversal import read as reads
    from sorrel.program.traversal import written

    return [*reads(statement), *written(statement)]


@given(BODIES)
def test_more_interruptions_find_no_other_errors(bodies: list[str]) -> None:
    threads = _threads(bodies)
    finer = replace(threads, threads=tuple(map(_everywhere_interruptible, threads.threads)))
    assert (explore(threads).error is None) == (explore(finer).error is None)


@pytest.mark.long
@given(BODIES)
def test_rules_for_threads_agree_with_enumeration(bodies: list[str]) -> None:
    threads = _threads(bodies)
    explored = explore(threads)
    assert explored.error is None or isinstance(replay(threads, explored.error).end, Failed)
    for name in ("invariance", "owicki-gries", "rely-guarantee"):
        system = instantiate(builtin_rule(name), thread_view(threads, Arithmetic.IDEAL)).system
        options = Options(engine="spacer", budget=Budget(seconds=0.3))
        verdict = decide(system, Effort(options, options.budget.start(), lambda _: None), {})
        if isinstance(verdict, Safe):
            assert explored.error is None, name
        if isinstance(verdict, Unsafe) and name == "invariance":
            assert explored.error is not None


@given(BODIES)
def test_verdicts_agree_with_enumeration(bodies: list[str]) -> None:
    declarations = "int a, b; pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;"
    program = read(threads_text(declarations, bodies))
    explored = explore(threads_of(program))
    outcome = asked(program, seconds=10)
    if explored.error is not None:
        assert outcome.answer is Answer.UNSAFE
    elif explored.complete:
        assert outcome.answer is not Answer.UNSAFE
