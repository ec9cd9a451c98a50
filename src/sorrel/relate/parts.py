"""A law as several laws about fewer runs, which imply it together.

P14 says pick(x, y, z) = pick(y, x, z) = pick(z, y, x): three runs, but each equation is about two of them. A proof of
each conjunct from the requirements about its own runs is a proof of the law, since all runs and requirements that are
left out could only help. The converse does not hold: runs that violate a part need not be part of runs that meet all
requirements, so nobody may conclude from a violated part that the law is violated.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.relate.specification import RESULT, Specification, conjuncts, renamed, spoken_of


def parts(specification: Specification) -> tuple[Specification, ...]:
    """Laws about fewer runs each, or none if some conjunct needs them all.

    A run whose result neither the conjunct nor a requirement speaks of says nothing but that its inputs exist: it is
    left out, with what is required of it.
    """
    names = [run.name for run in specification.runs]
    required = [part for text in specification.requires for part in conjuncts(text)]
    restricted = {run for text in required for run, value in spoken_of(text, names) if value == RESULT}
    made: dict[tuple[str, ...], list[str]] = {}
    for conjunct in (part for text in specification.ensures for part in conjuncts(text)):
        needed = restricted | {run for run, _ in spoken_of(conjunct, names)}
        made.setdefault(tuple(name for name in names if name in needed), []).append(conjunct)
    if any(len(kept) in (0, len(names)) for kept in made):
        return ()
    return tuple(_about(specification, kept, required, ensured) for kept, ensured in made.items())


def _about(
    specification: Specification, kept: tuple[str, ...], required: list[str], ensured: list[str]
) -> Specification:
    """The law about these runs, which get the first names."""
    names = [run.name for run in specification.runs]
    new = dict(zip(kept, names, strict=False))
    return replace(
        specification,
        runs=tuple(replace(run, name=new[run.name]) for run in specification.runs if run.name in new),
        requires=tuple(
            renamed(text, new) for text in required if {run for run, _ in spoken_of(text, names)} <= set(kept)
        ),
        ensures=tuple(renamed(text, new) for text in ensured),
    )
