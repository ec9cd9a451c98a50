"""Ranks along a run, as lines that go down: one for each component, over the rounds of a loop."""

from __future__ import annotations

from sorrel.model.outcome import Ranking
from sorrel.model.values import dataclass

WIDTH, HEIGHT, EDGE = 360, 110, 8
CHARACTER = 6.5
"""How wide one is in the numbers at the left."""


@dataclass(frozen=True, slots=True)
class Line:
    points: str
    dots: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class Plot:
    """`told` says in words what the picture shows; without a run of two rounds there are no lines."""

    place: str
    components: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...]
    lines: tuple[Line, ...]
    told: str
    lowest: int = 0
    highest: int = 0
    width: int = WIDTH
    height: int = HEIGHT

    @property
    def shown(self) -> str:
        """Several components decrease together, the first ones first."""
        together = ", ".join(self.components)
        return f"({together})" if len(self.components) > 1 else together

    @staticmethod
    def of(ranking: Ranking) -> Plot:
        rounds = ranking.rounds
        if len(rounds) < 2:
            return Plot(ranking.obligation, ranking.components, (), (), "")
        values = [value for row in rounds for value in row]
        low, high = min(values), max(values)
        left = EDGE + CHARACTER * max(len(str(low)), len(str(high)))
        lines = tuple(_line([row[at] for row in rounds], low, high, left) for at in range(len(ranking.components)))
        first, last = (", ".join(map(str, row)) for row in (rounds[0], rounds[-1]))
        told = (
            f"In the first {len(rounds)} rounds of a run {', '.join(ranking.components)} goes from {first} to {last}."
        )
        return Plot(ranking.obligation, ranking.components, rounds, lines, told, low, high)


def _line(values: list[int], low: int, high: int, left: float) -> Line:
    across = (WIDTH - left - EDGE) / (len(values) - 1)
    down = (HEIGHT - 2 * EDGE) / max(1, high - low)
    dots = tuple((round(left + at * across, 1), round(EDGE + (high - v) * down, 1)) for at, v in enumerate(values))
    return Line(" ".join(f"{x},{y}" for x, y in dots), dots)
