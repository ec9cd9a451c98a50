"""What a point of a generated program can see, and the lines that are written there."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field, replace

from bench.fuzz.c.shapes import Object, Scalar
from bench.fuzz.c.values import IntegerType


@dataclass(frozen=True, slots=True)
class Pointer:
    """A variable that points to a scalar of a type, never null; `length` elements can be reached from it."""

    text: str
    scalar: Scalar
    length: int = 1


@dataclass(frozen=True, slots=True)
class Function:
    """Parameters are numbers between two bounds; `pure` ones neither read nor write what others write."""

    name: str
    parameters: tuple[Scalar, ...]
    result: Scalar
    pure: bool


@dataclass
class Scope:
    """`fixed` are names that are read only: inputs and counters; indices are made of them."""

    objects: list[Object] = field(default_factory=list)
    pointers: list[Pointer] = field(default_factory=list)
    fixed: list[Object] = field(default_factory=list)
    functions: list[Function] = field(default_factory=list)
    in_loop: bool = False
    result: Scalar | None = None  # of the function that we are in, if it is not main

    def child(self, *, in_loop: bool | None = None) -> Scope:
        return replace(
            self,
            objects=list(self.objects),
            pointers=list(self.pointers),
            fixed=list(self.fixed),
            functions=self.functions,
            in_loop=self.in_loop if in_loop is None else in_loop,
        )


@dataclass
class Page:
    """Lines with their depth."""

    lines: list[str] = field(default_factory=list)
    depth: int = 0

    def write(self, line: str) -> None:
        self.lines.append("  " * self.depth + line)

    @contextmanager
    def block(self, head: str, tail: str = "}") -> Iterator[None]:
        self.write(f"{head} {{" if head else "{")
        self.depth += 1
        yield
        self.depth -= 1
        self.write(tail)


def bounds(type: IntegerType, low: int, high: int) -> Scalar:
    """A scalar of the type, with bounds cut down to what it holds."""
    return Scalar(type, max(low, type.low), min(high, type.high))
