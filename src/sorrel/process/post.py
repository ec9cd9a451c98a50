"""What lanes tell each other, through a file that all of them append to and nobody else can see.

A lane sees what another had told when that one had done half as much work as the reader has by now, and waits for it
if it is not there yet: what is seen depends on work and not on whose process ran first. Facts cross as text and are
checked against the reader's clauses; where they are no invariants of these, they are not used.
"""

from __future__ import annotations

import fcntl
import json
import os
import time
from collections.abc import Iterable
from dataclasses import field
from typing import Any

from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_summaries, write_system
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.model.budget import Clock
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.model.work import METER, SECOND
from sorrel.process.plan import PLAN
from sorrel.process.starting import unnamed_file
from sorrel.smt.recursion_free import is_solution
from sorrel.smt.solver import Oracle

PUBLISHERS = ("clover",)
"""Methods that others wait for: what they have done is known all the time, since they ask short questions."""
INTERVAL = SECOND // 4
"""A lane says how far it is whenever it has done so many units."""
LONGEST_WAIT, LOOK = 10.0, 0.01
"""Real seconds: to wait for a lane that is behind, before doing without what it has to say; and between looks."""
ENDED = 2**62


def open_post() -> int:
    """A file without a name, which is gone when the last lane is."""
    kept = unnamed_file()
    fcntl.fcntl(kept, fcntl.F_SETFL, fcntl.fcntl(kept, fcntl.F_GETFL) | os.O_APPEND)
    return kept


@dataclass(eq=False)
class Post:
    """One lane's access. `began` is where the meter stood when lanes started; `others` are lanes that publish."""

    file: int
    lane: int
    others: tuple[int, ...]
    clock: Clock
    began: int
    _read: int = 0
    _reached: dict[int, int] = field(default_factory=dict)
    _letters: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    _checked: dict[str, Summaries] = field(default_factory=dict)

    def open(self) -> None:
        METER.report(INTERVAL, self._write)

    def close(self) -> None:
        self._write(work=ENDED)

    def tell(self, system: HornSystem, facts: Summaries) -> None:
        self._write(about=_digest(system), facts=write_summaries(system, facts, "facts"))

    def known(self, system: HornSystem) -> Summaries:
        wanted = self._done // 2
        self._wait(wanted)
        about = _digest(system)
        found: dict[str, list[terms.Term]] = {}
        for lane in (*self.others, self.lane):
            letters = [each for each in self._letters.get(lane, ()) if each["work"] <= wanted]
            latest = next((each for each in reversed(letters) if each["about"] == about), None)
            for name, fact in self._checked_facts(system, latest["facts"] if latest else "").items():
                found.setdefault(name, []).append(fact)
        return {name: terms.conjunction(facts) for name, facts in found.items()}

    @property
    def _done(self) -> int:
        return METER.done - self.began

    def _wait(self, wanted: int) -> None:
        until = time.monotonic() + self.clock.until_deadline(LONGEST_WAIT)
        self._fetch()
        while any(self._reached.get(lane, 0) < wanted for lane in self.others) and time.monotonic() < until:
            time.sleep(LOOK)
            self._fetch()

    def _checked_facts(self, system: HornSystem, text: str) -> Summaries:
        if text and text not in self._checked:
            self._checked[text] = self._check(system, text)
        return self._checked.get(text, {})

    def _check(self, system: HornSystem, text: str) -> Summaries:
        try:
            told = read_certificate(system, text, "<facts>")
        except InputError:
            return {}
        if not isinstance(told, Facts):
            return {}
        total = {p.name: told.summaries.get(p.name, terms.TRUE) for p in system.predicates}
        rules = HornSystem(system.predicates, tuple(clause for clause in system.clauses if not clause.is_query))
        oracle = Oracle(PLAN.checking.of(self.clock), query_seconds=PLAN.checking_question, measure_sizes=False)
        return total if is_solution(rules, total, oracle) else {}

    def _write(self, **letter: Any) -> None:
        message = {"lane": self.lane, "work": self._done, **letter}
        os.write(self.file, json.dumps(message).encode() + b"\n")

    def _fetch(self) -> None:
        data = b"".join(self._parts())
        whole = data[: data.rfind(b"\n") + 1]
        self._read += len(whole)
        for line in whole.splitlines():
            message = json.loads(line)
            self._reached[message["lane"]] = message["work"]
            if "facts" in message:
                self._letters.setdefault(message["lane"], []).append(message)

    def _parts(self) -> Iterable[bytes]:
        place = self._read
        while part := os.pread(self.file, 1 << 20, place):
            place += len(part)
            yield part


def _digest(system: HornSystem) -> str:
    import hashlib  # takes longer to load than most questions have facts

    return hashlib.sha256(write_system(system).encode()).hexdigest()
