"""Proving a program part by part: callees first, each component once, what is stored before what has to be found.

Whoever answers questions is not believed: contracts go through `Known.accept`, runs through the interpreter.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field

from sorrel.evidence.derivation import check_derivation
from sorrel.evidence.result import Accepted
from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_summaries, write_system
from sorrel.horn.verdict import Safe, Summaries, Unsafe
from sorrel.logic import terms
from sorrel.model.errors import InputError, InternalError
from sorrel.model.values import dataclass
from sorrel.modular.asking import is_contract, question
from sorrel.modular.checking import Finding
from sorrel.modular.component import Component
from sorrel.modular.judging import Judged
from sorrel.modular.known import Known
from sorrel.modular.pool import Answer, Question, Workers
from sorrel.modular.starting import Refutation, Runs
from sorrel.project.result import Source
from sorrel.store.block import Block, Claim

DERIVATION_SECONDS = 10.0
"""Real seconds, since evidence is checked."""
NOTHING_STORED = "nothing is stored that shows it"
ROUNDS = 3
"""How often what was left open is looked at once more, if contracts of callees got stronger in the meantime."""
DEPTHS = (1, 3, None)
"""Through how many levels of calls bodies are looked at, one after the other, where contracts are too weak."""


@dataclass(slots=True, eq=False)
class Progress:
    """How a component is doing: what was tried, and what came of it."""

    source: Source = Source.FOUND
    reason: str = ""
    seconds: float = 0.0
    started: float = 0.0
    settled: bool = False
    misfit: str = ""
    """Why what is stored about the component was not taken."""
    judged: Mapping[str, Judged] = field(default_factory=dict)
    """What the contract says about each procedure, if that is known already."""
    refutation: Refutation | None = None
    depths: list[int | None] = field(default_factory=lambda: list(DEPTHS))
    asked: HornSystem | None = None
    asked_of: tuple[Component, ...] = ()
    rested_on: tuple[str, ...] | None = None
    """The contracts of callees under which it was asked about in vain."""


@dataclass(slots=True, eq=False)
class Prover:
    """`starts` are the runs that start where the queries of a start component are, by the component's name.

    `stored` finds the blocks that may be about a component. `done` is told when a component is settled for good.
    """

    known: Known
    components: Sequence[Component]
    starts: Mapping[str, Runs]
    stored: Callable[[Component], Sequence[Block]]
    workers: Workers | None
    seconds: float
    done: Callable[[Component, Progress], None]
    retry: bool = False
    stopped: Callable[[], bool] = lambda: False
    tick: Callable[[], None] = lambda: None
    checked: Mapping[str, Finding] = field(default_factory=dict)
    """What was found about stored blocks, by component, given that callees have the contracts claimed of them."""
    progress: dict[str, Progress] = field(default_factory=dict)
    _finished: set[str] = field(default_factory=set)
    _exact: set[str] = field(default_factory=set)
    """Components whose contracts cannot be stronger, as those say who found them: looking behind them is no use."""

    def run(self) -> None:
        """Until every component is settled."""
        waiting = dict.fromkeys(self.components)
        by_name = {component.name: component for component in waiting}
        asked, rounds = 0, 0
        while (waiting or asked or rounds < ROUNDS) and not self.stopped():
            if not waiting and not asked:
                rounds += 1
                asked = self._asked_again()
            for component in [each for each in waiting if self._is_ready(each)]:
                del waiting[component]
                if self._begin(component):
                    asked += 1
                if self.stopped():
                    return
            self.tick()
            if self.workers is None or not asked:
                continue
            for name, answer in self.workers.answers():
                if not self._heard(by_name[name], answer):
                    asked -= 1

    def _asked_again(self) -> int:
        """Ask about what was left open once more where more is known of its callees since; how many these are."""
        if self.workers is None:
            return 0
        left = [each for each in self.components if self.progress[each.name].rested_on is not None]
        better = [each for each in left if self.progress[each.name].rested_on != self.known.callees(each)]
        for component in better:
            own = self.progress[component.name] = Progress(started=time.monotonic())
            self._ask(component, own, "contract", (component,), goals=not component.is_start)
        return len(better)

    def _is_ready(self, component: Component) -> bool:
        return all(callee.name in self._finished for callee in self.known.parts.below(component))

    # From the store

    def _begin(self, component: Component) -> bool:
        """Settle the component from what is stored; else ask, and say so."""
        own = self.progress[component.name] = Progress(started=time.monotonic())
        blocks = list(self.stored(component))
        if self._from_store(component, own, blocks):
            self._finish(component, own)
            return False
        if self.workers is None or self._tried_before(component, own, blocks):
            own.source = own.source if self.workers else Source.NOT_TRIED
            own.reason = own.reason or next((block.reason for block in blocks if block.reason), NOTHING_STORED)
            self.known.give_up(component) if component.name not in self.known.settled else None
            self._finish(component, own)
            return False
        self._ask(component, own, "contract", (component,), goals=not component.is_start)
        return True

    def _from_store(self, component: Component, own: Progress, blocks: Sequence[Block]) -> bool:
        """Whether a stored contract is accepted that leaves nothing open, or a stored run is one."""
        for block in blocks:
            own.source = Source.STORED if block.id == self.known.identity(component) else Source.KEPT
            if component.is_start and block.verdict is Claim.REFUTED:
                own.refutation = self.starts[component.name].repeat_stored(block.values)
                if own.refutation is not None:
                    self.known.give_up(component)
                    return True
            if block.verdict not in (Claim.PROVED, Claim.CONDITIONAL):
                continue
            problem = self._problem(component, own, block)
            if problem is None:
                own.settled, own.reason, own.misfit = True, "", ""
                return True
            own.reason = own.misfit = self._what_changed(component, block, problem)
        own.source = Source.FOUND
        return False

    def _problem(self, component: Component, own: Progress, block: Block) -> str | None:
        """Why the block's contract is not accepted; None if it is, and then it was taken."""
        finding = self.checked.get(component.name)
        if finding is not None and finding.block == block and self._still_holds(finding):
            if not finding.accepted:
                return finding.detail
            own.judged = finding.judged
            self.known.take(component, block)
            return None
        claimed = self.known.claimed(component, block)
        if isinstance(claimed, str):
            return claimed
        result = self.known.accept(component, claimed)
        if not isinstance(result, Accepted):
            return result.detail
        self.known.take(component, block, read=True)
        return None

    def _still_holds(self, finding: Finding) -> bool:
        """Whether all callees have the contracts that the finding takes for granted, or stronger ones."""
        claimed = {name: self.checked.get(name) for name in finding.assumed}
        return all(each is not None and self.known.taken.get(name) == each.block for name, each in claimed.items())

    def _what_changed(self, component: Component, block: Block, detail: str) -> str:
        if block.clauses != self.known.clauses(component):
            return f"changed since it was proved: {detail}"
        if block.callees != self.known.callees(component):
            return f"the contract of a callee is weaker now: {detail}"
        return f"the certificate is wrong: {detail}"

    def _tried_before(self, component: Component, own: Progress, blocks: Sequence[Block]) -> bool:
        """Whether the same question was left open before, with as much time as now."""
        if self.retry:
            return False
        for block in blocks:
            if block.verdict is not Claim.UNKNOWN or block.seconds < self.seconds:
                continue
            if block.clauses == self.known.clauses(component) and block.callees == self.known.callees(component):
                claimed = self.known.claimed(component, block)
                if not isinstance(claimed, str):
                    self.known.accept(component, claimed)
                own.source, own.reason = Source.STORED, block.reason
                return True
        return False

    # From those who search

    def _ask(
        self, component: Component, own: Progress, kind: str, components: Sequence[Component], *, goals: bool
    ) -> None:
        if self.workers is None:
            raise InternalError("no worker is left to search")
        own.asked_of = tuple(components)
        own.asked = question(components, self.known.contracts, goals=goals)
        known = [self.known.contract(each) for each in components if each.name in self.known.settled]
        seeds = {name: body for contract in known for name, body in contract.items()}
        sent: Question = {
            "kind": kind,
            "system": write_system(own.asked),
            "seeds": write_summaries(own.asked, seeds, "facts") if seeds else "",
            "seconds": self.seconds,
        }
        self.workers.submit(component.name, sent)

    def _heard(self, component: Component, answer: Answer) -> bool:
        """Take what is true of the answer; whether more was asked."""
        own = self.progress[component.name]
        found = self._summaries(own, answer)
        own.settled = bool(answer.get("settled")) and found is not None
        if found is not None:
            self._strengthen(component, own.asked_of, found)
        own.settled = own.settled and self.known.settled.get(component.name, False)
        if not self.known.settled.get(component.name, False):
            self.known.give_up(component)
        own.reason = str(answer.get("reason") or "")
        below = {callee.name for callee in self.known.parts.below(component)}
        if answer.get("exact") and below <= self._exact:
            self._exact.add(component.name)
        if own.settled or not self._search_further(component, own, answer):
            self._finish(component, own)
            return False
        return True

    def _strengthen(self, component: Component, components: Sequence[Component], found: Summaries) -> None:
        """Callees that were done before are told again if more is known of them: callers may rest on that."""
        others = [each for each in components if each is not component and each.name in self._finished]
        before = {each.name: self.known.text(each) for each in others}
        self.known.strengthen(components, found)
        for each in others:
            if self.known.text(each) != before[each.name]:
                self.progress[each.name].judged = {}
                self.done(each, self.progress[each.name])

    def _summaries(self, own: Progress, answer: Answer) -> Summaries | None:
        """The summaries that an answer claims, if it has the form of one."""
        text = answer.get("summaries")
        if own.asked is None or not isinstance(text, str):
            return None
        try:
            found = read_certificate(own.asked, text, "answer")
        except (InputError, InternalError):
            return None
        return found.summaries if isinstance(found, Safe | Facts) else None

    def _search_further(self, component: Component, own: Progress, answer: Answer) -> bool:
        """Look behind the contracts of callees, step by step; whether a question was asked."""
        if not component.is_start and (component.name in self._exact or self._is_genuine(own, answer)):
            own.reason = "it can fail, depending on the state that it is called in"
            return False
        if component.is_start and own.refutation is None:
            own.refutation = self._refuted(component, own, answer)
            if own.refutation is not None:
                return False
        everything = self.known.parts.closure(component)
        while own.depths:
            depth = own.depths.pop(0)
            components = self.known.parts.closure(component, depth)
            if len(components) == len(everything):
                own.depths.clear()
            if components == own.asked_of:
                continue
            self._ask(component, own, "proof", components, goals=not component.is_start)
            return True
        return False

    def _is_genuine(self, own: Progress, answer: Answer) -> bool:
        """Whether an error was derived without a contract in place of a body; it only saves work if that is right."""
        text = answer.get("derivation")
        return bool(text) and own.asked is not None and not any(is_contract(clause) for clause in own.asked.clauses)

    def _refuted(self, component: Component, own: Progress, answer: Answer) -> Refutation | None:
        """A run into an error: by running the program, or the run that a derivation describes."""
        runs = self.starts[component.name]
        if len(own.depths) == len(DEPTHS):
            found = runs.search()
            if found is not None:
                return found
        text = answer.get("derivation")
        if not text or not isinstance(text, str) or own.asked is None:
            return None
        try:
            verdict = read_certificate(own.asked, text, "answer")
            if not isinstance(verdict, Unsafe) or any(is_contract(clause) for clause in own.asked.clauses):
                return None
            if not isinstance(check_derivation(own.asked, verdict.derivation, DERIVATION_SECONDS), Accepted):
                return None
            return runs.repeat(self.known.parts.pieces.choices(verdict.derivation))
        except (InputError, InternalError, KeyError):
            return None

    def _finish(self, component: Component, own: Progress) -> None:
        own.seconds = time.monotonic() - own.started
        if own.asked is not None and not own.settled and own.refutation is None:
            own.rested_on = self.known.callees(component)
        self._finished.add(component.name)
        self.done(component, own)


def block_of(known: Known, component: Component, own: Progress, claim: Claim, seconds: float) -> Block:
    """What the store keeps of it: the block that was taken if one was, whatever its clauses were when it was made."""
    taken = known.taken.get(component.name)
    measures = known.measured(component)
    assumes = known.assumes if component.is_start and claim is Claim.PROVED else ()
    unchanged = taken is not None and (known.text(component), measures, assumes) == (
        taken.contract,
        taken.measures,
        taken.assumes,
    )
    if taken is not None and unchanged and own.source is Source.STORED and taken.verdict is claim:
        return taken
    refutation = own.refutation
    return Block(
        known.identity(component),
        known.about,
        known.clauses(component),
        known.callees(component),
        claim,
        () if refutation or not _says_something(known, component) else known.text(component),
        refutation.values if refutation else (),
        measures,
        assumes,
        reason=own.reason if claim is Claim.UNKNOWN else "",
        seconds=seconds if claim is Claim.UNKNOWN else 0.0,
    )


def _says_something(known: Known, component: Component) -> bool:
    return any(not terms.is_true(body) for body in known.contract(component).values())
