"""The predicate table: for each query symbol, the constraints that abstraction may use."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term

MOST_RESIDUES = 60
"""For one query symbol; with more, abstraction costs more than residues are worth."""


class Predicates:
    """Preds: a growing list for each query symbol. A set of them is a number: bit i stands for the i-th one."""

    def __init__(self, system: HornSystem) -> None:
        self._lists: dict[str, list[Term]] = {p.name: [] for p in system.predicates}
        self._known: dict[str, set[int]] = {p.name: set() for p in system.predicates}

    def of(self, name: str) -> list[Term]:
        return self._lists[name]

    def add(self, name: str, formula: Term) -> bool:
        """Was it new? `formula` speaks of the formals of the query symbol."""
        normal = terms.simplify(formula)
        if terms.is_true(normal) or terms.is_false(normal) or normal.get_id() in self._known[name]:
            return False
        self._known[name].add(normal.get_id())
        self._lists[name].append(normal)  # held here, so its id stays its own
        return True

    def conjunction(self, name: str, chosen: int) -> Term:
        return terms.conjunction(p for index, p in enumerate(self._lists[name]) if chosen >> index & 1)

    def count(self) -> int:
        return sum(map(len, self._lists.values()))


def refinement_predicates(solution: Term, with_atoms: bool) -> Iterator[Term]:
    """ADDPREDS: what a solution of a node gives to its query symbol.

    Every conjunct as it stands, so that the abstraction implies the solution and the derivation is not seen
    again. The atoms of disjunctions in both polarities: an atom alone would lose the sign it had.
    """
    for part in terms.conjuncts(terms.simplify(solution)):
        yield part
        if with_atoms and not _is_literal(part):
            for atom in _atoms(part):
                yield atom
                yield terms.negation(atom)


def _is_literal(formula: Term) -> bool:
    atom = terms.children(formula)[0] if terms.is_not(formula) else formula
    return not any(test(atom) for test in _CONNECTIVES)


_CONNECTIVES = (terms.is_and, terms.is_or, terms.is_not, terms.is_implication, terms.is_ite)


def _atoms(formula: Term) -> Iterator[Term]:
    for subterm in walk.subterms(formula):
        if terms.is_boolean(subterm) and _is_literal(subterm) and not terms.is_not(subterm):
            yield subterm


def comparisons(predicate: Predicate, constants: Iterable[int]) -> Iterator[Term]:
    """v ⋈ c and v ⋈ w for the arithmetic arguments."""
    numbers = [formal for formal in predicate.formals if terms.is_arithmetic(formal)]
    for index, formal in enumerate(numbers):
        for constant in constants:
            yield formal <= constant
            yield formal >= constant
        for other in numbers[:index]:
            if terms.same_sort(formal, other):
                yield formal <= other
                yield formal >= other


def residues(predicate: Predicate, moduli: Iterable[int]) -> list[Term]:
    """v mod m = r for the integer arguments, and the truth values of Boolean ones; nothing if that would be much."""
    integers = [formal for formal in predicate.formals if terms.is_arithmetic(formal) and terms.is_integer(formal)]
    flags = [formal for formal in predicate.formals if terms.is_boolean(formal)]
    found = [formal % modulus == r for formal in integers for modulus in moduli for r in range(modulus)]
    found += [literal for flag in flags for literal in (flag, terms.negation(flag))]
    return found if len(found) <= MOST_RESIDUES else []
