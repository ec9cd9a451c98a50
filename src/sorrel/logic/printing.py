"""Terms as text: SMT-LIB for machines, infix for people. Both stay linear in the number of distinct nodes."""

from __future__ import annotations

import re

import z3

from sorrel.logic.terms import Sort, Term

# One line, no wrapping: pretty-printing by z3 is quadratic in the nesting depth otherwise.
z3.set_param("pp.single_line", True)
z3.set_param("pp.max_width", 1_000_000)

_SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*\Z")
_RESERVED = frozenset(
    "let forall exists match par as ! _ true false and or not => xor ite distinct select store".split()
)


def smtlib(term: Term) -> str:
    """The term in SMT-LIB syntax, shared subterms bound by `let`."""
    return str(term.sexpr())


def smtlib_sort(sort: Sort) -> str:
    return str(sort.sexpr())


def symbol(name: str) -> str:
    """The name as an SMT-LIB symbol, quoted where it must be."""
    if _SIMPLE_SYMBOL.match(name) and name not in _RESERVED:
        return name
    return f"|{name}|"


_INFIX = {
    z3.Z3_OP_AND: ("∧", 3),
    z3.Z3_OP_OR: ("∨", 2),
    z3.Z3_OP_IMPLIES: ("⇒", 1),
    z3.Z3_OP_IFF: ("⇔", 1),
    z3.Z3_OP_EQ: ("=", 5),
    z3.Z3_OP_DISTINCT: ("≠", 5),
    z3.Z3_OP_LE: ("≤", 5),
    z3.Z3_OP_GE: ("≥", 5),
    z3.Z3_OP_LT: ("<", 5),
    z3.Z3_OP_GT: (">", 5),
    z3.Z3_OP_ADD: ("+", 6),
    z3.Z3_OP_SUB: ("-", 6),
    z3.Z3_OP_MUL: ("*", 7),
    z3.Z3_OP_DIV: ("/", 7),
    z3.Z3_OP_IDIV: ("div", 7),
    z3.Z3_OP_MOD: ("mod", 7),
    z3.Z3_OP_REM: ("rem", 7),
}
_NEGATED = {
    z3.Z3_OP_EQ: "≠",
    z3.Z3_OP_LE: ">",
    z3.Z3_OP_GE: "<",
    z3.Z3_OP_LT: "≥",
    z3.Z3_OP_GT: "≤",
}
_TIGHT = 9  # a name, a numeral, a function application: never needs parentheses
_RIGHT_SIDE_BINDS = (z3.Z3_OP_SUB, z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM, z3.Z3_OP_IMPLIES)


def infix(term: Term, *, share_from: int = 40) -> str:
    """The term as a person writes it. Large subterms that occur again are named after a `where`."""
    return _Infix(term, share_from).text()


class _Infix:
    def __init__(self, root: Term, share_from: int) -> None:
        self._root = root
        self._share_from = share_from
        self._uses: dict[int, int] = {}
        self._order = self._post_order()
        self._done: dict[int, tuple[str, int]] = {}
        self._where: list[str] = []

    def _post_order(self) -> list[Term]:
        order: list[Term] = []
        seen: set[int] = set()
        stack: list[tuple[Term, bool]] = [(self._root, False)]
        while stack:
            term, expanded = stack.pop()
            if expanded:
                order.append(term)
                continue
            self._uses[term.get_id()] = self._uses.get(term.get_id(), 0) + 1
            if term.get_id() in seen:
                continue
            seen.add(term.get_id())
            stack.append((term, True))
            stack.extend((child, False) for child in term.children())
        return order

    def text(self) -> str:
        for term in self._order:
            text, level = self._render(term)
            if len(text) > self._share_from and self._uses[term.get_id()] > 1:
                name = f"t{len(self._where) + 1}"
                self._where.append(f"{name} = {text}")
                text, level = name, _TIGHT
            self._done[term.get_id()] = (text, level)
        result = self._done[self._root.get_id()][0]
        return f"{result} where {'; '.join(self._where)}" if self._where else result

    def _child(self, term: Term, level: int) -> str:
        text, own = self._done[term.get_id()]
        return text if own > level else f"({text})"

    def _render(self, term: Term) -> tuple[str, int]:
        if z3.is_quantifier(term):
            return _quantified(term), 0
        if z3.is_var(term):
            return f"#{z3.get_var_index(term)}", _TIGHT
        if z3.is_int_value(term) or z3.is_rational_value(term):
            text = term.as_string()
            return text, (_TIGHT if text[0] != "-" else 6)
        if z3.is_bv_value(term):
            return str(term.as_long()), _TIGHT
        kind = term.decl().kind()
        children = term.children()
        if kind == z3.Z3_OP_NOT:
            return self._negated(children[0])
        if kind == z3.Z3_OP_ITE:
            c, t, e = (self._child(child, 0) for child in children)
            return f"if {c} then {t} else {e}", 0
        if kind == z3.Z3_OP_UMINUS:
            return f"-{self._child(children[0], 7)}", 6
        if kind == z3.Z3_OP_SELECT:
            indices = ", ".join(self._child(c, 0) for c in children[1:])
            return f"{self._child(children[0], 8)}[{indices}]", _TIGHT
        if kind == z3.Z3_OP_STORE:
            indices = ", ".join(self._child(c, 0) for c in children[1:-1])
            return f"{self._child(children[0], 8)}[{indices} := {self._child(children[-1], 0)}]", _TIGHT
        if kind in (z3.Z3_OP_TO_REAL,):
            return self._done[children[0].get_id()]
        if kind in _INFIX and len(children) >= 2:
            return self._operator(kind, children)
        name = term.decl().name()
        if not children:
            return name, _TIGHT
        return f"{name}({', '.join(self._child(c, 0) for c in children)})", _TIGHT

    def _operator(self, kind: int, children: list[Term]) -> tuple[str, int]:
        sign, level = _INFIX[kind]
        strict = level if kind in _RIGHT_SIDE_BINDS or level == 5 else level - 1
        parts = [self._child(children[0], level - 1 if strict != level or level in (6, 7) else level)]
        for child in children[1:]:
            text = self._child(child, strict)
            if sign == "+" and re.fullmatch(r"\(-\d+\)", text):
                parts.append(f" - {text[2:-1]}")
            elif sign == "+" and text.startswith("-"):
                parts.append(f" - {text[1:]}")
            else:
                parts.append(f" {sign} {text}")
        return "".join(parts), level

    def _negated(self, term: Term) -> tuple[str, int]:
        if z3.is_app(term) and term.num_args() == 2 and term.decl().kind() in _NEGATED:
            left, right = (self._child(child, 5) for child in term.children())
            return f"{left} {_NEGATED[term.decl().kind()]} {right}", 5
        return f"¬{self._child(term, 7)}", 7


def _quantified(term: Term) -> str:
    names = [term.var_name(i) for i in range(term.num_vars())]
    constants = [z3.Const(name, term.var_sort(i)) for i, name in enumerate(names)]
    body = z3.substitute_vars(term.body(), *reversed(constants))
    quantifier = "∀" if term.is_forall() else "∃"
    return f"{quantifier} {', '.join(names)}. {infix(body)}"
