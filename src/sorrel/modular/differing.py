"""Two versions of a project, function by function: what they do, what is proved of them, who relied on what is gone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from sorrel.encode.encoding import encoding_of
from sorrel.evidence.result import Accepted
from sorrel.frontends import c
from sorrel.horn.clause import Predicate
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, Span
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.modular.beginning import other_start, other_values
from sorrel.modular.canonical import signature
from sorrel.modular.comparing import Compared, compare
from sorrel.modular.component import Component
from sorrel.modular.inquiry import OURS, Inquiry, inquire
from sorrel.modular.judging import accepted
from sorrel.modular.measuring import Measuring
from sorrel.modular.plan import PLAN
from sorrel.modular.pool import Workers
from sorrel.modular.reading import read
from sorrel.program.program import Program
from sorrel.project.difference import Behaviour, Difference, FunctionDifference, Strength
from sorrel.project.result import FunctionResult, Verdict
from sorrel.project.settings import Settings
from sorrel.project.sources import sources
from sorrel.smt.solver import Oracle
from sorrel.store import lockfile

GIVEN = "functions without a definition are called differently"
NAMESAKES = "several files have a function of this name, and this one is not run on its own"
STARTED = "it was changed, and what runs start with is not compared; what it calls is"


@dataclass(frozen=True, slots=True)
class Worded:
    """The texts of a version: functions by where they stand, and what variables start with."""

    functions: Mapping[Span, c.Wording]
    beginnings: Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Side:
    """A version of the project, with what is proved of it; `name` is what the user calls it.

    Contracts are those of the first question in `inquiries`, results those of all.
    """

    name: str
    settings: Settings
    inquiries: tuple[Inquiry, ...]

    @property
    def inquiry(self) -> Inquiry:
        return self.inquiries[0]

    @property
    def components(self) -> Mapping[str, Component]:
        """By function, those that a user has written."""
        return {
            name: component
            for component in self.inquiry.components
            for name in component.functions
            if not name.startswith(OURS) and name not in self.inquiry.loops
        }

    def program(self, function: str) -> Program:
        """The version as a program that starts with the function."""
        os.chdir(self.settings.folder)
        files = sources(self.settings)
        given = files.given
        base = c.CSettings(c.DataModel(self.settings.model), files.include, files.define, function)
        return c.read(given, base)

    def worded(self) -> Worded:
        os.chdir(self.settings.folder)
        files = sources(self.settings)
        base = c.CSettings(c.DataModel(self.settings.model), files.include, files.define)
        with c.opened(files.given, base) as parsed:
            return Worded(parsed.wordings(), parsed.beginnings())

    def span(self, function: str) -> Span:
        return self.inquiry.known.parts.pieces.program.procedure[function].span

    def title(self, function: str) -> str:
        """What a user calls it: of functions of one name in several files, all but one have a number behind it."""
        name, dot, _ = function.partition(".")
        return f"{name} ({Path(self.span(function).file).name})" if dot else name

    def contract(self, function: str) -> Term:
        known = self.inquiry.known
        return known.contracts[self.components[function].functions[function].name]

    def told(self, function: str) -> tuple[str, ...]:
        """The contract in the user's syntax."""
        return self.in_words(function, self.contract(function))

    def in_words(self, function: str, contract: Term) -> tuple[str, ...]:
        """A contract of the function, whoever claims it."""
        encoding = encoding_of(self.inquiry.known.parts.pieces)
        name = self.components[function].functions[function].name
        oracle = Oracle(Budget(seconds=PLAN.told).start(), query_seconds=PLAN.told_question, measure_sizes=False)
        found = encoding.contracts({name: contract}, oracle)
        return tuple(
            line
            for contract in found
            for line in (
                *(f"requires {text}" for text in contract.requires),
                *(f"ensures {text}" for text in contract.conjuncts),
            )
        )


def proved_side(name: str, settings: Settings, workers: Workers, stopped: Callable[[], bool]) -> Side:
    """The version with contracts for all its functions and results for all its properties; nothing is written."""
    os.chdir(settings.folder)
    reading = read(settings, sources(settings))
    stored = lockfile.read(Path(lockfile.NAME))
    asked: list[Inquiry] = []
    for goal in sorted(settings.goals, key=lambda each: each is Property.TERMINATION):
        measures = None
        if goal is Property.TERMINATION:
            measures = Measuring(settings, lambda: workers, False, stopped).measures(reading, stored)
        asked.append(inquire(goal, settings, reading, stored, measures))
        asked[-1].prove(workers, lambda _: None, stopped, lambda: None)
    return Side(name, settings, tuple(asked))


def difference(old: Side, new: Side, seconds: float, told: Callable[[str], None]) -> Difference:
    """`seconds` is for each function that was changed; `told` hears which one is looked at."""
    before, after = old.components, new.components
    worded = old.worded(), new.worded()
    found: list[FunctionDifference] = []
    unchanged = 0
    for name in sorted({*before, *after}):
        if name not in after or name not in before:
            behaviour, side = (Behaviour.REMOVED, old) if name in before else (Behaviour.ADDED, new)
            found.append(FunctionDifference(side.title(name), behaviour, side.span(name), new_contract=side.told(name)))
            continue
        strength = _strength(old, new, name)
        words = [each.functions.get(side.span(name)) for each, side in zip(worded, (old, new), strict=True)]
        same_clauses = _clauses(old, before[name]) == _clauses(new, after[name])
        # Clauses leave open what is not modelled, and suppose that pointers lead to different objects.
        if same_clauses and strength is Strength.SAME and words[0] is not None and words[0] == words[1]:
            unchanged += 1
            continue
        told(name)
        compared = _said(_compared(old, new, name, seconds), *words)
        found.append(
            FunctionDifference(
                new.title(name),
                compared.behaviour,
                new.span(name),
                compared.how,
                strength,
                old.told(name),
                new.told(name),
                compared.example,
                tuple(_relied(old, new, name)) if strength not in (Strength.SAME, Strength.STRONGER) else (),
            )
        )
    first, then = old.inquiry.reading.program, new.inquiry.reading.program
    started = other_start(first, then)
    if started is not None and started not in after and not started.startswith(OURS):
        found.append(FunctionDifference(started, Behaviour.NOT_SHOWN, then.procedure[started].span, STARTED))
    starting = tuple(other_values(first, then)) or tuple(_beginning(*worded))
    return Difference(old.name, new.name, tuple(found), unchanged, tuple(_failing(old, new)), starting=starting)


def _clauses(side: Side, component: Component) -> str:
    return side.inquiry.known.clauses(component)


def _compared(old: Side, new: Side, name: str, seconds: float) -> Compared:
    try:
        first, then = old.program(name), new.program(name)
    except InputError as problem:
        return Compared(Behaviour.NOT_SHOWN, NAMESAKES if "." in name else problem.message)
    # A name is that of the first function that is found, which is another one where the search starts elsewhere.
    if any(program.procedure[name].span != side.span(name) for program, side in ((first, old), (then, new))):
        return Compared(Behaviour.NOT_SHOWN, NAMESAKES)
    try:
        return compare(first, then, name, Budget(seconds=seconds).start())
    except InputError as problem:
        return Compared(Behaviour.NOT_SHOWN, problem.message)


def _beginning(old: Worded, new: Worded) -> Iterator[str]:
    """Where functions are called in any state: whose first state is worded otherwise."""
    for name, words in new.beginnings.items():
        if name in old.beginnings and old.beginnings[name] != words:
            yield f"{name} starts with another value"


def _said(compared: Compared, old: c.Wording | None, new: c.Wording | None) -> Compared:
    """What functions that no file defines are given is compared by its text: nobody knows what they do with it."""
    if compared.behaviour is not Behaviour.SAME or (old and old.elsewhere) == (new and new.elsewhere):
        return compared
    return Compared(Behaviour.NOT_SHOWN, GIVEN)


def _strength(old: Side, new: Side, name: str) -> Strength:
    """Of the new contract, where both speak of the same arguments."""
    before, after = old.components[name].functions[name], new.components[name].functions[name]
    if signature(before) != signature(after):
        return Strength.DIFFERENT
    return strength(_moved(old.contract(name), before, after), new.contract(name))


def strength(first: Term, second: Term) -> Strength:
    """Of the second contract against the first, over the same formals."""
    oracle = Oracle(Budget(seconds=PLAN.strength).start(), query_seconds=PLAN.strength_question, measure_sizes=False)
    forward, back = oracle.entails(second, first, "strength"), oracle.entails(first, second, "strength")
    if forward and back:
        return Strength.SAME
    if forward:
        return Strength.STRONGER
    return Strength.WEAKER if back else Strength.DIFFERENT


def _moved(body: Term, before: Predicate, after: Predicate) -> Term:
    return terms.substitute(body, list(zip(before.formals, after.formals, strict=True)))


def _relied(old: Side, new: Side, name: str) -> Iterator[str]:
    """Callers that relied on the old contract of a function."""
    before, after = old.components[name].functions[name], new.components[name].functions[name]
    if signature(before) != signature(after):
        return
    known = old.inquiry.known.contracts
    earlier = {each.name: each for each in old.inquiry.components}

    def claimed(caller: Component) -> Summaries | None:
        then = earlier.get(caller.name)
        if then is None or not _same_shape(then, caller):
            return None
        pairs = zip(then.own, caller.own, strict=True)
        return {mine.name: _moved(known[theirs.name], theirs, mine) for theirs, mine in pairs}

    yield from relied(new, name, _moved(old.contract(name), before, after), claimed)


def relied(new: Side, name: str, contract: Term, claimed: Callable[[Component], Summaries | None]) -> Iterator[str]:
    """Callers whose proof, with what was claimed of them, would go through if the contract still held, and does not."""
    component = new.components[name]
    known = new.inquiry.known
    for caller in known.parts.callers[component.name]:
        own = claimed(caller)
        if own is None:
            continue
        with_new = accepted(caller, {**known.below(caller), **own})
        with_old = accepted(caller, {**known.below(caller), **own, component.functions[name].name: contract})
        if isinstance(with_old, Accepted) and not isinstance(with_new, Accepted):
            yield caller.name


def _same_shape(one: Component, other: Component) -> bool:
    return [signature(each) for each in one.own] == [signature(each) for each in other.own]


def _failing(old: Side, new: Side) -> Iterator[str]:
    """What was proved and is not any more."""
    before = {str(asked.goal): asked.results for asked in old.inquiries}
    for asked in new.inquiries:
        for name, result in asked.results.items():
            earlier = before.get(str(asked.goal), {}).get(name)
            if earlier is not None and earlier.verdict is Verdict.PROVED:
                yield from not_any_more(result)


def not_any_more(result: FunctionResult) -> Iterator[str]:
    """What is to be said of a result that was a proof."""
    if result.verdict is not Verdict.PROVED:
        where = f"{result.place}: " if result.place.line else ""
        why = f": {where}{result.message}" if result.message else ""
        yield f"{result.function}: {result.goal} was proved, and is {result.verdict} now{why}"
