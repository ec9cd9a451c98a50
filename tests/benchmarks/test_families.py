"""The families of bench/: their verdicts, against references in Python, and the files that are written."""

from __future__ import annotations

import re
import sys
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest
import z3

from bench.families import FAMILIES, scale
from bench.families.execution import Cells, Execution, evaluate
from bench.families.horn import (
    Query,
    Task,
    declaration,
    definition,
    is_numeral,
    parse,
    path,
    procedure,
    query,
    symbols,
    write,
)
from bench.generate import main
from samples import some
from sorrel.bench.suite import Selection, read_tasks
from sorrel.frontends.smtlib import read_text
from sorrel.model.outcome import Answer

TASKS = [task for tasks in FAMILIES.values() for task in tasks()]
SMALL_CHAINS = [scale.task(length) for length in (1, 2, 10)]


def named(task: Task) -> str:
    return f"{task.family}/{task.name}"


@pytest.fixture(autouse=True)
def _deep_recursion() -> Iterator[None]:
    """Procedures are run as they are written, and some recurse more than a hundred calls deep."""
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(20_000)
    yield
    sys.setrecursionlimit(limit)


def violations(execution: Execution, claim: Query) -> list[dict[str, object]]:
    """Inputs for which a claim fails, when the clauses are run; the reference must see the same."""
    found = []
    for choice in product(*claim.inputs.values()):
        inputs = dict(zip(claim.inputs, choice, strict=True))
        violated = execution.violated(claim, inputs)
        assert violated is not claim.holds(**inputs), f"clauses and reference disagree about {claim.claim}: {inputs}"
        if violated:
            found.append(inputs)
    return found


# Verdicts


@pytest.mark.parametrize("task", some([*TASKS, *SMALL_CHAINS], 3), ids=named)
def test_a_claim_fails_exactly_where_its_verdict_says_so(task: Task) -> None:
    execution = Execution(task.procedures)
    for claim in task.queries:
        found = violations(execution, claim)
        assert bool(found) is (claim.witness is not None), claim.claim
        assert claim.witness is None or dict(claim.witness) in found, claim.claim
    # Claims about procedures that never return would hold for no good reason.
    assert execution.returned() == {each.name for each in task.procedures}


@pytest.mark.parametrize("task", some([task for task in [*TASKS, *SMALL_CHAINS] if task.safe], 3), ids=named)
def test_the_summaries_of_a_safe_task_prove_its_claims(task: Task) -> None:
    text = write(task)
    for each in task.procedures:
        text = text.replace(declaration(each), definition(each))
    clauses = z3.parse_smt2_string(text)
    assert len(clauses) == sum(len(each.paths) for each in task.procedures) + len(task.queries)
    for clause in clauses:
        solver = z3.Solver()
        solver.set("timeout", 60_000)
        solver.add(z3.Not(clause))
        assert solver.check() == z3.unsat, clause


# The collection


def test_the_families_have_the_sizes_of_the_paper() -> None:
    sizes = Counter(task.family for task in TASKS)
    assert sizes == {
        "even-odd": 24,
        "hofstadter": 5,
        "mod-n": 15,
        "montgomery": 12,
        "buffers": 4,
        "combination": 2,
    }


def test_every_family_with_more_than_two_tasks_has_an_unsafe_one() -> None:
    unsafe = Counter(task.family for task in TASKS if not task.safe)
    assert set(unsafe) == {"even-odd", "hofstadter", "mod-n", "montgomery", "buffers"}
    assert 5 <= unsafe["even-odd"] <= 7


def test_half_of_even_odd_take_negative_inputs() -> None:
    negative = [task for task in TASKS if task.family == "even-odd" and "(< x 0)" in write(task)]
    assert len(negative) == 12


def test_most_claims_of_even_odd_and_mod_n_relate_calls() -> None:
    claims = [(task, claim) for task in TASKS if task.family in ("even-odd", "mod-n") for claim in task.queries]
    related = [claim for task, claim in claims if len(_calls(task, claim)) >= 2]
    assert len(related) >= 0.9 * len(claims)


def _calls(task: Task, claim: Query) -> list[str]:
    called = {each.name for each in task.procedures}
    return [text for text in claim.body if next(symbols(parse(text))) in called]


def test_no_two_tasks_differ_only_in_constants_or_names() -> None:
    shapes = Counter(shape(write(task)) for task in TASKS)
    assert [count for count in shapes.values() if count > 1] == []


def shape(text: str) -> str:
    """The clauses without comments, with one numeral for all and symbols numbered by first occurrence."""
    code = re.sub(r";.*", "", text)
    numbers: dict[str, int] = {}
    words = []
    for token in re.findall(r"[()]|[^\s()]+", code):
        if is_numeral(token):
            words.append("#")
        elif re.fullmatch(r"[A-Za-z_]\w*", token):
            words.append(f"v{numbers.setdefault(token, len(numbers))}")
        else:
            words.append(token)
    return " ".join(words).replace("( - # )", "#")


def test_the_shape_of_a_task_ignores_constants_and_names() -> None:
    assert shape("(p x 1) ; first") == shape("(q y (- 20))")
    assert shape("(p x x)") != shape("(p x y)")


def test_a_chain_grows_linearly() -> None:
    sizes = [len(write(scale.task(length))) for length in (100, 200, 300)]
    assert sizes[2] - sizes[1] == sizes[1] - sizes[0]


# Files


def test_generating_twice_writes_the_same_bytes(tmp_path: Path) -> None:
    for name in ("first", "second"):
        assert main([str(tmp_path / name), "--scale", "10,3"]) == 0
    first, second = (
        {file.relative_to(tmp_path / name): file.read_bytes() for file in (tmp_path / name).rglob("*.*")}
        for name in ("first", "second")
    )
    assert first == second
    assert len(first) == len(TASKS) + 2 + 1


def test_the_suite_can_be_read_by_the_benchmark_command(tmp_path: Path) -> None:
    main([str(tmp_path), "--scale", "4"])
    tasks = read_tasks([str(tmp_path)], Selection())
    unsafe = {f"{task.family}/{task.name}.smt2" for task in TASKS if not task.safe}
    assert {task.name for task in tasks if task.expected is Answer.UNSAFE} == unsafe
    assert sum(task.expected is Answer.SAFE for task in tasks) == len(TASKS) + 1 - len(unsafe)


def test_one_family_can_be_written_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main([str(tmp_path), "--family", "combination", "--family", "combination"])
    assert [file.name for file in sorted(tmp_path.iterdir())] == ["combination", "index.csv"]
    assert "2 tasks" in capsys.readouterr().out


@pytest.mark.parametrize("lengths", ["0", "ten", "10,-1", ""])
def test_a_chain_of_no_length_is_refused(tmp_path: Path, lengths: str) -> None:
    with pytest.raises(SystemExit):
        main([str(tmp_path), "--scale", lengths])


@pytest.mark.parametrize("task", [*TASKS, scale.task(3)], ids=named)
def test_the_files_keep_the_call_graph(task: Task) -> None:
    system = read_text(write(task), task.name)
    assert [predicate.name for predicate in system.predicates] == [each.name for each in task.procedures]
    assert len(system.clauses) == sum(len(each.paths) for each in task.procedures) + len(task.queries)


# The writer and the execution


def test_a_procedure_becomes_a_clause_for_each_path() -> None:
    task = Task(
        "demo",
        "length",
        "length(data, start) counts cells until a zero",
        (
            procedure(
                "length",
                "data:Bytes start",
                "count",
                path("(= (select data start) 0)", "(= count 0)"),
                path("(distinct (select data start) 0)", "(length data (+ start 1) rest)", "(= count (+ rest 1))"),
            ),
        ),
        (query("no length is negative", ["(length data 0 n)", "(< n 0)"], {}, lambda: True),),
        "counted from 0",
    )
    assert write(task).splitlines() == [
        "; demo/length",
        "; Program: length(data, start) counts cells until a zero",
        "; Property: no length is negative",
        "",
        "(set-logic HORN)",
        "(declare-fun length ((Array Int Int) Int Int) Bool)",
        "",
        "; length(data, start) returns count",
        "(assert (forall ((data (Array Int Int)) (start Int) (count Int))",
        "  (=> (and (= (select data start) 0) (= count 0))",
        "      (length data start count))))",
        "(assert (forall ((data (Array Int Int)) (start Int) (count Int) (rest Int))",
        "  (=> (and (distinct (select data start) 0) (length data (+ start 1) rest) (= count (+ rest 1)))",
        "      (length data start count))))",
        "",
        "; query: no length is negative",
        "(assert (forall ((data (Array Int Int)) (n Int))",
        "  (=> (and (length data 0 n) (< n 0))",
        "      false)))",
        "",
        "(check-sat)",
    ]
    cells = Cells(0, ((0, 5), (1, 5)))
    assert Execution(task.procedures).call("length", (cells, 0)) == [(2,)]


def test_execution_finds_every_result_of_a_choice() -> None:
    pick = procedure("pick", "x", "y", path("(= y (* k x))", k=range(3)), path("(= y (- x))"))
    assert Execution([pick]).call("pick", (2,)) == [(0,), (2,), (4,), (-2,)]


def test_a_result_that_is_asked_for_is_compared() -> None:
    successor = procedure("next", "x", "y", path("(= y (+ x 1))"))
    asked = query("next(x) is not x + x", ["(next x (+ x x))"], {"x": range(3)}, lambda x: x + 1 != x + x)
    execution = Execution([successor])
    assert [execution.violated(asked, {"x": x}) for x in range(3)] == [False, True, False]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("(mod (- 7) 3)", 2),
        ("(div (- 7) 2)", -4),
        ("(- 9 2 3)", 4),
        ("(ite (and (< 1 2) (not false)) 1 0)", 1),
        ("(select (store data 3 8) 3)", 8),
        ("(distinct (select data 0) 7)", False),
    ],
)
def test_evaluation_follows_smt_lib(text: str, value: object) -> None:
    assert evaluate(parse(text), {"data": Cells(7)}) == value


@pytest.mark.parametrize("text", ["(p x", "p x", "(p x))", ""])
def test_a_broken_body_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match=r"not one expression|nothing is open"):
        parse(text)


def test_an_unknown_operator_cannot_be_run() -> None:
    with pytest.raises(ValueError, match="cannot be run"):
        evaluate(parse("(rem 7 3)"), {})
