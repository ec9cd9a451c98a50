"""Sums of counters that stay what they were."""

from __future__ import annotations

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.frontends import c
from sorrel.guess.counts import counted
from sorrel.horn.system import HornSystem
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.statement import Kind
from sorrel.smt.solver import Oracle

TEXT = """extern int __VERIFIER_nondet_int(void); extern void abort(void); void reach_error(void) { abort(); }
int main(void) {
  int n = __VERIFIER_nondet_int(), one = 0, other = 0, i;
  if (n < 0) return 0;
  for (i = 0; i < n; i++) { if (__VERIFIER_nondet_int()) one++; else other++; }
  if (one + other != TOTAL) reach_error();
}"""


def _system(total: str) -> HornSystem:
    source = Source(text=TEXT.replace("TOTAL", total))
    return encode(instrument(c.read([source], c.CSettings()), frozenset({Kind.ERROR_CALL})), Arithmetic.IDEAL).system


def test_counters_of_two_branches_add_up_to_the_rounds() -> None:
    system = _system("n")
    found = counted(system, Oracle(Budget(seconds=60).start()))
    assert found is not None
    assert isinstance(check(system, found, 10.0), Accepted)


def test_a_sum_that_is_wrong_is_not_found() -> None:
    assert counted(_system("n + 1"), Oracle(Budget(seconds=60).start())) is None
