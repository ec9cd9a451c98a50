"""Sorrel proves or refutes properties of recursive programs and shows its evidence.

>>> import sorrel
>>> outcome = sorrel.solve("examples/mccarthy91.smt2", timeout=10)
>>> outcome.answer
<Answer.SAFE: 'safe'>
"""

from sorrel.api import check, solve
from sorrel.budget import Budget
from sorrel.errors import InputError, InternalError, SorrelError, UsageError
from sorrel.outcome import Answer, Cause, Contract, Outcome, Reason, TraceStep

__version__ = "0.1.0"
__all__ = [
    "Answer",
    "Budget",
    "Cause",
    "Contract",
    "InputError",
    "InternalError",
    "Outcome",
    "Reason",
    "SorrelError",
    "TraceStep",
    "UsageError",
    "check",
    "solve",
]
