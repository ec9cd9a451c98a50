"""Termination of functional programs: how the arguments of calls that nest follow each other.

Without recursion every term has a value, so that a run without end has calls of one group of recursive functions that
nest forever. Each call that is made while a function of its group runs gives a step of the group's relation. What is
walked on the spot runs inside of the function that is walked. A function that is handed on to one of which only the
type is known may run at any time: a group that is called in one is not ranked.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

from sorrel.encode.descent import Descent, Group
from sorrel.encode.refinement.encoding import followed
from sorrel.encode.refinement.trail import Then, Trail
from sorrel.encode.refinement.values import FunctionRefinement, FunctionValue, Several, Value
from sorrel.encode.refinement.walk import Walk
from sorrel.functional.operator import Operator
from sorrel.functional.program import Program
from sorrel.functional.term import Operation, subterms
from sorrel.functional.type import Arrow, Type, parts
from sorrel.horn.clause import Argument, Atom, Predicate, Role, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import Span, Unsupported
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class _Owner:
    """A function whose body is walked, with the terms of its arguments; None: some function that was handed on."""

    refinement: FunctionRefinement | None
    given: tuple[Term, ...] = ()


class _DescentWalk(Walk):
    def __init__(self, program: Program, shared: frozenset[int]) -> None:
        super().__init__(program, frozenset(), shared)
        self.groups: list[Group] = []
        self._group_of: dict[int, tuple[Group, tuple[FunctionRefinement, ...]]] = {}
        self._owners: list[_Owner] = []
        self._relation_names = Names()
        self._earlier = Names()

    def _grouped(self, members: tuple[FunctionRefinement, ...], span: Span) -> None:
        names = Names()
        inputs: list[tuple[str, str]] = []
        arguments: list[Argument] = []
        for member in members:
            if len(members) > 1:
                inputs.append((member.label, ""))
                arguments.append(Argument(names.fresh(f"in {member.label}"), terms.INT))
            for term in _places(member):
                stem = terms.name_of(term).split("!")[0]
                inputs.append((member.label, stem))
                arguments.append(Argument(names.fresh(stem), terms.INT, Role.INPUT))
        after = [Argument(names.fresh(f"{each.name}'"), terms.INT, Role.OUTPUT) for each in arguments]
        relation = Predicate(self._relation_names.fresh(f"{members[0].label}:descent"), (*arguments, *after))
        first, second = (tuple(each.formal for each in half) for half in (arguments, after))
        labels = tuple(member.label for member in members)
        told = f"calls of {', '.join(labels)} ({span})"
        obligation = WellFounded(told, first, second, (Atom(relation, (*first, *second)),), span)
        group = Group(labels, relation, tuple(inputs), (None,) * len(inputs), obligation)
        self.groups.append(group)
        for member in members:
            self._group_of[id(member)] = (group, members)

    def _check_definition(self, function: FunctionValue, refinement: FunctionRefinement, span: Span) -> None:
        with self._inside(_Owner(refinement, refinement.takes.own)):
            self._check_function(function, refinement, Trail(), span)

    def _check_function(self, function: FunctionValue, wanted: FunctionRefinement, trail: Trail, span: Span) -> None:
        if self._owners and self._owners[-1].refinement is wanted:
            super()._check_function(function, wanted, trail, span)
            return
        with self._inside(_Owner(None)):
            super()._check_function(function, wanted, trail, span)

    def _called_with_anything(self, function: FunctionValue, type: Arrow, trail: Trail, span: Span) -> None:
        with self._inside(_Owner(None)):
            super()._called_with_anything(function, type, trail, span)

    @contextmanager
    def _inside(self, owner: _Owner) -> Iterator[None]:
        self._owners.append(owner)
        try:
            yield
        finally:
            self._owners.pop()

    def _arguments_taken(self, wanted: FunctionRefinement, given: list[Term]) -> None:
        if self._owners and self._owners[-1].refinement is wanted:
            self._owners[-1] = replace(self._owners[-1], given=tuple(given))

    def _apply_typed(
        self, refinement: FunctionRefinement, values: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        if len(values) >= len(refinement.parameters):
            self._nested(refinement, values, trail, span)
        super()._apply_typed(refinement, values, trail, span, then)

    def _nested(self, refinement: FunctionRefinement, values: tuple[Value, ...], trail: Trail, span: Span) -> None:
        found = self._group_of.get(id(refinement))
        if found is None:
            return
        group, members = found
        handed_on = False
        for owner in reversed(self._owners):
            if owner.refinement is None:
                handed_on = True
                continue
            if not any(owner.refinement is member for member in members):
                continue
            if handed_on:
                raise Unsupported(f"{refinement.label}, which calls itself through a function that it hands on", span)
            wanted = len(refinement.parameters)
            taken = Several((*values[:wanted], *(trail.store[cell] for cell in refinement.cells)))
            given = self._conversion.terms_of(taken, refinement.takes.type)
            before = _half(members, owner.refinement, (*owner.refinement.takes.scope, *owner.given))
            after = _half(members, refinement, (*refinement.takes.scope, *given))
            self._add_step(group, before, after, trail, span)
            return

    def _add_step(
        self, group: Group, before: tuple[Term, ...], after: tuple[Term, ...], trail: Trail, span: Span
    ) -> None:
        self._clauses.add(Atom(group.relation, (*before, *after)), trail, span)
        half = group.relation.arguments[: len(group.inputs)]
        earlier = tuple(self._earlier.variable(f"{each.name} earlier", each.sort) for each in half)
        closing = trail.after(Atom(group.relation, (*earlier, *before)))
        self._clauses.add(Atom(group.relation, (*earlier, *after)), closing, span)


def _places(member: FunctionRefinement) -> tuple[Term, ...]:
    """What a rank may speak of: what is in scope, which stays as it is, and the arguments."""
    return (*member.takes.scope, *member.takes.own)


def _half(
    members: tuple[FunctionRefinement, ...], entered: FunctionRefinement, given: tuple[Term, ...]
) -> tuple[Term, ...]:
    """The arguments of one function as one half of its group's relation."""
    found: list[Term] = []
    for member in members:
        if len(members) > 1:
            found.append(terms.integer(int(member is entered)))
        own = given if member is entered else tuple(terms.default_value(terms.sort_of(t)) for t in _places(member))
        found += [operations.ite(t, terms.integer(1), terms.integer(0)) if terms.is_boolean(t) else t for t in own]
    return tuple(found)


def descent(program: Program) -> Descent:
    """What must be well-founded for the program to end."""
    _demand_no_knots(program)
    walk = followed(lambda shared: _DescentWalk(program, shared))
    relations = tuple(group.relation for group in walk.groups)
    obligations = tuple(group.obligation for group in walk.groups)
    system = HornSystem((*walk.predicates, *relations), walk.clauses, obligations)
    reached = frozenset(predicate.name for predicate in walk.predicates if predicate.name.endswith(":takes"))
    return Descent({}, system, tuple(walk.groups), reached)


_STORING = (Operator.MAKE_REFERENCE, Operator.MAKE_ARRAY, Operator.ARRAY_LITERAL)


def _demand_no_knots(program: Program) -> None:
    """A function in a reference, or inside of data that functions of it take, may call itself without saying so."""
    for term in subterms(program.body):
        if isinstance(term, Operation) and term.operator in _STORING and _has_function(term.type):
            raise Unsupported("termination of a program that stores functions", term.span)
    for data in program.data.values():
        for constructor in data.constructors:
            for argument in constructor.arguments:
                if _has_function(argument):
                    raise Unsupported(f"termination with functions inside of type {data.name}", Span())


def _inside_of(type: Type) -> Iterator[Type]:
    yield type
    for part in parts(type):
        yield from _inside_of(part)


def _has_function(type: Type) -> bool:
    return any(isinstance(part, Arrow) for part in _inside_of(type))
