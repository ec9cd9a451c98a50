"""Which arguments of a predicate are copies of each other.

A front end of ours says so in the metadata of the arguments. Where a file says nothing, position does: two activation
flags, then adjacent pairs, then perhaps one truth value that says whether all assertions held.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import pairwise

from sorrel.engines.flower.plan import PLAN
from sorrel.horn.clause import Argument, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Unsat


@dataclass(frozen=True, slots=True, eq=False)
class Pair:
    """One variable of the program in the first and in another run."""

    first: Term
    other: Term
    role: Role
    name: str

    @property
    def equal(self) -> Term:
        return terms.equal(self.first, self.other)


@dataclass(frozen=True, slots=True, eq=False)
class Tagging:
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


def product_of(predicate: Predicate) -> Tagging | None:
    """None if the predicate does not look like a procedure of a product program."""
    if any(argument.copy is not None for argument in predicate.arguments):
        return _by_metadata(predicate.arguments)
    return _by_position(predicate.arguments)


def _by_metadata(arguments: Sequence[Argument]) -> Tagging | None:
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
    return Tagging(activations, tuple(pairs), ok) if activations and (pairs or ok is not None) else None


def _by_position(arguments: Sequence[Argument]) -> Tagging | None:
    formals = [argument.formal for argument in arguments]
    if len(formals) < 3 or not (terms.is_boolean(formals[0]) and terms.is_boolean(formals[1])):
        return None
    rest = formals[2:]
    ok = rest.pop() if len(rest) % 2 and terms.is_boolean(rest[-1]) else None
    if len(rest) % 2 or not all(terms.same_sort(rest[i], rest[i + 1]) for i in range(0, len(rest), 2)):
        return None
    pairs = tuple(Pair(rest[i], rest[i + 1], Role.UNKNOWN, terms.name(rest[i])) for i in range(0, len(rest), 2))
    return Tagging((formals[0], formals[1]), pairs, ok)


def products_of(system: HornSystem, oracle: Oracle) -> dict[str, Tagging]:
    """The predicates that are parts of a product program, callees first, with inputs told from outputs."""
    found: dict[str, Tagging] = {}
    for group in system.call_graph.components:
        for name in group:
            product = product_of(system.predicate[name])
            if product is not None:
                base = [c for c in system.defining[name] if not any(a.predicate.name in group for a in c.body)]
                found[name] = _with_directions(product, base, found, oracle)
    return found


def _with_directions(product: Tagging, base: Sequence[Clause], known: Mapping[str, Tagging], oracle: Oracle) -> Tagging:
    """Pairs of unknown role as inputs and outputs: an output agrees between the runs if what stands before it does.

    Asked of the clauses that end the recursion, from the last pair to the first, since results stand after what they
    are computed from; results of callees agree if their inputs do. A wrong guess costs a contract, never soundness.
    """
    if all(pair.role is not Role.UNKNOWN for pair in product.pairs):
        return product
    outputs: set[int] = set()
    for position in range(len(product.pairs) - 1, -1, -1):
        others = [p for i, p in enumerate(product.pairs) if i != position and i not in outputs]
        if base and all(_agrees(product, product.pairs[position], others, c, known, oracle) for c in base):
            outputs.add(position)
    pairs = tuple(
        replace(pair, role=Role.OUTPUT if position in outputs else Role.INPUT)
        for position, pair in enumerate(product.pairs)
    )
    return replace(product, pairs=pairs)


def _agrees(
    product: Tagging, pair: Pair, others: Sequence[Pair], clause: Clause, known: Mapping[str, Tagging], oracle: Oracle
) -> bool:
    if clause.head is None:
        return False
    parts = [clause.constraint]
    for atom in clause.body:
        callee = known.get(atom.predicate.name)
        if callee is not None:
            inputs = terms.conjunction([*callee.activations, *(p.equal for p in callee.inputs)])
            outputs = terms.conjunction(p.equal for p in callee.outputs)
            parts.append(terms.substitute(terms.implication(inputs, outputs), atom.bind()))
    asked = [*product.activations, *(other.equal for other in others), terms.negation(pair.equal)]
    parts += [terms.substitute(part, clause.head.bind()) for part in asked]
    return isinstance(oracle.check(*parts, kind="roles", seconds=PLAN.roles), Unsat)
