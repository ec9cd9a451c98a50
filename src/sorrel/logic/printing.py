"""Terms as text: SMT-LIB for machines, infix for people. Both stay linear in the number of distinct nodes.

z3 prints terms too, but not safely: the names it gives to shared subterms and to bound variables can be those
of free variables, and then the text means something else.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.names import Names
from sorrel.logic.pointers import Pointer
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError

# One line, no wrapping, wherever z3 prints for us.
z3.set_param("pp.single_line", True)
z3.set_param("pp.max_width", 1_000_000)

_SIMPLE_SYMBOL = re.compile(r"[A-Za-z~!@$%^&*_\-+=<>.?/][A-Za-z0-9~!@$%^&*_\-+=<>.?/]*\Z")
_RESERVED = frozenset(
    (
        *("let", "forall", "exists", "match", "par", "as", "!", "_", "true", "false", "and", "or", "not"),
        *("=>", "xor", "ite", "distinct", "select", "store"),
    )
)

FUNCTION_NAMES = frozenset(
    (
        *("true", "false", "and", "or", "not", "=>", "xor", "ite", "distinct", "select", "store"),
        *("+", "-", "*", "/", "<", "<=", ">", ">=", "=", "div", "mod", "rem", "abs", "divisible", "^"),
        *("to_real", "to_int", "is_int", "const", "concat", "extract", "repeat", "zero_extend", "sign_extend"),
        *("rotate_left", "rotate_right", "bv2nat", "nat2bv", "int2bv", "ubv_to_int", "sbv_to_int", "int_to_bv"),
        *(f"bv{name}" for name in ("not", "neg", "and", "or", "xor", "nand", "nor", "xnor", "comp", "add", "sub")),
        *(f"bv{name}" for name in ("mul", "udiv", "urem", "sdiv", "srem", "smod", "shl", "lshr", "ashr")),
        *(f"bv{sign}{relation}" for sign in "us" for relation in ("lt", "le", "gt", "ge")),
    )
)
"""Functions of the theories we read: a variable of that name would hide one in a text, in bars or not."""


def smtlib(term: Term) -> str:
    """The term in SMT-LIB syntax, shared subterms bound by `let`."""
    return _SmtLib(term).text()


def smtlib_sort(sort: Sort) -> str:
    return str(sort.sexpr())


def symbol(name: str) -> str:
    """The name as an SMT-LIB symbol, quoted where it must be."""
    if _SIMPLE_SYMBOL.match(name) and name not in _RESERVED:
        return name
    if "|" in name or "\\" in name:
        raise InternalError(f"no SMT-LIB symbol can be called {name!r}")
    return f"|{name}|"


class _Opened:
    """A term whose quantifiers are opened on demand: bound variables become constants with unique names."""

    def __init__(self, root: Term) -> None:
        self._root = root
        declared = {pointers.declaration(n) for n in self._nodes() if pointers.is_application(n)}
        self.names = Names(map(pointers.name_of, declared))
        self._bodies: dict[Pointer, tuple[Sequence[Term], Term]] = {}
        self._quantifiers: list[Term] = []  # held: an address is good as long as its term lives

    def _nodes(self) -> Sequence[Pointer]:
        return list(pointers.nodes(pointers.address(self._root)))

    def quantifier(self, node: Pointer) -> tuple[Sequence[Term], Term]:
        """The variables and the body of a quantifier; the same ones whenever it is asked for."""
        if node not in self._bodies:
            quantifier = pointers.term(node)
            variables = [self.names.variable(name, sort) for name, sort in terms.bound_variables(quantifier)]
            self._quantifiers.append(quantifier)
            self._bodies[node] = (variables, terms.open_quantifier(quantifier, variables))
        return self._bodies[node]


def _quantifier_word(node: Pointer) -> str:
    quantifier = pointers.term(node)
    return "forall" if quantifier.is_forall() else "exists" if quantifier.is_exists() else "lambda"


# SMT-LIB

_NAMES_OF_OPERATORS = {
    z3.Z3_OP_ITE: "ite",
    # z3 simplifies division to operators of its own, which mean what SMT-LIB's do.
    z3.Z3_OP_BUDIV_I: "bvudiv",
    z3.Z3_OP_BSDIV_I: "bvsdiv",
    z3.Z3_OP_BUREM_I: "bvurem",
    z3.Z3_OP_BSREM_I: "bvsrem",
    z3.Z3_OP_BSMOD_I: "bvsmod",
}
_NAMED_AS_WRITTEN = frozenset(
    (
        *(
            z3.Z3_OP_AND,
            z3.Z3_OP_OR,
            z3.Z3_OP_NOT,
            z3.Z3_OP_IMPLIES,
            z3.Z3_OP_XOR,
            z3.Z3_OP_EQ,
            z3.Z3_OP_DISTINCT,
        ),
        *(z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS),
        *(z3.Z3_OP_MUL, z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM, z3.Z3_OP_TO_REAL),
        *(z3.Z3_OP_SELECT, z3.Z3_OP_STORE, z3.Z3_OP_BADD, z3.Z3_OP_BSUB, z3.Z3_OP_BMUL, z3.Z3_OP_BNEG),
        *(z3.Z3_OP_BAND, z3.Z3_OP_BOR, z3.Z3_OP_BXOR, z3.Z3_OP_BNOT, z3.Z3_OP_CONCAT),
        *(z3.Z3_OP_ULEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT),
        *(z3.Z3_OP_SLEQ, z3.Z3_OP_SLT, z3.Z3_OP_SGEQ, z3.Z3_OP_SGT),
    )
)
_NAMED_BY_USER = frozenset((z3.Z3_OP_UNINTERPRETED, z3.Z3_OP_DT_CONSTRUCTOR, z3.Z3_OP_DT_ACCESSOR))


class _SmtLib:
    """Prints scope by scope, inner ones first; a scope is the whole term or the body of a quantifier."""

    def __init__(self, root: Term) -> None:
        self._root = root
        self._opened = _Opened(root)
        self._heads: dict[Pointer, str] = {}
        self._scopes: dict[Pointer, str] = {}  # text by root

    def text(self) -> str:
        root = pointers.address(self._root)
        waiting = [root]
        orders: dict[Pointer, tuple[list[Pointer], set[Pointer]]] = {}
        while waiting:
            scope = waiting[-1]
            if scope in self._scopes:
                waiting.pop()
                continue
            if scope not in orders:
                orders[scope] = _order(scope)
                quantifiers = [n for n in orders[scope][0] if pointers.kind(n) == pointers.QUANTIFIER]
                waiting.extend(pointers.address(self._opened.quantifier(n)[1]) for n in reversed(quantifiers))
                continue
            self._scopes[scope] = self._scope(scope, *orders.pop(scope))
            waiting.pop()
        return self._scopes[root]

    def _scope(self, root: Pointer, order: list[Pointer], shared: set[Pointer]) -> str:
        named: dict[Pointer, str] = {}
        out: list[str] = []
        count = 0
        for node in order:
            if node in shared:
                count += 1
                name = self._opened.names.fresh(f"a!{count}")
                out.append(f"(let (({name} ")
                self._emit(node, named, out)
                out.append(")) ")
                named[node] = name
        self._emit(root, named, out)
        out.append(")" * count)
        return "".join(out)

    def _emit(self, root: Pointer, named: dict[Pointer, str], out: list[str]) -> None:
        stack: list[Pointer | str] = [root]
        while stack:
            item = stack.pop()
            if isinstance(item, str):
                out.append(item)
            elif item in named:
                out.append(named[item])
            elif pointers.kind(item) == pointers.QUANTIFIER:
                out.append(self._quantified(item))
            elif not pointers.is_application(item) or not (arguments := pointers.arguments(item)):
                out.append(self._leaf(item))
            else:
                out.append(self._head(item))
                stack.append(")")
                for argument in reversed(arguments):
                    stack.append(argument)
                    stack.append(" ")

    def _quantified(self, node: Pointer) -> str:
        variables, body = self._opened.quantifier(node)
        binders = " ".join(f"({symbol(terms.name_of(v))} {smtlib_sort(v.sort())})" for v in variables)
        return f"({_quantifier_word(node)} ({binders}) {self._scopes[pointers.address(body)]})"

    def _leaf(self, node: Pointer) -> str:
        operator = pointers.operator(node)
        if operator == z3.Z3_OP_UNINTERPRETED:
            return symbol(pointers.name_of(pointers.declaration(node)))
        if operator == z3.Z3_OP_DT_CONSTRUCTOR:
            name = symbol(pointers.name_of(pointers.declaration(node)))
            sort = smtlib_sort(pointers.sort(pointers.sort_of(node)))
            # A constant of a datatype with parameters names its instance, such as (List Int).
            return f"(as {name} {sort})" if sort.startswith("(") else name
        if operator == z3.Z3_OP_ANUM:
            return _numeral(pointers.numeral(node), pointers.sort_kind(node) == z3.Z3_REAL_SORT)
        return str(pointers.term(node).sexpr())

    def _head(self, node: Pointer) -> str:
        """The opening parenthesis and the operator."""
        declared = pointers.declaration(node)
        found = self._heads.get(declared)
        if found is None:
            operator = pointers.operator_of(declared)
            if operator in _NAMES_OF_OPERATORS:
                found = f"({_NAMES_OF_OPERATORS[operator]}"
            elif operator in _NAMED_AS_WRITTEN:
                found = f"({pointers.name_of(declared)}"
            elif operator in _NAMED_BY_USER:
                found = f"({symbol(pointers.name_of(declared))}"
            else:
                found = _head_by_example(pointers.term(node))
            self._heads[declared] = found
        return found


def _numeral(text: str, is_real: bool) -> str:
    """SMT-LIB has no negative numerals and no fractions: they are written with operators."""
    point = ".0" if is_real else ""
    digits, _, below = text.removeprefix("-").partition("/")
    written = f"(/ {digits}{point} {below}{point})" if below else f"{digits}{point}"
    return f"(- {written})" if text.startswith("-") else written


def _order(root: Pointer) -> tuple[list[Pointer], set[Pointer]]:
    """The nodes of a scope, children before parents, and which of them need a name: those used twice."""
    order: list[Pointer] = []
    shared: set[Pointer] = set()
    seen: set[Pointer] = set()
    stack: list[tuple[Pointer, bool]] = [(root, False)]
    while stack:
        node, expanded = stack.pop()
        if expanded:
            order.append(node)
            continue
        is_quantifier = pointers.kind(node) == pointers.QUANTIFIER
        arguments = [] if is_quantifier or not pointers.is_application(node) else pointers.arguments(node)
        if node in seen:
            if arguments or is_quantifier:
                shared.add(node)
            continue
        seen.add(node)
        if not arguments and not is_quantifier:
            continue
        stack.append((node, True))
        stack.extend((argument, False) for argument in reversed(arguments))
    return order, shared


def _head_by_example(term: Term) -> str:
    """How z3 writes an operator with parameters, such as ((_ extract 7 0): it is shown one with constants."""
    declared = term.decl()
    examples = [z3.Const(f"e!{i}", term.arg(i).sort()) for i in range(term.num_args())]
    tail = "".join(f" e!{i}" for i in range(len(examples))) + ")"
    text = str(declared(*examples).sexpr())
    if not text.endswith(tail):
        raise InternalError(f"no SMT-LIB syntax is known for the operator {declared.name()}")
    return text.removesuffix(tail)


# Infix

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
        self._opened = _Opened(root)
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
        sign = {"forall": "∀", "exists": "∃", "lambda": "λ"}[_quantifier_word(node)]
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
