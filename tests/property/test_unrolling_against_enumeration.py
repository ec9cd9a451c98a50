"""Small programs whose numbers are choices, all runs at once: against every run, one by one."""

from __future__ import annotations

from itertools import product
from random import Random

import pytest

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.unrolling import Unrolled, unrolled
from sorrel.evidence.effort import Reading
from sorrel.evidence.following import some
from sorrel.methods.reading import checked
from sorrel.methods.unrolling import EVERYTHING
from sorrel.model.source import Source
from sorrel.process.request import request
from sorrel.smt.integer_solver import IntegerSolver
from sorrel.smt.word_solver import WordSolver

PROGRAMS = 30
INPUTS, NUMBERS, LENGTH = ("p", "q", "r"), ("x", "y", "z"), 4
HEAD = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int a[4] = {0, 0, 0, 0}, x = 0, y = 0, z = 0;
    int p = __VERIFIER_nondet_int(), q = __VERIFIER_nondet_int(), r = __VERIFIER_nondet_int();
    if (p < 0 || p > 2 || q < 0 || q > 2 || r < 0 || r > 2) return 0;
"""


class _Failed(Exception):
    """This run does what no run may do."""


class _Draft:
    """One text for the reader of C, and one in Python, which is run."""

    def __init__(self, chance: Random) -> None:
        self._chance = chance
        self.c = HEAD
        self.python = "def run(p, q, r, at, put, claim):\n    a, x, y, z = [0] * 4, 0, 0, 0\n"
        self._loops = 0
        for _ in range(7):
            self._statement(1)
        self._claim(1)
        self.c += "    return 0;\n}\n"

    def _line(self, depth: int, c: str, python: str) -> None:
        self.c += "    " * depth + c + "\n"
        self.python += "    " * depth + python + "\n" if python else ""

    def _condition(self) -> tuple[str, str]:
        chance = self._chance
        name = chance.choice((*NUMBERS, *NUMBERS, *INPUTS))
        found = f"{name} {chance.choice(('==', '!=', '==', '<'))} {chance.randint(0, 4)}"
        if chance.random() < 0.2:
            other = f"{chance.choice(NUMBERS)} {chance.choice(('==', '!='))} {chance.randint(0, 3)}"
            return f"{found} && {other}", f"{found} and {other}"
        return found, found

    def _claim(self, depth: int) -> None:
        c, python = self._condition()
        bound = f"{self._chance.choice(NUMBERS)} < {self._chance.randint(2, 6)}"
        self._line(depth, f"assert(!({c}) || {bound});", f"claim(not ({python}) or {bound})")

    def _statement(self, depth: int) -> None:
        chance = self._chance
        one, other = chance.choice(NUMBERS), chance.choice((*NUMBERS, *INPUTS))
        number = chance.randint(0, 3)
        match chance.randrange(10):
            case 0 | 1:
                self._line(depth, f"{one} = {one} + 1;", f"{one} = {one} + 1")
            case 2:
                self._line(depth, f"{one} = {other} + {number};", f"{one} = {other} + {number}")
            case 3:
                end = chance.choice((LENGTH, LENGTH, number))
                self._line(depth, f"if ({one} != {end})", f"if {one} != {end}:")
                self._line(depth + 1, f"a[{one}] = {other};", f"put(a, {one}, {other})")
            case 4:
                self._line(depth, f"{one} = {one} < 4 ? a[{one}] : 1;", f"{one} = at(a, {one}) if {one} < 4 else 1")
            case 5:
                self._line(depth, f"if ({one} == {number + 2}) return 0;", f"if {one} == {number + 2}: return")
            case 6:
                self._claim(depth)
            case 7 | 8 if depth < 3:
                c, python = self._condition()
                self._block(depth, f"if ({c}) {{", f"if {python}:")
            case 9 if depth < 2:
                self._loops += 1
                i, often = f"i{self._loops}", chance.randint(2, 4)
                self._block(depth, f"for (int {i} = 0; {i} < {often}; {i}++) {{", f"for {i} in range({often}):")
            case _:
                self._line(depth, f"{one} = {number};", f"{one} = {number}")

    def _block(self, depth: int, c: str, python: str) -> None:
        self._line(depth, c, python)
        for _ in range(self._chance.randint(1, 3)):
            self._statement(depth + 1)
        self._line(depth, "}", "")


def _put(array: list[int], index: int, value: int) -> None:
    if not 0 <= index < LENGTH:
        raise _Failed
    array[index] = value


def _at(array: list[int], index: int) -> int:
    if not 0 <= index < LENGTH:
        raise _Failed
    return array[index]


def _claimed(holds: bool) -> None:
    if not holds:
        raise _Failed


def some_run_fails(python: str) -> bool:
    scope: dict[str, object] = {}
    exec(python, scope)
    for inputs in product(range(3), repeat=3):
        try:
            scope["run"](*inputs, _at, _put, _claimed)  # type: ignore[operator]
        except _Failed:
            return True
    return False


def found_to_fail(text: str, apart: bool) -> bool:
    """By following all runs, and one question; what knows less of it excludes nothing that is there."""
    (task,) = request([Source(text=text)], goal="assertions").tasks
    program = checked(task, Reading(EVERYTHING, Arithmetic.EXACT))
    runs = Unrolled()
    assert unrolled(program, False, runs, lambda _: True, lambda: True, apart=apart)
    assert not runs.left_out
    condition = some(runs.graph, runs.failed)
    solver = WordSolver()
    solver.add(condition)
    found = solver.ask([], lambda: False)
    assert found is not None
    assert not (found and IntegerSolver().excludes(condition, 5.0))
    assert not (found and WordSolver(open_words=True).ask([condition], lambda: False) is False)
    return found


@pytest.mark.parametrize("apart", [False, True], ids=("together", "apart"))
@pytest.mark.parametrize("seed", range(PROGRAMS))
def test_all_runs_at_once_fail_where_one_of_them_does(seed: int, apart: bool) -> None:
    draft = _Draft(Random(seed))
    assert found_to_fail(draft.c, apart) is some_run_fails(draft.python), draft.c
