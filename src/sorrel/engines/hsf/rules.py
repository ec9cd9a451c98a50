"""Clauses as rules with conjunctive constraints: a clause with a disjunction becomes several rules.

Cartesian abstraction of a disjunction forgets which case it was in; a rule for each case remembers.
"""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.horn.clause import Atom, Clause
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Rule:
    """c(v₀) ∧ q₁(v₁) ∧ … ∧ qₙ(vₙ) → h(v): one case of a clause; `parts` are the conjuncts of c."""

    number: int
    clause: Clause
    parts: tuple[Term, ...]

    @property
    def head(self) -> Atom | None:
        return self.clause.head

    @property
    def body(self) -> tuple[Atom, ...]:
        return self.clause.body

    @property
    def changed(self) -> tuple[int, ...]:
        """Of a rule that is a round of a loop: the positions of its head that are not those of the call before."""
        if self.head is None:
            return ()
        for position, before in enumerate(self.body):
            if before.predicate.name == self.head.predicate.name:
                kept = self.carried(position)
                return tuple(i for i in range(len(self.head.arguments)) if kept.get(i) != i)
        return ()

    def carried(self, position: int) -> dict[int, int]:
        """The arguments of a call that are handed to the head as they are: from their places there to those here."""
        if self.head is None:
            return {}
        equal = {frozenset(c.get_id() for c in terms.children(p)) for p in self.parts if terms.is_equation(p)}
        found: dict[int, int] = {}
        heads = [after.get_id() for after in self.head.arguments]
        for there, before in enumerate(self.body[position].arguments):
            if not terms.is_variable(before):
                continue
            number = before.get_id()
            for here, after in enumerate(heads):
                same = number == after or frozenset((number, after)) in equal
                if same and there not in found and here not in found.values():
                    found[there] = here
        return found


def rules_of(clauses: Sequence[Clause], known: Summaries, most_cases: int, first: int = 0) -> list[Rule]:
    """Rules for the clauses, numbered from `first`. Known summaries are assumed at calls: every fact satisfies them."""
    found: list[Rule] = []
    for clause in clauses:
        assumed = [
            terms.substitute(known[a.predicate.name], a.bind()) for a in clause.body if a.predicate.name in known
        ]
        for case in cases(clause.constraint, most_cases):
            parts = terms.conjuncts(terms.simplify(terms.conjunction(case)))
            if not any(map(terms.is_false, parts)):
                found.append(Rule(first + len(found), clause, (*parts, *assumed)))
    return found


def cases(formula: Term, most: int) -> list[tuple[Term, ...]]:
    """Conjunctions whose disjunction is equivalent to the formula; disjunctions stay where there would be too many."""
    finished: list[tuple[Term, ...]] = []
    unfinished: list[tuple[list[Term], list[Term]]] = [([], [formula])]
    while unfinished:
        done, waiting = unfinished.pop()
        while waiting:
            part = waiting.pop()
            alternatives = _alternatives(part)
            if alternatives is None or (
                len(alternatives) > 1 and len(finished) + len(unfinished) + len(alternatives) > most
            ):
                done.append(part)
            else:
                unfinished.extend((list(done), [*waiting, *reversed(other)]) for other in reversed(alternatives[1:]))
                if not alternatives:
                    done.append(terms.FALSE)
                    break
                waiting.extend(reversed(alternatives[0]))
        finished.append(tuple(done))
    return finished


def _alternatives(formula: Term) -> list[list[Term]] | None:
    """Lists of formulas: the formula holds exactly if all of one list do. None for a literal."""
    if terms.is_and(formula):
        return [terms.children(formula)]
    if terms.is_or(formula):
        return [[child] for child in terms.children(formula)]
    if terms.is_implication(formula):
        left, right = terms.children(formula)
        return [[terms.negation(left)], [right]]
    if terms.is_not(formula):
        return _alternatives_of_negation(terms.children(formula)[0])
    if terms.is_ite(formula):
        condition, then, otherwise = terms.children(formula)
        return [[condition, then], [terms.negation(condition), otherwise]]
    if terms.is_distinct(formula) and len(terms.children(formula)) == 2:
        return _different(*terms.children(formula))
    if terms.is_equation(formula) and terms.is_boolean(terms.children(formula)[0]):
        left, right = terms.children(formula)
        return [[left, right], [terms.negation(left), terms.negation(right)]]
    return _branches(formula)


def _alternatives_of_negation(formula: Term) -> list[list[Term]] | None:
    children = terms.children(formula)
    if terms.is_and(formula):
        return [[terms.negation(child)] for child in children]
    if terms.is_or(formula):
        return [[terms.negation(child) for child in children]]
    if terms.is_implication(formula):
        return [[children[0], terms.negation(children[1])]]
    if terms.is_not(formula):
        return [children]
    if terms.is_ite(formula):
        condition, then, otherwise = children
        return [[condition, terms.negation(then)], [terms.negation(condition), terms.negation(otherwise)]]
    if terms.is_equation(formula):
        return _different(*children)
    if terms.is_distinct(formula) and len(children) == 2:
        return [[terms.equal(*children)]]
    return _branches(terms.negation(formula))


def _different(left: Term, right: Term) -> list[list[Term]] | None:
    if terms.is_boolean(left):
        return [[left, terms.negation(right)], [terms.negation(left), right]]
    if terms.is_arithmetic(left):
        return [[left < right], [left > right]]
    return None


def _branches(literal: Term) -> list[list[Term]] | None:
    """A literal with an `ite` between terms inside, by its branches."""
    if terms.is_quantifier(literal) or walk.has_quantifier(literal):
        return None
    for subterm in walk.subterms(literal):
        if terms.is_ite(subterm) and not terms.is_boolean(subterm):
            condition, then, otherwise = terms.children(subterm)
            return [
                [condition, terms.substitute(literal, [(subterm, then)])],
                [terms.negation(condition), terms.substitute(literal, [(subterm, otherwise)])],
            ]
    return None
