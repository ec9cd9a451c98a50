"""Terms as bare pointers: z3's C functions without the objects and the error check around every call.

A Python object per node costs ten times as much as the node itself, so whatever looks at every node of a
large term works on addresses. The functions used here cannot fail on valid addresses. An address names a term
as long as somebody holds that term: whoever keeps addresses keeps the term as well.
"""

from __future__ import annotations

import ctypes
from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import z3
from z3 import z3core

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
    return prototype(ctypes.cast(wrapped, ctypes.c_void_p).value)


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
_inc_ref = _function("Z3_inc_ref", None, _ADDRESS)

APPLICATION: int = z3.Z3_APP_AST
NUMERAL: int = z3.Z3_NUMERAL_AST
QUANTIFIER: int = z3.Z3_QUANTIFIER_AST
UNINTERPRETED: int = z3.Z3_OP_UNINTERPRETED


def address(thing: Any) -> Pointer:
    """Where a term, sort or declaration lives."""
    value: int = thing.ast.value
    return value


def kind(node: Pointer) -> int:
    """Application, numeral, bound variable or quantifier."""
    return int(_get_ast_kind(_REF, node))


def is_application(node: Pointer) -> bool:
    """Numerals are applications without arguments."""
    return _get_ast_kind(_REF, node) <= APPLICATION


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


# Objects for pointers


_CLASS = {
    z3.Z3_BOOL_SORT: z3.BoolRef,
    z3.Z3_INT_SORT: z3.ArithRef,
    z3.Z3_REAL_SORT: z3.ArithRef,
    z3.Z3_BV_SORT: z3.BitVecRef,
    z3.Z3_DATATYPE_SORT: z3.DatatypeRef,
}


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


def _object(class_: Any, node: Pointer) -> Any:
    made = class_.__new__(class_)
    made.ast = _handle(node, _AST)
    made.ctx = _CTX
    _inc_ref(_REF, node)
    return made


class Objects:
    """One object per term, however often it is asked for; they stay alive, so that no address is reused."""

    def __init__(self) -> None:
        self._known: dict[Pointer, z3.ExprRef] = {}

    def __call__(self, node: Pointer) -> z3.ExprRef:
        found = self._known.get(node)
        if found is None:
            found = self._known[node] = term(node)
        return found

    def constant(self, name: str, sort: Pointer) -> z3.ExprRef:
        return self(_mk_const(_REF, _mk_string_symbol(_REF, name.encode()), sort))


def substitute_bound(quantifier: z3.ExprRef, constants: Sequence[z3.ExprRef]) -> z3.ExprRef:
    """The body of a quantifier with its variables, outermost first, replaced."""
    addresses = (_ADDRESS * len(constants))(*(c.ast.value for c in reversed(constants)))
    body = _get_quantifier_body(_REF, quantifier.ast.value)
    return term(_substitute_vars(_REF, body, len(constants), addresses))
