"""Two versions of a project, function by function: what they do, what is proved of them, who relied on what is gone."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from sorrel.encode.encoding import encoding_of
from sorrel.evidence.result import Accepted
from sorrel.frontends import c
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError, Span
from sorrel.model.source import Source
from sorrel.modular.canonical import signature
from sorrel.modular.comparing import Compared, compare
from sorrel.modular.component import Component
from sorrel.modular.inquiry import OURS, Inquiry, inquire
from sorrel.modular.judging import accepted
from sorrel.modular.pool import Workers
from sorrel.modular.reading import read
from sorrel.program.program import Program
from sorrel.project.difference import Behaviour, Difference, FunctionDifference, Strength
from sorrel.project.result import Verdict
from sorrel.project.settings import Settings
from sorrel.project.sources import sources
from sorrel.smt.solver import Oracle
from sorrel.store import lockfile
from sorrel.store.lockfile import Contents

CONTRACT_SECONDS = 3.0


@dataclass(frozen=True, slots=True)
class Side:
    """A version of the project, with what is proved of it; `name` is what the user calls it."""

    name: str
    settings: Settings
    inquiry: Inquiry

    @property
    def components(self) -> Mapping[str, Component]:
        """By function, those that a user has written."""
        return {
            name: component
            for component in self.inquiry.components
            for name in component.functions
            if not name.startswith(OURS)
        }

    def program(self, function: str) -> Program:
        """The version as a program that starts with the function."""
        os.chdir(self.settings.folder)
        files = sources(self.settings)
        given = [Source(name) for name in files.files]
        base = c.CSettings(c.DataModel(self.settings.model), files.include, files.define, function)
        return c.read(given, base)

    def contract(self, function: str) -> Term:
        known = self.inquiry.known
        return known.contracts[self.components[function].functions[function].name]

    def told(self, function: str) -> tuple[str, ...]:
        """The contract in the user's syntax."""
        encoding = encoding_of(self.inquiry.known.parts.pieces)
        name = self.components[function].functions[function].name
        oracle = Oracle(Budget(seconds=CONTRACT_SECONDS).start(), query_seconds=0.5, measure_sizes=False)
        found = encoding.contracts({name: self.inquiry.known.contracts[name]}, oracle)
        return tuple(
            line
            for contract in found
            for line in (
                *(f"requires {text}" for text in contract.requires),
                *(f"ensures {text}" for text in contract.conjuncts),
            )
        )


def proved_side(
    name: str, settings: Settings, workers: Workers, stopped: Callable[[], bool], contents: Contents | None = None
) -> Side:
    """The version with contracts for all its functions, for the first of its properties; nothing is written."""
    os.chdir(settings.folder)
    reading = read(settings, sources(settings))
    stored = contents if contents is not None else lockfile.read(Path(lockfile.NAME))
    inquiry = inquire(settings.goals[0], settings, reading, stored)
    inquiry.prove(workers, lambda _: None, stopped, lambda: None)
    return Side(name, settings, inquiry)


def difference(old: Side, new: Side, seconds: float, told: Callable[[str], None]) -> Difference:
    """`seconds` is for each function that was changed; `told` hears which one is looked at."""
    before, after = old.components, new.components
    found: list[FunctionDifference] = []
    unchanged = 0
    for name in sorted({*before, *after}):
        if name not in after or name not in before:
            behaviour, side = (Behaviour.REMOVED, old) if name in before else (Behaviour.ADDED, new)
            found.append(FunctionDifference(name, behaviour, _span(side, name), new_contract=side.told(name)))
            continue
        strength = _strength(old, new, name)
        if _clauses(old, before[name]) == _clauses(new, after[name]) and strength is Strength.SAME:
            unchanged += 1
            continue
        told(name)
        compared = _compared(old, new, name, seconds)
        found.append(
            FunctionDifference(
                name,
                compared.behaviour,
                _span(new, name),
                compared.how,
                strength,
                old.told(name),
                new.told(name),
                compared.example,
                tuple(_relied(old, new, name)) if strength not in (Strength.SAME, Strength.STRONGER) else (),
            )
        )
    return Difference(old.name, new.name, tuple(found), unchanged, tuple(_failing(old, new)))


def _clauses(side: Side, component: Component) -> str:
    return side.inquiry.known.clauses(component)


def _span(side: Side, name: str) -> Span:
    return side.inquiry.known.parts.pieces.program.procedure[name].span


def _compared(old: Side, new: Side, name: str, seconds: float) -> Compared:
    try:
        return compare(old.program(name), new.program(name), name, Budget(seconds=seconds).start())
    except InputError as problem:
        return Compared(Behaviour.NOT_SHOWN, problem.message)


def _strength(old: Side, new: Side, name: str) -> Strength:
    """Of the new contract, where both speak of the same arguments."""
    before, after = old.components[name].functions[name], new.components[name].functions[name]
    if signature(before) != signature(after):
        return Strength.DIFFERENT
    first = terms.substitute(old.contract(name), list(zip(before.formals, after.formals, strict=True)))
    second = new.contract(name)
    oracle = Oracle(Budget(seconds=CONTRACT_SECONDS).start(), query_seconds=1.0, measure_sizes=False)
    forward, back = oracle.entails(second, first, "strength"), oracle.entails(first, second, "strength")
    if forward and back:
        return Strength.SAME
    if forward:
        return Strength.STRONGER
    return Strength.WEAKER if back else Strength.DIFFERENT


def _relied(old: Side, new: Side, name: str) -> Iterator[str]:
    """Callers whose proof in the new version would go through if the old contract still held."""
    before, component = old.components[name].functions[name], new.components[name]
    after = component.functions[name]
    if signature(before) != signature(after):
        return
    claimed = terms.substitute(old.contract(name), list(zip(before.formals, after.formals, strict=True)))
    known = new.inquiry.known
    for caller in known.parts.callers[component.name]:
        earlier = {each.name: each for each in old.inquiry.components}.get(caller.name)
        if earlier is None or not _same_shape(earlier, caller):
            continue
        pairs = zip(earlier.own, caller.own, strict=True)
        own = {
            mine.name: terms.substitute(
                old.inquiry.known.contracts[theirs.name], list(zip(theirs.formals, mine.formals, strict=True))
            )
            for theirs, mine in pairs
        }
        with_new = accepted(caller, {**known.below(caller), **own})
        with_old = accepted(caller, {**known.below(caller), **own, after.name: claimed})
        if isinstance(with_old, Accepted) and not isinstance(with_new, Accepted):
            yield caller.name


def _same_shape(one: Component, other: Component) -> bool:
    return [signature(each) for each in one.own] == [signature(each) for each in other.own]


def _failing(old: Side, new: Side) -> Iterator[str]:
    """What was proved and is not any more."""
    for name, result in new.inquiry.results.items():
        earlier = old.inquiry.results.get(name)
        if earlier is None or earlier.verdict is not Verdict.PROVED or result.verdict is Verdict.PROVED:
            continue
        where = f"{result.place}: " if result.place.line else ""
        why = f": {where}{result.message}" if result.message else ""
        yield f"{name}: {result.goal} was proved, and is {result.verdict} now{why}"
