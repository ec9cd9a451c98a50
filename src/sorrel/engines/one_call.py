"""Engines that go along paths: clauses need one call each, at least once they are simplified."""

from __future__ import annotations

from sorrel.horn.system import HornSystem
from sorrel.transform.simplify import simplify

SEVERAL_CALLS = "clauses have to have one call each"


def no_paths(system: HornSystem, passes: str = "") -> str:
    """Why there are no paths in the clauses, or nothing; what passes will make of them is not known before."""
    if passes or not has_several_calls(system) or not has_several_calls(simplify(system).system):
        return ""
    return SEVERAL_CALLS


def has_several_calls(system: HornSystem) -> bool:
    return any(len(clause.body) > 1 for clause in system.clauses)
