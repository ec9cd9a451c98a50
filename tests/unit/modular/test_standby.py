"""What a cluster that is lost was asked is answered here, and nothing is answered twice."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.modular.pool import Answer, Lost, Question
from sorrel.modular.standby import Standby


class Scripted:
    """Answers so many questions, and is lost then."""

    def __init__(self, before_lost: int, *, takes: int = 99) -> None:
        self.left, self.takes = before_lost, takes
        self.waiting: list[str] = []
        self.closed = False

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(self.waiting)

    def submit(self, name: str, question: Question) -> None:
        if len(self.waiting) >= self.takes:
            raise Lost("the scheduler is gone")
        self.waiting.append(name)

    def answers(self) -> Iterator[tuple[str, Answer]]:
        while self.waiting:
            if not self.left:
                raise Lost("the connection is lost")
            self.left -= 1
            yield self.waiting.pop(0), {"by": id(self)}

    def close(self) -> None:
        self.closed = True


def test_questions_that_were_open_when_a_cluster_was_lost_are_asked_here() -> None:
    elsewhere, here, told = Scripted(2), Scripted(99), list[str]()
    workers = Standby(elsewhere, lambda: here, told.append)
    for name in "abcd":
        workers.submit(name, {})
    first, then = list(workers.answers()), list(workers.answers())
    assert [name for name, _ in (*first, *then)] == ["a", "b", "c", "d"]
    assert {answer["by"] for _, answer in then} == {id(here)}
    assert elsewhere.closed
    assert told == ["the connection is lost; the rest was searched on this machine"]


def test_a_question_that_a_cluster_does_not_take_any_more_is_asked_here_with_the_others() -> None:
    here, told = Scripted(99), list[str]()
    workers = Standby(Scripted(99, takes=1), lambda: here, told.append)
    for name in "abc":
        workers.submit(name, {})
    assert workers.running == ("a", "b", "c")
    assert [name for name, _ in workers.answers()] == ["a", "b", "c"]
    assert len(told) == 1
