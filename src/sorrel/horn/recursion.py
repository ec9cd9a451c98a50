"""Functions over algebraic datatypes that summaries speak of, and what is known of them for every value."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.logic import datatypes, terms, walk
from sorrel.logic.datatypes import Constructor
from sorrel.logic.terms import Declaration, Sort, Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Recursive:
    """A function of one argument by structural recursion: `body` over `formal` applies it to fields of the argument."""

    declaration: Declaration
    formal: Term
    body: Term

    def __call__(self, argument: Term) -> Term:
        return terms.apply(self.declaration, [argument])

    @property
    def name(self) -> str:
        return str(self.declaration.name())

    def applies(self, application: Term) -> bool:
        """Whether the term applies this very function."""
        return bool(application.decl().eq(self.declaration))

    def unfolded(self, constructor: Constructor, fields: Sequence[Term]) -> Term:
        """What the function is for a value that the constructor builds."""
        return terms.simplify(terms.substitute(self.body, [(self.formal, constructor(fields))]))


@dataclass(frozen=True, slots=True, eq=False)
class Lemma:
    """A formula over functions that holds of every value of a datatype."""

    formal: Term
    formula: Term

    def at(self, value: Term) -> Term:
        return terms.substitute(self.formula, [(self.formal, value)])


@dataclass(frozen=True, slots=True, eq=False)
class Recursion:
    """Functions, each after those that it uses, and lemmas about them."""

    functions: tuple[Recursive, ...] = ()
    lemmas: tuple[Lemma, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.functions)

    @property
    def sorts(self) -> list[Sort]:
        found: dict[int, Sort] = {}
        for function in self.functions:
            found.setdefault(function.formal.sort().get_id(), function.formal.sort())
        return list(found.values())

    def functions_of(self, sort: Sort) -> list[Recursive]:
        return [function for function in self.functions if function.formal.sort().eq(sort)]

    def lemmas_of(self, sort: Sort) -> list[Lemma]:
        return [lemma for lemma in self.lemmas if lemma.formal.sort().eq(sort)]

    def facts(self, formula: Term) -> Iterator[Term]:
        """What follows from the definitions about the values that the formula speaks of: one unfolding of each."""
        known = {str(sort): sort for sort in self.sorts}
        values = {terms.identity(t): t for t in walk.subterms(formula) if str(t.sort()) in known}
        seen: dict[int, Term] = {}
        for value in values.values():
            if walk.has_bound_variable(value):
                continue
            yield from self._facts_at(value, seen)
        for identity, value in seen.items():
            if identity not in values:
                yield from (lemma.at(value) for lemma in self.lemmas_of(value.sort()))

    def _facts_at(self, value: Term, seen: dict[int, Term]) -> Iterator[Term]:
        for constructor in datatypes.constructors(value.sort()):
            fields = constructor.fields(value)
            for field in fields:
                if self.functions_of(field.sort()):
                    seen.setdefault(terms.identity(field), field)
            built = terms.equal(value, constructor(fields))
            for function in self.functions_of(value.sort()):
                meaning = terms.equal(function(value), function.unfolded(constructor, fields))
                yield terms.disjunction([terms.negation(constructor.recognizes(value)), meaning])
            yield terms.disjunction([terms.negation(constructor.recognizes(value)), built])
        yield from (lemma.at(value) for lemma in self.lemmas_of(value.sort()))

    def built(self, constructor: Constructor, fields: Sequence[Term | Sequence[Term] | None]) -> list[Term]:
        """What the functions are of a value that the constructor builds.

        Of a part that is a value itself `fields` has what the functions are of it; None is a part that none asks for.
        """
        formals = [terms.variable(f"field!{j}", sort) for j, sort in enumerate(constructor.sorts)]
        pairs: list[tuple[Term, Term]] = []
        for formal, given in zip(formals, fields, strict=True):
            if isinstance(given, Sequence):
                own = self.functions_of(terms.sort_of(formal))
                pairs += [(f(formal), number) for f, number in zip(own, given, strict=True)]
            elif given is not None:
                pairs.append((formal, given))
        own = self.functions_of(constructor.sort)
        return [terms.substitute(function.unfolded(constructor, formals), pairs) for function in own]

    def induction_steps(self, lemma: Lemma) -> list[Term]:
        """What must be valid for the lemma to hold of every value: for each constructor, from its fields to the whole.

        All lemmas are assumed of the fields, so that all of them are proved together.
        """
        steps = []
        for constructor in datatypes.constructors(lemma.formal.sort()):
            fields = [terms.variable(f"field!{j}", sort) for j, sort in enumerate(constructor.sorts)]
            known = [other.at(field) for field in fields for other in self.lemmas_of(field.sort())]
            whole = constructor(fields)
            pairs = [(f(whole), f.unfolded(constructor, fields)) for f in self.functions_of(lemma.formal.sort())]
            steps.append(terms.implication(terms.conjunction(known), terms.substitute(lemma.at(whole), pairs)))
        return steps

    def problem(self) -> str:
        """Why these are no definitions: a function that is not applied to a field, or one that is not known."""
        known: set[str] = set()
        for function in self.functions:
            if function.name in known or not datatypes.is_datatype(function.formal.sort()):
                return f"{function.name} is defined twice, or not over a datatype"
            known.add(function.name)
            if any(not terms.same(v, function.formal) for v in walk.free_variables(function.body)):
                return f"the definition of {function.name} speaks of something that is not its argument"
            if walk.has_quantifier(function.body):
                return f"the definition of {function.name} has a quantifier"
            for constructor in datatypes.constructors(function.formal.sort()):
                fields = [terms.variable(f"field!{j}", sort) for j, sort in enumerate(constructor.sorts)]
                for applied in walk.uninterpreted_applications(function.unfolded(constructor, fields)):
                    argument = terms.children(applied)[0]
                    if terms.name_of(applied) not in known or not any(terms.same(argument, f) for f in fields):
                        return f"the definition of {function.name} is not by recursion over fields"
        for lemma in self.lemmas:
            if any(not terms.same(v, lemma.formal) for v in walk.free_variables(lemma.formula)):
                return "a lemma speaks of something that is not its variable"
            if any(terms.name_of(a) not in known for a in walk.uninterpreted_applications(lemma.formula)):
                return "a lemma speaks of a function that is not defined"
        return ""


NOTHING = Recursion()


def joined(parts: Sequence[Recursion]) -> Recursion:
    return Recursion(
        tuple(f for part in parts for f in part.functions), tuple(lemma for part in parts for lemma in part.lemmas)
    )
