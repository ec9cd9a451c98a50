"""What is told, read back: the text of a condition, as a formula over the arguments of a predicate.

The formula is made from the text alone, by the way that expressions of the program go. What is told is believed only if
the summary, which the certificate proves, implies it: what went wrong between the summary and the text shows here.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.contracts.meaning import Meaning, meaning
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import Vocabulary, saved
from sorrel.encode.expressions import Evaluation
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.points import Moment, Point
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.printing_c import c_syntax
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.checks import guards
from sorrel.program.expression import Expression, Variable
from sorrel.program.traversal import free_variables
from sorrel.program.types import Machine
from sorrel.smt.solver import Oracle


@dataclass(frozen=True, slots=True, eq=False)
class Readback:
    """Conditions at one point. `premises` are what is proved of it, and what its types say."""

    point: Point
    semantics: Semantics
    premises: Sequence[Term]
    oracle: Oracle

    def holds(self, text: str, dialect: Dialect, known: Vocabulary, *, long_bits: int = 64) -> bool | None:
        """Whether the condition with that text follows, and has a value; None if that is not known."""
        try:
            said = meaning(text, dialect, known, self.point.span, long_bits=long_bits)
        except InputError:
            return None
        environment = _environment(self.point, known)
        for variable in said.bound:
            environment[variable.name] = terms.variable(variable.name, self.semantics.sort(variable.type))
        parts = [*(guard.condition for guard in guards(said.holds)), said.holds]
        if any(each.name not in environment for part in parts for each in free_variables(part)):
            return False
        answers = [self._follows(part, environment) for part in parts]
        return False if False in answers else None if None in answers else True

    def contradicts(self, texts: Sequence[str], known: Vocabulary) -> bool:
        """Whether the conditions cannot hold together with what the premises say."""
        meant = self.meant(texts, known)
        claim = terms.conjunction([*self.premises, meant]) if meant is not None else terms.TRUE
        return self.oracle.entails(claim, terms.FALSE, "read back") is True

    def meant(self, texts: Sequence[str], known: Vocabulary) -> Term | None:
        """What the conditions say of the arguments; None if they say nothing, or something for all numbers."""
        scope = self._scope()
        environment = _environment(self.point, known)
        try:
            said = [meaning(text, Dialect.ACSL, known, self.point.span) for text in texts]
            made = [Evaluation(self.semantics, environment, scope).run(each.holds) for each in said]
        except (InputError, KeyError):
            return None
        return None if any(each.bound for each in said) else terms.conjunction([*scope.assumptions, *made])

    def _follows(self, condition: Expression, environment: Mapping[str, Term]) -> bool | None:
        scope = self._scope()
        formula = Evaluation(self.semantics, environment, scope).run(condition)
        # What the evaluation takes for granted defines quotients and remainders; that they exist is a guard before.
        return self.oracle.entails(terms.conjunction([*self.premises, *scope.assumptions]), formula, "read back")

    def _scope(self) -> Scope:
        return Scope(Names(reserved={argument.name for argument in self.point.predicate.arguments}), Knowledge())


def formula(point: Point, known: Vocabulary, said: Meaning, semantics: Semantics) -> Term | None:
    """What a condition says at a point of the procedure whose contract it is in; None if the point does not know of it.

    Variables that the condition is said to hold for all values of are left open, by their own names.
    """
    environment = _environment(point, known)
    for variable in said.bound:
        environment[variable.name] = terms.variable(variable.name, semantics.sort(variable.type))
    if any(each.name not in environment for each in free_variables(said.holds)):
        return None
    scope = Scope(Names(reserved={argument.name for argument in point.predicate.arguments}), Knowledge())
    made = Evaluation(semantics, environment, scope).run(said.holds)
    return None if scope.assumptions else made


def _environment(point: Point, known: Vocabulary) -> dict[str, Term]:
    """The arguments of the predicate as the values of variables, now and at the entry of the procedure."""
    found: dict[str, Term] = {}
    arguments = [(m, f) for m, f in zip(point.meanings, point.predicate.formals, strict=True) if m.variable]
    for meant, formal in arguments:
        assert meant.variable is not None
        if meant.moment is Moment.ENTRY:
            found[saved(meant.variable).name] = formal
            if meant.unchanged or meant.variable.name in known.steady:
                found[meant.variable.name] = formal
    for meant, formal in arguments:
        assert meant.variable is not None
        if meant.moment is not Moment.ENTRY:
            found[meant.variable.name] = formal
    return found


def told_states(
    states: Sequence[Term],
    variables: Sequence[tuple[str, Variable, Term]],
    semantics: Semantics,
    oracle: Oracle,
) -> tuple[str, ...] | None:
    """A set of states in the user's words, which are found to mean states of the set only; None if there are none.

    `variables` are texts with the variables that they mean and the terms that these are in the formulas.
    """
    names = {terms.name_of(term): text for text, _, term in variables}
    if any(terms.name_of(each) not in names for each in walk.free_variables(*states)):
        return None
    unsigned = {
        terms.name_of(term) for _, each, term in variables if isinstance(each.type, Machine) and not each.type.signed
    }
    texts = tuple(c_syntax(each, names, unsigned=frozenset(unsigned)) for each in states)
    known = Vocabulary({text: variable for text, variable, _ in variables}, {})
    environment = {variable.name: term for _, variable, term in variables}
    scope = Scope(Names(reserved=set(names)), Knowledge())
    try:
        said = [meaning(text, Dialect.ACSL, known) for text in texts]
    except InputError:
        return None
    parts = [part for each in said for part in (*(guard.condition for guard in guards(each.holds)), each.holds)]
    made = [Evaluation(semantics, environment, scope).run(part) for part in parts]
    meant = terms.conjunction([*made, *scope.assumptions])
    return texts if oracle.entails(meant, terms.conjunction(states), "read back") else None
