"""Ranks as they are told: over the user's names where the loop stands, read back, and going down in runs."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeAlias

from sorrel.contracts.descending import GOES_DOWN, first_visit, with_rank
from sorrel.contracts.meaning import number
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import Vocabulary, saved, vocabulary
from sorrel.encode.contracts import WITHHELD
from sorrel.encode.descent import Descent, Group
from sorrel.encode.expressions import Evaluation
from sorrel.encode.integers import Integers
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.scope import Scope
from sorrel.explain.plan import PLAN
from sorrel.explain.telling import MOST_RUNS, MOST_STEPS, violates
from sorrel.horn.verdict import Rank, Ranks
from sorrel.logic import operations, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.printing_c import c_syntax
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, Span, complain
from sorrel.model.outcome import Ranking
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.program.effects import effects
from sorrel.program.expression import Expression, Variable
from sorrel.program.interpreter import run
from sorrel.program.program import CONTRACT, Program
from sorrel.program.types import BOOLEAN
from sorrel.smt.solver import Oracle
from sorrel.testing.probe import choosers, constants_of

ENOUGH_ROUNDS, MOST_ROUNDS = 8, 60
"""How many values of ranks in a run make a picture."""
LARGEST_DRAWN = 1000
"""Where larger values are drawn, small steps cannot be seen."""


def told(
    program: Program, made: Descent, ranks: Ranks, name: Callable[[str], str], oracle: Oracle
) -> tuple[Ranking, ...]:
    """For each loop and each recursive procedure its rank, where the user can say it; `name` says whose it is."""
    teller = _Teller(program, made, oracle)
    found: list[Ranking] = []
    for group in made.groups:
        own = ranks.get(group.obligation.name, ())
        for procedure in group.procedures:
            said = [teller.said(group, procedure, rank, alone=len(own) == 1) for rank in own]
            whole = [each for each in said if each is not None]
            if len(whole) == len(said):
                found += [Ranking(name(procedure), texts, rounds) for texts, rounds in whole]
            else:
                oracle.statistics.counts[WITHHELD] = oracle.statistics.counts.get(WITHHELD, 0) + 1
    return tuple(found)


@dataclass(frozen=True, slots=True)
class _Place:
    """Where a rank is told: the procedure and block of the user's, and what names mean there."""

    procedure: str
    label: str
    known: Vocabulary
    span: Span

    def text(self, variable: Variable) -> str:
        return self.known.text_before(variable) if self.label == CONTRACT else self.known.text_now(variable)

    def meant(self, variable: Variable) -> Variable:
        """The variable that a text means here."""
        return saved(variable) if self.label == CONTRACT else variable


class _Teller:
    def __init__(self, program: Program, made: Descent, oracle: Oracle) -> None:
        self._program = program
        self._made = made
        self._oracle = oracle
        self._effects = effects(program)

    def said(self, group: Group, procedure: str, rank: Rank, *, alone: bool) -> _Said | None:
        """The components in the user's words, and their values along a run where one was looked at."""
        place = self._place(procedure)
        if place is None:
            return None
        components = [_at_entry(group, procedure, each) for each in rank.components]
        texts: list[str] = []
        meant: list[Expression] = []
        for component, variables in components:
            names = {terms.name_of(term): place.text(variable) for term, variable in variables}
            if not all(names.get(terms.name_of(v)) for v in walk.free_variables(component)):
                return None
            text = c_syntax(component, names)
            try:
                expression = number(text, Dialect.ACSL, place.known, place.span)
            except InputError:
                return None
            if not self._is_read_back(component, variables, expression, place):
                return None
            texts.append(text)
            meant.append(expression)
        # Of several ranks one goes down, and nobody says which.
        if not alone or place.label == CONTRACT or not meant:
            return tuple(texts), ()
        watched = with_rank(self._program, place.procedure, place.label, meant, place.span)
        if not self._goes_down(watched):
            complain(f"{', '.join(texts)} is told to decrease, and does not in a run", place.span)
            return None
        return tuple(texts), self._rounds(watched, len(meant))

    def _place(self, procedure: str) -> _Place | None:
        origin = self._made.loops.get(procedure)
        owner, label = (origin.procedure, origin.header) if origin else (procedure, CONTRACT)
        found = self._program.procedure[owner]
        known = vocabulary(self._program, found, label, self._effects[owner])
        if known is None:
            return None
        return _Place(owner, label, known if origin else known.at_entry, origin.span if origin else found.span)

    def _is_read_back(
        self, component: Term, variables: Sequence[tuple[Term, Variable]], expression: Expression, place: _Place
    ) -> bool:
        environment = {
            place.meant(variable).name: _as_truth(term) if variable.type == BOOLEAN else term
            for term, variable in variables
        }
        scope = Scope(Names(reserved={terms.name_of(term) for term, _ in variables}), Knowledge())
        try:
            formula = Evaluation(Integers(ranged=False), environment, scope).run(expression)
        except KeyError:
            return False
        bits = [
            operations.equal(term, operations.ite(_as_truth(term), terms.integer(1), terms.integer(0)))
            for term, variable in variables
            if variable.type == BOOLEAN
        ]
        premise = terms.conjunction([*scope.assumptions, *bits])
        answer = self._oracle.entails(premise, operations.equal(component, formula), "read back")
        if answer is False:
            complain("a rank is told, which is not what was proved", place.span)
        return answer is True

    def _goes_down(self, watched: Program) -> bool:
        seconds = self._oracle.clock.remaining(PLAN.ranks_running)
        return not violates(watched, lambda assertion: assertion.message == GOES_DOWN, seconds)

    def _rounds(self, watched: Program, size: int) -> tuple[tuple[int, ...], ...]:
        """The values along a run that takes the loop some times; the first of them if there are too many to draw."""
        deadline = METER.now() + self._oracle.clock.remaining(PLAN.drawing)
        best: tuple[tuple[int, ...], ...] = ()
        for choose in choosers(constants_of(watched), MOST_RUNS):
            if METER.now() > deadline or _legibility(best) == (ENOUGH_ROUNDS, True):
                break
            done = run(watched, choose, steps=MOST_STEPS, record=True)
            found = first_visit(done.events, size)
            if _legibility(best) < _legibility(found):
                best = found
        return best[:MOST_ROUNDS]


def _legibility(rounds: tuple[tuple[int, ...], ...]) -> tuple[int, bool]:
    """First that there are enough to make a picture, then that their values are not far from each other."""
    return min(len(rounds), ENOUGH_ROUNDS), all(abs(value) <= LARGEST_DRAWN for row in rounds for value in row)


_Said: TypeAlias = tuple[tuple[str, ...], tuple[tuple[int, ...], ...]]


def _as_truth(term: Term) -> Term:
    return operations.unequal(term, terms.integer(0))


def _at_entry(group: Group, procedure: str, component: Term) -> tuple[Term, list[tuple[Term, Variable]]]:
    """A component at an entry of the procedure, where the places of the others are 0, and its variables."""
    pairs: list[tuple[Term, Term]] = []
    found: list[tuple[Term, Variable]] = []
    for (owner, _), variable, formal in zip(group.inputs, group.variables, group.obligation.before, strict=True):
        if variable is None:
            pairs.append((formal, terms.integer(1 if owner == procedure else 0)))
        elif owner != procedure:
            pairs.append((formal, terms.default_value(formal.sort())))
        else:
            named = terms.variable(variable.name, formal.sort())
            pairs.append((formal, named))
            found.append((named, variable))
    return terms.simplify(terms.substitute(component, pairs)), found
