"""Functions of a law as flows: what their runs do between rests, as terms."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.expressions import Evaluation
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.region import writable
from sorrel.encode.scope import Application, Scope
from sorrel.encode.semantics import Semantics
from sorrel.encode.steps import Explorer, Step, initial_values
from sorrel.encode.survey import semantics_for
from sorrel.encode.trace import Applied, Called, Chosen, Joined, Trace
from sorrel.horn.flow import Applied as AppliedFunction
from sorrel.horn.flow import Edge, Flow, Question, Required
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.program.expression import Expression
from sorrel.program.liveness import open_starts
from sorrel.program.traversal import free_variables, read, written
from sorrel.program.types import Type
from sorrel.program.value import Value
from sorrel.relate.alignment import conjuncts
from sorrel.relate.copies import run_name
from sorrel.relate.product import Product
from sorrel.relate.rests import Course
from sorrel.relate.unrolling import LIMIT


class Flows:
    """The question of a law in one reading of numbers, and values of that reading as the interpreter takes them."""

    def __init__(self, product: Product, courses: Sequence[Course], arithmetic: Arithmetic) -> None:
        self._product = product
        self._courses = courses
        # A unity of programs decides about the widths of bit-vectors; those of one law are alike.
        self._semantics: Semantics = semantics_for(courses[0].program, arithmetic)
        self._names = Names()

    def value(self, term: Term, type: Type) -> Value:
        return self._semantics.value(term, type)

    def question(self) -> Question:
        made: dict[int, Flow] = {}
        for course in self._courses:
            if id(course) not in made:
                made[id(course)] = _Flow(course, self._semantics).result()
        flows = tuple(made[id(course)] for course in self._courses)
        formals, environment = self._formals()
        claim = self._product.claim
        if claim is None:
            raise InternalError("only laws are questions about results")
        required = []
        for part in conjuncts(claim.required):
            about = tuple(environment[v.name] for v in free_variables(part))
            required.append(Required(self._formula(part, formals, environment), about))
        ensured = self._formula(claim.ensured, formals, environment)
        starts, known, chosen = [], list[Term](), []
        shared: dict[str, Term] = {}
        for run, course in enumerate(self._courses):
            values, facts, own = self._start(run, course, shared)
            starts.append(values)
            known += facts
            chosen.append(own)
        return Question(flows, formals, tuple(required), ensured, tuple(starts), tuple(known), tuple(chosen))

    def _formals(self) -> tuple[dict[tuple[int, str], Term], dict[str, tuple[int, str]]]:
        """Variables for the outputs of the runs, and what those of the claim stand for."""
        claim = self._product.claim
        formals: dict[tuple[int, str], Term] = {}
        environment: dict[str, tuple[int, str]] = {}
        for run, (course, variables) in enumerate(zip(self._courses, claim.variables if claim else (), strict=True)):
            for own, variable in zip(course.procedure.outputs, variables, strict=True):
                name = self._names.fresh(writable(f"{run_name(run + 1)}.{own.name}"))
                formals[run, own.name] = terms.variable(name, self._semantics.sort(own.type))
                environment[variable.name] = (run, own.name)
        return formals, environment

    def _formula(
        self,
        expression: Expression,
        formals: Mapping[tuple[int, str], Term],
        environment: Mapping[str, tuple[int, str]],
    ) -> Term:
        scope = Scope(self._names, Knowledge())
        values = {name: formals[key] for name, key in environment.items()}
        found = Evaluation(self._semantics, values, scope).run(expression)
        return terms.conjunction([found, *scope.assumptions]) if scope.assumptions else found

    def _start(
        self, run: int, course: Course, shared: dict[str, Term]
    ) -> tuple[dict[str, Term], list[Term], tuple[tuple[Term, Type], ...]]:
        """Globals with their initial values, the same for all runs; what may be read unwritten is chosen."""
        program = course.program
        values, facts = initial_values(self._semantics, program.globals, program.initial, self._names)
        chosen: list[tuple[Term, Type]] = []
        for each in program.globals:
            if each.name not in program.initial:
                values[each.name] = shared.setdefault(each.name, values[each.name])
                chosen.append((values[each.name], each.type))
        opened = open_starts(course.procedure)
        for each in course.procedure.variables:
            term = self._names.variable(f"{run_name(run + 1)}.{writable(each.name)}", self._semantics.sort(each.type))
            values[each.name] = term
            facts += self._semantics.type_facts(term, each.type)
        chosen += [(values[each.name], each.type) for each in opened]
        return values, facts, tuple(chosen)


class _Flow:
    def __init__(self, course: Course, semantics: Semantics) -> None:
        self._course = course
        self._semantics = semantics
        self._variables = (*course.procedure.variables, *course.program.globals)
        self._types = {v.name: v.type for v in self._variables}

    def result(self) -> Flow:
        course = self._course
        sides = {label for decision in course.decisions.values() for label in (decision.then, decision.otherwise)}
        cuts = frozenset((*course.paths, *course.decisions, *course.loops, *sides, LIMIT))
        explorer = Explorer(self._semantics, course.procedure, cuts, self._variables)
        paths = {label: self._only(explorer, label) for label in course.paths}
        decided = {label: self._sides(explorer, label) for label in course.decisions}
        rounds = {header: self._rounds(header) for header in course.loops}
        sorts = {v.name: self._semantics.sort(v.type) for v in self._variables}
        return Flow(course, paths, decided, rounds, sorts, self._facts)

    def _facts(self, name: str, term: Term) -> list[Term]:
        return self._semantics.type_facts(term, self._types[name])

    def _only(self, explorer: Explorer, label: str) -> Edge:
        """The path that starts at the label; one that cannot be followed has a condition that is false."""
        path = self._course.paths[label]
        among = list(dict.fromkeys(v for s in path.statements for v in (*read(s), *written(s))))
        steps = [step for step in explorer.steps_from(label, among) if step.target == path.rest]
        if not steps:
            return Edge(path.rest, {}, (terms.FALSE,), {}, (), (), (), path.length)
        return self._edge(steps[0], path.length)

    def _sides(self, explorer: Explorer, label: str) -> tuple[Edge, Edge]:
        decision = self._course.decisions[label]
        steps = {step.target: step for step in explorer.steps_from(label, free_variables(decision.condition))}
        never = Edge(label, {}, (terms.FALSE,), {}, (), (), (), 0)
        then, otherwise = (
            self._edge(steps[side], 0) if side in steps else never for side in (decision.then, decision.otherwise)
        )
        return then, otherwise

    def _rounds(self, header: str) -> tuple[Edge, ...] | None:
        loop = self._course.loops[header]
        inner = [other for other in self._course.loops if other != header and other in loop.body]
        if inner:
            return None
        outside = {block.label for block in self._course.procedure.blocks if block.label not in loop.body}
        explorer = Explorer(self._semantics, self._course.procedure, frozenset((header, *outside)), self._variables)
        return tuple(self._edge(step, 0) for step in explorer.steps_from(header) if step.target == header)

    def _edge(self, step: Step, statements: int) -> Edge:
        events = list(_events(step.trace))
        pairs: list[tuple[Term, Term]] = []
        applied: list[AppliedFunction] = []
        for event in events:
            if isinstance(event, Applied):
                made = _function(event.application, pairs)
                applied.append(made)
                pairs.append((event.application.result, made.result))
        conditions = tuple(terms.substitute(c, pairs) for c in (*step.conditions, *step.facts))
        changed = {name: value for name, value in step.values.items() if not terms.same(value, step.start[name])}
        values = {name: terms.substitute(value, pairs) for name, value in changed.items()}
        own = {terms.identity(v) for v in step.start.values()}
        own |= {terms.identity(each.result) for each in applied if not each.arguments}
        chosen = tuple((event.value, event.type) for event in events if isinstance(event, Chosen))
        arguments = [argument for each in applied for argument, _ in each.arguments]
        mentioned = walk.free_variables(*conditions, *values.values(), *arguments, *(value for value, _ in chosen))
        open_ = tuple(v for v in mentioned if terms.identity(v) not in own)
        used = {terms.identity(v) for v in mentioned}
        start = {name: v for name, v in step.start.items() if terms.identity(v) in used}
        return Edge(step.target, start, conditions, values, chosen, tuple(applied), open_, statements)


def _events(trace: Trace | None) -> Iterator[Chosen | Applied]:
    """Everything that happens on some path of the step, first things first; on one path, in its order."""
    found: list[Chosen | Applied] = []
    work = [trace]
    while work:
        event = work.pop()
        match event:
            case None | Called():
                pass
            case Joined(_, then, otherwise):
                work += [otherwise, then]
            case Chosen() | Applied():
                found.append(event)
                work.append(event.before)
    seen: set[int] = set()
    for event in reversed(found):
        if id(event) not in seen:
            seen.add(id(event))
            yield event


def _function(application: Application, pairs: Sequence[tuple[Term, Term]]) -> AppliedFunction:
    """The application with a function of the solver in place of the variable that stands for its value."""
    given = [terms.substitute(argument, pairs) for argument in application.arguments]
    types = [argument.type for argument in application.expression.arguments]
    shown = ",".join(map(str, types))
    name = writable(f"{application.expression.function}({shown}){application.expression.type}")
    sorts = [argument.sort() for argument in given]
    declared = terms.declare(name, sorts, application.result.sort())
    result = terms.apply(declared, given)
    typed = tuple(zip(given, types, strict=True))
    return AppliedFunction(application.expression.function, typed, result, application.expression.type)
