"""What fits a question, for whoever asked for a method that does not: found out by looking at the question itself."""

from __future__ import annotations

from sorrel.engines.registry import ENGINES
from sorrel.methods.method import Method
from sorrel.methods.question import Question, Unanswerable
from sorrel.methods.registry import METHODS
from sorrel.model.errors import InputError, UsageError


def misfit(name: str, reason: str, question: Question, *, keep_contracts: bool = False) -> UsageError:
    """The mistake of asking a method that does not fit: why, and what does fit."""
    others = [each.name for each in METHODS.values() if each.name != name and _fits(each, question, keep_contracts)]
    return UsageError(f"engine {name} does not fit: {reason}; these fit: {', '.join(others)}")


def _fits(method: Method, question: Question, keep_contracts: bool) -> bool:
    if not method.fits(question.features):
        return False
    try:
        return not method.missing(question) and _is_taken(method, question, keep_contracts)
    except (InputError, Unanswerable):
        return True  # what is wrong with the question is for those to say who are asked


def _is_taken(method: Method, question: Question, keep_contracts: bool) -> bool:
    """Whether an engine takes the clauses that it is given: all engines get the same."""
    if method.name not in ENGINES or ENGINES[method.name].laws:
        return True
    clauses = question.clauses()
    if clauses is None:
        return True
    from sorrel.methods.clauses import refusal  # a question was read, but nobody may have loaded a solver

    return not refusal(method.name, clauses, keep_contracts=keep_contracts)
