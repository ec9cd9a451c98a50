"""The function that is being translated, and what its parts share."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from sorrel.frontends.blocks import Builder
from sorrel.frontends.c.inputs import Inputs
from sorrel.frontends.c.layout import Layout
from sorrel.frontends.c.linking import Linked, LinkedFunction
from sorrel.frontends.c.objects import Object, Objects
from sorrel.frontends.c.operations import choose, implied
from sorrel.frontends.c.purity import Effects
from sorrel.frontends.c.references import References
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.settings import CSettings, DataModel
from sorrel.frontends.c.syntax import Node
from sorrel.frontends.c.types import Integer
from sorrel.frontends.c.values import PointerValue, StructureValue, Value, is_expression
from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.accesses import with_saved_parts
from sorrel.program.checks import guards
from sorrel.program.construction import TRUE, zero
from sorrel.program.expression import Conditional, Expression, Variable
from sorrel.program.statement import Assert, Assign, Assume, Call, Choice, Havoc, Kind, Observe, Purpose
from sorrel.program.threads import ATOMIC_BEGIN, ATOMIC_END
from sorrel.program.types import Machine, Type


@dataclass(eq=False, slots=True)
class Translation:
    """The whole program."""

    settings: CSettings
    linked: Linked
    objects: Objects
    references: References
    points_to: PointsTo
    layout: Layout
    functions: dict[str, LinkedFunction]
    inputs: Inputs = field(default_factory=Inputs)
    mortal: frozenset[int] = frozenset()  # objects, by identity, that may end while pointers to them are used
    ending: Mapping[str, tuple[Object, ...]] = field(default_factory=dict)  # of those, variables of each function
    ending_inside: Mapping[int, tuple[Object, ...]] = field(default_factory=dict)  # and of each block in one
    watched: bool = False  # whether anything is allocated, or may end too early
    assumptions: dict[Premise, None] = field(default_factory=dict)
    effects: Effects = field(default_factory=Effects)
    heads: dict[str, dict[str, Node]] = field(default_factory=dict)  # by function and label: loops and labels
    _beside: dict[str, list[Object]] = field(default_factory=dict)
    _besides: int = 0

    def assume(self, kind: AssumptionKind, sentence: str, places: Sequence[Span] = ()) -> None:
        self.assumptions[Premise(kind, sentence, tuple(places))] = None

    def beside(self, function: str) -> Sequence[Object]:
        """What belongs to a function and is no variable of the user's: literals, allocations, what references mean."""
        if self._besides != len(self.objects.referents) + len(self.objects.of_node):  # some are met late
            found = [*self.objects.referents.values(), *self.objects.of_node.values()]
            self._beside, self._besides = {}, len(found)
            for each in found:
                self._beside.setdefault(each.function, []).append(each)
        return self._beside.get(function, ())

    @property
    def size_type(self) -> Integer:
        if self.settings.data_model is DataModel.ILP32:
            return Integer(Machine(32, False), 3, "unsigned int")
        return Integer(Machine(64, False), 4, "unsigned long")


class Context:
    """One function: its blocks, its variables, and the conditions under which the current expression is evaluated."""

    def __init__(self, translation: Translation, name: str, taken: set[str], within: str = "") -> None:
        """`within` is the function of the library whose model this is, if it is one."""
        self.translation = translation
        self.name = name
        self.within = within
        self.builder = Builder()
        self.locals: dict[str, Variable] = {}
        self.source_names: dict[str, str] = {}
        self._taken = taken
        self._counts: dict[str, int] = {}
        self._guards: list[Expression] = []

    @property
    def layout(self) -> Layout:
        return self.translation.layout

    def temporary(self, hint: str, type: Type) -> Variable:
        """A new local; its name ends in a number after a dot, so that it is nobody else's."""
        while True:
            self._counts[hint] = self._counts.get(hint, 0) + 1
            name = f"{hint}.{self._counts[hint]}"
            if name not in self._taken:
                return self.local(Variable(name, type))

    def local(self, variable: Variable) -> Variable:
        self._taken.add(variable.name)
        return self.locals.setdefault(variable.name, variable)

    def head(self, label: str, node: Node) -> None:
        """The block with the label begins where the user's loop or label does."""
        self.translation.heads.setdefault(self.name, {})[label] = node

    def assign(self, target: Variable, value: Expression, span: Span) -> None:
        if target != value:
            self.builder.emit(Assign(target, value, span))

    def havoc(self, target: Variable, choice: Choice, source: str, span: Span) -> None:
        self.builder.emit(Havoc(target, choice, source, span))

    def tell_read(self, value: Expression, span: Span) -> None:
        """A value is read, if the expression is evaluated at all; else a constant stands for it, which is set."""
        for guard in reversed(self._guards):
            value = Conditional(guard, value, zero(value.type), value.type)
        self.builder.emit(Observe(value, Purpose.READ, "", span))

    def tell_unset(self, value: Expression, span: Span) -> None:
        self.builder.emit(Observe(value, Purpose.UNSET, "", span))

    def saved(self, value: Expression, hint: str, span: Span) -> Variable:
        """The value now, whatever happens to its variables later."""
        kept = self.temporary(hint, value.type)
        self.assign(kept, value, span)
        return kept

    def saved_write(self, target: Variable, value: Expression, span: Span) -> Expression:
        """What the target is assigned, as it is now; where there are threads, but for what stays as it is: others may
        write that until then."""
        if ATOMIC_BEGIN not in self.translation.functions:
            return self.saved(value, "new", span)
        return with_saved_parts(target, value, lambda part: self.saved(part, "new", span))

    def unused(self, value: Expression, span: Span) -> None:
        """Nobody asks for the value, but it is computed: what can go wrong in that is part of the program."""
        if any(guards(value)):
            for guard in reversed(self._guards):
                value = choose(guard, value, zero(value.type))
            self.saved(value, "unused", span)

    def atomic_section(self, begins: bool, span: Span) -> bool:
        """Begin or end one, if the program has threads; whether it has."""
        marker = ATOMIC_BEGIN if begins else ATOMIC_END
        if marker in self.translation.functions:
            self.builder.emit(Call(marker, (), (), span))
        return marker in self.translation.functions

    def within_section(self, evaluate: Callable[[], Value], span: Span) -> Value:
        """In an atomic section, if there are threads; the value is as it is within, for those who use it after."""
        if not self.atomic_section(True, span):
            return evaluate()
        value = self._held(evaluate(), span)
        self.atomic_section(False, span)
        return value

    def _held(self, value: Value, span: Span) -> Value:
        match value:
            case PointerValue(cell, object, offset):
                parts = [None if each is None else self.saved(each, "value", span) for each in (object, offset)]
                return PointerValue(cell, *parts)
            case StructureValue(leaves):
                return StructureValue({path: self._held(leaf, span) for path, leaf in leaves.items()})
            case _:
                return self.saved(value, "value", span) if is_expression(value) else value

    # Evaluation under a condition

    def push_guard(self, condition: Expression) -> None:
        self._guards.append(condition)

    def pop_guard(self) -> None:
        self._guards.pop()

    def expect(self, condition: Expression, span: Span) -> None:
        """What is known of a value, if it is evaluated at all."""
        for guard in reversed(self._guards):
            condition = implied(guard, condition)
        if condition != TRUE:
            self.builder.emit(Assume(condition, "", span))

    def check(self, condition: Expression, message: str, span: Span, kind: Kind = Kind.BOUNDS) -> None:
        """An access must be within bounds (or as the kind says), if it happens at all."""
        if condition == TRUE:
            return
        for guard in reversed(self._guards):
            condition = implied(guard, condition)
        told = f"{message} in {self.within}" if self.within else message
        self.builder.emit(Assert(condition, kind, told, span))
