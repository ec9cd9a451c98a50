"""WHALE's parts, one by one and together."""

from __future__ import annotations

from typing import Any

import pytest

from folders import EXAMPLES
from sorrel.engines.engine import Circumstances
from sorrel.engines.whale.blocking import Blocking
from sorrel.engines.whale.conditions import InterproceduralCondition, Refuted, tree_size, violation
from sorrel.engines.whale.engine import Whale
from sorrel.engines.whale.executions import Execution, Executions, derivation_of
from sorrel.engines.whale.function import Path, procedures
from sorrel.engines.whale.graph import Contract, InterproceduralGraph
from sorrel.engines.whale.interpolants import Feasible, Interpolation, Question, Way
from sorrel.engines.whale.options import WhaleOptions
from sorrel.engines.whale.refinement import Refinement
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends.smtlib import read_text
from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.errors import InternalError, UsageError
from sorrel.model.outcome import Cause
from sorrel.smt.solver import Oracle

pytestmark = pytest.mark.usefixtures("short_walks")

EXAMPLE = EXAMPLES / "mccarthy91.smt2"


def mccarthy() -> HornSystem:
    return read_text(EXAMPLE.read_text())


def solve(
    system: HornSystem, seeds: Summaries | None = None, seconds: float = 30.0, **options: object
) -> tuple[Verdict, Circumstances]:
    run = Circumstances(Budget(seconds=seconds).start(), explain=True)
    verdict = Whale(WhaleOptions(audit=True, **options)).solve(system, run, seeds or {})  # type: ignore[arg-type]
    if not isinstance(verdict, Unknown):
        assert isinstance(check(system, verdict), Accepted)
    return verdict, run


def number(name: str) -> Term:
    return terms.variable(name, terms.INT)


N, M, R, S = map(number, ("n", "m", "r", "s"))


def double() -> HornSystem:
    """twice(n) = 2n by recursion, called with 3 or more only; for negative numbers it returns anything."""
    twice = Predicate("twice", (Argument("n", terms.INT, Role.INPUT), Argument("r", terms.INT, Role.OUTPUT)))
    return HornSystem(
        (twice,),
        (
            Clause("wild", twice(N, R), (), N < 0),
            Clause("zero", twice(N, R), (), terms.conjunction([terms.equal(N, terms.integer(0)), R >= 0])),
            Clause("more", twice(N, S), (twice(M, R),), terms.conjunction([N > 0, M == N - 1, S == R + 2])),
            Clause("use", None, (twice(N, R),), terms.conjunction([N >= 3, R < 0])),
        ),
    )


# The whole


def test_mccarthy_is_explained_step_by_step() -> None:
    verdict, _ = solve(mccarthy())
    assert isinstance(verdict, Safe)
    rules = [step.rule for step in verdict.explanation.deductions]
    assert rules[0] == "EXPANDARG"
    assert {"EXPANDARG", "REFINEARG", "UPDATE", "COVERARG"} <= set(rules)
    assert rules[-1] == "COVERARG"
    assert verdict.notes[0].endswith("refinements")


@pytest.mark.parametrize(
    "way",
    [
        pytest.param("spacer", marks=pytest.mark.long),
        "blocking+spacer",
        "strongest+spacer",
        pytest.param("weakest+spacer", marks=pytest.mark.long),
    ],
)
def test_every_way_to_interpolants_leads_to_accepted_evidence(way: str) -> None:
    assert isinstance(solve(double(), methods=way)[0], Safe | Unknown)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param({"expand": "path"}, marks=pytest.mark.long),
        pytest.param({"merge": False}, marks=pytest.mark.long),
        pytest.param({"guards": False}, marks=pytest.mark.long),
        pytest.param({"reuse": False}, marks=pytest.mark.long),
        pytest.param({"transparent": False}, marks=pytest.mark.long),
        {"tree": 0},
        pytest.param({"patience": 0}, marks=pytest.mark.long),
    ],
    ids=str,
)
def test_the_options_do_not_change_the_answer(options: dict[str, Any]) -> None:
    assert isinstance(solve(double(), **options)[0], Safe)


def test_contracts_say_nothing_of_inputs_that_are_never_used() -> None:
    """r >= 0 would be wrong: negative inputs give anything."""
    verdict, _ = solve(double())
    assert isinstance(verdict, Safe)
    assert walk.free_variables(verdict.summaries["twice"])
    oracle = Oracle()
    allowed = terms.substitute(verdict.summaries["twice"], [(N, terms.integer(-1)), (R, terms.integer(-5))])
    assert oracle.valid(allowed)


def test_a_deep_counterexample_is_derived() -> None:
    system = double()
    late = Clause("late", None, (system.predicate["twice"](N, R),), terms.conjunction([N == 8, R < 18]))
    verdict, _ = solve(system.with_clauses([*system.clauses, late]))
    assert isinstance(verdict, Unsafe)


def test_queries_without_calls_are_decided() -> None:
    nothing = HornSystem((), (Clause("q", None, (), N > 0),))
    assert isinstance(solve(nothing)[0], Unsafe)
    assert isinstance(solve(HornSystem((), (Clause("q", None, (), terms.FALSE),)))[0], Safe)


def test_functions_without_recursion_get_contracts_too() -> None:
    """They are looked through first; in the end each has a contract that says less than its body."""
    step = Predicate("step", (Argument("n", terms.INT, Role.INPUT), Argument("r", terms.INT, Role.OUTPUT)))
    loop = Predicate("loop", (Argument("m", terms.INT, Role.OUTPUT),))
    clauses = (
        Clause("body", step(N, R), (), terms.equal(R, N + 2)),
        Clause("start", loop(M), (), terms.equal(M, terms.integer(0))),
        Clause("again", loop(S), (loop(M), step(M, S)), terms.TRUE),
        Clause("use", None, (loop(M),), M < 0),
    )
    verdict, _ = solve(HornSystem((step, loop), clauses))
    assert isinstance(verdict, Safe)
    summary = verdict.summaries["step"]
    assert not terms.is_true(summary)
    assert any(step.path[0].endswith("step") for step in verdict.explanation.deductions if step.rule == "UPDATE")


def test_seeds_are_assumed_and_stand_in_the_answer() -> None:
    exact = terms.ite(N > 100, N - 10, terms.integer(91))
    known = {"mc91": terms.equal(R, exact)}
    verdict, _ = solve(mccarthy(), known)
    assert isinstance(verdict, Safe)
    assert verdict.notes == ("2 ARGs, 0 refinements",)


def test_facts_are_handed_over_when_time_runs_out() -> None:
    doubling = read_text("""(set-logic HORN)
(declare-fun p (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (and (= x 0) (= y 0)) (p x y))))
(assert (forall ((x Int) (y Int)) (=> (p x y) (p (+ x 2) (+ y x)))))
(assert (forall ((x Int) (y Int)) (=> (and (p x y) (= x 101) (= (* y y) 7)) false)))
(check-sat)""")
    verdict, _ = solve(doubling, seconds=3.0, methods="strongest")
    if isinstance(verdict, Unknown):
        assert verdict.reason.cause in (Cause.TIME, Cause.INCOMPLETE)
        assert "ARGs" in verdict.reason.message


@pytest.mark.parametrize("options", [{"methods": "guessing"}, {"expand": "some"}])
def test_unknown_words_are_usage_errors(options: dict[str, str]) -> None:
    with pytest.raises(UsageError):
        Whale(WhaleOptions(**options))  # type: ignore[arg-type]


# The graph


def graph_of(system: HornSystem, *, merge: bool = True) -> InterproceduralGraph:
    return InterproceduralGraph(procedures(system, {}), merge=merge)


def expanded(system: HornSystem, levels: int, *, merge: bool = True) -> InterproceduralGraph:
    graph = graph_of(system, merge=merge)
    for _ in range(levels):
        for arg in list(graph.args):
            for path in arg.function.paths:
                if path.name not in arg.expanded:
                    graph.expand(arg, path)
    return graph


def test_merged_calls_share_an_arg_at_each_depth() -> None:
    assert [arg.depth for arg in expanded(mccarthy(), 3).args] == [0, 0, 1, 2]
    assert len(expanded(mccarthy(), 3, merge=False).args) == 1 + 1 + 2 + 4


def test_a_new_arg_starts_with_the_paths_that_are_not_recursive() -> None:
    graph = expanded(mccarthy(), 1)
    assert [path.name for path, _ in graph.args[1].unwinding()] == ["c0"]
    assert not graph.args[1].is_complete


def test_dropping_a_contract_takes_the_labels_that_assume_it() -> None:
    graph = expanded(mccarthy(), 1)
    (path,) = graph.root.arg.function.paths
    contract = graph.contract(graph.args[1], terms.TRUE, terms.FALSE)
    graph.label(graph.root, path, ((contract,),))
    assert graph.root.is_safe_and_complete
    assert graph.needed() == [graph.root, contract]
    assert graph.drop(contract) == [graph.root]
    assert not graph.root.labels
    assert graph.needed() == [graph.root]


# Conditions


def examine(graph: InterproceduralGraph, contract: Contract, path: Path) -> Execution | Refuted | None:
    callees = contract.arg.expanded[path.name]
    positions = range(len(callees))
    condition = InterproceduralCondition(violation(contract, path), path, callees, positions, Executions())
    return condition.check(Oracle(), 10.0)


def test_the_condition_has_a_model_exactly_if_an_execution_is_there() -> None:
    """mc91 returns 91 for 101 at once, and for 100 only after a recursive call."""
    system = mccarthy()
    for levels, argument, reachable in ((1, 101, True), (1, 100, False), (2, 100, True)):
        call = system.predicate["mc91"]
        query = Clause(
            "use", None, (call(N, R),), terms.conjunction([terms.equal(N, terms.integer(argument)), R == 91])
        )
        changed = HornSystem(system.predicates, (*(c for c in system.clauses if c.head), query))
        graph = expanded(changed, levels)
        found = examine(graph, graph.root, graph.root.arg.function.path["use"])
        assert isinstance(found, Execution if reachable else Refuted)
        if isinstance(found, Execution):
            assert isinstance(check(changed, Unsafe(derivation_of(found))), Accepted)


def test_the_size_of_a_tree_is_counted_without_building_it() -> None:
    graph = expanded(mccarthy(), 40)
    assert tree_size(graph.args[:1], 10**15) > 2**35
    assert tree_size(graph.args[:1], 100) <= 101


# Interpolants


@pytest.mark.parametrize("way", [Way.SPACER, Way.BLOCKING, Way.STRONGEST, Way.WEAKEST])
def test_interpolants_have_the_four_properties(way: Way) -> None:
    """For the recursive path of mc91 with base cases below: gₖ at the calls, sₖ of the executions, and Lemma 3."""
    system = mccarthy()
    oracle = Oracle()
    graph = expanded(system, 2)
    arg = graph.args[1]
    path = arg.function.path["c1"]
    formals = system.predicate["mc91"].formals
    contract = graph.contract(arg, terms.TRUE, formals[1] >= 91)
    question = Question(contract, path, arg.expanded["c1"], (0, 1))
    interpolation = Interpolation(question, Executions(), guards=True)
    found = interpolation.solve(way, oracle, lambda *_: False, 20.0)
    assert found is not None
    assert not isinstance(found, Feasible)
    base = arg.function.path["c0"]
    for each in found:
        assert not walk.has_quantifier(each.summary)
        assert oracle.entails(terms.conjunction([each.guard, base.constraint]), base.at_exit(each.summary))
    said = [terms.substitute(each.summary, call.bind()) for each, call in zip(found, path.calls, strict=True)]
    assert oracle.entails(terms.conjunction([path.constraint, *said]), path.at_exit(contract.summary))


def test_a_violation_that_is_there_has_no_interpolant() -> None:
    graph = expanded(mccarthy(), 1)
    contract = graph.contract(graph.args[1], terms.TRUE, terms.FALSE)
    (query,) = graph.root.arg.function.paths
    wanted = Contract(0, graph.root.arg, terms.TRUE, terms.FALSE)
    always = Path(Clause("use", None, query.clause.body, terms.TRUE), terms.TRUE)
    question = Question(wanted, always, (contract.arg,), (0,))
    assert isinstance(
        Interpolation(question, Executions()).solve(Way.SPACER, Oracle(), lambda *_: False, 10.0), Feasible
    )


def test_excluding_violations_ignores_accidental_differences() -> None:
    """The only execution has n = 0 and m = 0; the violation is about n alone."""
    oracle = Oracle()
    violations = [N >= 5, M >= 7]
    alike = [terms.disjunction([N >= 5, M >= 7]), terms.equal(S, terms.integer(0))]
    for violated, expected in ((violations, N < 5), (alike, terms.conjunction([N < 5, M < 7]))):
        blocking = Blocking(
            oracle,
            [terms.equal(N, terms.integer(0)), terms.equal(M, terms.integer(0))],
            violated,
            lambda _, violated=violated: violated,  # type: ignore[misc]
            [N, M],
            [],
            lambda _: False,
            Budget(seconds=10.0).start(),
        )
        found = blocking.run()
        assert found is not None
        assert oracle.entails(expected, found)


# Refinement


def test_the_audit_notices_assumptions_that_do_not_suffice() -> None:
    graph = expanded(mccarthy(), 1)
    refinement = Refinement(graph, procedures(mccarthy(), {}), Oracle(), WhaleOptions(), [Way.SPACER])
    (path,) = graph.root.arg.function.paths
    with pytest.raises(InternalError, match="Lemma 3"):
        refinement.audit(graph.root, path, ((),))
    strong = graph.contract(graph.args[1], terms.TRUE, terms.FALSE)
    refinement.audit(graph.root, path, ((strong,),))
