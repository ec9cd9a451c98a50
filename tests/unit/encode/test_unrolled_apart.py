"""Paths that are kept apart by what guides them: what merged paths hide is there, and mistakes are shown by runs."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort, Reading
from sorrel.methods.reading import checked
from sorrel.methods.unrolling import EVERYTHING
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import Source
from sorrel.process.request import request

HEADER = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
"""
STREAM = (
    HEADER
    + """
struct stream { unsigned state, used; unsigned char block[8]; };
static void refill(struct stream *s) {
    unsigned x = s->state;
    for (int i = 0; i < 8; i++) {
        x = x * 1664525u + 1013904223u;
        s->block[i] = (unsigned char)(x >> 24);
    }
    s->state = x;
    s->used = 0;
}
static void begin(struct stream *s, unsigned key) { s->state = key; s->used = 8; }
static void mix(struct stream *s, unsigned char *data, unsigned size) {
    for (unsigned i = 0; i < size; i++) {
        if (s->used == 8)
            refill(s);
        data[i] ^= s->block[s->used++];
    }
}
int main(void) {
    struct stream s;
    unsigned char message[12], plain[12];
    unsigned key = (unsigned)__VERIFIER_nondet_int();
    unsigned size = (unsigned)__VERIFIER_nondet_int() % 13, cut = (unsigned)__VERIFIER_nondet_int() % 13;
    if (cut > size)
        cut = size;
    for (unsigned i = 0; i < size; i++)
        plain[i] = message[i] = __VERIFIER_nondet_uchar();
    begin(&s, key);
    mix(&s, message, size);
    begin(&s, key);
    mix(&s, message, cut);
    mix(&s, message + cut, size - cut);
    for (unsigned i = 0; i < size; i++)
        assert(message[i] == plain[i]);
    return 0;
}
"""
)


def _kept_apart(text: str) -> Outcome:
    (task,) = request([Source(text=text)], goal="assertions").tasks
    options = Options(budget=Budget(seconds=60))
    effort = Effort(options, options.budget.start(), lambda _: None)
    program = checked(task, Reading(EVERYTHING, Arithmetic.EXACT))
    return accept(AllRuns(program, task, Arithmetic.EXACT, apart=True), effort)


def test_a_stream_that_is_cut_anywhere_is_followed_by_where_it_is_cut() -> None:
    """A place in the block that is a choice among eight numbers hides that it is the same key."""
    assert _kept_apart(STREAM).answer is Answer.SAFE


def test_a_truth_value_that_guides_is_two_paths() -> None:
    text = """int main(void) {
        _Bool b = __VERIFIER_nondet_int();
        int a[4] = {0};
        for (int i = 0; i < 3; i++) {
            a[b ? 1 : 2]++;
            if (__VERIFIER_nondet_int())
                b = !b;
        }
        assert(a[1] + a[2] == LIMIT);
        return 0;
    }
    """
    assert _kept_apart(HEADER + text.replace("LIMIT", "3")).answer is Answer.SAFE
    assert _kept_apart(HEADER + text.replace("LIMIT", "4 - (a[2] > 0)")).answer is Answer.UNSAFE


@pytest.mark.parametrize(
    ("right", "wrong"),
    [("s->used = 8; }", "s->used = 7; }"), ("mix(&s, message, cut);", "mix(&s, message, cut); s.used = 8;")],
)
def test_a_mistake_where_paths_are_kept_apart_is_shown_by_a_run(right: str, wrong: str) -> None:
    assert _kept_apart(STREAM.replace(right, wrong)).answer is Answer.UNSAFE
