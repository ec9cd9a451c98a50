"""What is known of one object: its number, its attributes, its fields, and the attributes of the pointers in these."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property

from sorrel.linked.regions import Region
from sorrel.model.values import dataclass
from sorrel.program.construction import binary, unbounded
from sorrel.program.expression import Conditional, Constant, Expression, Operator, Variable
from sorrel.program.relation import Relation
from sorrel.program.statement import Assign, Assume, Choice, Havoc, Statement
from sorrel.program.types import UNBOUNDED, Array, Type

NOTHING = Constant(0, UNBOUNDED)


@dataclass(frozen=True, slots=True)
class Attribute:
    """A number that belongs to an object from when it is made: `data` (1 if there is none), and what `link` has.

    With neither a link nor data it would be the constant 1.
    """

    data: Variable | None = None
    link: Variable | None = None

    @property
    def name(self) -> str:
        parts = [each.name for each in (self.data, self.link) if each is not None]
        return ".".join(["attribute", *parts])


@dataclass(frozen=True)
class Shape:
    """How the objects of a region are described."""

    region: Region
    attributes: tuple[Attribute, ...] = ()

    def carried(self, pointer: Variable) -> tuple[Variable, ...]:
        """The attributes that travel with a pointer, as variables beside it."""
        return tuple(Variable(f"{pointer.name}.{each.name}", UNBOUNDED) for each in self.attributes)

    def record(self, name: str) -> Record:
        """Variables for one object."""
        key = Variable(f"{name}.number", UNBOUNDED)
        fields = {each: Variable(f"{name}.{each.name}", _element(each)) for each in self.region.fields}
        return Record(self, key, fields)

    @cached_property
    def relation(self) -> Relation:
        """All that objects of the region ever were."""
        record = self.record(self.region.name)
        return Relation(self.region.name, (record.key, *record.own), record.contents)

    @property
    def counter(self) -> Variable:
        """The number of the next object that is made, one after the other."""
        return Variable(f"{self.region.name}.next", UNBOUNDED)


@dataclass(frozen=True)
class Record:
    shape: Shape
    key: Variable
    fields: Mapping[Variable, Variable]

    @cached_property
    def own(self) -> tuple[Variable, ...]:
        return self.shape.carried(self.key)

    def carried(self, field: Variable) -> tuple[Variable, ...]:
        """The attributes of the pointer in a field; none of what is no pointer into the region."""
        return self.shape.carried(self.fields[field]) if field in self.shape.region.links else ()

    @cached_property
    def contents(self) -> tuple[Variable, ...]:
        return tuple(each for field in self.fields for each in (self.fields[field], *self.carried(field)))

    @property
    def variables(self) -> tuple[Variable, ...]:
        return (self.key, *self.own, *self.contents)

    def keep(self) -> Statement:
        return self.shape.relation.keep(self.variables)

    def recall(self, pointer: Variable) -> list[Statement]:
        """What the pointer leads to, as it was at some time."""
        keys = (pointer, *self.shape.carried(pointer))
        taken = [Assign(mine, given) for mine, given in zip((self.key, *self.own), keys, strict=True)]
        return [*taken, self.shape.relation.recall(keys, self.contents)]

    def anything(self, *, own: bool) -> list[Statement]:
        """Any contents; with `own` any attributes, too."""
        open_parts = (*(self.own if own else ()), *self.contents)
        return [Havoc(part, Choice.ABSTRACTION, "an object") for part in open_parts]

    def seal(self) -> list[Statement]:
        """What was guessed when the object was made are its attributes, by what it holds now.

        A pointer counts only if its object was made earlier: so attributes are defined one after the other, and there
        is always one guess that is right.
        """
        return [
            Assume(binary(Operator.EQUAL, mine, self._defined(position)), "") for position, mine in enumerate(self.own)
        ]

    def _defined(self, position: int) -> Expression:
        attribute = self.shape.attributes[position]
        start: Expression = Constant(1, UNBOUNDED)
        if attribute.data is not None:
            start = unbounded(self.fields[attribute.data])
        if attribute.link is None:
            return start
        link = self.fields[attribute.link]
        earlier = binary(
            Operator.AND,
            binary(Operator.LESS, NOTHING, link),
            binary(Operator.LESS, link, self.key),
        )
        rest = Conditional(earlier, self.carried(attribute.link)[position], NOTHING, UNBOUNDED)
        return binary(Operator.ADD, start, rest)


def _element(array: Variable) -> Type:
    if not isinstance(array.type, Array):
        raise TypeError(f"{array.name} is not an array")
    return array.type.element
