"""Questions about bit-vectors and arrays of them, without quantifiers, to Bitwuzla."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any, TypeAlias

import bitwuzla
import z3
from bitwuzla import Kind

from sorrel.logic import pointers, terms
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import InternalError
from sorrel.model.work import METER, QUESTION

_KINDS: dict[int, Kind] = {
    z3.Z3_OP_NOT: Kind.NOT,
    z3.Z3_OP_AND: Kind.AND,
    z3.Z3_OP_OR: Kind.OR,
    z3.Z3_OP_XOR: Kind.XOR,
    z3.Z3_OP_IMPLIES: Kind.IMPLIES,
    z3.Z3_OP_EQ: Kind.EQUAL,
    z3.Z3_OP_DISTINCT: Kind.DISTINCT,
    z3.Z3_OP_ITE: Kind.ITE,
    z3.Z3_OP_BADD: Kind.BV_ADD,
    z3.Z3_OP_BSUB: Kind.BV_SUB,
    z3.Z3_OP_BMUL: Kind.BV_MUL,
    z3.Z3_OP_BNEG: Kind.BV_NEG,
    z3.Z3_OP_BAND: Kind.BV_AND,
    z3.Z3_OP_BOR: Kind.BV_OR,
    z3.Z3_OP_BXOR: Kind.BV_XOR,
    z3.Z3_OP_BNOT: Kind.BV_NOT,
    z3.Z3_OP_BSHL: Kind.BV_SHL,
    z3.Z3_OP_BLSHR: Kind.BV_SHR,
    z3.Z3_OP_BASHR: Kind.BV_ASHR,
    z3.Z3_OP_BSDIV: Kind.BV_SDIV,
    z3.Z3_OP_BSREM: Kind.BV_SREM,
    z3.Z3_OP_BUDIV: Kind.BV_UDIV,
    z3.Z3_OP_BUREM: Kind.BV_UREM,
    z3.Z3_OP_BSDIV_I: Kind.BV_SDIV,
    z3.Z3_OP_BSREM_I: Kind.BV_SREM,
    z3.Z3_OP_BUDIV_I: Kind.BV_UDIV,
    z3.Z3_OP_BUREM_I: Kind.BV_UREM,
    z3.Z3_OP_SLT: Kind.BV_SLT,
    z3.Z3_OP_SLEQ: Kind.BV_SLE,
    z3.Z3_OP_SGT: Kind.BV_SGT,
    z3.Z3_OP_SGEQ: Kind.BV_SGE,
    z3.Z3_OP_ULT: Kind.BV_ULT,
    z3.Z3_OP_ULEQ: Kind.BV_ULE,
    z3.Z3_OP_UGT: Kind.BV_UGT,
    z3.Z3_OP_UGEQ: Kind.BV_UGE,
    z3.Z3_OP_CONCAT: Kind.BV_CONCAT,
    z3.Z3_OP_STORE: Kind.ARRAY_STORE,
}


SOLVER = "Bitwuzla"
NODE = 30
"""Units of work for each node that the solver knows of, in each question: it does not count what it does."""
_Key: TypeAlias = int | tuple[int, int]
"""The address of a term; of an array and an index, for the element there."""


class WordSolver:
    """One solver, asked again and again about what was asserted so far."""

    def __init__(self) -> None:
        self._manager = bitwuzla.TermManager()
        # Its terms must not outlive it, and Python ends objects that refer to each other in any order: it never ends.
        ctypes.pythonapi.Py_IncRef(ctypes.py_object(self._manager))
        options = bitwuzla.Options()
        options.set(bitwuzla.Option.PRODUCE_MODELS, True)
        self._solver = bitwuzla.Bitwuzla(self._manager, options)
        self._made: dict[_Key, Any] = {}
        self._held: list[Term] = []

    def add(self, formula: Term) -> None:
        self._solver.assert_formula(self._translated(formula))

    def ask(self, conditions: list[Term], stop: Callable[[], bool]) -> bool | None:
        """Whether there is a model in which the conditions hold, too; None if it was not decided in time."""
        self._solver.configure_terminator(stop)
        METER.add(QUESTION + NODE * len(self._made))
        found = self._solver.check_sat(*(self._translated(each) for each in conditions))
        return {bitwuzla.Result.SAT: True, bitwuzla.Result.UNSAT: False}.get(found)

    def value(self, term: Term) -> Term:
        """In the model of the last question, which had one."""
        return _back(self._solver.get_value(self._translated(term)), term.sort())

    def _sort(self, sort: Sort) -> Any:
        match sort.kind():
            case z3.Z3_BOOL_SORT:
                return self._manager.mk_bool_sort()
            case z3.Z3_BV_SORT:
                return self._manager.mk_bv_sort(sort.size())
            case z3.Z3_ARRAY_SORT:
                return self._manager.mk_array_sort(self._sort(sort.domain()), self._sort(sort.range()))
        raise InternalError(f"{sort} is no sort of bit-vectors")

    def _translated(self, term: Term) -> Any:
        """Elements are read through stores and choices, so that the solver meets no array but those it may choose."""
        top = pointers.address(term)
        if top not in self._made:
            self._held.append(term)  # an address is good as long as its term lives
            self._work(top)
        return self._made[top]

    def _work(self, top: _Key) -> None:
        made, stack = self._made, [top]
        while stack:
            key = stack[-1]
            if key in made:
                stack.pop()
                continue
            needed = self._element_parts(*key) if isinstance(key, tuple) else self._parts(key)
            missing = [each for each in needed if each not in made]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            below = [made[each] for each in needed]
            made[key] = self._element(*key, below) if isinstance(key, tuple) else self._node(key, below)

    def _parts(self, node: int) -> list[_Key]:
        if pointers.operator(node) == z3.Z3_OP_SELECT:
            array, index = pointers.arguments(node)
            return [(self._below(array, index), index)]
        return list(pointers.arguments(node))

    def _below(self, array: int, index: int) -> int:
        """The array in which the element is the same, without stores to other places."""
        if pointers.operator(index) != z3.Z3_OP_BNUM:
            return array
        while pointers.operator(array) == z3.Z3_OP_STORE:
            below, place, _ = pointers.arguments(array)
            if place == index or pointers.operator(place) != z3.Z3_OP_BNUM:
                return array
            array = below
        return array

    def _element_parts(self, array: int, index: int) -> list[_Key]:
        arguments = pointers.arguments(array)
        match pointers.operator(array):
            case z3.Z3_OP_STORE:
                below, place, value = arguments
                if place == index:
                    return [value]
                return [place, index, value, (self._below(below, index), index)]
            case z3.Z3_OP_ITE:
                condition, then, otherwise = arguments
                return [condition, (self._below(then, index), index), (self._below(otherwise, index), index)]
            case z3.Z3_OP_CONST_ARRAY:
                return [arguments[0]]
            case _:
                return [array, index]

    def _element(self, array: int, index: int, below: list[Any]) -> Any:
        make = self._manager.mk_term
        match pointers.operator(array):
            case z3.Z3_OP_STORE:
                if len(below) == 1:
                    return below[0]
                place, wanted, value, rest = below
                if value == rest:
                    return rest
                return make(Kind.ITE, [make(Kind.EQUAL, [place, wanted]), value, rest])
            case z3.Z3_OP_ITE:
                condition, then, otherwise = below
                return then if then == otherwise else make(Kind.ITE, [condition, then, otherwise])
            case z3.Z3_OP_CONST_ARRAY:
                return below[0]
            case _:
                return make(Kind.ARRAY_SELECT, below)

    def _node(self, node: int, below: list[Any]) -> Any:
        manager, operator = self._manager, pointers.operator(node)
        if operator == z3.Z3_OP_SELECT:
            return below[0]
        if operator in _KINDS:
            return below[0] if len(below) == 1 and operator in _NARY else manager.mk_term(_KINDS[operator], below)
        term = pointers.term(node)
        match operator:
            case z3.Z3_OP_TRUE:
                return manager.mk_true()
            case z3.Z3_OP_FALSE:
                return manager.mk_false()
            case z3.Z3_OP_BNUM:
                return manager.mk_bv_value(self._sort(term.sort()), pointers.numeral(node), 10)
            case z3.Z3_OP_EXTRACT:
                return manager.mk_term(Kind.BV_EXTRACT, below, term.params())
            case z3.Z3_OP_SIGN_EXT:
                return manager.mk_term(Kind.BV_SIGN_EXTEND, below, term.params())
            case z3.Z3_OP_ZERO_EXT:
                return manager.mk_term(Kind.BV_ZERO_EXTEND, below, term.params())
            case z3.Z3_OP_CONST_ARRAY:
                return manager.mk_const_array(self._sort(term.sort()), below[0])
            case z3.Z3_OP_UNINTERPRETED if not below:
                return manager.mk_const(self._sort(term.sort()), terms.name_of(term))
        raise InternalError(f"{term.decl()} is no operation on bit-vectors")


def _back(found: Any, sort: Sort) -> Term:
    """A value of the solver as a term."""
    match sort.kind():
        case z3.Z3_BOOL_SORT:
            return terms.TRUE if found.value() else terms.FALSE
        case z3.Z3_BV_SORT:
            return z3.BitVecVal(int(found.value(10)), sort.size())
    stores: list[tuple[Term, Term]] = []
    while found.kind() == Kind.ARRAY_STORE:
        found, index, element = found.children()
        stores.append((_back(index, sort.domain()), _back(element, sort.range())))
    if found.kind() == Kind.CONST_ARRAY:
        made = z3.K(sort.domain(), _back(found.children()[0], sort.range()))
    else:
        made = terms.default_value(sort)
    for index, element in reversed(stores):
        made = z3.Store(made, index, element)
    return made


_NARY = frozenset((z3.Z3_OP_AND, z3.Z3_OP_OR, z3.Z3_OP_BADD, z3.Z3_OP_BMUL, z3.Z3_OP_BAND, z3.Z3_OP_BOR, z3.Z3_OP_BXOR))
