"""From a run that goes wrong to what callers must see to: guessed from calls, proved, and told with that run.

Guesses are conjunctions of conditions that exclude every call that was seen to go wrong and still let calls get past
every assertion that safe calls get past. What is told is what was proved: the text is read, and the proof is about
what it means.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.contracts.entry import EntryState
from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.effort import Effort, Reading
from sorrel.guess.houdini import Candidates
from sorrel.methods.features import Subject
from sorrel.methods.preconditions.atoms import Atom, atoms, read, word
from sorrel.methods.preconditions.careful import bearing, moderate
from sorrel.methods.preconditions.plan import PLAN
from sorrel.methods.preconditions.proving import Attempt, Proved
from sorrel.methods.preconditions.sampling import Call, Judge, called, calls
from sorrel.methods.preconditions.selection import Candidate, Selection, conjoined
from sorrel.methods.preconditions.separation import separated, unnamed
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.reading import PLAIN, instrumented
from sorrel.model.assumption import APART, AssumptionKind, Premise
from sorrel.model.errors import InputError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    ContractKind,
    Outcome,
    ProgramContract,
)
from sorrel.model.property import Property
from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE
from sorrel.program.flattening import flattened
from sorrel.program.program import Program
from sorrel.program.run import Run
from sorrel.program.statement import Kind
from sorrel.program.types import Machine
from sorrel.program.visible import EntryKind

MOST_ATTEMPTS, MOST_ROUNDS = 6, 12
WITHOUT_OVERFLOW = Reading(frozenset({Kind.OVERFLOW}), Arithmetic.IDEAL)
"""In which a call in which something overflows is one that goes wrong."""
_ABOUT_OPERATIONS = frozenset(
    {
        Property.NO_OVERFLOW,
        Property.VALID_DEREF,
        Property.VALID_MEMSAFETY,
        Property.NO_DIVISION_BY_ZERO,
    }
)
"""What goes wrong in an operation may be the caller's fault; a program's own assertion is what is asked about."""
_RANGE = re.compile(r"\\valid(?:_read)?\((?P<pointer>[^()+]+?)(?P<range> \+ \(.*\))?\)$")
_STRING = re.compile(r"\\valid(?:_read)?_string\((?P<pointer>[^()]+)\)$")


@dataclass(frozen=True, slots=True, eq=False)
class Owed:
    """What a function asks of its callers, clause by clause."""

    clauses: tuple[str, ...]
    kept: int
    safe: int

    @property
    def text(self) -> str:
        return conjoined(self.clauses)


def is_asked_for(question: ProgramQuestion, outcome: Outcome) -> bool:
    return (
        outcome.answer is Answer.UNSAFE
        and question.task.goal in _ABOUT_OPERATIONS
        and outcome.violation is not None
        and question.subject is Subject.PROGRAM
        and EntryState.of(question.program) is not None
    )


def owed(question: ProgramQuestion, found: Outcome, effort: Effort) -> Outcome:
    """What callers must see to so that the run cannot happen, if that can be found and proved; else the run."""
    state = EntryState.of(question.program)
    if state is None or not is_asked_for(question, found):
        return found
    effort.report(found)
    effort.progress({"phase": "preconditions"})
    limited = replace(effort, clock=PLAN.attempts.of(effort.clock), report=lambda _: None)
    return _Inference(question, EntryState(state.relaxed()), found, limited).result() or found


@dataclass(frozen=True, slots=True, eq=False)
class _Guess:
    """A candidate that was proved, and the calls that it was chosen by."""

    candidate: Candidate
    proved: Proved
    selection: Selection
    seen: Sequence[Call]


@dataclass(frozen=True, slots=True, eq=False)
class _Inference:
    question: ProgramQuestion
    state: EntryState
    found: Outcome
    effort: Effort

    def result(self) -> Outcome | None:
        guess = self._guessed(PLAIN)
        if guess is None or not guess.candidate.atoms:
            return None
        moderated = self._moderated(guess) if guess.proved.rests_on is None else None
        return moderated or self._worth(guess)

    def _moderated(self, guess: _Guess) -> Outcome | None:
        """With all that keeps numbers away from the ends of their types, of which what is not needed is left out."""
        if self.question.task.goal is Property.NO_OVERFLOW:
            return None
        base = list(guess.candidate.atoms)
        more = self._keeping_from_overflow(guess.candidate)
        selection = Selection([*base, *more], guess.seen)
        chosen = selection.together([*base, *more])
        proved = self._carefully(chosen) if chosen is not None else None
        if chosen is None or proved is None:
            return None
        for atom in [*(each for each in base if "==>" in each.text), *more]:
            fewer = selection.together([each for each in chosen.atoms if each is not atom])
            again = self._carefully(fewer, proved.rests_on) if fewer is not None else None
            if fewer is not None and again is not None:
                chosen, proved = fewer, again
        told = self._told(chosen, proved, guess.seen)
        return told if told is not None and told.answer.is_proof else None

    def _keeping_from_overflow(self, candidate: Candidate) -> list[Atom]:
        watching = instrumented(self.state.program, self.question.task, WITHOUT_OVERFLOW)
        strings = [text for atom in candidate.atoms for text in _conjuncts(atom.text) if _STRING.match(text)]
        among = bearing(flattened(watching) or watching)
        texts = moderate(self.state, EntryState(watching), among, strings)
        return list(read(self.state, ((text, 1) for text in texts)))

    def _carefully(self, candidate: Candidate, among: Candidates | None = None) -> Proved | None:
        return Attempt(self.state, [self.state.meaning(candidate.text)], self.question, self.effort).carefully(among)

    def _guessed(self, reading: Reading) -> _Guess | None:
        """The first that is proved, by calls of the program in this reading."""
        checked = EntryState(instrumented(self.state.program, self.question.task))
        watched = EntryState(instrumented(self.state.program, self.question.task, reading))
        seen = calls(watched)
        selection = Selection(atoms(checked), seen)
        tried: set[str] = set()
        for _ in range(MOST_ROUNDS):
            candidate = next((each for each in selection.candidates() if each.text not in tried), None)
            if candidate is None or self.effort.clock.expired() or len(tried) >= MOST_ATTEMPTS:
                return None
            tried.add(candidate.text)
            match self._attempt(candidate):
                case Proved() as proved:
                    return _Guess(candidate, proved, selection, seen)
                case Run() as wrong:
                    more = called(watched, wrong)
                    if more is not None:
                        selection.add(more)
        return None

    def _worth(self, guess: _Guess) -> Outcome | None:
        """A proof that takes for granted what is false is none: a number that does not go to its end may help.

        So may a guess by calls in which nothing overflows. If nothing helps, the run is told, and what would be enough
        but for that.
        """
        candidate, proved, selection, seen = guess.candidate, guess.proved, guess.selection, guess.seen
        told = self._told(candidate, proved, seen)
        if told is None or told.answer.is_proof:
            return told
        for smaller in (candidate, *selection.strengthened(candidate, _below_the_ends(self.state))):
            for wrapping in (False, True) if smaller is not candidate else (True,):
                again = self._attempt(smaller, wrapping=wrapping)
                better = self._told(smaller, again, seen) if isinstance(again, Proved) else None
                if better is not None and better.answer.is_proof:
                    return better
        careful = self._guessed(WITHOUT_OVERFLOW) if not self.effort.clock.expired() else None
        if careful is not None and careful.candidate.atoms:
            better = self._told(careful.candidate, careful.proved, careful.seen)
            if better is not None and better.answer.is_proof:
                return better
        clauses = clauses_of(self.state, [atom.text for atom in candidate.atoms], proved.forgotten)
        note = f"this would be enough, if what is not so could be relied on: requires {conjoined(clauses)}"
        why = f"{note} ({told.reason.message.splitlines()[0]})" if told.reason else note
        return replace(self.found, notes=(*self.found.notes, why))

    def _attempt(self, candidate: Candidate, *, wrapping: bool = False) -> Proved | Run | None:
        said = [self.state.meaning(candidate.text)] if candidate.atoms else []
        attempt = Attempt(self.state, said, self.question, self.effort, wrapping)
        is_plain = not wrapping and self.question.task.goal is not Property.NO_OVERFLOW
        return (attempt.carefully() if is_plain else None) or attempt.settle()

    def _told(self, candidate: Candidate, proved: Proved, seen: Sequence[Call]) -> Outcome | None:
        clauses = clauses_of(self.state, [atom.text for atom in candidate.atoms], proved.forgotten)
        owed = Owed(clauses, candidate.kept, candidate.safe)
        if not self._is_met(owed, seen):
            return None
        program = replace(
            proved.question.program,
            assumptions=tuple(p for p in proved.question.program.assumptions if not is_said(self.state, p)),
        )
        proved = replace(proved, question=replace(proved.question, program=program))
        given = replace(proved.outcome, assumptions=(*proved.outcome.assumptions, self._assumption(owed)))
        outcome = replace(proved, outcome=given).finished()
        return self._with_contract(outcome, owed)

    def _is_met(self, owed: Owed, seen: Sequence[Call]) -> bool:
        """Whether some call that went well satisfies the text as it is told."""
        try:
            test = Judge(self.state.meaning(owed.text))
        except InputError:
            return False
        return any(call.is_safe and test.holds(call.state) for call in seen)

    def _assumption(self, owed: Owed) -> Assumption:
        excluded = owed.safe - owed.kept
        enough = "sufficient"
        if excluded:
            enough += f"; it excludes {excluded} of {owed.safe} calls that went well when they were tried"
        return Assumption(
            AssumptionKind.PRECONDITION,
            f"requires {owed.text}",
            detail=enough,
            violation=self.found.violation,
            choices=self.found.choices,
            run=self.found.run,
            words=owed.text,
        )

    def _with_contract(self, outcome: Outcome, owed: Owed) -> Outcome:
        procedure = self.question.program.procedure[self.state.function]
        contract = ProgramContract(procedure.name, ContractKind.FUNCTION, procedure.span, (), owed.clauses)
        others = tuple(each for each in outcome.program_contracts if each.procedure != procedure.name)
        known = (contract, *others)
        return replace(outcome, program_contracts=known, harness=self.found.harness, replay=self.found.replay)


def is_said(state: EntryState, premise: Premise) -> bool:
    """Whether the clauses of a precondition say it: that pointers are apart, if all that they may meet has a name."""
    return APART in premise.text and not unnamed(state)


def stated(question: ProgramQuestion, outcome: Outcome) -> Outcome:
    """A proof that takes for granted what pointers lead to, with that in ACSL on its first line."""
    state = EntryState.of(question.program)
    if state is None or not outcome.answer.is_proof or any(_is_inferred(each) for each in outcome.assumptions):
        return outcome
    words = " && ".join(clauses_of(state, (), frozenset(), relaxed=False))
    told = tuple(replace(each, words=words) if APART in each.text else each for each in outcome.assumptions)
    return requiring(question.program, replace(outcome, assumptions=told)) if words else outcome


def requiring(program: Program, outcome: Outcome) -> Outcome:
    """What is told of the function that is called from outside requires what is taken for granted of its pointers."""
    state = EntryState.of(program)
    words = " && ".join(clauses_of(state, (), frozenset(), relaxed=False)) if state is not None else ""
    if state is None or not words:
        return outcome
    contracts = tuple(
        replace(each, requires=(words, *each.requires)) if _rests_on_pointers(each, state.function) else each
        for each in outcome.program_contracts
    )
    return replace(outcome, program_contracts=contracts)


def _rests_on_pointers(contract: ProgramContract, function: str) -> bool:
    return contract.procedure == function and contract.kind is ContractKind.FUNCTION and bool(contract.conjuncts)


def _is_inferred(assumption: Assumption) -> bool:
    return assumption.kind is AssumptionKind.PRECONDITION


def clauses_of(
    state: EntryState, found: Sequence[str], forgotten: frozenset[str], *, relaxed: bool = True
) -> tuple[str, ...]:
    """What was found, with what the state before the call takes for granted itself: what is there, and apart.

    `relaxed`: pointers may lead to nothing, unless that would show.
    """
    parts = [part for text in found for part in _conjuncts(text)]
    lengths = dict(_ranges(parts))
    certain = ((pointer, word(state, pointer)) for pointer in _certain(state, relaxed))
    whole = [f"{said}({pointer})" for pointer, said in certain if not _is_there(pointer, said, parts)]
    apart = separated(state, lengths, forgotten)
    return tuple(dict.fromkeys((*whole, *parts, *apart)))


def _below_the_ends(state: EntryState) -> list[str]:
    """That a signed number is not the largest of its type, or not the smallest."""
    numbers = [(text, variable.type) for text, variable in state.vocabulary.now.items()]
    signed = [(text, type) for text, type in numbers if isinstance(type, Machine) and type.signed]
    return [each for text, type in signed for each in (f"{text} < {type.largest}", f"{type.smallest} < {text}")]


def _conjuncts(text: str) -> list[str]:
    return [text] if "==>" in text or "||" in text else text.split(" && ")


def _certain(state: EntryState, relaxed: bool) -> Iterator[str]:
    """Pointers to single objects, which are always there; and those that are never to nothing: that would show."""
    for part in state.program.entry_parts:
        if part.kind is EntryKind.LENGTH and part.text in state.vocabulary.pointers:
            is_inner = state.vocabulary.pointers[part.text].there != TRUE
            if not is_inner and (not part.variable or part.compared or not relaxed):
                yield part.text


def _is_there(pointer: str, said: str, parts: Sequence[str]) -> bool:
    """Whether it is said already that there is something: by itself, or as the first of so many."""
    plain = {f"\\{each}({pointer})" for each in ("valid", "valid_read", "valid_read_string", "valid_string")}
    several = re.compile(rf"{re.escape(said)}\({re.escape(pointer)} \+ \(0 \.\. \d+\)\)")
    return any(part in plain or several.fullmatch(part) for part in parts)


def _ranges(parts: Sequence[str]) -> Iterator[tuple[str, str]]:
    """How far each pointer goes, as a set of places."""
    for text in parts:
        if string := _STRING.match(text):
            yield string["pointer"], f"{string['pointer']} + (0 .. strlen({string['pointer']}))"
        elif found := _RANGE.match(text):
            yield found["pointer"], f"{found['pointer']}{found['range'] or ''}"
