"""SYNONYM: runs of a law explored side by side, and what makes that exploration a proof."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import permutations, product

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.flows import Flows
from sorrel.engines.engine import Circumstances
from sorrel.engines.synonym.engine import Synonym
from sorrel.engines.synonym.group import closure, identity, lex_leader, symmetries
from sorrel.engines.synonym.lockstep import Lockstep
from sorrel.engines.synonym.options import SynonymOptions
from sorrel.engines.synonym.result import Proved
from sorrel.engines.synonym.state import Situation
from sorrel.evidence.aligned_runs import with_symmetries
from sorrel.evidence.certificate import check
from sorrel.evidence.door import AlignedRuns, accept
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.evidence.side_by_side import Compared, compare
from sorrel.horn.flow import Question
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Unsafe, Verdict
from sorrel.logic import operations, terms
from sorrel.logic.evaluate import evaluate
from sorrel.logic.names import Names
from sorrel.methods.reading import checked
from sorrel.methods.relational.lockstep import explored
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program import run
from sorrel.program.program import Program
from sorrel.program.text import read
from sorrel.program.validate import validate
from sorrel.relate.alignment import (
    Alignment,
    Deciding,
    LeftOut,
    Spot,
    Symmetric,
    Vector,
    aligned,
    faults,
    rearranged,
    stabiliser,
)
from sorrel.relate.claims import claimed, parameters, subject
from sorrel.relate.library import LAWS, law
from sorrel.relate.parts import parts
from sorrel.relate.product import Product
from sorrel.relate.rests import Cutting, course
from sorrel.relate.specification import Specification, conjuncts, read_specification, spoken_of
from sorrel.smt.solver import Oracle

COMPARE = """
int compare(int x1, int x2, int y1, int y2) {
    if (x1 < y1) return -1;
    if (x1 > y1) return 1;
    if (x2 < y2) return -1;
    return x2 > y2 ? LAST : 0;
}
"""
COUNTING = """
int compare(int x, int y) {
    int sum = 0;
    while (x > 0 || y > 0) {
        if (x > 0) { sum++; x--; }
        if (y > 0) { sum--; y--; }
    }
    return sum;
}
int times(int n, int x) { int s = 0; for (int i = 0; i < n; i++) s += x; return s; }
int three(int x, int y) { int s = 0; for (int i = 0; i < 3; i++) if (x < y) s--; else if (x > y) s++; return s; }
int late(int x, int y) { int i = 0; while (i < x) i++; return i == 6 ? 0 : x < y ? -1 : x > y; }
"""


def verify(text: str, specification: str, function: str = "compare", way: str = "synonym", **options: str) -> Outcome:
    task = Task((Source(text=text),), Property.SPECIFICATION, function=function, specification=specification)
    return pipeline.verify(
        task, Options(engine=way, engine_options=options, budget=Budget(120.0), assuming=("overflow",))
    )


def triples(outcome: Outcome) -> int:
    found = outcome.statistics["explored"]["triples"]
    assert isinstance(found, int)
    return found


# Answers


@pytest.mark.parametrize("name", ["P1", "P2", "P3"])
def test_laws_of_a_comparator_are_proved_and_confirmed(name: str) -> None:
    outcome = verify(COMPARE.replace("LAST", "1"), name)
    assert outcome.answer.is_proof
    assert [c.checker for c in outcome.confirmations if c.accepted] == ["z3"]
    assert any("Hoare triples" in note for note in outcome.notes)


def test_runs_that_violate_a_law_are_shown_side_by_side() -> None:
    outcome = verify(COMPARE.replace("LAST", "-1"), "P1")
    assert outcome.answer is Answer.UNSAFE
    assert [run.name for run in outcome.runs] == ["a", "b"]
    assert all(c.checker == "the interpreter" for c in outcome.confirmations)


def test_each_half_can_be_switched_off_and_symmetry_saves_triples() -> None:
    text = COMPARE.replace("LAST", "1")
    both = verify(text, "P1")
    synchrony = verify(text, "P1", symmetry="off")
    neither = verify(text, "P1", symmetry="off", synchrony="off")
    assert all(each.answer.is_proof for each in (both, synchrony, neither))
    assert triples(both) < triples(synchrony)
    assert both.statistics["explored"]["group"] == 2
    assert synchrony.statistics["explored"]["group"] == 1


def test_a_run_whose_result_is_required_goes_first() -> None:
    text = COMPARE.replace("LAST", "1")
    law_ = str(law("P3", ("x1", "x2", "y1", "y2")))
    unrestricted = law_.replace("requires a.\\result == 0; ensures ", "ensures a.\\result != 0 || ")
    required, told_last = verify(text, law_), verify(text, unrestricted)
    assert required.answer.is_proof
    assert told_last.answer.is_proof
    assert triples(required) < triples(told_last)


def test_conditional_values_are_decisions_unless_one_says_otherwise() -> None:
    text = "int compare(int x, int y) { return x < y ? -1 : x > y ? 1 : 0; }"
    plain, parted = verify(text, "P1", conditionals="off"), verify(text, "P1")
    assert plain.answer.is_proof
    assert parted.answer.is_proof
    assert parted.statistics["explored"]["decisions"] > plain.statistics["explored"]["decisions"]


def test_loops_in_lockstep_need_no_closed_form() -> None:
    """The sum is no linear function of the inputs; that both runs have the same one is an easy invariant."""
    outcome = verify(COUNTING, "determinism", "times", unroll="0")
    assert outcome.answer.is_proof
    assert outcome.statistics["explored"]["loops"] > 0


def test_loops_that_runs_leave_in_different_rounds_go_together_until_then() -> None:
    outcome = verify(COUNTING, "P1")
    assert outcome.answer.is_proof
    assert outcome.statistics["explored"]["loops"] > 0


def test_loops_with_few_rounds_are_followed_without_invariants() -> None:
    outcome = verify(COUNTING, "P1", "three")
    assert outcome.answer.is_proof
    assert outcome.statistics["explored"]["loops"] == 0


def test_violations_are_found_after_some_rounds_of_a_loop() -> None:
    outcome = verify(COUNTING, "P1", "late")
    assert outcome.answer is Answer.UNSAFE


def test_properties_that_are_no_laws_and_recursion_are_not_taken() -> None:
    recursive = "int f(int x, int y) { return x <= 0 ? y : f(x - 1, y); }"
    with pytest.raises(UsageError, match="engine synonym does not fit"):
        verify(recursive, "determinism", "f")
    task = Task((Source(text="int main(void) { return 0; }"),), Property.NONINTERFERENCE)
    with pytest.raises(UsageError, match="synonym is for a law about several runs"):
        pipeline.verify(task, Options(engine="synonym", budget=Budget(20.0), assuming=("overflow",)))


# Functions of which nothing is known

WEIGHED = """
procedure compare(one: int, other: int) returns (`result.value`: i32) {
  source `result.value` "\\\\result";
  local i: i32;
start:
  i = 0i32;
  goto head;
head:
  if i < 3i32 goto body else same;
body:
  if apply i32 get(one, i) < apply i32 get(other, i) goto less else rest;
less:
  `result.value` = -1i32;
  return;
rest:
  if apply i32 get(one, i) > apply i32 get(other, i) goto more else next;
more:
  `result.value` = LAST;
  return;
next:
  i = i + 1i32;
  goto head;
same:
  `result.value` = 0i32;
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


def weighed(last: str, specification: Specification | None = None) -> Product:
    program = read(WEIGHED.replace("LAST", last), "weighed")
    wanted = specification or law("P1", parameters(program, "compare"))
    return claimed(wanted, {"compare": subject(program, "compare")}, "compare")


def effort_of(options: dict[str, str]) -> Effort:
    wanted = Options(engine="synonym", engine_options=options)
    return Effort(wanted, Budget(60.0).start(), lambda _: None)


def explore(made: Product, unroll: str) -> Outcome:
    effort = effort_of({"unroll": unroll})

    def judge(result: run.Run, outcome: Outcome) -> Outcome:
        found = compare(made, result, 100_000)
        assert isinstance(found, Compared)
        return replace(outcome, answer=Answer.UNSAFE, runs=found.runs, functions=found.functions)

    return explored(made, Arithmetic.RANGED, effort, effort.clock, judge)


@pytest.mark.parametrize("unroll", [pytest.param("0", marks=pytest.mark.long), "4"])
def test_accessors_without_a_body_are_the_same_in_all_runs(unroll: str) -> None:
    assert explore(weighed("1i32"), unroll).answer.is_proof
    wrong = explore(weighed("0i32"), unroll)
    assert wrong.answer is Answer.UNSAFE
    assert {each.function for each in wrong.functions} == {"get"}


# Symmetries


def question_of(specification: str) -> Question:
    return asked(read_specification(specification), read(WEIGHED.replace("LAST", "1i32"), "weighed"), "compare")


def asked(specification: Specification, program: Program, function: str) -> Question:
    made = claimed(specification, {function: subject(program, function)}, function)
    only = course(made.originals[0], Cutting(4))
    assert only is not None
    return Flows(made, [only] * made.count, Arithmetic.IDEAL).question()


SWAPPED = "P(a, b): requires a.one == b.other && a.other == b.one; ensures a.\\result + b.\\result == 0;"
ORDERED = "P(a, b): requires a.one == b.one && a.other <= b.other; ensures a.\\result <= b.\\result;"
ROTATED = (
    "P(a, b, c): requires a.other == b.one && b.other == c.one && c.other == a.one; "
    "ensures !(a.\\result > 0 && b.\\result > 0 && c.\\result > 0);"
)


def test_symmetries_are_those_of_the_specification() -> None:
    assert symmetries(question_of(SWAPPED), "semantic", Oracle()) == {(0, 1), (1, 0)}
    assert symmetries(question_of(ORDERED), "semantic", Oracle()) == {(0, 1)}
    assert symmetries(question_of(ROTATED), "semantic", Oracle()) == {(0, 1, 2), (1, 2, 0), (2, 0, 1)}


def test_an_order_of_the_runs_that_matters_is_refused_by_the_checker() -> None:
    empty = HornSystem((), ())
    right = with_symmetries(empty, question_of(SWAPPED), frozenset({(0, 1), (1, 0)}))
    assert isinstance(check(right, Safe({})), Accepted)
    wrong = with_symmetries(empty, question_of(ORDERED), frozenset({(0, 1), (1, 0)}))
    assert not isinstance(check(wrong, Safe({})), Accepted)


@pytest.mark.parametrize("text", [SWAPPED, ORDERED, ROTATED])
def test_the_syntax_of_a_specification_shows_its_symmetries(text: str) -> None:
    pytest.importorskip("pynauty")
    question = question_of(text)
    assert symmetries(question, "syntactic", Oracle()) == symmetries(question, "semantic", Oracle())


@pytest.mark.parametrize("name", LAWS)
def test_syntax_and_solver_find_the_same_symmetries_of_laws(name: str) -> None:
    pytest.importorskip("pynauty")
    count = {"idempotence": 1, "homomorphism": 1, "P13": 3, "P14": 3}.get(name, 2)
    names = ("x", "y", "z")[:count]
    inputs = ", ".join(f"int {each}" for each in names)
    source = Source(text=f"int f({inputs}) {{ return x; }}")
    program = checked(Task((source,), Property.SPECIFICATION, function="f"))
    question = asked(law(name, names), program, "f")
    assert symmetries(question, "syntactic", Oracle()) == symmetries(question, "semantic", Oracle())


def test_exploring_does_not_depend_on_how_symmetries_were_found() -> None:
    pytest.importorskip("pynauty")
    text = COMPARE.replace("LAST", "1")
    assert triples(verify(text, "P1", detection="syntactic")) == triples(verify(text, "P1"))


def test_syntax_without_the_library_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pynauty", None)
    with pytest.raises(UsageError, match="pip install"):
        symmetries(question_of(SWAPPED), "syntactic", Oracle())


def groups(count: int) -> Iterator[frozenset[tuple[int, ...]]]:
    every = list(permutations(range(count)))
    found = {frozenset(closure([identity(count), one, other])) for one in every for other in every}
    yield from found


@pytest.mark.parametrize("count", [2, 3])
def test_a_leader_is_the_only_one_of_its_orbit(count: int) -> None:
    conditions = [terms.variable(f"q{index}", terms.BOOL) for index in range(count)]
    runs = range(count)
    for group in groups(count):
        leads = lex_leader(conditions, group, runs)
        for vector in product((False, True), repeat=count):
            values = zip(conditions, map(operations.truth, vector), strict=True)
            orbit = {rearranged(vector, runs, each) for each in group}
            assert terms.is_true(evaluate(leads, dict(values))) == (vector == min(orbit))


def test_a_decision_keeps_the_permutations_that_leave_it_as_it_is() -> None:
    group = frozenset(permutations(range(3)))
    assert stabiliser(group, (0, 1, 2), (True, False, True)) == {(0, 1, 2), (2, 1, 0)}


# Loops that stay together

ROUNDS = """
procedure f(n: int) returns (`result.value`: int) {
  source `result.value` "\\\\result";
  local i: int;
start:
  i = 0;
  goto head;
head:
  if i < n goto body else done;
body:
  i = i + 1;
  goto head;
done:
  `result.value` = i;
  return;
}
procedure main() {
  local n: int;
start:
  havoc n input;
  _ = call f(n);
  return;
}
"""


def test_the_largest_sets_of_loops_that_end_together() -> None:
    program = read(ROUNDS, "rounds")
    text = "P(a, b, c): requires a.n == c.n && b.n < a.n; ensures true;"
    made = claimed(read_specification(text), {"f": subject(program, "f")}, "f")
    only = course(made.originals[0], Cutting(4))
    assert only is not None
    question = Flows(made, [only] * 3, Arithmetic.IDEAL).question()
    oracle, names = Oracle(), Names()
    session = oracle.session()
    (header,) = only.loops
    number = [terms.variable(name, terms.INT) for name in "xyz"]
    session.add(terms.equal(number[0], number[2]), operations.less(number[1], number[0]))
    values = tuple(
        {name: (number[run] if name.endswith("n") else terms.integer(0)) for name in question.flows[run].sorts}
        for run in range(3)
    )
    spot = Spot((header,) * 3, (), frozenset({identity(3)}))
    situation = Situation(spot, values, (), (), ((), (), ()), (), frozenset())
    found = Lockstep(question, session, names).maximal(situation, (0, 1, 2))
    assert sorted(found) == [(0, 2), (1,)]


# What makes an alignment one


CUTTING = Cutting(4, 4)


@cache
def proof() -> tuple[Alignment, Product]:
    made = weighed("1i32")
    only = course(made.originals[0], CUTTING)
    assert only is not None
    question = Flows(made, [only] * 2, Arithmetic.IDEAL).question()
    answer = Synonym(SynonymOptions()).explore(question, Circumstances(Budget(60.0).start()))
    assert isinstance(answer.result, Proved)
    return answer.result.alignment, made


def deciding(alignment: Alignment, wanted: type) -> tuple[Spot, Vector]:
    """A spot of the alignment with a way of the kind, and that way."""
    return next(
        (spot, vector)
        for spot, node in alignment.nodes.items()
        if isinstance(node, Deciding)
        for vector, way in node.ways.items()
        if isinstance(way, wanted)
    )


def changed(alignment: Alignment, spot: Spot, vector: Vector, way: Spot | LeftOut | Symmetric | None) -> Alignment:
    node = alignment.nodes[spot]
    assert isinstance(node, Deciding)
    ways = {v: w for v, w in {**node.ways, vector: way}.items() if w is not None}
    return replace(alignment, nodes={**alignment.nodes, spot: Deciding(node.runs, ways)})


def test_what_was_explored_is_an_alignment_and_a_valid_program() -> None:
    alignment, made = proof()
    assert list(faults(alignment)) == []
    validate(aligned(alignment, made).product.program)


def test_an_alignment_with_a_way_missing_or_left_out_without_reason_is_refused() -> None:
    alignment, _ = proof()
    spot, vector = deciding(alignment, Spot)
    assert any(faults(changed(alignment, spot, vector, None)))
    assert any(faults(changed(alignment, spot, vector, LeftOut.STOPPED)))
    assert any(faults(changed(alignment, spot, vector, Symmetric((0, 1)))))


def test_an_alignment_with_a_wrong_permutation_is_refused() -> None:
    alignment, _ = proof()
    spot, vector = deciding(alignment, Symmetric)
    assert any(faults(changed(alignment, spot, vector, Symmetric((0, 1)))))


def test_an_alignment_that_leads_elsewhere_is_refused() -> None:
    alignment, _ = proof()
    spot, vector = deciding(alignment, Spot)
    assert any(faults(changed(alignment, spot, vector, alignment.first)))


def test_an_alignment_that_keeps_a_permutation_after_a_decision_that_breaks_it_is_refused() -> None:
    alignment, _ = proof()
    wrong = {
        (replace(spot, group=frozenset({(0, 1), (1, 0)})) if len(set(spot.places)) == 1 else spot): node
        for spot, node in alignment.nodes.items()
    }
    spot = next(spot for spot in alignment.nodes if len(spot.group) == 1)
    assert any(
        faults(replace(alignment, nodes={**wrong, replace(spot, group=frozenset({(1, 0)})): alignment.nodes[spot]}))
    )


def accepted(
    alignment: Alignment, made: Product, cutting: Cutting = CUTTING, verdict: Verdict | None = None
) -> Outcome:
    options = Options(budget=Budget(60.0))
    claim = AlignedRuns(made, alignment, cutting, Arithmetic.IDEAL, verdict or Safe({}))
    return accept(claim, Effort(options, options.budget.start(), lambda _: None))


def test_aligned_runs_are_let_in_with_summaries_of_what_is_left_to_show() -> None:
    alignment, made = proof()
    outcome = accepted(alignment, made)
    assert outcome.answer is Answer.SAFE
    assert [each.checker for each in outcome.confirmations] == ["z3"]


def test_aligned_runs_with_a_fault_or_of_other_functions_are_not_let_in() -> None:
    alignment, made = proof()
    spot, vector = deciding(alignment, Spot)
    assert accepted(changed(alignment, spot, vector, None), made).answer is Answer.UNKNOWN
    assert accepted(changed(alignment, spot, vector, LeftOut.IMPOSSIBLE), made).answer is Answer.UNKNOWN
    assert accepted(alignment, made, Cutting(4, 3)).answer is Answer.UNKNOWN
    assert accepted(alignment, weighed("2i32")).answer is Answer.UNKNOWN


def test_a_derivation_about_aligned_runs_is_no_violation_of_the_law() -> None:
    alignment, made = proof()
    assert accepted(alignment, made, verdict=Unsafe(Derivation(()))).answer is Answer.UNKNOWN


# Laws in parts

PICK = """
int pick(int x, int y, int z) {
    int first = x >= y ? x : y;
    return first >= z ? first : LAST;
}
"""


def test_a_law_about_three_runs_is_proved_as_two_about_two() -> None:
    outcome = verify(PICK.replace("LAST", "z"), "P14", "pick", "parts", engine="synonym")
    assert outcome.answer.is_proof
    assert outcome.decided_by == "parts of the law, by synonym"
    assert [c.accepted for c in outcome.confirmations] == [True, True]
    assert sum("part of the law" in note for note in outcome.notes) == 2
    assert outcome.statistics["explored"]["group"] == 2


def test_a_law_with_a_violated_part_is_violated_by_runs_of_the_whole_law() -> None:
    outcome = verify(PICK.replace("LAST", "x"), "P14", "pick")
    assert outcome.answer is Answer.UNSAFE
    assert [run.name for run in outcome.runs] == ["a", "b", "c"]


def test_parts_keep_what_is_required_of_their_runs_and_of_results() -> None:
    (first, second) = parts(law("P14", ("x", "y", "z")))
    assert [str(run.name) for run in second.runs] == ["a", "b"]
    assert second.requires == ("a.x == b.z", "a.y == b.y", "a.z == b.x")
    assert first.ensures == second.ensures == ("a.\\result == b.\\result",)
    assert not parts(law("P3", ("x", "y")))
    assert not parts(law("P1", ("x", "y")))


def test_a_part_that_needs_another_run_does_not_refute_the_law() -> None:
    """Without c nothing relates a to b: the part is violated, the law is not."""
    chain = "P(a, b, c): requires a.x == c.x && c.x == b.x; ensures a.\\result == b.\\result;"
    assert [len(each.runs) for each in parts(read_specification(chain))] == [2]
    assert verify("int twice(int x) { return x + x; }", chain, "twice").answer.is_proof


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("a.x == b.x && a.y == b.y", ("a.x == b.x", "a.y == b.y")),
        ("(a.x == 1 && a.y == 2) && b.x == 3", ("(a.x == 1 && a.y == 2)", "b.x == 3")),
        ("a.x == 1 && a.y == 2 || b.x == 3", ("a.x == 1 && a.y == 2 || b.x == 3",)),
        ("a.x == 1 && a.y == 2 ==> b.x == 3", ("a.x == 1 && a.y == 2 ==> b.x == 3",)),
        ("a.x == 1 && b.x == 1 ? a.y : b.y", ("a.x == 1 && b.x == 1 ? a.y : b.y",)),
    ],
)
def test_only_what_nothing_weaker_joins_is_a_conjunct(text: str, found: tuple[str, ...]) -> None:
    assert conjuncts(text) == found


def test_what_is_low_is_said_of_all_runs() -> None:
    text = "P(a, b, c): requires low(x); ensures low(\\result);"
    assert not parts(read_specification(text))
    assert spoken_of("low(x) && a.y == 1", ("a", "b")) == {("a", "x"), ("b", "x"), ("a", "y")}
