"""Terms as bare pointers: z3's C functions without the objects and the error check around every call.

A Python object per node costs ten times as much as the node itself, so whatever looks at every node of a
large term works on addresses. The functions used here cannot fail on valid addresses. An address names a term
as long as somebody holds that term: whoever keeps addresses keeps the term as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, TypeAlias

import z3
from z3 import z3core

from sorrel.model.errors import InternalError

Pointer: TypeAlias = int

_CTX = z3.main_ctx()
_REF: int = ctypes.cast(_CTX.ref(), ctypes.c_void_p).value or 0
_ADDRESS = ctypes.c_void_p
_NUMBER = ctypes.c_uint


def _function(name: str, result: Any, *arguments: Any) -> Any:
    """The C function behind z3's wrapper (kept in its last default argument), on plain numbers.

    They return at once, so the interpreter's lock is not given up for them.
    """
    wrapped = getattr(z3core, name).__defaults__[-1].f
    prototype = ctypes.PYFUNCTYPE(result, _ADDRESS, *arguments)
    return prototype(ctypes.cast(wrapped, ctypes.c_void_p).value or 0)


_get_ast_kind = _function("Z3_get_ast_kind", _NUMBER, _ADDRESS)
_get_app_decl = _function("Z3_get_app_decl", _ADDRESS, _ADDRESS)
_get_app_num_args = _function("Z3_get_app_num_args", _NUMBER, _ADDRESS)
_get_app_arg = _function("Z3_get_app_arg", _ADDRESS, _ADDRESS, _NUMBER)
_get_decl_kind = _function("Z3_get_decl_kind", _NUMBER, _ADDRESS)
_get_decl_name = _function("Z3_get_decl_name", _ADDRESS, _ADDRESS)
_get_symbol_kind = _function("Z3_get_symbol_kind", _NUMBER, _ADDRESS)
_get_symbol_string = _function("Z3_get_symbol_string", ctypes.c_char_p, _ADDRESS)
_get_symbol_int = _function("Z3_get_symbol_int", ctypes.c_int, _ADDRESS)
_get_sort = _function("Z3_get_sort", _ADDRESS, _ADDRESS)
_get_sort_kind = _function("Z3_get_sort_kind", _NUMBER, _ADDRESS)
_get_quantifier_body = _function("Z3_get_quantifier_body", _ADDRESS, _ADDRESS)
_get_quantifier_num_bound = _function("Z3_get_quantifier_num_bound", _NUMBER, _ADDRESS)
_get_quantifier_bound_name = _function("Z3_get_quantifier_bound_name", _ADDRESS, _ADDRESS, _NUMBER)
_get_quantifier_bound_sort = _function("Z3_get_quantifier_bound_sort", _ADDRESS, _ADDRESS, _NUMBER)
_mk_string_symbol = _function("Z3_mk_string_symbol", _ADDRESS, ctypes.c_char_p)
_mk_const = _function("Z3_mk_const", _ADDRESS, _ADDRESS, _ADDRESS)
_substitute_vars = _function("Z3_substitute_vars", _ADDRESS, _ADDRESS, _NUMBER, ctypes.POINTER(_ADDRESS))
_get_bv_sort_size = _function("Z3_get_bv_sort_size", _NUMBER, _ADDRESS)
_mk_not = _function("Z3_mk_not", _ADDRESS, _ADDRESS)
_mk_and = _function("Z3_mk_and", _ADDRESS, _NUMBER, ctypes.POINTER(_ADDRESS))
_mk_or = _function("Z3_mk_or", _ADDRESS, _NUMBER, ctypes.POINTER(_ADDRESS))
_substitute = _function(
    "Z3_substitute", _ADDRESS, _ADDRESS, _NUMBER, ctypes.POINTER(_ADDRESS), ctypes.POINTER(_ADDRESS)
)
_mk_app = _function("Z3_mk_app", _ADDRESS, _ADDRESS, _NUMBER, ctypes.POINTER(_ADDRESS))
_mk_sign_ext = _function("Z3_mk_sign_ext", _ADDRESS, _NUMBER, _ADDRESS)
_mk_zero_ext = _function("Z3_mk_zero_ext", _ADDRESS, _NUMBER, _ADDRESS)
_mk_extract = _function("Z3_mk_extract", _ADDRESS, _NUMBER, _NUMBER, _ADDRESS)
_get_numeral_string = _function("Z3_get_numeral_string", ctypes.c_char_p, _ADDRESS)
_inc_ref = _function("Z3_inc_ref", None, _ADDRESS)
_model_get_const_interp = _function("Z3_model_get_const_interp", _ADDRESS, _ADDRESS, _ADDRESS)

APPLICATION: int = z3.Z3_APP_AST
QUANTIFIER: int = z3.Z3_QUANTIFIER_AST
BOUND: int = z3.Z3_VAR_AST
UNINTERPRETED: int = z3.Z3_OP_UNINTERPRETED
CONSTRUCTOR: int = z3.Z3_OP_DT_CONSTRUCTOR
ACCESSOR: int = z3.Z3_OP_DT_ACCESSOR


def address(thing: Any) -> Pointer:
    """Where a term, sort or declaration lives."""
    value: int = thing.ast.value
    return value


def kind(node: Pointer) -> int:
    """Application, numeral, bound variable or quantifier."""
    return int(_get_ast_kind(_REF, node))


def is_application(node: Pointer) -> bool:
    """Numerals are applications without arguments."""
    return bool(_get_ast_kind(_REF, node) <= APPLICATION)


def declaration(node: Pointer) -> Pointer:
    return int(_get_app_decl(_REF, node))


def operator(node: Pointer) -> int:
    """The kind of function that an application applies; -1 if the node is none."""
    if _get_ast_kind(_REF, node) > APPLICATION:
        return -1
    return int(_get_decl_kind(_REF, _get_app_decl(_REF, node)))


def operator_of(declared: Pointer) -> int:
    return int(_get_decl_kind(_REF, declared))


def arguments(node: Pointer) -> list[Pointer]:
    """The arguments of an application."""
    return [_get_app_arg(_REF, node, i) for i in range(_get_app_num_args(_REF, node))]


def arity(node: Pointer) -> int:
    return int(_get_app_num_args(_REF, node))


def children(node: Pointer) -> list[Pointer]:
    """Arguments of an application, the body of a quantifier."""
    found = _get_ast_kind(_REF, node)
    if found == APPLICATION:
        return [_get_app_arg(_REF, node, i) for i in range(_get_app_num_args(_REF, node))]
    if found == QUANTIFIER:
        return [_get_quantifier_body(_REF, node)]
    return []


def name_of(declared: Pointer) -> str:
    """The name of a declaration."""
    return _text(_get_decl_name(_REF, declared))


def numeral(node: Pointer) -> str:
    """An integer or rational number: -3, 1/2."""
    return str(_get_numeral_string(_REF, node).decode())


def sort_of(node: Pointer) -> Pointer:
    return int(_get_sort(_REF, node))


def sort_kind(node: Pointer) -> int:
    """The kind of sort that a term has."""
    return int(_get_sort_kind(_REF, _get_sort(_REF, node)))


def bound(node: Pointer) -> list[tuple[str, Pointer]]:
    """Names and sorts of the variables of a quantifier, outermost first."""
    return [
        (_text(_get_quantifier_bound_name(_REF, node, i)), _get_quantifier_bound_sort(_REF, node, i))
        for i in range(_get_quantifier_num_bound(_REF, node))
    ]


def _text(symbol: Pointer) -> str:
    if _get_symbol_kind(_REF, symbol) == z3.Z3_INT_SYMBOL:
        return f"k!{_get_symbol_int(_REF, symbol)}"
    return str(_get_symbol_string(_REF, symbol).decode())


def is_variable(node: Pointer) -> bool:
    """An uninterpreted constant."""
    return (
        _get_ast_kind(_REF, node) == APPLICATION
        and not _get_app_num_args(_REF, node)
        and _get_decl_kind(_REF, _get_app_decl(_REF, node)) == UNINTERPRETED
    )


def is_plain(node: Pointer) -> bool:
    """A number, a truth value or a variable: as simple as can be."""
    found = _get_ast_kind(_REF, node)
    if found != APPLICATION or _get_app_num_args(_REF, node):
        return bool(found == z3.Z3_NUMERAL_AST)
    return _get_decl_kind(_REF, _get_app_decl(_REF, node)) in _PLAIN


_PLAIN = frozenset((UNINTERPRETED, z3.Z3_OP_TRUE, z3.Z3_OP_FALSE))


def nodes(root: Pointer) -> Iterator[Pointer]:
    """Every distinct node below `root`, parents before children, left to right."""
    seen = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for child in reversed(children(node)):
            if child not in seen:
                seen.add(child)
                stack.append(child)


def uninterpreted(root: Pointer) -> tuple[list[Pointer], list[Pointer]]:
    """The uninterpreted constants below `root`, and the applications of uninterpreted functions to arguments.

    Written for speed: every summary that is checked is looked at in this way.
    """
    ref, get_kind, get_declaration, get_argument = _REF, _get_ast_kind, _get_app_decl, _get_app_arg
    count_arguments, get_operator = _get_app_num_args, _get_decl_kind
    constants: list[Pointer] = []
    applications: list[Pointer] = []
    seen = {root}
    stack = [root]
    while stack:
        node = stack.pop()
        found = get_kind(ref, node)
        below: list[Pointer] = []
        if found == APPLICATION:
            below = [get_argument(ref, node, i) for i in range(count_arguments(ref, node))]
            if get_operator(ref, get_declaration(ref, node)) == UNINTERPRETED:
                (applications if below else constants).append(node)
        elif found == QUANTIFIER:
            below = [_get_quantifier_body(ref, node)]
        for child in below:
            if child not in seen:
                seen.add(child)
                stack.append(child)
    return constants, applications


def variables(roots: Iterable[Pointer]) -> list[Pointer]:
    """The uninterpreted constants below the roots, in order of first occurrence; written for speed as well."""
    ref, get_kind, get_declaration, get_argument = _REF, _get_ast_kind, _get_app_decl, _get_app_arg
    count_arguments, get_operator = _get_app_num_args, _get_decl_kind
    found: list[Pointer] = []
    seen: set[Pointer] = set()
    for root in roots:
        stack = [root]
        while stack:
            node = stack.pop()
            if node in seen:
                continue
            seen.add(node)
            kind_ = get_kind(ref, node)
            if kind_ == APPLICATION:
                count = count_arguments(ref, node)
                if count:
                    stack.extend([get_argument(ref, node, i) for i in range(count - 1, -1, -1)])
                elif get_operator(ref, get_declaration(ref, node)) == UNINTERPRETED:
                    found.append(node)
            elif kind_ == QUANTIFIER:
                stack.append(_get_quantifier_body(ref, node))
    return found


def mark_applications(
    root: Pointer,
    is_wanted: Callable[[Pointer], bool],
    declarations: dict[Pointer, bool],
    known: dict[Pointer, bool],
) -> None:
    """Mark in `known`, for every node below `root`, whether it holds an application of a wanted declaration.

    `declarations` remembers what `is_wanted` said. Written for speed: reading large files rests on it.
    """
    ref, get_kind, get_declaration, get_argument = _REF, _get_ast_kind, _get_app_decl, _get_app_arg
    count_arguments = _get_app_num_args
    stack: list[tuple[Pointer, list[Pointer], Iterator[Pointer], bool]] = []
    node = root
    while True:
        below: list[Pointer] = []
        hit = False
        found = get_kind(ref, node)
        if found == APPLICATION:
            declared = get_declaration(ref, node)
            wanted = declarations.get(declared)
            if wanted is None:
                wanted = declarations[declared] = is_wanted(declared)
            hit = wanted
            below = [get_argument(ref, node, i) for i in range(count_arguments(ref, node))]
        elif found == QUANTIFIER:
            below = [_get_quantifier_body(ref, node)]
        stack.append((node, below, iter(below), hit))
        while stack:
            node, below, left, hit = stack[-1]
            waiting = next((child for child in left if child not in known), None)
            if waiting is not None:
                node = waiting
                break
            stack.pop()
            known[node] = hit or any(known[child] for child in below)
        else:
            return


# Objects for pointers


_CLASS: dict[int, type[z3.ExprRef]] = {
    z3.Z3_BOOL_SORT: z3.BoolRef,
    z3.Z3_INT_SORT: z3.ArithRef,
    z3.Z3_REAL_SORT: z3.ArithRef,
    z3.Z3_BV_SORT: z3.BitVecRef,
    z3.Z3_DATATYPE_SORT: z3.DatatypeRef,
}


def width(node: Pointer) -> int:
    """Of a bit-vector, in bits."""
    return int(_get_bv_sort_size(_REF, _get_sort(_REF, node)))


def bit_operation(name: str) -> Callable[[z3.ExprRef, z3.ExprRef], z3.ExprRef]:
    """An operation on two bit-vectors of one width, by the name that it has in C."""
    make = _function(name, _ADDRESS, _ADDRESS, _ADDRESS)
    return lambda left, right: term(make(_REF, address(left), address(right)))


def sign_extended(operand: z3.ExprRef, more: int) -> z3.ExprRef:
    return term(_mk_sign_ext(_REF, more, address(operand)))


def zero_extended(operand: z3.ExprRef, more: int) -> z3.ExprRef:
    return term(_mk_zero_ext(_REF, more, address(operand)))


def low_bits(operand: z3.ExprRef, size: int) -> z3.ExprRef:
    return term(_mk_extract(_REF, size - 1, 0, address(operand)))


def term(node: Pointer) -> z3.ExprRef:
    """The object for an address; the frequent kinds without z3's detours."""
    found = _get_ast_kind(_REF, node)
    if found == APPLICATION:
        sort = _get_sort_kind(_REF, _get_sort(_REF, node))
        # Irrational numbers have a class of their own, and so have sets, which are arrays.
        if sort in _CLASS and (sort != z3.Z3_REAL_SORT or _get_app_num_args(_REF, node) or is_variable(node)):
            return _object(_CLASS[sort], node)
    return z3.z3._to_expr_ref(_handle(node, _AST), _CTX)


def sort(node: Pointer) -> z3.SortRef:
    return z3.z3._to_sort_ref(_handle(node, _SORT), _CTX)


_AST = z3.z3types.Ast
_SORT = z3.z3types.Sort


def _handle(node: Pointer, type_: Any) -> Any:
    """The address in the type that z3's Python interface passes around."""
    handle = type_.__new__(type_)
    handle.value = node
    return handle


def _object(class_: type[z3.ExprRef], node: Pointer) -> z3.ExprRef:
    made = class_.__new__(class_)
    made.ast = _handle(node, _AST)
    made.ctx = _CTX
    _inc_ref(_REF, node)
    return made


class Objects:
    """One object per term, however often it is asked for; they stay alive, so that no address is reused."""

    def __init__(self) -> None:
        self._known: dict[Pointer, z3.ExprRef] = {}
        self._sorts: dict[Pointer, z3.SortRef] = {}
        self._new_sorts: list[z3.SortRef] = []

    def __call__(self, node: Pointer) -> z3.ExprRef:
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = term(node)
        return found

    def constant(self, name: str, sort_: Pointer) -> z3.ExprRef:
        if sort_ not in self._sorts:
            self._sorts[sort_] = sort(sort_)
            self._new_sorts.append(self._sorts[sort_])
        return self(_mk_const(_REF, _mk_string_symbol(_REF, name.encode()), sort_))

    def new_sorts(self) -> list[z3.SortRef]:
        """Sorts of constants that were not there when this was asked last."""
        found, self._new_sorts = self._new_sorts, []
        return found


def _array(parts: Sequence[z3.ExprRef]) -> Any:
    return (_ADDRESS * len(parts))(*(part.ast.value for part in parts))


def _made(node: Pointer | None) -> z3.ExprRef:
    if not node:
        raise InternalError("a term that is not well-sorted was asked for")
    return term(node)


def constant(name: str, sort_: Pointer) -> z3.ExprRef:
    return _made(_mk_const(_REF, _mk_string_symbol(_REF, name.encode()), sort_))


def simplified(formula: z3.ExprRef) -> z3.ExprRef:
    """By z3's own wrapper: it may take a while, and fail."""
    return _made(z3core.Z3_simplify(_CTX.ref(), formula.ast).value)


def negation(formula: z3.ExprRef) -> z3.ExprRef:
    return _made(_mk_not(_REF, formula.ast.value))


def conjunction(formulas: Sequence[z3.ExprRef]) -> z3.ExprRef:
    return _made(_mk_and(_REF, len(formulas), _array(formulas)))


def disjunction(formulas: Sequence[z3.ExprRef]) -> z3.ExprRef:
    return _made(_mk_or(_REF, len(formulas), _array(formulas)))


def application(declared: Pointer, parts: Sequence[z3.ExprRef]) -> z3.ExprRef:
    return _made(_mk_app(_REF, declared, len(parts), _array(parts)))


def substitute(term_: z3.ExprRef, pairs: Sequence[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.ExprRef:
    """Replace terms by terms of the same sort, all at once."""
    old, new = _array([before for before, _ in pairs]), _array([after for _, after in pairs])
    return _made(_substitute(_REF, term_.ast.value, len(pairs), old, new))


def substitute_bound(quantifier: z3.ExprRef, constants: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """The body of a quantifier with its variables, outermost first, replaced."""
    body = _get_quantifier_body(_REF, quantifier.ast.value)
    return _made(_substitute_vars(_REF, body, len(constants), _array(constants[::-1])))


def integer_in(model: Any, constant: Pointer) -> int | None:
    """What a model says that an integer constant is; None if it leaves that open."""
    value = _model_get_const_interp(_REF, model.model.value, declaration(constant))
    return int(_get_numeral_string(_REF, value)) if value else None
