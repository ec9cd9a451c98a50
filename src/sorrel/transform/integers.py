"""Bit-vectors as integers with a sign, which wrap around exactly as they do: engines know more about integers.

A solution over integers goes back as the same formula over bit-vectors wide enough that nothing in it wraps around, a
refutation by taking each number modulo 2 to the power of its width.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries
from sorrel.logic import operations, terms
from sorrel.logic.residues import Integers, NotIntegers, in_range
from sorrel.logic.terms import Term
from sorrel.logic.widening import NotBits, Widening
from sorrel.smt.solver import Oracle
from sorrel.transform.lift import Transformed, complete, replay


def bits_as_integers(system: HornSystem, _: Oracle) -> Transformed | None:
    """None if there are no bit-vectors, or something is done to them that is not done to numbers."""
    if system.obligations or not any(map(terms.is_bitvector, (f for p in system.predicates for f in p.formals))):
        return None
    predicates = {p.name: _over_integers(p) for p in system.predicates}
    try:
        clauses = tuple(_clause(clause, predicates) for clause in system.clauses)
    except NotIntegers:
        return None

    def summaries(found: Summaries, _: Oracle) -> Summaries:
        return {p.name: _summary(p, predicates[p.name], found.get(p.name, terms.TRUE)) for p in system.predicates}

    def derivation(found: Derivation) -> Derivation:
        steps = [_step(step, system.clause[step.clause]) for step in found.steps]
        if not found.loops:
            return replay(system, steps)
        # Values in a loop are terms over its round: there are no facts that values could be read off.
        filled = [replace(step, values=complete(system.clause[step.clause], step.values)) for step in steps]
        return Derivation(tuple(filled), found.loops)

    return Transformed(HornSystem(tuple(predicates.values()), clauses), summaries, derivation)


def _over_integers(predicate: Predicate) -> Predicate:
    arguments = predicate.arguments
    if not any(map(terms.is_bitvector, predicate.formals)):
        return predicate
    return Predicate(
        predicate.name,
        tuple(replace(a, sort=terms.INT) if terms.is_bitvector(a.formal) else a for a in arguments),
    )


def _clause(clause: Clause, predicates: dict[str, Predicate]) -> Clause:
    integers = Integers()

    def translated(atom: Atom) -> Atom:
        return Atom(predicates[atom.predicate.name], tuple(map(integers.formula, atom.arguments)))

    constraint = integers.formula(clause.constraint)
    body = tuple(map(translated, clause.body))
    head = translated(clause.head) if clause.head else None
    ranges = [in_range(number, terms.width(word)) for word, number in integers.variables.items()]
    return Clause(clause.name, head, body, terms.conjunction([constraint, *ranges]), clause.origin)


def _summary(predicate: Predicate, over_integers: Predicate, said: Term) -> Term:
    """The same about bit-vectors; `true` where that cannot be written, which is no solution as a rule."""
    pairs = zip(over_integers.formals, predicate.formals, strict=True)
    words = {number: word for number, word in pairs if terms.is_bitvector(word)}
    try:
        return Widening(words).formula(said) if words else said
    except NotBits:
        return terms.TRUE


def _step(step: Step, clause: Clause) -> Step:
    known = {terms.name_of(number): value for number, value in step.values.items()}
    values: dict[Term, Term] = {}
    for variable in clause.variables:
        value = known.get(terms.name_of(variable))
        if value is None:
            continue
        if terms.is_bitvector(variable):
            values[variable] = operations.bits_of(value, terms.width(variable))
        else:
            values[variable] = value
    return Step(step.clause, values, step.premises)
