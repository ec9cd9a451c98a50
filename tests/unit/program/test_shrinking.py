"""Counterexamples with the smallest values that show the same error, told in the user's names."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from programs import choices, programs
from sorrel.frontends.c import CSettings, DataModel, read
from sorrel.model.outcome import EventKind, RunEvent
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.shrinking import shrunk
from sorrel.program.statement import Kind
from sorrel.replay.telling import chosen, tell

HEADER = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n#define any __VERIFIER_nondet_int\n"
STEPS = 10_000


def read_c(body: str) -> Program:
    text = HEADER + body
    read_program = read((Source("f.c", text),), CSettings(DataModel("LP64"), (), (), "main"))
    return instrument(read_program, frozenset({Kind.ASSERTION, Kind.ERROR_CALL}))


def smallest(body: str, values: list[int]) -> tuple[Program, Run]:
    program = read_c(body)
    found = run(program, shrunk(program, values, STEPS), steps=STEPS, record=True)
    assert isinstance(found.end, Violated)
    return program, found


def values_of(found: Run) -> list[object]:
    return [used.value for used in found.used]


def test_a_value_is_the_smallest_that_violates_the_assertion() -> None:
    _, found = smallest("int main(void) { int x = any(); assert(x < 12); return 0; }", [2147483646])
    assert values_of(found) == [12]


def test_values_that_must_be_equal_become_smaller_together() -> None:
    body = "int main(void) { int s = any(), x = any(), t = any(), y = any(); assert(x != y || s == t); return 0; }"
    program = read_c(body)
    given = [900, 700, -900, 700]
    apart, together = (shrunk(program, given, STEPS, together=each) for each in (False, True))
    assert (apart[1], apart[3]) == (700, 700)
    assert (together[1], together[3]) == (0, 0)


def test_what_is_read_and_not_needed_is_left_out_with_the_number_that_counts_it() -> None:
    body = "int n = any(), most = 0; for (int i = 0; i < n; i++) { int x = any(); if (x > most) most = x; }"
    _, found = smallest(f"int main(void) {{ {body} assert(most < 5); return 0; }}", [30, *range(-25, 0), 9, 1, 2, 3, 4])
    assert values_of(found) == [1, 5]


def test_a_list_that_ends_by_itself_becomes_shorter() -> None:
    body = "int main(void) { int x = 0, sum = 0; while ((x = any()) != 0) sum += x == 7; assert(sum < 2); return 0; }"
    _, found = smallest(body, [3, 4, 7, 1, 1, 2, 7, 0])
    assert values_of(found) == [7, 7, 0]


def test_what_two_runs_read_becomes_shorter_in_both() -> None:
    body = (
        "int main(void) { int n = any(), m = any(), s = 0, t = 0; if (n != m || n < 2) return 0;"
        " for (int i = 0; i < n; i++) { s += any(); t += any(); } assert(s == t); return 0; }"
    )
    program = read_c(body)
    assert shrunk(program, [9, 9, *[5] * 14, 6, 5, 5, 5], STEPS, together=True) == [2, 2, 1, 0, 0, 0]


def test_a_negative_value_stays_negative_only_if_it_must() -> None:
    _, either = smallest("int main(void) { int x = any(); assert(x * x < 12); return 0; }", [-7])
    _, negative = smallest("int main(void) { int x = any(); assert(x > -12); return 0; }", [-700])
    assert (values_of(either), values_of(negative)) == ([4], [-12])


def test_a_loop_makes_no_more_rounds_than_it_must() -> None:
    body = "int main(void) { int s = 0; while (any()) s++; assert(s < 2); return 0; }"
    _, found = smallest(body, [9, 5, 7, 3, 8, 0])
    assert values_of(found) == [1, 1, 0]


def test_another_error_is_not_the_same_error() -> None:
    body = "int main(void) { int x = any(); if (x == 0) assert(x != 0); assert(x < 5); return 0; }"
    program, found = smallest(body, [100])
    assert values_of(found) == [5]
    assert "x < 5" in tell(program, found)[-1].text


@given(programs(), st.integers())
def test_smaller_values_violate_the_assertion_that_the_first_ones_violate(program: Program, seed: int) -> None:
    first = run(program, choices(seed), steps=STEPS)
    values = values_of(first)
    after = run(program, shrunk(program, [used.value for used in first.used], STEPS), steps=STEPS)
    if isinstance(first.end, Violated):
        assert isinstance(after.end, Violated)
        assert after.end.assertion == first.end.assertion
        assert len(after.used) <= len(values)


def written(events: tuple[RunEvent, ...]) -> list[str]:
    return [event.text for event in events if event.kind is EventKind.ASSIGN]


def test_members_of_structures_are_told() -> None:
    body = "int main(void) { struct { int x, y; } p = {0, 0}; p.x = any(); p.y = 1; assert(p.x <= p.y); return 0; }"
    program, found = smallest(body, [7])
    assert written(tell(program, found))[-2:] == ["p.x = 2", "p.y = 1"]


def test_a_value_that_an_element_gets_is_named_by_the_element() -> None:
    body = "int main(void) { int a[3] = {0, 0, 0}; a[1] = any(); assert(a[1] < 3); return 0; }"
    program, found = smallest(body, [9])
    assert [(choice.variable, choice.value) for choice in chosen(program, found)] == [("a[1]", "3")]


def test_two_calls_of_one_function_are_told_apart_by_their_frames() -> None:
    body = "int f(int x) { int y = x; return y; }\nint main(void) { assert(f(1) + f(2) == any()); return 0; }"
    program, found = smallest(body, [9])
    frames = {event.frame for event in tell(program, found) if event.procedure == "f"}
    calls = [event.arguments[0].value for event in tell(program, found) if event.kind is EventKind.CALL and event.depth]
    assert len(frames) == 2
    assert calls == ["1", "2"]
