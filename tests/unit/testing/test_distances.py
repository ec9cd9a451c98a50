"""How far runs are from violating assertions."""

from __future__ import annotations

import pytest

from sorrel.methods.reading import checked
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.interpreter import Interpreter
from sorrel.program.run import Finished, Violated
from sorrel.testing.distances import FAR, measured

TEXT = """
#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {{ int a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int(); assert({condition}); return 0; }}
"""


def distances(condition: str, *values: int) -> tuple[bool, list[int]]:
    """Whether the run ends well, and what it observes on its way."""
    program = measured(checked(Task((Source(text=TEXT.format(condition=condition)),), Property.ASSERTIONS)))
    seen: list[int] = []
    machine = Interpreter(program, values, 1000, record=False)
    machine.notice = lambda _, value: seen.append(int(value)) if isinstance(value, int) else None
    end = machine.run()
    assert isinstance(end, Finished | Violated)
    return isinstance(end, Finished), [each for each in seen if each != FAR]


@pytest.mark.parametrize(
    ("condition", "values", "missing"),
    [
        ("a < 10", (7, 0), 3),
        ("a <= 10", (7, 0), 4),
        ("a > b", (7, 5), 2),
        ("a >= b", (7, 5), 3),
        ("!(a >= 10)", (7, 0), 3),
        ("a != b", (7, 3), 4),
    ],
)
def test_a_comparison_is_as_far_from_false_as_its_sides_are(
    condition: str, values: tuple[int, int], missing: int
) -> None:
    holds, seen = distances(condition, *values)
    assert holds
    assert missing in [abs(each) for each in seen]


@pytest.mark.parametrize("condition", ["a < 10", "a <= 9", "a != 10", "a >= 11 || a < 10", "b == 0 && a < 10"])
def test_an_assertion_that_is_violated_is_no_way_off(condition: str) -> None:
    holds, seen = distances(condition, 10, 0)
    assert not holds
    assert min(map(abs, seen), default=0) == 0
