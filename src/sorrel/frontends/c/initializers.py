"""The first value of an object: all that its initialiser gives, zero for the rest."""

from __future__ import annotations

from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.cells import path_cell
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.operations import number, to_type
from sorrel.frontends.c.subobjects import Given, Initial, Parts, Steps, initial
from sorrel.frontends.c.types import INT, Array, Floating, Integer, Pointer, Record, Void, leaves
from sorrel.frontends.c.values import UNKNOWN, Place, PointerValue, Value
from sorrel.model.errors import InternalError, Span
from sorrel.program.construction import zero
from sorrel.program.expression import Constant

_ZEROED_ONE_BY_ONE = 256


class Initializers:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator

    def initialize(self, object: Object, node: syntax.Expression, span: Span) -> None:
        """Gives a whole object its value: what a list leaves out is zero.

        All values come first: they may read what the object, a compound literal, held the last time.
        """
        plan = initial(object.in_source, node)
        leaves = list(plan.leaves())
        wanted = {id(given) for _, given in leaves}
        counting = [given for given in plan.given if id(given) in wanted]
        self._refuse_lost_effects(plan, wanted)
        keeping = self._evaluator.keeping
        values = keeping.sequence([partial(self._value, given) for given in counting], span)
        position = self._context.builder.position()
        if isinstance(plan.root, Parts) or isinstance(object.type, Array):
            self.zero(object, span)
        kept = [keeping.keep(value, position, span) for value in values]
        of_given = {id(given): value for given, value in zip(counting, kept, strict=True)}
        place = self._memory.object_place(object)
        for steps, given in leaves:
            self._write(self._part(place, steps, given.value.span), given, of_given.get(id(given), UNKNOWN))

    def _refuse_lost_effects(self, plan: Initial, wanted: set[int]) -> None:
        for given in plan.given:
            if id(given) not in wanted and self._evaluator.has_effects(given.value):
                # Whether it is evaluated is not specified.
                raise Unsupported("an initialiser with an effect that a later one replaces", given.value.span)

    def _value(self, given: Given) -> Value:
        if isinstance(given.type, Array):
            return UNKNOWN  # the characters of a string
        if isinstance(given.type, Record):
            return self._evaluator.value(given.value)
        return self._evaluator.converted(given.value, given.type)

    def _part(self, place: Place, steps: Steps, span: Span) -> Place:
        for key in steps:
            if isinstance(key, int):
                place = self._memory.element(place, number(key))
            else:
                place = self._memory.member(place, key, span)
        return place

    def _write(self, place: Place, given: Given, value: Value) -> None:
        if isinstance(given.type, Array):
            self._write_string(place, given.type, given.value)
        elif not isinstance(given.type, Floating):
            self._memory.initialize(place, value, given.value.span)

    def _write_string(self, place: Place, type: Array, literal: syntax.Expression) -> None:
        """What is too long for the array is left out, the zero at the end first."""
        if not isinstance(type.element, Integer) or not isinstance(literal, syntax.StringLiteral):
            raise InternalError(f"{literal.span}: a string for {type}")
        machine = type.element.machine
        for position, character in enumerate(literal.characters[: type.length]):
            if character:
                at = self._memory.element(place, number(position))
                self._memory.initialize(at, Constant(machine.wrap(character), machine), literal.span)

    def zero(self, object: Object, span: Span) -> None:
        layout = self._context.layout
        for leaf in leaves(object.type):
            cell = path_cell(self._context.translation.points_to.cell(object), leaf.path)
            storage = layout.storage(object, leaf.path)
            if cell.blurred:
                continue
            if not (cell.pointed and layout.region(cell).flat):
                for variable in storage.components:
                    self._context.assign(variable, zero(variable.type), span)
                continue
            self._zero_flat(object, leaf.path, leaf.count, span)

    def _zero_flat(self, object: Object, path: tuple[str, ...], count: int, span: Span) -> None:
        total = self._memory.total_length(object)
        if not isinstance(total, Constant) or int(total.value) * count > _ZEROED_ONE_BY_ONE:
            raise Unsupported("a large initialised array among many objects", span)
        place = self._memory.kept_place(object, path)
        for position in range(int(total.value) * count):
            at = Place(place.root, place.cell, place.path, place.type, (), number(position))
            if isinstance(at.type, Pointer):
                self._memory.replace(at, PointerValue(None), span)
            elif not isinstance(at.type, Floating | Void | Record | Array):
                self._memory.replace(at, to_type(Constant(0, INT.machine), at.type), span)
