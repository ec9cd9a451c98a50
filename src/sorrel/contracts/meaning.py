"""What a condition says about a state: an expression of the program, over its variables.

In ACSL numbers are exact, and only a conversion wraps. In C they have types: what is narrower than `int` becomes one,
operands get a common type, and unsigned numbers wrap (C17 6.3.1). A truth value that is used as a number is 0 or 1, a
number that is used as a truth value is compared with 0.
"""

from __future__ import annotations

from collections.abc import Callable

from sorrel.contracts.addresses import Pointed, compared
from sorrel.contracts.locating import NONE, Located, minus, plus, terminated, valid
from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import (
    Before,
    Cast,
    Choice,
    Condition,
    Element,
    Infix,
    Length,
    Member,
    Name,
    Null,
    Number,
    Prefix,
    Quantified,
    Range,
    Separated,
    Terminated,
    Truth,
    Valid,
    place,
)
from sorrel.contracts.tokens import unreadable
from sorrel.contracts.vocabulary import Vocabulary, saved
from sorrel.model.errors import NOWHERE, InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, binary, every, negation
from sorrel.program.expression import (
    Binary,
    Conditional,
    Constant,
    Convert,
    Expression,
    Operator,
    Select,
    Unary,
    UnaryOperator,
    Variable,
)
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Machine, Type, is_integer

INT, LONG = Machine(32, True), Machine(64, True)
WIDE = Machine(256, True)
"""Where bits of exact numbers are looked at: no sum or product of machine integers leaves it."""
_COMPARISONS = frozenset({"==", "!=", "<", "<=", ">", ">="})
_CONNECTIVES = frozenset({"&&", "||", "==>"})
_BITWISE = frozenset({"&", "|", "^"})
_ARITHMETIC = frozenset({"+", "-", "*", "/", "%"})


@dataclass(frozen=True, slots=True)
class Meaning:
    """`bound` are variables of no program: the condition says that `holds` for all their values.

    `witnesses` are such variables, too: it says that it holds for some value of theirs. Each is the place of a zero.
    """

    holds: Expression
    bound: tuple[Variable, ...] = ()
    witnesses: tuple[Located, ...] = ()


def meaning(text: str, dialect: Dialect, known: Vocabulary, span: Span = NOWHERE, *, long_bits: int = 64) -> Meaning:
    """Of the condition with that text, which stands at `span`; an InputError if it has none."""
    found = _Meaning(text, dialect, known, span)
    tree = read(text, dialect, span, long_bits=long_bits)
    return found.meaning(tree)


def number(text: str, dialect: Dialect, known: Vocabulary, span: Span = NOWHERE) -> Expression:
    """What the text of a number means."""
    return _Meaning(text, dialect, known, span).number(read(text, dialect, span))


class _Meaning:
    def __init__(self, text: str, dialect: Dialect, known: Vocabulary, span: Span) -> None:
        self._text = text
        self._exact = dialect is Dialect.ACSL
        self._known = known
        self._span = span
        self._scopes: list[dict[str, Variable]] = []
        self._past = False
        self._terminated: dict[str, Located] = {}
        self._measured: dict[str, tuple[Located, int]] = {}
        self.bound: list[Variable] = []

    def meaning(self, tree: Condition) -> Meaning:
        holds = self.asserted(tree)
        for root, (_, column) in self._measured.items():
            if root not in self._terminated:
                raise self._problem("a length where nothing says that there is an end (\\valid_read_string)", column)
        return Meaning(holds, tuple(self.bound), tuple(self._terminated.values()))

    def _problem(self, message: str, column: int) -> InputError:
        return unreadable(message, self._text, column, self._span)

    # Truth values

    def asserted(self, node: Condition) -> Expression:
        """A condition that is said to hold: here, and below what only weakens it, quantifiers can be left open."""
        match node:
            case Quantified(True, names, body):
                variables = {name: Variable(f"bound..{len(self.bound) + n}", UNBOUNDED) for n, name in enumerate(names)}
                self.bound += variables.values()
                self._scopes.append(variables)
                holds = self.asserted(body)
                self._scopes.pop()
                return holds
            case Infix("&&" | "||" as sign, left, right):
                return binary(Operator(sign), self.asserted(left), self.asserted(right))
            case Infix("==>", left, right):
                return binary(Operator.IMPLIES, self._truth(left), self.asserted(right))
            case Terminated(pointer, _, column):
                return self._string(pointer, column)
            case _:
                return self._truth(node)

    def _truth(self, node: Condition) -> Expression:
        match node:
            case Truth(value):
                return Constant(value, BOOLEAN)
            case Infix(sign, left, right) if sign in _CONNECTIVES:
                return binary(Operator(sign), self._truth(left), self._truth(right))
            case Infix("<==>", left, right):
                return binary(Operator.EQUAL, self._truth(left), self._truth(right))
            case Infix(sign, left, right) if sign in _COMPARISONS:
                return self._comparison(Operator(sign), left, right)
            case Prefix("!", operand):
                return negation(self._truth(operand))
            case Choice(test, then, otherwise):
                return Conditional(self._truth(test), self._truth(then), self._truth(otherwise), BOOLEAN)
            case Before(operand):
                return self._before(operand, self._truth)
            case Valid(pointers):
                return every([valid(*self._located(pointer)) for pointer in pointers])
            case Separated(pointers, column):
                return self._separated(pointers, column)
            case Terminated(_, _, column):
                raise self._problem("this can only stand where the whole condition depends on it", column)
            case Quantified(_, _, _, column):
                raise self._problem("a quantifier can only stand where the whole condition depends on it", column)
            case _:
                found = self._value(node)
                return found if found.type == BOOLEAN else binary(Operator.DIFFERENT, found, _zero(found.type))

    def _comparison(self, operator: Operator, left: Condition, right: Condition) -> Expression:
        if isinstance(left, Null) or isinstance(right, Null):
            return self._compared_with_null(operator, left, right)
        pointers = self._kept(left), self._kept(right)
        if pointers[0] is not None and pointers[1] is not None:
            order = compared(operator, pointers[0], pointers[1])
            if order is None:
                raise self._problem("it is not known how these pointers compare", left.column)
            return order
        if _is_truth(left) and _is_truth(right) and operator in (Operator.EQUAL, Operator.DIFFERENT):
            return binary(operator, self._truth(left), self._truth(right))
        one, other = self._alike(self.number(left), self.number(right))
        return binary(operator, one, other)

    # Numbers

    def number(self, node: Condition) -> Expression:
        """A number: a truth value as 0 or 1, and what C promotes promoted."""
        value = self._truth(node) if _is_truth(node) else self._value(node)
        return self._promoted(value)

    def _promoted(self, value: Expression) -> Expression:
        if value.type != BOOLEAN and not is_integer(value.type):
            raise self._problem("this is not an integer", 1)
        if self._exact:
            return _converted(value, UNBOUNDED)
        narrow = value.type == BOOLEAN or (isinstance(value.type, Machine) and value.type.bits < INT.bits)
        return _converted(value, INT) if narrow else value

    def _alike(self, left: Expression, right: Expression) -> tuple[Expression, Expression]:
        """Two numbers in their common type."""
        if self._exact or left.type == right.type:
            return left, right
        if not isinstance(left.type, Machine) or not isinstance(right.type, Machine):
            raise self._problem("numbers of these types have no common type in C", 1)
        wide = max(left.type.bits, right.type.bits)
        signed = all(each.signed for each in (left.type, right.type) if each.bits == wide)
        common = Machine(wide, signed)
        return _converted(left, common), _converted(right, common)

    def _value(self, node: Condition) -> Expression:
        match node:
            case Number(value, column, is_unsigned):
                return self._literal(value, column, is_unsigned)
            case Prefix("*", operand) if self._is_pointer(operand) and not self._is_known(node):
                return self._element(operand, NONE, node.column)
            case Length(pointer, column):
                return self._length(pointer, column)
            case Name() | Member() | Prefix("*", _):
                return self._place(node)
            case Element(base, index) if self._is_pointer(base):
                return self._element(base, self.number(index), node.column)
            case Element(base, index):
                array = self._place(base)
                if not isinstance(array.type, Array):
                    raise self._problem(f"{place(base)} is not an array", node.column)
                return Select(array, _converted(self.number(index), UNBOUNDED), array.type.element)
            case Before(operand):
                return self._before(operand, self._value)
            case Cast(type, operand):
                wrapped = _converted(self.number(operand), type)
                return _converted(wrapped, UNBOUNDED) if self._exact else wrapped
            case Prefix(sign, operand):
                return self._prefix(sign, operand)
            case Choice(test, then, otherwise):
                condition = self._truth(test)
                one, other = self._alike(self.number(then), self.number(otherwise))
                return Conditional(condition, one, other, one.type)
            case Infix(sign, left, right) if sign in _ARITHMETIC:
                one, other = self._alike(self.number(left), self.number(right))
                return binary(Operator(sign), one, other)
            case Infix(sign, left, right) if sign in _BITWISE:
                return self._bitwise(Operator(sign), left, right)
            case Infix(sign, left, right) if sign in ("<<", ">>"):
                return self._shift(Operator(sign), left, right)
            case _:
                return self._truth(node)

    def _literal(self, value: int, column: int, is_unsigned: bool) -> Expression:
        if self._exact:
            return Constant(value, UNBOUNDED)
        for type in (Machine(32, not is_unsigned), Machine(64, not is_unsigned)):
            if type.contains(value):
                return Constant(value, type)
        raise self._problem("no type of C holds this number", column)

    def _prefix(self, sign: str, operand: Condition) -> Expression:
        if sign == "!":
            return negation(self._truth(operand))
        value = self.number(operand)
        if sign == "-":
            return Unary(UnaryOperator.NEGATE, value, value.type)
        if sign == "~":
            wide = _converted(value, WIDE) if self._exact else value
            bits = Unary(UnaryOperator.COMPLEMENT, wide, wide.type)
            return _converted(bits, UNBOUNDED) if self._exact else bits
        return value

    def _bitwise(self, operator: Operator, left: Condition, right: Condition) -> Expression:
        one, other = self._alike(self.number(left), self.number(right))
        if not self._exact:
            return binary(operator, one, other)
        bits = Binary(operator, _converted(one, WIDE), _converted(other, WIDE), WIDE)
        return _converted(bits, UNBOUNDED)

    def _shift(self, operator: Operator, left: Condition, right: Condition) -> Expression:
        one, other = self.number(left), self.number(right)
        if not self._exact:
            return Binary(operator, one, other, one.type)
        if not isinstance(other, Constant) or not 0 <= int(other.value) < WIDE.bits:
            raise self._problem("an exact number is shifted by a small number only", 1)
        if operator is Operator.SHIFT_LEFT:
            return binary(Operator.MULTIPLY, one, Constant(1 << int(other.value), UNBOUNDED))
        bits = Binary(operator, _converted(one, WIDE), _converted(other, WIDE), WIDE)
        return _converted(bits, UNBOUNDED)

    # Pointers

    def _is_pointer(self, node: Condition) -> bool:
        return place(node) in self._known.pointers

    def _is_known(self, node: Condition) -> bool:
        return place(node) in (self._known.before if self._past else self._known.now)

    def _pointer(self, node: Condition, column: int) -> Located:
        text = place(node)
        if text not in self._known.pointers:
            raise self._problem(f"it is not known here where {text or 'this'} leads", column)
        return self._known.pointers[text]

    def _located(self, node: Condition) -> tuple[Located, Expression, Expression]:
        """The pointer, and the elements from it on that are meant."""
        match node:
            case Infix("+" | "-" as sign, base, moved):
                pointer, low, high = self._located(base)
                first, last = (moved.low, moved.high) if isinstance(moved, Range) else (moved, moved)
                if first is None or last is None:
                    raise self._problem("a range without an end", node.column)
                add = plus if sign == "+" else minus
                return pointer, add(low, self.number(first)), add(high, self.number(last))
            case Prefix("&", Element(base, index)):
                return self._located(Infix("+", base, index, node.column))
            case Prefix("&", Member(base, _, True)):
                return self._located(base)
            case _:
                return self._pointer(node, node.column), NONE, NONE

    def _compared_with_null(self, operator: Operator, left: Condition, right: Condition) -> Expression:
        pointer = right if isinstance(left, Null) else left
        kept = self._kept(pointer)
        there = negation(kept.is_null) if kept is not None else self._pointer(pointer, pointer.column).there
        if operator not in (Operator.EQUAL, Operator.DIFFERENT):
            raise self._problem("pointers are equal to \\null or not", pointer.column)
        return negation(there) if operator is Operator.EQUAL else there

    def _kept(self, node: Condition) -> Pointed | None:
        """The pointer that a condition of a contract or a loop names."""
        match node:
            case Before(operand):
                outer, self._past = self._past, True
                found = self._kept(operand)
                self._past = outer
                return found
            case Infix("+" | "-" as sign, base, moved):
                start = self._kept(base)
                return None if start is None else start.moved(self.number(moved), back=sign == "-")
            case Name(text):
                known = self._known
                if not self._past and text in known.addresses:
                    return Pointed.of(known.addresses[text], known.known, past=False)
                if text in known.addresses_before and (self._past or known.of_contract):
                    return Pointed.of(known.addresses_before[text], known.known, past=True)
        return None

    def _separated(self, pointers: tuple[Condition, ...], column: int) -> Expression:
        """Objects that are known by different names have nothing in common."""
        roots = [self._located(pointer)[0].root for pointer in pointers]
        if len(set(roots)) < len(roots):
            raise self._problem("parts of one object are not distinguished here", column)
        return TRUE

    def _string(self, pointer: Condition, column: int) -> Expression:
        found = self._pointer(pointer, column)
        if not found.is_string:
            raise self._problem(f"nothing is known of the elements of {place(pointer)}", column)
        self._terminated[found.root] = found
        return terminated(found)

    def _length(self, pointer: Condition, column: int) -> Expression:
        found = self._pointer(pointer, column)
        if found.zero is None:
            raise self._problem(f"nothing is known of the elements of {place(pointer)}", column)
        self._measured[found.root] = (found, column)
        return minus(found.zero, found.offset)

    def _element(self, pointer: Condition, index: Expression, column: int) -> Expression:
        found = self._pointer(pointer, column)
        if found.contents is None or not isinstance(found.contents.type, Array):
            raise self._problem(f"nothing is known of the elements of {place(pointer)}", column)
        return Select(found.contents, plus(found.offset, index), found.contents.type.element)

    # Places

    def _before(self, operand: Condition, inner: Callable[[Condition], Expression]) -> Expression:
        outer, self._past = self._past, True
        found = inner(operand)
        self._past = outer
        return found

    def _place(self, node: Condition) -> Expression:
        text = place(node)
        if isinstance(node, Name):
            for scope in reversed(self._scopes):
                if text in scope:
                    return scope[text]
        known = self._known
        if not self._past and text in known.now:
            return known.now[text]
        if text not in known.before or not (self._past or known.of_contract):
            when = " when the function is entered" if self._past else ""
            raise self._problem(f"{text or 'this'} means nothing here{when}", node.column)
        return saved(known.before[text])


def _is_truth(node: Condition) -> bool:
    """Whether the condition is one by its form."""
    match node:
        case Truth() | Quantified() | Prefix("!", _) | Valid() | Separated() | Terminated():
            return True
        case Infix(sign):
            return sign in _CONNECTIVES or sign in _COMPARISONS or sign == "<==>"
        case Before(operand):
            return _is_truth(operand)
        case Choice(_, then, otherwise):
            return _is_truth(then) and _is_truth(otherwise)
        case _:
            return False


def _converted(value: Expression, type: Type) -> Expression:
    if isinstance(value, Convert) and value.type == UNBOUNDED and value.operand.type != BOOLEAN:
        value = value.operand  # exact, so that nothing is lost by leaving it out
    if value.type == type:
        return value
    if isinstance(value, Constant) and isinstance(type, Machine) and isinstance(value.value, int):
        return Constant(type.wrap(int(value.value)), type)
    return Convert(value, type)


def _zero(type: Type) -> Constant:
    return Constant(0, type)
