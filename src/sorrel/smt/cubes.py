"""A formula as a union of conjunctions, found one model at a time: only those that have a model come up."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, implicant
from sorrel.logic.terms import Term
from sorrel.smt.plan import PLAN
from sorrel.smt.solver import Oracle, Sat, Unsat


def cubes(formula: Term, oracle: Oracle, most: int) -> Iterator[tuple[Term, ...]]:
    """Conjunctions of literals without `ite` and without ≠ between numbers; together the formula, if fewer than `most`.

    After that many, or when a question is not answered, what is left comes as the formula's own conjuncts.
    """
    session = oracle.session("cubes")
    session.add(formula)
    for _ in range(most):
        match session.check(seconds=PLAN.cube):
            case Sat(model):
                cube = tuple(_literals(formula, model))
                yield cube
                session.add(terms.negation(terms.conjunction(cube)))
            case Unsat():
                return
            case _:
                break
    yield tuple(terms.conjuncts(formula))


def _literals(formula: Term, model: Model) -> Iterator[Term]:
    def truth(part: Term) -> bool:
        return terms.is_true(model.eval(part, model_completion=True))

    waiting = list(implicant(formula, truth))
    while waiting:
        literal = waiting.pop()
        choice = next((t for t in walk.subterms(literal) if terms.is_ite(t) and not terms.is_boolean(t)), None)
        if choice is not None:
            condition, then, otherwise = terms.children(choice)
            holds = truth(condition)
            waiting += implicant(condition if holds else terms.negation(condition), truth)
            waiting.append(terms.substitute(literal, [(choice, then if holds else otherwise)]))
            continue
        yield _one_side(literal, truth)


def _one_side(literal: Term, truth: Callable[[Term], bool]) -> Term:
    """One of < and > in place of ≠ between numbers."""
    inner = terms.children(literal)[0] if terms.is_not(literal) else literal
    differ = (terms.is_not(literal) and terms.is_equation(inner)) or terms.is_distinct(literal)
    if not differ or len(terms.children(inner)) != 2:
        return literal
    left, right = terms.children(inner)
    if not terms.is_arithmetic(left):
        return literal
    return left < right if truth(left < right) else left > right
