"""What is known of a question while it is being answered."""

from __future__ import annotations

from dataclasses import replace

from sorrel.model.errors import NOWHERE
from sorrel.model.outcome import Answer, Cause, ContractKind, Outcome, ProgramContract, unknown
from sorrel.process.supervise import latest

ONE = Outcome(Answer.SAFE, program_contracts=(ProgramContract("f", ContractKind.FUNCTION, NOWHERE, ()),))
TWO = replace(ONE, program_contracts=(*ONE.program_contracts, ProgramContract("g", ContractKind.FUNCTION, NOWHERE, ())))
NOTHING = unknown(Cause.TIME, "nothing was decided")


def test_contracts_that_come_later_are_known_too() -> None:
    assert latest(latest(latest(None, NOTHING), ONE), TWO) is TWO


def test_an_answer_stays() -> None:
    assert latest(ONE, NOTHING) is ONE
    assert latest(ONE, replace(ONE, answer=Answer.UNSAFE)) is ONE
