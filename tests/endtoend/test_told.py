"""What is told about a program means in the user's text what was proved about the program."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import pytest

from sorrel.contracts.descending import GOES_DOWN, with_rank
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.encode.points import Place
from sorrel.explain.telling import violates
from sorrel.frontends import c
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, ContractKind, Outcome, ProgramContract
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.checks import instrument
from sorrel.program.expression import Convert, Variable
from sorrel.program.flattening import flattened
from sorrel.program.statement import Kind
from sorrel.program.types import UNBOUNDED, Machine

FUNCTION, LOOP = ContractKind.FUNCTION, ContractKind.LOOP


def summarized(text: str) -> Outcome:
    return pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(60.0)))


def contract(outcome: Outcome, procedure: str, kind: ContractKind = FUNCTION, position: int = 0) -> ProgramContract:
    found = [each for each in outcome.program_contracts if each.procedure == procedure and each.kind is kind]
    return found[position]


def test_the_start_of_a_global_that_changes_is_its_old_value() -> None:
    found = summarized("int counter; int next(void) { return ++counter; } int main(void) { return next(); }")
    said = ("counter == \\result", "\\result == \\old(counter) + 1")
    assert contract(found, "next").conjuncts == said


def test_a_global_that_does_not_change_is_named_as_it_is() -> None:
    found = summarized("int step; int next(int n) { return n + step; } int main(void) { step = 2; return next(1); }")
    assert contract(found, "next").conjuncts == ("\\result == n + step",)


def test_a_parameter_hides_a_global_of_its_name() -> None:
    text = (
        "int g; int get(void) { return g; } int f(int g) { return g + get(); } int main(void) { g = 3; return f(1); }"
    )
    assert contract(summarized(text), "f").conjuncts == ()


def test_a_parameter_that_is_assigned_stands_for_what_was_passed() -> None:
    found = summarized("int f(int n) { n = n + 1; return n; } int main(void) { return f(3); }")
    assert contract(found, "f").conjuncts == ("\\result == n + 1",)


def test_a_parameter_in_memory_stands_for_what_was_passed() -> None:
    text = "int f(int n) { int *p = &n; if (n) p = &n; *p = *p + 1; return n; } int main(void) { return f(3); }"
    assert contract(summarized(text), "f").conjuncts == ("\\result == n + 1",)


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(
            "int *fresh(void) { return malloc(4); } int main(void) { int *p = fresh(); return p == 0; }",
            marks=pytest.mark.long,
        ),
        "int a, b; int *f(int c) { return c ? &a : &b; } int main(void) { int *p = f(a); b = 1; return *p; }",
        "int v[4]; int *f(int i) { return &v[i]; } int main(void) { int *p = f(2); return *p; }",
    ],
)
def test_pointers_are_not_told_as_numbers(text: str) -> None:
    found = summarized(f"extern void *malloc(unsigned long);\n{text}")
    told = {text for each in found.program_contracts for text in each.conjuncts}
    assert told <= {"\\result != \\null", "b == 1"}


def test_a_pointer_that_walks_is_not_told_as_its_offset() -> None:
    text = "int main(void) { int v[10]; int *p = v; int n = 0; while (p < v + 10) { *p = 0; p++; n++; } return n; }"
    assert all("p" not in text for text in contract(summarized(text), "main", LOOP).conjuncts)


def test_invariants_name_the_variable_that_is_visible_at_the_loop() -> None:
    text = (
        "int main(void) { int i = 7, k;\n for (k = 0; k < 5; k++) { int i = 100; i += k; }\n"
        " while (i < 20) i++;\n return i; }"
    )
    found = summarized(text)
    assert all("i" not in text or "100" not in text for text in contract(found, "main", LOOP).conjuncts)
    assert all("100" not in text for text in contract(found, "main", LOOP, 1).conjuncts)


def test_a_constant_of_an_enumeration_hides_a_variable() -> None:
    text = (
        "int g; int f(int n) { int k = n; { enum { n = 5 }; int i = 0; while (i < n) { i++; k--; } } return k; }"
        "int main(void) { return f(g); }"
    )
    assert all("n" not in text for text in contract(summarized(text), "f", LOOP).conjuncts)


def test_old_elements_are_elements_of_the_old_array() -> None:
    text = "int a[3]; void set(int v) { a[1] = a[0] + v; } int main(void) { a[0] = 1; set(2); set(a[1]); return a[1]; }"
    assert all("\\old(a)[" not in text for text in contract(summarized(text), "set").conjuncts)


def invariant(make: Callable[[Mapping[str, Term]], Term]) -> ProgramContract:
    """What is told of a summary of the loop, which is taken for proved."""
    text = (
        "extern int any(void); int main(void) { int x = any(), y = any(); unsigned u = any();\n"
        "while (x < 5 || y < 7 || u < 3) { if (x > y) y++; else x++; u++; }\n return x + y + (int)u; }"
    )
    program = c.read((Source(text=text),), c.CSettings())
    encoding = encode(instrument(program, frozenset({Kind.ASSERTION})), Arithmetic.IDEAL)
    ((name, point),) = ((name, each) for name, each in encoding.points.items() if each.place is Place.LOOP)
    formals = {a.name: f for a, f in zip(point.predicate.arguments, point.predicate.formals, strict=True)}
    (found,) = encoding.contracts({name: make(formals)})
    return found


def test_sums_that_may_overflow_are_wide_in_c() -> None:
    found = invariant(lambda at: operations.at_most(operations.add(at["x"], at["y"]), terms.integer(12)))
    assert found.conjuncts == ("x <= 12 - y",)
    assert found.in_c == ("(long long)x <= 12 - (long long)y",)


def test_sums_that_stay_in_range_are_as_they_are() -> None:
    found = invariant(
        lambda at: terms.conjunction(
            [
                operations.at_most(terms.integer(0), at["y"]),
                operations.at_most(operations.add(at["x"], at["y"]), terms.integer(12)),
            ]
        )
    )
    assert found.in_c == ("y >= 0", "x <= 12 - y")


def test_signed_numbers_meet_unsigned_ones_as_wide_ones() -> None:
    found = invariant(lambda at: operations.at_most(at["x"], at["u"]))
    assert found.conjuncts == ("x <= u",)
    assert found.in_c == ("(long long)x <= (long long)u",)


def test_what_no_number_of_c_can_hold_stays_in_acsl() -> None:
    big = terms.integer(2**70)
    found = invariant(lambda at: operations.at_most(operations.multiply(at["x"], at["y"]), big))
    assert found.in_c == ()


def test_conditions_that_are_told_of_a_loop_can_be_evaluated_at_it() -> None:
    text = "int main(void) { int n = 0; for (int i = 0; i < 9; i++) { int k = i; n += k > 3; } return n; }"
    found = contract(summarized(text), "main", LOOP)
    assert found.in_c
    assert all("k" not in said for said in (*found.conjuncts, *found.in_c))


def terminating(text: str) -> Outcome:
    options = Options(budget=Budget(60.0))
    return pipeline.verify(Task((Source(text=text),), Property.TERMINATION), options)


def test_ranks_are_told_in_the_names_of_the_place() -> None:
    found = terminating(
        "int main(void) { int i = 10; for (int k = 0; k < 5; k++) { int k = 3; while (k > 0) k--; }"
        " while (i > 0) i--; return 0; }"
    )
    assert [ranking.components for ranking in found.rankings] == [("k",), ("4 - k",), ("i",)]


def test_a_rank_over_pointers_is_proved_and_not_told() -> None:
    found = terminating("int main(void) { int v[9]; int *p = v; while (p < v + 9) { *p = 1; p++; } return v[0]; }")
    assert found.answer is Answer.SAFE
    assert found.rankings == ()


def test_a_rank_that_does_not_go_down_is_found_out_by_running() -> None:
    text = "int main(void) { int i = 9, j = 0; while (i > 0) { i--; j++; } return j; }"
    program = c.read((Source(text=text),), c.CSettings())
    scopes = program.procedure["main"].scopes
    assert scopes is not None
    ((label, scope),) = ((label, scope) for label, scope in scopes.items() if label)
    i, j = (Convert(Variable(name, Machine(32, True)), UNBOUNDED) for name in "ij")
    for rank, holds in (([i], True), ([j], False), ([j, i], False), ([i, j], True)):
        watched = with_rank(program, "main", label, rank, scope.span)
        assert violates(watched, lambda assertion: assertion.message == GOES_DOWN, 5.0) is not holds


def test_states_of_a_run_that_does_not_end_are_told_in_the_users_names() -> None:
    found = terminating(
        "struct n { struct n *next; int v; }; int main(void) { struct n a, b; a.next = &b; b.next = &a;"
        " struct n *p = &a; int k = 1; while (p) { p = p->next; k = -k; } return 0; }"
    )
    assert found.answer is Answer.UNSAFE
    assert all("object" not in note for note in found.notes)


def test_a_program_as_one_procedure_keeps_what_names_mean() -> None:
    text = (
        "int id(int i) { return i; } int main(void) { int i = 3; { int i = 9; while (i > 2) i = id(i) - 1; }"
        " while (i < 9) i = id(i) + 1; return i; }"
    )
    program = c.read((Source(text=text),), c.CSettings())
    whole = flattened(program)
    assert whole is not None
    assert whole.procedure["main"].scopes == program.procedure["main"].scopes
    assert program.procedure["main"].scopes


def test_parts_of_pointers_have_no_name() -> None:
    text = (
        "int a, b; int main(void) { int *p = a ? &a : &b; int m[2][2]; m[1][0] = *p;"
        " while (*p < 3) a++; return m[1][0]; }"
    )
    main = c.read((Source(text=text),), c.CSettings()).procedure["main"]
    assert main.user_name("a") == "a"
    assert all(not main.user_name(variable.name) for variable in main.variables if variable.name[0] in "pm")


def test_bits_of_unsigned_numbers_are_told_as_the_numbers_they_are() -> None:
    text = (
        "extern void __VERIFIER_assert(int); extern unsigned any(void);\n"
        "_Bool top(unsigned x) { return x == 2147483648u; } int main(void) { unsigned x = any(); _Bool r = top(x);"
        " __VERIFIER_assert(r == (x > 2147483647u && x < 2147483649u)); return 0; }"
    )
    options = Options(budget=Budget(60.0))
    found = pipeline.verify(Task((Source(text=text),), arithmetic="exact"), options)
    assert contract(found, "top").conjuncts == ("\\result <==> x == 2147483648",)
