"""A program as finite functions: deterministic, over truth values and words, with loops as recursive functions.

A procedure is executed symbolically, block by block; executions that made the same calls are joined where they meet, so
that branches without calls cost no path. Procedures that are not recursive are looked through. Globals are parameters
and results of whoever touches them. An assertion that fails returns at once, with a result of its own that says so.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from sorrel.encode.bitvectors import BitVectors
from sorrel.encode.expressions import Evaluation
from sorrel.encode.finite_states import (
    FAILED,
    Ends,
    Open,
    State,
    Value,
    assuming,
    demand_few,
    determined,
    is_copy,
    joined_states,
    reason_of,
    updated,
)
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.region import writable
from sorrel.encode.scope import Scope
from sorrel.finite.function import Call as FiniteCall
from sorrel.finite.function import FiniteFunction, FiniteProgram, Path, Property
from sorrel.finite.overflow import Overflow
from sorrel.horn.system import CallGraph
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, InternalError, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import binary
from sorrel.program.effects import Effects, effects
from sorrel.program.expression import (
    COMPARISONS,
    Binary,
    Constant,
    Convert,
    Expression,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Goto,
    Havoc,
    Observe,
    Print,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.traversal import free_variables, rewrite, subexpressions
from sorrel.program.types import Array, Boolean, Float, Machine, Real
from sorrel.relate.specification import RESULT as _RETURNED
from sorrel.relate.specification import UNNAMED, read_formula

RESULT = "result"
_SELECTOR = Machine(16, False)


@dataclass(frozen=True, slots=True, eq=False)
class _Shape:
    """How a procedure is seen from outside: globals that it reads are parameters, those that it writes are results."""

    procedure: Procedure
    reads: tuple[Variable, ...]
    writes: tuple[Variable, ...]
    may_fail: bool

    @property
    def inputs(self) -> tuple[Variable, ...]:
        return (*self.procedure.parameters, *self.reads)

    @property
    def outputs(self) -> tuple[Variable, ...]:
        return (*self.procedure.outputs, *self.writes)

    def source_name(self, variable: Variable) -> str:
        name = self.procedure.source_names.get(variable.name, variable.name)
        return RESULT if name == _RETURNED else name


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The function that is asked about, with what its parameters and results are called."""

    function: FiniteFunction
    shape: _Shape
    failed: Term | None
    semantics: BitVectors


def finite_program(program: Program, function: str, overflow: Overflow, properties: Sequence[str]) -> FiniteProgram:
    """The functions that the given one needs, itself first, and its assertions and the given properties.

    An input error names what has no such form, and where. Properties speak of the parameters by their names and of
    \\result, as exact numbers. They must hold of each return that violates no assertion.
    """
    functions, subject = _functions(program, function, overflow)
    found: list[Property] = []
    if subject.failed is not None:
        own = terms.negation(subject.failed)
        found.append(Property("assertions", subject.function.name, own, subject.shape.procedure.span))
    for number, text in enumerate(properties):
        expression = within_words(read_formula(text, {UNNAMED: _named(subject)}, "--property"))
        formula = _formula(expression, subject)
        if subject.failed is not None:
            formula = terms.disjunction([subject.failed, formula])
        found.append(Property(f"property_{number}", subject.function.name, formula))
    return FiniteProgram(functions, tuple(found))


def _functions(program: Program, function: str, overflow: Overflow) -> tuple[tuple[FiniteFunction, ...], _Asked]:
    flat, _ = loops_as_procedures(program, _SELECTOR)
    if function not in flat.procedure:
        raise InputError(f"there is no function {function} with a body")
    graph = CallGraph({each.name: each.callees for each in flat.procedures})
    reader = _Reader(flat, graph, function, overflow)
    kept = [name for name in graph.reached(function) if not reader.is_inlined(name)]
    functions = tuple(reader.function(name) for name in kept)
    shape = reader.shapes[function]
    failed = functions[0].results[-1] if shape.may_fail else None
    return functions, _Asked(functions[0], shape, failed, reader.semantics)


def _named(subject: _Asked) -> Mapping[str, Variable]:
    """What a property may speak of, by the user's names; a variable's own name is that of the formal."""
    shape, function = subject.shape, subject.function
    found: dict[str, Variable] = {}
    count = len(function.parameters)
    for variable, formal in zip(shape.inputs, function.parameters, strict=True):
        found[shape.source_name(variable)] = Variable(terms.name(formal), variable.type)
    for variable, formal in zip(shape.outputs, function.formals[count:], strict=False):
        own = Variable(terms.name(formal), variable.type)
        name = shape.source_name(variable)
        found[_RETURNED if name == RESULT else terms.name(formal)] = own
        if name == RESULT:
            found.setdefault(RESULT, own)
    return found


def _formula(expression: Expression, subject: _Asked) -> Term:
    environment = {terms.name(formal): formal for formal in subject.function.formals}
    scope = Scope(Names(environment), Knowledge())
    formula = Evaluation(subject.semantics, environment, scope).run(expression)
    if scope.assumptions or scope.abstractions:
        raise InternalError("a property takes something for granted")
    return formula


def within_words(formula: Expression) -> Expression:
    """Comparisons of exact numbers that are words of one type as comparisons of words: what a reader expects."""

    def change(node: Expression) -> Expression:
        if not isinstance(node, Binary) or node.operator not in COMPARISONS:
            return node
        sides = (node.left, node.right)
        types = {each.operand.type for each in sides if isinstance(each, Convert)}
        if len(types) != 1:
            return node
        (type,) = types
        if not isinstance(type, Machine):
            return node
        left, right = (_as_word(each, type) for each in sides)
        return node if left is None or right is None else binary(node.operator, left, right)

    return rewrite(formula, change)


def _as_word(number: Expression, type: Machine) -> Expression | None:
    match number:
        case Convert(operand) if operand.type == type:
            return operand
        case Constant(value) if type.contains(int(value)):
            return Constant(int(value), type)
        case Unary(UnaryOperator.NEGATE, Constant(value)) if type.contains(-int(value)):
            return Constant(-int(value), type)
        case _:
            return None


class _Reader:
    """What all procedures of the program share."""

    def __init__(self, program: Program, graph: CallGraph, start: str, overflow: Overflow) -> None:
        self.program = program
        self.semantics = BitVectors(program, overflow)
        self._graph = graph
        self._start = start
        touched = effects(program)
        fixed = frozenset(program.initial)
        self.shapes = {each.name: _shape(each, touched[each.name]) for each in program.procedures}
        self._initial = {}
        if fixed & {each.name for each in self.shapes[start].reads}:
            self._initial = self._initial_values()
        names = Names(reserved=FUNCTION_NAMES)
        self.predicates = {each.name: names.fresh(writable(each.name)) for each in program.procedures}

    def is_inlined(self, name: str) -> bool:
        return name not in self._graph.recursive and name != self._start

    def _initial_values(self) -> dict[str, Term]:
        """What globals start with: they are then no parameters of the function, which must not be called again."""
        shape = self.shapes[self._start]
        if self._start in self._graph.recursive:
            raise InputError(
                f"{self._start} calls itself and depends on what globals start with: not supported",
                shape.procedure.span,
                hint="Make them parameters.",
            )
        used = {each.name for each in shape.reads}
        values = {}
        for name, value in self.program.initial.items():
            if name in used:
                values[name] = Evaluation(self.semantics, {}, Scope(Names(), Knowledge())).run(value)
        self.shapes[self._start] = replace(shape, reads=tuple(each for each in shape.reads if each.name not in values))
        return values

    def function(self, name: str) -> FiniteFunction:
        shape = self.shapes[name]
        names = Names((*self.predicates.values(), *FUNCTION_NAMES))
        parameters = tuple(self._formal(names, shape, each, "") for each in shape.inputs)
        results = [self._formal(names, shape, each, "!after") for each in shape.outputs]
        if shape.may_fail:
            results.append(names.variable(FAILED, terms.BOOL))
        environment: dict[str, Value] = {**self._initial} if name == self._start else {}
        environment |= {each.name: formal for each, formal in zip(shape.inputs, parameters, strict=True)}
        ends = _Executor(self, names).procedure(name, State(environment))
        paths = self._paths(name, shape, ends)
        return FiniteFunction(self.predicates[name], parameters, tuple(results), paths)

    def _formal(self, names: Names, shape: _Shape, variable: Variable, suffix: str) -> Term:
        _demand_word(variable, shape.procedure.span)
        taken = suffix if variable in shape.inputs else ""
        return names.variable(writable(shape.source_name(variable)) + taken, self.semantics.sort(variable.type))

    def _paths(self, name: str, shape: _Shape, ends: Ends) -> tuple[Path, ...]:
        found = []
        span = shape.procedure.span
        for state in ends.returned:
            values = [determined(state.environment, each, span) for each in shape.outputs]
            values += [terms.FALSE] if shape.may_fail else []
            found.append((state, values))
        for state in ends.failed:
            nothing = [self.semantics.constant(0, each.type) for each in shape.outputs]
            found.append((state, [*nothing, terms.TRUE]))
        return tuple(
            Path(f"{self.predicates[name]}_{number}", state.calls, terms.conjunction(state.guard), tuple(values), span)
            for number, (state, values) in enumerate(found)
        )


def _shape(procedure: Procedure, touched: Effects) -> _Shape:
    reads = dict.fromkeys((*touched.reads, *touched.writes))
    return _Shape(procedure, tuple(reads), touched.writes, touched.may_fail)


def _demand_word(variable: Variable, span: Span) -> None:
    if not isinstance(variable.type, Boolean | Machine):
        kind = "an array" if isinstance(variable.type, Array) else f"of type {variable.type}"
        raise InputError(
            f"{variable.name} is {kind}: not supported in finite functions",
            span,
            hint="Summaries are learned of integers and truth values only.",
        )


class _Executor:
    """The executions of one function of the result, with those of the procedures that it looks through."""

    def __init__(self, reader: _Reader, names: Names) -> None:
        self._reader = reader
        self._names = names

    def procedure(self, name: str, entry: State) -> Ends:
        """`entry` has the values of parameters and globals; locals are open."""
        procedure = self._reader.program.procedure[name]
        waiting: dict[str, list[State]] = {procedure.entry: [entry]}
        ends = Ends([], [])
        for label in reverse_postorder(procedure):
            states = joined_states(waiting.pop(label, []))
            block = procedure.block[label]
            for statement in block.statements:
                states = [after for state in states for after in self._statement(statement, state, ends)]
                demand_few(states, statement.span)
            for state in states:
                for target, after in self._leave(block.terminator, state):
                    (waiting.setdefault(target, []) if target else ends.returned).append(after)
        return Ends(joined_states(ends.returned), joined_states(ends.failed))

    def _statement(self, statement: Statement, state: State, ends: Ends) -> Iterable[State]:
        match statement:
            case Assign(target, value, span):
                return (
                    [updated(state, target, self._carried(state, value, span))]
                    if is_copy(value)
                    else [updated(after, target, term) for after, term in [self._evaluate(state, value, span)]]
                )
            case Havoc(target, choice, source, span):
                return [updated(state, target, Open(reason_of(choice, source, target), span))]
            case Assume(condition, _, span):
                after, term = self._evaluate(state, condition, span)
                return assuming(after, term)
            case Assert(condition, _, _, span):
                after, term = self._evaluate(state, condition, span)
                ends.failed += assuming(after, terms.negation(term))
                return assuming(after, term)
            case Call():
                return self._call(statement, state, ends)
            case Observe() | Print():
                return [state]

    def _leave(self, terminator: Terminator, state: State) -> Iterable[tuple[str, State]]:
        """Where the execution goes on; an empty label is the end of the procedure."""
        match terminator:
            case Goto(target):
                return [(target, state)]
            case Branch(condition, then, otherwise, span):
                after, term = self._evaluate(state, condition, span)
                yes, no = assuming(after, term), assuming(after, terms.negation(term))
                return [*((then, each) for each in yes), *((otherwise, each) for each in no)]
            case Return():
                return [("", state)]
            case Stop():
                return []

    def _carried(self, state: State, variable: Expression, span: Span) -> Value:
        """A copy of a variable may be as open as it is: what matters is whether it is used."""
        name = variable.name if isinstance(variable, Variable) else ""
        return state.environment.get(name, Open(f"{name} is used before it is set", span))

    def _evaluate(self, state: State, expression: Expression, span: Span) -> tuple[State, Term]:
        for node in subexpressions(expression):
            if isinstance(node.type, Array | Real | Float):
                raise InputError(f"a value of type {node.type}: not supported in finite functions", span)
        variables = free_variables(expression)
        for variable in variables:
            _demand_word(variable, span)
        environment = {each.name: determined(state.environment, each, span) for each in variables}
        scope = Scope(self._names, Knowledge())
        term = Evaluation(self._reader.semantics, environment, scope).run(expression)
        if scope.abstractions:
            raise InputError(f"{scope.abstractions[0]}: not supported in finite functions", span)
        return replace(state, guard=(*state.guard, *scope.assumptions)), term

    def _call(self, call: Call, state: State, ends: Ends) -> Iterable[State]:
        shape = self._reader.shapes[call.procedure]
        arguments: dict[str, Value] = {}
        for parameter, argument in zip(shape.procedure.parameters, call.arguments, strict=True):
            if is_copy(argument):
                arguments[parameter.name] = self._carried(state, argument, call.span)
            else:
                state, arguments[parameter.name] = self._evaluate(state, argument, call.span)
        arguments |= {each.name: state.environment[each.name] for each in shape.reads if each.name in state.environment}
        if self._reader.is_inlined(call.procedure):
            inside = self.procedure(call.procedure, replace(state, environment=arguments))
            ends.failed += inside.failed
            return [_received(call, shape, state, after, after.environment) for after in inside.returned]
        return self._made(call, shape, state, arguments, ends)

    def _made(
        self, call: Call, shape: _Shape, state: State, arguments: Mapping[str, Value], ends: Ends
    ) -> Iterable[State]:
        given = tuple(determined(arguments, each, call.span) for each in shape.inputs)
        sorts = [self._reader.semantics.sort(each.type) for each in shape.outputs]
        wishes = [writable(shape.source_name(each)) for each in shape.outputs]
        results = [self._names.variable(*each) for each in zip(wishes, sorts, strict=True)]
        failed = [self._names.variable(FAILED, terms.BOOL)] if shape.may_fail else []
        name = self._reader.predicates[call.procedure]
        made = FiniteCall(terms.conjunction(state.guard), name, given, (*results, *failed))
        after = replace(state, calls=(*state.calls, made), guard=())
        values = dict(zip((each.name for each in shape.outputs), results, strict=True))
        if failed:
            ends.failed += assuming(after, failed[0])
            after = replace(after, guard=(terms.negation(failed[0]),))
        return [_received(call, shape, state, after, values)]


def _received(call: Call, shape: _Shape, caller: State, after: State, values: Mapping[str, Value]) -> State:
    """The caller's variables again, with the results and the globals that were written."""
    environment = dict(caller.environment)
    unset = Open(f"{call.procedure} may return without a value", call.span)
    for target, output in zip(call.results, shape.procedure.outputs, strict=True):
        if target is not None:
            environment[target.name] = values.get(output.name, unset)
    environment |= {each.name: values[each.name] for each in shape.writes}
    return replace(after, environment=environment)
