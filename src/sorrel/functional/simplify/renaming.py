"""Names that nothing in a term has."""

from __future__ import annotations

from sorrel.functional.term import Term, bound, subterms


class Renaming:
    def __init__(self, term: Term) -> None:
        self._taken = {binder.name for each in subterms(term) for binder in bound(each)}

    def fresh(self, name: str) -> str:
        stem = name.split(".")[0]
        count = 1
        while f"{stem}.{count}'" in self._taken:
            count += 1
        self._taken.add(f"{stem}.{count}'")
        return f"{stem}.{count}'"
