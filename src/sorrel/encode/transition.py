"""Programs as transition systems with an explicit counter: vectors of variables, and named relations between them.

Two views. `ThreadView`: one vector V for the whole state: the counter and the locals of each thread, and the globals.
A program without threads is one thread, provided that nothing calls itself. `ProcedureView`: a vector V[f] for each
procedure: its counter, its variables and the globals.

A relation is a list of cases; each case is a conjunction in which counters are compared with constants, so that
clauses made from it can be split by their places.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Protocol

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.semantics import Semantics
from sorrel.encode.steps import ERROR, RETURN, STOP, Explorer, Step, initial_values
from sorrel.encode.survey import semantics_for
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.liveness import live_variables
from sorrel.program.program import Program
from sorrel.program.threads import Thread, Threads

COUNTER = "pc"


@dataclass(frozen=True, slots=True)
class Slot:
    """One place of a vector. `owner`: the thread or procedure it belongs to; None for what is shared."""

    name: str
    sort: Sort
    base: str
    owner: int | str | None = None
    is_counter: bool = False


@dataclass(frozen=True, slots=True, eq=False)
class Case:
    """One way to satisfy a relation. `parts` makes its conjuncts for given vectors, with fresh names for the rest.

    `step` and `thread` say what a run does in it, if it does something.
    """

    parts: Callable[[Sequence[Sequence[Term]], Names], list[Term]]
    span: Span = NOWHERE
    step: Step | None = None
    thread: int | None = None


@dataclass(frozen=True, slots=True, eq=False)
class Relation:
    cases: tuple[Case, ...]


class View(Protocol):
    """What a rule is instantiated on."""

    def members(self, domain: str) -> tuple[str, ...]:
        """The indices that a rule may range over: threads, procedures, or pairs for `calls`."""

    def vector(self, index: str | None) -> tuple[Slot, ...]:
        """The vector of that index, or of the whole state."""

    def relation(self, name: str, indices: tuple[str, ...]) -> Relation | None:
        """A named relation, or None if there is none of that name and so many indices."""


# Threads


@dataclass(slots=True, eq=False)
class ThreadView:
    threads: Threads
    semantics: Semantics
    slots: tuple[Slot, ...] = ()
    counters: dict[int, dict[str, int]] = field(default_factory=dict)
    steps: dict[int, list[Step]] = field(default_factory=dict)

    def members(self, domain: str) -> tuple[str, ...]:
        return tuple(str(thread.number) for thread in self.threads.threads) if domain == "threads" else ()

    def vector(self, index: str | None) -> tuple[Slot, ...]:
        return self.slots

    def relation(self, name: str, indices: tuple[str, ...]) -> Relation | None:
        match name, indices:
            case "init", ():
                return Relation((Case(self._initial),))
            case "next", ():
                return Relation(tuple(self._case(t, s) for t in self.threads.threads for s in self.steps[t.number]))
            case "next", (index,):
                thread = self.threads.threads[int(index)]
                return Relation(tuple(self._case(thread, step) for step in self.steps[thread.number]))
            case "keeps", (index,):
                return Relation((Case(lambda vectors, _: self._keeps(int(index), vectors)),))
            case "error", ():
                return Relation(
                    tuple(self._failed(thread) for thread in self.threads.threads if self._can_fail(thread))
                )
            case "same", ():
                return Relation((Case(lambda vectors, _: equations(vectors[0], vectors[1])),))
        return None

    def place(self, thread: int, counter: int) -> str:
        """The label of a place of a thread, or how it ended."""
        return next(label for label, number in self.counters[thread].items() if number == counter)

    def _can_fail(self, thread: Thread) -> bool:
        return any(step.target == ERROR for step in self.steps[thread.number])

    def _failed(self, thread: Thread) -> Case:
        def parts(vectors: Sequence[Sequence[Term]], names: Names) -> list[Term]:
            place = terms.integer(self.counters[thread.number][ERROR])
            return [terms.equal(self._counter(thread.number, vectors[0]), place)]

        return Case(parts)

    def _counter(self, thread: int, vector: Sequence[Term]) -> Term:
        return next(
            term for slot, term in zip(self.slots, vector, strict=True) if slot.is_counter and slot.owner == thread
        )

    def _keeps(self, thread: int, vectors: Sequence[Sequence[Term]]) -> list[Term]:
        pairs = zip(self.slots, vectors[0], vectors[1], strict=True)
        return [terms.equal(after, before) for slot, before, after in pairs if slot.owner == thread]

    def _initial(self, vectors: Sequence[Sequence[Term]], names: Names) -> list[Term]:
        globals = self.threads.globals
        values, assumed = initial_values(self.semantics, globals, self.threads.initial, names)
        found = list(assumed)
        for slot, term in zip(self.slots, vectors[0], strict=True):
            if slot.is_counter:
                entry = self.threads.threads[int(slot.owner or 0)].procedure.entry
                found.append(terms.equal(term, terms.integer(self.counters[int(slot.owner or 0)][entry])))
            elif slot.owner is None:
                found.append(terms.equal(term, values[slot.name]))
            else:
                found.append(terms.equal(term, nothing(slot.sort)))
        return found

    def _case(self, thread: Thread, step: Step) -> Case:
        number = thread.number
        live = live_variables(thread.procedure)
        kept = {each.name for each in live.get(step.target, frozenset())}

        def parts(vectors: Sequence[Sequence[Term]], names: Names) -> list[Term]:
            before, after = vectors
            rename = renaming(step, {s.name: t for s, t in zip(self.slots, before, strict=True)}, names)
            places = self.counters[number]
            found = [terms.equal(self._counter(number, before), terms.integer(places[step.source]))]
            found += self._nobody_stopped(number, before)
            found += terms.substitute_all([*step.conditions, *step.facts], rename)
            for slot, here, there in zip(self.slots, before, after, strict=True):
                if slot.is_counter:
                    new = terms.integer(places[step.target]) if slot.owner == number else here
                elif slot.owner == number and slot.name not in kept:
                    new = nothing(slot.sort)
                elif slot.owner in (number, None):
                    new = terms.substitute(step.values[slot.name], rename)
                else:
                    new = here
                found.append(terms.equal(there, new))
            return found

        return Case(parts, step.span, step, number)

    def _nobody_stopped(self, thread: int, vector: Sequence[Term]) -> list[Term]:
        """Once a thread has ended the whole run, no other one goes on."""
        stopping = [t.number for t in self.threads.threads if any(s.target == STOP for s in self.steps[t.number])]
        return [
            terms.negation(terms.equal(self._counter(each, vector), terms.integer(self.counters[each][STOP])))
            for each in stopping
            if each != thread
        ]


def thread_view(threads: Threads, arithmetic: Arithmetic) -> ThreadView:
    procedures = tuple(thread.procedure for thread in threads.threads)
    semantics = semantics_for(Program(procedures, threads.globals), arithmetic)
    view = ThreadView(threads, semantics)
    slots: list[Slot] = []
    single = len(threads.threads) == 1
    for thread in threads.threads:
        order = [label for label in reverse_postorder(thread.procedure) if label in thread.cuts]
        view.counters[thread.number] = {label: n for n, label in enumerate([*order, RETURN, STOP, ERROR])}
        variables = (*thread.locals, *threads.globals)
        view.steps[thread.number] = Explorer(semantics, thread.procedure, thread.cuts, variables).run()
        name = COUNTER if single else f"{COUNTER}.{thread.number}"
        slots.append(Slot(name, terms.INT, COUNTER, thread.number, is_counter=True))
        shown = thread.procedure.source_names
        slots += [
            Slot(each.name, semantics.sort(each.type), shown.get(each.name, each.name), thread.number)
            for each in _kept_anywhere(thread)
        ]
    slots += [Slot(each.name, semantics.sort(each.type), each.name) for each in threads.globals]
    view.slots = tuple(slots)
    return view


def _kept_anywhere(thread: Thread) -> list[Variable]:
    """Locals whose value at some cut can still matter."""
    live = live_variables(thread.procedure)
    needed = {each for label in thread.cuts for each in live.get(label, frozenset())}
    return [each for each in thread.locals if each in needed]


# What both views need


def renaming(step: Step, here: Mapping[str, Term], names: Names) -> list[tuple[Term, Term]]:
    """From the variables of the step's terms to those of a clause; what was chosen gets fresh names."""
    pairs: list[tuple[Term, Term]] = []
    known: set[int] = set()
    for name, variable in step.start.items():
        known.add(variable.get_id())
        target = here.get(name)
        pairs.append((variable, target if target is not None else names.variable(name, variable.sort())))
    chosen = walk.free_variables(*step.conditions, *step.facts, *step.values.values())
    pairs += [(v, names.variable(terms.name_of(v), v.sort())) for v in chosen if v.get_id() not in known]
    return pairs


def equations(left: Sequence[Term], right: Sequence[Term]) -> list[Term]:
    return [terms.equal(a, b) for a, b in zip(left, right, strict=True)]


def nothing(sort: Sort) -> Term:
    """The value of a variable that nobody reads any more."""
    return terms.default_value(sort)
