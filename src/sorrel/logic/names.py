"""Fresh names, from one place and in a fixed order, so that the same input gives the same report."""

from __future__ import annotations

from collections.abc import Container, Iterable

from sorrel.logic.terms import Sort, Term, name_of, variable


class Names:
    """Hands out names that are not taken; `x` stays `x` while it is free, then becomes `x!1`, `x!2`, …

    `reserved` is only looked at, not copied: a system shares it between the names of all its clauses.
    """

    def __init__(self, taken: Iterable[str] = (), *, reserved: Container[str] = frozenset()) -> None:
        self._taken = set(taken)
        self._reserved = reserved
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        name = wish
        if self._is_taken(name):
            stem = wish.split("!")[0] or wish
            count = self._next.get(stem, 1)
            while self._is_taken(f"{stem}!{count}"):
                count += 1
            self._next[stem] = count + 1
            name = f"{stem}!{count}"
        self._taken.add(name)
        return name

    def _is_taken(self, name: str) -> bool:
        return name in self._taken or name in self._reserved

    def variable(self, wish: str, sort: Sort) -> Term:
        return variable(self.fresh(wish), sort)

    def variables_like(self, terms: Iterable[Term]) -> list[tuple[Term, Term]]:
        """Each variable with a fresh one of the same sort: a renaming."""
        return [(term, self.variable(name_of(term), term.sort())) for term in terms]
