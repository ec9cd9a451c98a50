"""Programs without their memory: what is proved of them, and what must not be."""

from __future__ import annotations

import pytest

from folders import PROGRAMS
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.verdict import Safe, Verdict
from sorrel.linked.abstraction import Plan, abstraction
from sorrel.linked.hoisting import hoisted
from sorrel.linked.plans import has_linked_objects, plans
from sorrel.linked.regions import regions
from sorrel.methods.reading import PLAIN, instrumented, read_program
from sorrel.model.budget import Budget
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.program.flattening import flattened
from sorrel.program.program import Program
from sorrel.program.text import read
from sorrel.program.validate import validate

LIST = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
struct node { int data; struct node *next; };
int main(void) {
    struct node *head = 0, *other = 0;
    BODY
}
"""
PREPEND = "struct node *q = malloc(sizeof *q); q->data = DATA; q->next = head; head = q;"

MAKING = """
global next: int = 5;
global link: [int];
procedure main() {
  local p: int;
  local q: int;
start:
  q = 0;
  goto head;
head:
  p = next;
  next = next + 2;
  link = link[p + 1 := q];
  q = p;
  p = link[q + 1];
  if COMPARED goto head else done;
done:
  return;
}
"""


def program_of(text: str, goal: Property = Property.UNREACH_CALL) -> Program:
    task = Task((Source("list.c", text),), goal)
    checked = instrumented(read_program(task), task, PLAIN)
    return flattened(checked) or checked


def of_body(body: str) -> Program:
    return program_of(LIST.replace("BODY", body))


def verdict_of(program: Program, plan: Plan, seconds: float = 10.0) -> Verdict:
    made = abstraction(program, plan)
    assert made is not None
    validate(made.program)
    system = encode(made.program, Arithmetic.IDEAL, relations=made.relations).system
    options = SpacerOptions(guidance=True, inlining=False)
    verdict = Spacer(options).solve(system, Circumstances(Budget(seconds=seconds).start()), {})
    if isinstance(verdict, Safe):
        assert isinstance(check(system, verdict), Accepted)
    return verdict


def named(name: str) -> tuple[Program, list[Plan]]:
    goals = {"free_all": Property.VALID_DEREF, "free_leak": Property.VALID_MEMCLEANUP}
    text = (PROGRAMS / "linked" / f"{name}.c").read_text(encoding="utf-8")
    program = program_of(text, goals.get(name.removesuffix("_bug"), Property.UNREACH_CALL))
    return program, list(plans(program))


@pytest.mark.parametrize(
    ("name", "position"),
    [
        ("nonnegative", 0),
        ("free_all", 0),
        ("free_leak", 0),
        pytest.param("sorted", 1, marks=pytest.mark.long),
        pytest.param("sum", 3, marks=pytest.mark.long),
    ],
)
def test_what_is_the_same_of_every_object_proves(name: str, position: int) -> None:
    program, known = named(name)
    assert isinstance(verdict_of(program, known[position]), Safe)


@pytest.mark.long
@pytest.mark.parametrize("name", ["nonnegative", "free_all", "free_leak", "sorted", "sum", "doubly_linked", "queue"])
def test_no_way_of_leaving_memory_out_proves_a_program_with_a_mistake(name: str) -> None:
    program, known = named(f"{name}_bug")
    for plan in known:
        assert not isinstance(verdict_of(program, plan, 0.3), Safe)


def test_a_cycle_has_attributes_too() -> None:
    """A length that is defined by itself would end every run, and prove everything."""
    program = of_body(
        "while (__VERIFIER_nondet_int()) { struct node *q = malloc(sizeof *q); q->next = q; head = q; }"
        "if (head) { while (__VERIFIER_nondet_int()) head = head->next; reach_error(); } return 0;"
    )
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


def test_two_new_objects_that_lead_to_each_other_have_attributes_too() -> None:
    body = (
        "while (__VERIFIER_nondet_int()) { struct node *a = malloc(sizeof *a), *b = malloc(sizeof *b);"
        "a->next = b; b->next = a; head = a; } if (head) reach_error(); return 0;"
    )
    program = of_body(body)
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


def test_an_object_is_found_under_another_name() -> None:
    body = (
        "while (__VERIFIER_nondet_int()) {" + PREPEND.replace("DATA", "1") + "} other = head;"
        "if (head) { other->data = 2; if (head->data == 2) reach_error(); } return 0;"
    )
    program = of_body(body)
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


def test_contents_that_were_never_set_are_any() -> None:
    body = (
        "while (__VERIFIER_nondet_int()) { struct node *q = malloc(sizeof *q); q->next = head; head = q; }"
        "if (head && head->data == 12345) reach_error(); return 0;"
    )
    program = of_body(body)
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


def test_pointers_that_are_ordered_are_not_left_out() -> None:
    assert has_linked_objects(read(MAKING.replace("COMPARED", "p == q"), "equal"))
    assert has_linked_objects(read(MAKING.replace("COMPARED", "p > 0"), "null"))
    for spoiling in ("p > q", "p == 7", "p + q == 3", "p == next"):
        assert not has_linked_objects(read(MAKING.replace("COMPARED", spoiling), "spoiled"))


def test_chains_of_pointers_are_followed_step_by_step() -> None:
    body = "while (__VERIFIER_nondet_int()) {" + PREPEND.replace("DATA", "1") + "}"
    program = of_body(body + "if (head && head->next && head->next->data != 1) reach_error(); return 0;")
    (region,) = regions(hoisted(program))
    assert (len(region.fields), len(region.links)) == (2, 1)
    assert isinstance(verdict_of(program, Plan({})), Safe)


def test_a_new_object_is_found_through_a_field() -> None:
    body = (
        "while (__VERIFIER_nondet_int()) { struct node *q = malloc(sizeof *q); q->data = 1; q->next = 0; if (head) {"
        "head->next = q; other = head->next; other->data = 2; if (q->data == 2) reach_error(); } head = q; } return 0;"
    )
    program = of_body(body)
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


def test_a_pointer_that_was_never_set_may_lead_to_what_is_made_later() -> None:
    body = (
        "while (__VERIFIER_nondet_int()) { struct node *q = malloc(sizeof *q); q->data = 1; head = q; } if (head) {"
        "other = head->next; while (__VERIFIER_nondet_int()) { struct node *s = malloc(sizeof *s); s->data = 2; "
        "if (s == other) reach_error(); s->next = head; head = s; } } return 0;"
    )
    program = of_body(body)
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.2), Safe)


ACROSS = """
global nexta: int = 33;
global nextb: int = 33;
global data: [i32];
global across: [int];
procedure main() {
  local x: int;
  local y: int;
start:
  x = nexta;
  nexta = nexta + 2;
  data = data[x := 1i32];
  y = nextb;
  nextb = nextb + 2;
  x = across[y];
  if x > 0 goto followed else done;
followed:
  assert data[x] == 1i32 as assertion "an object that nobody made";
  goto done;
done:
  return;
}
"""


def test_pointers_in_fields_of_other_objects_may_never_have_been_set() -> None:
    """Nor are numbers left out that a program reads where it makes no object."""
    program = read(ACROSS, "across")
    for plan in plans(program):
        assert not isinstance(verdict_of(program, plan, 0.5), Safe)
    assert not has_linked_objects(read(MAKING.replace("COMPARED", "next > 7"), "counted"))
