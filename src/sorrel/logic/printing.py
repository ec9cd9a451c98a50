"""Terms as text: SMT-LIB for machines, infix for people. Both stay linear in the number of distinct nodes.

z3 prints terms too, but not safely: the names it gives to shared subterms and to bound variables can be those
of free variables, and then the text means something else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.pointers import Pointer
from sorrel.logic.printing_smtlib import Opened, quantifier_word
from sorrel.logic.terms import Term

# One line, no wrapping, wherever z3 prints for us.
z3.set_param("pp.single_line", True)
z3.set_param("pp.max_width", 1_000_000)


# Infix

PLAIN_SIGNS = {
    z3.Z3_OP_LT: ("<", 5),
    z3.Z3_OP_GT: (">", 5),
    z3.Z3_OP_ADD: ("+", 6),
    z3.Z3_OP_SUB: ("-", 6),
    z3.Z3_OP_MUL: ("*", 7),
}
"""Those that languages agree about, with how tightly they bind."""
_INFIX = {
    **PLAIN_SIGNS,
    z3.Z3_OP_AND: ("∧", 3),
    z3.Z3_OP_OR: ("∨", 2),
    z3.Z3_OP_IMPLIES: ("⇒", 1),
    z3.Z3_OP_IFF: ("⇔", 1),
    z3.Z3_OP_EQ: ("=", 5),
    z3.Z3_OP_DISTINCT: ("≠", 5),
    z3.Z3_OP_LE: ("≤", 5),
    z3.Z3_OP_GE: ("≥", 5),
    z3.Z3_OP_DIV: ("/", 7),
    z3.Z3_OP_IDIV: ("div", 7),
    z3.Z3_OP_MOD: ("mod", 7),
    z3.Z3_OP_REM: ("rem", 7),
    # Bit-vectors as unsigned numbers; signed comparisons keep their names.
    z3.Z3_OP_ULEQ: ("≤", 5),
    z3.Z3_OP_UGEQ: ("≥", 5),
    z3.Z3_OP_ULT: ("<", 5),
    z3.Z3_OP_UGT: (">", 5),
    z3.Z3_OP_SLEQ: ("≤ₛ", 5),
    z3.Z3_OP_SGEQ: ("≥ₛ", 5),
    z3.Z3_OP_SLT: ("<ₛ", 5),
    z3.Z3_OP_SGT: (">ₛ", 5),
    z3.Z3_OP_BADD: ("+", 6),
    z3.Z3_OP_BSUB: ("-", 6),
    z3.Z3_OP_BMUL: ("*", 7),
    z3.Z3_OP_BAND: ("&", 7),
}
_NEGATED = {
    z3.Z3_OP_ULEQ: ">",
    z3.Z3_OP_UGEQ: "<",
    z3.Z3_OP_ULT: "≥",
    z3.Z3_OP_UGT: "≤",
    z3.Z3_OP_SLEQ: ">ₛ",
    z3.Z3_OP_SGEQ: "<ₛ",
    z3.Z3_OP_SLT: "≥ₛ",
    z3.Z3_OP_SGT: "≤ₛ",
    z3.Z3_OP_EQ: "≠",
    z3.Z3_OP_LE: ">",
    z3.Z3_OP_GE: "<",
    z3.Z3_OP_LT: "≥",
    z3.Z3_OP_GT: "≤",
}
_TIGHT = 9  # a name, a numeral, a function application: never needs parentheses
_RIGHT_SIDE_BINDS = (
    z3.Z3_OP_SUB,
    z3.Z3_OP_BSUB,
    z3.Z3_OP_BAND,
    z3.Z3_OP_DIV,
    z3.Z3_OP_IDIV,
    z3.Z3_OP_MOD,
    z3.Z3_OP_REM,
    z3.Z3_OP_IMPLIES,
)


def infix(term: Term, *, share_from: int = 40) -> str:
    """The term as a person writes it. Large subterms that occur again are named after a `where`."""
    return Infix(term, share_from).text()


_LONGEST = 4000  # a subterm with more characters gets a name even if it occurs once: copying it costs too much


class Infix:
    """Prints bottom up. Other infix languages have their own signs and say some terms in their own way."""

    signs: Mapping[int, tuple[str, int]] = _INFIX
    negated_signs: Mapping[int, str] = _NEGATED

    def __init__(self, root: Term, share_from: int) -> None:
        self._root = root
        self._share_from = share_from
        self._opened = Opened(root)
        self._uses: dict[Pointer, int] = {}
        self._done: dict[Pointer, tuple[str, int]] = {}
        self._where: list[str] = []

    def _below(self, node: Pointer) -> list[Pointer]:
        """What is rendered before the node; x ≠ y is made from x and y, though it is (not (= x y))."""
        if pointers.kind(node) == pointers.QUANTIFIER:
            return [pointers.address(self._opened.quantifier(node)[1])]
        if pointers.operator(node) == z3.Z3_OP_NOT:
            (atom,) = pointers.arguments(node)
            return pointers.arguments(atom) if pointers.operator(atom) in self.negated_signs else [atom]
        return pointers.children(node)

    def _post_order(self) -> list[Pointer]:
        order: list[Pointer] = []
        stack: list[tuple[Pointer, bool]] = [(pointers.address(self._root), False)]
        while stack:
            node, expanded = stack.pop()
            if expanded:
                order.append(node)
                continue
            uses = self._uses.get(node, 0)
            self._uses[node] = uses + 1
            if not uses:
                stack.append((node, True))
                stack.extend((child, False) for child in reversed(self._below(node)))
        return order

    def text(self) -> str:
        root = pointers.address(self._root)
        for node in self._post_order():
            text, level = self._render(node)
            is_shared = len(text) > self._share_from and self._uses[node] > 1
            if is_shared or (len(text) > _LONGEST and node != root):
                name = self._opened.names.fresh(f"t{len(self._where) + 1}")
                self._where.append(f"{name} = {text}")
                text, level = name, _TIGHT
            self._done[node] = (text, level)
            self._forget(self._below(node))
        result = self._done[root][0]
        return f"{result} where {'; '.join(self._where)}" if self._where else result

    def _forget(self, children: Sequence[Pointer]) -> None:
        """Texts that nobody will ask for again: in a deep term they would add up."""
        for child in children:
            self._uses[child] -= 1
            if not self._uses[child]:
                del self._done[child]

    def _child(self, node: Pointer, level: int) -> str:
        text, own = self._done[node]
        return text if own > level else f"({text})"

    def _arguments(self, nodes: Sequence[Pointer]) -> str:
        return ", ".join(self._done[node][0] for node in nodes)

    def _render(self, node: Pointer) -> tuple[str, int]:
        if pointers.kind(node) == pointers.QUANTIFIER:
            return self._quantified(node), 0
        if not pointers.is_application(node):
            return f"#{z3.get_var_index(pointers.term(node))}", _TIGHT
        declared = pointers.declaration(node)
        kind = pointers.operator_of(declared)
        children = pointers.arguments(node)
        match kind:
            case z3.Z3_OP_ANUM | z3.Z3_OP_BNUM:
                return _number(pointers.term(node))
            case z3.Z3_OP_TRUE | z3.Z3_OP_FALSE:
                return pointers.name_of(declared), _TIGHT
            case z3.Z3_OP_NOT:
                return self._negated(children[0])
            case z3.Z3_OP_ITE:
                c, t, e = (self._child(child, 0) for child in children)
                return f"if {c} then {t} else {e}", 0
            case z3.Z3_OP_UMINUS:
                return f"-{self._child(children[0], 7)}", 6
            case z3.Z3_OP_SELECT:
                return f"{self._child(children[0], 8)}[{self._arguments(children[1:])}]", _TIGHT
            case z3.Z3_OP_STORE:
                array, *indices, value = children
                return (
                    f"{self._child(array, 8)}[{self._arguments(indices)} := {self._done[value][0]}]",
                    _TIGHT,
                )
            case z3.Z3_OP_TO_REAL:
                return self._done[children[0]]
        if kind in self.signs and (len(children) == 2 or (len(children) > 2 and kind != z3.Z3_OP_DISTINCT)):
            return self._operator(kind, children)
        name = _function_name(pointers.term(node))
        return (f"{name}({self._arguments(children)})" if children else name), _TIGHT

    def _quantified(self, node: Pointer) -> str:
        variables, body = self._opened.quantifier(node)
        sign = {"forall": "∀", "exists": "∃", "lambda": "λ"}[quantifier_word(node)]
        return f"{sign} {', '.join(map(terms.name_of, variables))}. {self._done[pointers.address(body)][0]}"

    def _operator(self, kind: int, children: Sequence[Pointer]) -> tuple[str, int]:
        sign, level = self.signs[kind]
        children = _number_last(kind, children)
        first = self._done[children[0]][0]
        if sign == "*" and re.fullmatch(r"-[0-9]+", first):
            # -2 * x is -(2 * x), which a sum shows as a subtraction.
            factors = " * ".join(self._child(child, level - 1) for child in children[1:])
            return (f"-{factors}" if first == "-1" and len(children) == 2 else f"{first} * {factors}"), 6
        strict = level if kind in _RIGHT_SIDE_BINDS or level == 5 else level - 1
        parts = [self._child(children[0], level - 1 if strict != level or level in (6, 7) else level)]
        for child in children[1:]:
            text = self._child(child, strict)
            if sign == "+" and text.startswith("-") and self._done[child][1] == 6:
                parts.append(f" - {text[1:]}")
            else:
                parts.append(f" {sign} {text}")
        return "".join(parts), level

    def _negated(self, node: Pointer) -> tuple[str, int]:
        kind = pointers.operator(node)
        if kind in self.negated_signs:
            left, right = (self._child(child, 5) for child in _number_last(kind, pointers.arguments(node)))
            return f"{left} {self.negated_signs[kind]} {right}", 5
        return f"¬{self._child(node, 7)}", 7


def _number_last(kind: int, children: Sequence[Pointer]) -> Sequence[Pointer]:
    """x = 1, not 1 = x, which is how z3 likes to order equations."""
    if kind == z3.Z3_OP_EQ and pointers.operator(children[0]) in (z3.Z3_OP_ANUM, z3.Z3_OP_BNUM):
        return list(reversed(children))
    return children


def _number(term: Term) -> tuple[str, int]:
    text = str(term.as_long()) if z3.is_bv_value(term) else str(term.as_string())
    return text, 6 if text[0] == "-" else 7 if "/" in text else _TIGHT


def _function_name(term: Term) -> str:
    """The name of the function with what it is indexed by: is_cons, extract[7, 0]."""
    declared = term.decl()
    indices = [p.name() if isinstance(p, z3.FuncDeclRef) else str(p) for p in declared.params()]
    if declared.kind() in (z3.Z3_OP_DT_IS, z3.Z3_OP_DT_RECOGNISER):
        return f"is_{indices[0]}"
    if declared.kind() in (z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_DT_CONSTRUCTOR, z3.Z3_OP_DT_ACCESSOR):
        return str(declared.name())
    if declared.kind() == z3.Z3_OP_CONST_ARRAY or not indices:
        return str(declared.name())
    return f"{declared.name()}[{', '.join(indices)}]"
