"""Workers elsewhere, and those here who take over what was asked of them once they cannot be reached any more.

Verdicts do not depend on who searches, nor on what becomes of them: a cluster that is lost costs time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import field

from sorrel.model.values import dataclass
from sorrel.modular.pool import Answer, Lost, Question, Workers


@dataclass(slots=True, eq=False)
class Standby:
    """`here` makes the workers that take over, `told` is given the reason, once."""

    workers: Workers
    here: Callable[[], Workers]
    told: Callable[[str], None]
    _asked: dict[str, Question] = field(default_factory=dict)
    """What was not answered yet, by who asked."""

    @property
    def running(self) -> tuple[str, ...]:
        return self.workers.running

    def submit(self, name: str, question: Question) -> None:
        self._asked[name] = question
        try:
            self.workers.submit(name, question)
        except Lost as problem:
            self._take_over(problem)

    def answers(self) -> Iterator[tuple[str, Answer]]:
        try:
            for name, answer in self.workers.answers():
                self._asked.pop(name, None)
                yield name, answer
        except Lost as problem:
            self._take_over(problem)

    def _take_over(self, problem: Lost) -> None:
        self.told(f"{problem}; the rest was searched on this machine")
        self.workers.close()
        self.workers = self.here()
        for name, question in self._asked.items():
            self.workers.submit(name, question)

    def close(self) -> None:
        self.workers.close()
