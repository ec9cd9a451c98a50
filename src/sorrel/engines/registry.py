"""All engines by name. Importing this module imports no solver: an engine is loaded when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from typing import Any

from sorrel.engines.cdnf.options import CdnfOptions
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.flower.options import FlowerOptions
from sorrel.engines.hsf.options import HsfOptions
from sorrel.engines.options import (
    BackwardOptions,
    EvaluationOptions,
    NoOptions,
    PathsOptions,
    SlicesOptions,
    SpacerOptions,
    TreesOptions,
    UnwindOptions,
    parse_options,
)
from sorrel.engines.synonym.options import SynonymOptions
from sorrel.engines.tpa.options import TpaOptions
from sorrel.engines.whale.options import WhaleOptions
from sorrel.model.errors import UsageError
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Entry:
    """`module`:`factory` makes the engine from its options; `simplify` says whether it wants a simplified system.

    `ranks`: it proves obligations of well-foundedness, too. `laws`: it takes laws about several runs, not clauses.
    """

    name: str
    module: str
    factory: str
    options: type[Any]
    sentence: str
    simplify: bool = True
    ranks: bool = False
    laws: bool = False

    def load(self, given: Mapping[str, str] | None = None) -> Any:
        return self.made(parse_options(self.options, dict(given or {})))

    def made(self, options: Any) -> Any:
        return getattr(import_module(self.module), self.factory)(options)


ENGINES: Mapping[str, Entry] = {
    entry.name: entry
    for entry in (
        Entry(
            "cdnf",
            "sorrel.engines.cdnf.engine",
            "Cdnf",
            CdnfOptions,
            "learns summaries of finite deterministic functions by runs and a SAT solver (bit-vectors, with roles)",
            simplify=False,  # simplification forgets which arguments are inputs
        ),
        Entry(
            "clover",
            "sorrel.engines.clover.engine",
            "Clover",
            CloverOptions,
            "summaries from bounded environments, induction and lemmas about callers: strong on mutual recursion",
        ),
        Entry(
            "evaluation",
            "sorrel.engines.evaluation",
            "Evaluation",
            EvaluationOptions,
            "calls evaluated at chosen values, with tables: finds counterexamples that take many calls in a row",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "hsf",
            "sorrel.engines.hsf.engine",
            "Hsf",
            HsfOptions,
            "predicate abstraction refined by solving derivation trees; proves well-foundedness obligations",
            ranks=True,
        ),
        Entry(
            "flower",
            "sorrel.engines.flower.engine",
            "Flower",
            FlowerOptions,
            "product programs: guessed contracts about what depends on what, then the rules of clover",
        ),
        Entry(
            "induction",
            "sorrel.engines.induction",
            "Induction",
            BackwardOptions,
            "k-induction within facts that others have proved: errors backward, step by step (one call a clause)",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "interpolation",
            "sorrel.engines.interpolation",
            "Interpolation",
            BackwardOptions,
            "what is reached, by interpolants against errors a few steps away: proofs alone, of one call a clause",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "lines",
            "sorrel.engines.lines",
            "Lines",
            NoOptions,
            "limits of real numbers and lines along counters, guessed and checked: proofs alone, of rounded numbers",
        ),
        Entry(
            "paths",
            "sorrel.engines.paths",
            "Paths",
            PathsOptions,
            "paths of clauses as one formula, a step longer each time: finds counterexamples (one call a clause)",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "ranges",
            "sorrel.engines.ranges.engine",
            "RangesEngine",
            NoOptions,
            "ranges of numbers, sums and elements of arrays, computed forward: proofs alone, best without calls",
        ),
        Entry(
            "slices",
            "sorrel.engines.slices",
            "Slices",
            SlicesOptions,
            "variants of Spacer in slices of time, some on clauses prepared by splitting, cells or integers",
            simplify=False,
        ),
        Entry(
            "spacer",
            "sorrel.engines.spacer",
            "Spacer",
            SpacerOptions,
            "Z3's Spacer: property-directed reachability, the reference engine",
            simplify=False,  # z3's own preprocessing returns summaries for what it inlines
        ),
        Entry(
            "synonym",
            "sorrel.engines.synonym.engine",
            "Synonym",
            SynonymOptions,
            "laws about several runs: loops in lockstep, decisions up to the symmetries of the law",
            laws=True,
        ),
        Entry(
            "tpa",
            "sorrel.engines.tpa.engine",
            "Tpa",
            TpaOptions,
            "relations for 2^n steps, refined by interpolants: proofs and deep counterexamples (one call a clause)",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "trees",
            "sorrel.engines.trees.engine",
            "Trees",
            TreesOptions,
            "decision trees learned from points and implications between them: invariants with cases",
            simplify=False,  # it does so itself, for whoever asks
        ),
        Entry(
            "unwind",
            "sorrel.engines.unwind",
            "Unwind",
            UnwindOptions,
            "breadth-first forward derivation of facts: finds deep counterexamples",
        ),
        Entry(
            "whale",
            "sorrel.engines.whale.engine",
            "Whale",
            WhaleOptions,
            "contracts of procedures from interpolants over their unwindings: guards over inputs, summaries",
        ),
    )
}


def entry(name: str) -> Entry:
    if name not in ENGINES:
        raise UsageError(f"there is no engine {name} on Horn clauses; there are: {', '.join(ENGINES)}")
    return ENGINES[name]


def no_ranks(name: str) -> str:
    """Why an engine without ranks is not asked about clauses with obligations."""
    return f"{name} has no ranks, and the clauses have obligations of well-foundedness"
