"""What an expression of C evaluates to, and what it names."""

from __future__ import annotations

from typing import TypeAlias, TypeGuard

from sorrel.frontends.c.cells import Cell
from sorrel.frontends.c.objects import Object
from sorrel.frontends.c.types import CType, Path
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression


@dataclass(frozen=True, slots=True)
class PointerValue:
    """An object's number (0: null) and an offset in base elements; None where the pointer's region needs none.

    The null pointer itself belongs to no region: its cell is None.
    """

    cell: Cell | None
    object: Expression | None = None
    offset: Expression | None = None

    @property
    def known_cell(self) -> Cell:
        """Of a pointer that is not the null pointer itself."""
        if self.cell is None:
            raise InternalError("the null pointer leads to no region")
        return self.cell

    @property
    def known_object(self) -> Expression:
        """Of a pointer into a region of several objects."""
        if self.object is None:
            raise InternalError("a pointer into several objects does not say into which")
        return self.object


@dataclass(frozen=True, slots=True)
class StructureValue:
    """Values by leaf; a leaf that is an array inside the structure has an array expression (or one per component)."""

    leaves: dict[Path, Value]


@dataclass(frozen=True, slots=True)
class ArrayOfPointers:
    """The components of an array of pointers, each an array."""

    cell: Cell
    components: tuple[Expression, ...]


@dataclass(frozen=True, slots=True)
class Unknown:
    """A floating-point number, or nothing at all."""


Value: TypeAlias = Expression | PointerValue | StructureValue | ArrayOfPointers | Unknown
UNKNOWN = Unknown()


def is_expression(value: Value) -> TypeGuard[Expression]:
    """Whether the value is a single number or truth value (or one array of those)."""
    return not isinstance(value, PointerValue | StructureValue | ArrayOfPointers | Unknown)


@dataclass(frozen=True, slots=True)
class Place:
    """A part of an object, or of what a pointer points to.

    `offset` counts base elements of the outermost array around the current part; `lengths` are those of the arrays that
    the part still is, outermost first. `checks` must hold if the place is read or written, not if its address is taken.
    """

    root: Object | PointerValue
    cell: Cell
    path: Path
    type: CType
    lengths: tuple[Expression, ...] = ()
    offset: Expression | None = None
    checks: tuple[Expression, ...] = ()


@dataclass(frozen=True, slots=True)
class UnionMember:
    """`last` is where it is noted which member was written last, this one if it is `number`.

    `single`: there is nothing in the member but the place that was asked about.
    """

    whole: Place
    last: Place
    number: int
    single: bool
