"""Which arguments of a predicate are copies of each other.

A front end of ours says so in the metadata of the arguments. Where a file says nothing, position does: two activation
flags, then adjacent pairs, then perhaps one truth value that says whether all assertions held.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Unsat


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One variable of the program in the first and in another run."""

    first: Term
    other: Term
    role: Role
    name: str


@dataclass(frozen=True, slots=True, eq=False)
class Product:
    """The arguments of a predicate by what they mean (section 5.5, tagging)."""

    activations: tuple[Term, ...]
    pairs: tuple[Pair, ...]
    ok: Term | None

    @property
    def inputs(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair.role is not Role.OUTPUT)

    @property
    def outputs(self) -> tuple[Pair, ...]:
        return tuple(pair for pair in self.pairs if pair.role is not Role.INPUT)


def product_of(predicate: Predicate) -> Product | None:
    """None if the predicate does not look like a procedure of a product program."""
    if any(argument.copy is not None for argument in predicate.arguments):
        return _by_metadata(predicate.arguments)
    return _by_position(predicate.arguments)


def _by_metadata(arguments: Sequence[Argument]) -> Product | None:
    activations = tuple(a.formal for a in arguments if a.role is Role.ACTIVATION)
    ok = next((a.formal for a in arguments if a.role is Role.OK), None)
    copies: dict[tuple[str, Role], list[Argument]] = {}
    for argument in arguments:
        if argument.copy is not None and argument.role not in (Role.ACTIVATION, Role.OK):
            copies.setdefault((argument.base or argument.name, argument.role), []).append(argument)
    pairs = []
    for (name, role), found in copies.items():
        found.sort(key=lambda a: a.copy or 0)
        pairs += [Pair(left.formal, right.formal, role, name) for left, right in pairwise(found)]
    return Product(activations, tuple(pairs), ok) if activations and (pairs or ok is not None) else None


def _by_position(arguments: Sequence[Argument]) -> Product | None:
    formals = [argument.formal for argument in arguments]
    if len(formals) < 3 or not (terms.is_boolean(formals[0]) and terms.is_boolean(formals[1])):
        return None
    rest = formals[2:]
    ok = rest.pop() if len(rest) % 2 and terms.is_boolean(rest[-1]) else None
    if len(rest) % 2 or not all(terms.same_sort(rest[i], rest[i + 1]) for i in range(0, len(rest), 2)):
        return None
    pairs = tuple(Pair(rest[i], rest[i + 1], Role.UNKNOWN, terms.name(rest[i])) for i in range(0, len(rest), 2))
    return Product((formals[0], formals[1]), pairs, ok)


def with_directions(product: Product, predicate: Predicate, system: HornSystem, oracle: Oracle) -> Product:
    """Pairs of unknown role as inputs and outputs: an output is what the arguments before it determine.

    Asked of the clauses that end the recursion, from the last pair to the first, since results stand after what they are
    computed from. A wrong guess costs a contract, never soundness.
    """
    if all(pair.role is not Role.UNKNOWN for pair in product.pairs):
        return product
    group = next(g for g in system.call_graph.components if predicate.name in g)
    base = [c for c in system.defining[predicate.name] if not any(a.predicate.name in group for a in c.body)]
    outputs: set[int] = set()
    for position in range(len(product.pairs) - 1, -1, -1):
        others = [p for i, p in enumerate(product.pairs) if i != position and i not in outputs]
        if base and all(_determined(product, product.pairs[position], others, clause, oracle) for clause in base):
            outputs.add(position)
    pairs = tuple(
        replace(pair, role=Role.OUTPUT if position in outputs else Role.INPUT)
        for position, pair in enumerate(product.pairs)
    )
    return replace(product, pairs=pairs)


def _determined(product: Product, pair: Pair, others: Sequence[Pair], clause: Clause, oracle: Oracle) -> bool:
    """Can two uses of the clause, in active runs, differ in this argument while they agree in the others?"""
    if clause.head is None:
        return False
    again = [(v, terms.variable(f"{terms.name(v)}!again", v.sort())) for v in clause.variables]
    value = {formal.get_id(): argument for formal, argument in clause.head.bind()}

    def twice(term: Term) -> Term:
        return terms.substitute(term, again)

    parts = [clause.constraint, twice(clause.constraint)]
    for flag in product.activations:
        parts += [value[flag.get_id()], twice(value[flag.get_id()])]
    for other in others:
        at = value[other.first.get_id()]
        parts.append(terms.equal(at, twice(at)))
    at = value[pair.first.get_id()]
    parts.append(terms.distinct(at, twice(at)))
    return isinstance(oracle.check(*parts, kind="roles", seconds=0.5), Unsat)
