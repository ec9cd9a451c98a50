"""Algebraic datatypes: which ones a set of terms needs, and their declarations as text."""

from __future__ import annotations

from collections.abc import Iterable

import z3

from sorrel.logic.printing import smtlib_sort, symbol
from sorrel.logic.terms import Sort, Term


def used(variables: Iterable[Term]) -> list[Sort]:
    """Datatype sorts of the variables, and those that they are built from."""
    found: dict[str, Sort] = {}
    seen: set[int] = set()
    stack = [variable.sort() for variable in variables]
    stack.reverse()
    while stack:
        sort = stack.pop()
        if sort.get_id() in seen:
            continue
        seen.add(sort.get_id())
        if sort.kind() == z3.Z3_ARRAY_SORT:
            stack.extend((sort.range(), sort.domain()))
        elif sort.kind() == z3.Z3_DATATYPE_SORT and sort.name() not in found:
            found[sort.name()] = sort
            for i in range(sort.num_constructors()):
                stack.extend(sort.constructor(i).domain(j) for j in range(sort.constructor(i).arity()))
    return list(found.values())


def declare(variables: Iterable[Term]) -> list[str]:
    """One `declare-datatypes` command for all datatypes that the variables need, or none."""
    sorts = used(variables)
    if not sorts:
        return []
    heads = " ".join(f"({symbol(sort.name())} 0)" for sort in sorts)
    return [f"(declare-datatypes ({heads}) ({' '.join(map(_constructors, sorts))}))"]


def _constructors(sort: Sort) -> str:
    words = []
    for i in range(sort.num_constructors()):
        constructor = sort.constructor(i)
        fields = "".join(
            f" ({symbol(sort.accessor(i, j).name())} {smtlib_sort(constructor.domain(j))})"
            for j in range(constructor.arity())
        )
        words.append(f"({symbol(constructor.name())}{fields})")
    return f"({' '.join(words)})"
