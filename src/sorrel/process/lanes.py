"""Lanes of a schedule side by side: each in a process of its own, which take turns if they are more than processors.

A lane is a fork of the process that has read the question and looked at it, so that nothing is read or loaded twice;
where there is no fork, lanes run one after the other in this process. The first answer ends the others.
"""

from __future__ import annotations

import ctypes
import gc
import json
import os
import selectors
import signal
import sys
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import field, replace
from typing import Any

from sorrel.evidence.effort import Effort
from sorrel.methods.answer import Attempts, answer, unanswerable
from sorrel.methods.question import Unanswerable
from sorrel.methods.schedule import Lane
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.process.endings import why_ended
from sorrel.process.messages import failure_of, guarded, lines_of
from sorrel.process.pipeline import Asked
from sorrel.process.post import PUBLISHERS, Post, open_post

FIRST_TURN, SECOND_TURN, LONGEST_TURN = 1.0, 2.0, 4.0
"""Seconds: the first turn of the first lane and that of the others; the next is twice as long, up to the longest.

What the first lane solves it mostly solves at once, and what it leaves takes the next one longer (docs/schedule.md)."""
LOOKING_SECONDS = 1.0
"""Real seconds between two looks, of who waits for lanes, and of a lane at its parent."""
PARENT_DEATH_SIGNAL = 1
"""PR_SET_PDEATHSIG of Linux's prctl."""
Send = Callable[[dict[str, Any]], None]


def answered(asked: Asked, send: Send) -> Outcome:
    """The question's answer, with its title, and what follows from it."""
    try:
        found = _answered(asked, send)
    except Unanswerable as problem:
        found = asked.titled(unanswerable(problem))
    return asked.completed(found)


def _answered(asked: Asked, send: Send) -> Outcome:
    if not hasattr(os, "fork"):
        return asked.titled(answer(asked.question, asked.effort))
    attempts = Attempts(asked.question, asked.effort)
    for outcome in attempts.first():
        if outcome.is_final:
            return asked.titled(outcome)
    lanes = attempts.lanes()
    effort = replace(asked.effort, clock=attempts.clock_for_lanes())
    if len(lanes) == 1:
        found: Outcome | None = attempts.along(lanes[0], effort)
        if found is not None and found.is_final:
            return asked.titled(found)
    else:
        found = _Race(asked, attempts, effort, send).run(lanes)
        if found is not None:
            return found
    for outcome in attempts.last():
        if outcome.is_final:
            return asked.titled(outcome)
    return asked.titled(attempts.unsettled())


@dataclass(eq=False)
class _Runner:
    """A lane and the process that runs it, once it has had a turn."""

    lane: Lane
    pid: int = 0
    read: int = -1
    turn: float = FIRST_TURN
    until: float = 0.0
    buffer: bytes = b""
    known: Outcome | None = None
    done: bool = False

    @property
    def name(self) -> str:
        return self.lane[-1].method


@dataclass(eq=False)
class _Race:
    asked: Asked
    attempts: Attempts
    effort: Effort
    send: Send
    runners: list[_Runner] = field(default_factory=list)
    post: int = field(default_factory=open_post)
    began: int = field(default_factory=lambda: METER.done)

    def run(self, lanes: tuple[Lane, ...]) -> Outcome | None:
        """The first final outcome; None if there is none, and then `attempts` knows why."""
        self.runners = [_Runner(lane, turn=SECOND_TURN if later else FIRST_TURN) for later, lane in enumerate(lanes)]
        waiting = deque(self.runners)
        running: list[_Runner] = []
        gc.freeze()  # what is there already is not looked at again, and not copied for that
        try:
            with selectors.DefaultSelector() as selector:
                while waiting or running:
                    while waiting and len(running) < processors():
                        running.append(self._take_turn(waiting.popleft(), selector))
                    for key, _ in selector.select(self._patience(running, waiting)):
                        runner: _Runner = key.data
                        found = self._listen(runner, selector)
                        if found is not None:
                            return found
                        if runner.done and runner in running:
                            running.remove(runner)
                    if self.effort.clock.late():
                        return self._late()
                    for runner in [each for each in running if time.monotonic() >= each.until]:
                        if waiting:
                            running.remove(runner)
                            waiting.append(runner)
                            os.kill(runner.pid, signal.SIGSTOP)
            return None
        finally:
            for runner in self.runners:
                _end(runner)
            os.close(self.post)

    def _patience(self, running: list[_Runner], waiting: deque[_Runner]) -> float:
        left = self.effort.clock.until_deadline(LOOKING_SECONDS)
        if not waiting:
            return left
        return max(0.0, min(left, min(each.until for each in running) - time.monotonic()))

    def _take_turn(self, runner: _Runner, selector: selectors.BaseSelector) -> _Runner:
        if runner.pid:
            os.kill(runner.pid, signal.SIGCONT)
        else:
            self._start(runner)
            selector.register(runner.read, selectors.EVENT_READ, runner)
        runner.until = time.monotonic() + runner.turn
        runner.turn = min(2 * runner.turn, LONGEST_TURN)
        return runner

    def _start(self, runner: _Runner) -> None:
        sys.stdout.flush()
        sys.stderr.flush()
        read, write = os.pipe()
        own = os.getpid()
        runner.pid = os.fork()
        if runner.pid:
            os.close(write)
            runner.read = read
            return
        os.close(read)
        for other in self.runners:
            if other.read >= 0:
                os.close(other.read)
        _end_with(own)
        effort = self._effort_of_lane(write)
        post = self._post(runner, effort)
        post.open()
        _in_lane(self.attempts, self.asked, runner.lane, replace(effort, exchange=post), post, write)

    def _post(self, runner: _Runner, effort: Effort) -> Post:
        """How a lane hears of what others have proved."""
        others = tuple(
            number
            for number, other in enumerate(self.runners)
            if other is not runner and any(step.method in PUBLISHERS for step in other.lane)
        )
        return Post(self.post, self.runners.index(runner), others, effort.clock, self.began)

    def _effort_of_lane(self, write: int) -> Effort:
        """A child has the part of the time that others leave."""
        clock = self.effort.clock.at_pace(min(1.0, processors() / len(self.runners)))

        def progress(news: dict[str, Any]) -> None:
            _write(write, {"progress": news})

        def report(known: Outcome) -> None:
            _write(write, {"known": self.asked.titled(known).to_json()})

        return replace(self.effort, clock=clock, progress=progress, report=report)

    def _listen(self, runner: _Runner, selector: selectors.BaseSelector) -> Outcome | None:
        data = os.read(runner.read, 1 << 20)
        messages, runner.buffer = lines_of(runner.buffer + data)
        for message in messages:
            if "progress" in message:
                self.send({"progress": message["progress"], "engine": runner.name})
            elif "known" in message:
                runner.known = Outcome.from_json(message["known"])
                self.send(message)
            elif "outcome" in message:
                runner.done = True
                found = Outcome.from_json(message["outcome"])
                if found.is_final:
                    return found
                self.attempts.failed.append(found)
            elif "error" in message:
                runner.done = True
                if message["error"]["kind"] in ("input", "usage"):
                    raise failure_of(message["error"])
                self.attempts.failed.append(_failed(runner, message["error"]))
        if not data:
            selector.unregister(runner.read)
            if not runner.done:
                runner.done = True
                self.attempts.failed.append(_without_a_word(runner))
        return None

    def _late(self) -> Outcome | None:
        """What was known when time ran out: perhaps a proof whose assumptions were still looked at."""
        for runner in [each for each in self.runners if not each.done]:
            if runner.known is not None and runner.known.is_final:
                return runner.known
            late = unknown(Cause.TIME, "the time limit was reached", engine=runner.name)
            known = runner.known
            self.attempts.failed.append(replace(known, reason=late.reason) if known else late)
        return None


def _in_lane(attempts: Attempts, asked: Asked, lane: Lane, effort: Effort, post: Post, write: int) -> None:
    """In the child: the lane's outcome as a line of JSON, and then nothing that could take time."""
    mine = Attempts(attempts.question, effort)

    def work() -> dict[str, Any]:
        return asked.titled(mine.along(lane, mine.effort)).to_json()

    _write(write, guarded(work))
    post.close()
    os._exit(0)


def _write(descriptor: int, message: dict[str, Any]) -> None:
    data = json.dumps(message).encode() + b"\n"
    while data:
        data = data[os.write(descriptor, data) :]


def _end_with(parent: int) -> None:
    """A lane ends when the process that started it does, even if it is waiting for its turn."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(PARENT_DEATH_SIGNAL, signal.SIGKILL)

    def watch() -> None:
        while os.getppid() == parent:
            time.sleep(LOOKING_SECONDS)
        os._exit(1)

    threading.Thread(target=watch, daemon=True).start()


def _end(runner: _Runner) -> None:
    if runner.pid:
        with suppress(ProcessLookupError):
            os.kill(runner.pid, signal.SIGKILL)
        with suppress(ChildProcessError):
            os.waitpid(runner.pid, 0)
        with suppress(OSError):
            os.close(runner.read)


def _failed(runner: _Runner, error: dict[str, str]) -> Outcome:
    cause = Cause.MEMORY if error["kind"] == "memory" else Cause.INTERNAL
    return unknown(cause, error["message"], engine=runner.name)


def _without_a_word(runner: _Runner) -> Outcome:
    """A lane that ended without saying how it went: z3 may be out of memory in a way that nobody can catch."""
    _, status, usage = os.wait4(runner.pid, 0)
    runner.pid = 0
    cause, why = why_ended(os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime)
    return unknown(cause, why, engine=runner.name)


def processors() -> int:
    """How many lanes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
