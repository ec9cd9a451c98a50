"""Digests of clauses that say what they mean and not how they are written.

Names of variables, the order of clauses, of conjuncts and of the arguments of commutative operations leave no trace:
the first because a user may rename, the others because the solver's simplification orders arguments by numbers that
depend on everything the process has done before. Variables are told apart by where they occur, in a few rounds of
colour refinement (Weisfeiler, Leman, 1968). Two variables that occur in the same way everywhere keep one colour; then
different clauses might have one digest. That is harmless, because what a digest finds is always checked.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from functools import cache

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.logic import terms
from sorrel.logic.shape import Node, graph

ENCODING = 1
"""Raised whenever clauses of the same program come out differently: what was stored before is then looked at anew."""
ROUNDS = 3
_MASK = (1 << 64) - 1


def digest(*parts: object) -> str:
    """A short name for a text, by its content."""
    return hashlib.sha256("\x1f".join(map(str, parts)).encode()).hexdigest()[:32]


def signature(predicate: Predicate) -> str:
    """What callers and callee must agree on: the role and the sort of each argument, in order."""
    return digest(*(f"{argument.role}:{argument.sort}" for argument in predicate.arguments))


def clauses_digest(clauses: Iterable[Clause], names: Mapping[str, str]) -> str:
    """`names` gives each predicate the name that it has in digests."""
    return digest(*sorted(f"{_clause(clause, names):x}" for clause in clauses))


def canonical_names(points: Sequence[tuple[str, str, str]]) -> Mapping[str, str]:
    """For predicates in order, each with its procedure and what it stands for there: names without lines in them."""
    counts: dict[tuple[str, str], int] = {}
    found: dict[str, str] = {}
    for predicate, procedure, place in points:
        number = counts[procedure, place] = counts.get((procedure, place), 0) + 1
        found[predicate] = procedure if place == "function" else f"{procedure}.{place}{number}"
    return found


def _clause(clause: Clause, names: Mapping[str, str]) -> int:
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    parts = terms.conjuncts(clause.constraint)
    order = graph([*parts, *(argument for atom in atoms for argument in atom.arguments)])
    colours = {terms.identity(variable): _word(terms.sort_name(variable)) for variable in clause.variables}
    for _ in range(ROUNDS):
        hashes = _upwards(order, colours)
        contexts = _downwards(clause, order, hashes, names)
        colours = {known: _mix(colour, contexts.get(known, 0)) for known, colour in colours.items()}
    hashes = _upwards(order, colours)
    body = sorted(_atom(atom, hashes, names) for atom in clause.body)
    head = _atom(clause.head, hashes, names) if clause.head else 0
    conjuncts = sorted(hashes[terms.identity(part)] for part in parts)
    return _mix(*conjuncts, _BODY, *body, _HEAD, head)


def _atom(atom: Atom, hashes: Mapping[int, int], names: Mapping[str, str]) -> int:
    return _mix(_word(names[atom.predicate.name]), *(hashes[terms.identity(argument)] for argument in atom.arguments))


def _upwards(order: Sequence[Node], colours: Mapping[int, int]) -> dict[int, int]:
    hashes: dict[int, int] = {}
    for node in order:
        if node.identity in colours:
            hashes[node.identity] = colours[node.identity]
            continue
        inside = [hashes[child] for child in node.children]
        hashes[node.identity] = _mix(_word(node.label), *(inside if node.ordered else sorted(inside)))
    return hashes


def _downwards(
    clause: Clause,
    order: Sequence[Node],
    hashes: Mapping[int, int],
    names: Mapping[str, str],
) -> dict[int, int]:
    """Where each node occurs: a sum over its parents, so that their order does not matter."""
    contexts: dict[int, int] = {}

    def occurs(identity: int, where: int) -> None:
        contexts[identity] = (contexts.get(identity, 0) + where) & _MASK

    for part in terms.conjuncts(clause.constraint):
        occurs(terms.identity(part), _CONJUNCT)
    for side, atoms in ((_BODY, clause.body), (_HEAD, (clause.head,) if clause.head else ())):
        for atom in atoms:
            whole = _mix(side, _atom(atom, hashes, names))
            for position, argument in enumerate(atom.arguments):
                occurs(terms.identity(argument), _mix(whole, position))
    for node in reversed(order):
        here = contexts.get(node.identity)
        if here is None:
            continue
        whole = _mix(_word(node.label), here, hashes[node.identity])
        for position, child in enumerate(node.children):
            occurs(child, _mix(whole, position if node.ordered else _ANYWHERE))
    return contexts


def _mix(*parts: int) -> int:
    """Numbers as one number of 64 bits that depends on their order (after Fowler, Noll and Vo)."""
    found = 0xCBF29CE484222325
    for part in parts:
        found = ((found ^ part) * 0x9E3779B97F4A7C15) & _MASK
        found ^= found >> 29
    return found


@cache
def _word(text: str) -> int:
    """A text as a number, the same in every process."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big")


_BODY, _HEAD, _CONJUNCT, _ANYWHERE = map(_word, ("body", "head", "conjunct", "anywhere"))
