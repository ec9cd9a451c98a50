"""Runs as they are told: inputs and observations by the user's names."""

from __future__ import annotations

from asking import verified
from sorrel.model.options import Options
from sorrel.model.outcome import EventKind, Outcome, ValueOrigin
from sorrel.model.source import Source
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.report.excerpt import is_shown, said
from sorrel.report.html import page

NONDET = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
FILLED = f"""{NONDET}
int main(void) {{
    int a[3];
    for (int i = 0; i < 3; i++)
        a[i] = __VERIFIER_nondet_int();
    assert(a[0] != 0 || a[2] != 0);
    return 0;
}}
"""


def leaking(text: str, function: str, goal: str, secret: tuple[str, ...] = ()) -> Outcome:
    (task,) = request([Source(text=text)], goal=[goal], function=function, secret=secret).tasks
    return pipeline.verify(task, Options())


def observed(outcome: Outcome) -> list[str]:
    return [event.text for event in outcome.runs[0].events if event.kind is EventKind.OBSERVE]


def test_elements_are_named_also_where_they_are_as_they_were() -> None:
    outcome = verified(FILLED)
    inputs = [choice.variable for choice in outcome.choices if choice.origin is ValueOrigin.INPUT]
    assert inputs == ["a[0]", "a[1]", "a[2]"]
    written = [event.variable for event in outcome.run if event.base == "a"]
    assert written == ["a[0]", "a[1]", "a[2]"]


def test_the_first_element_comes_with_its_array() -> None:
    first, *others = [event for event in verified(FILLED).run if event.base == "a"]
    assert first.array is not None
    assert not any(event.array for event in others)


def test_elements_of_structures_and_matrices_are_named_as_in_c() -> None:
    text = f"""{NONDET}
    struct point {{ int x; int y[2]; }};
    struct point g[3];
    int m[2][3];
    int main(void) {{
        struct point l[2];
        m[1][0] = __VERIFIER_nondet_int();
        g[2].y[1] = m[1][0];
        l[1].x = 3;
        l[1].y[1] = 4;
        assert(g[2].y[1] != 7);
        return 0;
    }}"""
    outcome = verified(text)
    written = [event.variable for event in outcome.run if event.base]
    assert written == ["m[1][0]", "g[2].y[1]", "l[1].x", "l[1].y[1]"]
    assert [choice.variable for choice in outcome.choices if choice.origin is ValueOrigin.INPUT] == ["m[1][0]"]
    (drawn,) = [event for event in outcome.run if event.variable == "l[1].y[1]"]
    assert (drawn.base, drawn.index) == ("l", "[1].y[1]")


def test_locals_of_callers_are_told_where_they_are_written() -> None:
    text = f"""{NONDET}
    struct point {{ int x; int y; }};
    static void set(struct point *p, int x) {{ p->x = x; }}
    int main(void) {{
        struct point l[2];
        struct point *p = &l[__VERIFIER_nondet_int() & 1];
        set(p, 5);
        assert(l[1].x != 5);
        return 0;
    }}"""
    outcome = verified(text)
    frames = {event.frame for event in outcome.run if event.variable == "l[1].x"}
    assert frames == {1}


def test_an_initialiser_is_one_step() -> None:
    text = f"""{NONDET}
    struct box {{ int corners[2]; int size; }};
    int main(void) {{
        int a[4] = {{1,
                     2}}; a[3] = 9;
        struct box b = {{ {{5, 6}}, 7 }};
        assert(__VERIFIER_nondet_int() != b.corners[1] + a[3]);
        return 0;
    }}"""
    told = [event.text for event in verified(text).run if event.variable.startswith(("a", "b"))]
    assert told == ["a = {1, 2, 0, 0}", "a[3] = 9", "b.corners = {5, 6}", "b.size = 7"]


def test_an_array_whose_length_is_known_is_drawn_whole() -> None:
    first, *_ = [event for event in verified(FILLED).run if event.base == "a"]
    assert first.array is not None
    assert ([cell.index for cell in first.array.cells], first.array.others) == (["0", "1", "2"], "")


def test_a_condition_that_is_compared_is_told_once() -> None:
    text = "int choose(int key, int a) { for (int i = 0; i < a; i++) if (key & 1) return a; return 0; }"
    run = leaking(text, "choose", "constant-time", ("key",)).runs[0]
    branches = [event.span for event in run.events if event.kind is EventKind.BRANCH]
    assert len(branches) == len(set(branches))


def test_public_inputs_and_conditions_are_told_as_such() -> None:
    text = "int choose(int key, int a) { if (key & 1) return a; return 0; }"
    outcome = leaking(text, "choose", "constant-time", ("key",))
    assert observed(outcome)[0].startswith("public: a = ")
    assert {run.events[-1].text for run in outcome.runs} == {"the condition is true", "the condition is false"}


def test_what_is_declassified_has_its_name() -> None:
    text = """#include <sorrel.h>
    int check(int pin, int guess) {
        sorrel_low(guess);
        int equal = pin == guess;
        sorrel_declassify(equal);
        sorrel_assert_low(pin > 5);
        return equal;
    }"""
    told = observed(leaking(text, "check", "noninterference"))
    assert [each.partition(" = ")[0] for each in told[:2]] == ["public: guess", "declassified: equal"]


def test_a_page_says_in_a_sentence_what_the_compiled_program_did() -> None:
    outcome = verified(f"{NONDET}int main(void) {{ assert(__VERIFIER_nondet_int() != 7); return 0; }}", replay=True)
    assert outcome.replay is not None
    assert f"<p>The compiled program reaches the error: {outcome.replay.detail}</p>" in page([outcome], "1")


def test_a_run_of_one_step_needs_no_stepper() -> None:
    outcome = verified(
        f"{NONDET}int main(void) {{ int x = __VERIFIER_nondet_int(); while (x > 0); }}", goal="termination"
    )
    assert len(outcome.run) == 1
    assert "The run" not in page([outcome], "1")


def test_a_condition_with_a_negation_is_told_as_it_is_written() -> None:
    text = f"{NONDET}int main(void) {{ int n = __VERIFIER_nondet_int(); if (!n) return 0; assert(n == 0); return 0; }}"
    (branch,) = [event for event in verified(text).run if event.kind is EventKind.BRANCH]
    assert branch.value == "false"


LIST = f"""{NONDET}#include <stdlib.h>
struct node {{ int value; struct node *next; }};
int main(void) {{
    struct node *head = 0;
    for (int i = 0; i < 2; i++) {{
        struct node *made = malloc(sizeof *made);
        made->value = i;
        made->next = head;
        head = made;
    }}
    assert(head->next->value != 0);
    return 0;
}}
"""


def test_pointers_and_allocated_memory_are_told_without_numbers_of_ours() -> None:
    outcome = verified(LIST)
    lines = LIST.splitlines()
    told = [said(event, lines[event.span.line - 1]) for event in outcome.run if event.kind is EventKind.ASSIGN]
    assert [text for text in told if not text.startswith("i = ")] == [
        "head = NULL",
        "made = block 1",
        "made->value = 0",
        "made->next = NULL",
        "head = block 1",
        "made = block 2",
        "made->value = 1",
        "made->next = block 1",
        "head = block 2",
    ]


def test_elements_of_an_allocated_array_are_told_and_what_calloc_writes_is_not() -> None:
    text = f"""{NONDET}#include <stdlib.h>
int main(void) {{
    int *v = calloc(3, sizeof *v);
    for (int i = 0; i < 3; i++) v[i] = i * i;
    assert(v[2] != 4);
}}
"""
    lines = text.splitlines()
    written = [event for event in verified(text).run if event.is_in_block]
    shown = [event for event in written if is_shown(event, lines[event.span.line - 1])]
    assert [(event.base, event.index, event.value) for event in shown] == [
        ("block 1", "0", "0"),
        ("block 1", "1", "1"),
        ("block 1", "2", "4"),
    ]
    assert said(shown[2], lines[shown[2].span.line - 1]) == "v[i] = 4"


def test_a_structure_that_is_initialised_is_told_once() -> None:
    text = f"""{NONDET}struct point {{ int x; int y; }};
int main(void) {{
    struct point p = {{0, 0}};
    p.x = 1;
    assert(p.x + p.y != 1);
}}
"""
    told = [event.text for event in verified(text).run if event.kind is EventKind.ASSIGN]
    assert told == ["p.x = 0", "p.y = 0", "p.x = 1"]
