"""A run that is claimed to violate the property, repeated by the interpreter: does it, and is it one of the program?"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.program.interpreter import run
from sorrel.program.places import passed
from sorrel.program.program import Program
from sorrel.program.run import Exhausted, Functions, Refused, Run, Starved, Undefined, Violated
from sorrel.program.shrinking import shrunk
from sorrel.program.statement import Choice
from sorrel.program.value import Value, zero

REPEATED_STEPS = 20_000_000
"""What a counterexample may take: it is repeated once, not looked for."""
MOST_RECORDED = 500_000


def recorded(program: Program, choices: Sequence[Value], most: int, functions: Functions | None = None) -> Run:
    """The run with its events, or without them if there are too many to be told.

    Variables without a value start with 0 if the error is reached all the same: that is how compiled programs start.
    """
    found = run(program, choices, steps=most, functions=functions)
    plain = [zero(used.type) if used.choice is Choice.UNINITIALISED else used.value for used in found.used]
    # A long run is not repeated without need.
    if isinstance(found.end, Violated) and (functions or plain != values_of(found)):
        again = run(program, plain, steps=most)
        if isinstance(again.end, Violated):
            found, choices, functions = again, plain, None
    if found.steps > MOST_RECORDED:
        return found
    return run(program, choices, steps=min(most, MOST_RECORDED), record=True, functions=functions)


def smallest(program: Program, choices: Sequence[Value], most: int) -> Run:
    """The recorded run, with smaller values if they violate the same assertion."""
    return recorded(program, shrunk(program, choices, most), most)


def needs_abstractions(program: Program, result: Run) -> bool:
    """Whether a run into an error looks at values that are not modelled: if not, it gets there whatever they are."""
    if all(used.choice is not Choice.ABSTRACTION for used in result.used):
        return False
    others = [used.value for used in result.used if used.choice is not Choice.ABSTRACTION]
    without = run(program, others, steps=REPEATED_STEPS, indeterminate=(Choice.ABSTRACTION,))
    match without.end, result.end:
        case Violated(reached), Violated(claimed):
            return reached != claimed
        case _:
            return True


def unordered_in(program: Program, result: Run) -> Span | None:
    """The first place in the run at which another order of evaluation might make a difference, if there is one.

    A run that was too long to be recorded may pass all of them.
    """
    places = [place for each in program.assumptions if each.kind is AssumptionKind.ORDER for place in each.places]
    return next(passed(places, result.events) if result.events else iter(places), None)


def how_it_ended(result: Run, most: int) -> str:
    """Why a run that should have shown an error does not."""
    match result.end:
        case Undefined(_, message, _, span):
            return f"{message} at {span}"
        case Refused(_, span, reason):
            return f"{reason} at {span}" if span.line else reason
        case Exhausted():
            return f"it needs more than {most} steps"
        case Starved():
            return "it needs more values than there are"
        case _:
            return "it ends without an error"


def values_of(found: Run) -> list[Value]:
    """What was chosen in a run: with the same values it is the same run."""
    return [used.value for used in found.used]
