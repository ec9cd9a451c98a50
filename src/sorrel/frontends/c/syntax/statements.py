"""Statements of C, one class for each construct; an expression is a statement as it stands."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.frontends.c.syntax.expressions import Expression
from sorrel.frontends.c.syntax.node import Node
from sorrel.frontends.c.types import CType
from sorrel.model.values import dataclass


@dataclass(frozen=True, eq=False, slots=True)
class Variable(Node):
    """A variable that a block declares; `sizes`: those of its array type, outermost first, if not all are constant."""

    type: CType
    name: str
    symbol: int
    initializer: Expression | None = None
    sizes: tuple[Expression, ...] = ()
    static: bool = False
    external: bool = False  # `extern`: it is declared elsewhere
    constant: bool = False  # never assigned to
    per_thread: bool = False  # `_Thread_local`: each thread has its own

    @property
    def children(self) -> tuple[Node, ...]:
        return self.sizes if self.initializer is None else (*self.sizes, self.initializer)


@dataclass(frozen=True, eq=False, slots=True)
class TypeDeclaration(Node):
    """A declaration that declares nothing that runs; `names` are those that it gives to types and constants."""

    names: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False, slots=True)
class Declaration(Node):
    items: tuple[Variable | TypeDeclaration | OtherStatement, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.items


@dataclass(frozen=True, eq=False, slots=True)
class Compound(Node):
    """`{…}`."""

    statements: tuple[Statement, ...]

    @property
    def children(self) -> tuple[Node, ...]:
        return self.statements


@dataclass(frozen=True, eq=False, slots=True)
class Empty(Node):
    """`;`, and what is left out in the head of a `for`."""


@dataclass(frozen=True, eq=False, slots=True)
class Labelled(Node):
    """What jumps may lead to."""

    body: Statement

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.body,)


@dataclass(frozen=True, eq=False, slots=True)
class Label(Labelled):
    name: str


@dataclass(frozen=True, eq=False, slots=True)
class Case(Labelled):
    """`case low:`, or `case low ... high:`."""

    low: Expression
    high: Expression | None

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.low, self.body) if self.high is None else (self.low, self.high, self.body)


@dataclass(frozen=True, eq=False, slots=True)
class Default(Labelled):
    pass


@dataclass(frozen=True, eq=False, slots=True)
class If(Node):
    condition: Expression
    then: Statement
    otherwise: Statement | None

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.condition, self.then) if self.otherwise is None else (self.condition, self.then, self.otherwise)


@dataclass(frozen=True, eq=False, slots=True)
class Switch(Node):
    subject: Expression
    body: Statement

    @property
    def children(self) -> tuple[Node, ...]:
        return self.subject, self.body


@dataclass(frozen=True, eq=False, slots=True)
class While(Node):
    condition: Expression
    body: Statement

    @property
    def children(self) -> tuple[Node, ...]:
        return self.condition, self.body


@dataclass(frozen=True, eq=False, slots=True)
class Do(Node):
    body: Statement
    condition: Expression

    @property
    def children(self) -> tuple[Node, ...]:
        return self.body, self.condition


@dataclass(frozen=True, eq=False, slots=True)
class For(Node):
    start: Statement
    condition: Expression | None
    step: Statement
    body: Statement

    @property
    def children(self) -> tuple[Node, ...]:
        if self.condition is None:
            return self.start, self.step, self.body
        return self.start, self.condition, self.step, self.body


@dataclass(frozen=True, eq=False, slots=True)
class Goto(Node):
    label: str


@dataclass(frozen=True, eq=False, slots=True)
class Break(Node):
    pass


@dataclass(frozen=True, eq=False, slots=True)
class Continue(Node):
    pass


@dataclass(frozen=True, eq=False, slots=True)
class Return(Node):
    value: Expression | None

    @property
    def children(self) -> tuple[Node, ...]:
        return () if self.value is None else (self.value,)


@dataclass(frozen=True, eq=False, slots=True)
class OtherStatement(Node):
    """What is not known here; `words` say what it is."""

    words: str


@dataclass(frozen=True, eq=False, slots=True)
class StatementExpression(Expression):
    """`({ …; v; })`."""

    body: Compound

    @property
    def children(self) -> tuple[Node, ...]:
        return (self.body,)


Loop: TypeAlias = While | Do | For
Statement: TypeAlias = (
    Expression
    | Declaration
    | Compound
    | Empty
    | Label
    | Case
    | Default
    | If
    | Switch
    | While
    | Do
    | For
    | Goto
    | Break
    | Continue
    | Return
    | OtherStatement
)
