"""Where an expression is evaluated: what is known there, and what its evaluation takes for granted."""

from __future__ import annotations

from dataclasses import field, replace
from typing import TypeAlias

from sorrel.encode.knowledge import Knowledge
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass
from sorrel.program.expression import Apply
from sorrel.program.types import Type

Function: TypeAlias = tuple[str, Type, tuple[Type, ...]]
"""A function is known by its name and its types."""


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """A value of an uninterpreted function: of these arguments, and evaluated only if `guard` holds."""

    expression: Apply
    arguments: tuple[Term, ...]
    result: Term
    guard: Term

    @property
    def function(self) -> Function:
        return function_of(self.expression)


@dataclass(frozen=True, slots=True, eq=False)
class Division:
    """Operands and the variables for the results."""

    left: Term
    right: Term
    quotient: Term
    remainder: Term


@dataclass(slots=True, eq=False)
class Scope:
    """`guards` say when the expression is evaluated at all; the lists belong to the whole expression, the divisions to
    all expressions of a region. `earlier` are the applications on the way to the expression.

    An operation without a value ends the run, so that whoever goes on may take it for granted that there was one.
    """

    names: Names
    knowledge: Knowledge
    guards: tuple[Term, ...] = ()
    assumptions: list[Term] = field(default_factory=list)
    abstractions: list[str] = field(default_factory=list)
    applications: list[Application] = field(default_factory=list)
    divisions: dict[tuple[int, int], Division] = field(default_factory=dict)
    earlier: tuple[Application, ...] = ()
    results: dict[tuple[str, int, int], tuple[Term, Term, Term]] = field(default_factory=dict)

    def inner(self, condition: Term) -> Scope:
        """The scope of what is evaluated only if the condition holds."""
        knowledge = self.knowledge.inside()
        for part in terms.conjuncts(condition):
            knowledge.learn(part)
        return replace(self, knowledge=knowledge, guards=(*self.guards, condition))

    def assume(self, fact: Term) -> None:
        if self.knowledge.decide(fact) is True:
            return
        self.knowledge.learn(fact)
        self.assumptions.append(operations.implies(terms.conjunction(self.guards), fact))

    def abstract(self, wish: str, sort: Sort, what: str) -> Term:
        """A variable in place of a value that we do not express; every run has such a value."""
        self.abstractions.append(what)
        return self.names.variable(wish, sort)

    def result(self, operation: str, left: Term, right: Term, sort: Sort, what: str) -> Term:
        """A variable for a result that is not expressed, always the same for the same operands."""
        key = (operation, terms.identity(left), terms.identity(right))
        if key not in self.results:
            self.results[key] = (left, right, self.names.variable("rounded", sort))
        self.abstractions.append(what)
        return self.results[key][2]

    def division(self, left: Term, right: Term) -> tuple[Term, Term]:
        """Variables for the quotient and the remainder, always the same for the same operands."""
        key = (terms.identity(left), terms.identity(right))
        if key not in self.divisions:
            quotient, rest = (self.names.variable(name, left.sort()) for name in ("quotient", "remainder"))
            self.divisions[key] = Division(left, right, quotient, rest)
        found = self.divisions[key]
        return found.quotient, found.remainder

    def known_result(self, expression: Apply, arguments: tuple[Term, ...]) -> Term | None:
        """The value of the function at exactly these arguments, if it was applied to them before."""
        wanted = function_of(expression)
        for known in (*self.earlier, *self.applications):
            pairs = zip(known.arguments, arguments, strict=False)
            if known.function == wanted and all(terms.same(one, other) for one, other in pairs):
                return known.result
        return None

    def applied(self, application: Application) -> None:
        """Note the application; on one path, the same arguments give the same value.

        A value that was needed on another path only can be what the function has there, so that nothing is excluded.
        """
        for known in (*self.earlier, *self.applications):
            if known.function == application.function and not terms.same(known.result, application.result):
                pairs = zip(known.arguments, application.arguments, strict=True)
                same = terms.conjunction(operations.equal(one, other) for one, other in pairs)
                self.assume(operations.implies(same, operations.equal(known.result, application.result)))
        self.applications.append(application)
        self.abstractions.append(f"the function {application.expression.function}, of which nothing is known")


def function_of(expression: Apply) -> Function:
    return expression.function, expression.type, tuple(argument.type for argument in expression.arguments)
