"""Where an expression is evaluated: what is known there, and what its evaluation takes for granted."""

from __future__ import annotations

from dataclasses import dataclass, field

from sorrel.encode.knowledge import Knowledge
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.program.expression import Apply
from sorrel.program.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Application:
    """A value of an uninterpreted function: of these arguments, and evaluated only if `guard` holds."""

    expression: Apply
    arguments: tuple[Term, ...]
    result: Term
    guard: Term

    @property
    def function(self) -> tuple[str, Type, tuple[Type, ...]]:
        """A function is known by its name and its types."""
        types = tuple(argument.type for argument in self.expression.arguments)
        return self.expression.function, self.expression.type, types


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
    all expressions of a region.

    An operation without a value ends the run, so that whoever goes on may take it for granted that there was one.
    """

    names: Names
    knowledge: Knowledge
    guards: tuple[Term, ...] = ()
    assumptions: list[Term] = field(default_factory=list)
    abstractions: list[str] = field(default_factory=list)
    applications: list[Application] = field(default_factory=list)
    divisions: dict[tuple[int, int], Division] = field(default_factory=dict)

    def inner(self, condition: Term) -> Scope:
        """The scope of what is evaluated only if the condition holds."""
        knowledge = Knowledge(self.knowledge)
        for part in terms.conjuncts(condition):
            knowledge.learn(part)
        guards = (*self.guards, condition)
        lists = (self.assumptions, self.abstractions, self.applications)
        return Scope(self.names, knowledge, guards, *lists, self.divisions)

    def assume(self, fact: Term) -> None:
        if self.knowledge.decide(fact) is True:
            return
        self.knowledge.learn(fact)
        self.assumptions.append(operations.implies(terms.conjunction(self.guards), fact))

    def abstract(self, wish: str, sort: Sort, what: str) -> Term:
        """A variable in place of a value that we do not express; every run has such a value."""
        self.abstractions.append(what)
        return self.names.variable(wish, sort)

    def division(self, left: Term, right: Term) -> tuple[Term, Term]:
        """Variables for the quotient and the remainder, always the same for the same operands."""
        key = (terms.identity(left), terms.identity(right))
        if key not in self.divisions:
            quotient, rest = (self.names.variable(name, left.sort()) for name in ("quotient", "remainder"))
            self.divisions[key] = Division(left, right, quotient, rest)
        found = self.divisions[key]
        return found.quotient, found.remainder

    def applied(self, application: Application) -> None:
        """Note the application; within this expression, the same arguments give the same value."""
        for earlier in self.applications:
            if earlier.function == application.function:
                pairs = zip(earlier.arguments, application.arguments, strict=True)
                same = terms.conjunction(operations.equal(one, other) for one, other in pairs)
                self.assume(operations.implies(same, operations.equal(earlier.result, application.result)))
        self.applications.append(application)
        self.abstractions.append(f"the function {application.expression.function}, of which nothing is known")
