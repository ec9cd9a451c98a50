"""Formulas as OCaml expressions, over names that the caller gives."""

from __future__ import annotations

from collections.abc import Mapping

import z3

from sorrel.logic import pointers, terms, walk
from sorrel.logic.pointers import Pointer
from sorrel.logic.printing import PLAIN_SIGNS, Infix
from sorrel.logic.terms import Term

_SIGNS = {
    **PLAIN_SIGNS,
    z3.Z3_OP_OR: ("||", 2),
    z3.Z3_OP_AND: ("&&", 3),
    z3.Z3_OP_IFF: ("=", 5),
    z3.Z3_OP_EQ: ("=", 5),
    z3.Z3_OP_DISTINCT: ("<>", 5),
    z3.Z3_OP_LE: ("<=", 5),
    z3.Z3_OP_GE: (">=", 5),
    z3.Z3_OP_MOD: ("mod", 7),
}
_NEGATED = {
    z3.Z3_OP_EQ: "<>",
    z3.Z3_OP_LE: ">",
    z3.Z3_OP_GE: "<",
    z3.Z3_OP_LT: ">=",
    z3.Z3_OP_GT: "<=",
}
_TIGHT = 9
_SAID = frozenset(
    (
        *(sign for sign in _SIGNS if sign != z3.Z3_OP_MOD),
        *(z3.Z3_OP_NOT, z3.Z3_OP_ITE, z3.Z3_OP_IMPLIES, z3.Z3_OP_TRUE, z3.Z3_OP_FALSE),
        *(z3.Z3_OP_ANUM, z3.Z3_OP_UMINUS, z3.Z3_OP_UNINTERPRETED),
    )
)


def can_be_said(term: Term) -> bool:
    """Whether OCaml has an expression that means the same: its division rounds in another direction."""
    if walk.has_quantifier(term):
        return False
    nodes = list(pointers.nodes(pointers.address(term)))
    # Remainders differ, but one is zero where the other is.
    zero = {child for node in nodes if _is_divisible(node) for child in pointers.arguments(node)}
    return all(
        pointers.operator(node) in _SAID or (pointers.operator(node) == z3.Z3_OP_MOD and node in zero) for node in nodes
    )


def _is_divisible(node: Pointer) -> bool:
    """Whether the node says that a remainder is zero."""
    if not pointers.is_application(node) or pointers.operator(node) != z3.Z3_OP_EQ:
        return False
    texts = [pointers.numeral(each) for each in pointers.arguments(node) if pointers.operator(each) == z3.Z3_OP_ANUM]
    return texts == ["0"]


def ml_syntax(term: Term, names: Mapping[str, str]) -> str:
    """The formula as one line of OCaml. `names` gives the text for each variable."""
    return _ML(term, names).text()


class _ML(Infix):
    signs = _SIGNS
    negated_signs = _NEGATED

    def __init__(self, root: Term, names: Mapping[str, str]) -> None:
        super().__init__(root, share_from=1_000_000_000)  # a type has no place for names of its own
        self._texts = names

    def _render(self, node: Pointer) -> tuple[str, int]:
        if pointers.is_application(node):
            kind, children = pointers.operator(node), pointers.arguments(node)
            if kind == z3.Z3_OP_UNINTERPRETED and not children:
                text = self._texts[pointers.name_of(pointers.declaration(node))]
                return text, 8 if " " in text else _TIGHT
            if kind == z3.Z3_OP_IMPLIES:
                return f"not {self._child(children[0], 8)} || {self._child(children[1], 2)}", 2
            if kind == z3.Z3_OP_ANUM and pointers.numeral(node).startswith("-"):
                return f"({pointers.numeral(node)})", _TIGHT
        return super()._render(node)

    def _negated(self, node: Pointer) -> tuple[str, int]:
        if pointers.operator(node) in self.negated_signs:
            return super()._negated(node)
        return f"not {self._child(node, 8)}", 8


def variables_of(term: Term) -> set[str]:
    return {terms.name_of(variable) for variable in walk.free_variables(term)}
