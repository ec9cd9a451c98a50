"""Fresh names, from one place and in a fixed order, so that the same input gives the same report."""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.logic.terms import Sort, Term, variable


class Names:
    """Hands out names that are not taken; `x` stays `x` while it is free, then becomes `x!1`, `x!2`, …"""

    def __init__(self, taken: Iterable[str] = ()) -> None:
        self._taken = set(taken)
        self._next: dict[str, int] = {}

    def fresh(self, wish: str) -> str:
        if wish not in self._taken:
            self._taken.add(wish)
            return wish
        stem = wish.split("!")[0] or wish
        count = self._next.get(stem, 1)
        while f"{stem}!{count}" in self._taken:
            count += 1
        self._next[stem] = count + 1
        name = f"{stem}!{count}"
        self._taken.add(name)
        return name

    def variable(self, wish: str, sort: Sort) -> Term:
        return variable(self.fresh(wish), sort)

    def variables_like(self, terms: Iterable[Term]) -> list[tuple[Term, Term]]:
        """Each variable with a fresh one of the same sort: a renaming."""
        return [(term, self.variable(term.decl().name(), term.sort())) for term in terms]
