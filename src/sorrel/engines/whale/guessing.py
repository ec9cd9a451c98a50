"""Contracts by guess and check, where interpolants follow single values: what executions suggest and induction keeps.

Functions without recursion are looked through, so that guesses are about the others alone. What is inductive together
is true of every execution; the search takes from it what it needs, like any contract that there is.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from sorrel.engines.whale.candidates import Candidates
from sorrel.engines.whale.conditions import looked_through
from sorrel.engines.whale.executions import Executions
from sorrel.engines.whale.exploration import Exploration
from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.plan import PLAN
from sorrel.guess.houdini import Houdini
from sorrel.guess.points import Point
from sorrel.guess.templates import doubly_guarded, guesses, sharply_guarded
from sorrel.guess.views import Frame, frame
from sorrel.guess.vocabulary import Vocabulary, vocabulary
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.smt.solver import Oracle

MOST_ARGUMENTS = 10
"""Templates for numbers of any size relate all arguments: for so many at most."""
FEW, MOST_RELEVANT = 7, 10
"""Of so many arguments three values may exclude each other; of more only two."""
MOST_AT_ONCE = 2500
MOST_CONSTANTS = 60
MOST_RARE = 4
"""Of so many arguments of a function the values that were hardly met are looked at."""


class Guessing:
    """`facts` are inductive together, for each function by name."""

    def __init__(
        self,
        graph: InterproceduralGraph,
        procedures: Procedures,
        executions: Executions,
        exploration: Exploration,
        oracle: Oracle,
    ) -> None:
        self._executions = executions
        self._exploration = exploration
        self._functions = {f.name: f for f in procedures.functions.values() if not f.is_transparent}
        self._oracle = oracle
        self._system = _system(_opaque(graph, path) for f in self._functions.values() for path in f.paths)
        self._predicates = self._system.predicate
        self._words = vocabulary(_system(_clauses(procedures)))
        numbers = Counter(n for clause in _clauses(procedures) for n in walk.numerals(clause.constraint))
        self._constants = [n for n, _ in numbers.most_common(MOST_CONSTANTS)]
        self._clusters = {name: _clusters(f, procedures) for name, f in self._functions.items()}
        self._relevant: dict[str, tuple[int, ...]] = dict.fromkeys(self._functions, ())
        self._tried: dict[str, dict[int, Term]] = {name: {} for name in self._functions}
        self.facts: dict[str, list[Term]] = {name: [] for name in self._functions}

    def look_at(self, name: str, places: Sequence[int]) -> None:
        """The arguments of a function that matter to the question at hand; with them those of the last questions."""
        before = [place for place in self._relevant[name] if place not in places]
        room = max(0, FEW - len(places))
        self._relevant[name] = (*places, *before[:room])

    def more(self, clock: Clock) -> Iterator[None]:
        """Each time it is asked for, another round; it ends when there is nothing more to guess."""
        if not any(self._tried.values()):
            self._exploration.compose(PLAN.explore.of(clock))
        for candidates in self._rounds():
            if clock.expired():
                return
            fresh = [self._fresh(name, found) for name, found in candidates.items()]
            if any(fresh) and self._kept(candidates, clock):
                yield

    def _rounds(self) -> Iterator[dict[str, list[Term]]]:
        """The cheapest first."""
        for shape in (
            self._plain,
            self._unconditional,
            self._equations,
            self._clustered,
            self._exclusive,
            self._threefold,
            self._conditional,
        ):
            yield {name: shape(function) for name, function in self._functions.items()}
        yield from self._rare()
        yield {name: self._double(function) for name, function in self._functions.items()}

    def _fresh(self, name: str, found: Sequence[Term]) -> bool:
        """Is there something among it that was not asked about yet?"""
        tried = self._tried[name]
        new = [term for term in found if terms.identity(term) not in tried]
        tried.update((terms.identity(term), term) for term in new)
        return bool(new)

    def _kept(self, candidates: dict[str, list[Term]], clock: Clock) -> bool:
        """Add what is inductive; is it more than before?"""
        oracle = Oracle(
            PLAN.round.of(clock),
            self._oracle.statistics,
            query_seconds=PLAN.round_question,
            seed=self._oracle.seed,
            measure_sizes=False,
        )
        known = {name: terms.conjunction(found) for name, found in self.facts.items()}
        found = Houdini(self._system, candidates, oracle, known).run()
        grown = False
        for name, kept in found.items():
            have = {terms.identity(fact) for fact in self.facts[name]}
            new = [fact for fact in kept if terms.identity(fact) not in have]
            self.facts[name] += new
            grown = grown or bool(new)
        return grown

    # Shapes

    def _plain(self, function: Function) -> list[Term]:
        """Bounds, equations and congruences, and under simple conditions."""
        shown, points, words = self._viewed(function)
        if shown is None:
            return []
        plain = guesses(shown, points, words)
        weak = [guess.text for guess in plain]
        found = [*plain, *sharply_guarded(shown, points, words, weak)]
        return [guess.build(shown.terms) for guess in found]

    def _double(self, function: Function) -> list[Term]:
        shown, points, words = self._viewed(function)
        if shown is None:
            return []
        plain = guesses(shown, points, words)
        found = [*plain, *doubly_guarded(shown, points, words, [guess.text for guess in plain])]
        return [guess.build(shown.terms) for guess in found]

    def _viewed(self, function: Function) -> tuple[Frame | None, list[Point], Vocabulary]:
        executions = self._executions.of(function.name)
        if len(function.arguments) > MOST_ARGUMENTS or not executions:
            return None, [], self._words
        predicate = self._predicates[function.name]
        shown = frame(predicate)
        values = [dict(zip(predicate.formals, each.arguments, strict=True)) for each in executions]
        return shown, shown.points(values), self._words

    def _clustered(self, function: Function) -> list[Term]:
        """About the arguments that one of the small functions works on."""
        clusters = self._clusters[function.name]
        found = [self._excluding(self._candidates(function, places)) for places in clusters]
        return list({terms.identity(term): term for each in found for term in each}.values())[:MOST_AT_ONCE]

    def _unconditional(self, function: Function) -> list[Term]:
        return self._candidates(function, range(len(function.arguments))).unconditional()

    def _equations(self, function: Function) -> list[Term]:
        return self._candidates(function, range(len(function.arguments))).equations()

    def _threefold(self, function: Function) -> list[Term]:
        return self._candidates(function, range(len(function.arguments))).threefold()

    def _conditional(self, function: Function) -> list[Term]:
        return self._candidates(function, range(len(function.arguments))).conditional()

    def _rare(self) -> Iterator[dict[str, list[Term]]]:
        """Where executions are too few to show bounds, in small rounds: most of these candidates are wrong."""
        found: dict[str, list[list[Term]]] = {}
        for name, function in self._functions.items():
            found[name] = self._candidates(function, range(len(function.arguments))).under_rare_values()
        for k in range(min(MOST_RARE, max(map(len, found.values()), default=0))):
            yield {name: each[k] if k < len(each) else [] for name, each in found.items()}

    def _exclusive(self, function: Function) -> list[Term]:
        """About the arguments that matter to the question, if they are few."""
        places = self._relevant[function.name]
        if not 1 < len(places) <= MOST_RELEVANT:
            return []
        return self._excluding(self._candidates(function, places))

    @staticmethod
    def _excluding(candidates: Candidates) -> list[Term]:
        return candidates.exclusive(3 if len(candidates.places) <= FEW else 2)

    def _candidates(self, function: Function, places: Sequence[int]) -> Candidates:
        formals = self._predicates[function.name].formals
        return Candidates(formals, sorted(places), self._executions.points(function.name), self._constants)


def _clusters(function: Function, procedures: Procedures) -> list[tuple[int, ...]]:
    """Places of arguments that a transparent function has as well, by their names: what works on few of them together.

    Names are those of the program's variables where there are any; without them there are no clusters.
    """
    place = {argument.name: position for position, argument in enumerate(function.arguments)}
    found: dict[tuple[int, ...], None] = {}
    for other in procedures.functions.values():
        names = {argument.name.removesuffix(".new") for argument in other.arguments}
        places = tuple(sorted(place[name] for name in names if name in place))
        if other.is_transparent and 1 < len(places) <= MOST_RELEVANT:
            found[places] = None
    few = [places for places in found if len(places) <= FEW]
    kept = [places for places in found if not any(set(places) < set(larger) for larger in few)]
    return sorted(kept, key=len)


def _clauses(procedures: Procedures) -> Iterator[Clause]:
    for function in (*procedures.functions.values(), procedures.main):
        yield from (path.clause for path in function.paths)


def _system(clauses: Iterable[Clause]) -> HornSystem:
    found = tuple(clauses)
    atoms = (atom for clause in found for atom in (*clause.body, *([clause.head] if clause.head else [])))
    return HornSystem(tuple({atom.predicate.name: atom.predicate for atom in atoms}.values()), found)


def _opaque(graph: InterproceduralGraph, path: Path) -> Clause:
    seen = graph.transparent_args(path)
    body = tuple(call for k, call in enumerate(path.calls) if k not in seen)
    constraint = terms.conjunction([path.constraint, *looked_through(path, seen)])
    return Clause(path.name, path.clause.head, body, constraint, path.clause.origin)
