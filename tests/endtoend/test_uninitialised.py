"""No value is read that was never set: programs that are right, programs that are not, and the memory sanitizer."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest

from c_execution import has_memory_sanitizer
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome, ReplayResult
from sorrel.model.property import Property, property_named
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.replay.compiler import execute

needs_sanitizer = pytest.mark.skipif(not has_memory_sanitizer(), reason="there is no memory sanitizer")

INPUT = "extern int __VERIFIER_nondet_int(void);\n#include <stdlib.h>\n#include <string.h>\n#include <stdio.h>\n"
PAIR = "struct pair { int a; int b; };\n"
SAFE = {
    "set on the ways that read it": "int x, n = __VERIFIER_nondet_int(); if (n > 3) x = 1; return n > 4 ? x : 0;",
    "evaluated only if set": "int x, ok = 0; if (__VERIFIER_nondet_int()) { x = 4; ok = 1; } return ok && x > 3;",
    "a structure is copied with what is unset": "struct pair t, u; t.a = 1; u = t; return u.a;",
    "one call sets what another reads": "int x; set(&x, 3); return x;",
    "all set by memset": "int a[20], b[20]; memset(a, 0, sizeof a); memcpy(b, a, sizeof a); return b[19];",
    "zeros of calloc": "int *p = calloc(4, sizeof *p); return p ? p[3] : 0;",
    "bytes are copied": "struct pair t, u; t.a = 5; unsigned char *d = (unsigned char *)&u, *s = (unsigned char *)&t;"
    " for (unsigned i = 0; i < sizeof t; i++) d[i] = s[i]; return u.a;",
    "static variables are zero": "static int g[3]; return g[1];",
    "what scanf reads": 'int x; return scanf("%d", &x) == 1 ? x : 0;',
}
UNSAFE = {
    "not set on every way": "int x, n = __VERIFIER_nondet_int(); if (n > 3) x = 1; return n > 2 ? x : 0;",
    "a new life in each round": "int s = 0; for (int i = 0; i < 3; i++) { int t; if (!i) t = 5; s += t; } "
    "return s > 9;",
    "the last element": "int a[9], s = 0; for (int i = 0; i < 8; i++) a[i] = i; for (int i = 0; i < 9; i++) s ^= a[i]; "
    "return s == 3;",
    "a member of a copy": "struct pair t, u; t.a = 1; u = t; return u.b == 2;",
    "a call that sets it sometimes": "int x; maybe(&x, __VERIFIER_nondet_int()); return x + 1;",
    "memory from malloc": "int *p = malloc(8); if (!p) return 0; p[0] = 1; return p[1] == 3;",
    "behind what realloc keeps": "int *p = malloc(8); p[0] = 1; p = realloc(p, 16); return p[1] == 3;",
    "a pointer": "int x = 1; int *p; if (x > 5) p = &x; return *p;",
    "no case of a switch": "int r; switch (__VERIFIER_nondet_int()) { case 1: r = 1; } return r == 2;",
    "moved before it was set": "int a[2]; a[1] = 3; int t = a[0]; a[0] = a[1]; a[1] = t; return a[1] > 3;",
    "the rest of a text": 'char b[20]; strcpy(b, "abc"); return b[15] == 1;',
    "copied by memcpy": "int a[9], b[9]; a[0] = 1; memcpy(b, a, sizeof a); return b[8] == 1;",
    "a bit-field beside another": "struct { unsigned a : 3, c : 5; } x; x.a = 2; return x.c == 3;",
}

MOVED = {
    "by way of a structure": "struct pair a[3], t; a[0].a = 1; t = a[0]; a[1] = t; return a[1].b > 0;",
    "by way of a call": "struct pair a[3]; a[0].a = 1; a[1] = same(a[0]); return a[1].b > 0;",
    "within an array": "int b[6]; b[0] = 1; memmove(b + 1, b, 2 * sizeof *b); return b[2] > 0;",
}
"""What was never set, copied from one element to another and read there."""


def _text(body: str) -> str:
    functions = (
        "struct pair same(struct pair p) { return p; }\n"
        "void set(int *p, int v) { *p = v; }\nvoid maybe(int *p, int v) { if (v > 5) *p = v; }\n"
    )
    return f"{INPUT}{PAIR}{functions}int main(void) {{ {body} }}\n"


def _verified(text: str, *, replay: bool = False, seconds: float = 60) -> Outcome:
    task = Task((Source(text=text),), Property.NO_UNINITIALISED_READ, data_model="LP64")
    return pipeline.verify(task, Options(budget=Budget(seconds=seconds), replay=replay))


@pytest.mark.parametrize("name", SAFE)
def test_what_is_set_before_it_is_read_is_shown_to_be(name: str) -> None:
    allocates = "calloc" in SAFE[name]  # which is assumed to succeed
    assert _verified(_text(SAFE[name])).answer is (Answer.ASSUMING if allocates else Answer.SAFE)


@pytest.mark.parametrize("name", UNSAFE)
def test_what_is_read_and_was_never_set_is_found(name: str) -> None:
    outcome = _verified(_text(UNSAFE[name]))
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.kind == "uninitialised"


@needs_sanitizer
def test_the_memory_sanitizer_repeats_the_run() -> None:
    outcome = _verified(_text(UNSAFE["a member of a copy"]), replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED
    assert "MemorySanitizer" in outcome.replay.detail


def test_other_properties_do_not_ask_for_it() -> None:
    task = Task((Source(text=_text(UNSAFE["not set on every way"])),), Property.VALID_MEMSAFETY, data_model="LP64")
    assert pipeline.verify(task, Options(budget=Budget(seconds=60))).answer is Answer.SAFE


def test_threads_are_refused() -> None:
    text = "#include <pthread.h>\nvoid *f(void *p) { return 0; } int main(void) { pthread_t t; int x;"
    text += " pthread_create(&t, 0, f, 0); pthread_join(t, 0); return x; }"
    assert _verified(text).answer is Answer.UNKNOWN


def test_it_has_names_and_weaknesses() -> None:
    assert property_named("uninitialised") is Property.NO_UNINITIALISED_READ
    assert Property.NO_UNINITIALISED_READ.weaknesses == (457, 908)


# The same programs by the memory sanitizer


def _statements(chance: random.Random, depth: int = 0) -> Iterator[str]:
    for _ in range(chance.randint(2, 4)):
        target, index = chance.choice("xyz"), chance.randint(0, 2)
        match chance.randint(0, 6):
            case 0:
                yield f"{target} = {chance.randint(0, 3)};"
            case 1:
                yield f"a[{index}] = {chance.randint(0, 3)};"
            case 2:
                yield f"if ({target} > 1) n++;"
            case 3:
                yield f"if (a[{index}] > 1) n++;"
            case 4:
                yield f"s.{chance.choice('ab')} = {index}; t = s; if (t.a == {index}) n += 2;"
            case 5 if depth < 2:
                inner = " ".join(_statements(chance, depth + 1))
                rounds, odd = chance.randint(1, 3), index % 2
                yield f"for (int i = 0; i < {rounds}; i++) {{ if ((n + i) % 2 == {odd}) {{ {inner} }} }}"
            case _:
                yield f"maybe(&{target}, {chance.choice((3, 7))});"


@pytest.mark.parametrize("name", MOVED)
def test_what_elements_are_copied_from_is_not_taken_to_be_set(name: str) -> None:
    outcome = _verified(_text(MOVED[name]))
    assert outcome.answer is Answer.UNKNOWN
    assert "what is copied within an array" in str(outcome.reason)


@pytest.mark.long
@needs_sanitizer
@pytest.mark.parametrize("seed", range(40))
def test_programs_without_inputs_are_judged_as_by_the_memory_sanitizer(seed: int) -> None:
    body = " ".join(_statements(random.Random(seed)))
    text = _text(f"int x, y, z, n = 0, a[3]; struct pair s, t; {body} return n > 99;")
    task = Task((Source(text=text),), Property.NO_UNINITIALISED_READ, data_model="LP64")
    ran = execute(task, "uninitialised", "", 60, fill="-ftrivial-auto-var-init=uninitialized")
    outcome = _verified(text)
    reported = "use-of-uninitialized-value" in getattr(ran, "errors", "")
    assert (outcome.answer is Answer.UNSAFE) == reported, text
    assert outcome.answer is not Answer.UNKNOWN
