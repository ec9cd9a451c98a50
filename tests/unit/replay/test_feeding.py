"""Functions without a body: what a harness can do in their place, and what is said of the rest."""

from __future__ import annotations

import pytest

from asking import verified
from c_execution import program_of, require_compiler
from sorrel.model.outcome import Answer, ReplayResult
from sorrel.program.interpreter import run
from sorrel.program.value import zero
from sorrel.replay.feeding import unfed

pytestmark = pytest.mark.usefixtures("in_this_process")


@pytest.mark.parametrize(
    ("text", "beyond"),
    [
        ("int f(void); int main(void) { return f() + f(); }", ""),
        ("_Bool f(int); int main(void) { for (int i = 0; i < 3; i++) if (f(i)) return 1; return 0; }", ""),
        ("void f(int *); int main(void) { int x = 7; f(&x); return x; }", "what f does"),
        ("int f(int *); int main(void) { int x = 7; return f(&x) + x; }", "what f does"),
        ("int *f(void); int main(void) { return f() == 0; }", "what f does"),
        ("struct s { int a, b; } f(void); int main(void) { struct s x = f(); return x.a + x.b; }", "what f returns"),
    ],
)
def test_numbers_that_are_returned_are_fed_and_nothing_else_is(text: str, beyond: str) -> None:
    assert unfed(run(program_of(text), zero).used) == beyond


def test_a_run_that_needs_more_is_not_refuted_by_the_compiled_program() -> None:
    require_compiler()
    text = """
extern void reach_error(void);
extern void out(int *);
extern int number(void);
int main(void) { int v = 7; out(&v); if (v == 9 && number() == 3) reach_error(); return 0; }
"""
    outcome = verified(text, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.IMPOSSIBLE
    assert "what out does" in outcome.replay.detail
