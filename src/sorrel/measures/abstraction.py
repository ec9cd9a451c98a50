"""Terms about values of datatypes as terms about their measures.

A value that is built is measured by what its parts measure; a variable gets a number for each of its measures, about
which the lemmas hold. Equal values measure the same. The result is implied by what is measured, and forgets the rest.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field

from sorrel.horn.recursion import Recursion
from sorrel.logic import datatypes, terms, walk
from sorrel.logic.datatypes import Constructor
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass


class NotMeasured(Exception):
    """A value that is not built from variables by constructors, fields and choices."""


@dataclass(slots=True)
class Measured:
    """The measures of one clause, as they are asked for; `said` is what is known of them."""

    recursion: Recursion
    names: Names
    said: list[Term] = field(default_factory=list)
    _values: dict[int, list[Term]] = field(default_factory=dict)
    _scalars: walk.Rewriting[Term] = field(init=False)
    _opened: dict[tuple[int, int], list[Term]] = field(default_factory=dict)
    _held: list[Term] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._scalars = walk.Rewriting(self._parts, self._rebuilt)

    def is_value(self, term: Term) -> bool:
        return bool(self.recursion.functions_of(terms.sort_of(term)))

    def measures(self, term: Term) -> list[Term]:
        """One number or truth value for each function of the sort; terms inside of values are not deep."""
        identity = terms.identity(term)
        if identity not in self._values:
            self._held.append(term)
            self._values[identity] = self._measured(term)
        return self._values[identity]

    def _measured(self, term: Term) -> list[Term]:
        sort = terms.sort_of(term)
        if terms.is_variable(term):
            return self._named(terms.name_of(term), sort)
        for constructor in datatypes.constructors(sort):
            if constructor.builds(term):
                return self._built(constructor, terms.children(term))
        if terms.is_ite(term):
            condition, then, otherwise = terms.children(term)
            chosen = zip(self.measures(then), self.measures(otherwise), strict=True)
            test = self.scalar(condition)
            return [terms.ite(test, a, b) for a, b in chosen]
        accessed = datatypes.accessed(term)
        if accessed is None:
            raise NotMeasured(terms.name_of(term))
        constructor, place, value = accessed
        return self.measures(self._fields(constructor, value)[place])

    def _named(self, name: str, sort: Sort) -> list[Term]:
        functions = self.recursion.functions_of(sort)
        numbers = [self.names.variable(f"{f.name}@{name}", f.declaration.range()) for f in functions]
        formal = functions[0].formal
        pairs = [(f(formal), number) for f, number in zip(functions, numbers, strict=True)]
        self.said += [terms.substitute(lemma.at(formal), pairs) for lemma in self.recursion.lemmas_of(sort)]
        return numbers

    def _built(self, constructor: Constructor, fields: Sequence[Term]) -> list[Term]:
        return self.recursion.built(constructor, list(map(self._field, fields)))

    def _field(self, given: Term) -> Term | list[Term] | None:
        if self.is_value(given):
            return self.measures(given)
        return None if datatypes.is_datatype(terms.sort_of(given)) else self.scalar(given)

    def _fields(self, constructor: Constructor, value: Term) -> list[Term]:
        """Variables for the fields of a value, if the constructor built it."""
        key = (terms.identity(value), constructor.place)
        if key not in self._opened:
            self._held.append(value)
            fields = [self.names.variable(f"field{j}@", sort) for j, sort in enumerate(constructor.sorts)]
            self._opened[key] = fields
            here = self.scalar(constructor.recognizes(value))
            for number, inside in zip(self.measures(value), self._built(constructor, fields), strict=True):
                self.said.append(terms.disjunction([terms.negation(here), terms.equal(number, inside)]))
        return self._opened[key]

    def scalar(self, term: Term) -> Term:
        """A term without values of datatypes that has the same value; children first, each node once."""
        return self._scalars(term)

    @staticmethod
    def _parts(term: Term) -> list[Term]:
        if terms.is_quantifier(term):
            raise NotMeasured("a quantifier")
        return [child for child in terms.children(term) if not datatypes.is_datatype(terms.sort_of(child))]

    def _rebuilt(self, term: Term) -> Term:
        children = terms.children(term)
        if not any(datatypes.is_datatype(terms.sort_of(child)) for child in children):
            return walk.with_arguments(term, list(map(self.scalar, children)))
        recognized = datatypes.recognized(term)
        if recognized:
            return self._recognized(*recognized)
        accessed = datatypes.accessed(term)
        if accessed:
            constructor, place, value = accessed
            return self._fields(constructor, value)[place]
        if terms.is_equation(term):
            return self._equal(*children)
        if terms.is_distinct(term) and len(children) == 2:
            return terms.negation(self._equal(*children))
        raise NotMeasured(terms.name_of(term))

    def _recognized(self, constructor: Constructor, value: Term) -> Term:
        """Whether a value is built so: its size tells, if there is one constructor of each kind."""
        kinds = datatypes.constructors(constructor.sort)
        if not self.is_value(value):
            return self.names.variable("is@", terms.BOOL)
        empty = terms.equal(self.measures(value)[0], terms.integer(0))
        alike = [each for each in kinds if each.is_recursive == constructor.is_recursive]
        told = terms.negation(empty) if constructor.is_recursive else empty
        if len(alike) == 1:
            return told
        guess = self.names.variable("is@", terms.BOOL)
        self.said.append(terms.disjunction([terms.negation(guess), told]))
        return guess

    def _equal(self, left: Term, right: Term) -> Term:
        truth = self.names.variable("equal@", terms.BOOL)
        if self.is_value(left):
            for a, b in zip(self.measures(left), self.measures(right), strict=True):
                self.said.append(terms.disjunction([terms.negation(truth), terms.equal(a, b)]))
        return truth
