"""What is done to clauses before an engine gets them that does not do it itself, by name."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.horn.system import HornSystem
from sorrel.measures.library import GROUPS
from sorrel.model.errors import UsageError
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed, joined
from sorrel.transform.simplify import simplify

Pass = Callable[[HornSystem, Oracle], Transformed | None]
"""The system made into another; None where there is nothing to do for it."""

LOOPS, SERIES, INTEGERS, CONTROL = "loops", "series", "integers", "control"
NUMBERS, ALIGNED, PAIR, CELL = "numbers", "aligned", "pair", "cell"
PASSES = (LOOPS, SERIES, INTEGERS, CONTROL, NUMBERS, ALIGNED, PAIR, CELL, *GROUPS)
"""In the order in which they run: loops first, so that no other has to carry them back."""
FIT = "fit"
FITTING = (INTEGERS, CONTROL, CELL)
"""What `fit` stands for: passes that apply to every kind of clauses."""
PLAIN = (INTEGERS, CONTROL, NUMBERS, ALIGNED, PAIR, CELL)
"""Those whose evidence is as that of other engines: summaries and ground derivations."""


def chosen(words: str) -> tuple[str, ...]:
    """The passes that an option names; for `fit` those that apply to every kind of clauses."""
    if words == FIT:
        return FITTING
    names = tuple(word for word in words.split("+") if word)
    for name in names:
        if name not in PASSES:
            raise UsageError(f"there is no pass {name}; there are: {', '.join(PASSES)}, joined by +, or {FIT}")
    return tuple(name for name in PASSES if name in names)


def prepare(system: HornSystem, names: Sequence[str], oracle: Oracle) -> Transformed | None:
    """The passes that apply, one after the other, and what they left simplified; None if none does.

    z3 would simplify as well, but tell what it inlined by quantifiers, which not every pass can carry back. Clauses
    that came from bit-vectors stay as they are: larger ones with all their ranges were harder for Spacer.
    """
    stages: dict[str, Transformed] = {}
    for name in names:
        found = _loaded(name)(list(stages.values())[-1].system if stages else system, oracle)
        if found is not None:
            stages[name] = found
    if not stages:
        return None
    done = list(stages.values())
    return joined(done if list(stages) == [INTEGERS] else [*done, simplify(done[-1].system)])


def _loaded(name: str) -> Pass:
    """Here and not above: most clauses are solved before anyone asks for a pass."""
    from sorrel.transform.aligned import aligned_cells, two_cells
    from sorrel.transform.cells import one_cell
    from sorrel.transform.control import split_by_control
    from sorrel.transform.integers import bits_as_integers
    from sorrel.transform.loops import accelerate_sums
    from sorrel.transform.measuring import measuring
    from sorrel.transform.numbers import open_numbers

    own: dict[str, Pass] = {
        LOOPS: _loops,
        SERIES: accelerate_sums,  # over bits no solver confirms its products
        INTEGERS: bits_as_integers,
        CONTROL: split_by_control,
        ALIGNED: aligned_cells,
        PAIR: two_cells,
        CELL: one_cell,
        NUMBERS: open_numbers,
    }
    return own[name] if name in own else measuring(name)


def _loops(system: HornSystem, oracle: Oracle) -> Transformed | None:
    """Loops taken at once, over integers where there are bit-vectors."""
    from sorrel.transform.integers import bits_as_integers
    from sorrel.transform.loops import accelerate_loops

    integers = bits_as_integers(system, oracle)
    found = accelerate_loops(integers.system if integers else system, oracle)
    return joined([integers, found]) if integers and found else found
