"""One walk through a program, in continuation-passing style, that makes its clauses.

What is applied on the spot needs no type: functions that do not call themselves are walked where they are called.
Functions that do, and functions that are handed to them, have refinement types.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TypeAlias

from sorrel.encode.refinement.arithmetic import arithmetic, comparison, quotient_facts, remainder_facts
from sorrel.encode.refinement.conversion import ONE, ZERO, Conversion, instantiated, pairs_of
from sorrel.encode.refinement.equality import equality
from sorrel.encode.refinement.matching import Matching
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import (
    Anything,
    Built,
    Closed,
    Elements,
    Foreign,
    FunctionRefinement,
    FunctionValue,
    Held,
    Nothing,
    OneOf,
    Reference,
    Refinement,
    Scalar,
    Several,
    Text,
    Typed,
    Value,
)
from sorrel.functional.interpreter import Kind
from sorrel.functional.program import Program
from sorrel.functional.term import (
    ARITHMETIC,
    BITWISE,
    COMPARISONS,
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
    Operator,
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
from sorrel.functional.type import EXCEPTION, INT, Arrow, Named, Product, Type, uncurried
from sorrel.functional.value import LARGEST, SMALLEST
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.logic import operations, terms, walk
from sorrel.logic.terms import Term as Formula
from sorrel.model.errors import InternalError, Span, Unsupported

Environment: TypeAlias = Mapping[str, Value]
Then: TypeAlias = Callable[[Value, Trail], None]
MOST_SPLITS = 3
"""Decisions in a row after which their branches meet in a predicate of their own."""
MOST_CLAUSES = 4_000
MOST_STEPS = 4_000
"""Of one path; what is applied on the spot may apply itself, through a reference or through data."""


class Escapes(Exception):
    """A reference that the walk follows gets out of sight; it must be known by its type instead."""

    def __init__(self, cell: int) -> None:
        super().__init__()
        self.cell = cell


class Walk:
    def __init__(self, program: Program, forbidden: frozenset[Kind], shared: frozenset[int]) -> None:
        """`shared` are the places where references are made that are known by their types only."""
        self._program = program
        self._forbidden = forbidden
        self._shared = shared
        self.shapes = Shapes(program.data)
        self.shapes.check()
        self._conversion = Conversion(self.shapes)
        handled = any(isinstance(term, Try) for term in subterms(program.body))
        self._exceptions = handled or Kind.EXCEPTION in forbidden
        staged = any(_computes_first(term) for term in subterms(program.body))
        self._refinements = Refinements(self.shapes, self._conversion, exceptions=self._exceptions, staged=staged)
        self._matching = Matching(self.shapes, self._refinements)
        self._cells: dict[int, tuple[int, Type]] = {}
        self._steps = 0
        self.clauses: list[Clause] = []
        self.functions: dict[str, FunctionRefinement] = {}

    @property
    def predicates(self) -> tuple[Predicate, ...]:
        return tuple(self._refinements.predicates)

    def run(self) -> None:
        self._walk(self._program.body, {}, Trail(handler=self._unhandled), lambda value, trail: None)

    # Clauses

    def _add(self, head: Atom | None, trail: Trail, span: Span, *facts: Formula) -> None:
        here = trail.knowing(*facts)
        if here is None:
            return
        if len(self.clauses) >= MOST_CLAUSES:
            raise Unsupported(f"a program of more than {MOST_CLAUSES} clauses", span)
        name = f"{head.predicate.name if head else 'query'}#{len(self.clauses) + 1}"
        self.clauses.append(Clause(name, head, here.atoms, terms.conjunction(here.facts), span))

    def _unhandled(self, exception: Value, trail: Trail) -> None:
        if Kind.EXCEPTION in self._forbidden:
            self._add(None, trail, self._raised_at)

    _raised_at: Span = Span()

    def _raise(self, exception: Value, trail: Trail, span: Span) -> None:
        self._raised_at = span
        if trail.handler is None:
            raise InternalError("nobody handles exceptions")
        trail.handler(exception, trail)

    def _raise_by_name(self, name: str, trail: Trail, span: Span, *texts: str) -> None:
        arguments = tuple(Text(terms.integer(len(text)), text) for text in texts)
        self._raise(Built(name, arguments, EXCEPTION), trail, span)

    # Terms

    def _walk(self, term: Term, at: Environment, trail: Trail, then: Then) -> None:
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
                then(at[name], trail)
            case Function():
                then(Closed(term, _captured(term, at)), trail)
            case Operation():
                self._values(
                    term.arguments, at, trail, lambda values, here: self._operation(term, values, at, here, then)
                )
            case Let(binder, value, body):
                self._walk(
                    value, at, trail, lambda found, here: self._walk(body, {**at, binder.name: found}, here, then)
                )
            case Recursive():
                self._recursive(term, at, trail, then)
            case If():
                self._if(term, at, trail, then)
            case Apply(function, arguments, _, span):
                self._values(
                    (function, *arguments),
                    at,
                    trail,
                    lambda values, here: self._apply(_function(values[0]), values[1:], here, span, then),
                )
            case Tuple(items):
                self._values(items, at, trail, lambda values, here: then(Several(values), here))
            case Construct(constructor, arguments, type):
                self._values(
                    arguments, at, trail, lambda values, here: then(Built(constructor, values, _named(type)), here)
                )
            case Match(subject, branches, span):
                self._match(subject, branches, at, trail, span, then)
            case Try(body, branches):
                self._try(body, branches, at, trail, then)
            case Raise(exception, _, span):
                self._walk(exception, at, trail, lambda value, here: self._raise(value, here, span))
            case Assert(condition, _, span):
                self._walk(condition, at, trail, lambda value, here: self._assert(_truth(value), here, span, then))
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
            self._walk(parts[position], at, here, lambda value, after: proceed((value, *found), after))

        proceed((), trail)

    def _input(self, type: Type, source: str, below: int | None, trail: Trail, then: Then) -> None:
        value, here = self._refinements.fresh(Anything(type), trail, source.replace(".", "_") or "input")
        if isinstance(value, Scalar) and type == INT:
            if below is not None:
                facts = [operations.at_most(ZERO, value.term), operations.less(value.term, terms.integer(below))]
                here = here.after(facts=facts)
            elif Kind.OVERFLOW in self._forbidden:
                here = here.after(facts=[_fits(value.term)])
        then(value, here)

    # Decisions

    def _if(self, term: If, at: Environment, trail: Trail, then: Then) -> None:
        def decided(value: Value, here: Trail) -> None:
            condition = _truth(value)
            if terms.is_true(condition) or terms.is_false(condition):
                self._walk(term.then if terms.is_true(condition) else term.otherwise, at, here, then)
                return
            both = self._simple(term.then, at), self._simple(term.otherwise, at)
            if both[0] is not None and both[1] is not None:
                then(Scalar(operations.ite(condition, both[0], both[1])), here)
                return
            sides = [(term.then, condition), (term.otherwise, terms.negation(condition))]

            def each(meet: Then) -> None:
                for side, fact in sides:
                    after = here.knowing(fact)
                    if after is not None:
                        self._walk(side, at, replace(after, splits=here.splits + 1), meet)

            self._meeting(here, term.type, term.span, each, then)

        self._walk(term.condition, at, trail, decided)

    def _meeting(self, before: Trail, type: Type, span: Span, branches: Callable[[Then], None], then: Then) -> None:
        """What follows is walked once for each branch, or after many decisions once for all of them."""
        inner = [part for _, part, _ in self.shapes.inner(type)]
        if before.splits < MOST_SPLITS or any(isinstance(part, Arrow) for part in inner):
            branches(then)
            return
        age = self._refinements.age
        ends: list[tuple[Value, Trail]] = []
        branches(lambda value, trail: ends.append((value, trail)))
        if len(ends) <= 1:
            for value, trail in ends:
                then(value, replace(trail, splits=before.splits))
            return
        changed = [c for c in before.store if any(trail.store.get(c) is not before.store[c] for _, trail in ends)]
        contents = tuple(self._cells[cell][1] for cell in changed)
        if any(list(self.shapes.inner(content)) for content in contents):
            for value, trail in ends:
                then(value, trail)
            return
        whole = Product((type, *contents))
        met = [(Several((value, *(trail.store[cell] for cell in changed))), trail) for value, trail in ends]
        spoken = [term for value, trail in met for term in (*self._conversion.terms_of(value, whole), *_said(trail))]
        # What was there before, and matters to one of the branches: the rest of the walk may speak of it.
        scope = self._refinements.older(age, *_said(before), *spoken)
        meeting = self._refinements.of(whole, scope, ":join", "joined", result=True)
        for value, trail in met:
            self._check(value, meeting, trail, span)
        value, here = self._refinements.fresh(meeting, replace(before, splits=0), "joined")
        if not isinstance(value, Several):
            raise InternalError("several values met in one")
        for cell, content in zip(changed, value.items[1:], strict=True):
            here = here.holding(cell, content)
        then(value.items[0], here)

    def _simple(self, term: Term, at: Environment) -> Formula | None:
        """The term of an expression that does nothing but compute; None for any other."""
        match term:
            case Constant(value) if isinstance(value, int):
                return operations.truth(value) if isinstance(value, bool) else terms.integer(value)
            case Variable(name):
                found_value = at[name]
                return found_value.term if isinstance(found_value, Scalar) else None
            case If(condition, then, otherwise):
                parts = [self._simple(part, at) for part in (condition, then, otherwise)]
                found = [part for part in parts if part is not None]
                return operations.ite(found[0], found[1], found[2]) if len(found) == 3 else None
            case Operation(operator, arguments) if _only_computes(operator, self._forbidden):
                values = [self._simple(argument, at) for argument in arguments]
                known = [value for value in values if value is not None]
                if len(known) != len(values):
                    return None
                if operator is Operator.NOT:
                    return terms.negation(known[0])
                if operator in COMPARISONS:
                    return comparison(operator, known[0], known[1])
                return arithmetic(operator, known)
            case _:
                return None

    def _match(
        self, subject: Term, branches: tuple[Branch, ...], at: Environment, trail: Trail, span: Span, then: Then
    ) -> None:
        def decided(value: Value, here: Trail) -> None:
            def fail(missed: Trail) -> None:
                self._raise_by_name("Match_failure", missed, span, "")

            if len(branches) == 1:
                self._branches(value, branches, 0, at, here, then, fail)
                return

            def each(meet: Then) -> None:
                start = replace(here, splits=here.splits + 1)
                self._branches(value, branches, 0, at, start, meet, fail)

            self._meeting(here, branches[0].body.type, span, each, then)

        self._walk(subject, at, trail, decided)

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
                self._walk(branch.body, inside, here, then)
                return

            def guarded(holds: Value, after: Trail) -> None:
                yes, no = after.knowing(_truth(holds)), after.knowing(terms.negation(_truth(holds)))
                if yes is not None:
                    self._walk(branch.body, inside, yes, then)
                if no is not None:
                    otherwise(no)

            self._walk(branch.guard, inside, here, guarded)

        self._matching.match(branch.pattern, value, trail, {}, matched, otherwise)

    def _try(self, body: Term, branches: tuple[Branch, ...], at: Environment, trail: Trail, then: Then) -> None:
        outer = trail.handler

        def handle(exception: Value, here: Trail) -> None:
            back = replace(here, handler=outer)
            span = self._raised_at
            self._branches(exception, branches, 0, at, back, then, lambda missed: self._raise(exception, missed, span))

        inside = replace(trail, handler=handle)
        self._walk(body, at, inside, lambda value, here: then(value, replace(here, handler=outer)))

    def _assert(self, condition: Formula, trail: Trail, span: Span, then: Then) -> None:
        wrong = trail.knowing(terms.negation(condition))
        if wrong is not None:
            if Kind.ASSERTION in self._forbidden:
                self._add(None, wrong, span)
            else:
                self._raise_by_name("Assert_failure", wrong, span, "")
        right = trail.knowing(condition)
        if right is not None:
            then(Nothing(), right)

    # Operations

    def _operation(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        operator, span = term.operator, term.span
        if operator in ARITHMETIC:
            self._arithmetic(term, values, trail, then)
        elif operator in COMPARISONS:
            self._comparison(term, values, trail, then)
        elif operator is Operator.NOT:
            then(Scalar(terms.negation(_truth(values[0]))), trail)
        elif operator in BITWISE:
            value, here = self._refinements.fresh(Anything(INT), trail, "bits")
            then(value, here)
        elif operator in _ON_REFERENCES:
            self._reference(term, values, at, trail, then)
        elif operator in _ON_ARRAYS:
            self._array(term, values, at, trail, then)
        elif operator is Operator.EXIT:
            return
        elif operator is Operator.SHOW:
            then(Nothing(), trail)
        elif operator is Operator.CODE:
            then(values[0], trail)
        else:
            self._text(operator, values, trail, span, then)

    def _arithmetic(self, term: Operation, values: tuple[Value, ...], trail: Trail, then: Then) -> None:
        given = [_number(value) for value in values]
        if term.operator in (Operator.DIVIDE, Operator.REMAINDER):
            by_zero = operations.equal(given[1], ZERO)
            self._must(terms.negation(by_zero), Kind.DIVISION, trail, term.span, "Division_by_zero")
            here = trail.knowing(terms.negation(by_zero))
            if here is None:
                return
            trail = here
            if operations.literal(given[1]) is None:
                self._divided(term, given, trail, then)
                return
        result = arithmetic(term.operator, given)
        if Kind.OVERFLOW in self._forbidden and term.operator not in (Operator.COUNT_UP, Operator.COUNT_DOWN):
            self._add(None, trail, term.span, terms.negation(_fits(result)))
            after = trail.knowing(_fits(result))
            if after is None:
                return
            trail = after
        then(Scalar(result), trail)

    def _divided(self, term: Operation, given: list[Formula], trail: Trail, then: Then) -> None:
        """By something that is no number in the text: what is linear about the result."""
        left, right = given
        if Kind.OVERFLOW in self._forbidden and term.operator is Operator.DIVIDE:
            sides = (left, terms.integer(SMALLEST)), (right, terms.integer(-1))
            too_large = terms.conjunction(operations.equal(one, other) for one, other in sides)
            self._add(None, trail, term.span, too_large)
            after = trail.knowing(terms.negation(too_large))
            if after is None:
                return
            trail = after
        value, here = self._refinements.fresh(Anything(INT), trail, "divided")
        result = _number(value)
        facts = remainder_facts if term.operator is Operator.REMAINDER else quotient_facts
        then(value, here.after(facts=facts(left, right, result)))

    def _must(self, condition: Formula, kind: Kind, trail: Trail, span: Span, exception: str, *texts: str) -> None:
        """What must hold at an operation: it is asked for, or an exception is raised where it does not."""
        wrong = trail.knowing(terms.negation(condition))
        if wrong is None:
            return
        if kind in self._forbidden:
            self._add(None, wrong, span)
        else:
            self._raise_by_name(exception, wrong, span, *texts)

    def _comparison(self, term: Operation, values: tuple[Value, ...], trail: Trail, then: Then) -> None:
        left, right = values
        type = term.arguments[0].type
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            then(Scalar(comparison(term.operator, left.term, right.term)), trail)
            return
        if term.operator in (Operator.EQUAL, Operator.DIFFERENT):
            found, exact = equality(self._conversion, self.shapes, left, right, type)
            if exact:
                result = found if term.operator is Operator.EQUAL else terms.negation(found)
                then(Scalar(result), trail)
                return
            value, here = self._refinements.fresh(Anything(Named("bool")), trail, "equal")
            same = _truth(value)
            fact = operations.implies(same, found)
            result = same if term.operator is Operator.EQUAL else terms.negation(same)
            then(Scalar(result), here.after(facts=[fact]))
            return
        value, here = self._refinements.fresh(Anything(Named("bool")), trail, "compared")
        then(value, here)

    def _text(self, operator: Operator, values: tuple[Value, ...], trail: Trail, span: Span, then: Then) -> None:
        match operator, values:
            case Operator.TEXT_LENGTH, (Text(length),):
                then(Scalar(length), trail)
            case Operator.TEXT_JOIN, (Text(first, one), Text(second, two)):
                known = one + two if one is not None and two is not None else None
                then(Text(operations.add(first, second), known), trail)
            case Operator.TEXT_OF_NUMBER, _:
                value, here = self._refinements.fresh(Anything(Named("string")), trail, "text")
                if not isinstance(value, Text):
                    raise InternalError("a text is expected")
                then(value, here.after(facts=[operations.at_most(ONE, value.length)]))
            case Operator.TEXT_GET, (Text(length), index):
                inside = _within(_number(index), length)
                self._must(inside, Kind.BOUNDS, trail, span, "Invalid_argument", "index out of bounds")
                after = trail.knowing(inside)
                if after is not None:
                    value, here = self._refinements.fresh(Anything(Named("char")), after, "character")
                    then(value, here)
            case _:
                raise Unsupported(f"{operator.value}", span)

    # References and arrays

    def _reference(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        if term.operator is Operator.MAKE_REFERENCE:
            type = _named(term.type)
            if id(term) in self._shared:
                held = self._refinements.of(
                    type.arguments[0], _variables(at.values(), self._conversion), ":ref", "content"
                )
                self._check(values[0], held, trail, term.span)
                then(Reference(None, held, type), trail)
                return
            cell = len(self._cells) + 1
            self._cells[cell] = (id(term), type.arguments[0])
            then(Reference(cell, None, type), trail.holding(cell, values[0]))
            return
        reference = values[0]
        if not isinstance(reference, Reference):
            raise InternalError("a reference is expected")
        if reference.cell is not None:
            if term.operator is Operator.CONTENT:
                then(trail.store[reference.cell], trail)
            else:
                then(Nothing(), trail.holding(reference.cell, values[1]))
            return
        held_content = _held(reference.held)
        if term.operator is Operator.CONTENT:
            value, here = self._refinements.fresh(held_content, trail, "content")
            then(value, here)
        else:
            self._check(values[1], held_content, trail, term.span)
            then(Nothing(), trail)

    def _array(self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then) -> None:
        operator, span = term.operator, term.span
        if operator in (Operator.MAKE_ARRAY, Operator.ARRAY_LITERAL):
            self._make_array(term, values, at, trail, then)
            return
        array = values[0]
        if not isinstance(array, Elements):
            raise InternalError("an array is expected")
        if operator is Operator.ARRAY_LENGTH:
            then(Scalar(array.length), trail)
            return
        inside = _within(_number(values[1]), array.length)
        self._must(inside, Kind.BOUNDS, trail, span, "Invalid_argument", "index out of bounds")
        here = trail.knowing(inside)
        if here is None:
            return
        if operator is Operator.ARRAY_GET:
            value, after = self._refinements.fresh(array.held, here, "element")
            then(value, after)
            return
        self._check(values[2], array.held, here, span)
        then(Nothing(), here)

    def _make_array(
        self, term: Operation, values: tuple[Value, ...], at: Environment, trail: Trail, then: Then
    ) -> None:
        type = _named(term.type)
        held = self._refinements.of(type.arguments[0], _variables(at.values(), self._conversion), ":array", "element")
        if term.operator is Operator.ARRAY_LITERAL:
            for value in values:
                self._check(value, held, trail, term.span)
            then(Elements(terms.integer(len(values)), held, type), trail)
            return
        length = _number(values[0])
        possible = operations.at_most(ZERO, length)
        self._must(possible, Kind.BOUNDS, trail, term.span, "Invalid_argument", "Array.make")
        here = trail.knowing(possible)
        if here is not None:
            self._check(values[1], held, here, term.span)
            then(Elements(length, held, type), here)

    # Functions

    def _recursive(self, term: Recursive, at: Environment, trail: Trail, then: Then) -> None:
        """Types for the functions of the group; each body is checked against its own, whatever the way here was."""
        names = {definition.binder.name for definition in term.definitions}
        free = [name for each in term.definitions for name in free_names(each.value) if name not in names]
        used = [at[name] for name in dict.fromkeys(free)]
        scope = _variables(used, self._conversion)
        cells = tuple((cell, self._cells[cell][1]) for cell in _cells_of(used, trail))
        group: dict[str, FunctionRefinement] = {}
        for each in term.definitions:
            parameters = tuple(parameter.source for parameter in each.value.parameters)
            label = each.value.label or each.binder.name
            made = self._refinements.function(each.binder.type, scope, label, parameters, cells, len(parameters))
            self.functions.setdefault(label, made)
            group[each.binder.name] = made
        self._grouped(tuple(group.values()), term.span)
        inside = {**at, **{name: Typed(made) for name, made in group.items()}}
        for each in term.definitions:
            own = Closed(each.value, _captured(each.value, inside))
            self._check_definition(own, group[each.binder.name], each.value.span)
        self._walk(term.body, inside, trail, then)

    def _grouped(self, members: tuple[FunctionRefinement, ...], span: Span) -> None:
        """Told of each group of functions before their bodies are walked."""

    def _check_definition(self, function: FunctionValue, refinement: FunctionRefinement, span: Span) -> None:
        self._check_function(function, refinement, Trail(), span)

    def _arguments_taken(self, wanted: FunctionRefinement, given: list[Formula]) -> None:
        """Told of the arguments with which a function is checked."""

    def _apply(
        self, function: FunctionValue, arguments: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        if not arguments:
            then(function, trail)
            return
        match function:
            case Closed(definition, environment, given):
                values = (*given, *arguments)
                wanted = len(definition.parameters)
                if len(values) < wanted:
                    then(replace(function, given=values), trail)
                    return
                bound = {p.name: v for p, v in zip(definition.parameters, values, strict=False)}
                rest = values[wanted:]
                self._walk(
                    definition.body,
                    {**environment, **bound},
                    trail,
                    lambda value, here: (
                        self._apply(_function(value), rest, here, span, then) if rest else then(value, here)
                    ),
                )
            case Typed(refinement, given):
                self._apply_typed(refinement, (*given, *arguments), trail, span, then)
            case Foreign():
                self._apply_foreign(function, arguments, trail, span, then)

    def _apply_typed(
        self, refinement: FunctionRefinement, values: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        wanted = len(refinement.parameters)
        if len(values) < wanted:
            then(Typed(refinement, values), trail)
            return
        rest = values[wanted:]
        taken = Several((*values[:wanted], *(trail.store[cell] for cell in refinement.cells)))
        self._check(taken, refinement.takes, trail, span)
        given = self._conversion.terms_of(taken, refinement.takes.type)
        pairs = pairs_of(refinement.takes.own, given)
        if refinement.raises is not None:
            raised, failing = self._refinements.fresh(instantiated(refinement.raises, pairs), trail, "exception")
            exception, failing = self._with_cells(raised, failing, refinement.cells)
            self._raise(exception, failing, span)
        result, here = self._refinements.fresh(instantiated(refinement.gives, pairs), trail, refinement.label)
        value, here = self._with_cells(result, here, refinement.cells)
        if rest:
            self._apply(_function(value), rest, here, span, then)
        else:
            then(value, here)

    def _with_cells(self, value: Value, trail: Trail, cells: tuple[int, ...]) -> tuple[Value, Trail]:
        """The result without the contents of references, which are stored."""
        if not cells:
            return value, trail
        if not isinstance(value, Several):
            raise InternalError("results without the contents of references")
        for cell, content in zip(cells, value.items[1:], strict=True):
            trail = trail.holding(cell, content)
        return value.items[0], trail

    def _apply_foreign(
        self, function: Foreign, arguments: tuple[Value, ...], trail: Trail, span: Span, then: Then
    ) -> None:
        """The environment may call what it is given with anything, now and later; it returns or raises anything."""
        parameters, result = uncurried(function.type)
        start = len(function.given)
        for value, each in zip(arguments, parameters[start:], strict=False):
            self._handed_out(value, each, trail, span)
        if self._exceptions:
            raised, failing = self._refinements.fresh(Anything(EXCEPTION), trail, "exception")
            self._raise(raised, failing, span)
        values = (*function.given, *arguments)
        if len(values) < len(parameters):
            then(Foreign(function.type, values), trail)
            return
        found, here = self._refinements.fresh(Anything(result), trail, "returned")
        rest = values[len(parameters) :]
        if rest:
            self._apply(_function(found), rest, here, span, then)
        else:
            then(found, here)

    def _handed_out(self, value: Value, type: Type, trail: Trail, span: Span) -> None:
        self._let_go(value)
        for path, part, _ in self.shapes.inner(type):
            for found in self._conversion.at(value, path):
                if isinstance(part, Arrow):
                    function = found if isinstance(found, Closed | Typed | Foreign) else None
                    if function is None:
                        raise Unsupported("functions inside of data that leaves the program", span)
                    self._called_with_anything(function, part, trail, span)
                elif path and path[-1] == "elements":
                    raise Unsupported("a reference or an array that is given to an unknown function", span)

    def _called_with_anything(self, function: FunctionValue, type: Arrow, trail: Trail, span: Span) -> None:
        self._no_cells(function, trail)
        parameters, _ = uncurried(type)
        here = replace(trail, handler=lambda exception, after: None)
        values: list[Value] = []
        for each in parameters:
            value, here = self._refinements.fresh(Anything(each), here, "anything")
            values.append(value)
        self._apply(function, tuple(values), here, span, lambda value, after: None)

    # Values against types

    def _check(self, value: Value, held: Held, trail: Trail, span: Span) -> None:
        """Clauses that say that the value is of the type."""
        match held:
            case Anything(type):
                self._handed_out(value, type, trail, span)
            case FunctionRefinement():
                self._check_function(_function(value), held, trail, span)
            case Refinement(type, predicate, scope, own, inner):
                self._let_go(value)
                given = self._conversion.terms_of(value, type)
                self._add(predicate(*scope, *given), trail, span)
                pairs = pairs_of(own, given)
                for path, _, only_some in self.shapes.inner(type):
                    wanted = instantiated(inner[path], pairs)
                    changeable = bool(path) and path[-1] == "elements"
                    for found in self._conversion.at(value, path):
                        self._check_part(found, wanted, trail, span, changeable=changeable, some=only_some)

    def _let_go(self, value: Value) -> None:
        """References inside of data that is known by its type only can no longer be followed."""
        for found in _contained(value):
            if isinstance(found, Reference) and found.cell is not None:
                raise Escapes(self._cells[found.cell][0])

    def _check_part(
        self, found: Value | Held, wanted: Held, trail: Trail, span: Span, *, changeable: bool, some: bool
    ) -> None:
        if not isinstance(found, Anything | Refinement | FunctionRefinement):
            self._check(found, wanted, trail, span)
            return
        if found is wanted:
            return
        value, here = self._refinements.fresh(found, trail, "element")
        self._check(value, wanted, here, span)
        if changeable:
            # What is stored through one of the two names is read through the other.
            other, there = self._refinements.fresh(wanted, trail, "element")
            self._check(other, found, there, span)

    def _check_function(self, function: FunctionValue, wanted: FunctionRefinement, trail: Trail, span: Span) -> None:
        """The function does, for all arguments that the type allows, what the type promises."""
        if isinstance(function, Typed) and function.refinement is wanted:
            return
        for cell in _cells_of([function], trail):
            if cell not in wanted.cells:
                raise Escapes(self._cells[cell][0])
        taken, here = self._refinements.fresh(wanted.takes, replace(trail, store={}), "argument")
        if not isinstance(taken, Several):
            raise InternalError("arguments are a tuple")
        count = len(wanted.parameters)
        own = self._conversion.terms_of(taken, wanted.takes.type)
        self._arguments_taken(wanted, own)
        pairs = pairs_of(wanted.takes.own, own)
        here = replace(here, store=dict(zip(wanted.cells, taken.items[count:], strict=True)))
        gives, raises = instantiated(wanted.gives, pairs), wanted.raises and instantiated(wanted.raises, pairs)

        def ended(held: Held) -> Then:
            def check(value: Value, after: Trail) -> None:
                contents = tuple(after.store[cell] for cell in wanted.cells)
                self._check(Several((value, *contents)) if contents else value, held, after, span)

            return check

        handler = ended(raises) if raises else lambda exception, after: None
        self._apply(function, taken.items[:count], replace(here, handler=handler, splits=0), span, ended(gives))

    def _no_cells(self, function: FunctionValue, trail: Trail) -> None:
        for cell in _cells_of([function], trail):
            raise Escapes(self._cells[cell][0])


_ON_REFERENCES = frozenset((Operator.MAKE_REFERENCE, Operator.CONTENT, Operator.ASSIGN))
_ON_ARRAYS = frozenset(
    (
        Operator.MAKE_ARRAY,
        Operator.ARRAY_LITERAL,
        Operator.ARRAY_LENGTH,
        Operator.ARRAY_GET,
        Operator.ARRAY_SET,
    )
)


def _only_computes(operator: Operator, forbidden: frozenset[Kind]) -> bool:
    if operator in COMPARISONS or operator is Operator.NOT:
        return True
    simple = operator in ARITHMETIC and operator not in (Operator.DIVIDE, Operator.REMAINDER)
    return simple and Kind.OVERFLOW not in forbidden


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


def _function(value: Value) -> FunctionValue:
    if not isinstance(value, Closed | Typed | Foreign):
        raise InternalError("a function is expected")
    return value


def _named(type: Type) -> Named:
    if not isinstance(type, Named):
        raise InternalError(f"{type} is no type by name")
    return type


def _truth(value: Value) -> Formula:
    if not isinstance(value, Scalar):
        raise InternalError("a truth value is expected")
    return value.term


def _number(value: Value) -> Formula:
    if not isinstance(value, Scalar):
        raise InternalError("a number is expected")
    return value.term


def _held(held: Held | None) -> Held:
    if held is None:
        raise InternalError("a reference without content")
    return held


def _fits(term: Formula) -> Formula:
    return terms.conjunction(
        [operations.at_most(terms.integer(SMALLEST), term), operations.at_most(term, terms.integer(LARGEST))]
    )


def _within(index: Formula, length: Formula) -> Formula:
    return terms.conjunction([operations.at_most(ZERO, index), operations.less(index, length)])


def _computes_first(term: Term) -> bool:
    """Whether the function does something before it returns a function."""
    return isinstance(term, Function) and isinstance(term.body.type, Arrow) and not is_pure_value(term.body)


def _contained(value: Value) -> list[Value]:
    """The value and its parts; what functions have captured is no part of them."""
    found = [value]
    for each in found:
        match each:
            case Several(items) | Built(_, items):
                found.extend(items)
            case OneOf(_, arguments):
                found.extend(part for parts in arguments.values() for part in parts)
            case _:
                pass
    return found


def _reached(values: list[Value], trail: Trail | None = None) -> list[Value]:
    """The values, and those that their functions have captured."""
    found: list[Value] = []
    seen: set[int] = set()
    stack = list(reversed(values))
    while stack:
        value = stack.pop()
        if id(value) in seen:
            continue
        seen.add(id(value))
        found.append(value)
        match value:
            case Several(items) | Built(_, items):
                stack.extend(reversed(items))
            case Closed(_, environment, given):
                stack.extend([*reversed(given), *reversed(list(environment.values()))])
            case Typed(_, given) | Foreign(_, given):
                stack.extend(reversed(given))
            case Reference(int(cell), _) if trail is not None:
                stack.append(trail.store[cell])
            case OneOf(_, arguments):
                stack.extend(part for each in arguments.values() for part in reversed(each))
            case _:
                pass
    return found


def _variables(values: object, conversion: Conversion) -> tuple[Formula, ...]:
    """The variables that the values speak of, each once: what a type that stands here may mention."""
    found: dict[int, Formula] = {}
    for value in _reached(list(values)):  # type: ignore[call-overload]
        for term in _own_terms(value):
            for variable in walk.free_variables(term):
                found.setdefault(terms.identity(variable), variable)
        if isinstance(value, Typed):
            for term in value.refinement.takes.scope:
                for variable in walk.free_variables(term):
                    found.setdefault(terms.identity(variable), variable)
    return tuple(found.values())


def _own_terms(value: Value) -> list[Formula]:
    match value:
        case Scalar(term):
            return [term]
        case Text(length) | Elements(length):
            return [length]
        case _:
            return [part for part in (getattr(value, "size", None), getattr(value, "tag", None)) if part is not None]


def _cells_of(values: list[Value], trail: Trail) -> tuple[int, ...]:
    """The references that are followed and that the values can reach, functions that have types included."""
    found: dict[int, None] = {}
    for value in _reached(list(values), trail if trail.store else None):
        if isinstance(value, Reference) and value.cell is not None:
            found[value.cell] = None
        if isinstance(value, Typed):
            found.update(dict.fromkeys(value.refinement.cells))
    return tuple(found)
