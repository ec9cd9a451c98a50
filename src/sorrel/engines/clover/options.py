"""Options of the engine, free of solvers."""

from __future__ import annotations

from sorrel.engines.options import option
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class CloverOptions:
    bound: int = option(0, "levels of callers in an environment (k); 0 starts at 2 and raises it when stuck")
    ec_lemmas: bool = option(True, "learn lemmas that assume facts about callers (OOIL, UOIL)")
    tables: bool = option(True, "tabulate procedures at the inputs that queries ask for")
    calls: bool = option(True, "bounds of numbers before and after calls, where something can fail")
    scans: bool = option(True, "claims about ranges of elements from runs, where there are arrays")
    pool: bool = option(True, "guess and check templates before the rules")
    forward: bool = option(True, "derive facts forward between applications of rules")
    bodies: bool = option(True, "learn over-approximate bodies (appendix B.3)")
    templates: bool = option(True, "try conjunctions of templates as invariants in the rules")
    seeding: bool = option(True, "start from the seeds that are given")
    interpolants: bool = option(False, "interpolants of bodies and environments as invariants in the rules (OO, UO)")
    congruences: bool = option(True, "generalise cubes of environments to congruences")
    alpha: float = option(1.0, "weight of a node's depth in its priority")
    beta: float = option(1.0, "weight of how often a node was chosen in its priority")
    order: str = option("bfs", "bfs, or dfs: prefer deep nodes")
    assumptions: int = option(8, "at most so many assumptions about callers in a lemma")
    passes: str = option("", "what is done to the clauses before, as for spacer")
