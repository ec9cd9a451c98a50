"""Walks over shared terms: every node once, with an explicit stack.

They use z3's C interface on bare pointers, because a Python object per node costs ten times as much; the
functions used cannot fail on valid pointers, so its error check after every call is left out too. The root is held by the caller, so no pointer dies and no id is reused during a walk.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import z3
from z3 import z3core

from sorrel.logic.terms import Term

_CTX = z3.main_ctx()
_REF = _CTX.ref()


def _unchecked(function: Any) -> Any:
    """The C function behind z3's wrapper, which keeps it in its last default argument."""
    return function.__defaults__[-1].f


_app_arg = _unchecked(z3core.Z3_get_app_arg)
_app_decl = _unchecked(z3core.Z3_get_app_decl)
_app_num_args = _unchecked(z3core.Z3_get_app_num_args)
_ast_id = _unchecked(z3core.Z3_get_ast_id)
_ast_kind = _unchecked(z3core.Z3_get_ast_kind)
_decl_kind = _unchecked(z3core.Z3_get_decl_kind)
_decl_name = _unchecked(z3core.Z3_get_decl_name)
_func_decl_id = _unchecked(z3core.Z3_get_func_decl_id)
_quantifier_body = _unchecked(z3core.Z3_get_quantifier_body)


def _children(node: Any) -> list[Any]:
    kind = _ast_kind(_REF, node)
    if kind == z3.Z3_APP_AST:
        return [_app_arg(_REF, node, i) for i in range(_app_num_args(_REF, node))]
    if kind == z3.Z3_QUANTIFIER_AST:
        return [_quantifier_body(_REF, node)]
    return []


def _nodes(root: Any) -> Iterator[Any]:
    """Every distinct node below the pointer `root`, parents before children, left to right."""
    seen = {_ast_id(_REF, root)}
    stack = [root]
    while stack:
        node = stack.pop()
        yield node
        for child in reversed(_children(node)):
            identity = _ast_id(_REF, child)
            if identity not in seen:
                seen.add(identity)
                stack.append(child)


def _wrap(node: Any) -> Term:
    return z3.z3._to_expr_ref(node, _CTX)


def _is_variable(node: Any) -> bool:
    if _ast_kind(_REF, node) != z3.Z3_APP_AST or _app_num_args(_REF, node):
        return False
    declaration = _app_decl(_REF, node)
    return bool(_decl_kind(_REF, declaration) == z3.Z3_OP_UNINTERPRETED)


def subterms(term: Term) -> Iterator[Term]:
    """Every distinct subterm once, parents first."""
    return (_wrap(node) for node in _nodes(term.as_ast()))


def size(term: Term) -> int:
    """Number of distinct nodes."""
    return sum(1 for _ in _nodes(term.as_ast()))


def free_variables(*terms: Term) -> list[Term]:
    """The uninterpreted constants of the terms, in order of first occurrence."""
    found: dict[int, Term] = {}
    for term in terms:
        for node in _nodes(term.as_ast()):
            if _is_variable(node):
                found.setdefault(_ast_id(_REF, node), node)
    return [_wrap(node) for node in found.values()]


def uninterpreted_applications(term: Term) -> list[Term]:
    """Applications of uninterpreted functions and predicates to at least one argument."""
    return [
        _wrap(node)
        for node in _nodes(term.as_ast())
        if _ast_kind(_REF, node) == z3.Z3_APP_AST
        and _app_num_args(_REF, node)
        and _decl_kind(_REF, _app_decl(_REF, node)) == z3.Z3_OP_UNINTERPRETED
    ]


def has_quantifier(term: Term) -> bool:
    return any(_ast_kind(_REF, n) == z3.Z3_QUANTIFIER_AST for n in _nodes(term.as_ast()))


def any_node(term: Term, test: Callable[[Term], bool]) -> bool:
    return any(test(subterm) for subterm in subterms(term))


class Mentions:
    """Which subterms of a term apply one of the given declarations; each node is looked at once.

    Holds the term it was built for: ids are reused once a term is freed.
    """

    def __init__(self, term: Term, names: frozenset[str]) -> None:
        self._held = term
        self._ids: set[int] = set()
        symbols: dict[int, bool] = {}
        parents: dict[int, list[int]] = {}
        hits: list[int] = []
        for node in _nodes(term.as_ast()):
            identity = _ast_id(_REF, node)
            for child in _children(node):
                parents.setdefault(_ast_id(_REF, child), []).append(identity)
            if _ast_kind(_REF, node) != z3.Z3_APP_AST:
                continue
            declaration = _app_decl(_REF, node)
            decl_id = _func_decl_id(_REF, declaration)
            hit = symbols.get(decl_id)
            if hit is None:
                hit = _decl_kind(_REF, declaration) == z3.Z3_OP_UNINTERPRETED and (
                    _name(declaration) in names
                )
                symbols[decl_id] = hit
            if hit:
                hits.append(identity)
        while hits:
            identity = hits.pop()
            if identity not in self._ids:
                self._ids.add(identity)
                hits.extend(parents.get(identity, ()))

    def __call__(self, subterm: Term) -> bool:
        return subterm.get_id() in self._ids


def _name(declaration: Any) -> str:
    return str(z3core.Z3_get_symbol_string(_REF, _decl_name(_REF, declaration)))
