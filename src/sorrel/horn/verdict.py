"""What an engine can answer. A verdict has its evidence with it; `Unknown` is an answer with a reason.

`by` names the part of an engine that found it, where that is not the engine's own search.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from typing import TypeAlias

from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.explanation import Explanation
from sorrel.model.outcome import Reason
from sorrel.model.values import dataclass

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


ROUND: Term = terms.variable("sorrel!round", terms.INT)
"""Which round of a loop it is, from 0: the only variable that values may speak of, inside of loops alone."""


@dataclass(frozen=True, slots=True)
class Loop:
    """Steps `first` to `last` are done `count` times, one round after the other.

    Their values are terms over the number of the round. A premise `entry`, which stands before the loop, is in later
    rounds the conclusion of the last step in the round before. From outside only `last` may be used: it concludes what
    the last round does.
    """

    first: int
    last: int
    count: int
    entry: int


@dataclass(frozen=True, slots=True, eq=False)
class Derivation:
    """Ground steps, premises before conclusions; the last one applies a query. Only steps of `loops` are not ground."""

    steps: tuple[Step, ...]
    loops: tuple[Loop, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Safe:
    """No query can be derived: the summaries make every clause valid. They may speak of functions over datatypes."""

    summaries: Summaries
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN
    by: str = ""
    recursion: Recursion = NOTHING


@dataclass(frozen=True, slots=True, eq=False)
class Unsafe:
    """A query can be derived."""

    derivation: Derivation
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN
    by: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Rank:
    """Lexicographic descent: components f₁, …, fₖ, numbers that depend on the `before` variables of an obligation.

    A step belongs to it if for some j it is bounded by and decreases fⱼ (fⱼ(v) ≥ 0 and fⱼ(v′) ≤ fⱼ(v) − 1) and
    increases no fᵢ with i < j. It is well-founded: on an infinite chain f₁ never increases, so it decreases only
    finitely often, because it does so from values that are not negative; then the same holds of f₂, and so on.
    """

    components: tuple[Term, ...]


Ranks: TypeAlias = Mapping[str, tuple[Rank, ...]]
"""For each obligation, by name, relations whose union contains the obligation's."""


@dataclass(frozen=True, slots=True, eq=False)
class Terminating:
    """No query can be derived, and the relation of every obligation is disjunctively well-founded."""

    summaries: Summaries
    ranks: Ranks
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN
    by: str = ""


@dataclass(frozen=True, slots=True, eq=False)
class Unknown:
    """No answer, why, and what was found: `facts` are summaries that were proved inductive on the way."""

    reason: Reason
    facts: Summaries = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    explanation: Explanation = NOTHING_TO_EXPLAIN


Verdict: TypeAlias = Safe | Unsafe | Terminating | Unknown
