"""Loops side by side: relational invariants by guess-and-check, and which loops stay together to their end."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.synonym.candidates import MOST_VARIABLES, Candidate, Environment, Key, Vocabulary, candidates
from sorrel.engines.synonym.state import Situation, follow
from sorrel.horn.flow import Flow, Question
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Sat, Session, Unsat

MOST_CONSTANTS = 6


@dataclass(frozen=True, slots=True, eq=False)
class Invariant:
    """`heads` are variables for what changes in the loops; `facts` are about them, `types` what their types say."""

    heads: Environment
    facts: tuple[Term, ...]
    types: tuple[Term, ...]


class Lockstep:
    """Questions about loops in a session that holds everything known where the runs come to their loops."""

    def __init__(self, question: Question, session: Session, names: Names) -> None:
        self._question = question
        self._session = session
        self._names = names

    def _flow(self, run: int) -> Flow:
        return self._question.flows[run]

    def maximal(self, situation: Situation, runs: Sequence[int]) -> list[tuple[int, ...]]:
        """CHECKLOCKSTEP: the largest sets of loops of which none ends before the others."""
        if len(runs) == 1:
            return [tuple(runs)]
        invariant = self.invariant(situation, runs)
        stay = {run: self._stays(situation, run, invariant) for run in runs}
        self._session.push()
        self._session.add(*invariant.types, *invariant.facts)
        self._session.add(terms.disjunction(stay.values()), terms.negation(terms.conjunction(stay.values())))
        result = self._session.check()
        self._session.pop()
        match result:
            case Unsat():
                return [tuple(runs)]
            case Sat(model):
                unfinished = [run for run in runs if terms.is_true(value_in(model, stay[run]))]
                terminated = [run for run in runs if run not in unfinished]
                if unfinished and terminated:
                    return [*self.maximal(situation, terminated), *self.maximal(situation, unfinished)]
        return [(run,) for run in runs]

    def _stays(self, situation: Situation, run: int, invariant: Invariant) -> Term:
        """Whether the run goes round its loop once more; one with a loop inside may always."""
        edges = self._flow(run).rounds[situation.spot.places[run]]
        if edges is None:
            return terms.TRUE
        values = self._at_heads(situation, run, invariant.heads)
        return terms.disjunction(terms.conjunction(follow(edge, values, self._names)[0]) for edge in edges)

    @staticmethod
    def _at_heads(situation: Situation, run: int, heads: Environment) -> dict[str, Term]:
        return {name: heads.get((run, name), value) for name, value in situation.values[run].items()}

    def invariant(self, situation: Situation, runs: Sequence[int]) -> Invariant:
        """INFERINVARIANT: the largest inductive set of guesses, for rounds that all runs make together."""
        heads: dict[Key, Term] = {}
        types: list[Term] = []
        for run in runs:
            flow = self._flow(run)
            for variable in flow.course.modified(situation.spot.places[run]):
                made = self._names.variable(f"{variable.name}!", flow.sorts[variable.name])
                heads[run, variable.name] = made
                types += flow.facts(variable.name, made)
        words = self._vocabulary(situation, runs, heads)
        guessed = self._true_before(candidates(words), words.initial)
        kept = self._kept(situation, runs, heads, types, words, guessed)
        current = {**words.initial, **heads}
        facts = {terms.identity(fact): fact for fact in (guess(current) for guess in kept)}
        return Invariant(heads, tuple(facts.values()), tuple(types))

    def _vocabulary(self, situation: Situation, runs: Sequence[int], heads: Environment) -> Vocabulary:
        changing: list[Key] = []
        fixed: list[Key] = []
        initial: dict[Key, Term] = {}
        constants: dict[int, None] = {0: None, 1: None, -1: None}
        for run in runs:
            flow, place = self._flow(run), situation.spot.places[run]
            live = [v for v in flow.course.procedure.variables if v in flow.course.live[place]]
            values = situation.values[run]
            known = [v.name for v in live if not terms.is_array(values[v.name])]
            mine = [(run, name) for name in known if (run, name) in heads]
            changing += mine[:MOST_VARIABLES]
            fixed += [(run, name) for name in known if (run, name) not in heads][: 2 * MOST_VARIABLES]
            initial.update({(run, name): values[name] for name in known})
            for edge in flow.rounds[place] or ():
                parts = (*edge.conditions, *edge.values.values())
                constants.update((n, None) for part in parts for n in walk.numerals(part))
        near = [n for n in constants if abs(n) < 1 << 16][:MOST_CONSTANTS]
        return Vocabulary(changing, fixed, initial, near)

    def _true_before(self, guessed: list[Candidate], initial: Environment) -> list[Candidate]:
        """Those that hold when the runs come to their loops."""
        formulas = [guess(initial) for guess in guessed]
        active = [index for index, formula in enumerate(formulas) if not terms.is_false(formula)]
        active = self._thinned(active, formulas, ())
        return [guessed[index] for index in active]

    def _kept(
        self,
        situation: Situation,
        runs: Sequence[int],
        heads: Environment,
        types: Sequence[Term],
        words: Vocabulary,
        guessed: list[Candidate],
    ) -> list[Candidate]:
        """Those that a round preserves, all together."""
        now = {**words.initial, **heads}
        switches = [terms.variable(f"on!{index}", terms.BOOL) for index in range(len(guessed))]
        self._session.push()
        self._session.add(*types)
        later = dict(now)
        for run in runs:
            later.update(self._after_round(situation, run, heads))
        self._session.add(*(terms.implication(s, g(now)) for s, g in zip(switches, guessed, strict=True)))
        formulas = [guess(later) for guess in guessed]
        active = self._thinned(list(range(len(guessed))), formulas, switches)
        self._session.pop()
        return [guessed[index] for index in active]

    def _after_round(self, situation: Situation, run: int, heads: Environment) -> dict[Key, Term]:
        """The changing variables after a round; what it takes for granted is added to the session."""
        flow = self._flow(run)
        mine = [name for owner, name in heads if owner == run]
        edges = flow.rounds[situation.spot.places[run]]
        values = self._at_heads(situation, run, heads)
        if edges is not None and len(edges) == 1:
            conditions, changed, _, _ = follow(edges[0], values, self._names)
            self._session.add(*conditions)
            return {(run, name): changed[name] for name in mine}
        later = {name: self._names.variable(f"{name}!next", flow.sorts[name]) for name in mine}
        for name, term in later.items():
            self._session.add(*flow.facts(name, term))
        if edges is not None:
            ways = []
            for edge in edges:
                conditions, changed, _, _ = follow(edge, values, self._names)
                ways.append(terms.conjunction([*conditions, *(terms.equal(later[n], changed[n]) for n in mine)]))
            self._session.add(terms.disjunction(ways))
        return {(run, name): term for name, term in later.items()}

    def _thinned(self, active: list[int], formulas: Sequence[Term], switches: Sequence[Term]) -> list[int]:
        """Without those that can be false while the switches of the others are on; what is not decided is dropped."""
        while active:
            self._session.push()
            self._session.add(terms.disjunction(terms.negation(formulas[index]) for index in active))
            result = self._session.check([switches[index] for index in active] if switches else ())
            self._session.pop()
            match result:
                case Unsat():
                    return active
                case Sat(model):
                    left = [index for index in active if not terms.is_false(value_in(model, formulas[index]))]
                    if len(left) == len(active):
                        return []
                    active = left
                case _:
                    return []
        return active
