"""The options of each engine, once: flags, help and JSON derive from them. Free of solvers, for the command line."""

from __future__ import annotations

from dataclasses import field, fields
from typing import Any

from sorrel.model.errors import UsageError
from sorrel.model.values import dataclass

PATHS, EVALUATION, INDUCTION = "paths of clauses", "evaluation of calls", "k-induction"
TREES, RANGES = "decision trees", "ranges"
"""Who decided, in words, where one engine speaks of another."""


def option(default: Any, help: str) -> Any:
    return field(default=default, metadata={"help": help})


@dataclass(frozen=True, slots=True)
class NoOptions:
    """For what can be done in one way only."""


@dataclass(frozen=True, slots=True)
class SpacerOptions:
    refute_share: float = option(
        0.5, "part of the remaining time for rebuilding a derivation once the answer is unsafe"
    )
    guidance: bool = option(False, "global guidance: lemmas that generalise over several lemmas found before")
    restarts: bool = option(False, "drop the queue of proof obligations from time to time")
    arithmetic: int = option(2, "z3's solver for arithmetic: 2 is simplex, 6 the newer one")
    ground: bool = option(True, "proof obligations speak of values of a model, not of terms")
    equalities: bool = option(False, "generalise by implied equalities")
    inlining: bool = option(True, "z3 inlines predicates before it searches; their definitions then have quantifiers")
    lemmas: bool = option(False, "work on simplified clauses without z3's preprocessing, and pass lemmas on")
    passes: str = option(
        "",
        "what is done to the clauses before: loops, control, numbers, aligned, pair, cell and integers joined by +, "
        "or fit for integers, control and cell",
    )


@dataclass(frozen=True, slots=True)
class SlicesOptions:
    slice: float = option(1.0, "length of the first round of slices; every round takes twice as long as the one before")
    refute_share: float = option(0.5, "part of a slice for rebuilding a derivation once the answer is unsafe")
    facts: bool = option(True, "share lemmas with other methods")


@dataclass(frozen=True, slots=True)
class UnwindOptions:
    levels: int = option(100_000, "stop after so many levels of derivation")
    facts: int = option(50_000, "stop after so many facts")


@dataclass(frozen=True, slots=True)
class PathsOptions:
    levels: int = option(100_000, "stop after paths of so many steps")
    passes: str = option("", "what is done to the clauses before, as for spacer; loops finds deep counterexamples")


@dataclass(frozen=True, slots=True)
class BackwardOptions:
    levels: int = option(64, "stop when errors were looked for so many steps away")


@dataclass(frozen=True, slots=True)
class TreesOptions:
    passes: str = option("", "what is done to the clauses before, as for spacer; integers for bit-vectors")


@dataclass(frozen=True, slots=True)
class EvaluationOptions:
    depth: int = option(2_000, "calls that wait for one another, at most")


def parse_options(kind: type[Any], given: dict[str, str]) -> Any:
    """An options value from words such as bound=3; unknown names and bad values are usage errors."""
    known = {f.name: f for f in fields(kind)}
    values: dict[str, Any] = {}
    for name, word in given.items():
        field_ = known.get(name.replace("-", "_"))
        if field_ is None:
            names = ", ".join(known) or "none"
            raise UsageError(f"there is no option {name}; this engine has: {names}")
        values[field_.name] = _convert(name, word, field_.default)
    return kind(**values)


def _convert(name: str, word: str, default: Any) -> Any:
    try:
        if isinstance(default, bool):
            return {"on": True, "true": True, "1": True, "off": False, "false": False, "0": False}[word.lower()]
        return type(default)(word)
    except (KeyError, ValueError):
        kind = "on or off" if isinstance(default, bool) else type(default).__name__
        raise UsageError(f"option {name} takes a value of kind {kind}, not {word!r}") from None
