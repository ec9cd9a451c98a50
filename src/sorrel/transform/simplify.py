"""Which passes run, and in which order."""

from __future__ import annotations

from sorrel.horn.system import HornSystem
from sorrel.transform.arguments import remove_constant_arguments, remove_unused_arguments
from sorrel.transform.dead import drop_impossible_clauses, remove_dead
from sorrel.transform.inline import inline
from sorrel.transform.lift import Transformed, compose
from sorrel.transform.merge import merge_clauses


def simplify(system: HornSystem, *, keep_contracts: bool = False, merging: bool = True) -> Transformed:
    """A smaller system with the same answer. With `keep_contracts` every predicate keeps its clauses and arguments;
    without `merging` clauses are told one by one, which is easier to read for passes that look into them."""
    if keep_contracts:
        return compose(system, [drop_impossible_clauses])
    return compose(
        system,
        [
            remove_dead,
            remove_constant_arguments,
            remove_unused_arguments,
            inline,
            remove_dead,
            remove_unused_arguments,
            *([merge_clauses] if merging else []),
        ],
    )
