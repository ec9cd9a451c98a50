"""Whether nothing goes wrong in a function once its callers see to something: proofs, each with its certificate."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sorrel.contracts.entry import EntryState
from sorrel.contracts.meaning import Meaning
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading
from sorrel.evidence.run import REPEATED_STEPS
from sorrel.guess.houdini import Candidates
from sorrel.horn.verdict import Safe, Unknown, Unsafe, Verdict
from sorrel.methods.clauses import decide
from sorrel.methods.preconditions.careful import HOUDINI, careful, guessed, parts_of
from sorrel.methods.preconditions.forgetting import CannotForget, Watched, arrays_of, forgetting, remembered
from sorrel.methods.preconditions.plan import PLAN
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.safety import CheckedProgram, arithmetics
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.plan import Part
from sorrel.model.values import dataclass
from sorrel.program.flattening import flattened
from sorrel.program.interpreter import run
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import Choice, Kind
from sorrel.smt.solver import Oracle

ENGINES = ("spacer", "slices")
PRECONDITIONS = "preconditions"
"""Who answered, where what callers owe was found in place of a run that shows it."""


@dataclass(frozen=True, slots=True, eq=False)
class Proved:
    """`forgotten` are the arrays whose elements make no difference to the proof, by name.

    `rests_on` is what a proof was made of in which nothing overflows that matters.
    """

    outcome: Outcome
    question: ProgramQuestion
    effort: Effort
    forgotten: frozenset[str]
    rests_on: Candidates | None = None

    def finished(self) -> Outcome:
        return self.question.finished(self.outcome, self.effort)


@dataclass(frozen=True, slots=True, eq=False)
class Attempt:
    """The question with what callers grant; `state` is that of the program before any property is looked at."""

    state: EntryState
    said: Sequence[Meaning]
    base: ProgramQuestion
    effort: Effort
    wrapping: bool = False

    def settle(self) -> Proved | Run | None:
        """A proof, a run that goes wrong although callers grant all that is asked, or nothing.

        `wrapping`: whatever overflows wraps round, where that would not be so otherwise.
        """
        question = self._question()
        checked = question.read(Reading(frozenset(), Arithmetic.WRAPPED)) if self.wrapping else question.checked
        program = flattened(checked) or checked
        for arithmetic in (Arithmetic.WRAPPED,) if self.wrapping else arithmetics(question.task):
            for way in (self._forgetting, self._remembering):
                found = way(question, program, arithmetic)
                if found is not None:
                    return found
                if self.effort.clock.expired():
                    return None
        return None

    def _question(self) -> ProgramQuestion:
        return replace(self.base, program=self.state.granting(self.said), looked=None, explored=None, known={})

    def carefully(self, among: Candidates | None = None) -> Proved | None:
        """A proof that nothing overflows on which the property depends, either, from these relations of numbers."""
        question = self._question()
        watching = question.read(Reading(frozenset({Kind.OVERFLOW}), Arithmetic.IDEAL))
        program = flattened(watching)
        if program is None:
            return None

        def decided(encoding: Encoding) -> Verdict:
            clock = PLAN.guessing.of(self.effort.clock)
            return guessed(encoding, Oracle(clock, self.effort.statistics), among)

        found = self._by_forgetting(question, careful(program), Arithmetic.RANGED, decided)
        return found if isinstance(found, Proved) else None

    def _forgetting(self, question: ProgramQuestion, program: Program, arithmetic: Arithmetic) -> Proved | Run | None:
        return self._by_forgetting(question, program, arithmetic, self._decided_by_engines)

    def _decided_by_engines(self, encoding: Encoding) -> Verdict:
        verdict = self._decided(encoding, ENGINES[0], PLAN.attempt)
        return self._decided(encoding, ENGINES[1], PLAN.whole) if isinstance(verdict, Unknown) else verdict

    def _by_forgetting(
        self,
        question: ProgramQuestion,
        program: Program,
        arithmetic: Arithmetic,
        decided: Callable[[Encoding], Verdict],
    ) -> Proved | None:
        for watched in self._watched(program):
            try:
                forgetful = encode(forgetting(program, watched), arithmetic)
            except CannotForget:
                continue
            verdict = decided(forgetful)
            if not isinstance(verdict, Safe):
                continue
            whole = encode(program, arithmetic)
            summaries = remembered(whole, forgetful, verdict.summaries, watched)
            if summaries is not None:
                forgotten = frozenset(array.name for array, place in watched.items() if place is None)
                found = self._accepted(question, program, whole, Safe(summaries, by=verdict.by), forgotten)
                if found is not None:
                    return replace(found, rests_on=parts_of(verdict) if verdict.by == HOUDINI else None)
        return None

    def _remembering(self, question: ProgramQuestion, program: Program, arithmetic: Arithmetic) -> Proved | Run | None:
        whole = encode(program, arithmetic)
        for engine in ENGINES[1:] if arrays_of(program) else ENGINES:
            match self._decided(whole, engine, PLAN.whole):
                case Safe() as verdict:
                    found = self._accepted(question, program, whole, verdict, frozenset())
                    if found is not None:
                        return found
                case Unsafe(derivation):
                    # The program as one procedure takes the same choices; the run with the call tells of the call.
                    repeated = run(question.checked, whole.choices(derivation), steps=REPEATED_STEPS, record=True)
                    is_claim = not any(used.choice is Choice.ABSTRACTION for used in repeated.used)
                    if isinstance(repeated.end, Violated) and is_claim:
                        return repeated
        return None

    def _watched(self, program: Program) -> Iterator[Watched]:
        """What to forget: everything but the zeros that are known to be there, or the strings alone."""
        zeros = {each.contents: each.zero for said in self.said for each in said.witnesses if each.contents}
        arrays = arrays_of(program)
        if arrays:
            yield {array: zeros.get(array) for array in arrays}
        if zeros and len(zeros) < len(arrays):
            yield {array: zeros[array] for array in arrays if array in zeros}

    def _decided(self, encoding: Encoding, engine: str, part: Part) -> Verdict:
        options = replace(self.effort.options, engine=engine, engine_options={})
        clock = part.of(self.effort.clock)
        return decide(encoding.system, replace(self.effort, options=options, clock=clock, proofs=[]), {})

    def _accepted(
        self, question: ProgramQuestion, program: Program, whole: Encoding, verdict: Safe, forgotten: frozenset[str]
    ) -> Proved | None:
        outcome = accept(Solution(whole.system, verdict), self.effort)
        if outcome.answer is not Answer.SAFE:
            return None
        is_flat = len(program.procedures) == 1

        def read_again(reading: Reading) -> Program | None:
            again = question.read(reading)
            return flattened(again) if is_flat else again

        proof = Proof(whole.system, verdict, whole.arithmetic, CheckedProgram(program, read=read_again).again)
        effort = replace(self.effort, proofs=[proof])
        by = f"a precondition that was guessed, and proved by {verdict.by or outcome.decided_by or ENGINES[0]}"
        named = replace(outcome, arithmetic=str(whole.arithmetic), engine=PRECONDITIONS, decided_by=by)
        return Proved(named, question, effort, forgotten)
