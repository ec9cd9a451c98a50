"""One walk through a program, in continuation-passing style, that makes its clauses.

What is applied on the spot needs no type: functions that do not call themselves are walked where they are called.
Functions that do, and functions that are handed to them, have refinement types.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from sorrel.encode.refinement.applications import Applications
from sorrel.encode.refinement.choice import either
from sorrel.encode.refinement.clauses import Clauses
from sorrel.encode.refinement.conversion import ZERO, Conversion
from sorrel.encode.refinement.matching import Matching
from sorrel.encode.refinement.memory import ON_ARRAYS, ON_REFERENCES, Memory
from sorrel.encode.refinement.operations import Operations, fits
from sorrel.encode.refinement.precision import MOST_AROUND, Precision
from sorrel.encode.refinement.raising import Raising
from sorrel.encode.refinement.reach import captured, cells_of, variables
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import End, Then, Trail
from sorrel.encode.refinement.values import (
    Anything,
    Built,
    Closed,
    Copied,
    Environment,
    FunctionRefinement,
    FunctionValue,
    Nothing,
    Scalar,
    Several,
    Text,
    Typed,
    Value,
    as_function,
    named,
    truth,
)
from sorrel.functional.execution import Kind
from sorrel.functional.program import Program
from sorrel.functional.term import (
    Apply,
    Assert,
    Branch,
    Constant,
    Construct,
    Function,
    If,
    Input,
    Let,
    Match,
    Operation,
    Raise,
    Recursive,
    Term,
    Try,
    Tuple,
    Variable,
    free_names,
    is_pure_value,
    subterms,
)
from sorrel.functional.type import INT, Arrow, TupleType, Type
from sorrel.horn.clause import Clause, Predicate
from sorrel.logic import operations, terms, walk
from sorrel.logic.terms import Term as Formula
from sorrel.model.errors import InternalError, Span, Unsupported

MOST_SPLITS = 3
"""Decisions in a row after which their branches meet in a predicate of their own."""
MOST_STEPS = 4_000
"""Of one path; what is applied on the spot may apply itself, through a reference or through data."""


class Walk(Applications):
    def __init__(
        self,
        program: Program,
        forbidden: frozenset[Kind],
        shared: frozenset[int],
        precision: Precision = Precision(),  # noqa: B008 - a frozen value
    ) -> None:
        """`shared` are the places where references are made that are known by their types only."""
        self._program = program
        self._precision = precision
        self._names: dict[int, str] = {}  # of functions that call themselves, by their types
        self.captured: dict[str, tuple[int, ...]] = {}
        shapes = Shapes(program.data, precision.measures)
        shapes.check()
        conversion = Conversion(shapes)
        handlers = [term for term in subterms(program.body) if isinstance(term, Try)]
        exceptions = bool(handlers) or Kind.EXCEPTION in forbidden
        staged = any(_computes_first(term) for term in subterms(program.body))
        refinements = Refinements(shapes, conversion, exceptions=exceptions, staged=staged)
        clauses = Clauses(forbidden)
        raising = Raising(clauses, shapes, handlers)
        super().__init__(clauses, shapes, conversion, refinements, raising, exceptions=exceptions)
        self._operations = Operations(self._clauses, shapes, conversion, refinements)
        self._memory = Memory(self._clauses, refinements, self, shared)
        self._matching = Matching(shapes, conversion, refinements)
        self._steps = 0
        self.functions: dict[str, list[FunctionRefinement]] = {}

    @property
    def shapes(self) -> Shapes:
        return self._shapes

    @property
    def clauses(self) -> tuple[Clause, ...]:
        return tuple(self._clauses.made)

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        return tuple(self._refinements.predicates)

    def run(self) -> None:
        self.walk(self._program.body, {}, Trail(handler=self._raising.unhandled), self._ended)

    def _ended(self, value: Value, trail: Trail) -> None:
        """Told of the value of the program."""

    # Terms

    def walk(self, term: Term, at: Environment, trail: Trail, then: Then) -> None:
        if self._steps >= MOST_STEPS:
            raise Unsupported(f"a path of more than {MOST_STEPS} steps", term.span)
        self._steps += 1
        try:
            self._step(term, at, trail, then)
        finally:
            self._steps -= 1

    def _step(self, term: Term, at: Environment, trail: Trail, then: Then) -> None:
        match term:
            case Constant(value, type):
                then(_constant(value, type), trail)
            case Variable(name):
                then(self._named(name, at, trail), trail)
            case Function():
                then(Closed(term, _captured(term, at)), trail)
            case Operation(operator, arguments):
                if operator in ON_REFERENCES or operator in ON_ARRAYS:
                    self._values(
                        arguments, at, trail, lambda values, here: self._memory.of(term, values, at, here, then)
                    )
                else:
                    self._values(
                        arguments, at, trail, lambda values, here: self._operations.of(term, values, here, then)
                    )
            case Let(binder, value, body):
                self.walk(value, at, trail, lambda found, here: self.walk(body, {**at, binder.name: found}, here, then))
            case Recursive():
                self._recursive(term, at, trail, then)
            case If():
                self._if(term, at, trail, then)
            case Apply(function, arguments, _, span):
                self._values(
                    (function, *arguments),
                    at,
                    trail,
                    lambda values, here: self.apply(as_function(values[0]), values[1:], here, span, then),
                )
            case Tuple(items):
                self._values(items, at, trail, lambda values, here: then(Several(values), here))
            case Construct(constructor, arguments, type):
                self._values(
                    arguments, at, trail, lambda values, here: then(Built(constructor, values, named(type)), here)
                )
            case Match(subject, branches, span):
                self._match(subject, branches, at, trail, span, then)
            case Try(body, branches):
                self._try(body, branches, at, trail, then)
            case Raise(exception, _, span):
                self.walk(exception, at, trail, lambda value, here: self._clauses.raised(value, here, span))
            case Assert(condition, _, span):
                self.walk(condition, at, trail, lambda value, here: self._assert(truth(value), here, span, then))
            case Input(type, source, span, below):
                self._input(type, source, below, trail, then)

    def _values(
        self,
        parts: tuple[Term, ...],
        at: Environment,
        trail: Trail,
        then: Callable[[tuple[Value, ...], Trail], None],
    ) -> None:
        """All values, the last one first."""

        def proceed(found: tuple[Value, ...], here: Trail) -> None:
            position = len(parts) - 1 - len(found)
            if position < 0:
                then(found, here)
                return
            self.walk(parts[position], at, here, lambda value, after: proceed((value, *found), after))

        proceed((), trail)

    def _input(self, type: Type, source: str, below: int | None, trail: Trail, then: Then) -> None:
        value, here = self._refinements.fresh(Anything(type), trail, source.replace(".", "_") or "input")
        if isinstance(value, Scalar) and type == INT:
            if below is not None:
                facts = [operations.at_most(ZERO, value.term), operations.less(value.term, terms.integer(below))]
                here = here.after(facts=facts)
            elif Kind.OVERFLOW in self._clauses.forbidden:
                here = here.after(facts=[fits(value.term)])
        then(value, here)

    # Decisions

    def _if(self, term: If, at: Environment, trail: Trail, then: Then) -> None:
        def decided(value: Value, here: Trail) -> None:
            condition = truth(value)
            if terms.is_true(condition) or terms.is_false(condition):
                self.walk(term.then if terms.is_true(condition) else term.otherwise, at, here, then)
                return
            both = self._operations.simple(term.then, at), self._operations.simple(term.otherwise, at)
            if both[0] is not None and both[1] is not None:
                then(Scalar(operations.ite(condition, both[0], both[1])), here)
                return
            sides = [
                (side, replace(after, splits=here.splits + 1))
                for side, fact in ((term.then, condition), (term.otherwise, terms.negation(condition)))
                if (after := here.knowing(fact)) is not None
            ]
            age = self._refinements.age
            ends: list[End] = []
            for side, start in sides:
                self.walk(side, at, start, lambda value, end: ends.append((value, end)))
            # Branches that only computed end where they started: what follows is walked once.
            if len(sides) == 2 and [id(end) for _, end in ends] == [id(start) for _, start in sides]:
                chosen = either(condition, ends[0][0], ends[1][0])
                if chosen is not None:
                    then(chosen, here)
                    return
            self._meeting(here, age, term.type, term.span, ends, then)

        self.walk(term.condition, at, trail, decided)

    def _meeting(self, before: Trail, age: int, type: Type, span: Span, ends: list[End], then: Then) -> None:
        """What follows is walked once for each end of a branch, or after many decisions once for all of them.

        Variables of this `age` were there before the branches.
        """
        inner = [part for _, part, _ in self._shapes.inner(type)]
        if before.splits < MOST_SPLITS or any(isinstance(part, Arrow) for part in inner):
            for value, trail in ends:
                then(value, trail)
            return
        if len(ends) <= 1:
            for value, trail in ends:
                then(value, replace(trail, splits=before.splits))
            return
        changed = [c for c in before.store if any(trail.store.get(c) is not before.store[c] for _, trail in ends)]
        contents = tuple(self.cells[cell][1] for cell in changed)
        if any(list(self._shapes.inner(content)) for content in contents):
            for value, trail in ends:
                then(value, trail)
            return
        whole = TupleType((type, *contents))
        met = [(Several((value, *(trail.store[cell] for cell in changed))), trail) for value, trail in ends]
        spoken = [term for value, trail in met for term in (*self._conversion.terms_of(value, whole), *_said(trail))]
        # What was there before, and matters to one of the branches: the rest of the walk may speak of it.
        scope = self._refinements.older(age, *_said(before), *spoken)
        meeting = self._refinements.of(whole, scope, ":join", "joined", result=True)
        for value, trail in met:
            self.check(value, meeting, trail, span)
        value, here = self._refinements.fresh(meeting, replace(before, splits=0), "joined")
        if not isinstance(value, Several):
            raise InternalError("several values met in one")
        for cell, content in zip(changed, value.items[1:], strict=True):
            here = here.holding(cell, content)
        then(value.items[0], here)

    def _match(
        self, subject: Term, branches: tuple[Branch, ...], at: Environment, trail: Trail, span: Span, then: Then
    ) -> None:
        def decided(value: Value, here: Trail) -> None:
            def fail(missed: Trail) -> None:
                self._clauses.raise_by_name("Match_failure", missed, span, "")

            if len(branches) == 1:
                self._branches(value, branches, 0, at, here, then, fail)
                return
            age, start = self._refinements.age, replace(here, splits=here.splits + 1)
            ends: list[End] = []
            self._branches(value, branches, 0, at, start, lambda found, end: ends.append((found, end)), fail)
            self._meeting(here, age, branches[0].body.type, span, ends, then)

        self.walk(subject, at, trail, decided)

    def _branches(
        self,
        value: Value,
        branches: tuple[Branch, ...],
        position: int,
        at: Environment,
        trail: Trail,
        then: Then,
        fail: Callable[[Trail], None],
    ) -> None:
        if position == len(branches):
            fail(trail)
            return
        branch = branches[position]

        def otherwise(here: Trail) -> None:
            self._branches(value, branches, position + 1, at, here, then, fail)

        def matched(bound: Mapping[str, Value], here: Trail) -> None:
            inside = {**at, **bound}
            if branch.guard is None:
                self.walk(branch.body, inside, here, then)
                return

            def guarded(holds: Value, after: Trail) -> None:
                yes, no = after.knowing(truth(holds)), after.knowing(terms.negation(truth(holds)))
                if yes is not None:
                    self.walk(branch.body, inside, yes, then)
                if no is not None:
                    otherwise(no)

            self.walk(branch.guard, inside, here, guarded)

        self._matching.match(branch.pattern, value, trail, {}, matched, otherwise)

    def _try(self, body: Term, branches: tuple[Branch, ...], at: Environment, trail: Trail, then: Then) -> None:
        outer = trail.handler

        def handle(exception: Value, here: Trail) -> None:
            span = self._clauses.raised_at

            def fail(missed: Trail) -> None:
                self._clauses.raised(exception, missed, span)

            self._branches(exception, branches, 0, at, replace(here, handler=outer), then, fail)

        inside = replace(trail, handler=handle)
        self.walk(body, at, inside, lambda value, here: then(value, replace(here, handler=outer)))

    def _assert(self, condition: Formula, trail: Trail, span: Span, then: Then) -> None:
        wrong = trail.knowing(terms.negation(condition))
        if wrong is not None:
            self._raising.failed(wrong, span)
        right = trail.knowing(condition)
        if right is not None:
            then(Nothing(), right)

    # Functions

    def _recursive(self, term: Recursive, at: Environment, trail: Trail, then: Then) -> None:
        if self._precision.copies:
            copied = Copied(term, {name: at[name] for name in _free(term)})
            self.walk(term.body, {**at, **{each.binder.name: copied for each in term.definitions}}, trail, then)
        else:
            self.walk(term.body, {**at, **self._group(term, at, trail)}, trail, then)

    def _named(self, name: str, at: Environment, trail: Trail) -> Value:
        """What a name stands for: for a function with a type for each use, one of these."""
        value = at[name]
        if not isinstance(value, Copied):
            return value
        # As if it were defined here: its types may speak of what is at hand, and of what the way here speaks of.
        at_hand = [each.term for each in at.values() if isinstance(each, Scalar)]
        spoken = walk.free_variables(*at_hand, *(argument for atom in trail.atoms for argument in atom.arguments))
        typed = self._group(value.group, value.environment, trail, spoken[:MOST_AROUND])
        if not self._precision.unfolded:
            return typed[name]
        own = next(each.value for each in value.group.definitions if each.binder.name == name)
        return Closed(own, _captured(own, {**value.environment, **typed}))

    def _group(
        self, term: Recursive, at: Environment, trail: Trail, around: Sequence[Formula] = ()
    ) -> dict[str, Typed]:
        """Types for the functions of the group; each body is checked against its own, whatever the way here was."""
        used = [at[name] for name in _free(term)]
        scope = tuple({terms.identity(each): each for each in (*variables(used), *around)}.values())
        cells = tuple((cell, self.cells[cell][1]) for cell in cells_of(used, trail))
        group: dict[str, FunctionRefinement] = {}
        for each in term.definitions:
            name, parameters = each.binder.name, tuple(parameter.source for parameter in each.value.parameters)
            label, ghosts = each.value.label or name, self._precision.ghosts.get(name, ())
            type, count = each.binder.type, len(parameters)
            made = self._refinements.function(type, scope, label, parameters, cells, count, ghosts)
            self.functions.setdefault(name, []).append(made)
            self._names[id(made)] = name
            group[name] = made
        self._grouped(tuple(group.values()), term.span)
        typed = {name: Typed(made) for name, made in group.items()}
        for each in term.definitions:
            own = Closed(each.value, _captured(each.value, {**at, **typed}))
            self._check_definition(own, group[each.binder.name], each.value.span)
        return typed

    def _ghosts(self, refinement: FunctionRefinement, values: tuple[Value, ...]) -> Iterator[Value]:
        name = self._names.get(id(refinement))
        if name is not None:
            found = [len(captured(each)) if isinstance(each, Closed | Typed) else 0 for each in values]
            known = self.captured.get(name, (0,) * len(found))
            self.captured[name] = tuple(max(pair) for pair in zip(known, found, strict=False))
        return super()._ghosts(refinement, values)

    def _grouped(self, members: tuple[FunctionRefinement, ...], span: Span) -> None:
        """Told of each group of functions before their bodies are walked."""

    def _arguments_taken(self, wanted: FunctionRefinement, given: list[Formula]) -> None:
        """No walk needs them but those that compare calls."""

    def _check_definition(self, function: FunctionValue, refinement: FunctionRefinement, span: Span) -> None:
        self._check_function(function, refinement, Trail(), span)


def _said(trail: Trail) -> list[Formula]:
    """All that a trail speaks of."""
    return [*trail.facts, *(argument for atom in trail.atoms for argument in atom.arguments)]


def _constant(value: int | bool | str | None, type: Type) -> Value:
    if value is None:
        return Nothing()
    if isinstance(value, str):
        return Text(terms.integer(len(value)), value)
    return Scalar(operations.truth(value) if isinstance(value, bool) else terms.integer(value))


def _captured(function: Function, at: Environment) -> Environment:
    return {name: at[name] for name in free_names(function)}


def _computes_first(term: Term) -> bool:
    """Whether the function does something before it returns a function."""
    return isinstance(term, Function) and isinstance(term.body.type, Arrow) and not is_pure_value(term.body)


def _free(group: Recursive) -> list[str]:
    """The names that definitions of a group mention and do not define."""
    own = {each.binder.name for each in group.definitions}
    return list(dict.fromkeys(n for each in group.definitions for n in free_names(each.value) if n not in own))
