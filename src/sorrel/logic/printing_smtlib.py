"""Terms and sorts as SMT-LIB text."""

from __future__ import annotations

import re
from collections.abc import Sequence

import z3

from sorrel.logic import pointers, terms
from sorrel.logic.names import Names
from sorrel.logic.pointers import Pointer
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError

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
    return terms.basic_name(sort) or str(sort.sexpr())


def symbol(name: str) -> str:
    """The name as an SMT-LIB symbol, quoted where it must be."""
    if _SIMPLE_SYMBOL.match(name) and name not in _RESERVED:
        return name
    if "|" in name or "\\" in name:
        raise InternalError(f"no SMT-LIB symbol can be called {name!r}")
    return f"|{name}|"


class Opened:
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


def quantifier_word(node: Pointer) -> str:
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
        self._opened = Opened(root)
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
        return f"({quantifier_word(node)} ({binders}) {self._scopes[pointers.address(body)]})"

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
