"""The vocabulary of terms and sorts. A term is immutable; `==` builds an equation, `same` compares."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import reduce
from operator import add
from typing import TypeAlias

import z3

from sorrel.logic import pointers

Term: TypeAlias = z3.ExprRef
Sort: TypeAlias = z3.SortRef
Declaration: TypeAlias = z3.FuncDeclRef

BOOL: Sort = z3.BoolSort()
INT: Sort = z3.IntSort()
REAL: Sort = z3.RealSort()
TRUE: Term = z3.BoolVal(True)
FALSE: Term = z3.BoolVal(False)
_TRUE, _FALSE = pointers.address(TRUE), pointers.address(FALSE)


def array_sort(index: Sort, element: Sort) -> Sort:
    return z3.ArraySort(index, element)


def bitvector_sort(width: int) -> Sort:
    return z3.BitVecSort(width)


_BASIC = {pointers.address(sort): str(sort) for sort in (BOOL, INT, REAL)}


def basic_name(sort: Sort) -> str | None:
    """How texts name truth values, integers and reals, without the cost of printing; None for another sort."""
    return _BASIC.get(pointers.address(sort))


def variable(name: str, sort: Sort) -> Term:
    return pointers.constant(name, pointers.address(sort))


def integer(value: int) -> Term:
    return z3.IntVal(value)


def total(parts: Sequence[Term]) -> Term:
    """The sum of numbers, of which there is at least one."""
    return reduce(add, parts)


def weighted(parts: Iterable[tuple[int, Term]]) -> Term:
    """The sum of terms, each with its factor."""
    return total([factor * part if factor != 1 else part for factor, part in parts if factor])


def declare(name: str, domain: Sequence[Sort], range_: Sort) -> Declaration:
    return z3.Function(name, *domain, range_)


def apply(declaration: Declaration, arguments: Sequence[Term]) -> Term:
    return pointers.application(pointers.address(declaration), arguments)


def same(left: Term, right: Term) -> bool:
    """Structural equality: one pointer comparison, because terms are hash-consed."""
    return pointers.address(left) == pointers.address(right)


def identity(term: Term) -> int:
    """The same for two terms exactly if they are the same; good as long as one of them is held."""
    return pointers.address(term)


def children(term: Term) -> list[Term]:
    """The arguments of an application, the body of a quantifier."""
    return [pointers.term(child) for child in pointers.children(pointers.address(term))]


def name_of(term: Term) -> str:
    """The name of the function or constant that an application applies."""
    return pointers.name_of(pointers.declaration(pointers.address(term)))


def _applies(term: Term, operator: int) -> bool:
    return pointers.operator(pointers.address(term)) == operator


def is_true(term: Term) -> bool:
    return pointers.address(term) == _TRUE  # there is one of each


def is_false(term: Term) -> bool:
    return pointers.address(term) == _FALSE


def is_and(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_AND)


def is_or(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_OR)


def is_not(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_NOT)


_COMPOSED = frozenset((z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_ITE))


def is_composed(term: Term) -> bool:
    """A conjunction, a disjunction or a choice."""
    return pointers.operator(pointers.address(term)) in _COMPOSED


def is_implication(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_IMPLIES)


def is_ite(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_ITE)


def is_modulo(term: Term) -> bool:
    """A remainder of integers that is never negative."""
    return _applies(term, z3.Z3_OP_MOD)


def is_equation(term: Term) -> bool:
    return _applies(term, z3.Z3_OP_EQ)


def is_comparison(term: Term) -> bool:
    """<, ≤, > or ≥ of numbers."""
    return any(_applies(term, operator) for operator in (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT))


def is_distinct(term: Term) -> bool:
    """≠ between terms; between formulas also `xor`."""
    return pointers.operator(pointers.address(term)) in (z3.Z3_OP_DISTINCT, z3.Z3_OP_XOR)


def is_quantifier(term: Term) -> bool:
    return pointers.kind(pointers.address(term)) == pointers.QUANTIFIER


def is_boolean(term: Term) -> bool:
    return bool(pointers.sort_kind(pointers.address(term)) == z3.Z3_BOOL_SORT)


def is_application(term: Term) -> bool:
    return pointers.is_application(pointers.address(term))


def is_variable(term: Term) -> bool:
    """An uninterpreted constant: in a clause, a universally quantified variable."""
    return pointers.is_variable(pointers.address(term))


def is_plain(term: Term) -> bool:
    """A number, a truth value or a variable."""
    return pointers.is_plain(pointers.address(term))


def is_uninterpreted(term: Term) -> bool:
    """An application of a predicate, or of a function or constant without a meaning of its own."""
    return _applies(term, pointers.UNINTERPRETED)


_BUILDS_VALUES = frozenset((z3.Z3_OP_DT_CONSTRUCTOR, z3.Z3_OP_CONST_ARRAY, z3.Z3_OP_STORE))
_NUMBERS = frozenset((z3.Z3_OP_ANUM, z3.Z3_OP_BNUM, z3.Z3_OP_TRUE, z3.Z3_OP_FALSE))


def is_value(term: Term) -> bool:
    """A numeral, truth value, bit-vector literal, or a datatype or array built only from values."""
    for node in pointers.nodes(pointers.address(term)):
        operator = pointers.operator(node)
        if operator not in _BUILDS_VALUES and operator not in _NUMBERS:
            return False
    return True


def conjunction(terms: Iterable[Term]) -> Term:
    """⋀ terms, flattened, without duplicates and `true`; `false` absorbs."""
    kept: dict[int, Term] = {}
    for term in terms:
        for part in conjuncts(term):
            if is_false(part):
                return FALSE
            kept[pointers.address(part)] = part
    if not kept:
        return TRUE
    parts = list(kept.values())
    return parts[0] if len(parts) == 1 else pointers.conjunction(parts)


def joined(terms: Sequence[Term]) -> Term:
    """⋀ terms as they stand: nothing is dropped and nothing flattened."""
    return TRUE if not terms else terms[0] if len(terms) == 1 else pointers.conjunction(terms)


def disjunction(terms: Iterable[Term]) -> Term:
    """⋁ terms, flattened, without duplicates and `false`; `true` absorbs."""
    kept: dict[int, Term] = {}
    for term in terms:
        for part in disjuncts(term):
            if is_true(part):
                return TRUE
            kept[pointers.address(part)] = part
    if not kept:
        return FALSE
    parts = list(kept.values())
    return parts[0] if len(parts) == 1 else pointers.disjunction(parts)


def negation(term: Term) -> Term:
    node = pointers.address(term)
    operator = pointers.operator(node)
    if operator == z3.Z3_OP_NOT:
        return pointers.term(pointers.arguments(node)[0])
    if operator == z3.Z3_OP_TRUE:
        return FALSE
    if operator == z3.Z3_OP_FALSE:
        return TRUE
    return pointers.negation(term)


def implication(left: Term, right: Term) -> Term:
    return z3.Implies(left, right)


def ite(condition: Term, then: Term, otherwise: Term) -> Term:
    return z3.If(condition, then, otherwise)


def equal(left: Term, right: Term) -> Term:
    return TRUE if same(left, right) else left == right


def distinct(left: Term, right: Term) -> Term:
    return negation(equal(left, right))


def exists(variables: Sequence[Term], body: Term) -> Term:
    return z3.Exists(list(variables), body) if variables else body


def forall(variables: Sequence[Term], body: Term) -> Term:
    return z3.ForAll(list(variables), body) if variables else body


def conjuncts(term: Term) -> list[Term]:
    """The parts of nested conjunctions, in order, without `true`."""
    return _flatten(term, z3.Z3_OP_AND, z3.Z3_OP_TRUE)


def disjuncts(term: Term) -> list[Term]:
    """The parts of nested disjunctions, in order, without `false`."""
    return _flatten(term, z3.Z3_OP_OR, z3.Z3_OP_FALSE)


def _flatten(term: Term, operator: int, neutral: int) -> list[Term]:
    top = pointers.operator(pointers.address(term))
    if top != operator:
        return [] if top == neutral else [term]
    parts: list[Term] = []
    seen: set[int] = set()
    stack = [pointers.address(term)]
    while stack:
        current = stack.pop()
        found = pointers.operator(current)
        if found == operator:
            # A shared conjunction adds nothing the second time; `term` keeps every address alive.
            if current not in seen:
                seen.add(current)
                stack.extend(reversed(pointers.arguments(current)))
        elif found != neutral:
            parts.append(pointers.term(current))
    return parts


def substitute(term: Term, pairs: Iterable[tuple[Term, Term]]) -> Term:
    """Replace terms (usually variables) by terms, all at once."""
    pairs = list(pairs)
    return pointers.substitute(term, pairs) if pairs else term


def abstract(formals: Sequence[Term]) -> list[tuple[Term, Term]]:
    """Each formal with the de Bruijn variable that `substitute_funs` expects at its position."""
    return [(formal, z3.Var(index, formal.sort())) for index, formal in enumerate(formals)]


def open_quantifier(term: Term, constants: Sequence[Term]) -> Term:
    """The body of a quantified term with its bound variables, outermost first, replaced by constants."""
    return pointers.substitute_bound(term, constants)


def bound_variables(term: Term) -> list[tuple[str, Sort]]:
    sorts: dict[int, Sort] = {}
    found = pointers.bound(pointers.address(term))
    for _, sort in found:
        if sort not in sorts:
            sorts[sort] = pointers.sort(sort)
    return [(name, sorts[sort]) for name, sort in found]


def is_forall(term: Term) -> bool:
    return is_quantifier(term) and bool(term.is_forall())


def is_exists(term: Term) -> bool:
    return is_quantifier(term) and bool(term.is_exists())


def simplify(term: Term) -> Term:
    """Cheap, local, equivalence-preserving; the result does not depend on earlier calls."""
    return term if is_plain(term) else pointers.simplified(term)


def default_value(sort: Sort) -> Term:
    """Some value of the sort, for variables that a model leaves open."""
    kind = sort.kind()
    if kind == z3.Z3_BOOL_SORT:
        return FALSE
    if kind == z3.Z3_INT_SORT:
        return z3.IntVal(0)
    if kind == z3.Z3_REAL_SORT:
        return z3.RealVal(0)
    if kind == z3.Z3_BV_SORT:
        return z3.BitVecVal(0, sort.size())
    if kind == z3.Z3_ARRAY_SORT:
        return z3.K(sort.domain(), default_value(sort.range()))
    # A datatype: let a solver build one.
    solver = z3.Solver()
    solver.check()
    return solver.model().eval(z3.Const("default", sort), model_completion=True)


def is_arithmetic(term: Term) -> bool:
    """Of sort Int or Real."""
    return bool(z3.is_arith(term))


def is_integer(term: Term) -> bool:
    return bool(pointers.sort_kind(pointers.address(term)) == z3.Z3_INT_SORT)


def is_real(term: Term) -> bool:
    return bool(pointers.sort_kind(pointers.address(term)) == z3.Z3_REAL_SORT)


def is_array(term: Term) -> bool:
    return bool(z3.is_array(term))


def is_integer_indexed(term: Term) -> bool:
    """An array from integers to numbers or truth values."""
    if not z3.is_array(term):
        return False
    sort = term.sort()
    return sort.domain() == INT and sort.range() in (INT, REAL, BOOL)


def is_bitvector(term: Term) -> bool:
    return bool(z3.is_bv(term))


def width(term: Term) -> int:
    """The number of bits of a bit-vector."""
    return int(term.size())


def bitvector(value: int, width: int) -> Term:
    return z3.BitVecVal(value, width)


def unsigned_at_most(left: Term, right: Term) -> Term:
    return z3.ULE(left, right)


def signed_at_most(left: Term, right: Term) -> Term:
    return left <= right


def is_select(term: Term) -> bool:
    """An element of an array."""
    return _applies(term, z3.Z3_OP_SELECT)


def select(array: Term, index: Term) -> Term:
    return z3.Select(array, index)


def quotient(term: Term) -> tuple[Term, int] | None:
    """Dividend and divisor of an integer quotient by a positive number."""
    if not _applies(term, z3.Z3_OP_IDIV):
        return None
    dividend, divisor = children(term)
    value = as_number(divisor) if is_value(divisor) else None
    return (dividend, int(value)) if value is not None and value > 0 else None


def as_number(value: Term) -> int | bool | Fraction | None:
    """A truth value, integer, rational or bit-vector (unsigned) as a number of Python's; None for other values."""
    if z3.is_true(value) or z3.is_false(value):
        return bool(z3.is_true(value))
    if z3.is_int_value(value) or z3.is_bv_value(value):
        return int(value.as_long())
    if z3.is_rational_value(value):
        return Fraction(value.numerator_as_long(), value.denominator_as_long())
    return None


def sort_of(term: Term) -> Sort:
    return term.sort()


def same_sort(left: Term, right: Term) -> bool:
    return bool(left.sort().eq(right.sort()))


def sort_name(term: Term) -> str:
    return str(term.sort())


def name(variable: Term) -> str:
    """The name of a variable, without the cost of printing it."""
    return name_of(variable)


def substitute_all(formulas: Sequence[Term], pairs: Sequence[tuple[Term, Term]]) -> list[Term]:
    """Several formulas at once: the pairs are handed over only once."""
    if not formulas or not pairs:
        return list(formulas)
    together = pointers.substitute(pointers.conjunction([*formulas, TRUE]), pairs)
    return children(together)[:-1]
