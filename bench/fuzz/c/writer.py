"""Draws expressions and places of a program that is being written, and remembers which constructs it used."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from random import Random
from typing import TypeVar

from bench.fuzz.c.scope import Function, Page, Scope, bounds
from bench.fuzz.c.shapes import ArrayOf, Bits, Object, Place, Record, Scalar, Shape
from bench.fuzz.c.values import (
    INT,
    INTEGER_TYPES,
    SIZE,
    Expression,
    IntegerType,
    binary,
    cast,
    chosen,
    constant,
    converted,
    unary,
)

Item = TypeVar("Item")
_BOUNDS = ((0, 9), (-9, 9), (0, 100), (-5, 20))
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")


class Writer:
    """`tag` ends every name of file scope, so that many programs can be compiled as one file."""

    def __init__(self, chance: Random, tag: str) -> None:
        self.chance = chance
        self.constructs: set[str] = set()
        self.headers: set[str] = set()
        self.definitions, self.variables, self.functions = Page(), Page(), Page()
        self.page = Page(depth=1)
        self.scope = Scope()
        self.globals = self.scope
        self._tag = tag
        self._names = 0
        self._bounds = {type.name: self._drawn_bounds(type) for type in INTEGER_TYPES}

    def _drawn_bounds(self, type: IntegerType) -> Scalar:
        """The same for all objects of a type in this program; what is not signed may use all of it."""
        if not type.signed and self.one_in(4 if type.bits <= 8 else 16):
            return Scalar(type, type.low, type.high)
        return bounds(type, *self.pick(_BOUNDS))

    # Chance

    def one_in(self, number: int) -> bool:
        return self.chance.randrange(number) == 0

    def pick(self, items: Sequence[Item]) -> Item:
        return self.chance.choice(items)

    def number(self, low: int, high: int) -> int:
        return self.chance.randint(low, high)

    # Names and types

    def local(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def file(self, stem: str) -> str:
        """A name of file scope."""
        return f"{self.local(stem)}_{self._tag}"

    def used(self, *constructs: str) -> None:
        self.constructs.update(constructs)

    def scalar(self, type: IntegerType | None = None) -> Scalar:
        found = type or self.pick((*INTEGER_TYPES, INT, INT, INT))
        return self._bounds[found.name]

    # Expressions without side effects

    def expression(self, depth: int = 2) -> Expression:
        for _ in range(20):
            found = self._leaf() if depth <= 0 or self.one_in(4) else self._composed(depth)
            if found is not None:
                return found
        return self.constant()

    def constant(self) -> Expression:
        return constant(self.number(-3, 12))

    def _leaf(self) -> Expression:
        if not self.one_in(4) and (place := self.place()):
            return place.value
        if self.one_in(12):
            self.used("character constant")
            letter = self.pick("aZ09 ")
            return Expression(f"'{letter}'", INT, ord(letter), ord(letter))
        if self.one_in(14):
            self.used("sizeof")
            type = self.pick(INTEGER_TYPES)
            size = max(type.bits // 8, 1)
            return Expression(f"sizeof({type.name})", SIZE, size, size)
        return self.constant()

    def _composed(self, depth: int) -> Expression | None:
        forms: list[tuple[int, Callable[[int], Expression | None]]] = [
            (8, self._sum),
            (2, self._scaled),
            (2, self._divided),
            (3, self.condition),
            (2, self._conditional),
            (2, self._cast),
            (1, self._unary),
            (1, self._shift),
            (1, self._masked),
            (1, self._guarded_division),
        ]
        (form,) = self.chance.choices([form for _, form in forms], [weight for weight, _ in forms])
        return form(depth - 1)

    def _sum(self, depth: int) -> Expression | None:
        return binary(self.expression(depth), self.pick("+-"), self.expression(depth))

    def _scaled(self, depth: int) -> Expression | None:
        self.used("multiplication")
        other = self.expression(0) if self.one_in(8) else constant(self.number(2, 5))
        return binary(self.expression(depth), "*", other)

    def _divided(self, depth: int) -> Expression | None:
        operator = self.pick("/%")
        self.used("division" if operator == "/" else "remainder")
        divisor = constant(self.pick((2, 3, 4, 5, 7, -3)))
        return binary(self.expression(depth), operator, divisor)

    def _guarded_division(self, depth: int) -> Expression | None:
        """By a number that is not known, and not zero where it divides."""
        dividend, divisor = self.expression(depth), self.expression(0)
        if divisor.is_constant or not dividend.type.signed or not divisor.type.signed or dividend.type != divisor.type:
            return None
        self.used("division", "?:")
        largest = max(abs(dividend.low), abs(dividend.high))
        text = f"({divisor.text} == 0 ? 1 : {dividend.text} / {divisor.text})"
        return Expression(text, dividend.type, -largest, max(largest, 1))

    def condition(self, depth: int = 1) -> Expression:
        form = self.number(0, 5)
        if form == 0 and depth > 0:
            self.used("short circuit")
            operator = self.pick(("&&", "||"))
            return Expression(f"({self.condition(0).text} {operator} {self.condition(0).text})", INT, 0, 1)
        if form == 1:
            return unary("!", self.expression(0)) or constant(1)
        one, operator, other = self.expression(depth), self.pick(_COMPARISONS), self.expression(0)
        return Expression(f"({one.text} {operator} {other.text})", INT, 0, 1)

    def _conditional(self, depth: int) -> Expression:
        self.used("?:")
        return chosen(self.condition(0), self.expression(depth), self.expression(0))

    def _cast(self, depth: int) -> Expression:
        self.used("cast")
        return cast(self.expression(depth), self.pick(INTEGER_TYPES))

    def _unary(self, depth: int) -> Expression | None:
        return unary(self.pick("-~!"), self.expression(depth))

    def _shift(self, depth: int) -> Expression | None:
        operator = self.pick(("<<", ">>"))
        amount = self.expression(0) if self.one_in(4) else constant(self.number(1, 3))
        found = binary(self.expression(depth), operator, amount)
        if found:
            self.used("shift")
        return found

    def _masked(self, depth: int) -> Expression | None:
        """Mostly with a constant, since bits of two unknown numbers are hard."""
        self.used("bit operation")
        other = self.expression(0) if self.one_in(6) else constant(self.pick((1, 3, 7, 15)))
        return binary(self.expression(depth), self.pick("&&&|^"), other)

    # Values that fit

    def fitted(self, value: Expression, scalar: Scalar) -> Expression:
        """A value of the expression's making that the scalar may hold."""
        stored = converted(value, scalar.type)
        if stored.within(scalar.low, scalar.high):
            return value
        low, high = scalar.low, scalar.high
        nonnegative = value.low >= 0
        most = high if nonnegative else min(high, -low)
        if most >= 1 and (reduced := binary(value, "%", constant(most + 1))) and self.one_in(2):
            return reduced
        if most >= 1 and nonnegative and (most + 1) & most == 0 and (masked := binary(value, "&", constant(most))):
            return masked
        signed_like = value.type.signed or low >= 0
        if signed_like and high <= value.type.high and low >= value.type.low:
            other = self.number(low, high)
            test = f"{value.text} > {high}" if value.low >= low else f"{value.text} < {low} || {value.text} > {high}"
            return Expression(f"({test} ? {other} : {value.text})", value.type, low, high)
        return constant(self.number(low, high))

    def value_for(self, scalar: Scalar, depth: int = 1) -> str:
        return self.fitted(self.expression(depth), scalar).text

    # Places

    def index(self, length: int) -> str:
        """Inside an array: a number, or made of what is read only, so that it keeps its meaning."""
        if self.scope.fixed and not self.one_in(3):
            found = self.pick(self.scope.fixed)
            if isinstance(found.shape, Scalar):
                if found.shape.low >= 0 and found.shape.high < length:
                    return found.text
                if found.shape.low >= 0:
                    return f"{found.text} % {length}"
        return str(self.number(0, length - 1))

    def place(self, type: IntegerType | None = None, *, writable: bool = False) -> Place | None:
        """A scalar that can be seen here, by some way."""
        candidates = [*self.scope.objects, *self.scope.fixed, *self._pointed()]
        for _ in range(12):
            if not candidates:
                return None
            found = self.inside(self.pick(candidates))
            if found and (type is None or found.scalar.type == type) and (found.writable or not writable):
                return found
        return None

    def _pointed(self) -> list[Object]:
        """What pointers point to."""
        found = []
        for pointer in self.scope.pointers:
            if pointer.length > 1 and self.one_in(2):
                index = self.index(pointer.length)
                found.append(
                    Object(self.pick((f"{pointer.text}[{index}]", f"*({pointer.text} + {index})")), pointer.scalar)
                )
            else:
                found.append(Object(f"*{pointer.text}", pointer.scalar))
        return found

    def inside(self, thing: Object) -> Place | None:
        """Some scalar of an object."""
        text, shape, addressable = thing.text, thing.shape, True
        while True:
            match shape:
                case Scalar():
                    return Place(text, shape, thing.writable, addressable)
                case Bits():
                    return Place(text, shape.scalar, thing.writable, False)
                case ArrayOf(element, length):
                    text, shape = f"{text}[{self.index(length)}]", element
                case Record(members=members):
                    name, shape = self.pick([(name, inner) for name, inner in members if not _is_padding(name, inner)])
                    text = f"{text}.{name}" if name else text

    def target(self) -> Place:
        """Something to write to; a new variable if there is nothing."""
        found = self.place(writable=True)
        if found:
            return found
        scalar, name = self.scalar(), self.local("v")
        self.page.write(f"{scalar.type.name} {name} = {self.number(scalar.low, min(scalar.high, 9))};")
        self.scope.objects.append(Object(name, scalar))
        return Place(name, scalar, True, True)

    def clamp(self, place: Place, after: Expression | None) -> None:
        """Bring back what may have left its bounds; `after` is the value that was stored."""
        scalar = place.scalar
        if after and converted(after, scalar.type).within(scalar.low, scalar.high):
            return
        if scalar == Scalar(scalar.type, scalar.type.low, scalar.type.high):
            return  # the type itself keeps the bounds
        tests = []
        if scalar.low > scalar.type.low:
            tests.append(f"{place.text} < {scalar.low}")
        if scalar.high < scalar.type.high:
            tests.append(f"{place.text} > {scalar.high}")
        self.page.write(f"if ({' || '.join(tests)}) {place.text} = {self.number(scalar.low, min(scalar.high, 9))};")

    # Calls

    def call(self, function: Function) -> str:
        """With arguments that change nothing."""
        return f"{function.name}({', '.join(self.value_for(each) for each in function.parameters)})"


def _is_padding(name: str, shape: Shape) -> bool:
    return not name and isinstance(shape, Bits)
