"""Pieces of functions: where a guard holds of the inputs of a procedure, its outputs are known and nothing fails."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement
from math import prod

from sorrel.guess.affine import affine_combinations
from sorrel.guess.points import Number
from sorrel.guess.vocabulary import Vocabulary
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass

LARGEST_CASE = 8
"""Values of an input up to this size are looked at one by one."""
MOST_CANDIDATES = 150
WIDTHS = (64, 32, 16, 8)


@dataclass(frozen=True, slots=True, eq=False)
class Signature:
    """Which arguments of a predicate go in and which come out; `ok` is where it says that nothing failed."""

    predicate: Predicate
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    ok: int | None

    def at_inputs(self, values: Sequence[Term]) -> list[tuple[Term, Term]]:
        return list(zip((self.predicate.formals[i] for i in self.inputs), values, strict=True))


def signature(predicate: Predicate) -> Signature | None:
    """None where roles are not known, or where arguments are neither integers nor truth values."""
    by_role: dict[Role, list[int]] = {}
    for position, argument in enumerate(predicate.arguments):
        by_role.setdefault(argument.role, []).append(position)
    plain = all(terms.is_integer(formal) or terms.is_boolean(formal) for formal in predicate.formals)
    oks = by_role.pop(Role.OK, [])
    if not plain or len(oks) > 1 or not set(by_role) <= {Role.INPUT, Role.OUTPUT} or Role.INPUT not in by_role:
        return None
    return Signature(
        predicate, tuple(by_role[Role.INPUT]), tuple(by_role.get(Role.OUTPUT, ())), oks[0] if oks else None
    )


@dataclass(frozen=True, slots=True, eq=False)
class Piece:
    """guard ⇒ conclusion, over the predicate's formals: the guard is about inputs, the conclusion fixes outputs."""

    predicate: Predicate
    guard: Term
    conclusion: Term
    formula: Term  # kept: identities of terms are reused once they are freed


def piece(predicate: Predicate, guard: Term, conclusion: Term) -> Piece:
    return Piece(predicate, guard, conclusion, terms.implication(guard, conclusion))


@dataclass(frozen=True, slots=True)
class Sample:
    """Inputs and the outputs they lead to, without a failure."""

    inputs: tuple[Number, ...]
    outputs: tuple[Number, ...]


def conclusion(about: Signature, outputs: Sequence[Term]) -> Term:
    """The outputs are these, and nothing failed."""
    formals = about.predicate.formals
    parts = [terms.equal(formals[i], value) for i, value in zip(about.outputs, outputs, strict=True)]
    return terms.conjunction([*parts, *([formals[about.ok]] if about.ok is not None else [])])


def limits(system: HornSystem) -> list[tuple[int, int]]:
    """Ranges of machine types that the clauses mention, the widest first."""
    mentioned = {n for clause in system.clauses for n in walk.numerals(clause.constraint)}
    return [
        (low, high)
        for width in WIDTHS
        for low, high in ((-(2 ** (width - 1)), 2 ** (width - 1) - 1), (0, 2**width - 1))
        if high in mentioned
    ]


def polynomial_pieces(
    about: Signature, samples: Sequence[Sample], words: Vocabulary, ranges: Sequence[tuple[int, int]], degree: int
) -> list[Piece]:
    """Outputs as polynomials in the inputs, of degree one or two, for groups of samples in which they are.

    A function that leaves the range of a type fails before it returns: its value within the range is a guard.
    """
    found: dict[int, Piece] = {}
    for group in _groups(about, samples, words):
        fitted = _fitted(about, group.samples, degree)
        if fitted is None:
            continue
        claim = _fits(about, fitted)
        for guard in _guards(about, group, fitted, ranges):
            made = piece(about.predicate, guard, claim)
            found.setdefault(terms.identity(made.formula), made)
    return list(found.values())[:MOST_CANDIDATES]


@dataclass(frozen=True, slots=True, eq=False)
class _Group:
    """Samples that meet a condition; `fixed` is the argument that it gives a value to, if it does."""

    condition: Term
    samples: list[Sample]
    fixed: int | None = None


def _groups(about: Signature, samples: Sequence[Sample], words: Vocabulary) -> Iterator[_Group]:
    """By conditions on one input."""
    yield _Group(terms.TRUE, list(samples))
    for column, position in enumerate(about.inputs):
        formal = about.predicate.formals[position]
        small = [v for s in samples if -LARGEST_CASE <= (v := s.inputs[column]) <= LARGEST_CASE]
        for value in sorted(set(small)):
            inside = [s for s in samples if s.inputs[column] == value]
            yield _Group(terms.equal(formal, _constant(formal, value)), inside, position)
        if terms.is_integer(formal):
            for bound in words.literal:
                yield _Group(formal >= bound, [s for s in samples if s.inputs[column] >= bound])
                yield _Group(formal < bound, [s for s in samples if s.inputs[column] < bound])


@dataclass(frozen=True, slots=True, eq=False)
class _Fit:
    """scale · output = value."""

    scale: int
    value: Term


def _fits(about: Signature, fitted: Sequence[_Fit]) -> Term:
    formals = about.predicate.formals
    parts = [
        terms.equal(formals[i] if fit.scale == 1 else fit.scale * formals[i], fit.value)
        for i, fit in zip(about.outputs, fitted, strict=True)
    ]
    return terms.conjunction([*parts, *([formals[about.ok]] if about.ok is not None else [])])


def _fitted(about: Signature, inside: Sequence[Sample], degree: int) -> list[_Fit] | None:
    """Each output over the inputs, if the samples are enough to say so."""
    found: list[_Fit] = []
    formals = about.predicate.formals
    for column, position in enumerate(about.outputs):
        values = [sample.outputs[column] for sample in inside]
        if len(set(values)) == 1 and len(values) > 1:
            found.append(_Fit(1, _constant(formals[position], values[0])))
            continue
        fit = _polynomial(about, inside, values, degree) if terms.is_integer(formals[position]) else None
        if fit is None:
            return None
        found.append(fit)
    return found


def _polynomial(about: Signature, inside: Sequence[Sample], values: Sequence[Number], degree: int) -> _Fit | None:
    formals = about.predicate.formals
    varying = [
        column
        for column, position in enumerate(about.inputs)
        if terms.is_integer(formals[position]) and len({sample.inputs[column] for sample in inside}) > 1
    ]
    monomials = [m for d in range(1, degree + 1) for m in combinations_with_replacement(varying, d)]
    if not varying or len(set(inside)) < len(monomials) + 2:
        return None
    rows = [
        [*(prod(sample.inputs[column] for column in monomial) for monomial in monomials), value]
        for sample, value in zip(inside, values, strict=True)
    ]
    for *weights, own, constant in affine_combinations(rows, len(rows[0])):
        if 1 <= abs(own) <= degree:
            sign = -1 if own > 0 else 1
            total: Term = terms.integer(sign * constant)
            for monomial, weight in zip(monomials, weights, strict=True):
                if weight:
                    total = total + sign * weight * prod((formals[about.inputs[c]] for c in monomial), start=1)
            return _Fit(abs(own), terms.simplify(total))
    return None


def _guards(
    about: Signature, group: _Group, fitted: Sequence[_Fit], ranges: Sequence[tuple[int, int]]
) -> Iterator[Term]:
    """The group's condition, results within the range of a type, and other inputs that are not negative."""
    formals = about.predicate.formals
    varying = [fit for fit in fitted if terms.is_integer(fit.value) and walk.free_variables(fit.value)]
    others = [formals[i] for i in about.inputs if i != group.fixed and terms.is_integer(formals[i])]
    positive = terms.conjunction(formal >= 0 for formal in others)
    yield group.condition
    yield terms.conjunction([group.condition, positive])
    for low, high in ranges if varying else ():
        above = [fit.value >= fit.scale * low for fit in varying]
        below = [fit.value <= fit.scale * high for fit in varying]
        yield terms.conjunction([group.condition, positive, *below])
        yield terms.conjunction([group.condition, *above, *below])


def _constant(formal: Term, value: Number) -> Term:
    if terms.is_boolean(formal):
        return terms.TRUE if value else terms.FALSE
    return terms.integer(int(value))
