"""What is known each time that runs come to a set of loops, over variables that stand for those of the runs."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import field

from sorrel.engines.synonym.state import Situation
from sorrel.horn.flow import Flow
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.relate.alignment import Spot
from sorrel.relate.rests import RETURN


@dataclass(slots=True, eq=False)
class Visits:
    """`known` are those of each spot; `formals` stand for the variables of the runs."""

    flows: Sequence[Flow]
    known: dict[Spot, list[tuple[Term, ...]]] = field(default_factory=dict)
    formals: dict[tuple[int, str], Term] = field(default_factory=dict)

    def add(self, situation: Situation, values: Sequence[Mapping[str, Term]], facts: Iterable[Term]) -> None:
        """Runs came to the situation's spot with these values; what the formals cannot say of them is left out."""
        shown: dict[int, tuple[Term, Term]] = {}
        equations: list[tuple[Term, Term]] = []
        for run, own in enumerate(values):
            for name in self._worth_telling(run, situation.spot.places[run]):
                formal, term = self._formal(run, name), own[name]
                if terms.is_variable(term) and terms.identity(term) not in shown:
                    shown[terms.identity(term)] = (term, formal)
                else:
                    equations.append((formal, term))
        parts = [*(terms.equal(*pair) for pair in equations), *facts]
        told = {terms.identity(v) for v in self.formals.values()}
        self.known.setdefault(situation.spot, []).append(
            tuple(
                part
                for part in terms.substitute_all(parts, list(shown.values()))
                if all(terms.identity(v) in told for v in walk.free_variables(part))
                and not walk.uninterpreted_applications(part)
            )
        )

    def _formal(self, run: int, name: str) -> Term:
        made = terms.variable(f"at!{run}.{name}", self.flows[run].sorts[name])
        return self.formals.setdefault((run, name), made)

    def _worth_telling(self, run: int, place: str) -> list[str]:
        course = self.flows[run].course
        live = course.live[place] if place != RETURN else frozenset(course.procedure.outputs)
        return [v.name for v in course.procedure.variables if v in live or v in course.procedure.outputs]
