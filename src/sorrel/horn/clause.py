"""Predicates, atoms and clauses."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import cached_property

from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Declaration, Sort, Term
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass


class Role(StrEnum):
    """What an argument means to the program it comes from."""

    INPUT = "input"
    OUTPUT = "output"
    ACTIVATION = "activation"  # is this copy of a product program running?
    OK = "ok"  # false once an assertion has failed
    UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Argument:
    """A named argument. In a product program `copy` counts the runs from 1 and `base` is the name in each."""

    name: str
    sort: Sort
    role: Role = Role.UNKNOWN
    copy: int | None = None
    base: str | None = None

    @property
    def formal(self) -> Term:
        return terms.variable(self.name, self.sort)


@dataclass(frozen=True, eq=False)
class Predicate:
    """An unknown relation; its solution is the summary of the procedure or loop it stands for."""

    name: str
    arguments: tuple[Argument, ...] = ()

    @cached_property
    def formals(self) -> tuple[Term, ...]:
        return tuple(argument.formal for argument in self.arguments)

    @cached_property
    def sorts(self) -> tuple[Sort, ...]:
        return tuple(argument.sort for argument in self.arguments)

    @cached_property
    def declaration(self) -> Declaration:
        return terms.declare(self.name, self.sorts, terms.BOOL)

    def __call__(self, *arguments: Term) -> Atom:
        return Atom(self, arguments)

    def __repr__(self) -> str:
        return f"{self.name}({', '.join(a.name for a in self.arguments)})"


@dataclass(frozen=True, eq=False)
class Atom:
    """A predicate applied to terms."""

    predicate: Predicate
    arguments: tuple[Term, ...]

    @property
    def term(self) -> Term:
        return terms.apply(self.predicate.declaration, self.arguments)

    def substitute(self, pairs: Sequence[tuple[Term, Term]]) -> Atom:
        return Atom(self.predicate, tuple(terms.substitute(a, pairs) for a in self.arguments))

    def bind(self) -> list[tuple[Term, Term]]:
        """Each formal of the predicate with the argument in its place."""
        return list(zip(self.predicate.formals, self.arguments, strict=True))


@dataclass(frozen=True, eq=False)
class Clause:
    """body₁ ∧ … ∧ bodyₙ ∧ constraint ⇒ head; every variable is universal.

    `name` is unique within a system: derivations refer to it.
    """

    name: str
    head: Atom | None  # None: a query, whose head is false
    body: tuple[Atom, ...]
    constraint: Term
    origin: Span = NOWHERE

    @property
    def is_query(self) -> bool:
        return self.head is None

    @property
    def place(self) -> str:
        """Where it stands, or its name if that is nowhere."""
        return str(self.origin) if self.origin.line else self.name

    @cached_property
    def variables(self) -> tuple[Term, ...]:
        atoms = [*self.body, *([self.head] if self.head else [])]
        return tuple(walk.free_variables(self.constraint, *(a for atom in atoms for a in atom.arguments)))

    @cached_property
    def locals(self) -> tuple[Term, ...]:
        """Variables that do not occur in the head."""
        in_head = {v.get_id() for v in walk.free_variables(*(self.head.arguments if self.head else ()))}
        return tuple(v for v in self.variables if v.get_id() not in in_head)

    def substitute(self, pairs: Sequence[tuple[Term, Term]]) -> Clause:
        return Clause(
            self.name,
            self.head.substitute(pairs) if self.head else None,
            tuple(atom.substitute(pairs) for atom in self.body),
            terms.substitute(self.constraint, pairs),
            self.origin,
        )

    def rename_apart(self, names: Names) -> tuple[Clause, list[tuple[Term, Term]]]:
        """This clause over fresh variables, and the renaming."""
        renaming = names.variables_like(self.variables)
        return self.substitute(renaming), renaming

    @cached_property
    def formula(self) -> Term:
        """The matrix as one term, in which predicates are uninterpreted.

        The constraint stands first: Spacer, which is sensitive to order, did better so.
        """
        premise = terms.conjunction([self.constraint, *(atom.term for atom in self.body)])
        return terms.implication(premise, self.head.term if self.head else terms.FALSE)

    @property
    def predicates(self) -> Iterable[Predicate]:
        return [atom.predicate for atom in (*self.body, *([self.head] if self.head else []))]


@dataclass(frozen=True, eq=False)
class WellFounded:
    """dwf(relation): the relation between `before` and `after` is disjunctively well-founded.

    The relation is one atom or a conjunction of atoms over `before` and `after` (Grebenshchikov et al.,
    section 3).
    """

    name: str
    before: tuple[Term, ...]
    after: tuple[Term, ...]
    relation: tuple[Atom, ...]
    origin: Span = NOWHERE
