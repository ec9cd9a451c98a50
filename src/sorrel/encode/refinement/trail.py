"""What a walk knows at a place: facts and calls on the way, contents of references, who handles exceptions."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import field, replace
from typing import TypeAlias

from sorrel.encode.refinement.values import Value
from sorrel.horn.clause import Atom
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Trail:
    """`splits` counts the decisions after which what follows is walked once for each of their branches."""

    atoms: tuple[Atom, ...] = ()
    facts: tuple[Term, ...] = ()
    store: Mapping[int, Value] = field(default_factory=dict)
    handler: Callable[[Value, Trail], None] | None = None
    splits: int = 0

    def knowing(self, *found: Term) -> Trail | None:
        """With more facts; None if one of them contradicts what is known, as far as that shows at once."""
        known = {terms.identity(fact) for fact in self.facts}
        new: list[Term] = []
        for fact in (part for each in found for part in terms.conjuncts(each)):
            if terms.is_false(fact) or terms.identity(terms.negation(fact)) in known:
                return None
            if terms.identity(fact) not in known:
                known.add(terms.identity(fact))
                new.append(fact)
        return replace(self, facts=(*self.facts, *new)) if new else self

    def after(self, *atoms: Atom, facts: Iterable[Term] = ()) -> Trail:
        """With calls that returned, and facts that hold of any value of their types."""
        return replace(self, atoms=(*self.atoms, *atoms), facts=(*self.facts, *facts))

    def holding(self, cell: int, value: Value) -> Trail:
        return replace(self, store={**self.store, cell: value})


Then: TypeAlias = Callable[[Value, Trail], None]
"""How a walk goes on with a value."""

End: TypeAlias = tuple[Value, Trail]
"""Where a branch ends: its value, and what is known then."""
