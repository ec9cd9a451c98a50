"""Terms in the syntax of C and of ACSL, its language of annotations, over names that the caller gives.

Operators of ACSL are mathematical, as those of the logic are: a sum does not wrap. Division differs: C's truncates
towards zero, so a remainder that may be taken of a negative number is written so that it means the same.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from itertools import count

import z3

from sorrel.logic import pointers, terms, walk
from sorrel.logic.pointers import Pointer
from sorrel.logic.printing import Infix
from sorrel.logic.ranges_c import as_implication, with_ranges
from sorrel.logic.terms import Term

_SIGNS = {
    z3.Z3_OP_IMPLIES: ("==>", 1),
    z3.Z3_OP_OR: ("||", 2),
    z3.Z3_OP_AND: ("&&", 3),
    z3.Z3_OP_IFF: ("<==>", 1),
    z3.Z3_OP_EQ: ("==", 5),
    z3.Z3_OP_DISTINCT: ("!=", 5),
    z3.Z3_OP_LE: ("<=", 5),
    z3.Z3_OP_GE: (">=", 5),
    z3.Z3_OP_LT: ("<", 5),
    z3.Z3_OP_GT: (">", 5),
    z3.Z3_OP_SLEQ: ("<=", 5),
    z3.Z3_OP_SGEQ: (">=", 5),
    z3.Z3_OP_SLT: ("<", 5),
    z3.Z3_OP_SGT: (">", 5),
    z3.Z3_OP_ULEQ: ("<=", 5),
    z3.Z3_OP_UGEQ: (">=", 5),
    z3.Z3_OP_ULT: ("<", 5),
    z3.Z3_OP_UGT: (">", 5),
    z3.Z3_OP_ADD: ("+", 6),
    z3.Z3_OP_SUB: ("-", 6),
    z3.Z3_OP_MUL: ("*", 7),
    z3.Z3_OP_DIV: ("/", 7),
    z3.Z3_OP_BAND: ("&", 4),
    z3.Z3_OP_BOR: ("|", 4),
    z3.Z3_OP_BXOR: ("^", 4),
}
_NEGATED = {
    z3.Z3_OP_EQ: "!=",
    z3.Z3_OP_LE: ">",
    z3.Z3_OP_GE: "<",
    z3.Z3_OP_LT: ">=",
    z3.Z3_OP_GT: "<=",
    z3.Z3_OP_SLEQ: ">",
    z3.Z3_OP_SGEQ: "<",
    z3.Z3_OP_SLT: ">=",
    z3.Z3_OP_SGT: "<=",
    z3.Z3_OP_ULEQ: ">",
    z3.Z3_OP_UGEQ: "<",
    z3.Z3_OP_ULT: ">=",
    z3.Z3_OP_UGT: "<=",
}
_UNSIGNED = frozenset((z3.Z3_OP_ULEQ, z3.Z3_OP_UGEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGT))
_WRAPPING = {z3.Z3_OP_BADD: "+", z3.Z3_OP_BSUB: "-", z3.Z3_OP_BMUL: "*"}
_UNSIGNED_TYPES = {
    str(1 << bits): f"unsigned {word}" for bits, word in ((8, "char"), (16, "short"), (32, "int"), (64, "long long"))
}
_SIGNED_TYPES = {
    size: "signed char" if word == "unsigned char" else word.removeprefix("unsigned ")
    for size, word in _UNSIGNED_TYPES.items()
}
_TIGHT = 9
_QUOTIENT = 6
"""Less tight than a product: 3 * x / 2 is not 3 * (x / 2)."""
_MOST_SHIFTED = 62
_PAST = ("\\old(", "\\at(")


def c_syntax(
    term: Term,
    names: Mapping[str, str],
    *,
    unsigned: frozenset[str] = frozenset(),
    shifts: frozenset[int] = frozenset(),
    truncating: bool = False,
) -> str:
    """The formula as one line of ACSL. `names` gives the text for each variable, `unsigned` those of unsigned types.

    A division by 2ⁿ is written as a shift where n is in `shifts`. `truncating`: quotients are written as C's, which are
    the same where no dividend is negative.
    """
    return _C(term, names, unsigned, shifts, truncating).text()


def speaks_of_elements(term: Term, names: Mapping[str, str], initial: frozenset[str]) -> bool:
    """Whether arrays are named for their elements only, which is all that C can say of them.

    Of an array that was, the index must be one that was as well: a number, or one of the `initial` variables.
    """
    for node in walk.subterms(term):
        children = node.children()
        for position, child in enumerate(children):
            if not terms.is_array(child):
                continue
            if position or not terms.is_select(node) or not terms.is_variable(child):
                return False
            is_past = names.get(terms.name_of(child), "").startswith(_PAST)
            if is_past and any(terms.name_of(v) not in initial for v in walk.free_variables(children[1])):
                return False
    return not terms.is_array(term)


class _C(Infix):
    signs = _SIGNS
    negated_signs = _NEGATED

    def __init__(
        self,
        root: Term,
        names: Mapping[str, str],
        unsigned: frozenset[str],
        shifts: frozenset[int],
        truncating: bool,
    ) -> None:
        super().__init__(root, share_from=1_000_000_000)  # an annotation has no place for names of its own
        self._texts = dict(names)
        self._taken = set(names.values())
        self._unsigned = unsigned
        self._shifts = shifts
        self._truncating = truncating

    def _render(self, node: Pointer) -> tuple[str, int]:
        if pointers.kind(node) == pointers.QUANTIFIER or not pointers.is_application(node):
            return super()._render(node)
        kind = pointers.operator(node)
        children = pointers.arguments(node)
        match kind:
            case z3.Z3_OP_UNINTERPRETED if not children:
                text = self._text(pointers.name_of(pointers.declaration(node)))
                return text, 8 if text.startswith("*") else _TIGHT
            case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
                return ("\\true" if kind == z3.Z3_OP_TRUE else "\\false"), _TIGHT
            case z3.Z3_OP_BNUM:
                return self._bits(node)
            case z3.Z3_OP_ITE:
                condition, then = (self._child(child, 0) for child in children[:2])
                return f"{condition} ? {then} : {self._child(children[2], -1)}", 0
            case z3.Z3_OP_MOD | z3.Z3_OP_REM | z3.Z3_OP_IDIV:
                return self._division(kind, children)
            case z3.Z3_OP_ADD | z3.Z3_OP_SUB if (conversion := self._conversion(node)) is not None:
                return self._converted(*conversion)
            case z3.Z3_OP_STORE:
                array, index, value = children
                return f"{{ {self._done[array][0]} \\with [{self._done[index][0]}] = {self._done[value][0]} }}", _TIGHT
            case z3.Z3_OP_SELECT if self._done[children[0]][0].startswith(_PAST):
                # \old(a)[i] is the element that is there now, of what `a` pointed to.
                past, place = self._done[children[0]][0], self._done[children[1]][0]
                end = past.rfind(", Pre)") if past.startswith("\\at(") else len(past) - 1
                return f"{past[:end]}[{place}]{past[end:]}", _TIGHT
            case z3.Z3_OP_EQ if pointers.sort_kind(children[0]) == z3.Z3_BOOL_SORT:
                left, right = (self._child(child, 1) for child in children)
                return f"{left} <==> {right}", 1
            case z3.Z3_OP_EQ if self._is_unsigned_equation(children):
                return self._unsigned_comparison("==", children)
            case z3.Z3_OP_BIT2BOOL:
                bit = pointers.term(node).decl().params()[0]
                return f"({self._child(children[0], 4)} & {1 << int(bit)}) != 0", 5
            case z3.Z3_OP_EQ if (test := self._remainder_test(node)) is not None:
                return self._divisible(test, negated=False)
            case z3.Z3_OP_EQ if (small := self._quotient_test(node)) is not None:
                return self._smaller(small, "<")
            case z3.Z3_OP_BNEG | z3.Z3_OP_BNOT:
                return f"{'-' if kind == z3.Z3_OP_BNEG else '~'}{self._child(children[0], 7)}", 7
        if kind in _UNSIGNED:
            return self._unsigned_comparison(self.signs[kind][0], children)
        if kind in _WRAPPING:
            return self._wrapped(_WRAPPING[kind], node, children)
        return super()._render(node)

    def _quantified(self, node: Pointer) -> str:
        variables, body = self._opened.quantifier(node)
        word = "\\forall" if pointers.term(node).is_forall() else "\\exists"
        names = ", ".join(self._text(terms.name_of(variable)) for variable in variables)
        said = self._done[pointers.address(body)][0]
        return f"{word} integer {names}; {as_implication(said, names) if len(variables) == 1 else said}"

    def _text(self, name: str) -> str:
        """The given text; a bound variable gets an identifier of C that nothing else has."""
        if name not in self._texts:
            stem = re.sub(r"\W.*", "", name) or "index"
            candidates = (stem if number == 0 else f"{stem}{number}" for number in count())
            self._texts[name] = next(each for each in candidates if each not in self._taken)
            self._taken.add(self._texts[name])
        return self._texts[name]

    def _operator(self, kind: int, children: Sequence[Pointer]) -> tuple[str, int]:
        """x - 1, not -1 + x; in a longer sum the order would matter to a machine that computes it."""
        if kind == z3.Z3_OP_ADD and len(children) == 2 and self._is_number(children[0]):
            number, other = children
            children = children if self._done[other][0].startswith("-") else (other, number)
        if kind == z3.Z3_OP_AND:
            return " && ".join(with_ranges([self._child(child, 3) for child in children])), 3
        return super()._operator(kind, children)

    def _negated(self, node: Pointer) -> tuple[str, int]:
        kind = pointers.operator(node)
        children = pointers.arguments(node) if pointers.is_application(node) else []
        if kind == z3.Z3_OP_EQ and pointers.sort_kind(children[0]) == z3.Z3_BOOL_SORT:
            left, right = (self._child(child, 5) for child in children)
            return f"{left} != {right}", 5
        if kind == z3.Z3_OP_EQ and self._is_unsigned_equation(children):
            return self._unsigned_comparison("!=", children)
        test = self._remainder_test(node)
        if test is not None:
            return self._divisible(test, negated=True)
        small = self._quotient_test(node)
        if small is not None:
            return self._smaller(small, ">=")
        if kind in _UNSIGNED:
            return self._unsigned_comparison(self.negated_signs[kind], children)
        if kind in self.negated_signs:
            return super()._negated(node)
        return f"!{self._child(node, 7)}", 8

    def _below(self, node: Pointer) -> list[Pointer]:
        conversion = self._conversion(node)
        if conversion is not None:
            return conversion[1]
        is_negated = pointers.operator(node) == z3.Z3_OP_NOT
        tested = pointers.arguments(node)[0] if is_negated else node
        test = self._remainder_test(tested) or self._quotient_test(tested)
        return [test[0], test[1]] if test else super()._below(node)

    def _remainder_test(self, node: Pointer) -> tuple[Pointer, Pointer, bool] | None:
        """x mod k = 0, or x mod 2 = 1: x, k, and whether k divides x. So does C's remainder, whatever x's sign."""
        if pointers.operator(node) != z3.Z3_OP_EQ:
            return None
        sides = pointers.arguments(node)
        for remainder, number in (sides, sides[::-1]):
            if pointers.operator(remainder) != z3.Z3_OP_MOD or pointers.operator(number) != z3.Z3_OP_ANUM:
                continue
            dividend, divisor = pointers.arguments(remainder)
            value = pointers.numeral(number)
            is_two = pointers.operator(divisor) == z3.Z3_OP_ANUM and pointers.numeral(divisor) == "2"
            if not self._is_never_negative(dividend) and (value == "0" or (value == "1" and is_two)):
                return dividend, divisor, value == "0"
        return None

    def _divisible(self, test: tuple[Pointer, Pointer, bool], negated: bool) -> tuple[str, int]:
        dividend, divisor, divides = test
        sign = "==" if divides != negated else "!="
        return f"{self._child(dividend, 6)} % {self._child(divisor, 7)} {sign} 0", 5

    def _quotient_test(self, node: Pointer) -> tuple[Pointer, Pointer] | None:
        """x div k = 0, where x is never negative: x and k, which is greater."""
        if pointers.operator(node) != z3.Z3_OP_EQ:
            return None
        sides = pointers.arguments(node)
        for quotient, number in (sides, sides[::-1]):
            if pointers.operator(quotient) != z3.Z3_OP_IDIV or not self._is_number(number):
                continue
            dividend, divisor = pointers.arguments(quotient)
            is_positive = self._is_number(divisor) and int(pointers.numeral(divisor)) > 0
            if pointers.numeral(number) == "0" and is_positive and self._is_never_negative(dividend):
                return dividend, divisor
        return None

    def _smaller(self, test: tuple[Pointer, Pointer], sign: str) -> tuple[str, int]:
        return f"{self._child(test[0], 5)} {sign} {self._child(test[1], 5)}", 5

    def _division(self, kind: int, children: Sequence[Pointer]) -> tuple[str, int]:
        """A quotient or remainder, whose sign SMT-LIB and C see differently unless the dividend is never negative."""
        is_fixed = pointers.operator(children[1]) == z3.Z3_OP_ANUM
        type = _UNSIGNED_TYPES.get(pointers.numeral(children[1])) if is_fixed else None
        is_plain = pointers.is_variable(children[0]) and self._is_never_negative(children[0])
        if kind == z3.Z3_OP_MOD and type and not is_plain:
            return f"({type}){self._child(children[0], 7)}", 8
        left, right = self._child(children[0], 6), self._child(children[1], 7)
        remainder = f"{left} % {right}"
        bits = int(pointers.numeral(children[1])).bit_length() - 1 if is_fixed else 0
        is_power = is_fixed and 0 < bits <= _MOST_SHIFTED and int(pointers.numeral(children[1])) == 1 << bits
        if kind == z3.Z3_OP_REM or self._truncating or self._is_never_negative(children[0]):
            if kind == z3.Z3_OP_IDIV and is_power and bits in self._shifts:
                return f"{left} >> {bits}", 4
            return (f"{left} / {right}" if kind == z3.Z3_OP_IDIV else remainder), _QUOTIENT
        if is_power:
            # Only shifts and masks round down; a quotient of C would need a correction.
            return (f"{left} >> {bits}" if kind == z3.Z3_OP_IDIV else f"{left} & {(1 << bits) - 1}"), 4
        positive = f"({remainder} + {right}) % {right}"
        return (positive if kind == z3.Z3_OP_MOD else f"({left} - {positive}) / {right}"), _QUOTIENT

    def _conversion(self, node: Pointer) -> tuple[str, list[Pointer]] | None:
        """(x + y + h) mod 2h - h, where h is half of what a type of C can hold: its signed form, and x and y."""
        kind = pointers.operator(node)
        sides = pointers.arguments(node) if kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB) else []
        if len(sides) != 2:
            return None
        remainder, number = sides[::-1] if kind == z3.Z3_OP_ADD and self._is_number(sides[0]) else sides
        if pointers.operator(remainder) != z3.Z3_OP_MOD or not self._is_number(number):
            return None
        sum_, modulus = pointers.arguments(remainder)
        word = _SIGNED_TYPES.get(pointers.numeral(modulus)) if self._is_number(modulus) else None
        if word is None or pointers.operator(sum_) != z3.Z3_OP_ADD:
            return None
        half = int(pointers.numeral(modulus)) // 2
        added = [each for each in pointers.arguments(sum_) if self._is_number(each)]
        taken = half if kind == z3.Z3_OP_SUB else -half
        if int(pointers.numeral(number)) != taken or [*map(pointers.numeral, added)] != [str(half)]:
            return None
        return word, [each for each in pointers.arguments(sum_) if not self._is_number(each)]

    @staticmethod
    def _is_number(node: Pointer) -> bool:
        return pointers.operator(node) == z3.Z3_OP_ANUM

    def _converted(self, type: str, parts: Sequence[Pointer]) -> tuple[str, int]:
        whole = self._child(parts[0], 7) if len(parts) == 1 else f"({self._operator(z3.Z3_OP_ADD, parts)[0]})"
        return f"({type}){whole}", 8

    def _is_never_negative(self, node: Pointer) -> bool:
        """By its form: sums, products and quotients of unsigned variables and positive numbers."""
        stack = [node]
        while stack:
            current = stack.pop()
            kind = pointers.operator(current)
            if kind == z3.Z3_OP_ANUM:
                if pointers.numeral(current).startswith("-"):
                    return False
            elif kind in (z3.Z3_OP_ADD, z3.Z3_OP_MUL, z3.Z3_OP_IDIV):
                stack.extend(pointers.arguments(current))
            elif kind != z3.Z3_OP_MOD and not (
                pointers.is_variable(current) and pointers.name_of(pointers.declaration(current)) in self._unsigned
            ):
                return False
        return True

    def _bits(self, node: Pointer) -> tuple[str, int]:
        """A literal of the machine as a signed number, which is what most C variables are."""
        value = pointers.term(node)
        number = int(value.as_signed_long())
        return str(number), 6 if number < 0 else _TIGHT

    def _is_unsigned_equation(self, children: Sequence[Pointer]) -> bool:
        """Between an unsigned variable and a number of the machine, which has two readings."""
        kinds = {pointers.operator(child) for child in children}
        named = (pointers.name_of(pointers.declaration(child)) for child in children if pointers.is_variable(child))
        return z3.Z3_OP_BNUM in kinds and any(name in self._unsigned for name in named)

    def _unsigned_comparison(self, sign: str, children: Sequence[Pointer]) -> tuple[str, int]:
        sides = [self._as_unsigned(child) for child in children]
        return f"{sides[0]} {sign} {sides[1]}", 5

    def _as_unsigned(self, node: Pointer) -> str:
        if pointers.operator(node) == z3.Z3_OP_BNUM:
            return f"{pointers.term(node).as_long()}"
        if pointers.is_variable(node) and pointers.name_of(pointers.declaration(node)) in self._unsigned:
            return self._done[node][0]
        return f"(unsigned){self._child(node, 8)}"

    def _wrapped(self, sign: str, node: Pointer, children: Sequence[Pointer]) -> tuple[str, int]:
        """Machine arithmetic, which wraps: ACSL says so by a conversion of the mathematical result."""
        level = 6 if sign != "*" else 7
        if sign == "+":  # numbers last
            children = sorted(children, key=lambda child: pointers.operator(child) == z3.Z3_OP_BNUM)
        parts = [self._child(child, level - (sign != "-")) for child in children]
        text = re.sub(r"\+ -(\d)", r"- \1", f" {sign} ".join(parts))
        width = pointers.term(node).size()
        word = {8: "char", 16: "short", 32: "int", 64: "long long"}.get(width)
        return (f"({word})({text})", _TIGHT) if word else (f"({text})", _TIGHT)
