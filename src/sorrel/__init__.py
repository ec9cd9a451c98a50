"""Sorrel proves or refutes properties of recursive programs and shows its evidence.

>>> import sorrel
>>> outcome = sorrel.verify("examples/average.c", property="no-overflow", timeout=20)
>>> outcome.answer
<Answer.UNSAFE: 'unsafe'>
>>> [event.text for event in outcome.run][-1]
'signed overflow in +'
>>> sorrel.solve("examples/mccarthy91.smt2", timeout=10).answer
<Answer.SAFE: 'safe'>

`verify` is for C, Java and OCaml, `summarize` infers contracts, `solve` is for Horn clauses, `learn` for Boolean
programs, and `check` checks a saved certificate. Each returns an `Outcome`: `answer`, `program_contracts`, `run` (the
counterexample), `assumptions`, `reason` (of an unknown answer); a notebook shows it as a report. `sorrel.asynchronous`
has `verify`, `summarize` and `solve` as coroutines. help(sorrel.verify) lists all options.
"""

from __future__ import annotations

from importlib import import_module

TYPE_CHECKING = False  # as in `typing`, for which a worker would have to wait before it is started
if TYPE_CHECKING:
    from typing import Any

    from sorrel import asynchronous
    from sorrel.api import check, learn, solve, summarize, verify
    from sorrel.model.assumption import AssumptionKind
    from sorrel.model.budget import Budget
    from sorrel.model.errors import InputError, InternalError, SorrelError, UsageError
    from sorrel.model.outcome import (
        Answer,
        Assumption,
        Cause,
        Contract,
        Outcome,
        ProgramContract,
        Reason,
        Replay,
        RunEvent,
        Standing,
        TraceStep,
    )
    from sorrel.model.source import Source
    from sorrel.process.cancellation import Cancellation

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Assumption",
    "AssumptionKind",
    "Budget",
    "Cancellation",
    "Cause",
    "Contract",
    "InputError",
    "InternalError",
    "Outcome",
    "ProgramContract",
    "Reason",
    "Replay",
    "RunEvent",
    "SorrelError",
    "Source",
    "Standing",
    "TraceStep",
    "UsageError",
    "asynchronous",
    "check",
    "learn",
    "solve",
    "summarize",
    "verify",
]

_HOMES = {
    "sorrel.model.assumption": ("AssumptionKind",),
    "sorrel.api": ("check", "learn", "solve", "summarize", "verify"),
    "sorrel.process.cancellation": ("Cancellation",),
    "sorrel.model.budget": ("Budget",),
    "sorrel.model.source": ("Source",),
    "sorrel.model.errors": ("InputError", "InternalError", "SorrelError", "UsageError"),
    "sorrel.model.outcome": (
        "Answer",
        "Assumption",
        "Cause",
        "Contract",
        "Outcome",
        "ProgramContract",
        "Reason",
        "Replay",
        "RunEvent",
        "Standing",
        "TraceStep",
    ),
}


def __getattr__(name: str) -> Any:
    """Load what is asked for when it is asked for: workers and `sorrel --version` need none of it."""
    if name == "asynchronous":
        return import_module("sorrel.asynchronous")
    for module, names in _HOMES.items():
        if name in names:
            return getattr(import_module(module), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    """What `help(sorrel)` and completion show."""
    return sorted([*globals(), *__all__])
