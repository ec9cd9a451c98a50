"""Breadth-first forward derivation of facts.

A fact is a cube over the formals of a predicate, all of whose points are derivable. Level n + 1 holds what one
clause derives from facts of which at least one has level n (semi-naive). When a level adds nothing, the facts
are all there are: their disjunctions are summaries.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import UnwindOptions
from sorrel.engines.plan import PLAN
from sorrel.guess.points import Point, sample
from sorrel.horn.clause import Atom, Clause, Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, assignment_from, evaluate
from sorrel.logic.printing_smtlib import smtlib
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.outcome import Cause, Reason
from sorrel.model.values import dataclass
from sorrel.smt.projection import project_cube
from sorrel.smt.solver import Oracle, Sat, Session, Undecided

MOST_CUBES_AT_ONCE = 20
"""A clause with more new facts than this goes on at the next level, so that no level takes all the time."""


@dataclass(frozen=True, slots=True, eq=False)
class Cube:
    """Derivable points of a predicate: `formula` over its formals; from `clause` and facts of smaller timestamps."""

    predicate: Predicate
    formula: Term
    clause: Clause
    premises: tuple[Cube, ...]
    level: int
    timestamp: int


POINTS_PER_PREDICATE = 60


class GaveUp(Exception):
    """The search cannot go on, and why."""

    def __init__(self, reason: Reason) -> None:
        super().__init__(str(reason))
        self.reason = reason


@dataclass
class Facts:
    """All facts so far, by predicate; `newest` are those of the last finished level."""

    all: dict[str, list[Cube]]
    newest: dict[str, list[Cube]] = field(default_factory=dict)
    count: int = 0

    def older(self, name: str) -> list[Cube]:
        newest = len(self.newest.get(name, ()))
        return self.all[name][: len(self.all[name]) - newest]


class Unwind:
    def __init__(self, options: UnwindOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        try:
            return ForwardSearch(system, run, self._options).verdict()
        except GaveUp as stop:
            return Unknown(stop.reason)


class ForwardSearch:
    """One search. `advance` adds a level, so that another engine can take turns with it."""

    def __init__(self, system: HornSystem, run: Circumstances, options: UnwindOptions) -> None:
        self.system = system
        self.level = 0
        self.complete = False
        self._run = run
        self._options = options
        self._oracle = run.oracle()
        self._workbenches: dict[str, _Workbench] = {}
        self._unfinished: set[str] = set()  # clauses that had more to derive at their last turn
        self._pending: dict[str, list[Cube]] = {}  # learned between levels
        self.facts = Facts({p.name: [] for p in system.predicates})

    def verdict(self) -> Verdict:
        while True:
            derivation = self.advance()
            if derivation is not None:
                return Unsafe(derivation)
            if self.complete:
                return Safe(self.summaries())
            self._run.progress({"level": self.level, "facts": self.facts.count})

    def learn_within(self, clause: Clause, environment: Term) -> Cube | None:
        """A new fact by this clause from known facts, inside an environment over the formals, if there is one.

        It takes part in the next level like the facts of the last one.
        """
        choices = [self.known(atom.predicate.name) for atom in clause.body]
        if not all(choices):
            return None
        workbench = self._workbench(clause)
        name = workbench.image.predicate.name
        workbench.session.push()
        workbench.session.add(*self._membership(clause, choices), workbench.image.at_targets(environment))
        blocked = [
            terms.negation(workbench.image.at_targets(c.formula)) for c in self.known(name)[workbench.excluded :]
        ]
        workbench.session.add(*blocked)
        result = workbench.session.check(seconds=PLAN.unwind_question)
        workbench.session.pop()
        if not isinstance(result, Sat):
            return None
        cube = self._generalise(clause, workbench.image, choices, result.model)
        self._pending.setdefault(name, []).append(cube)
        return cube

    def known(self, name: str) -> list[Cube]:
        """All facts about a predicate."""
        return [*self.facts.all[name], *self._pending.get(name, [])]

    def refute_now(self) -> Derivation | None:
        """A derivation of a query from the facts that are known, if there is one."""
        for query in self.system.queries:
            choices = [self.known(atom.predicate.name) for atom in query.body]
            match self._oracle.check(
                query.constraint, *self._membership(query, choices), kind="unwind", seconds=PLAN.unwind_question
            ):
                case Sat(model):
                    return self._ground(query, choices, model)
        return None

    def summaries(self) -> dict[str, Term]:
        """What is derivable as far as the search went; all of it once the search is complete."""
        return {name: terms.disjunction(c.formula for c in cubes) for name, cubes in self.facts.all.items()}

    def advance(self) -> Derivation | None:
        """Derive the facts of the next level, and a query if one can now be derived."""
        if self.level >= self._options.levels:
            raise GaveUp(Reason(Cause.INCOMPLETE, f"no counterexample within {self.level} levels of derivation"))
        for name, cubes in self._pending.items():
            self.facts.all[name].extend(cubes)
            self.facts.newest.setdefault(name, []).extend(cubes)
        self._pending = {}
        found: dict[str, list[Cube]] = {}
        for clause in self.system.clauses:
            if clause.head is not None:
                for cube in self._derive(clause, found):
                    found.setdefault(cube.predicate.name, []).append(cube)
        for name, cubes in found.items():
            self.facts.all[name].extend(cubes)
        self.facts.newest = found
        self.level += 1
        self.complete = not found and not self._unfinished
        for query in self.system.queries:
            derivation = self._refute(query)
            if derivation is not None:
                return derivation
        return None

    # One clause, one level

    def _derive(self, clause: Clause, found: dict[str, list[Cube]]) -> Iterator[Cube]:
        """New facts by this clause: cubes until the clause gives nothing that is not known."""
        workbench = self._workbench(clause)
        choices = list(self._premise_choices(clause))
        self._unfinished.discard(clause.name)
        known = [
            *self.facts.all[workbench.image.predicate.name],
            *found.get(workbench.image.predicate.name, []),
        ]
        for candidates in choices:
            workbench.exclude(known)
            workbench.session.push()
            workbench.session.add(*self._membership(clause, candidates))
            fresh: list[Cube] = []
            while True:
                if len(fresh) >= MOST_CUBES_AT_ONCE:
                    self._unfinished.add(clause.name)
                    break
                match workbench.session.check():
                    case Sat(model):
                        cube = self._generalise(clause, workbench.image, candidates, model)
                    case Undecided(reason):
                        raise self._undecided(reason)
                    case _:
                        break
                fresh.append(cube)
                workbench.session.add(terms.negation(workbench.image.at_targets(cube.formula)))
                yield cube
            workbench.session.pop()
            known += fresh

    def _workbench(self, clause: Clause) -> _Workbench:
        if clause.name not in self._workbenches:
            if clause.head is None:
                raise InternalError("a query derives no fact")
            image = _image(clause.head)
            session = self._oracle.session("unwind")
            session.add(clause.constraint, *image.equations)
            self._workbenches[clause.name] = _Workbench(session, image)
        return self._workbenches[clause.name]

    def _premise_choices(self, clause: Clause) -> Iterator[list[list[Cube]]]:
        """For each body atom the facts it may be, at least one of them of the newest level."""
        if clause.name in self._unfinished:
            yield [self.facts.all[atom.predicate.name] for atom in clause.body]
            return
        if not clause.body:
            if self.level == 0:
                yield []
            return
        for fresh in range(len(clause.body)):
            choice: list[list[Cube]] = []
            for index, atom in enumerate(clause.body):
                name = atom.predicate.name
                if index < fresh:
                    choice.append(self.facts.older(name))
                elif index == fresh:
                    choice.append(self.facts.newest.get(name, []))
                else:
                    choice.append(self.facts.all[name])
            if all(choice):
                yield choice

    def _membership(self, clause: Clause, candidates: Sequence[Sequence[Cube]]) -> Iterator[Term]:
        for atom, cubes in zip(clause.body, candidates, strict=True):
            yield terms.disjunction(terms.substitute(c.formula, atom.bind()) for c in cubes)

    def _chosen(self, clause: Clause, candidates: Sequence[Sequence[Cube]], model: Model) -> tuple[Cube, ...]:
        """For each body atom a fact that holds in the model."""
        values = assignment_from(model, clause.variables)
        chosen = []
        for atom, cubes in zip(clause.body, candidates, strict=True):
            points = [(formal, evaluate(argument, values)) for formal, argument in atom.bind()]
            chosen.append(next((c for c in cubes if terms.is_true(evaluate(c.formula, points))), None))
        if any(c is None for c in chosen):
            raise GaveUp(Reason(Cause.INCOMPLETE, "a model of the solver could not be evaluated"))
        return tuple(c for c in chosen if c is not None)

    def _generalise(self, clause: Clause, image: _Image, candidates: Sequence[Sequence[Cube]], model: Model) -> Cube:
        """A cube of derivable points around the head's value in the model."""
        premises = self._chosen(clause, candidates, model)
        calls = [terms.substitute(c.formula, a.bind()) for a, c in zip(clause.body, premises, strict=True)]
        formula = terms.conjunction([clause.constraint, *calls, *image.equations])
        literals = project_cube(self._oracle, formula, model, list(clause.variables))
        cube = terms.simplify(image.at_formals(terms.conjunction(literals)))
        self.facts.count += 1
        if self.facts.count > self._options.facts:
            raise GaveUp(Reason(Cause.INCOMPLETE, f"no counterexample among {self._options.facts} facts"))
        return Cube(image.predicate, cube, clause, premises, self.level + 1, self.facts.count)

    def _undecided(self, reason: str) -> GaveUp:
        if self._run.clock.expired():
            return GaveUp(Reason(Cause.TIME, f"time ran out after {self.level} levels and {self.facts.count} facts"))
        return GaveUp(Reason(Cause.INCOMPLETE, f"the solver could not decide a derivation step: {reason}"))

    # Counterexamples

    def _refute(self, query: Clause) -> Derivation | None:
        choices = [[]] if not query.body and self.level == 1 else self._premise_choices(query)
        for candidates in choices:
            match self._oracle.check(query.constraint, *self._membership(query, candidates), kind="unwind"):
                case Sat(model):
                    return self._ground(query, candidates, model)
                case Undecided(reason):
                    raise self._undecided(reason)
        return None

    def _ground(self, query: Clause, candidates: Sequence[Sequence[Cube]], model: Model) -> Derivation:
        """Values for every step, from the query down: each fact only rests on facts with smaller timestamps."""
        steps: list[Step] = []
        index_of: dict[str, int] = {}
        values = assignment_from(model, query.variables)
        stack = [(query, values, self._chosen(query, candidates, model), False)]
        while stack:
            clause, values, premises, ready = stack.pop()
            points = [_point(atom.arguments, values) for atom in clause.body]
            needs = [_fact(atom.predicate, point) for atom, point in zip(clause.body, points, strict=True)]
            conclusion = _fact(clause.head.predicate, _point(clause.head.arguments, values)) if clause.head else ""
            if conclusion in index_of:
                continue
            if ready:
                index_of[conclusion] = len(steps)
                steps.append(Step(clause.name, values, tuple(index_of[fact] for fact in needs)))
                continue
            stack.append((clause, values, premises, True))
            for cube, point, fact in zip(premises, points, needs, strict=True):
                if fact not in index_of:
                    stack.append((cube.clause, self._values(cube, point), cube.premises, False))
        return Derivation(tuple(steps))

    def _values(self, cube: Cube, point: tuple[Term, ...]) -> dict[Term, Term]:
        """Values for the clause that derived the cube, such that it derives this point of it."""
        clause = cube.clause
        if clause.head is None:
            raise InternalError("a query derives no fact")
        parts = [terms.equal(a, v) for a, v in zip(clause.head.arguments, point, strict=True)]
        parts += [terms.substitute(c.formula, a.bind()) for a, c in zip(clause.body, cube.premises, strict=True)]
        match self._oracle.check(clause.constraint, *parts, kind="rebuild"):
            case Sat(model):
                return assignment_from(model, clause.variables)
            case Undecided(reason):
                raise self._undecided(reason)
        raise InternalError(f"a fact about {cube.predicate.name} has a point that its clause does not derive")


@dataclass
class _Workbench:
    """A clause in a solver that is kept from level to level, with the facts about its head that are known already."""

    session: Session
    image: _Image
    excluded: int = 0

    def exclude(self, known: Sequence[Cube]) -> None:
        """No point of these facts is new; the list only ever grows at its end."""
        for cube in known[self.excluded :]:
            self.session.add(terms.negation(self.image.at_targets(cube.formula)))
        self.excluded = len(known)


@dataclass(frozen=True, slots=True, eq=False)
class _Image:
    """The head of a clause at variables of its own: a clause's variables may be named like formals."""

    predicate: Predicate
    targets: tuple[Term, ...]
    equations: tuple[Term, ...]

    def at_targets(self, formula: Term) -> Term:
        return terms.substitute(formula, zip(self.predicate.formals, self.targets, strict=True))

    def at_formals(self, formula: Term) -> Term:
        return terms.substitute(formula, zip(self.targets, self.predicate.formals, strict=True))


def _image(head: Atom) -> _Image:
    targets = tuple(terms.variable(f"head!{a.name}", a.sort) for a in head.predicate.arguments)
    equations = tuple(terms.equal(t, a) for t, a in zip(targets, head.arguments, strict=True))
    return _Image(head.predicate, targets, equations)


def _point(arguments: Sequence[Term], values: dict[Term, Term]) -> tuple[Term, ...]:
    return tuple(evaluate(argument, values) for argument in arguments)


def _fact(predicate: Predicate, point: Sequence[Term]) -> str:
    return f"{predicate.name}({', '.join(map(smtlib, point))})"


def sampled_points(search: ForwardSearch, oracle: Oracle) -> dict[str, list[Point]]:
    """Derivable points of each predicate, from what the search has found so far."""
    found: dict[str, list[Point]] = {}
    for predicate in search.system.predicates:
        points: dict[Point, None] = {}
        for cube in search.known(predicate.name):
            for values in sample(cube.formula, predicate.formals, oracle):
                points[tuple(terms.as_number(values[formal]) for formal in predicate.formals)] = None
            if len(points) >= POINTS_PER_PREDICATE:
                break
        found[predicate.name] = list(points)
    return found
