"""VERIFY: Hoare triples about several runs at once, forward from what is required to what is ensured.

Each step moves runs from their rests to the next ones. Loops that runs come to are handled before decisions; a set of
loops goes round together until the first run leaves. Decisions are handled for all runs at once: only combinations
that what is known allows, and of those that differ by a permutation of the group only the least. What was explored is
an alignment, which is checked as a program; see `sorrel.relate.alignment`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import field, replace
from itertools import product

from sorrel.engines.synonym.group import lex_leader
from sorrel.engines.synonym.lockstep import Lockstep
from sorrel.engines.synonym.options import SynonymOptions
from sorrel.engines.synonym.result import Expense, Proved, Result, Undone
from sorrel.engines.synonym.state import Round, Situation, follow, violating
from sorrel.engines.synonym.visits import Visits
from sorrel.horn.flow import Applied, Edge, Question
from sorrel.logic import terms
from sorrel.logic.evaluate import value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.relate.alignment import (
    Alignment,
    Deciding,
    Ending,
    LeftOut,
    Looping,
    Node,
    Permutation,
    Spot,
    Symmetric,
    Vector,
    Way,
    rearranged,
    stabiliser,
)
from sorrel.relate.rests import RETURN, STOP
from sorrel.relate.unrolling import LIMIT
from sorrel.smt.solver import Oracle, Sat, Undecided, Unsat

MOST_RESTARTS = 20


class _Settled(Exception):
    """The exploration is over."""

    def __init__(self, result: Result) -> None:
        super().__init__(result)
        self.result = result


class _Again(Exception):
    """Something that was taken for granted at a set of loops turned out otherwise: start again without it."""


@dataclass(slots=True, eq=False)
class Explorer:
    """`separate`: loops go together only if they end together (CHECKLOCKSTEP), even loops at one place.

    `searching`: runs that go beyond the rounds that are followed are passed over, to find violating ones among others.
    """

    question: Question
    options: SynonymOptions
    oracle: Oracle
    group: frozenset[Permutation]
    separate: bool = False
    searching: bool = False
    effort: Expense = field(default_factory=Expense)
    _narrowed: dict[Spot, frozenset[Permutation]] = field(default_factory=dict)
    _refuted: dict[Spot, set[str]] = field(default_factory=dict)

    def run(self) -> Result:
        for _ in range(MOST_RESTARTS):
            try:
                return _Pass(self).run()
            except _Again:
                self.effort.restarts += 1
            except _Settled as settled:
                return settled.result
        return Undone("the invariants of loops that were guessed are not inductive")

    def narrow(self, spot: Spot, group: frozenset[Permutation]) -> None:
        """A round does not keep all permutations of the spot that it starts from."""
        self._narrowed[spot] = self._narrowed.get(spot, spot.group) & group
        raise _Again

    def narrowed(self, spot: Spot) -> Spot:
        return replace(spot, group=self._narrowed[spot]) if spot in self._narrowed else spot

    def refute(self, spot: Spot, facts: Sequence[str]) -> None:
        self._refuted.setdefault(spot, set()).update(facts)
        raise _Again

    def refuted(self, spot: Spot) -> set[str]:
        return self._refuted.get(spot, set())


class _Pass:
    """One walk over all triples, depth first, with a session that holds what is known at the present one."""

    def __init__(self, explorer: Explorer) -> None:
        self._explorer = explorer
        self._question = explorer.question
        self._flows = explorer.question.flows
        self._effort = explorer.effort
        self._names = Names()
        self._session = explorer.oracle.session("explore")
        self._lockstep = Lockstep(self._question, self._session, self._names)
        self._nodes: dict[Spot, Node] = {}
        self._visits = Visits(self._flows)
        self._together: dict[Spot, tuple[int, ...]] = {}
        self._path: list[tuple[Term, ...]] = []
        self._cut = False
        self._restricted = frozenset(self._runs_with_required_results())

    def run(self) -> Result:
        first = self._first()
        stack: list[Situation | None] = [first]
        while stack:
            situation = stack.pop()
            if situation is None:
                self._session.pop()
                self._path.pop()
                continue
            self._demand_time()
            self._session.push()
            self._path.append(situation.added)
            stack.append(None)
            self._session.add(*situation.added)
            stack.extend(reversed(self._visit(situation)))
        if self._cut:
            return Undone("no violation was found within the rounds of loops that were followed")
        alignment = Alignment(tuple(flow.course for flow in self._flows), first.spot, self._nodes)
        return Proved(alignment, self._visits.known, self._visits.formals)

    def _demand_time(self) -> None:
        if self._explorer.oracle.clock.expired():
            raise _Settled(Undone("time ran out", expired=True))

    def _unsure(self, reason: str) -> _Settled:
        return _Settled(Undone(reason, expired=self._explorer.oracle.clock.expired()))

    # Moving

    def _first(self) -> Situation:
        question = self._question
        places = tuple(flow.course.procedure.entry for flow in self._flows)
        spot = Spot(places, (), self._explorer.group)
        start = Situation(spot, question.start, (), question.known, question.chosen, (), frozenset())
        edges = {run: flow.paths[flow.course.procedure.entry] for run, flow in enumerate(self._flows)}
        moved, way = self._moved(start, edges, self._explorer.group, question.known)
        if isinstance(way, LeftOut):
            raise _Settled(Undone("a run stops before it does anything"))
        return moved

    def _moved(
        self, situation: Situation, edges: dict[int, Edge], group: frozenset[Permutation], known: Sequence[Term]
    ) -> tuple[Situation, Way]:
        """All runs that move, each along its edge; with it where that leads in the alignment."""
        places, values = list(situation.spot.places), list(situation.values)
        chosen, applied, added = list(situation.chosen), situation.applied, list(known)
        for run, edge in edges.items():
            conditions, changed, own, functions = follow(edge, values[run], self._names)
            self._effort.statements += edge.statements
            places[run], values[run] = edge.target, changed
            chosen[run] = (*chosen[run], *own)
            applied = (*applied, *functions)
            added += conditions
        moved = replace(situation, values=tuple(values), added=tuple(added), chosen=tuple(chosen), applied=applied)
        if STOP in places:
            return moved, LeftOut.STOPPED
        if LIMIT in places:
            self._beyond(moved)
            return moved, LeftOut.IMPOSSIBLE
        return self._settled(moved, tuple(places), group)

    def _beyond(self, situation: Situation) -> None:
        """A loop would go on for more rounds than are followed: that must be impossible."""
        self._session.push()
        self._session.add(*situation.added)
        result = self._session.check()
        self._session.pop()
        if not isinstance(result, Unsat):
            if not self._explorer.searching:
                raise self._unsure("a loop has more iterations than were followed")
            self._cut = True

    def _settled(
        self, situation: Situation, places: tuple[str, ...], group: frozenset[Permutation]
    ) -> tuple[Situation, Spot]:
        """Without the rounds that are over; a round that nobody left comes back to the spot where it started."""
        rounds = situation.rounds
        while rounds and not self._inside(rounds[-1], places):
            last, rounds = rounds[-1], rounds[:-1]
            if all(places[run] == header for run, header in zip(last.members, last.headers, strict=True)):
                if not last.spot.group <= group:
                    self._explorer.narrow(last.spot, group)
                return situation, last.spot
        spot = Spot(places, tuple(each.signature for each in rounds), group)
        spot = self._explorer.narrowed(spot)
        return replace(situation, rounds=rounds, spot=spot), spot

    def _inside(self, round_: Round, places: Sequence[str]) -> list[int]:
        """The members that have not finished their round."""
        return [
            run
            for run, header in zip(round_.members, round_.headers, strict=True)
            if self._flows[run].course.is_inside(places[run], header)
        ]

    # One triple

    def _visit(self, situation: Situation) -> list[Situation]:
        situation = self._with_required(situation)
        places = situation.spot.places
        if situation.rounds:
            movers = self._inside(situation.rounds[-1], places)
        else:
            movers = [run for run, place in enumerate(places) if place != RETURN]
        if not movers:
            self._nodes[situation.spot] = Ending()
            self._end(situation)
            return []
        movers = self._first_to_move(situation, movers) if self._explorer.options.synchrony else movers[:1]
        heads = [run for run in movers if places[run] in self._flows[run].course.loops]
        if heads:
            return self._loops(situation, heads)
        return self._decide(situation, movers)

    def _first_to_move(self, situation: Situation, movers: list[int]) -> list[int]:
        """A run whose result the law restricts goes first: what is required of it leaves less for the others.

        Not where runs can be exchanged, nor where loops of several runs belong together.
        """
        restricted = [run for run in movers if run in self._restricted]
        someone_ended = RETURN in situation.spot.places
        exchanged = len(situation.spot.group) > 1
        if not restricted or someone_ended or exchanged or any(self._flows[run].course.loops for run in movers):
            return movers
        return restricted[:1]

    def _runs_with_required_results(self) -> Iterator[int]:
        """Runs of which something is required by itself that is not known from the start."""
        for part in self._question.required:
            runs = {run for run, _ in part.about}
            for run, name in part.about if len(runs) == 1 else ():
                course = self._flows[run].course
                settled = course.settled[course.paths[course.procedure.entry].rest]
                if all(variable.name != name for variable in settled):
                    yield run

    def _with_required(self, situation: Situation) -> Situation:
        """What is required of values that no longer change is known from here on."""
        assumed = set(situation.assumed)
        for index, part in enumerate(self._question.required):
            if index not in assumed and all(self._is_settled(situation, *key) for key in part.about):
                made = self._instance(part.formula, situation)
                self._session.add(made)
                self._path[-1] = (*self._path[-1], made)
                assumed.add(index)
        return replace(situation, assumed=frozenset(assumed))

    def _is_settled(self, situation: Situation, run: int, name: str) -> bool:
        settled = self._flows[run].course.settled[situation.spot.places[run]]
        return any(variable.name == name for variable in settled)

    def _instance(self, formula: Term, situation: Situation) -> Term:
        pairs = [(formal, situation.values[run][name]) for (run, name), formal in self._question.formals.items()]
        return terms.substitute(formula, pairs)

    def _end(self, situation: Situation) -> None:
        """All runs are over: what is ensured must hold."""
        self._effort.decisions += 1
        self._session.push()
        self._session.add(terms.negation(self._instance(self._question.ensured, situation)))
        result = self._session.check()
        self._session.pop()
        if isinstance(result, Sat):
            raise _Settled(violating(situation, result))
        if isinstance(result, Undecided):
            raise self._unsure(f"the solver could not decide what is ensured: {result.reason}")

    # Decisions

    def _decide(self, situation: Situation, runs: Sequence[int]) -> list[Situation]:
        """HANDLEIFS: each combination of decisions that is possible, up to the permutations of the group."""
        spot = situation.spot
        node = self._nodes.setdefault(spot, Deciding(tuple(runs)))
        if not isinstance(node, Deciding):
            raise _Settled(Undone("runs that rest at one spot went different ways"))
        sides = [self._sides(situation, run) for run in runs]
        met = tuple(each for run in runs for each in self._met(situation, run))
        situation = replace(situation, applied=(*situation.applied, *met))
        found = self._possible(situation, runs, [then for then, _ in sides], [other for _, other in sides])
        following = []
        for vector in found:
            self._effort.decisions += 1
            edges: dict[int, Edge] = {}
            known = []
            for run, holds, (then, otherwise) in zip(runs, vector, sides, strict=True):
                decision = self._flows[run].course.decisions[spot.places[run]]
                edges[run] = self._flows[run].paths[decision.then if holds else decision.otherwise]
                known.append(then if holds else otherwise)
            group = stabiliser(spot.group, runs, vector)
            moved, way = self._moved(situation, edges, group, known)
            node.ways[vector] = way
            if isinstance(way, Spot):
                following += self._next(moved, way)
        self._leave_out(node, spot)
        return following

    def _next(self, moved: Situation, way: Spot) -> list[Situation]:
        """What is to be visited: nothing if a round is over and its invariant holds again."""
        if moved.spot is way:
            return [moved]
        self._close(moved, way)
        return []

    def _sides(self, situation: Situation, run: int) -> tuple[Term, Term]:
        then, otherwise = (
            terms.conjunction(follow(edge, situation.values[run], self._names)[0])
            for edge in self._flows[run].sides[situation.spot.places[run]]
        )
        return then, otherwise

    def _met(self, situation: Situation, run: int) -> tuple[Applied, ...]:
        """The applications of functions in the condition that the run decides by."""
        sides = self._flows[run].sides[situation.spot.places[run]]
        edge = next((side for side in sides if side.applied), None)
        return follow(edge, situation.values[run], self._names)[3] if edge else ()

    def _possible(
        self, situation: Situation, runs: Sequence[int], then: Sequence[Term], otherwise: Sequence[Term]
    ) -> list[Vector]:
        """All-SAT over the conditions, with a predicate that breaks symmetries."""
        known = [terms.simplify(condition) for condition in then]
        if all(terms.is_true(condition) or terms.is_false(condition) for condition in known):
            return [tuple(map(terms.is_true, known))]
        found: list[Vector] = []
        self._session.push()
        self._session.add(*(terms.disjunction(pair) for pair in zip(then, otherwise, strict=True)))
        if len(situation.spot.group) > 1:
            self._session.add(lex_leader(then, situation.spot.group, runs))
        while True:
            result = self._session.check()
            if isinstance(result, Undecided):
                raise self._unsure(f"the solver could not decide which ways are possible: {result.reason}")
            if not isinstance(result, Sat):
                break
            vector = tuple(terms.is_true(value_in(result.model, condition)) for condition in then)
            found.append(vector)
            self._session.add(
                terms.disjunction(
                    terms.negation(condition) if holds else condition
                    for condition, holds in zip(then, vector, strict=True)
                )
            )
        self._session.pop()
        # True first: a loop that does not end within the rounds that are followed is noticed early.
        return sorted(found, reverse=True)

    @staticmethod
    def _leave_out(node: Deciding, spot: Spot) -> None:
        """Mark what was not followed: by symmetry if a permutation takes it to something less, else as impossible."""
        for vector in product((True, False), repeat=len(node.runs)):
            if vector not in node.ways:
                images = {rearranged(vector, node.runs, each): each for each in sorted(spot.group)}
                least = min(images)
                smaller = least < vector
                node.ways[vector] = Symmetric(images[least]) if smaller else LeftOut.IMPOSSIBLE

    # Loops

    def _loops(self, situation: Situation, heads: Sequence[int]) -> list[Situation]:
        """HANDLELOOPS: a set of loops goes one round, from any state that the invariant allows."""
        spot = situation.spot
        members = self._together.get(spot) or self._members(situation, heads)
        self._together[spot] = members
        kept = frozenset(each for each in spot.group if {each[run] for run in members} == set(members))
        if kept != spot.group:
            self._explorer.narrow(spot, kept)
        self._effort.loops += 1
        invariant = self._lockstep.invariant(situation, members)
        false = self._explorer.refuted(spot)
        facts = tuple(fact for fact in invariant.facts if str(fact) not in false)
        values = [
            {name: invariant.heads.get((run, name), term) for name, term in own.items()}
            for run, own in enumerate(situation.values)
        ]
        self._visits.add(situation, values, (*facts, *(part for added in self._path for part in added)))
        headers = tuple(spot.places[run] for run in members)
        round_ = Round(members, headers, spot, invariant.heads, facts)
        inside = replace(situation, values=tuple(values), rounds=(*situation.rounds, round_), exact=False)
        edges = {run: self._flows[run].paths[spot.places[run]] for run in members}
        moved, way = self._moved(inside, edges, spot.group, (*invariant.types, *facts))
        node = Looping(members, way)
        if self._nodes.setdefault(spot, node) != node:
            raise _Settled(Undone("runs that rest at one spot went different ways"))
        return self._next(moved, way) if isinstance(way, Spot) else []

    def _members(self, situation: Situation, heads: Sequence[int]) -> tuple[int, ...]:
        """Loops at one place of one function go together until the first run leaves; others if they end together."""
        places = {(id(self._flows[run]), situation.spot.places[run]) for run in heads}
        if len(places) == 1 and not self._explorer.separate:
            return tuple(heads)
        return self._lockstep.maximal(situation, heads)[0]

    def _close(self, situation: Situation, spot: Spot) -> None:
        """The round is over and nobody left: the invariant must hold again."""
        round_ = next(each for each in situation.rounds if each.spot == spot)
        pairs = [(head, situation.values[run][name]) for (run, name), head in round_.heads.items()]
        self._session.push()
        self._session.add(*situation.added)
        for fact in round_.invariant:
            self._session.push()
            self._session.add(terms.negation(terms.substitute(fact, pairs)))
            result = self._session.check()
            self._session.pop()
            if isinstance(result, Sat | Undecided):
                self._explorer.refute(spot, [str(fact)])
        self._session.pop()
