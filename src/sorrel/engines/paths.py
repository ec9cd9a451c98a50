"""Paths of clauses as one formula that grows by a level at a time: bounded model checking.

It finds counterexamples whose values have to fit together over many steps, and, where loops are taken many times at
once before, such as go through loops a million times. Clauses with several calls have no paths.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.engines.engine import Circumstances
from sorrel.engines.one_call import SEVERAL_CALLS, has_several_calls, no_paths
from sorrel.engines.options import PATHS, PathsOptions
from sorrel.engines.prepared import TOO_WEAK, solve_prepared
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, value_in
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.smt.solver import Sat, Session, Undecided
from sorrel.transform.simplify import simplify

TELLING = 1_000
"""Units of work for telling the solver of a clause at a level."""


class Paths:
    """Is a query at the end of a path of one step, of two, of three, …?"""

    def __init__(self, options: PathsOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return no_paths(system, self._options.passes)

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        def search(prepared: HornSystem, exact: bool) -> Verdict:
            return self._solve(prepared, run) if exact else Unknown(TOO_WEAK)

        found = solve_prepared(system, self._options.passes, run, seeds, run.oracle(), search)
        return self._solve(system, run) if found is None else found

    def _solve(self, system: HornSystem, run: Circumstances) -> Verdict:
        simpler = simplify(system)
        if has_several_calls(simpler.system):
            return Unknown(Reason(Cause.UNSUPPORTED, SEVERAL_CALLS))
        run.progress({"phase": "paths"})
        search = _Search(simpler.system, run.oracle(query_seconds=run.clock.remaining()).session("paths"))
        for length in range(1, self._options.levels + 1):
            if run.clock.expired():
                return Unknown(Reason(Cause.TIME, f"there is no counterexample of less than {length} steps"))
            match search.longer():
                case Derivation() as found:
                    return Unsafe(simpler.derivation(found), by=PATHS)
                case Undecided(reason):
                    # Whatever stopped the solver, but for a theory that it does not decide, a longer turn may do.
                    cause = Cause.INCOMPLETE if "incomplete" in reason else Cause.TIME
                    return Unknown(Reason(cause, f"the solver could not decide paths of {length} steps: {reason}"))
            if search.ended:
                break
            run.progress({"level": length})
        return Unknown(Reason(Cause.INCOMPLETE, f"there is no counterexample of at most {length} steps"))


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """A predicate at a level: `here` says that the path goes through it, `state` are its arguments there."""

    here: Term
    state: tuple[Term, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Use:
    """A clause taken from the level before: `taken` says that it is, `renaming` are its variables at this place."""

    clause: Clause
    taken: Term
    renaming: tuple[tuple[Term, Term], ...]


@dataclass(slots=True)
class _Search:
    """All paths so far, told to one solver; `uses` are, for each level and predicate, the clauses that lead there."""

    system: HornSystem
    session: Session
    places: dict[str, _Place] = field(default_factory=dict)
    uses: list[dict[str, list[_Use]]] = field(default_factory=list)
    ended: bool = False

    def longer(self) -> Derivation | Undecided | None:
        """The counterexample that ends with the next level; None if there is none."""
        level = len(self.uses)
        leading: dict[str, list[_Use]] = {}
        places: dict[str, _Place] = {}
        queries: list[_Use] = []
        for clause in self.system.clauses:
            if (level == 0) != (not clause.body) or (clause.body and clause.body[0].predicate.name not in self.places):
                continue
            use = self._take(clause, level, places)
            (queries if clause.head is None else leading.setdefault(clause.head.predicate.name, [])).append(use)
        for name, place in places.items():
            self._one_of(place.here, leading[name])
        self.uses.append(leading)
        self.places = places
        self.ended = not places
        if not queries:
            return None
        goal = terms.variable(f"goal!{level}", terms.BOOL)
        self._one_of(goal, queries)
        match self.session.check([goal]):
            case Sat(model):
                return self._derivation(queries, model)
            case Undecided() as undecided:
                return undecided
        self.session.add(terms.negation(goal))
        return None

    def _one_of(self, then: Term, uses: Sequence[_Use]) -> None:
        self.session.add(terms.implication(then, terms.disjunction(use.taken for use in uses)))

    def _take(self, clause: Clause, level: int, places: dict[str, _Place]) -> _Use:
        """Say what the clause says between its places; variables that stand for whole arguments are the state's."""
        METER.add(TELLING)
        renaming: dict[int, tuple[Term, Term]] = {}
        equations: list[tuple[Term, Term]] = []
        ends = [(atom, self.places) for atom in clause.body] + ([(clause.head, places)] if clause.head else [])
        here: list[Term] = []
        for atom, known in ends:
            place = known.setdefault(atom.predicate.name, _place(atom.predicate, level))
            here += [place.here] if known is self.places else []
            _bind(atom, place, renaming, equations)
        for variable in clause.variables:
            fresh = f"{terms.name_of(variable)}!{clause.name}!{level}"
            renaming.setdefault(variable.get_id(), (variable, terms.variable(fresh, variable.sort())))
        pairs = tuple(renaming.values())
        taken = terms.variable(f"take!{clause.name}!{level}", terms.BOOL)
        parts = [terms.substitute(clause.constraint, pairs), *here]
        parts += [terms.equal(terms.substitute(argument, pairs), state) for argument, state in equations]
        self.session.add(terms.implication(taken, terms.conjunction(parts)))
        return _Use(clause, taken, pairs)

    def _derivation(self, queries: Sequence[_Use], model: Model) -> Derivation:
        chosen = [_taken(queries, model)]
        for leading in reversed(self.uses[:-1]):
            chosen.append(_taken(leading[chosen[-1].clause.body[0].predicate.name], model))
        return Derivation(tuple(_steps(reversed(chosen), model)))


def _place(predicate: Predicate, level: int) -> _Place:
    state = (terms.variable(f"{predicate.name}!{number}!{level}", sort) for number, sort in enumerate(predicate.sorts))
    return _Place(terms.variable(f"at!{predicate.name}!{level}", terms.BOOL), tuple(state))


def _bind(
    atom: Atom, place: _Place, renaming: dict[int, tuple[Term, Term]], equations: list[tuple[Term, Term]]
) -> None:
    for argument, state in zip(atom.arguments, place.state, strict=True):
        if terms.is_variable(argument) and argument.get_id() not in renaming:
            renaming[argument.get_id()] = (argument, state)
        else:
            equations.append((argument, state))


def _taken(uses: Sequence[_Use], model: Model) -> _Use:
    return next(use for use in uses if terms.is_true(value_in(model, use.taken)))


def _steps(uses: Iterator[_Use], model: Model) -> Iterator[Step]:
    for number, use in enumerate(uses):
        values: Mapping[Term, Term] = {variable: value_in(model, there) for variable, there in use.renaming}
        yield Step(use.clause.name, values, (number - 1,) if number else ())
