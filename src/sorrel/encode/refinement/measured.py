"""What data measures beside its size: functions of room `measures`, over a datatype of the solver in its image."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TypeAlias

from sorrel.functional.type import INT, Named, Type
from sorrel.horn.recursion import Recursion
from sorrel.logic import datatypes, terms
from sorrel.logic.datatypes import Constructor
from sorrel.logic.terms import Sort, Term
from sorrel.measures.library import measures
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Measures:
    """Of one type. `kept` are the arguments of each constructor that are numbers, or of the type itself."""

    recursion: Recursion
    constructors: tuple[Constructor, ...]
    kept: tuple[tuple[int, ...], ...]

    @property
    def named_sorts(self) -> list[tuple[str, Sort]]:
        """Suffixes for names, and sorts, of all measures but the size, which values have anyway."""
        own = self.recursion.functions[1:]
        return [(f".{function.name.partition('-')[0]}", function.declaration.range()) for function in own]

    def built(self, place: int, arguments: Sequence[Sequence[Term]]) -> list[Term]:
        """What a value measures beside its size, from its number or from its size and measures for each argument."""
        constructor = self.constructors[place]
        fields: list[Term | Sequence[Term] | None] = []
        for position, sort in zip(self.kept[place], constructor.sorts, strict=True):
            given = arguments[position]
            fields.append(list(given) if datatypes.is_datatype(sort) else given[0])
        return self.recursion.built(constructor, fields)[1:]

    def facts(self, size: Term, measured: Sequence[Term]) -> list[Term]:
        """What holds of every value with this size and these measures."""
        formal = self.recursion.functions[0].formal
        values = [function(formal) for function in self.recursion.functions]
        pairs = list(zip(values, [size, *measured], strict=True))
        return [terms.substitute(lemma.at(formal), pairs) for lemma in self.recursion.lemmas]


Kinds: TypeAlias = tuple[tuple[str, tuple[Type, ...]], ...]
"""The constructors of a type, each with the types of its arguments."""


def groups_for(type: Named, kinds: Kinds) -> list[str]:
    """Groups that tell more of data of this type than its size does."""
    own = [sum(each == type for each in arguments) for _, arguments in kinds]
    if not any(own) or all(own):
        return []
    numbered = any(each == INT for _, arguments in kinds for each in arguments)
    return [*(("sums", "orders") if numbered else ()), *(("heights",) if max(own) > 1 else ())]


@lru_cache(maxsize=256)
def measures_of(type: Named, kinds: Kinds, group: str) -> Measures | None:
    """None where the group tells nothing of the type."""
    if group not in groups_for(type, kinds):
        return None
    kept = tuple(
        tuple(position for position, each in enumerate(arguments) if each in (INT, type)) for _, arguments in kinds
    )
    fields = [
        (name, [terms.INT if arguments[position] == INT else None for position in positions])
        for (name, arguments), positions in zip(kinds, kept, strict=True)
    ]
    sort = datatypes.declared(str(type), fields)
    return Measures(measures([sort], group, Oracle()), tuple(datatypes.constructors(sort)), kept)
