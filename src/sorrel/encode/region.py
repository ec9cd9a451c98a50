"""The variables of the clauses that start from one cut point, and what their types say about them."""

from __future__ import annotations

from collections.abc import Container, Iterable

from sorrel.encode.scope import Division
from sorrel.encode.semantics import Semantics
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.program.types import Type


def writable(name: str) -> str:
    """The name without the two characters that no symbol of SMT-LIB may have, and without halves of pairs of UTF-16."""
    return name.encode("utf-8", "backslashreplace").decode().replace("|", "_").replace("\\", "_")


class Region:
    """Fresh variables for the values of one region, whose facts are added to the clauses that mention them."""

    def __init__(self, semantics: Semantics, reserved: Container[str]) -> None:
        self.names = Names(reserved=reserved)
        self.divisions: dict[tuple[int, int], Division] = {}
        self.results: dict[tuple[str, int, int], tuple[Term, Term, Term]] = {}
        self._semantics = semantics
        self._facts: dict[int, tuple[Term, list[Term]]] = {}  # with the variable, which keeps its identity alive

    def variable(self, wish: str, type: Type) -> Term:
        """A fresh variable for a value of the type."""
        made = self.names.variable(writable(wish), self._semantics.sort(type))
        facts = self._semantics.type_facts(made, type)
        if facts:
            self._facts[terms.identity(made)] = (made, facts)
        return made

    def facts(self, variables: Iterable[Term]) -> list[Term]:
        """What the types of these variables say: a clause that does not mention a variable needs no fact about it."""
        found = (self._facts.get(terms.identity(variable)) for variable in variables)
        return [fact for known in found if known for fact in known[1]]
