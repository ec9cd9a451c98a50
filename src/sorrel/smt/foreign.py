"""Parts of formulas that projection of linear arithmetic does not follow: other theories, products, divisions."""

from __future__ import annotations

from collections.abc import Sequence

import z3

from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


def nonlinear_terms(formula: Term) -> list[Term]:
    """Products of two unknowns, powers, and divisions by an unknown or by zero."""
    return [subterm for subterm in walk.subterms(formula) if _is_nonlinear(subterm)]


@dataclass(frozen=True, slots=True, eq=False)
class _Abstraction:
    """A formula in which constants stand for terms; `meaning` puts the terms back."""

    formula: Term
    meaning: tuple[tuple[Term, Term], ...]


def abstract_foreign(formula: Term, eliminate: Sequence[Term]) -> _Abstraction:
    """Name the largest nonlinear, array or uninterpreted terms that mention no eliminated variable.

    They are parameters: ∃ is the same whatever they stand for, and qe2 does not have to understand them.
    """
    mentions = walk.Mentions(formula, frozenset(variable.decl().name() for variable in eliminate))
    taken = {variable.decl().name() for variable in walk.free_variables(formula)}
    pairs: list[tuple[Term, Term]] = []
    seen: set[int] = set()
    stack = [formula]
    while stack:
        current = stack.pop()
        if current.get_id() in seen or not terms.is_application(current):
            continue
        seen.add(current.get_id())
        if not mentions(current) and not terms.is_boolean(current) and _is_foreign(current):
            name = next(n for n in (f"foreign!{i}" for i in range(len(pairs), 1 << 30)) if n not in taken)
            taken.add(name)
            pairs.append((current, terms.variable(name, current.sort())))
        else:
            stack.extend(reversed(current.children()))
    return _Abstraction(terms.substitute(formula, pairs), tuple((name, term) for term, name in pairs))


def _is_foreign(term: Term) -> bool:
    return _is_nonlinear(term) or _is_foreign_theory(term)


def has_foreign_theory(formula: Term) -> bool:
    return walk.has_quantifier(formula) or walk.any_node(formula, _is_foreign_theory)


def _is_foreign_theory(term: Term) -> bool:
    """Beyond Boolean structure, arithmetic in one sort and bit-vectors qe2 does not come back."""
    if not terms.is_application(term):
        return False
    kind = term.decl().kind()
    if kind in _BETWEEN_SORTS or (kind == z3.Z3_OP_UNINTERPRETED and term.num_args()):
        return True
    return term.sort().kind() in (z3.Z3_ARRAY_SORT, z3.Z3_DATATYPE_SORT) or any(
        child.sort().kind() in (z3.Z3_ARRAY_SORT, z3.Z3_DATATYPE_SORT) for child in term.children()
    )


_BETWEEN_SORTS = frozenset((z3.Z3_OP_TO_REAL, z3.Z3_OP_TO_INT, z3.Z3_OP_IS_INT, z3.Z3_OP_BV2INT, z3.Z3_OP_INT2BV))
_DIVISIONS = frozenset((z3.Z3_OP_DIV, z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_REM))


def _is_nonlinear(term: Term) -> bool:
    if not terms.is_application(term) or not z3.is_arith(term):
        return False
    kind = term.decl().kind()
    if kind == z3.Z3_OP_MUL:
        return sum(not terms.is_value(factor) for factor in term.children()) > 1
    if kind in _DIVISIONS:
        divisor = terms.simplify(term.arg(1))
        return not terms.is_value(divisor) or terms.same(divisor, terms.default_value(divisor.sort()))
    return bool(kind == z3.Z3_OP_POWER)
