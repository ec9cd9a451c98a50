"""The method that is being translated, and what all methods share."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from enum import StrEnum

from sorrel.frontends.blocks import Builder
from sorrel.frontends.java.classes import Classes, Field, Method
from sorrel.frontends.java.types import JavaType, Primitive, Reference, program_type
from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import FALSE, binary, every, negation
from sorrel.program.expression import Apply, Binary, Constant, Expression, Operator, Variable
from sorrel.program.statement import Assign, Assume, Statement
from sorrel.program.traversal import free_variables, subexpressions
from sorrel.program.types import BOOLEAN as TRUTH
from sorrel.program.types import UNBOUNDED, Type

MOST_NODES = 16
"""Parts of a definition that is put in place of its variable."""
OPEN = "?"
"""How the name of a function begins that has one meaning in Java, which is not modelled: a run that asks for its value
proves nothing."""
THROWS = "nothing is thrown"
"""Why a run is not looked at that ends with an exception: it returns nothing that a law could speak about."""


@dataclass(frozen=True, slots=True)
class Value:
    """What an expression of Java stands for."""

    expression: Expression
    type: JavaType


@dataclass(frozen=True, slots=True)
class Local:
    variable: Variable
    type: JavaType
    stable: bool
    """Whether it keeps the value that it is declared with."""
    meaning: Expression | None = None
    """What it always stands for, if that is short and never changes: whoever reads it need not be handed it on."""


class ZeroUse(StrEnum):
    """Zeros have a sign, which is not modelled, and which matters only if some are negative and some are told apart."""

    MADE = "made"
    TOLD_APART = "told apart"


@dataclass(eq=False)
class Translation:
    """The whole program: what is left to translate, and what was taken for granted."""

    classes: Classes
    entry: Method
    shared_receiver: bool
    """All runs of the entry have the same receiver, which laws do not speak about: the comparator itself."""
    narrow: bool = False
    """Runs that need what is not modelled are not looked at: violations are real, and nothing is proved."""
    tested: tuple[JavaType, ...] = ()
    """The types that objects are tested for or cast to, which is known of what is declared with them."""
    assumptions: dict[Premise, None] = field(default_factory=dict)
    pure: dict[str, None] = field(default_factory=dict)
    literals: dict[str, None] = field(default_factory=dict)
    negative_zeros: set[ZeroUse] = field(default_factory=set)
    fresh: Span | None = None
    """Where an object is made of which it is not modelled whether it is a new one."""
    identity: Span | None = None
    """Where two objects are told apart that may be of this kind."""
    evaluating: list[Field] = field(default_factory=list)
    """Constants that are being computed, each for the one before it."""
    names: dict[str, Method] = field(default_factory=dict)
    pending: list[Method] = field(default_factory=list)

    def assume(self, kind: AssumptionKind, sentence: str) -> None:
        self.assumptions[Premise(kind, sentence)] = None

    @property
    def told(self) -> tuple[Premise, ...]:
        """What was taken for granted."""
        if not self.pure:
            return tuple(self.assumptions)
        sentence = "Methods without a body are pure functions, whose results depend on receiver and arguments only: "
        return (Premise(AssumptionKind.LIBRARY, f"{sentence}{', '.join(self.pure)}."), *self.assumptions)

    def procedure(self, method: Method) -> str:
        """The name of the method's procedure, which is going to be translated if it was not yet."""
        for name, known in self.names.items():
            if known is method:
                return name
        name, count = method.name, 1
        while name in self.names:
            count += 1
            name = f"{method.owner}${method.name}" if count == 2 else f"{method.owner}${method.name}{count}"
        self.names[name] = method
        self.pending.append(method)
        return name


class Context:
    """One method: its blocks and variables, the conditions under which the current expression is evaluated, and the
    variables that are known not to be null."""

    def __init__(self, translation: Translation, method: Method, assigned: frozenset[str]) -> None:
        self.translation = translation
        self.method = method
        self.builder = Builder()
        self.locals: dict[str, Variable] = {}
        self.source_names: dict[str, str] = {}
        self._assigned = assigned
        self._scopes: list[dict[str, Local]] = [{}]
        self._counts: dict[str, int] = {}
        self._guards: list[Expression] = []
        self._present: set[Expression] = set()
        self._constant_parameters: set[Variable] = set()
        self._early: dict[Apply, Variable] = {}
        self.beginning: list[Statement] = []

    @property
    def classes(self) -> Classes:
        return self.translation.classes

    # Variables

    def declare(self, name: str, type: JavaType) -> Local:
        variable = Variable(self._unique(name), program_type(type))
        if variable.name != name:
            self.source_names[variable.name] = name
        self.locals[variable.name] = variable
        local = Local(variable, type, name not in self._assigned)
        self._scopes[-1][name] = local
        return local

    def define(self, local: Local, name: str, value: Expression) -> None:
        """A variable that keeps its value, if its definition is short and made of what keeps its value, too."""
        nodes = list(subexpressions(value))
        is_plain = not any(isinstance(node, Apply) and node.arguments for node in nodes)
        if local.stable and is_plain and len(nodes) <= MOST_NODES and self._is_stable(value):
            self._scopes[-1][name] = replace(local, meaning=value)

    def parameter(self, name: str, type: JavaType) -> Variable:
        variable = Variable(name, program_type(type))
        self._counts[name] = 1
        stable = name not in self._assigned
        self._scopes[-1][name] = Local(variable, type, stable)
        if stable:
            self._constant_parameters.add(variable)
        return variable

    def find(self, name: str) -> Local | None:
        return next((scope[name] for scope in reversed(self._scopes) if name in scope), None)

    @contextmanager
    def scope(self) -> Iterator[None]:
        self._scopes.append({})
        yield
        self._scopes.pop()

    def temporary(self, hint: str, type: Type) -> Variable:
        """A variable of ours; the dot keeps it from being the user's."""
        variable = Variable(self._unique(f"{hint}.value"), type)
        self.locals[variable.name] = variable
        return variable

    def _unique(self, name: str) -> str:
        self._counts[name] = self._counts.get(name, 0) + 1
        return name if self._counts[name] == 1 else f"{name}.{self._counts[name]}"

    def saved(self, value: Expression, hint: str, span: Span) -> Expression:
        """The value now, whatever happens to its variables later."""
        if isinstance(value, Constant) or not free_variables(value):
            return value
        kept = self.temporary(hint, value.type)
        self.builder.emit(Assign(kept, value, span))
        return kept

    # Conditions

    @contextmanager
    def under(self, condition: Expression) -> Iterator[None]:
        """What is evaluated only if the condition holds."""
        before = set(self._present)
        self._guards.append(condition)
        match condition:
            case Binary(Operator.DIFFERENT, reference, Constant(0)):
                self._present.add(reference)
            case _:
                pass
        yield
        self._guards.pop()
        self._present = before

    @contextmanager
    def branch(self) -> Iterator[None]:
        """What happens on one way only: what is learned there is not known elsewhere."""
        before = set(self._present)
        yield
        self._present = before

    def require(self, condition: Expression, span: Span, reason: str = THROWS) -> None:
        """Runs in which the condition is false are not looked at, if they come here at all."""
        for guard in reversed(self._guards):
            condition = binary(Operator.IMPLIES, guard, condition)
        self.builder.emit(Assume(condition, reason, span))

    def require_object(self, reference: Expression, span: Span) -> None:
        """Following null throws an exception."""
        if reference in self._present or (isinstance(reference, Apply) and not reference.arguments):
            return
        self.require(binary(Operator.DIFFERENT, reference, Constant(0, UNBOUNDED)), span)
        if self._is_stable(reference):
            self._present.add(reference)

    def _is_stable(self, expression: Expression) -> bool:
        stable = {local.variable for scope in self._scopes for local in scope.values() if local.stable}
        stable |= {*self._early.values()}
        return all(variable in stable for variable in free_variables(expression))

    # Functions of which nothing is known

    def function(self, name: str, arguments: Sequence[Expression], type: JavaType, span: Span) -> Value:
        """The value of a pure function, with what is known of every value of its type."""
        applied = Apply(name, tuple(arguments), program_type(type))
        if not name.startswith(OPEN) and self._is_known_at_start(applied):
            return Value(self._at_start(applied, type, span), type)
        result = Value(applied, type)
        self.typed(result, span)
        return result

    def open(self, name: str, arguments: Sequence[Expression], type: JavaType, span: Span) -> Value:
        """A value that is one in Java, and of which nothing is known here but its type."""
        if self.translation.narrow:
            self.require(FALSE, span, "")
        return self.function(f"{OPEN}{name}", arguments, type, span)

    def _is_known_at_start(self, applied: Apply) -> bool:
        known = {*self._constant_parameters, *self._early.values()}
        variables = free_variables(applied)
        return bool(variables) and all(variable in known for variable in variables)

    def _at_start(self, applied: Apply, type: JavaType, span: Span) -> Variable:
        """A function is total, and its values do not change: what it gives for parameters is asked for at once, and
        known to be one value wherever it is needed."""
        if applied not in self._early:
            member = applied.function.rpartition(".")[2]
            variable = self.temporary(member, applied.type)
            self._early[applied] = variable
            self.source_names[variable.name] = self._shown(applied)
            self.beginning.append(Assign(variable, applied, span))
            known = self._range(Value(variable, type))
            self.beginning += [Assume(known, "", span)] if known else []
        return self._early[applied]

    def _shown(self, applied: Apply) -> str:
        """As the user writes it: o1.size, o1.get(0)."""
        texts = [self._text(argument) for argument in applied.arguments]
        _, dot, member = applied.function.rpartition(".")
        rest = f"({', '.join(texts[1:])})" if len(texts) > 1 else ""
        return f"{texts[0]}.{member}{rest}" if dot else f"{applied.function}({', '.join(texts)})"

    def _text(self, argument: Expression) -> str:
        match argument:
            case Variable(name):
                return self.source_names.get(name, name)
            case Constant(value):
                return str(value)
            case _:
                return "…"

    def typed(self, value: Value, span: Span) -> None:
        known = self._range(value)
        if known is not None:
            self.require(known, span, "")

    def _range(self, value: Value) -> Expression | None:
        """Constants of an enumeration are numbered from 1; an object is of the type that it is declared with."""
        facts: list[Expression] = []
        known = self.classes.get(value.type)
        if known is not None and known.is_enum:
            facts.append(binary(Operator.AT_MOST, Constant(0, UNBOUNDED), value.expression))
            facts.append(binary(Operator.AT_MOST, value.expression, Constant(len(known.constants), UNBOUNDED)))
        if not isinstance(value.type, Primitive):
            facts += self._instance_facts(value)
        return every(facts) if facts else None

    def _instance_facts(self, value: Value) -> Iterator[Expression]:
        is_null = binary(Operator.EQUAL, value.expression, Constant(0, UNBOUNDED))
        for type in self.translation.tested:
            is_one = self.classes.is_instance(value.type, type)
            if is_one is not None:
                test = self.instance_test(value.expression, type)
                yield binary(Operator.OR, is_null, test if is_one else negation(test))

    def instance_test(self, reference: Expression, type: JavaType) -> Expression:
        """Whether an object that is not null is of the type; whether it is of one of Java's own is not modelled."""
        unknown = self.classes.of_java(type) and not self.classes.is_final_of_java(type)
        return Apply(f"{OPEN if unknown else ''}instanceof {type}", (reference,), TRUTH)

    def this(self) -> Value:
        local = self.find("this")
        type = Reference(self.method.owner)
        return Value(local.variable, type) if local else Value(Apply("this", (), UNBOUNDED), type)

    def note(self, span: Span, sentence: str) -> None:
        self.translation.assume(AssumptionKind.OTHER, f"{span.file}:{span.line}: {sentence}")
