"""Terms over truth values, bit-vectors, integers and their arrays as a list of instructions, arguments before uses.

What runs terms (logic/compiled.py) and what turns them into circuits (smt/bits.py) both read this list: the many
operators of the logic are reduced to a few here, once.
"""

from __future__ import annotations

from collections.abc import Sequence
from enum import StrEnum

import z3

from sorrel.logic import pointers
from sorrel.logic.pointers import Pointer
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import SorrelError
from sorrel.model.values import dataclass


class NotListed(SorrelError):
    """The term has an operator or a sort that is not one of those that are asked for."""


class Operation(StrEnum):
    """On truth values and on words bit by bit, then what words and integers have. Comparisons of words are unsigned."""

    NUMBER = "number"  # `data` is the value
    VARIABLE = "variable"  # `data` is its place among the variables of the listing
    NOT = "not"
    AND = "and"
    OR = "or"
    XOR = "xor"
    EQUAL = "equal"
    ITE = "ite"
    ADD = "add"
    MULTIPLY = "multiply"
    NEGATE = "negate"
    DIVIDE = "divide"  # of words by zero: all ones
    REMAINDER = "remainder"  # of words by zero: the dividend
    LEFT = "left"
    RIGHT = "right"
    RIGHT_SIGNED = "right-signed"
    CONCAT = "concat"
    EXTRACT = "extract"  # `data` is the lowest bit
    EXTEND = "extend"
    EXTEND_SIGNED = "extend-signed"
    LESS = "less"
    SELECT = "select"
    STORE = "store"
    FILLED = "filled"


BOOLEAN = 0
"""The width of a truth value; a bit-vector of one bit has width 1."""
INTEGER = -1
"""The width of a number that is not bounded."""
ARRAY = -2
"""The width of an array of such numbers, at such numbers."""


@dataclass(frozen=True, slots=True)
class Instruction:
    operation: Operation
    width: int
    arguments: tuple[int, ...] = ()
    data: int = 0


@dataclass(frozen=True, slots=True)
class Listing:
    """`results` are the places of the terms that were asked for."""

    instructions: tuple[Instruction, ...]
    results: tuple[int, ...]


def width_of(sort: Sort) -> int:
    """0 for Bool, the number of bits of a bit-vector; other sorts are refused."""
    if sort.kind() == z3.Z3_BOOL_SORT:
        return BOOLEAN
    if sort.kind() == z3.Z3_BV_SORT:
        return int(sort.size())
    raise NotListed(f"the sort {sort} has no fixed number of bits")


def bits_of(width: int) -> int:
    return max(1, width)


def listing(
    variables: Sequence[Term], terms: Sequence[Term], *, integers: bool = False, arrays: bool = False
) -> Listing:
    """The terms over the given variables; a variable that is not among them is refused.

    So are `integers`, and `arrays` of these, unless they are asked for.
    """
    writer = _Writer(variables, integers, arrays)
    return Listing(*writer.write(terms))


class _Writer:
    def __init__(self, variables: Sequence[Term], integers: bool, arrays: bool) -> None:
        self._integers = integers
        self._arrays = arrays
        self._held = list(variables)  # an address is good as long as its term lives
        self._places = {pointers.address(variable): place for place, variable in enumerate(variables)}
        self._out: list[Instruction] = []
        self._known: dict[Instruction, int] = {}

    def write(self, terms: Sequence[Term]) -> tuple[tuple[Instruction, ...], tuple[int, ...]]:
        done: dict[Pointer, int] = {}
        for term in terms:
            stack = [(pointers.address(term), False)]
            while stack:
                node, expanded = stack.pop()
                if node in done:
                    continue
                children = pointers.children(node)
                if children and not expanded:
                    stack.append((node, True))
                    stack.extend((child, False) for child in reversed(children))
                    continue
                done[node] = self._translate(node, [done[child] for child in children])
        results = tuple(done[pointers.address(term)] for term in terms)
        return tuple(self._out), results

    def _add(self, operation: Operation, width: int, *arguments: int, data: int = 0) -> int:
        instruction = Instruction(operation, width, arguments, data)
        place = self._known.get(instruction)
        if place is None:
            place = self._known[instruction] = len(self._out)
            self._out.append(instruction)
        return place

    def _width(self, place: int) -> int:
        return self._out[place].width

    def _translate(self, node: Pointer, parts: list[int]) -> int:
        operator = pointers.operator(node)
        if pointers.kind(node) == pointers.QUANTIFIER or operator == -1:
            raise NotListed("a quantifier cannot be evaluated bit by bit")
        if pointers.is_variable(node):
            return self._variable(node)
        if not parts:
            return self._constant(node, operator)
        if operator in _FOLDED:
            return self._fold(_FOLDED[operator], parts)
        if operator in _BINARY:
            return self._binary(operator, *parts)
        if operator in _SIGNED_DIVISION:
            return self._signed_division(_SIGNED_DIVISION[operator], *parts)
        return self._other(node, operator, parts)

    def _variable(self, node: Pointer) -> int:
        if node not in self._places:
            raise NotListed(f"the variable {pointers.term(node)} has no value here")
        return self._add(Operation.VARIABLE, self._width_of(node), data=self._places[node])

    def _width_of(self, node: Pointer) -> int:
        if self._integers and pointers.sort_kind(node) == z3.Z3_INT_SORT:
            return INTEGER
        sort = pointers.sort(pointers.sort_of(node))
        if self._arrays and sort.kind() == z3.Z3_ARRAY_SORT and _is_of_integers(sort):
            return ARRAY
        return width_of(sort)

    def _constant(self, node: Pointer, operator: int) -> int:
        if operator in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return self._add(Operation.NUMBER, BOOLEAN, data=int(operator == z3.Z3_OP_TRUE))
        if operator == z3.Z3_OP_BNUM:
            term = pointers.term(node)
            return self._add(Operation.NUMBER, int(term.size()), data=int(term.as_long()))
        if operator == z3.Z3_OP_ANUM and self._width_of(node) == INTEGER:
            return self._add(Operation.NUMBER, INTEGER, data=int(pointers.numeral(node)))
        raise NotListed(f"{pointers.term(node)} is not a value that is asked for")

    def _fold(self, operation: Operation, parts: list[int]) -> int:
        found = parts[0]
        for part in parts[1:]:
            width = self._width(found) + self._width(part) if operation is Operation.CONCAT else self._width(found)
            found = self._add(operation, width, found, part)
        return found

    def _negated(self, place: int) -> int:
        return self._add(Operation.NOT, self._width(place), place)

    def _binary(self, operator: int, *parts: int) -> int:
        operation, swapped, negated, signed = _BINARY[operator]
        left, right = (parts[1], parts[0]) if swapped else (parts[0], parts[1])
        if signed:  # flipping both signs turns the signed order into the unsigned one
            width = self._width(left)
            sign = self._add(Operation.NUMBER, width, data=1 << (width - 1))
            left, right = (self._add(Operation.XOR, width, side, sign) for side in (left, right))
        width = BOOLEAN if operation in (Operation.LESS, Operation.EQUAL) else self._width(left)
        found = self._add(operation, width, left, right)
        return self._negated(found) if negated else found

    def _signed_division(self, operation: Operation, left: int, right: int) -> int:
        """As SMT-LIB defines it: the quotient or remainder of the sizes; a remainder has the sign of the dividend."""
        width = self._width(left)
        (x, x_negative), (y, y_negative) = self._size(left), self._size(right)
        found = self._add(operation, width, x, y)
        negative = x_negative
        if operation is Operation.DIVIDE:
            negative = self._add(Operation.XOR, BOOLEAN, x_negative, y_negative)
        return self._add(Operation.ITE, width, negative, self._add(Operation.NEGATE, width, found), found)

    def _size(self, place: int) -> tuple[int, int]:
        """The number without its sign, and whether it is negative."""
        width = self._width(place)
        largest = self._add(Operation.NUMBER, width, data=(1 << (width - 1)) - 1)
        negative = self._add(Operation.LESS, BOOLEAN, largest, place)
        return self._add(Operation.ITE, width, negative, self._add(Operation.NEGATE, width, place), place), negative

    def _other(self, node: Pointer, operator: int, parts: list[int]) -> int:
        width = self._width(parts[0])
        match operator:
            case z3.Z3_OP_NOT | z3.Z3_OP_BNOT:
                return self._negated(parts[0])
            case z3.Z3_OP_IMPLIES:
                return self._add(Operation.OR, BOOLEAN, self._negated(parts[0]), parts[1])
            case z3.Z3_OP_ITE:
                return self._add(Operation.ITE, self._width(parts[1]), *parts)
            case z3.Z3_OP_BNEG | z3.Z3_OP_UMINUS:
                return self._add(Operation.NEGATE, width, parts[0])
            case z3.Z3_OP_BSUB | z3.Z3_OP_SUB:
                found = parts[0]
                for part in parts[1:]:
                    found = self._add(Operation.ADD, width, found, self._add(Operation.NEGATE, width, part))
                return found
            case z3.Z3_OP_DISTINCT:
                pairs = [(a, b) for i, a in enumerate(parts) for b in parts[i + 1 :]]
                return self._fold(
                    Operation.AND, [self._negated(self._add(Operation.EQUAL, BOOLEAN, a, b)) for a, b in pairs]
                )
            case z3.Z3_OP_EXTRACT:
                high, low = pointers.term(node).params()
                return self._add(Operation.EXTRACT, high - low + 1, parts[0], data=low)
            case z3.Z3_OP_ZERO_EXT | z3.Z3_OP_SIGN_EXT:
                kind = Operation.EXTEND if operator == z3.Z3_OP_ZERO_EXT else Operation.EXTEND_SIGNED
                return self._add(kind, width + pointers.term(node).params()[0], parts[0])
            case z3.Z3_OP_SELECT if width == ARRAY:
                return self._add(Operation.SELECT, INTEGER, *parts)
            case z3.Z3_OP_STORE if width == ARRAY:
                return self._add(Operation.STORE, ARRAY, *parts)
            case z3.Z3_OP_CONST_ARRAY if self._width_of(node) == ARRAY:
                return self._add(Operation.FILLED, ARRAY, *parts)
        raise NotListed(f"the operator {pointers.term(node).decl().name()} is not supported bit by bit")


def _is_of_integers(sort: Sort) -> bool:
    return bool(sort.domain().kind() == sort.range().kind() == z3.Z3_INT_SORT)


_FOLDED = {
    z3.Z3_OP_AND: Operation.AND,
    z3.Z3_OP_OR: Operation.OR,
    z3.Z3_OP_XOR: Operation.XOR,
    z3.Z3_OP_BAND: Operation.AND,
    z3.Z3_OP_BOR: Operation.OR,
    z3.Z3_OP_BXOR: Operation.XOR,
    z3.Z3_OP_ADD: Operation.ADD,
    z3.Z3_OP_MUL: Operation.MULTIPLY,
    z3.Z3_OP_BADD: Operation.ADD,
    z3.Z3_OP_BMUL: Operation.MULTIPLY,
    z3.Z3_OP_CONCAT: Operation.CONCAT,
}
# operation, swap the sides, negate the result, signed
_BINARY = {
    z3.Z3_OP_EQ: (Operation.EQUAL, False, False, False),
    z3.Z3_OP_IFF: (Operation.EQUAL, False, False, False),
    z3.Z3_OP_LT: (Operation.LESS, False, False, False),
    z3.Z3_OP_GT: (Operation.LESS, True, False, False),
    z3.Z3_OP_LE: (Operation.LESS, True, True, False),
    z3.Z3_OP_GE: (Operation.LESS, False, True, False),
    z3.Z3_OP_IDIV: (Operation.DIVIDE, False, False, False),
    z3.Z3_OP_MOD: (Operation.REMAINDER, False, False, False),
    z3.Z3_OP_ULT: (Operation.LESS, False, False, False),
    z3.Z3_OP_UGT: (Operation.LESS, True, False, False),
    z3.Z3_OP_ULEQ: (Operation.LESS, True, True, False),
    z3.Z3_OP_UGEQ: (Operation.LESS, False, True, False),
    z3.Z3_OP_SLT: (Operation.LESS, False, False, True),
    z3.Z3_OP_SGT: (Operation.LESS, True, False, True),
    z3.Z3_OP_SLEQ: (Operation.LESS, True, True, True),
    z3.Z3_OP_SGEQ: (Operation.LESS, False, True, True),
    z3.Z3_OP_BUDIV: (Operation.DIVIDE, False, False, False),
    z3.Z3_OP_BUDIV_I: (Operation.DIVIDE, False, False, False),
    z3.Z3_OP_BUREM: (Operation.REMAINDER, False, False, False),
    z3.Z3_OP_BUREM_I: (Operation.REMAINDER, False, False, False),
    z3.Z3_OP_BSHL: (Operation.LEFT, False, False, False),
    z3.Z3_OP_BLSHR: (Operation.RIGHT, False, False, False),
    z3.Z3_OP_BASHR: (Operation.RIGHT_SIGNED, False, False, False),
}
_SIGNED_DIVISION = {
    z3.Z3_OP_BSDIV: Operation.DIVIDE,
    z3.Z3_OP_BSDIV_I: Operation.DIVIDE,
    z3.Z3_OP_BSREM: Operation.REMAINDER,
    z3.Z3_OP_BSREM_I: Operation.REMAINDER,
}
