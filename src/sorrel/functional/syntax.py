"""What a reader makes of the text: expressions, patterns and definitions, not yet typed."""

from __future__ import annotations

from typing import TypeAlias

from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass

# Types as they are written


@dataclass(frozen=True, slots=True)
class TypeVariable:
    name: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TypeName:
    path: tuple[str, ...]
    arguments: tuple[TypeExpression, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TypeArrow:
    parameter: TypeExpression
    result: TypeExpression
    label: str = ""


@dataclass(frozen=True, slots=True)
class TypeTuple:
    items: tuple[TypeExpression, ...]


TypeExpression: TypeAlias = TypeVariable | TypeName | TypeArrow | TypeTuple


# Patterns


@dataclass(frozen=True, slots=True)
class AnyPattern:
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class NamePattern:
    name: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class LiteralPattern:
    value: Literal


@dataclass(frozen=True, slots=True)
class RangePattern:
    """`'a'..'z'`: the characters between two, which are among them."""

    first: Literal
    last: Literal
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TuplePattern:
    items: tuple[Pattern, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ConstructorPattern:
    path: tuple[str, ...]
    argument: Pattern | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class RecordPattern:
    fields: tuple[tuple[tuple[str, ...], Pattern], ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class AliasPattern:
    pattern: Pattern
    name: str
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class OrPattern:
    left: Pattern
    right: Pattern
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TypedPattern:
    pattern: Pattern
    type: TypeExpression
    span: Span = NOWHERE


# Expressions


@dataclass(frozen=True, slots=True)
class Literal:
    """A number, a truth value, a text, the code of a character (`is_character`), or () as None."""

    value: int | bool | str | None
    span: Span = NOWHERE
    is_character: bool = False


@dataclass(frozen=True, slots=True)
class Name:
    path: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Lambda:
    """`labels` are empty, or one for each parameter: `x`, `?x`, or "" for one that callers know by its place."""

    parameters: tuple[Pattern, ...]
    body: Expression
    span: Span = NOWHERE
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Case:
    pattern: Pattern
    guard: Expression | None
    body: Expression


@dataclass(frozen=True, slots=True)
class LocalException:
    """`let exception E in e`; `callers` are modules whose functions must be ours."""

    constructor: ConstructorDeclaration
    callers: tuple[str, ...]
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Cases:
    """`function p₁ -> e₁ | …`: a function of one argument."""

    cases: tuple[Case, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Application:
    """`labels` as in `Lambda`; `?x` is for a value that may be there."""

    function: Expression
    arguments: tuple[Expression, ...]
    span: Span = NOWHERE
    labels: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Binding:
    """`let pattern = value`; where it defines a function, the value is a `Lambda`."""

    pattern: Pattern
    value: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class LetIn:
    recursive: bool
    bindings: tuple[Binding, ...]
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class OpenIn:
    """`let open M in e`, `M.(e)`."""

    path: tuple[str, ...]
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ModuleIn:
    """`let module M = … in e`."""

    module: ModuleDefinition | ModuleAlias
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Conditional:
    condition: Expression
    then: Expression
    otherwise: Expression | None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Sequence:
    first: Expression
    second: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TupleOf:
    items: tuple[Expression, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ArrayOf:
    items: tuple[Expression, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Constructed:
    path: tuple[str, ...]
    argument: Expression | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Matching:
    subject: Expression
    cases: tuple[Case, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Trying:
    body: Expression
    cases: tuple[Case, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Assertion:
    condition: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class RecordOf:
    fields: tuple[tuple[tuple[str, ...], Expression], ...]
    base: Expression | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class FieldOf:
    record: Expression
    field: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class SetField:
    record: Expression
    field: tuple[str, ...]
    value: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class While:
    condition: Expression
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class For:
    name: str
    start: Expression
    end: Expression
    upwards: bool
    body: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Annotated:
    expression: Expression
    type: TypeExpression
    span: Span = NOWHERE


Pattern: TypeAlias = (
    AnyPattern
    | NamePattern
    | LiteralPattern
    | RangePattern
    | TuplePattern
    | ConstructorPattern
    | RecordPattern
    | AliasPattern
    | OrPattern
    | TypedPattern
)
Expression: TypeAlias = (
    Literal
    | Name
    | Lambda
    | Cases
    | Application
    | LetIn
    | LocalException
    | OpenIn
    | ModuleIn
    | Conditional
    | Sequence
    | TupleOf
    | ArrayOf
    | Constructed
    | Matching
    | Trying
    | Assertion
    | RecordOf
    | FieldOf
    | SetField
    | While
    | For
    | Annotated
)


# Definitions


@dataclass(frozen=True, slots=True)
class LetDefinition:
    recursive: bool
    bindings: tuple[Binding, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Effect:
    """An expression at top level, for what it does."""

    expression: Expression
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ConstructorDeclaration:
    name: str
    arguments: tuple[TypeExpression, ...]
    fields: tuple[str, ...] = ()
    mutable: tuple[bool, ...] = ()
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TypeDeclaration:
    """`alias` for another name of a type; otherwise cases. A record has one case, of the type's own name."""

    name: str
    parameters: tuple[str, ...]
    constructors: tuple[ConstructorDeclaration, ...] = ()
    alias: TypeExpression | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class TypeDefinition:
    """Types that may mention each other."""

    declarations: tuple[TypeDeclaration, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ExceptionDefinition:
    constructor: ConstructorDeclaration


@dataclass(frozen=True, slots=True)
class Signature:
    """What a module lets out: values with their types, and the names of everything else.

    `abstract` are the types of which it does not tell what they are.
    """

    values: tuple[tuple[str, TypeExpression], ...]
    types: frozenset[str]
    constructors: frozenset[str]
    fields: frozenset[str]
    modules: tuple[tuple[str, Signature], ...]
    abstract: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class ModuleDefinition:
    """Without a signature it lets out everything."""

    name: str
    definitions: tuple[TopLevel, ...]
    signature: Signature | None = None
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class ModuleAlias:
    name: str
    path: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Open:
    path: tuple[str, ...]
    span: Span = NOWHERE


@dataclass(frozen=True, slots=True)
class Include:
    path: tuple[str, ...]
    span: Span = NOWHERE


TopLevel: TypeAlias = (
    LetDefinition | Effect | TypeDefinition | ExceptionDefinition | ModuleDefinition | ModuleAlias | Open | Include
)
