"""Expressions of C, one class for each construct. Parentheses are not kept: the tree's shape says what they say."""

from __future__ import annotations

from enum import Enum

from sorrel.frontends.c.syntax.node import Node
from sorrel.frontends.c.types import CType, Pointer
from sorrel.model.values import dataclass
from sorrel.program.expression import Operator


class UnaryOperator(Enum):
    PLUS = "+"
    MINUS = "-"
    COMPLEMENT = "~"
    NOT = "!"


class LogicalOperator(Enum):
    """Those whose right operand is evaluated only sometimes."""

    AND = "&&"
    OR = "||"


class StepOperator(Enum):
    POST_INCREMENT = "x++"
    POST_DECREMENT = "x--"
    PRE_INCREMENT = "++x"
    PRE_DECREMENT = "--x"

    @property
    def increments(self) -> bool:
        return self in (StepOperator.POST_INCREMENT, StepOperator.PRE_INCREMENT)

    @property
    def comes_first(self) -> bool:
        """Whether the value is that after the step."""
        return self in (StepOperator.PRE_INCREMENT, StepOperator.PRE_DECREMENT)


@dataclass(frozen=True, eq=False, slots=True)
class Expression(Node):
    """`type` is what clang found, except that arrays and functions that arrive as parameters are pointers."""

    type: CType


# Constants


@dataclass(frozen=True, eq=False, slots=True)
class IntegerConstant(Expression):
    """A number, a character, a constant of an enumeration, or what the compiler computed."""

    value: int


@dataclass(frozen=True, eq=False, slots=True)
class FloatingConstant(Expression):
    """A number with a fraction: of its type, if that is float or double; None: the parser does not tell."""

    value: float | None


@dataclass(frozen=True, eq=False, slots=True)
class StringLiteral(Expression):
    """`characters` are code units, without the zero at the end."""

    characters: tuple[int, ...]

    @property
    def text(self) -> str | None:
        """Up to the first zero, byte by byte; None if it is made of wide characters."""
        if any(not 0 <= character <= 255 for character in self.characters):
            return None
        return "".join(map(chr, self.characters)).split("\0")[0]


# Places


@dataclass(frozen=True, eq=False, slots=True)
class Reference(Expression):
    """A name; `symbol` is the number of the declaration that it means."""

    name: str
    symbol: int


@dataclass(frozen=True, eq=False, slots=True)
class Member(Expression):
    """`s.f`, and `p->f` if the owner is a pointer."""

    owner: Expression
    name: str

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.owner,)

    @property
    def record(self) -> CType:
        """The type that has the member."""
        return self.owner.type.target if isinstance(self.owner.type, Pointer) else self.owner.type


@dataclass(frozen=True, eq=False, slots=True)
class Subscript(Expression):
    """`a[i]`, and `i[a]`."""

    pointer: Expression
    index: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.pointer, self.index


@dataclass(frozen=True, eq=False, slots=True)
class Dereference(Expression):
    """`*p`."""

    operand: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, slots=True)
class CompoundLiteral(Expression):
    """`(T){…}`."""

    initializer: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.initializer,)


# Operators


@dataclass(frozen=True, eq=False, slots=True)
class AddressOf(Expression):
    """`&x`."""

    operand: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, slots=True)
class Unary(Expression):
    operator: UnaryOperator
    operand: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, slots=True)
class Binary(Expression):
    """Arithmetic and comparisons."""

    operator: Operator
    left: Expression
    right: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.left, self.right


@dataclass(frozen=True, eq=False, slots=True)
class Logical(Expression):
    """`a && b` and `a || b`."""

    operator: LogicalOperator
    left: Expression
    right: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.left, self.right

    @property
    def is_conjunction(self) -> bool:
        return self.operator is LogicalOperator.AND


@dataclass(frozen=True, eq=False, slots=True)
class Comma(Expression):
    left: Expression
    right: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.left, self.right


@dataclass(frozen=True, eq=False, slots=True)
class Conditional(Expression):
    """`a ? b : c`."""

    condition: Expression
    then: Expression
    otherwise: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.condition, self.then, self.otherwise


@dataclass(frozen=True, eq=False, slots=True)
class Elvis(Expression):
    """`a ?: b`: a, evaluated once, if it is not zero."""

    condition: Expression
    otherwise: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.condition, self.otherwise


# Changes


@dataclass(frozen=True, eq=False, slots=True)
class Assignment(Expression):
    """`x = v`; `atomic`: nobody comes between the parts of what is written."""

    target: Expression
    value: Expression
    atomic: bool = False

    @property
    def children(self) -> tuple[Node, ...]:
        return self.target, self.value


@dataclass(frozen=True, eq=False, slots=True)
class CompoundAssignment(Expression):
    """`x += v`; `atomic`: nobody comes between reading and writing."""

    operator: Operator
    target: Expression
    value: Expression
    atomic: bool

    @property
    def children(self) -> tuple[Node, ...]:
        return self.target, self.value


@dataclass(frozen=True, eq=False, slots=True)
class Step(Expression):
    """`x++` and its relatives; `atomic`: nobody comes between reading and writing."""

    operator: StepOperator
    target: Expression
    atomic: bool

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.target,)


@dataclass(frozen=True, eq=False, slots=True)
class Call(Expression):
    """`pure`: the function is known to change nothing."""

    function: Expression
    arguments: tuple[Expression, ...]
    pure: bool = False

    @property
    def children(self) -> tuple[Node, ...]:
        return self.function, *self.arguments


# Types


@dataclass(frozen=True, eq=False, slots=True)
class Conversion(Expression):
    """To the node's type."""

    operand: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.operand,)


@dataclass(frozen=True, eq=False, slots=True)
class ImplicitConversion(Conversion):
    """One that the compiler put in; `atomic`: the operand is an object that is read as a whole, of the same type."""

    atomic: bool = False


@dataclass(frozen=True, eq=False, slots=True)
class Cast(Conversion):
    """`(T)v`."""


@dataclass(frozen=True, eq=False, slots=True)
class Size(Expression):
    """`sizeof` and `_Alignof`; `value` is None if only the running program knows it.

    `operand` is what it is asked of then, if that is not a type.
    """

    value: int | None
    operand: Expression | None

    @property
    def children(self) -> tuple[Node, ...]:
        return () if self.operand is None else (self.operand,)


# Variable arguments


@dataclass(frozen=True, eq=False, slots=True)
class VariableArgument(Expression):
    """`va_arg(list, T)`."""

    list: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.list,)


@dataclass(frozen=True, eq=False, slots=True)
class MissingArgument(Expression):
    """What `va_arg` gives if there is no argument left of its type: the value of `instead`, after all went wrong."""

    instead: Expression | None

    @property
    def children(self) -> tuple[Node, ...]:
        return () if self.instead is None else (self.instead,)


# Initialisers


@dataclass(frozen=True, eq=False, slots=True)
class InitializerList(Expression):
    """`{…}`, as it is written, without what the compiler would fill in."""

    items: tuple[Expression | Designated, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.items


@dataclass(frozen=True, eq=False, slots=True)
class MemberDesignator(Node):
    """`.f`."""

    name: str


class Following(Enum):
    """What the index after an index is: macros can hide it."""

    ANOTHER_INDEX = "]["
    END_OF_RANGE = "..."
    UNCLEAR = "?"


@dataclass(frozen=True, eq=False, slots=True)
class IndexDesignator(Node):
    """`[3]`, and the beginning of `[3 ... 5]`, whose end is the designator after it."""

    index: int | None
    following: Following = Following.ANOTHER_INDEX


@dataclass(frozen=True, eq=False, slots=True)
class Designated(Node):
    """`.f[3] = v`."""

    designators: tuple[MemberDesignator | IndexDesignator, ...]
    value: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return *self.designators, self.value


@dataclass(frozen=True, eq=False, slots=True)
class OtherExpression(Expression):
    """What is not known here; `words` say what it is."""

    words: str


def converted_from(node: Expression) -> Expression:
    """Without the conversions that the compiler put in (reading a variable, decay, qualifiers)."""
    while isinstance(node, ImplicitConversion):
        node = node.operand
    return node


def named_callee(call: Call) -> Reference | None:
    """The name that a call goes to, if it says one; it may still be the name of a pointer."""
    inner = converted_from(call.function)
    return inner if isinstance(inner, Reference) else None


def constant_product(node: Expression) -> int | None:
    """The value of an expression made of constants, sizes, + and *."""
    match node:
        case IntegerConstant() | Size():
            return node.value
        case Conversion():
            return constant_product(node.operand)
        case Binary(operator=Operator.ADD | Operator.MULTIPLY):
            left, right = constant_product(node.left), constant_product(node.right)
            if left is None or right is None:
                return None
            return left * right if node.operator is Operator.MULTIPLY else left + right
        case _:
            return None
