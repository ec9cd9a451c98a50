"""Where an exploration is: the runs' rests and values, what they chose, the rounds they are in."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.engines.synonym.result import Violating
from sorrel.horn.flow import Applied, Edge
from sorrel.logic import terms
from sorrel.logic.evaluate import value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.types import Type
from sorrel.relate.alignment import Spot
from sorrel.smt.solver import Sat

Values = Mapping[str, Term]
Chosen = tuple[tuple[Term, Type], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Round:
    """Members go round their loops together; `invariant` holds at the heads, whose changing variables are `heads`.

    `spot` is where a round starts, and ends if nobody leaves.
    """

    members: tuple[int, ...]
    headers: tuple[str, ...]
    spot: Spot
    heads: Mapping[tuple[int, str], Term]
    invariant: tuple[Term, ...]

    @property
    def signature(self) -> tuple[tuple[int, ...], tuple[str, ...]]:
        return self.members, self.headers


@dataclass(frozen=True, slots=True, eq=False)
class Situation:
    """One Hoare triple: `added` is what holds here beyond what held before. `exact`: no loop was abstracted."""

    spot: Spot
    values: tuple[Values, ...]
    rounds: tuple[Round, ...]
    added: tuple[Term, ...]
    chosen: tuple[Chosen, ...]
    applied: tuple[Applied, ...]
    assumed: frozenset[int]
    exact: bool = True


def follow(edge: Edge, values: Values, names: Names) -> tuple[list[Term], dict[str, Term], Chosen, tuple[Applied, ...]]:
    """What a run does along an edge, from these values: conditions, new values, choices, applications."""
    pairs = [(start, values[name]) for name, start in edge.start.items()]
    pairs += [(each, names.variable(f"{terms.name_of(each)}", each.sort())) for each in edge.open]
    conditions = [c for c in (terms.substitute(c, pairs) for c in edge.conditions) if not terms.is_true(c)]
    changed = {**values, **{name: terms.substitute(value, pairs) for name, value in edge.values.items()}}
    chosen = tuple((terms.substitute(value, pairs), type) for value, type in edge.chosen)
    applied = tuple(
        Applied(
            each.function,
            tuple((terms.substitute(argument, pairs), type) for argument, type in each.arguments),
            terms.substitute(each.result, pairs),
            each.type,
        )
        for each in edge.applied
    )
    return conditions, changed, chosen, applied


def violating(situation: Situation, result: Sat) -> Violating:
    """The runs of a situation in which what is ensured does not hold, with the values that a model gives them."""

    def at(term: Term) -> Term:
        return value_in(result.model, term)

    return Violating(
        tuple(tuple((at(term), type) for term, type in own) for own in situation.chosen),
        tuple(
            (
                each.function,
                tuple((at(argument), type) for argument, type in each.arguments),
                at(each.result),
                each.type,
            )
            for each in situation.applied
        ),
        situation.exact,
    )
