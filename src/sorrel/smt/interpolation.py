"""Interpolation: a formula between a body and an environment that contradict each other.

No solver of ours interpolates over integers with parity, so four ways are tried, from the most general and
cheapest answer to the most specific. Whichever finds one, the answer is confirmed before it leaves.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import z3

from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.model.work import METER, QUESTION
from sorrel.smt import units
from sorrel.smt.plan import PLAN
from sorrel.smt.projection import project_cube, project_exact
from sorrel.smt.solver import Oracle, Sat, Unsat

CUBE_LIMIT = 8
CLAUSE_LIMIT = 32  # an interpolant with more clauses enumerates values; Spacer often knows a better one


def interpolate(
    oracle: Oracle,
    body: Term,
    environment: Term,
    shared: Sequence[Term] | None = None,
    seconds: float = PLAN.interpolation,
) -> Term | None:
    """A formula I over shared variables with body ⇒ I and I ∧ environment unsatisfiable, or None.

    `shared` are the variables that I may mention; by default, those that occur on both sides. None also if
    body ∧ environment has a model.
    """
    if shared is None:
        on_both = {variable.get_id() for variable in walk.free_variables(body)}
        shared = [variable for variable in walk.free_variables(environment) if variable.get_id() in on_both]
    units.counter().charge()  # what was done before is not this question's work
    question = _Question(oracle, body, environment, tuple(shared), oracle.clock.share(1.0, seconds))
    size = walk.size(body) + walk.size(environment) if oracle.measure_sizes else 0
    for kind, method in _METHODS:
        with oracle.statistics.timed(kind, size) as tally:
            try:
                found = question.settle(method(question))
            except _NothingBetweenError:
                tally.undecided += 1
                return None
            if found is not None:
                return found
            tally.undecided += 1
    return None


class _NothingBetweenError(Exception):
    """Some values of the shared variables satisfy both sides."""


@dataclass(frozen=True, slots=True, eq=False)
class _Question:
    oracle: Oracle
    body: Term
    environment: Term
    shared: tuple[Term, ...]
    clock: Clock

    def locals_of(self, formula: Term) -> list[Term]:
        common = {variable.get_id() for variable in self.shared}
        return [variable for variable in walk.free_variables(formula) if variable.get_id() not in common]

    def settle(self, candidate: Term | None) -> Term | None:
        """The candidate in compact form, if it is an interpolant."""
        if candidate is None:
            return None
        compact = self.compact(candidate)
        return compact if self.confirms(compact) else None

    def confirms(self, candidate: Term) -> bool:
        """The three conditions of an interpolant."""
        if walk.has_quantifier(candidate) or self.locals_of(candidate):
            return False
        implied = self.oracle.entails(self.body, candidate, "interpolate.confirm", self.clock.remaining())
        if implied is not True:
            return False
        blocked = self.oracle.check(
            candidate, self.environment, kind="interpolate.confirm", seconds=self.clock.remaining()
        )
        return isinstance(blocked, Unsat)

    def compact(self, candidate: Term) -> Term:
        """Drop literals that the body implies a clause without, then clauses that block nothing new."""
        clauses = []
        for clause in terms.conjuncts(candidate):
            shorter = self.shorten(terms.disjuncts(clause))
            clauses.append(clause if shorter is None else shorter)
        return terms.conjunction(self.needed(clauses))

    def demand_excluded(self, cube: Sequence[Term]) -> None:
        """Raise if the body has a model in a cube of the environment: then there is nothing between."""
        answer = self.oracle.check(self.body, *cube, kind="interpolate.confirm", seconds=self.clock.remaining())
        if isinstance(answer, Sat):
            raise _NothingBetweenError

    def needed(self, clauses: Sequence[Term]) -> Sequence[Term]:
        kept = self.oracle.core([self.environment], clauses, "interpolate.core", self.clock.remaining())
        return clauses if kept is None else [clauses[index] for index in kept]

    def shorten(self, literals: Sequence[Term]) -> Term | None:
        """A disjunction of some of the literals that the body implies; None if it was not seen to imply any.

        An equation is offered as its two halves, because often one of them is enough.
        """
        halves = [half for literal in literals for half in _halves(terms.negation(literal))]
        kept = self.oracle.core([self.body], halves, "interpolate.core", self.clock.remaining())
        if kept is None:
            return None
        return terms.disjunction(map(terms.negation, _joined([halves[index] for index in kept])))


def _halves(literal: Term) -> list[Term]:
    if not terms.is_equation(literal) or not z3.is_arith(literal.arg(0)) or any(map(z3.is_mod, literal.children())):
        return [literal]  # half of a congruence says no less than the whole, only less clearly
    left, right = literal.children()
    return [left <= right, left >= right]


def _joined(literals: Sequence[Term]) -> list[Term]:
    """Both halves of an equation, where they stand next to each other, as the equation again."""
    joined: list[Term] = []
    for literal in literals:
        if joined and z3.is_le(joined[-1]) and z3.is_ge(literal):
            left, right = literal.children()
            if terms.same(joined[-1].arg(0), left) and terms.same(joined[-1].arg(1), right):
                joined[-1] = left == right
                continue
        joined.append(literal)
    return joined


def _by_cubes(question: _Question) -> Term | None:
    """Block the environment cube by cube: each is a projection around one of its models.

    Every clause is shortened at once, so that it blocks as many of the next models as the body allows.
    """
    oracle, clock = question.oracle, question.clock
    eliminate = question.locals_of(question.environment)
    session = oracle.session("interpolate.models")
    session.add(question.environment)
    clauses: list[Term] = []
    while True:
        match session.check(seconds=clock.remaining()):
            case Sat(model) if len(clauses) < CUBE_LIMIT:
                cube = project_cube(oracle, question.environment, model, eliminate)
                clause = question.shorten([terms.negation(literal) for literal in cube])
                if clause is None:
                    question.demand_excluded(cube)
                    return None
                clauses.append(clause)
                session.add(clause)
            case Unsat():
                return terms.conjunction(clauses)
            case _:
                return None


def _weakest(question: _Question) -> Term | None:
    """¬∃ locals. environment: everything that the environment does not want."""
    eliminate = question.locals_of(question.environment)
    seconds = question.clock.remaining() / PLAN.interpolation_parts
    unwanted = project_exact(question.oracle, question.environment, eliminate, seconds, cubes=0)
    if unwanted is None or len(terms.disjuncts(unwanted)) > CLAUSE_LIMIT:
        return None
    return terms.conjunction(
        terms.disjunction(map(terms.negation, terms.conjuncts(alternative)))
        for alternative in terms.disjuncts(unwanted)
    )


def _by_spacer(question: _Question) -> Term | None:
    """body ⇒ P and P ∧ environment ⇒ false as a system of two Horn clauses.

    Without inlining: with it, Spacer often answers with the body under an existential quantifier.
    """
    seconds = question.clock.remaining(PLAN.interpolation_by_spacer)
    if seconds <= 0 or not question.shared:
        return None
    variables = walk.free_variables(question.body, question.environment)
    names = Names(variable.decl().name() for variable in variables)
    between = terms.declare(names.fresh("between"), [v.sort() for v in question.shared], terms.BOOL)
    goal = terms.declare(names.fresh("goal"), [], terms.BOOL)
    fixedpoint = z3.Fixedpoint()
    fixedpoint.set(engine="spacer", **units.limits(seconds, question.clock))
    fixedpoint.set("xform.inline_eager", False)
    fixedpoint.set("xform.inline_linear", False)
    try:
        fixedpoint.register_relation(between, goal)
        fixedpoint.declare_var(*variables, *question.shared)
        fixedpoint.rule(between(*question.shared), [question.body])
        fixedpoint.rule(goal(), [between(*question.shared), question.environment])
        if fixedpoint.query(goal()) != z3.unsat:
            return None
        invariant = fixedpoint.get_cover_delta(-1, between)
        return _without_bit_tests(terms.simplify(z3.substitute_vars(invariant, *question.shared)))
    except z3.Z3Exception:
        return None
    finally:
        METER.add(QUESTION)
        units.counter().charge()


def _without_bit_tests(formula: Term) -> Term:
    """Spacer tests bits with a function of its own, which is not SMT-LIB; the same test by `extract` is."""
    pairs = []
    for subterm in walk.subterms(formula):
        if z3.is_app_of(subterm, z3.Z3_OP_BIT2BOOL):
            (position,) = subterm.decl().params()
            pairs.append((subterm, z3.Extract(position, position, subterm.arg(0)) == 1))
    return terms.substitute(formula, pairs)


def _strongest(question: _Question) -> Term | None:
    """∃ locals. body: everything that the body says."""
    return project_exact(question.oracle, question.body, question.locals_of(question.body), question.clock.remaining())


_METHODS: tuple[tuple[str, Callable[[_Question], Term | None]], ...] = (
    ("interpolate.cube", _by_cubes),
    ("interpolate.weakest", _weakest),
    ("interpolate.spacer", _by_spacer),
    ("interpolate.strongest", _strongest),
)
