"""Runs by mutation: errors that chance does not find and that few states do not show."""

from __future__ import annotations

from itertools import islice

import pytest

from sorrel.methods.features import Features, Subject
from sorrel.methods.reading import checked
from sorrel.methods.schedule import schedule
from sorrel.model.budget import Budget
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.run import Run, Violated
from sorrel.testing.mutation import mutated_violations

HEADER = (
    "#include <assert.h>\n#include <stdlib.h>\n"
    "extern int __VERIFIER_nondet_int(void); extern unsigned char __VERIFIER_nondet_uchar(void);\n"
)
MANY_CALLS = """
int stack[14], depth;
static void push(int x) { stack[depth++] = x; }
int main(void) {
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int() == 7) push(1);
        else if (__VERIFIER_nondet_int() == 9) depth = 0;
    }
    return 0;
}
"""
TEXT = """
int main(void) {
    char line[12];
    int n = 0;
    while (n < 11 && (line[n] = (char)__VERIFIER_nondet_uchar()) != 0) n++;
    line[n] = 0;
    if (line[0] != '[') return 1;
    int i = 1;
    while (line[i] >= 'a' && line[i] <= 'z') i++;
    assert(line[i] != ']' || i < 3);
    return 0;
}
"""
TWO_WAYS = """
struct line { char key[4]; char value[4]; };
static void put(char *target, int n) { for (int i = 0; i <= n; i++) target[i] = 'x'; }
int main(void) {
    struct line line;
    int key = __VERIFIER_nondet_int();
    if (key < 0 || key > 4) return 1;
    put(line.key, key);
    int value = __VERIFIER_nondet_int();
    if (value < 0 || value > 4) return 1;
    put(line.value, value);
    return 0;
}
"""
SMALLEST = """
int main(void) {
    int values[3], result = 0;
    for (int i = 0; i < 3; i++) values[i] = __VERIFIER_nondet_int();
    for (int n = 0; n < 4; n++) {
        unsigned char c = __VERIFIER_nondet_uchar();
        if (c == '-') {
            unsigned char v = __VERIFIER_nondet_uchar();
            if (v >= 'x' && v <= 'z') result = -values[v - 'x'];
        } else if (c != ' ') break;
    }
    return result;
}
"""
LAST_BLOCK = """
int main(void) {
    unsigned char memory[8 * 10];
    int next = 0, held = -1;
    while (__VERIFIER_nondet_int()) {
        int choice = __VERIFIER_nondet_int();
        if (choice == 5 && next < 10) held = next++;
        else if (choice == 6) held = -1;
        else if (choice == 7 && held >= 0) {
            int offset = __VERIFIER_nondet_int();
            if (offset >= 0 && offset <= 8) memory[held * 8 + offset] = 1;
        }
    }
    return 0;
}
"""
DIGITS = """
int main(void) {
    char text[24];
    int n = 0, value = 0;
    while (n < 23 && (text[n] = (char)__VERIFIER_nondet_uchar()) != 0) n++;
    text[n] = 0;
    if (text[0] != ':') return 1;
    for (const char *p = text + 1; *p >= '0' && *p <= '9'; p++) value = 10 * value + (*p - '0');
    return value > 65535;
}
"""
LIST = """
struct node { int value; struct node *next; };
int main(void) {
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *added = malloc(sizeof *added);
        added->value = 1; added->next = head; head = added;
    }
    int sum = 0;
    while (head != NULL) { struct node *old = head; %s }
    return sum;
}
"""
RIGHT = "head = old->next; free(old);"
AFTER_FREE = "free(old); head = old->next;"
LOST = "head = old->next; if (old->value == sum) free(old);"


def found(text: str, goal: Property, seconds: float = 2.0) -> Run | None:
    program = checked(Task((Source(text=HEADER + text),), goal))
    return next(mutated_violations(program, Budget(60).start().share(1.0, seconds)), None)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        (MANY_CALLS, Property.VALID_MEMSAFETY),
        pytest.param(TEXT, Property.ASSERTIONS, marks=pytest.mark.long),
        (LIST % AFTER_FREE, Property.VALID_MEMSAFETY),
        (LIST % LOST, Property.VALID_MEMSAFETY),
    ],
    ids=["many calls", "a text of a certain form", "use after free", "lost memory"],
)
def test_an_error_is_come_to_step_by_step(text: str, goal: Property) -> None:
    run = found(text, goal)
    assert run is not None
    assert isinstance(run.end, Violated)


@pytest.mark.parametrize(
    ("text", "goal"),
    [
        (SMALLEST, Property.NO_OVERFLOW),
        (LAST_BLOCK, Property.VALID_MEMSAFETY),
        pytest.param(DIGITS, Property.NO_OVERFLOW, marks=pytest.mark.long),
    ],
    ids=["one value of a variable", "the end of the last block", "many digits"],
)
def test_an_error_is_come_to_by_how_far_it_is(text: str, goal: Property) -> None:
    run = found(text, goal)
    assert run is not None
    assert isinstance(run.end, Violated)


def test_after_an_error_others_are_found_that_other_calls_lead_to() -> None:
    program = checked(Task((Source(text=HEADER + TWO_WAYS),), Property.VALID_MEMSAFETY))
    runs = list(islice(mutated_violations(program, Budget(60).start().share(1.0, 4.0)), 2))
    assert len({each.end.span for each in runs if isinstance(each.end, Violated)}) == 1
    assert {sum(used.source == "__VERIFIER_nondet_int" for used in each.used) for each in runs} == {1, 2}


def test_nothing_is_found_where_there_is_nothing_and_the_work_is_limited() -> None:
    assert found(LIST % RIGHT, Property.VALID_MEMSAFETY, 0.2) is None


def test_the_same_seed_makes_the_same_run() -> None:
    first, second = (found(LIST % AFTER_FREE, Property.VALID_MEMSAFETY) for _ in range(2))
    assert first is not None
    assert second is not None
    assert [used.value for used in first.used] == [used.value for used in second.used]


def test_it_runs_beside_the_proofs_of_long_programs_alone() -> None:
    long, short = (str(schedule(Features(Subject.PROGRAM, calls=True, clauses=n))) for n in (40, 5))
    assert "| unrolling → mutation →" in long
    assert "mutation" not in short
