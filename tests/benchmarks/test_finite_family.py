"""The tasks of the CDNF paper: their verdicts, and that they say what the programs do."""

from __future__ import annotations

from pathlib import Path

import pytest

import sorrel
from bench import generate
from bench.families import finite
from sorrel.finite.simulate import NoReturn, Returned, Simulator
from sorrel.frontends.boolean import Overflow, read_program


@pytest.mark.parametrize("overflow", ["wrap", "discard"])
@pytest.mark.parametrize("function", ["fibonacci", "hanoi", "sum", "gcd", "combination"])
def test_the_reference_and_the_program_have_the_same_behaviours(function: str, overflow: str) -> None:
    width = 4
    text = (finite.PROGRAMS / f"{function}.bool").read_text()
    program = read_program(text, width=width, overflow=Overflow(overflow))
    simulator = Simulator(program)
    expected = {run[:-1]: run[-1] for run in finite.behaviours(function, width, overflow)}
    count = len(program.functions[0].parameters)
    for number in range(1 << (width * count)):
        arguments = tuple(number >> (width * i) & 15 for i in range(count))
        result = simulator.run(function, arguments, 10_000)
        if arguments in expected:
            assert isinstance(result, Returned)
            assert result.values == (expected[arguments],)
        else:
            assert isinstance(result, NoReturn)


def test_exactly_two_rows_are_false_and_only_with_wrap_around() -> None:
    for width in (4, 8):
        assert all(finite.expected(row, width, "discard")[0] for row in finite.ROWS)
        false = [(r.function, r.number) for r in finite.ROWS if not finite.expected(r, width, "wrap")[0]]
        assert false == [("fibonacci", 1), ("hanoi", 3)]


@pytest.mark.parametrize("row", finite.ROWS, ids=lambda r: f"{r.function}-{r.number}")
def test_what_is_said_of_all_widths_is_true_of_the_small_ones(row: finite.Row) -> None:
    for width in (4, 5, 6, 7):
        runs = finite.behaviours(row.function, width, "wrap")
        violations = [run[:-1] for run in runs if not row.holds(*run)]
        if row.wraps:
            assert not violations
        if row.fails is not None:
            assert row.fails(width) in violations


def test_the_generator_writes_the_tasks_and_their_index(tmp_path: Path) -> None:
    words = ["--family", "finite-wrap", "--family", "finite-discard", "--widths", "4"]
    assert generate.main([str(tmp_path), *words]) == 0
    assert len(list(tmp_path.glob("finite-*/*_04.smt2"))) == 30
    assert (tmp_path / "index.csv").read_text().count(",unsat,") == 2
    outcome = sorrel.solve(tmp_path / "finite-wrap" / "hanoi_3_04.smt2", engine="cdnf", timeout=20)
    assert outcome.answer is sorrel.Answer.UNSAFE


def test_programs_are_learned_from_python() -> None:
    text = (finite.PROGRAMS / "hanoi.bool").read_text()
    outcome = sorrel.learn(text, width=16, overflow="discard", properties=["r > 0", "r >= n"], timeout=20)
    assert outcome.answer is sorrel.Answer.SAFE
    assert [c.predicate for c in outcome.contracts] == ["hanoi"]
    with pytest.raises(sorrel.UsageError):
        sorrel.learn(text, overflow="saturate")
