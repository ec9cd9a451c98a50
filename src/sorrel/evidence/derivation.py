"""Is this a derivation of a query? Every step is evaluated on its values."""

from __future__ import annotations

import time

from sorrel.evidence.loops import Conclusion, check_loop, loops_problem, shape_problem
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.evidence.validity import valid
from sorrel.horn.clause import Atom
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step
from sorrel.logic import evaluate, terms, walk
from sorrel.logic.terms import Term


def check_derivation(system: HornSystem, derivation: Derivation, seconds: float = CHECKING) -> Result:
    """Premises stand before conclusions and are the facts their clause asks for; the last step is a query."""
    if not derivation.steps:
        return Rejected("the derivation is empty")
    deadline = time.monotonic() + seconds
    problem = loops_problem(derivation)
    if problem:
        return Rejected(problem)
    loops = {loop.first: loop for loop in derivation.loops}
    facts: list[Conclusion] = []
    while len(facts) < len(derivation.steps):
        number = len(facts)
        if number in loops:
            result = check_loop(system, derivation, loops[number], facts, deadline)
        else:
            result = _check_step(system, derivation.steps[number], number, facts, deadline)
        if not isinstance(result, Accepted):
            return result
    if facts[-1] is not None:
        return Rejected("the last step does not apply a query")
    rounds = "".join(f", {loop.count} rounds by induction" for loop in derivation.loops)
    return Accepted(f"{len(derivation.steps)} steps evaluated{rounds}")


def _check_step(system: HornSystem, step: Step, number: int, facts: list[Conclusion], deadline: float) -> Result:
    clause = system.clause.get(step.clause)
    if clause is None:
        return Rejected(f"step {number} applies a clause {step.clause} that does not exist")
    problem = shape_problem(clause, step, number)
    if problem:
        return Rejected(problem)
    if not all(terms.is_value(value) for value in step.values.values()):
        return NotConfirmed(f"step {number} has a value that cannot be written down")
    pairs = list(step.values.items())
    obligations = [terms.substitute(clause.constraint, pairs)]
    for atom, premise in zip(clause.body, step.premises, strict=True):
        fact = facts[premise]
        if not isinstance(fact, Atom) or fact.predicate is not atom.predicate:
            return Rejected(f"step {number}: premise {premise} is not a fact about {atom.predicate.name}")
        obligations.extend(
            terms.equal(terms.substitute(argument, pairs), value)
            for argument, value in zip(atom.arguments, fact.arguments, strict=True)
        )
    for obligation in obligations:
        result = _holds(obligation, deadline)
        if not isinstance(result, Accepted):
            return type(result)(f"step {number} (clause {clause.name}): {result.detail}")
    head = clause.head
    facts.append(Atom(head.predicate, tuple(evaluate.evaluate(a, pairs) for a in head.arguments)) if head else None)
    return Accepted()


def _holds(ground: Term, deadline: float) -> Result:
    """By evaluation; what evaluation leaves open (division by zero, quantifiers) must be valid for the solver."""
    value = terms.simplify(ground)
    if terms.is_true(value):
        return Accepted()
    if terms.is_false(value):
        return Rejected("it is false on these values")
    if walk.free_variables(value):
        return Rejected("it has variables without a value")
    open_ = NotConfirmed("it depends on a value that the logic leaves open, such as a division by zero")
    return valid(value, deadline, otherwise=open_)
