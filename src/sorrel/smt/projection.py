"""Projection: what a formula says about the other variables when some are eliminated.

Three sides of one question. `project_model` answers with a part of ∃ eliminate. formula around one model (an
under-approximation), `project_over` with more than it, `project_exact` with exactly that or not at all.
"""

from __future__ import annotations

from collections.abc import Sequence

import z3
from z3 import z3core

from sorrel.logic import terms, walk
from sorrel.logic.cubes import without_implied
from sorrel.logic.evaluate import Model, implicant, value_in
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.values import dataclass
from sorrel.smt import units
from sorrel.smt.foreign import abstract_foreign, has_foreign_theory, nonlinear_terms
from sorrel.smt.plan import PLAN
from sorrel.smt.solver import Oracle, Sat, Unsat

QE2_SLOWEST = 2.0
"""How many times as long as planned it may take."""

COVER_LIMIT = 12  # cubes; a projection that needs more is usually cheaper, and smaller, by qe2


def project_model(oracle: Oracle, formula: Term, model: Model, eliminate: Sequence[Term]) -> Term:
    """A cube without the eliminated variables, true in the model, that implies ∃ eliminate. formula."""
    return terms.conjunction(project_cube(oracle, formula, model, eliminate))


def project_cube(oracle: Oracle, formula: Term, model: Model, eliminate: Sequence[Term]) -> list[Term]:
    """The literals of `project_model`. The model satisfies the formula, which is quantifier-free."""
    size = walk.size(formula) if oracle.measure_sizes else 0
    with oracle.statistics.timed("project.model", size) as tally:
        cube = _cube_around(formula, model, eliminate)
        if cube is None:
            tally.undecided += 1
            cube = terms.conjuncts(_at_model_values(formula, model, eliminate))
        return cube


@dataclass(frozen=True, slots=True, eq=False)
class Cover:
    """Cubes that each imply ∃ eliminate. formula; if `complete`, their disjunction is equivalent to it."""

    cubes: tuple[tuple[Term, ...], ...]
    complete: bool

    def formula(self) -> Term:
        return terms.disjunction(terms.conjunction(cube) for cube in self.cubes)


def cover(
    oracle: Oracle,
    formula: Term,
    eliminate: Sequence[Term],
    limit: int = COVER_LIMIT,
    seconds: float | None = None,
) -> Cover:
    """Project around one model after the other, until no model is left or there are `limit` cubes."""
    clock = oracle.clock if seconds is None else oracle.clock.share(1.0, seconds)
    session = oracle.session("project.cover")
    session.add(formula)
    cubes: list[tuple[Term, ...]] = []
    while True:
        match session.check(seconds=clock.remaining()):
            case Sat(model) if len(cubes) < limit:
                cube = project_cube(oracle, formula, model, eliminate)
                cubes.append(tuple(cube))
                session.add(terms.negation(terms.conjunction(cube)))
            case Unsat():
                return Cover(tuple(cubes), complete=True)
            case _:
                return Cover(tuple(cubes), complete=False)


def project_exact(
    oracle: Oracle,
    formula: Term,
    eliminate: Sequence[Term],
    seconds: float = PLAN.projection,
    *,
    cubes: int = COVER_LIMIT,
) -> Term | None:
    """A quantifier-free formula equivalent to ∃ eliminate. formula, or None if none was found in time.

    Equations first, then a cover by at most `cubes` cubes, then qe2, whose answer is believed only when the
    solver confirms both directions.
    """
    clock = oracle.clock.share(1.0, seconds)
    with oracle.statistics.timed("project.exact", walk.size(formula) if oracle.measure_sizes else 0) as tally:
        split = _split(formula, eliminate)
        if not split.eliminate:
            return terms.conjunction(split.free)
        rest = _project_rest(oracle, terms.conjunction(split.bound), split.eliminate, clock, cubes)
        if rest is None:
            tally.undecided += 1
            return None
        return terms.conjunction([*split.free, rest])


def project_over(
    oracle: Oracle, formula: Term, eliminate: Sequence[Term], seconds: float = PLAN.projection_over
) -> Term:
    """A quantifier-free formula without the eliminated variables that ∃ eliminate. formula implies."""
    exact = project_exact(oracle, formula, eliminate, seconds)
    if exact is not None:
        return exact
    with oracle.statistics.timed("project.over", walk.size(formula) if oracle.measure_sizes else 0):
        split = _split(formula, eliminate)
        return terms.conjunction([*split.free, *(_weaken(part, split.eliminate) for part in split.bound)])


# --- around one model ---------------------------------------------------------------------------------------


def _cube_around(formula: Term, model: Model, eliminate: Sequence[Term]) -> list[Term] | None:
    """The projection of an implicant; None if the model does not settle the truth of some part.

    Nothing with a quantifier (or lambda) inside goes to z3's projection: it crashes the process.
    """
    if walk.has_quantifier(formula) or _truth(model, formula) is not True:
        return None

    def holds(part: Term) -> bool:
        return _truth(model, part) is True

    # The equation that solves a Boolean or defines a variable goes first: it is exact for every sort, whereas
    # z3 puts model values for bit-vectors and nonlinear terms.
    split = _split(terms.conjunction(implicant(formula, holds)), eliminate)
    bound = terms.conjunction(split.bound)
    if split.eliminate:
        bound = _project_by_z3(bound, model, split.eliminate)
    bound = terms.simplify(_at_model_values(bound, model, split.eliminate))
    cube = terms.conjunction([*split.free, bound])
    if not (holds(cube) and _speaks_of_the_rest(cube, formula, eliminate)):
        return None
    literals = implicant(cube, holds)
    return without_implied(literals) if all(map(holds, literals)) else None


def _truth(model: Model, formula: Term) -> bool | None:
    value = model.eval(formula, model_completion=True)
    return True if terms.is_true(value) else False if terms.is_false(value) else None


def _project_by_z3(cube: Term, model: Model, eliminate: Sequence[Term]) -> Term:
    """z3's model-based projection; variables may remain where it does not know the theory."""
    context = z3.main_ctx()
    bound = (z3.z3types.Ast * len(eliminate))(*(variable.as_ast() for variable in eliminate))
    try:
        result = z3core.Z3_qe_model_project(context.ref(), model.model, len(eliminate), bound, cube.as_ast())
    except z3.Z3Exception:
        return cube
    return z3.z3._to_expr_ref(result, context)


def _at_model_values(formula: Term, model: Model, eliminate: Sequence[Term]) -> Term:
    """Putting a value for a variable under-approximates ∃, whatever the value."""
    present = {variable.get_id() for variable in walk.free_variables(formula)}
    return terms.substitute(formula, [(v, value_in(model, v)) for v in eliminate if v.get_id() in present])


def _is_free_of(formula: Term, eliminate: Sequence[Term]) -> bool:
    gone = {variable.get_id() for variable in eliminate}
    return not any(variable.get_id() in gone for variable in walk.free_variables(formula))


def _speaks_of_the_rest(result: Term, formula: Term, eliminate: Sequence[Term]) -> bool:
    """No quantifier, no eliminated variable, and none that the formula does not have."""
    gone = {variable.get_id() for variable in eliminate}
    known = {variable.get_id() for variable in walk.free_variables(formula)} - gone
    return not walk.has_quantifier(result) and all(v.get_id() in known for v in walk.free_variables(result))


# --- equations ----------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, eq=False)
class _Split:
    """∃ eliminate. ⋀ bound, and ⋀ free beside it: equivalent to the projection it was made from."""

    free: tuple[Term, ...]
    bound: tuple[Term, ...]
    eliminate: tuple[Term, ...]


class _Equations:
    """Conjuncts by number, and which of them mention which variable: a solution only touches those."""

    def __init__(self, parts: Sequence[Term]) -> None:
        self.parts = dict(enumerate(parts))
        self._mentions: dict[int, set[int]] = {}
        for number, part in self.parts.items():
            self._note(number, part)

    def _note(self, number: int, term: Term) -> None:
        for variable in walk.free_variables(term):
            self._mentions.setdefault(variable.get_id(), set()).add(number)

    def solve(self, candidates: dict[int, Term]) -> bool:
        """Use conjuncts that define a candidate up, and forget the candidate; was there any?"""
        progress = False
        waiting = list(reversed(self.parts))
        while waiting:
            number = waiting.pop()
            solution = _definition(self.parts[number], candidates) if number in self.parts else None
            if solution is None:
                continue
            progress = True
            variable, value = solution
            del self.parts[number], candidates[variable.get_id()]
            for other in sorted(self._mentions.get(variable.get_id(), ())):
                if other in self.parts:
                    self.parts[other] = terms.substitute(self.parts[other], [solution])
                    self._note(other, value)
                    waiting.append(other)
        return progress


def _split(formula: Term, eliminate: Sequence[Term]) -> _Split:
    """Solve equations for eliminated variables, and set conjuncts aside that mention none of the others."""
    parts = terms.conjuncts(formula)
    candidates = {variable.get_id(): variable for variable in eliminate}
    while candidates:
        equations = _Equations(parts)
        if not equations.solve(candidates):
            break
        parts = terms.conjuncts(terms.simplify(terms.conjunction(equations.parts.values())))
    free = [part for part in parts if _is_free_of(part, list(candidates.values()))]
    free_ids = {part.get_id() for part in free}
    bound = [part for part in parts if part.get_id() not in free_ids]
    present = {variable.get_id() for variable in walk.free_variables(*bound)}
    return _Split(tuple(free), tuple(bound), tuple(v for i, v in candidates.items() if i in present))


def _definition(part: Term, candidates: dict[int, Term]) -> tuple[Term, Term] | None:
    """A candidate and the term, free of it, that `part` says it equals; nothing else is said by `part`."""
    if part.get_id() in candidates:
        return part, terms.TRUE
    if terms.is_not(part) and part.arg(0).get_id() in candidates:
        return part.arg(0), terms.FALSE
    if not terms.is_equation(part):
        return None
    left, right = part.children()
    for variable, value in ((left, right), (right, left)):
        if variable.get_id() in candidates and _is_free_of(value, [variable]):
            return variable, value
    return _solve_sum(left, right, candidates)


def _solve_sum(left: Term, right: Term, candidates: dict[int, Term]) -> tuple[Term, Term] | None:
    """Solve left = right for a summand with an invertible coefficient."""
    if not (z3.is_arith(left) or z3.is_bv(left)):
        return None
    difference = terms.simplify(left - right)
    summands = difference.children() if _is_sum(difference) else [difference]
    for index, summand in enumerate(summands):
        coefficient, variable = _monomial(summand)
        if variable.get_id() not in candidates:
            continue
        others = summands[:index] + summands[index + 1 :]
        rest = sum(others, terms.default_value(variable.sort()))
        factor = _negated_inverse(coefficient, variable)
        if factor is not None and _is_free_of(rest, [variable]):
            return variable, terms.simplify(factor * rest)
    return None


def _is_sum(term: Term) -> bool:
    return bool(z3.is_app_of(term, z3.Z3_OP_ADD) or z3.is_app_of(term, z3.Z3_OP_BADD))


def _monomial(term: Term) -> tuple[Term | None, Term]:
    """Coefficient (None: one) and the term it multiplies."""
    if z3.is_app_of(term, z3.Z3_OP_MUL) or z3.is_app_of(term, z3.Z3_OP_BMUL):
        factors = term.children()
        if len(factors) == 2 and terms.is_value(factors[0]):
            return factors[0], factors[1]
    return None, term


def _negated_inverse(coefficient: Term | None, variable: Term) -> Term | None:
    """−1/coefficient in the ring of the variable, or None if the coefficient has no inverse."""
    if z3.is_bv(variable):
        modulus = 1 << variable.size()
        number = 1 if coefficient is None else coefficient.as_long()
        return z3.BitVecVal(-pow(number, -1, modulus), variable.size()) if number % 2 else None
    if coefficient is None:
        return z3.IntVal(-1) if z3.is_int(variable) else z3.RealVal(-1)
    if z3.is_int(variable):
        number = coefficient.as_long()
        return z3.IntVal(-number) if abs(number) == 1 else None
    return terms.simplify(z3.RealVal(-1) / coefficient)


# --- exactly ------------------------------------------------------------------------------------------------


def _project_rest(oracle: Oracle, formula: Term, eliminate: Sequence[Term], clock: Clock, cubes: int) -> Term | None:
    if cubes:
        covered = cover(oracle, formula, eliminate, cubes, PLAN.covering * clock.remaining())
        if covered.complete:
            return covered.formula()
    if clock.expired():
        return None
    abstraction = abstract_foreign(formula, eliminate)
    if nonlinear_terms(abstraction.formula) or has_foreign_theory(abstraction.formula):
        return None  # qe2 does not come back from nonlinear terms, and guesses about indices
    found = _by_qe2(abstraction.formula, eliminate, clock)
    if found is None or not _is_projection(oracle, found, abstraction.formula, eliminate, clock):
        return None
    return terms.substitute(found, abstraction.meaning)


def _by_qe2(formula: Term, eliminate: Sequence[Term], clock: Clock) -> Term | None:
    """qe2 on an explicit ∃. On a goal without a quantifier it answers `true`, so there must be one.

    Tactics have no limit in the solver's units, so that here time counts, as busy as the machine is.
    """
    seconds = clock.remaining()
    goal = z3.Goal()
    goal.add(terms.exists(eliminate, formula))
    if not any(walk.has_quantifier(goal.get(i)) for i in range(goal.size())) or seconds <= 0:
        return None
    try:
        found = z3.TryFor(z3.Tactic("qe2"), units.patience(seconds, clock, QE2_SLOWEST))(goal).as_expr()
    except z3.Z3Exception:
        return None
    finally:
        units.counter().charge()
    return terms.simplify(found)


def _is_projection(oracle: Oracle, result: Term, formula: Term, eliminate: Sequence[Term], clock: Clock) -> bool:
    """Is the result confirmed to be ∃ eliminate. formula?

    The second question has a quantifier. It is decidable because foreign terms were abstracted before; with
    arrays in it, z3 may search for ever and not even stop at its time limit.
    """
    if not _speaks_of_the_rest(result, formula, eliminate):
        return False
    if oracle.entails(formula, result, "project.confirm", clock.remaining()) is not True:
        return False
    answer = oracle.check(
        result,
        terms.forall(eliminate, terms.negation(formula)),
        kind="project.confirm",
        seconds=clock.remaining(),
    )
    return isinstance(answer, Unsat)


# --- from above ---------------------------------------------------------------------------------------------


def _weaken(formula: Term, eliminate: Sequence[Term]) -> Term:
    """Put `true` for literals with an eliminated variable: in negation normal form that only weakens."""
    mentions = walk.Mentions(formula, frozenset(variable.decl().name() for variable in eliminate))
    done: dict[tuple[int, bool], Term] = {}
    stack: list[tuple[Term, bool]] = [(formula, True)]
    while stack:
        current, positive = stack[-1]
        key = (current.get_id(), positive)
        if key in done:
            stack.pop()
            continue
        if not mentions(current):
            done[key] = current if positive else terms.negation(current)
            continue
        alternatives = _alternatives(current, positive)
        missing = [part for choice in alternatives for part in choice if (part[0].get_id(), part[1]) not in done]
        if missing:
            stack.extend(missing)
            continue
        done[key] = terms.disjunction(
            terms.conjunction(done[part.get_id(), sign] for part, sign in choice) for choice in alternatives
        )
    return done[formula.get_id(), True]


def _alternatives(formula: Term, positive: bool) -> list[list[tuple[Term, bool]]]:
    """The formula, or its negation, as a disjunction of conjunctions of signed parts; true for an atom."""
    if not terms.is_application(formula):
        return [[]]
    children = formula.children()
    kind = formula.decl().kind()
    if kind == z3.Z3_OP_NOT:
        return [[(children[0], not positive)]]
    if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
        signed = [(child, positive) for child in children]
        return [signed] if (kind == z3.Z3_OP_AND) == positive else [[part] for part in signed]
    if kind == z3.Z3_OP_IMPLIES:
        signed = [(children[0], not positive), (children[1], positive)]
        return [[part] for part in signed] if positive else [signed]
    if kind == z3.Z3_OP_ITE:
        condition, then, otherwise = children
        return [[(condition, True), (then, positive)], [(condition, False), (otherwise, positive)]]
    if kind in (z3.Z3_OP_EQ, z3.Z3_OP_XOR) and len(children) == 2 and terms.is_boolean(children[0]):
        left, right = children
        agree = (kind == z3.Z3_OP_EQ) == positive
        return [[(left, True), (right, agree)], [(left, False), (right, not agree)]]
    return [[]]
