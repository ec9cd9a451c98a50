"""Several runs at once: products, information flow, timing, laws of functions, and how violations are shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.side_by_side import Compared, compare
from sorrel.horn.clause import Role
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, EventKind, Outcome, SideRun
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.program.interpreter import ByVariable, run
from sorrel.program.run import Finished, Refused, Violated
from sorrel.program.statement import Observe, Purpose
from sorrel.program.text import read, write
from sorrel.program.types import Type
from sorrel.program.validate import validate
from sorrel.program.value import Value
from sorrel.relate.claims import claimed, parameters, subject
from sorrel.relate.library import LAWS, law, members
from sorrel.relate.observing import counted, traced
from sorrel.relate.product import Product, product
from sorrel.relate.sources import in_comments, in_file
from sorrel.relate.specification import read_specification
from sorrel.report.columns import column_lines, rows
from sorrel.report.excerpt import Paint, Texts
from sorrel.report.verification import verification_lines
from sorrel.testing.differing import look

FUNCTIONS = (
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void sorrel_low(int);\n"
    "extern void sorrel_declassify(int); extern void sorrel_assert_low(int); extern void exit(int);\n"
    "extern void sorrel_low_array(const int *, int); extern void sorrel_assert_low_array(const int *, int);\n"
)
READS = "int h = __VERIFIER_nondet_int(); int n = __VERIFIER_nondet_int(); sorrel_low(n);"
SEARCH = """
procedure main() returns (r: int) {
  local h: int;
start:
  havoc h input;
  goto head;
head:
  if h > 0 goto body else done;
body:
  h = h - 1;
  r = 1;
  if h == 5 goto early else head;
early:
  observe h as compared;
  r = 2;
  return;
done:
  r = 0;
  observe r as compared "the end";
  return;
}
"""


def verify(
    text: str,
    goal: Property = Property.NONINTERFERENCE,
    *,
    engine: str = "flower",
    function: str = "main",
    specification: str = "",
    assuming: tuple[str, ...] = ("overflow",),
) -> Outcome:
    task = Task((Source(text=FUNCTIONS + text),), goal, function=function, specification=specification)
    return pipeline.verify(task, Options(engine=engine, budget=Budget(60.0), assuming=assuming))


def law_of(name: str, function: str, text: str, engine: str = "spacer") -> Outcome:
    return verify(text, Property.SPECIFICATION, engine=engine, function=function, specification=name)


# Products


def test_observations_survive_the_text_form() -> None:
    program = read(SEARCH)
    found = [s for p in program.procedures for b in p.blocks for s in b.statements if isinstance(s, Observe)]
    assert [each.purpose for each in found] == [Purpose.COMPARED, Purpose.COMPARED]
    assert read(write(program)) == program


def values(made: Product, lists: Mapping[int, Sequence[Value]]) -> ByVariable:
    left = {number: iter(each) for number, each in lists.items()}

    def choose(type: Type, target: str) -> Value | None:
        return next(left[made.copies[target].run], None)

    return ByVariable(choose)


def test_runs_that_leave_a_loop_at_different_places_are_not_compared_there() -> None:
    made = product(read(SEARCH))
    validate(made.program)
    assert isinstance(run(made.program, values(made, {1: [3], 2: [9]})).end, Finished)
    assert isinstance(run(made.program, values(made, {1: [7], 2: [9]})).end, Finished)


def test_a_product_procedure_says_which_arguments_are_copies_of_what() -> None:
    made = product(read(SEARCH))
    system = encode(made.program, Arithmetic.IDEAL, made.copies).system
    (loop,) = system.predicates
    flags = [a for a in loop.arguments if a.role is Role.ACTIVATION]
    assert [flag.copy for flag in flags] == [1, 2]
    inputs = [(a.base, a.copy) for a in loop.arguments if a.role is Role.INPUT]
    assert ("h", 1) in inputs
    assert ("h", 2) in inputs


def test_a_main_procedure_that_calls_itself_starts_all_runs_once() -> None:
    text = """
    procedure main(n: int) returns (r: int) {
    start:
      r = 0;
      if n > 0 goto more else done;
    more:
      r = call main(n - 1);
      r = r + 1;
      goto done;
    done:
      return;
    }
    """
    made = product(read(text))
    validate(made.program)
    assert isinstance(run(made.program, values(made, {1: [3], 2: [5]})).end, Finished)


def test_a_run_that_stops_ends_the_comparison() -> None:
    text = """
    procedure main() {
      local h: bool;
    start:
      havoc h input;
      if h goto out else on;
    out:
      stop;
    on:
      observe h as compared;
      return;
    }
    """
    made = product(read(text))
    assert isinstance(run(made.program, values(made, {1: [True], 2: [False]})).end, Refused)
    assert isinstance(run(made.program, values(made, {1: [False], 2: [False]})).end, Finished)


def test_traced_programs_compare_branches_and_counted_ones_steps() -> None:
    program = read(SEARCH)
    for change, same in ((traced, [4]), (counted, [4])):
        made = product(change(program))
        assert isinstance(run(made.program, values(made, {1: [4], 2: same})).end, Finished)
        assert isinstance(run(made.program, values(made, {1: [4], 2: [3]})).end, Violated)


# Information flow


def test_what_is_computed_from_low_values_does_not_leak() -> None:
    outcome = verify(
        "int sum(int n) { int s = 0; for (int i = 0; i < n; i++) s = s + i; return s; }\n"
        f"int main(void) {{ {READS} if (h > 0) h = 1; sorrel_assert_low(sum(n)); return 0; }}"
    )
    assert outcome.answer.is_proof
    contract = next(c for c in outcome.program_contracts if c.procedure == "sum")
    assert contract.conjuncts
    assert all(text.startswith("b.n == a.n ==>") and "b.\\result" in text for text in contract.conjuncts)


def test_a_leak_is_two_runs_that_were_repeated() -> None:
    outcome = verify(
        f"int main(void) {{ {READS} int shown = n; if (h == 77777) shown = 1 - n;"
        " sorrel_assert_low(shown); return 0; }",
        engine="spacer",
    )
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert outcome.violation.kind == "leak"
    one, other = outcome.runs
    assert (one.name, other.name) == ("a", "b")
    last = [each.events[-1] for each in (one, other)]
    assert all(event.kind is EventKind.VIOLATION for event in last)
    assert last[0].value != last[1].value
    assert "77777" in (one.choices[0].value, other.choices[0].value)


def test_what_is_declassified_may_be_shown_and_nothing_else() -> None:
    head = f"int main(void) {{ {READS} int positive = h > 0; sorrel_declassify(positive);"
    assert verify(f"{head} sorrel_assert_low(positive + n); return 0; }}").answer.is_proof
    assert verify(f"{head} sorrel_assert_low(h); return 0; }}").answer is Answer.UNSAFE


def test_arrays_are_low_element_by_element() -> None:
    head = (
        "int a[4]; int main(void) { for (int i = 0; i < 4; i++) a[i] = __VERIFIER_nondet_int();\n"
        "int k = __VERIFIER_nondet_int(); sorrel_low(k); __VERIFIER_assume(0 <= k && k < 4); sorrel_low_array(a, 2);"
    )
    leaking = f"{head} if (k >= 2) sorrel_assert_low(a[k]); return 0; }}"
    assert verify(leaking, engine="differing-runs").answer is Answer.UNSAFE


def test_timing_is_about_branches_and_elements_or_about_steps() -> None:
    balanced = f"int main(void) {{ {READS} int x; if (h) x = 1; else x = 2; return 0; }}"
    assert verify(balanced, Property.CONSTANT_STEPS).answer.is_proof
    assert verify(balanced, Property.CONSTANT_TIME).answer is Answer.UNSAFE
    straight = f"int main(void) {{ {READS} int x = h & 1; x = x * n; if (n) x = x + 1; return 0; }}"
    assert verify(straight, Property.CONSTANT_TIME).answer.is_proof
    indexed = f"int t[8]; int main(void) {{ {READS} __VERIFIER_assume(0 <= h && h < 8); int x = t[h]; return x; }}"
    outcome = verify(indexed, Property.CONSTANT_TIME)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None
    assert "elements" in outcome.violation.message


def test_a_product_run_without_a_violation_is_no_counterexample() -> None:
    made = product(read(SEARCH))
    assert "without an error" in str(compare(made, run(made.program, values(made, {1: [0], 2: [0]})), 1000))


def test_looking_changes_single_values_and_finds_shallow_leaks() -> None:
    program = read(SEARCH.replace("observe h as compared;", "").replace("r = 0;", "r = h;"))
    made = product(traced(program))
    found = look(made, 5.0)
    assert found is not None
    assert isinstance(found.end, Violated)


# Laws


def test_addition_commutes_and_subtraction_does_not() -> None:
    assert law_of("commutativity", "f", "int f(int x, int y) { return x + y; }").answer.is_proof
    outcome = law_of("commutativity", "f", "int f(int x, int y) { return x - y; }")
    assert outcome.answer is Answer.UNSAFE
    assert len(outcome.runs) == 2
    assert all(any("f returns" in e.text for e in r.events) for r in outcome.runs)


COMPARATOR = "int compare(int x, int y) { if (x < y) return -1; return x > y; }"


@pytest.mark.parametrize("name", ["P1", "P2", "P3"])
def test_a_comparator_keeps_its_laws(name: str) -> None:
    assert law_of(name, "compare", COMPARATOR).answer.is_proof


def test_a_comparator_that_forgets_a_case_is_refuted() -> None:
    assert law_of("P1", "compare", "int compare(int x, int y) { return x < y ? -1 : 1; }").answer is Answer.UNSAFE


@pytest.mark.parametrize(
    ("name", "function", "good", "bad"),
    [
        ("associativity", "f", "int f(int x, int y) { return x + y; }", "int f(int x, int y) { return x - y; }"),
        ("monotonicity", "f", "int f(int x) { return x > 3 ? x : 3; }", "int f(int x) { return -x; }"),
        ("injectivity", "f", "int f(int x) { return 2 * x + 1; }", "int f(int x) { return x > 0; }"),
        ("idempotence", "f", "int f(int x) { return x > 9 ? 9 : x; }", "int f(int x) { return x + 1; }"),
        ("homomorphism", "f", "int f(int x) { return 3 * x; }", "int f(int x) { return 3 * x + 1; }"),
        (
            "symmetry",
            "f",
            "int f(int x, int y, int z) { return x + y + z; }",
            "int f(int x, int y, int z) { return z; }",
        ),
        ("equals-symmetry", "f", "int f(int x, int y) { return x == y; }", "int f(int x, int y) { return x <= y; }"),
        ("P13", "f", "int f(int x, int y, int z) { return x + y; }", "int f(int x, int y, int z) { return x; }"),
        (
            "P14",
            "f",
            "int f(int x, int y, int z) { return x + y + z; }",
            "int f(int x, int y, int z) { return x + y; }",
        ),
    ],
)
def test_laws_by_name_tell_functions_apart(name: str, function: str, good: str, bad: str) -> None:
    assert law_of(name, function, good).answer.is_proof
    assert law_of(name, function, bad).answer is Answer.UNSAFE


def test_two_functions_can_be_compared() -> None:
    text = "int f(int x) { return x + x; } int g(int x) { return 2 * x; } int h(int x) { return x * x; }"
    assert law_of("equivalence=g", "f", text).answer.is_proof
    assert law_of("equivalence=h", "f", text).answer is Answer.UNSAFE


def test_an_overflow_in_the_other_function_is_no_matter_of_course() -> None:
    text = """unsigned f(int x) { return x == -2147483647 - 1 ? 7 : 1; }
unsigned g(int x) { return x == -2147483647 - 1 ? (unsigned)(x - 1) : 1; }"""
    for one, other in ("fg", "gf"):
        law = f"equivalence={other}"
        asked = verify(text, Property.SPECIFICATION, engine="spacer", function=one, specification=law, assuming=())
        assert asked.answer is Answer.UNSAFE


def test_a_division_by_zero_in_the_other_function_is_no_matter_of_course() -> None:
    text = "int f(int x) { return x; } int g(int x) { return x == 5 ? x / (x - 5) : x; }"
    assert not law_of("equivalence=g", "f", text).answer.is_proof


def test_all_runs_start_with_the_same_globals() -> None:
    assert law_of("determinism", "f", "int g; int f(int x) { return x + g; }").answer.is_proof
    outcome = law_of("determinism", "f", "int f(int x) { return x + __VERIFIER_nondet_int(); }")
    assert outcome.answer is Answer.UNSAFE


def test_specifications_stand_above_functions_or_in_files(tmp_path: Path) -> None:
    text = (
        "int g(int x) { return 1; }\n//@ hyper mine(a, b): requires a.x < b.x;\n"
        "//@ ensures a.\\result < b.\\result;\nint f(int x) { return x + 1; }\n"
    )
    (found,) = in_comments(text)
    assert found[1] == "f"
    assert found[0].requires == ("a.x < b.x",)
    file = tmp_path / "laws.txt"
    file.write_text("// two of them\nhyper one(a, b): ensures low(\\result);\nhyper two(a: f, b: g): ensures true;")
    assert [each.name for each in in_file(file.read_text())] == ["one", "two"]
    asked = request([Source(text=text)], specification="mine")
    assert asked.tasks[0].function == "f"
    assert asked.tasks[0].goal is Property.SPECIFICATION
    assert pipeline.verify(
        asked.tasks[0], Options(engine="spacer", budget=Budget(30.0), assuming=("overflow",))
    ).answer.is_proof
    both = request([Source(text=text)], specification=str(file), function="g")
    assert [task.function for task in both.tasks] == ["g", "g"]
    assert [task.specification for task in request([Source(text=text)], specification="pick", function="f").tasks] == [
        "P13",
        "P14",
    ]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("P(a, b) requires true;", "not a specification"),
        ("P(a, c): ensures true;", "a, b, c"),
        ("P(a): requires true;", "ensures nothing"),
        ("P(a): assures true;", "expected requires"),
    ],
)
def test_specifications_that_cannot_be_read_are_refused(text: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        read_specification(text)


@pytest.mark.parametrize(
    ("formula", "complaint"),
    [
        ("a.y > 0", "has no y"),
        ("x > 0", "says no run"),
        ("a.x >", "missing"),
        ("a.x ) ", "too much"),
        ("a.x # 1", "read"),
    ],
)
def test_formulas_that_cannot_be_read_are_refused(formula: str, complaint: str) -> None:
    with pytest.raises(InputError, match=complaint):
        law_of(f"P(a): ensures {formula};", "f", "int f(int x) { return x; }")


def test_laws_know_how_many_arguments_they_are_about() -> None:
    with pytest.raises(UsageError, match="3 arguments"):
        law("P13", ["x", "y"])
    with pytest.raises(UsageError, match="there is no specification"):
        members("beauty")
    assert all(members(name) == (name,) for name in LAWS)
    with pytest.raises(UsageError, match="--function"):
        request([Source(text="int f(int x);")], specification="determinism")
    with pytest.raises(UsageError, match="without --property"):
        request([Source(text="int f(int x);")], specification="P1", goal="noninterference")


# Contracts in words


def test_flow_contracts_name_the_inputs_that_matter() -> None:
    text = "int f(int n, int h) { if (h > 0) h = n; else h = n; return h; } int main(void) { return f(1, 2); }"
    task = Task((Source(text=text),))
    outcome = pipeline.summarize(task, Options(budget=Budget(30.0), flow=True))
    (contract,) = outcome.program_contracts
    assert contract.conjuncts == ("\\result depends only on n",)


def test_flow_contracts_admit_what_they_do_not_know() -> None:
    text = FUNCTIONS + "int f(int n) { return __VERIFIER_nondet_int(); } int main(void) { return f(1); }"
    outcome = pipeline.summarize(Task((Source(text=text),)), Options(budget=Budget(30.0), flow=True))
    assert "nothing was proved" in outcome.program_contracts[0].conjuncts[0]


# Columns


def test_columns_put_the_same_place_in_one_row_and_mark_differences() -> None:
    outcome = verify(
        f"int main(void) {{ {READS} int x = n;\nif (h > 3)\nx = n + 1;\nsorrel_assert_low(x); return 0; }}",
        engine="spacer",
    )
    table = rows(outcome.runs)
    assert any(row.differs and None in row.events for row in table)
    assert not all(row.differs for row in table)
    lines = list(column_lines(outcome.runs, Texts(), Paint()))
    assert "run a" in lines[0]
    assert "run b" in lines[0]
    assert "≠" in lines[-1]
    assert lines[-1].count("observed") == 2


def test_columns_of_one_run_are_its_events() -> None:
    assert rows([SideRun("a", (), ())]) == []


# Functions of which nothing is known

WEIGHED = """
procedure compare(one: int, other: int) returns (`result.value`: i32) {
  source `result.value` "\\\\result";
start:
  if apply i32 weight(one) < apply i32 weight(other) goto less else rest;
less:
  `result.value` = -1i32;
  return;
rest:
  `result.value` = apply i32 weight(one) > apply i32 weight(other) ? 1i32 : WHEN_EQUAL;
  return;
}
procedure main() {
  local one: int;
  local other: int;
start:
  havoc one input;
  havoc other input;
  _ = call compare(one, other);
  return;
}
"""


def weighed(when_equal: str) -> tuple[Product, Verdict, Encoding]:
    program = read(WEIGHED.replace("WHEN_EQUAL", when_equal), "weighed")
    made = claimed(law("P1", parameters(program, "compare")), {"compare": subject(program, "compare")}, "compare")
    validate(made.program)
    encoding = encode(made.program, Arithmetic.RANGED, made.copies)
    return made, Spacer(SpacerOptions()).solve(encoding.system, Circumstances(Budget(20.0).start()), {}), encoding


def test_runs_share_the_functions_of_which_nothing_is_known() -> None:
    _, verdict, _ = weighed("0i32")
    assert isinstance(verdict, Safe)


def test_runs_that_are_repeated_keep_the_functions_that_they_shared() -> None:
    made, verdict, encoding = weighed("1i32")
    assert isinstance(verdict, Unsafe)
    found = compare(made, run(made.program, encoding.choices(verdict.derivation)), 1000)
    assert isinstance(found, Compared)
    assert all(any(choice.source == "weight" for choice in each.choices) for each in found.runs)


@pytest.mark.parametrize(("asserted", "places"), [("", 0), ("sorrel_assert_low(n);", 1)])
def test_a_proof_that_compares_nothing_says_so(asserted: str, places: int) -> None:
    text = f"{FUNCTIONS}int f(int k, int n) {{ {asserted} return k; }}"
    (task,) = request([Source(text=text)], goal="noninterference", function="f", secret=["k"]).tasks
    outcome = pipeline.verify(task, Options(budget=Budget(60)))
    assert (outcome.answer, outcome.checks) == (Answer.SAFE, places)
    assert ("nothing to check" in "\n".join(verification_lines(outcome, Texts(), Paint(False)))) == (places == 0)
