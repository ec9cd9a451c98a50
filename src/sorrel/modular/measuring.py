"""Measures for loops and recursion, looked for where the stored ones show nothing (docs/modular-evidence.md).

Each group of procedures that call each other is a question of its own: its steps from any state whatsoever. First
nothing is known of what other procedures return; where that is not enough, those that are called are looked into.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import field

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.descent import Descents, Group
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_system
from sorrel.horn.verdict import Rank, Terminating
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, InternalError
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.modular.inquiry import Inquiry, inquire, stored_measures
from sorrel.modular.pool import Answer, Workers
from sorrel.modular.reading import Reading
from sorrel.program.checks import instrument
from sorrel.program.descending import Form, Measure, Measures
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.project.settings import Settings
from sorrel.smt.linear import linear_form
from sorrel.store.block import Claim
from sorrel.store.lockfile import Contents

LEVELS = (0, 2)
"""Through how many levels of calls procedures outside of a group are looked into."""


@dataclass(slots=True, eq=False)
class Measuring:
    """Who is asked if anybody has to be, for how long, and whether what was left open before is asked again.

    What is stored is checked first, in `jobs` processes at once.
    """

    settings: Settings
    workers: Callable[[], Workers]
    retry: bool
    stopped: Callable[[], bool]
    jobs: int = 1
    found: dict[str, Measure] = field(default_factory=dict)

    def measures(self, reading: Reading, contents: Contents) -> Measures:
        """Those that are stored, with new ones where they do not show what they are there for."""
        before = inquire(Property.TERMINATION, self.settings, reading, contents)
        stored = stored_measures(contents, before.known.about)
        wanted = self._wanted(before)
        program, _ = loops_as_procedures(instrument(reading.program, frozenset()))
        descents = Descents(program, Arithmetic.IDEAL)
        waiting = [group for group in descents.groups if wanted & {*group.procedures}]
        if waiting:
            workers = self.workers()
            for level in LEVELS:
                waiting = self._asked(workers, program, descents, waiting, level)
        return {**stored, **self.found}

    def _wanted(self, before: Inquiry) -> set[str]:
        """Procedures whose stored measure does not lead to a proof, as far as nobody tried in vain before."""
        before.check_stored(self.jobs, (), self.stopped)
        before.prove(None, lambda _: None, self.stopped, lambda: None)
        settled = before.known.settled
        found: set[str] = set()
        for component in before.components:
            if not settled.get(component.name) and (self.retry or not self._left_open(before, component.name)):
                found |= {*component.procedures}
        return found

    def _left_open(self, before: Inquiry, name: str) -> bool:
        component = next(each for each in before.components if each.name == name)
        blocks = before.contents.blocks.get((before.known.identity(component), before.known.about), [])
        return any(
            block.verdict is Claim.UNKNOWN
            and block.seconds >= self.settings.limits.seconds
            and block.clauses == before.known.clauses(component)
            for block in blocks
        )

    def _asked(
        self, workers: Workers, program: Program, descents: Descents, groups: Sequence[Group], level: int
    ) -> list[Group]:
        """Ask about all of them at once; those that are left without a measure for all steps."""
        asked: dict[str, tuple[Group, HornSystem]] = {}
        for group in groups:
            inside = _called(program, group, level)
            if level and not inside:
                continue
            system = descents.system(group, inside)
            question = {"kind": "ranks", "system": write_system(system), "seeds": ""}
            asked[group.procedures[0]] = group, system
            workers.submit(group.procedures[0], {**question, "seconds": self.settings.limits.seconds})
        left: list[Group] = []
        while asked and not self.stopped():
            for name, answer in workers.answers():
                group, system = asked.pop(name)
                self.found.update(_read(program, group, system, answer))
                if not answer.get("settled"):
                    left.append(group)
        return left


def _called(program: Program, group: Group, levels: int) -> frozenset[str]:
    """Procedures outside of the group, through so many levels of calls."""
    found = {*group.procedures}
    for _ in range(levels):
        found |= {callee for name in found for callee in program.procedure[name].callees}
    return frozenset(found - {*group.procedures})


def _read(program: Program, group: Group, system: HornSystem, answer: Answer) -> Iterator[tuple[str, Measure]]:
    """What an answer claims to go down, for each procedure; nothing if it has not the form of a claim."""
    text = answer.get("ranks")
    try:
        claimed = read_certificate(system, text, "answer") if isinstance(text, str) and text else None
    except (InputError, InternalError):
        return
    ranks = claimed.ranks.get(group.obligation.name, ()) if isinstance(claimed, Terminating) else ()
    if not ranks or not ranks[0].components:
        return
    measures = [measure_of(program.procedure[name], group, ranks[0]) for name in group.procedures]
    if all(measure is not None for measure in measures):
        yield from ((name, each) for name, each in zip(group.procedures, measures, strict=True) if each is not None)


def measure_of(procedure: Procedure, group: Group, rank: Rank) -> Measure | None:
    """The rank where the procedure is entered, over what it is given; None if it is not linear in that."""
    places = list(zip(group.inputs, group.variables, group.obligation.before, strict=True))
    values: list[tuple[Term, Term]] = []
    names: dict[int, str] = {}
    for (owner, _), variable, formal in places:
        if variable is None:
            values.append((formal, terms.integer(1 if owner == procedure.name else 0)))
        elif owner != procedure.name:
            values.append((formal, terms.default_value(formal.sort())))
        else:
            own = procedure.parameters
            names[terms.identity(formal)] = f"#{own.index(variable)}" if variable in own else variable.name
    forms = [_form(component, values, names) for component in rank.components]
    found = tuple(form for form in forms if form is not None)
    return found if len(found) == len(forms) else None


def _form(component: Term, values: list[tuple[Term, Term]], names: dict[int, str]) -> Form | None:
    cut = terms.is_ite(component)
    form = linear_form(terms.substitute(terms.children(component)[1] if cut else component, values))
    weights = [(names.get(terms.identity(form.columns[c])), weight) for c, weight in form.coefficients.items()]
    whole = all(name is not None and weight.denominator == 1 for name, weight in weights)
    if not whole or form.constant.denominator != 1:
        return None
    return Form(tuple(sorted((str(name), int(weight)) for name, weight in weights)), int(form.constant), cut)
