"""Scale: a chain of recursive procedures, each of which calls itself and the next one.

The claims are about the first procedure and need a summary of every other one. All summaries look alike, and
the size of the file is linear in the length of the chain.
"""

from __future__ import annotations

from collections.abc import Sequence

from bench.families.horn import Path, Procedure, Task, path, procedure, query

FAMILY = "scale"
LENGTHS = (10, 30, 100, 300, 1000)


def chain(length: int) -> tuple[Procedure, ...]:
    """Every pI(x) is x for natural x: it counts up from 0, and sends the count through the rest of the chain."""
    if length < 1:
        raise ValueError(f"a chain has at least one procedure, not {length}")
    return tuple(
        procedure(f"p{i}", "x", "y", *_paths(i, last=i == length), summary="(and (>= x 0) (= y x))")
        for i in range(1, length + 1)
    )


def _paths(i: int, last: bool) -> tuple[Path, ...]:
    through = () if last else (f"(p{i + 1} count sent)",)
    reached = "count" if last else "sent"
    return (
        path("(= x 0)", "(= y 0)"),
        path("(> x 0)", f"(p{i} (- x 1) count)", *through, f"(= y (+ {reached} 1))"),
    )


def task(length: int) -> Task:
    return Task(
        FAMILY,
        f"chain_{length:04}",
        f"{length} procedures; pI(0) = 0, and pI(x) is one more than what the next one makes of pI(x - 1)",
        chain(length),
        (
            query("p1(x) >= 0", ["(p1 x y)", "(< y 0)"], {"x": range(12)}, lambda x: identity(x) >= 0),
            query("p1(x) <= x", ["(p1 x y)", "(> y x)"], {"x": range(12)}, lambda x: identity(x) <= x),
        ),
        "every pI(x) is x, by induction on x, from the last procedure to the first",
    )


def tasks(lengths: Sequence[int] = LENGTHS) -> list[Task]:
    return [task(length) for length in lengths]


def identity(x: int) -> int:
    """What every procedure of a chain computes."""
    return x
