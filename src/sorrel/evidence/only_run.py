"""The only run of a program without inputs, which ends without an error: evidence that it is safe."""

from __future__ import annotations

import time
from dataclasses import replace

from sorrel.model.outcome import Answer, Cause, Confirmation, Outcome, unknown
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.program import Program
from sorrel.program.run import Finished, Run, Stopped

MOST_STEPS = 10_000_000


def run_alone(program: Program, most: int = MOST_STEPS) -> Run:
    """The program without any value from outside: it is its only run if it ends by itself."""
    return run(program, (), steps=most, indeterminate=NOBODYS)


def accept_only_run(program: Program, about: Outcome) -> Outcome:
    """Safe because everything that the program can do was done; nothing was proved about parts of it beyond that."""
    started = time.monotonic()
    alone = run_alone(program)
    if not isinstance(alone.end, Finished | Stopped):
        return unknown(Cause.UNCONFIRMED, "the program does not end without values from outside")
    detail = "the program has no inputs; its only run ends without an error"
    confirmation = Confirmation("the interpreter", True, time.monotonic() - started, detail)
    return replace(
        about,
        answer=Answer.SAFE,
        reason=None,
        confirmations=(confirmation,),
        notes=(detail,),
        missing=(),
        arithmetic="",
    )
