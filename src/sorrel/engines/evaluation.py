"""Queries answered at chosen values: calls are evaluated from the top, and what they return is kept in tables.

A procedure that is a function is run by what its clauses force: a call whose inputs follow from those of its caller is
a goal of its own, and its answer decides how the caller goes on. So a counterexample that takes many calls in a row is
found without a formula about all of them, as long as a few values at the query decide the rest. Nothing is proved safe.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Generator, Iterator, Sequence
from dataclasses import field
from itertools import combinations, product

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import EVALUATION, EvaluationOptions
from sorrel.engines.plan import PLAN
from sorrel.engines.whale.executions import Execution, derivation_of
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, assignment_from, value_in
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Session, Unsat
from sorrel.transform.simplify import simplify

MOST_CHOSEN = 6
"""So many arguments of a query are given values."""
SMALL = (0, 1, 2, 3, -1, 5, 10, 41, 101, 4, 7, 17, 26, 64, 160, 257, 400)
"""A few of each size first: what depends on the size alone is found soon."""
PAIRED = 5
"""Of these so many, where two arguments are given values."""
ANY = 2
MOST_FAILURES = 3
"""Arguments that were given so many values in a row without an answer are results, or calls go on for ever."""
MOST_CONSTANTS = 8
MOST_ANSWERS = 3
FIRST_GOALS = 60
"""For each choice of values; four times as many in the next round."""
MOST_GOALS = 20_000
ARRAYS = "evaluation does not choose values of arrays"


class Evaluation:
    """Is there a violation at one of the chosen values?"""

    def __init__(self, options: EvaluationOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return ARRAYS if _has_arrays(system) and _has_arrays(simplify(system).system) else ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        problem = self.unsupported(system)
        if problem:
            return Unknown(Reason(Cause.UNSUPPORTED, problem))
        simpler = simplify(system)
        run.progress({"phase": "evaluation"})
        search = _Search(simpler.system, run.oracle(query_seconds=PLAN.evaluation_question), self._options.depth)
        most = FIRST_GOALS
        while most <= MOST_GOALS and not run.clock.expired():
            for query in simpler.system.queries:
                found = search.violation(query, most)
                if found is not None:
                    return Unsafe(simpler.derivation(derivation_of(found)), by=EVALUATION)
            if not search.was_cut:
                return Unknown(Reason(Cause.INCOMPLETE, "no violation at the values that were chosen"))
            run.progress({"goals": most})
            most *= 4
        return Unknown(Reason(Cause.TIME, "no violation at chosen values, as far as calls were evaluated"))


def _has_arrays(system: HornSystem) -> bool:
    return any(terms.is_array(formal) for predicate in system.predicates for formal in predicate.formals)


@dataclass(frozen=True, slots=True, eq=False)
class _Goal:
    """A predicate with the arguments that are known; None for the others."""

    predicate: str
    known: tuple[Term | None, ...]

    @property
    def key(self) -> tuple[str, ...]:
        return (self.predicate, *("" if value is None else value.sexpr() for value in self.known))


_Work = Generator[_Goal, None, None]


@dataclass(slots=True)
class _Search:
    """`tables` has the answers of goals that were evaluated to their end; `returned`: do all calls of the query?

    `answered`: did they at any values?
    """

    system: HornSystem
    oracle: Oracle
    depth: int
    was_cut: bool = False
    returned: bool = False
    answered: bool = False
    tables: dict[tuple[str, ...], list[Execution]] = field(default_factory=dict)
    sessions: dict[str, Session] = field(default_factory=dict)

    def violation(self, query: Clause, most: int) -> Execution | None:
        """A run of the query at one of the chosen values, each of which may take so many goals."""
        self.was_cut = False
        failures: Counter[tuple[int, ...]] = Counter()
        for chosen in self._choices(query):
            arguments = tuple(terms.identity(argument) for argument, _ in chosen)
            if failures[arguments] >= MOST_FAILURES:
                continue
            found: list[Execution] = []
            self.returned = False
            ended = self._evaluate(self._through(query, [terms.equal(*pair) for pair in chosen], found), most)
            if found:
                return found[0]
            self.was_cut = self.was_cut or not ended
            self.answered = self.answered or self.returned
            failures[arguments] = 0 if ended and self.returned else failures[arguments] + 1
            if self.oracle.clock.expired():
                break
        return None

    # Values to begin with

    def _choices(self, query: Clause) -> Iterator[list[tuple[Term, Term]]]:
        """Nothing, one argument of a call with a value, two of them if calls have returned at all."""
        yield []
        arguments = self._open(query)[:MOST_CHOSEN]
        numbers = list(dict.fromkeys((*SMALL, *self._constants())))
        for number, argument in product(numbers, arguments):
            yield [(argument, _value(argument, number))]
        if not self.answered:
            return
        for one, other in product(numbers[:PAIRED], numbers[:PAIRED]):
            for left, right in combinations(arguments, 2):
                yield [(left, _value(left, one)), (right, _value(right, other))]

    def _open(self, query: Clause) -> list[Term]:
        """Arguments of calls that the query does not fix, nor by those before."""
        found = [a for atom in query.body for a in self._unforced(query, [], atom)]
        for position, argument in enumerate(found):
            fixed = [terms.equal(argument, _value(argument, ANY))]
            later = [a for atom in query.body for a in self._unforced(query, fixed, atom)]
            left = {terms.identity(a) for a in later}
            if later:
                found[position + 1 :] = [a for a in found[position + 1 :] if terms.identity(a) in left]
        return found

    def _unforced(self, clause: Clause, parts: Sequence[Term], atom: Atom) -> list[Term]:
        model = self._model(clause, parts)
        if model is None:
            return []
        known = self._forced(clause, parts, atom, model).known
        return [a for a, value in zip(atom.arguments, known, strict=True) if value is None and _is_number(a)]

    def _constants(self) -> list[int]:
        numbers = [n for c in self.system.clauses for n in walk.numerals(c.constraint)]
        near = sorted({n + step for n in numbers for step in (-1, 0, 1)}, key=abs)
        return near[:MOST_CONSTANTS]

    # Goals

    def _evaluate(self, root: _Work, most: int) -> bool:
        """Goals from the first on, those that another one waits for before it; False if there were too many.

        A goal that waits for itself goes on with the answers that it has.
        """
        stack: list[tuple[tuple[str, ...], _Work]] = [((), root)]
        waiting: set[tuple[str, ...]] = set()
        goals = 0
        while stack:
            key, work = stack[-1]
            wanted = next(work, None)
            if wanted is None:
                stack.pop()
                waiting.discard(key)
                self.tables.setdefault(key, [])
                continue
            if wanted.key in self.tables or wanted.key in waiting:
                continue
            goals += 1
            if goals > most or len(stack) > self.depth or self.oracle.clock.expired():
                for unfinished in waiting:
                    self.tables.pop(unfinished, None)
                return False
            waiting.add(wanted.key)
            stack.append((wanted.key, self._answered(wanted)))
        return True

    def _answered(self, goal: _Goal) -> _Work:
        answers = self.tables.setdefault(goal.key, [])
        for clause in self.system.defining[goal.predicate]:
            arguments = clause.head.arguments if clause.head else ()
            given = [terms.equal(a, v) for a, v in zip(arguments, goal.known, strict=True) if v is not None]
            yield from self._through(clause, given, answers)

    def _through(self, clause: Clause, given: list[Term], found: list[Execution]) -> _Work:
        """Runs of the clause where this holds too, call by call: what is asked of each is what is forced by then."""
        parts = list(given)
        returned: list[Sequence[Execution]] = []
        for atom in clause.body:
            model = self._model(clause, parts)
            if model is None:
                return
            goal = self._forced(clause, parts, atom, model)
            yield goal
            answers = self.tables.get(goal.key, [])
            parts.append(terms.disjunction(_agrees(atom, answer.arguments) for answer in answers))
            returned.append(list(answers))
        self.returned = self.returned or (clause.head is None and all(returned))
        while len(found) < MOST_ANSWERS:
            model = self._model(clause, parts)
            if model is None:
                return
            callees = _callees(clause, returned, model)
            if callees is None:
                return
            run = Execution(clause, assignment_from(model, clause.variables), callees)
            found.append(run)
            if clause.head is None:
                return
            parts.append(terms.negation(_agrees(clause.head, run.arguments)))

    def _model(self, clause: Clause, parts: Sequence[Term]) -> Model | None:
        answer = self._session(clause).check_with(parts)
        return answer.model if isinstance(answer, Sat) else None

    def _session(self, clause: Clause) -> Session:
        if clause.name not in self.sessions:
            self.sessions[clause.name] = self.oracle.session("evaluation")
            self.sessions[clause.name].add(clause.constraint)
        return self.sessions[clause.name]

    def _forced(self, clause: Clause, parts: Sequence[Term], atom: Atom, model: Model) -> _Goal:
        """The arguments of a call that have the same value in all models."""
        known: list[Term | None] = [value_in(model, argument) for argument in atom.arguments]
        while any(value is not None for value in known):
            pairs = [(a, v) for a, v in zip(atom.arguments, known, strict=True) if v is not None]
            other = terms.disjunction(terms.distinct(argument, value) for argument, value in pairs)
            match self._session(clause).check_with([*parts, other]):
                case Unsat():
                    break
                case Sat(found):
                    values = [value_in(found, argument) for argument in atom.arguments]
                    known = [v if v is not None and v.eq(w) else None for v, w in zip(known, values, strict=True)]
                case _:
                    known = [None] * len(known)
        return _Goal(atom.predicate.name, tuple(known))


def _agrees(atom: Atom, values: Sequence[Term]) -> Term:
    return terms.conjunction(terms.equal(a, v) for a, v in zip(atom.arguments, values, strict=True))


def _callees(clause: Clause, returned: Sequence[Sequence[Execution]], model: Model) -> tuple[Execution, ...] | None:
    """For each call the answer that the model takes; None if a value is written in another way than in any of them."""
    found: list[Execution] = []
    for atom, answers in zip(clause.body, returned, strict=True):
        values = [value_in(model, argument) for argument in atom.arguments]
        fitting = (a for a in answers if all(v.eq(w) for v, w in zip(a.arguments, values, strict=True)))
        taken = next(fitting, None)
        if taken is None:
            return None
        found.append(taken)
    return tuple(found)


def _is_number(term: Term) -> bool:
    return not terms.is_value(term) and (terms.is_integer(term) or terms.is_bitvector(term))


def _value(term: Term, number: int) -> Term:
    return terms.bitvector(number, terms.width(term)) if terms.is_bitvector(term) else terms.integer(number)
