"""Questions about graphs of numbers and truth values, as bit-vectors, to Bitwuzla.

A node has as many bits as its bounds need: two's complement if it may be negative. Where only the low bits of a sum, a
difference or a product are needed, no others are computed.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias

import bitwuzla
from bitwuzla import Kind

from sorrel.logic.bottom_up import bottom_up
from sorrel.logic.node import INPUTS, Node, Open, Truth, Value
from sorrel.model.errors import InternalError
from sorrel.model.work import METER, QUESTION

SOLVER = "Bitwuzla"
NODE = 10
"""Units of work for each term that the solver knows of, in each question: it does not count what it does."""
INDEX_BITS = 72
"""Of an index of an array that a run may choose: all that may be computed, and all that may be chosen."""
_Key: TypeAlias = tuple[Node, int]
"""A node, and how many of its bits; 0 for truth values."""
_LOW_BITS = {"+": Kind.BV_ADD, "-": Kind.BV_SUB, "*": Kind.BV_MUL, "&": Kind.BV_AND, "|": Kind.BV_OR, "^": Kind.BV_XOR}
"""Operations whose low bits depend on the low bits of their operands alone."""


def width(value: Value) -> int:
    """How many bits a value needs."""
    low, high = (value.low, value.high) if isinstance(value, Node) else (value, value)
    if low >= 0:
        return max(1, high.bit_length())
    return max((~low).bit_length(), high.bit_length() if high >= 0 else 0) + 1


def signed_width(value: Value) -> int:
    """How many bits it needs to be read as a number with a sign."""
    low = value.low if isinstance(value, Node) else value
    return width(value) + (low >= 0)


_MIXED = frozenset(("wrap", "^", "|", "&", "*", "<<", ">>", "/", "%"))
WORD = 1 << 16
"""Values from which on a number that was mixed, multiplied or shifted is a word, and no counter or length."""


class WordSolver:
    """One solver, asked again and again about what was asserted so far.

    With `open_words` words that were mixed, multiplied or shifted may be anything: how counters, lengths and places
    hang together seldom depends on them. What has no model then has none.
    """

    def __init__(self, open_words: bool = False) -> None:
        self._open_words = open_words
        self._manager = bitwuzla.TermManager()
        # Its terms must not outlive it, and Python ends objects that refer to each other in any order: it never ends.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._manager))
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self._solver = bitwuzla.Bitwuzla(self._manager, options)
        self._made: dict[_Key, Any] = {}
        self._arrays: dict[Open, Any] = {}
        self._inputs: list[Node] = []

    def add(self, formula: Truth) -> None:
        self._solver.assert_formula(self._truth(formula))

    def ask(self, conditions: list[Truth], stop: Callable[[], bool]) -> bool | None:
        """Whether there is a model in which the conditions hold, too; None if it was not decided in time."""
        self._solver.configure_terminator(stop)
        METER.add(QUESTION + NODE * len(self._made))
        found = self._solver.check_sat(*(self._truth(each) for each in conditions))
        return {bitwuzla.Result.SAT: True, bitwuzla.Result.UNSAT: False}.get(found)

    def model(self) -> dict[Node, int]:
        """What the model of the last question chooses, which had one."""
        return {node: self._value(node) for node in self._inputs}

    def _value(self, node: Node) -> int:
        bits = 0 if node.is_truth else width(node)
        found = self._solver.get_value(self._made[node, bits])
        if node.is_truth:
            return int(found.value())
        number = int(found.value(10))
        return number - (1 << bits) if node.low < 0 and number >> (bits - 1) else number

    # Terms

    def _truth(self, truth: Truth) -> Any:
        if not isinstance(truth, Node):
            return self._manager.mk_true() if truth else self._manager.mk_false()
        return self._term((truth, 0))

    def _term(self, key: _Key) -> Any:
        return bottom_up(key, self._made, lambda key: self._needed(*key), self._noted)

    def _noted(self, key: _Key) -> Any:
        node, bits = key
        made = self._built(node, bits)
        if node.kind in INPUTS and bits == (0 if node.is_truth else width(node)):
            self._inputs.append(node)
        return made

    def _needed(self, node: Node, bits: int) -> list[_Key]:
        """What has to be there before so many bits of a node are made."""
        parts = [each for each in node.parts if isinstance(each, Node)]
        if node.is_truth:
            size = self._size(node)
            return [(each, 0 if each.is_truth else size) for each in parts]
        full = width(node)
        if bits > full or (bits < full and not self._is_low(node)):
            return [(node, full)]
        if self._is_open(node):
            return []
        match node.kind:
            case "ite":
                return [(parts[0], 0), *((each, bits) for each in parts[1:])]
            case "wrap" | "within":
                return [(each, bits) for each in parts]
            case "<<":
                return [(each, _shifted_size(node, bits)) for each in parts]
            case kind if kind in _LOW_BITS:
                return [(each, bits) for each in parts]
            case "/" | "%" | ">>" | "element":
                return [(each, self._size(node)) for each in parts]
        return []

    def _is_open(self, node: Node) -> bool:
        return self._open_words and node.kind in _MIXED and node.high - node.low >= WORD

    def _is_low(self, node: Node) -> bool:
        """Whether fewer bits of a node can be made of fewer bits of its parts."""
        low = node.kind in _LOW_BITS or node.kind in ("ite", "within", "<<", "wrap")
        return low and not self._is_open(node)

    def _size(self, node: Node) -> int:
        """In how many bits operands are compared, divided or shifted."""
        numbers: list[Value] = [each for each in node.parts if isinstance(each, Node | int)]
        match node.kind:
            case "element" | "truth element":
                return INDEX_BITS
            case "bit":
                return width(numbers[0])
            case "=" | "<" | "%" | ">>" | "/":
                if all((each.low if isinstance(each, Node) else each) >= 0 for each in numbers):
                    return max(map(width, numbers))
                return max(map(signed_width, numbers)) + (node.kind == "/")
        return 0

    def _part(self, part: Any, bits: int) -> Any:
        if isinstance(part, Node):
            return self._made[part, bits]
        sort = self._manager.mk_bv_sort(bits)
        return self._manager.mk_bv_value(sort, str(part & ((1 << bits) - 1)), 10)

    def _built(self, node: Node, bits: int) -> Any:
        if node.is_truth:
            return self._built_truth(node)
        make, full = self._manager.mk_term, width(node)
        if bits > full:
            kind = Kind.BV_SIGN_EXTEND if node.low < 0 else Kind.BV_ZERO_EXTEND
            return make(kind, [self._made[node, full]], [bits - full])
        if bits < full and not self._is_low(node):
            return make(Kind.BV_EXTRACT, [self._made[node, full]], [bits - 1, 0])
        if self._is_open(node):
            return self._manager.mk_const(self._manager.mk_bv_sort(bits), f"word!{len(self._made)}")
        match node.kind:
            case "variable":
                return self._manager.mk_const(self._manager.mk_bv_sort(bits), str(node.parts[0]))
            case "element":
                return self._element(node)
            case "ite":
                condition, then, otherwise = node.parts
                return make(
                    Kind.ITE,
                    [self._made[condition, 0], self._part(then, bits), self._part(otherwise, bits)],  # type: ignore[index]
                )
            case "wrap" | "within":
                return self._part(node.parts[0], bits)
            case "<<":
                size = _shifted_size(node, bits)
                shifted = make(Kind.BV_SHL, [self._part(each, size) for each in node.parts])
                return self._resized(shifted, size, bits, False)
            case kind if kind in _LOW_BITS:
                return make(_LOW_BITS[kind], [self._part(each, bits) for each in node.parts])
        return self._resized(self._divided(node), self._size(node), bits, node.low < 0)

    def _divided(self, node: Node) -> Any:
        signed = any((each.low if isinstance(each, Node) else each) < 0 for each in node.parts)  # type: ignore[operator]
        kinds = {
            "/": (Kind.BV_UDIV, Kind.BV_SDIV),
            "%": (Kind.BV_UREM, Kind.BV_SREM),
            ">>": (Kind.BV_SHR, Kind.BV_ASHR),
        }
        if node.kind not in kinds:
            raise InternalError(f"{node.kind} is not an operation on bit-vectors")
        size = self._size(node)
        return self._manager.mk_term(kinds[node.kind][signed], [self._part(each, size) for each in node.parts])

    def _resized(self, term: Any, size: int, bits: int, signed: bool) -> Any:
        make = self._manager.mk_term
        if bits < size:
            return make(Kind.BV_EXTRACT, [term], [bits - 1, 0])
        kind = Kind.BV_SIGN_EXTEND if signed else Kind.BV_ZERO_EXTEND
        return make(kind, [term], [bits - size]) if bits > size else term

    def _built_truth(self, node: Node) -> Any:
        make, size = self._manager.mk_term, self._size(node)
        match node.kind:
            case "truth variable":
                return self._manager.mk_const(self._manager.mk_bool_sort(), str(node.parts[0]))
            case "truth element":
                return self._element(node)
            case "not":
                return make(Kind.NOT, [self._made[node.parts[0], 0]])  # type: ignore[index]
            case "and":
                return make(Kind.AND, [self._made[each, 0] for each in node.parts])  # type: ignore[index]
            case "=":
                return make(Kind.EQUAL, [self._part(each, size) for each in node.parts])
            case "<":
                signed = any((each.low if isinstance(each, Node) else each) < 0 for each in node.parts)  # type: ignore[operator]
                return make(Kind.BV_SLT if signed else Kind.BV_ULT, [self._part(each, size) for each in node.parts])
            case "bit":
                of, position = node.parts
                if position >= size:  # type: ignore[operator]
                    return self._manager.mk_false()
                cut = make(Kind.BV_EXTRACT, [self._part(of, size)], [position, position])
                return make(Kind.EQUAL, [cut, self._part(1, 1)])
        raise InternalError(f"{node.kind} is not a condition")

    def _element(self, node: Node) -> Any:
        """Where all indices are numbers, elements have nothing to do with each other."""
        array, index = node.parts
        if not isinstance(array, Open):
            raise InternalError("an element has an array")
        sort = self._manager.mk_bool_sort() if node.is_truth else self._manager.mk_bv_sort(width(node))
        if not array.computed:
            return self._manager.mk_const(sort, f"{array}[{index}]")
        if array not in self._arrays:
            indices = self._manager.mk_bv_sort(INDEX_BITS)
            self._arrays[array] = self._manager.mk_const(self._manager.mk_array_sort(indices, sort), array.name)
        return self._manager.mk_term(Kind.ARRAY_SELECT, [self._arrays[array], self._part(index, INDEX_BITS)])


def _shifted_size(node: Node, bits: int) -> int:
    """So many bits of a number that is shifted to the left, and all of how far."""
    by = node.parts[1]
    return max(bits, width(by)) if isinstance(by, Node) else bits
