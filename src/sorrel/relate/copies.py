"""Variables of several runs: each run has a copy of every variable, named after the run and the variable."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from string import ascii_lowercase

from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression, Variable
from sorrel.program.traversal import free_variables, substitute

ACTIVE = "is.active"
"""The variable of a product procedure that says whether a run is inside; the dot keeps users from having it."""
MOST_RUNS = len(ascii_lowercase)


@dataclass(frozen=True, slots=True)
class CopyOf:
    """What a variable of a product program is: in which run, counted from 1, and what it is called there."""

    run: int
    base: str
    activation: bool = False


def run_name(run: int) -> str:
    """Runs are called a, b, c, as specifications call them."""
    return ascii_lowercase[run - 1]


class Copies:
    """Makes the copies of variables and remembers what they are copies of."""

    def __init__(self, count: int) -> None:
        if not 1 <= count <= MOST_RUNS:
            raise InternalError(f"there are 1 to {MOST_RUNS} runs side by side, not {count}")
        self.runs = range(1, count + 1)
        self._known: dict[str, CopyOf] = {}

    @property
    def known(self) -> Mapping[str, CopyOf]:
        return dict(self._known)

    def variable(self, original: Variable, run: int, *, activation: bool = False) -> Variable:
        """The variable in the given run."""
        name = f"{run_name(run)}.{original.name}"
        meant = CopyOf(run, original.name, activation)
        if self._known.setdefault(name, meant) != meant:
            raise InternalError(f"two variables of a product program would be called {name}")
        return replace(original, name=name)

    def variables(self, original: Variable) -> tuple[Variable, ...]:
        return tuple(self.variable(original, run) for run in self.runs)

    def expression(self, original: Expression, run: int) -> Expression:
        names: dict[Variable, Expression] = {v: self.variable(v, run) for v in free_variables(original)}
        return substitute(original, names)
