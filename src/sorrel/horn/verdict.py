"""What an engine can answer. A verdict has its evidence with it; `Unknown` is an answer with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from sorrel.logic.terms import Term
from sorrel.outcome import Explanation, Reason

NOTHING_TO_EXPLAIN = Explanation()

Summaries: TypeAlias = Mapping[str, Term]
"""For each predicate, by name, a formula over its formals."""


@dataclass(frozen=True, slots=True, eq=False)
class Step:
    """One application of a clause: its variables get `values`, its body atoms are the facts of `premises`.

    `premises` are indices of earlier steps, one for each body atom, in order.
    """

    clause: str
    values: Mapping[Term, Term]
    premises: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """Ground steps, premises before conclusions; the last one applies a query."""

    steps: tuple[Step, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Safe:
    """No query can be derived: the summaries make every clause valid."""

    summaries: Summaries
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN


@dataclass(frozen=True, slots=True, eq=False)
class Unsafe:
    """A query can be derived."""

    derivation: Derivation
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """No answer, why, and what was found: `facts` are summaries that were proved inductive on the way."""

    reason: Reason
    facts: Summaries = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN


Verdict: TypeAlias = Safe | Unsafe | Unknown
