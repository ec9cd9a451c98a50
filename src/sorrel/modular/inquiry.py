"""One property of a project: its clauses, what is known about each component, and what that says of the functions."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field, replace
from functools import cached_property
from pathlib import PurePath

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.pieces import Pieces
from sorrel.frontends.c import started_by
from sorrel.frontends.c.beside import beside
from sorrel.methods.assumptions import ProvedProgram
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import NOWHERE, InputError, Span
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.modular.canonical import ENCODING
from sorrel.modular.checking import Finding, findings
from sorrel.modular.component import RUNS, Component, split
from sorrel.modular.judging import standings
from sorrel.modular.known import Known
from sorrel.modular.pool import Workers
from sorrel.modular.proving import Progress, Prover, block_of
from sorrel.modular.reading import Reading, Start, with_demands
from sorrel.modular.starting import Endless, Failing, Runs
from sorrel.program.checks import instrument
from sorrel.program.descending import Measure, Measures, descending, groups, read_measure
from sorrel.program.program import LIBRARY
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.program.statement import Kind
from sorrel.project.result import FunctionResult, Verdict
from sorrel.project.settings import Settings
from sorrel.store.block import Block, Claim, Key
from sorrel.store.lockfile import Contents

MANY_PROCEDURES = 150
"""From so many on a copy of the process finds out what is taken for granted while clauses are prepared."""
OURS = ("entry.point", LIBRARY)
"""How the names of procedures begin that no user has written."""
_CLAIMS = {
    Verdict.PROVED: Claim.PROVED,
    Verdict.CONDITIONAL: Claim.CONDITIONAL,
    Verdict.REFUTED: Claim.REFUTED,
    Verdict.UNKNOWN: Claim.UNKNOWN,
}
_CONTRACTS = (Claim.PROVED, Claim.CONDITIONAL)


@dataclass(eq=False)
class Inquiry:
    """`results` are by function, the last word on each; `blocks` are what the store is to hold."""

    goal: Property
    settings: Settings
    reading: Reading
    contents: Contents
    known: Known
    starts: dict[str, tuple[Start, Runs]]
    open_kinds: tuple[str, ...]
    results: dict[str, FunctionResult] = field(default_factory=dict)
    blocks: dict[Key, Block] = field(default_factory=dict)
    misfits: list[str] = field(default_factory=list)
    """What is stored and does not fit, a line for each component."""
    checked: dict[str, Finding] = field(default_factory=dict)
    loops: Mapping[str, LoopOrigin] = field(default_factory=dict)
    """Procedures that are loops of the user's, where the question needs them to be procedures."""

    @property
    def components(self) -> tuple[Component, ...]:
        return self.known.parts.components

    def within(self, paths: Sequence[str]) -> tuple[Component, ...]:
        """The components with procedures in these files or folders, with all that they call; all if none is named."""
        if not paths:
            return self.components
        parts = self.known.parts
        inside = [each for each in self.components if any(self._is_in(each, path) for path in paths)]
        if not inside:
            raise InputError(f"no function of the project is defined in {', '.join(paths)}")
        wanted = {below.name for each in inside for below in parts.closure(each)}
        return tuple(each for each in self.components if each.name in wanted)

    def _is_in(self, component: Component, path: str) -> bool:
        files = {self._span(name).file for name in component.procedures}
        return any(PurePath(file).is_relative_to(path) for file in files)

    def check_stored(self, jobs: int, paths: Sequence[str], stopped: Callable[[], bool]) -> None:
        """Look at what is stored in several processes at once, before anybody is asked for more."""
        self.checked = findings(self.known, self._claims(self.within(paths)), jobs, stopped)

    def prove(
        self,
        workers: Workers | None,
        told: Callable[[Sequence[FunctionResult]], None],
        stopped: Callable[[], bool],
        tick: Callable[[], None],
        *,
        retry: bool = False,
        paths: Sequence[str] = (),
    ) -> None:
        """With workers what is not known is looked for; without them what is stored is checked, and no more."""
        by_clauses = self.contents.by_clauses()

        def stored(component: Component) -> Sequence[Block]:
            own = self._blocks_of(component)
            if own or not by_clauses:
                return own
            return by_clauses.get((self.known.clauses(component), self.known.about), [])

        def done(component: Component, progress: Progress) -> None:
            if progress.misfit and workers is None:
                self.misfits.append(f"{self.known.identity(component)}: {progress.misfit}")
            found = list(self._judged(component, progress))
            for each in found:
                if not (each.function in self.results and self.results[each.function].entry):
                    self.results[each.function] = each
            told(found)

        Prover(
            self.known,
            self.within(paths),
            {name: runs for name, (_, runs) in self.starts.items()},
            stored,
            workers,
            self.settings.limits.seconds,
            done,
            retry,
            stopped,
            tick,
            self.checked,
        ).run()

    def _blocks_of(self, component: Component) -> list[Block]:
        return self.contents.blocks.get((self.known.identity(component), self.known.about), [])

    def _claims(self, components: Sequence[Component]) -> dict[str, Block]:
        """What the store claims of the components, by their names: the first of the blocks that claim something."""
        found = {}
        for component in components:
            claims = [block for block in self._blocks_of(component) if block.verdict in _CONTRACTS]
            if claims:
                found[component.name] = claims[0]
        return found

    def _judged(self, component: Component, progress: Progress) -> Iterator[FunctionResult]:
        if component.is_start:
            yield self._start_result(component, progress)
            return
        verdicts = []
        found = progress.judged or standings(component, self.known.contract(component))
        for name, judged in found.items():
            verdict = Verdict(str(judged.standing))
            verdicts.append(verdict)
            if not name.startswith(OURS) and name not in self.loops:
                yield FunctionResult(
                    name,
                    str(self.goal),
                    verdict,
                    self._span(name),
                    requires=judged.requires,
                    message=self._reason(component, progress) if verdict is not Verdict.PROVED else "",
                    source=progress.source,
                    seconds=progress.seconds,
                    calls=self._calls(name),
                )
        order = list(Verdict)
        self._keep(component, progress, max(verdicts, key=order.index, default=Verdict.PROVED))

    def _start_result(self, component: Component, progress: Progress) -> FunctionResult:
        start, _ = self.starts[component.name]
        verdict = Verdict.PROVED if self.known.settled.get(component.name) else Verdict.UNKNOWN
        values: tuple[str, ...] = ()
        message, place = self._reason(component, progress), NOWHERE
        if (refuted := progress.refutation) is not None:
            verdict, values, message, place = Verdict.REFUTED, refuted.told, refuted.message, refuted.place
        self._keep(component, progress, verdict)
        return FunctionResult(
            start.function,
            str(self.goal),
            verdict,
            start.span,
            entry=True,
            message="" if verdict is Verdict.PROVED else message,
            place=place,
            values=values,
            source=progress.source,
            seconds=progress.seconds,
            calls=self._calls(start.function),
        )

    def _calls(self, function: str) -> tuple[str, ...]:
        """The functions of the user that it calls; loops are procedures of their own here."""
        known = self.known.parts.pieces.program.procedure
        found: dict[str, None] = {}
        waiting, seen = [function], {function}
        while waiting:
            own = known.get(waiting.pop())
            for name in own.callees if own else ():
                if not name.startswith(OURS) and name not in self.loops:
                    found[name] = None
                elif name not in seen:
                    seen.add(name)
                    waiting.append(name)
        return tuple(found)

    def _reason(self, component: Component, progress: Progress) -> str:
        """Why nothing better is known: loops and calls without a measure, or what those who searched say."""
        if self.goal is not Property.TERMINATION:
            return progress.reason
        parts = self.known.parts
        names = [name for each in parts.closure(component) for name in each.procedures]
        open_ones = [name for name in dict.fromkeys(names) if name in self._circles and name not in self.known.measures]
        told = [f"the loop at {self.loops[n].span}" if n in self.loops else f"calls of {n}" for n in open_ones]
        return f"no ranking function is known for {' and '.join(told[:3])}" if told else progress.reason

    @cached_property
    def _circles(self) -> frozenset[str]:
        return frozenset(name for group in groups(self.known.parts.pieces.program) for name in group)

    def standing(self, function: str) -> Verdict:
        """What is known of calls of the function in any state, whether or not runs start there."""
        judged = standings(self.known.parts.owner[function], self.known.contract(self.known.parts.owner[function]))
        return Verdict(str(judged[function].standing)) if function in judged else Verdict.UNKNOWN

    def _keep(self, component: Component, progress: Progress, verdict: Verdict) -> None:
        block = block_of(self.known, component, progress, _CLAIMS[verdict], self.settings.limits.seconds)
        self.blocks[block.key] = block

    def _span(self, name: str) -> Span:
        return self.known.parts.pieces.program.procedure[name].span


def inquire(
    goal: Property, settings: Settings, reading: Reading, contents: Contents, measures: Measures | None = None
) -> Inquiry:
    """The clauses of the project for one property; whether runs end is asked with measures, by default the stored."""
    reading = with_demands(reading, settings, goal)
    kinds = frozenset(map(Kind, goal.kinds))
    arithmetic = numbers(goal, settings)
    about = f"{goal} {settings.model} {arithmetic} {ENCODING}"
    program = asked = instrument(reading.program, kinds)
    overflow = goal is not Property.NO_OVERFLOW
    case = ProvedProgram(lambda other: instrument(reading.program, kinds | other.kinds), program, overflow)
    loops: Mapping[str, LoopOrigin] = {}
    ending = goal is Property.TERMINATION
    if ending:
        program, loops = loops_as_procedures(program)
        measures = stored_measures(contents, about) if measures is None else measures
        program = descending(program, measures)
    several = len(reading.starts) > 1
    named = {started_by(start.function): start.function for start in reading.starts} if several else None
    with beside(lambda: case.kinds, worthwhile=len(program.procedures) >= MANY_PROCEDURES) as kinds_found:
        parts = split(Pieces(program, arithmetic, alone=True), named)
        open_kinds = kinds_found()
    runs = Endless if ending else Failing
    starts: dict[str, tuple[Start, Runs]] = {
        f"{RUNS}{start.function if several else program.main}": (start, runs(replace(asked, main=start.program.main)))
        for start in reading.starts
    }
    known = Known(parts, about, measures or {}, tuple(AssumptionKind(kind).brief for kind in open_kinds))
    return Inquiry(goal, settings, reading, contents, known, starts, tuple(map(str, open_kinds)), loops=loops)


def stored_measures(contents: Contents, about: str) -> dict[str, Measure]:
    """What blocks claim to go down, by procedure; the first that says so is taken."""
    found: dict[str, Measure] = {}
    for blocks in contents.blocks.values():
        for text in (text for block in blocks if block.about == about for text in block.measures):
            read = read_measure(text)
            if read is not None:
                found.setdefault(*read)
    return found


def numbers(goal: Property, settings: Settings) -> Arithmetic:
    """Whether ranges are left is no question about numbers without any."""
    chosen = Arithmetic(settings.numbers)
    return Arithmetic.RANGED if goal is Property.NO_OVERFLOW and chosen is Arithmetic.IDEAL else chosen
