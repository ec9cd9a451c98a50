"""Contracts about arrays, looking for leaks, compiled runs side by side, and ways to compose runs."""

from __future__ import annotations

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.engines.clover.goal import Over
from sorrel.engines.flower.directed import DirectedGuesser
from sorrel.engines.flower.frames import frames, words_of
from sorrel.engines.flower.product import products_of
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.guess.contexts import ContextHoudini, Frame
from sorrel.guess.lattice import Literal
from sorrel.horn.clause import Atom
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe
from sorrel.logic import terms, walk
from sorrel.methods.reading import checked
from sorrel.methods.relational.related import related as product_of
from sorrel.model.budget import Budget
from sorrel.model.errors import UsageError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Outcome, ReplayResult
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task, data_model_here
from sorrel.process import pipeline
from sorrel.process.request import request
from sorrel.program.statement import Call
from sorrel.relate.product import Composition, Product, product
from sorrel.replay.compiler import compiler
from sorrel.replay.entry import NoHarness
from sorrel.replay.observers import as_printed, calls_observer, read_seen
from sorrel.smt.nonlinear import exact_queries
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics
from sorrel.testing.differing import look
from sorrel.transform.simplify import simplify

DECLARATIONS = (
    "extern int __VERIFIER_nondet_int(void); extern void __VERIFIER_assume(int); extern void sorrel_low(int);\n"
    "extern void sorrel_declassify(int); extern void sorrel_assert_low(int);\n"
    "extern void sorrel_low_array(const int *, int);\n"
)
# Public are the first n cells of one array, and the cells of another where it says so itself.
RANGE = """
int a[9];
int main(void) {
  int n = __VERIFIER_nondet_int(); sorrel_low(n); __VERIFIER_assume(0 <= n && n <= 9);
  for (int i = 0; i < n; i++) a[i] = __VERIFIER_nondet_int();
  sorrel_low_array(a, LENGTH);
  int sum = 0;
  for (int i = 0; i < n; i++) sum = sum + a[i];
  sorrel_assert_low(sum);
}"""
CONDITIONAL = """
int key[9], value[9];
int main(void) {
  int n = __VERIFIER_nondet_int(); sorrel_low(n); __VERIFIER_assume(0 <= n && n <= 9);
  for (int i = 0; i < n; i++) {
    key[i] = __VERIFIER_nondet_int(); sorrel_low(key[i]);
    value[i] = __VERIFIER_nondet_int(); if (key[i] < 0) sorrel_low(value[i]);
  }
  for (int i = 0; i < n; i++) if (key[i] < 0) sorrel_assert_low(value[i]);
}"""
COUNTING = "int main(void) { int h = __VERIFIER_nondet_int(), c = 0; while (h > 0 && c < 9) { h--; c++; } %s }"


def related(text: str, goal: Property = Property.NONINTERFERENCE) -> Product:
    task = Task((Source(text=DECLARATIONS + text),), goal)
    return product_of(checked(task), task)


def system_of(text: str) -> HornSystem:
    made = related(text)
    return simplify(encode(made.program, Arithmetic.IDEAL, made.copies).system).system


def verified(text: str, goal: Property, function: str = "main", specification: str = "") -> Outcome:
    source = Source(text=DECLARATIONS + text)
    task = Task((source,), goal, data_model_here(), function=function, specification=specification)
    return pipeline.verify(
        task, Options(engine="flower", budget=Budget(seconds=100), assuming=("overflow",), replay=True)
    )


def calls_of_loops(made: Product) -> int:
    main = made.program.procedure[made.program.main]
    statements = (statement for block in main.blocks for statement in block.statements)
    return sum(isinstance(statement, Call) and ".loop." in statement.procedure for statement in statements)


def contexts(system: HornSystem) -> ContextHoudini:
    oracle = Oracle(Budget(seconds=60).start())
    houdini = ContextHoudini(system, frames(system, products_of(system, oracle)), oracle, {})
    assert houdini.run()
    return houdini


@pytest.mark.parametrize("text", [CONDITIONAL, pytest.param(RANGE.replace("LENGTH", "n"), marks=pytest.mark.long)])
def test_what_is_low_within_an_array_is_carried_from_loop_to_loop_by_a_checked_contract(text: str) -> None:
    system = system_of(text)
    support = contexts(system).support()
    assert support is not None
    assert isinstance(check(system, Safe(support)), Accepted)


def test_a_range_that_is_too_short_settles_nothing() -> None:
    assert contexts(system_of(RANGE.replace("LENGTH", "n - 1"))).support() is None


@pytest.mark.long
def test_all_that_is_left_of_the_guesses_is_inductive() -> None:
    system = system_of(CONDITIONAL)
    queries_aside = HornSystem(system.predicates, tuple(c for c in system.clauses if c.head))
    assert isinstance(check(queries_aside, Safe(contexts(system).summaries())), Accepted)


def test_conditions_on_cells_are_read_off_the_clauses() -> None:
    system = system_of(CONDITIONAL)
    words = words_of(system, products_of(system, Oracle()))
    assert ("key", "value") in [cell.bases for cell in words.cells]


def test_arrays_agree_cell_by_cell_and_are_equal_as_a_whole() -> None:
    array = terms.array_sort(terms.INT, terms.INT)
    one, other, cell = terms.variable("x", array), terms.variable("y", array), terms.variable("cell", terms.INT)
    same = terms.equal(terms.select(one, cell), terms.select(other, cell))
    literal = Literal(same, cell, terms.equal(one, other))
    assert terms.same(literal.closed, terms.equal(one, other))
    assert terms.same(literal.instances([], []), terms.equal(one, other))
    assert not terms.same(literal.at([], terms.integer(3)), literal.closed)


def test_a_guess_for_one_call_excludes_its_environment_and_is_inductive() -> None:
    system = system_of(RANGE.replace("sorrel_low_array(a, LENGTH);", "for (int i = 0; i < n; i++) a[i] = i;"))
    oracle = Oracle()
    name = next(p.name for p in system.predicates if any("sum" in a.name for a in p.arguments))
    products = products_of(system, oracle)
    product_ = products[name]
    output = next(pair for pair in product_.outputs if pair.name == "sum")
    equal = terms.conjunction([*product_.activations, *(pair.equal for pair in product_.inputs)])
    environment = terms.conjunction([equal, terms.negation(output.equal)])
    over = {p.name: terms.TRUE for p in system.predicates}
    guesser = DirectedGuesser(system, frames(system, products), Budget(seconds=60).start(), Statistics())
    found = guesser.refine(system.predicate[name], environment, over)
    assert oracle.entails(terms.conjunction(found[name]), terms.negation(environment)) is True
    part = HornSystem(system.predicates, tuple(c for c in system.clauses if c.head))
    assert isinstance(check(part, Safe({**over, name: terms.conjunction(found[name])})), Accepted)
    assert guesser.refine(system.predicate[name], environment, over) == {}


def test_rules_project_without_the_quantified_part_of_what_is_known() -> None:
    system = system_of(RANGE.replace("LENGTH", "n"))
    support = contexts(system).support()
    assert support is not None
    over = Over(system, support)
    name, quantified = next((n, f) for n, f in support.items() if walk.has_quantifier(f))
    call = next(atom for clause in system.clauses for atom in clause.body if atom.predicate.name == name)
    assert walk.has_quantifier(over.at(call))
    assert not walk.has_quantifier(over.plain_at(call))
    assert Oracle().entails(quantified, over.plain_at(Atom(call.predicate, call.predicate.formals))) is True


def test_a_frame_without_predicates_of_a_product_is_never_asked_for() -> None:
    system = system_of(CONDITIONAL)
    houdini = ContextHoudini(system, {}, Oracle(), {})
    assert houdini.run()
    assert houdini.support() is None


def test_queries_keep_the_meaning_of_their_nonlinear_operations() -> None:
    text = (
        "int f(int n) { return n <= 0 ? 0 : f(n - 1); }\n"
        "int main(void) { int h = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int(); sorrel_low(n);\n"
        "__VERIFIER_assume(1 <= n && n <= 9); f(h); sorrel_declassify(h); sorrel_assert_low(h / n); }"
    )
    assert len(exact_queries(system_of(text))) == 1
    assert verified(text, Property.NONINTERFERENCE).answer.is_proof


def test_values_that_are_bound_by_what_is_low_do_not_hide_the_free_one() -> None:
    text = """
int main(void) {
  int all = 0;
  for (int i = 0; i < 12; i++) {
    int x = __VERIFIER_nondet_int(); sorrel_low(x); __VERIFIER_assume(0 <= x && x < 5); all = all + x; }
  int secret = __VERIFIER_nondet_int();
  if (all > 20 && all < 40) sorrel_assert_low(secret);
}"""
    assert look(related(text), 20.0) is not None


# Compiled runs

needs_compiler = pytest.mark.skipif(not compiler(), reason="there is no C compiler")


@needs_compiler
@pytest.mark.parametrize(
    ("goal", "text", "detail"),
    [
        (Property.NONINTERFERENCE, COUNTING % "sorrel_assert_low(c);", "sorrel_assert_low("),
        pytest.param(Property.CONSTANT_TIME, COUNTING % "", "different basic blocks", marks=pytest.mark.long),
    ],
)
def test_runs_that_differ_do_so_when_they_are_compiled(goal: Property, text: str, detail: str) -> None:
    outcome = verified(text, goal)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED
    assert detail in outcome.replay.detail
    assert outcome.confirmations[-1].checker == "the compiled program"
    assert "SORREL_RUN == 2" in outcome.harness


@needs_compiler
def test_results_of_functions_are_compared_when_they_are_compiled() -> None:
    text = "int f(int x, int y) { return x - 2 * y; }"
    outcome = verified(text, Property.SPECIFICATION, function="f", specification="commutativity")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED


@needs_compiler
def test_accessed_elements_are_not_seen_and_the_outcome_says_so() -> None:
    text = "int a[8]; int main(void) { int h = __VERIFIER_nondet_int() & 7; return a[h]; }"
    outcome = verified(text, Property.CONSTANT_TIME)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.IMPOSSIBLE


def test_observers_take_the_parameter_types_that_the_program_declares() -> None:
    text = calls_observer(["extern void sorrel_low(unsigned long value);"])
    assert "sorrel_on_sorrel_low(unsigned long value)" in text
    with pytest.raises(NoHarness, match="not known"):
        calls_observer(["void sorrel_low(my_type);"])


def test_lines_of_observers_are_read_back() -> None:
    seen = read_seen(["saw sorrel_low -4", "blocks 7 ab3f", "result 12", "assertion failed"])
    assert (seen.values, seen.blocks, seen.result) == ((("sorrel_low", -4),), (7, "ab3f"), 12)
    assert as_printed(2**64 - 1) == -1


# Compositions


@pytest.mark.parametrize("composition", list(Composition))
def test_a_loop_whose_result_is_known_is_described_in_every_composition(composition: Composition) -> None:
    text = (
        "int main(void) { int n = __VERIFIER_nondet_int(), s = 7; sorrel_low(n);"
        "for (int i = 0; i < n; i++) if (s < 0) s = i; sorrel_assert_low(s); }"
    )
    task = Task((Source(text=DECLARATIONS + text),), Property.NONINTERFERENCE, composition=str(composition))
    outcome = pipeline.verify(task, Options(engine="spacer", budget=Budget(seconds=60), assuming=("overflow",)))
    assert outcome.answer.is_proof


def test_one_run_after_the_other_is_one_call_for_each() -> None:
    text = DECLARATIONS + COUNTING % ""
    program = checked(Task((Source(text=text),), Property.NONINTERFERENCE))
    together, apart = product(program), product(program, composition=Composition.NAIVE)
    assert calls_of_loops(apart) == 2 * calls_of_loops(together)


def test_what_is_observed_inside_a_loop_still_meets_in_naive_composition() -> None:
    observed = (COUNTING % "").replace("c++;", "c++; sorrel_assert_low(h);")
    task = Task((Source(text=DECLARATIONS + observed),), Property.NONINTERFERENCE, composition="naive")
    assert (
        pipeline.verify(task, Options(engine="flower", budget=Budget(seconds=60), assuming=("overflow",))).answer
        is Answer.UNSAFE
    )


def test_a_composition_goes_with_properties_of_several_runs_only() -> None:
    with pytest.raises(UsageError, match="several runs"):
        request([Source(text="int main(void) { return 0; }")], composition="naive")
    with pytest.raises(UsageError, match="no composition"):
        request([Source(text="int main(void) { return 0; }")], goal="noninterference", composition="odd")


def test_frames_of_predicates_offer_literals_in_order_of_preference() -> None:
    system = system_of(CONDITIONAL)
    for frame in frames(system, products_of(system, Oracle())).values():
        assert isinstance(frame, Frame)
        assert list(frame.tiers) == sorted(frame.tiers)
        assert frame.tiers[-1] <= len(frame.before)
