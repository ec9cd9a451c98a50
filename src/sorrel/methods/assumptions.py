"""What a proof takes for granted: proved, refuted, not needed, or open; and what the answer is worth then.

Every kind of operation that may go wrong is looked at while the others are assumed not to. That is no circle: the first
operation of a run that goes wrong is of one kind, and the proof about that kind excludes it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.engines.registry import ENGINES
from sorrel.evidence.certificate import check
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.evidence.result import Accepted
from sorrel.evidence.run import REPEATED_STEPS, smallest
from sorrel.horn.clause import Predicate, Role
from sorrel.horn.exchange import ALONE
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unsafe
from sorrel.logic import terms, walk
from sorrel.methods.clauses import decide
from sorrel.methods.plan import PLAN
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, Standing
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.program.checks import REASONS
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Run, Violated
from sorrel.program.statement import Assert, Assume, Choice, Kind, Statement
from sorrel.program.threads import has_threads
from sorrel.replay.telling import chosen, tell, violation
from sorrel.testing.probe import FIRST_STEPS, explored_violation, probe

ENGINES_FOR_ASSUMPTIONS = ("slices", "clover")
HAZARDS = (Kind.BOUNDS, Kind.DIVISION)
"""What may go wrong so that nothing is known of the run any more; overflow is of another kind, since it may wrap."""
ENDINGS = (Kind.LIFETIME, Kind.FREE)
"""The same for objects that have ended. A run shows nothing of objects that it did not watch."""
THE_SAME, ANOTHER, FOLLOWED = "by the same proof", "by another proof", "by following all runs"
WRAPPING_TEXT = "signed overflow wraps around (as with gcc -fwrapv), and some run overflows"
ALL_RUNS = "the program has no inputs, and its only run shows it"


@dataclass(frozen=True, slots=True, eq=False)
class ProvedProgram:
    """A program whose property was proved: how it is read with other assertions, and what was asked for.

    `overflow`: the answer takes for granted that nothing overflows.
    """

    read: Callable[[Reading], Program]
    checked: Program
    overflow: bool

    @staticmethod
    def of(checked: Program, task: Task, read: Callable[[Reading], Program]) -> ProvedProgram:
        return ProvedProgram(read, checked, task.goal is not Property.NO_OVERFLOW and not task.is_java)

    @property
    def kinds(self) -> list[Kind]:
        """What was assumed not to go wrong in place of being looked at."""
        there = _asserted(self.read(Reading(frozenset({*ENDINGS, Kind.OVERFLOW}), Arithmetic.IDEAL)))
        looked_at = _asserted(self.checked)
        endings = [kind for kind in ENDINGS if kind in there and kind not in looked_at]
        return [*self._hazards(), *endings, *([Kind.OVERFLOW] if self.overflow and Kind.OVERFLOW in there else [])]

    def _hazards(self) -> list[Kind]:
        reasons = {
            statement.reason
            for procedure in self.checked.procedures
            for block in procedure.blocks
            for statement in block.statements
            if isinstance(statement, Assume)
        }
        return [kind for kind in HAZARDS if REASONS[kind] in reasons]


def _asserted(program: Program) -> set[Kind]:
    """The kinds of assertions in the program."""
    return {
        statement.kind
        for procedure in program.procedures
        for block in procedure.blocks
        for statement in block.statements
        if isinstance(statement, Assert)
    }


def unsettled(proved: ProvedProgram) -> tuple[Assumption, ...]:
    """What the proof did not look at, as long as nothing more is known."""
    return tuple(map(assumption_of, proved.kinds))


def settled(proved: ProvedProgram, effort: Effort) -> tuple[Assumption, ...]:
    """Whether what may go wrong was proved not to, for each kind that the proof did not look at."""
    kinds = proved.kinds
    if not kinds:
        return ()
    effort.progress({"phase": "assumptions"})
    most = min(PLAN.settling.seconds, max(PLAN.settling_least, PLAN.settling_of_proof * METER.now()))
    clock = effort.clock.share(PLAN.settling.share, at_most=most)
    own = replace(effort, clock=clock, report=lambda _: None)
    found = _Settling(proved, own, dict.fromkeys(kinds)).run()
    return tuple(found[kind] or assumption_of(kind) for kind in kinds)


def assumption_of(kind: Kind) -> Assumption:
    return Assumption.that(AssumptionKind(kind.value))


@dataclass(slots=True, eq=False)
class _Settling:
    """`found` has an assumption for each kind that is settled, and None for the others.

    `granted`: kinds that take no more of the user's time, since they are assumed on their word.
    """

    proved: ProvedProgram
    effort: Effort
    found: dict[Kind, Assumption | None]
    granted: frozenset[Kind] = frozenset()

    def run(self) -> dict[Kind, Assumption | None]:
        if self.effort.only_run:
            for kind in self.found:
                if kind not in ENDINGS:
                    self._settle(kind, ALL_RUNS)
        self._go_through((self._same_proof, self._by_running, self._same_proof_by_kind))
        self.granted = frozenset(Kind(kind) for kind in self.effort.options.assuming if kind in set(Kind))
        self._go_through((self._by_exploring, self._afresh))
        return self.found

    def _go_through(self, steps: Sequence[Callable[[], None]]) -> None:
        for step in steps:
            if not self._worthwhile or self.effort.clock.expired():
                return
            step()

    @property
    def _unsettled(self) -> list[Kind]:
        return [kind for kind, found in self.found.items() if found is None and kind not in self.granted]

    @property
    def _worthwhile(self) -> list[Kind]:
        """What a proof would still settle: an overflow that happens may do no harm."""
        refuted = [k for k, found in self.found.items() if found and found.standing is Standing.REFUTED]
        return [*self._unsettled, *(kind for kind in refuted if kind is Kind.OVERFLOW and kind not in self.granted)]

    @property
    def _refutable(self) -> frozenset[Kind]:
        """Kinds that a run may refute; threads are not run here."""
        return frozenset() if has_threads(self.proved.checked) else frozenset(self._unsettled)

    def _settle(self, kind: Kind, detail: str) -> None:
        """Proved; what wraps around was shown not to be needed."""
        self.found[kind] = replace(assumption_of(kind), standing=Standing.PROVED, detail=detail)

    def _not_needed(self, how: str) -> None:
        """The property holds with wrap-around arithmetic. Where something does overflow that is an assumption, too: a
        compiler that is not told to let results wrap need not, and gcc takes x + 1 > x for true."""
        told = f"the property also holds with wrap-around arithmetic, {how}"
        run = self._overflowing()
        if run is None:
            self.found[Kind.OVERFLOW] = replace(assumption_of(Kind.OVERFLOW), needed=False, detail=told)
            return
        self.found[Kind.OVERFLOW] = replace(
            run, kind=AssumptionKind.WRAPPING, text=WRAPPING_TEXT, standing=Standing.OPEN, detail=told
        )

    def _overflowing(self) -> Assumption | None:
        """A run that overflows, if one is known or soon found."""
        known = self.found[Kind.OVERFLOW]
        if known is not None:
            return known if known.standing is Standing.REFUTED else None
        if has_threads(self.proved.checked):
            return None
        program = self.proved.read(Reading(frozenset({Kind.OVERFLOW}), Arithmetic.IDEAL))
        looked = probe(program, self.effort.clock.remaining(PLAN.settling_probe), most=FIRST_STEPS)
        if looked.violated is not None and self._refuted(program, looked.violated):
            return self.found[Kind.OVERFLOW]
        return None

    def _succeeded(self, reading: Reading, how: str) -> None:
        """Everything that was looked at in a reading in which the property was proved."""
        for kind in self._worthwhile:
            if kind in reading.kinds:
                self._settle(kind, how)
            elif kind is Kind.OVERFLOW and reading.arithmetic.is_wrapping:
                self._not_needed(how)

    # Proofs

    def _reading(self, *kinds: Kind) -> Reading:
        """With these kinds asserted; with wrap-around arithmetic in place of an assertion about overflow.

        Then everything else must be asserted as well: what was proved of numbers that do not wrap may fail behind one
        that does.
        """
        numbers = self.effort.proofs[-1].arithmetic if self.effort.proofs else Arithmetic.IDEAL
        if self.effort.exhausted:
            numbers = Arithmetic.EXACT
        if Kind.OVERFLOW in kinds:
            return Reading(frozenset(self.found) - {Kind.OVERFLOW}, numbers.wrapping)
        return Reading(frozenset(kinds), numbers)

    def _same_proof(self) -> None:
        if self.effort.without_numbers and list(self.found) == [Kind.OVERFLOW]:
            self._not_needed(self.effort.without_numbers[0])
        reading = self._reading(*self._unsettled)
        if self._holds(reading):
            self._succeeded(reading, self._how)

    @property
    def _how(self) -> str:
        return FOLLOWED if self.effort.exhausted else THE_SAME

    def _same_proof_by_kind(self) -> None:
        if len(self.found) == 1:
            return  # that was the question already
        for kind in self._worthwhile:
            reading = self._reading(kind)
            if self._holds(reading):
                self._succeeded(reading, self._how)

    def _holds(self, reading: Reading) -> bool:
        """Whether all proofs are proofs of the program in this reading, too."""
        if self.effort.exhausted:
            return all(holds(reading, self.effort.clock) for holds in self.effort.exhausted)
        proofs = self.effort.proofs
        return bool(proofs) and all(self._carries_over(proof, reading) for proof in proofs)

    def _carries_over(self, proof: Proof, reading: Reading) -> bool:
        again = proof.reread(reading)
        if again is None:
            return False
        summaries = carried(proof.verdict.summaries, again.system)
        verdict = replace(proof.verdict, summaries=summaries)
        return isinstance(check(again.system, verdict, self.effort.clock.until_deadline(PLAN.settling_check)), Accepted)

    def _afresh(self) -> None:
        """What may go wrong for itself, and the property with wrap-around; by one engine after the other.

        Each attempt leaves the others their time.
        """
        hazards = [kind for kind in self._unsettled if kind is not Kind.OVERFLOW]
        numbers = self._reading().arithmetic
        readings = [Reading(frozenset(hazards), numbers)] if hazards else []
        readings += [self._reading(Kind.OVERFLOW)] if Kind.OVERFLOW in self._worthwhile else []
        readings += [Reading(frozenset({Kind.OVERFLOW}), Arithmetic.RANGED)] if Kind.OVERFLOW in self._unsettled else []
        readings += [Reading(frozenset({kind}), numbers) for kind in hazards] if len(hazards) > 1 else []
        attempts = [*self._in_the_same_way(readings), *((each, who) for who in self._engines() for each in readings)]
        left = self._weight(attempts)
        for attempt in attempts:
            if self._would_settle(attempt[0]):
                self._try(attempt[0], self._for(attempt[1], self._weight([attempt]) / left))
            left -= self._weight([attempt])

    def _in_the_same_way(self, readings: Sequence[Reading]) -> list[tuple[Reading, str]]:
        """By the engine that has proved the program as one procedure, where others seldom end in time.

        No run is known that overflows, so that it is asked first whether one does, and not what happens then.
        """
        plain_first = sorted(readings, key=lambda reading: reading.arithmetic.is_wrapping)
        return [(reading, engine) for engine in self._provers for reading in plain_first]

    @property
    def _provers(self) -> list[str]:
        own = {proof.engine: None for proof in self.effort.proofs if proof.engine in ENGINES}
        return [engine for engine in own if engine not in ENGINES_FOR_ASSUMPTIONS]

    def _weight(self, attempts: Sequence[tuple[Reading, str]]) -> int:
        """What attempts have of the time, beside others: who has proved the question has more."""
        return sum(PLAN.settling_provers_weight if engine in self._provers else 1 for _, engine in attempts)

    def _would_settle(self, reading: Reading) -> bool:
        wanted = reading.kinds | ({Kind.OVERFLOW} if reading.arithmetic.is_wrapping else frozenset())
        return not wanted.isdisjoint(self._worthwhile)

    def _engines(self) -> tuple[str, ...]:
        own = self.effort.options.engine
        names = dict.fromkeys((*([own] if own in ENGINES else []), *ENGINES_FOR_ASSUMPTIONS))
        return tuple(name for name in names if name not in self._provers)

    def _for(self, engine: str, share: float) -> Effort:
        options = self.effort.options
        if engine != options.engine:
            options = replace(options, engine=engine, engine_options={})
        # Other lanes speak of the question's own clauses: nothing of it is about these, and waiting for it costs time.
        return replace(self.effort, options=options, clock=self.effort.clock.share(share), proofs=[], exchange=ALONE)

    def _try(self, reading: Reading, effort: Effort) -> None:
        """A new proof in this reading, or a run that shows what goes wrong."""
        if effort.clock.expired():
            return
        questions = self._questions(reading)
        for question in questions:
            verdict = decide(question.system, effort, {})
            if isinstance(verdict, Unsafe):
                self._refuted_by(question, verdict)
            confirmed = isinstance(verdict, Safe) and accept(Solution(question.system, verdict), effort)
            if not confirmed or confirmed.answer is not Answer.SAFE:
                return
        if questions:
            self._succeeded(reading, ANOTHER)

    def _questions(self, reading: Reading) -> Sequence[Reread]:
        """What has to be proved in this reading; nothing if there is no such question.

        Operations are looked at for themselves, without what was asked for: less matters to them. Where results wrap
        round, what was asked for must be shown as well, unless it holds whatever the numbers are.
        """
        alone = not reading.arithmetic.is_wrapping or self.effort.without_numbers
        if alone and not has_threads(self.proved.checked):
            program = _only(self.proved.read(reading), reading.kinds)
            for proof in self.effort.proofs:
                made = proof.clauses(program, reading.arithmetic) if proof.clauses is not None else None
                if made is not None:
                    return [made]
            encoding = encode(program, reading.arithmetic)
            return [Reread(encoding.system, encoding.choices)]
        again = [proof.reread(reading) for proof in self.effort.proofs]
        found = [each for each in again if each is not None and not each.system.obligations]
        return found if len(found) == len(again) else []

    # Runs

    def _by_running(self) -> None:
        """A run refutes what it violates; the others are looked at again without it."""
        while kinds := self._refutable:
            program = self.proved.read(Reading(kinds, Arithmetic.IDEAL))
            looked = probe(program, self.effort.clock.remaining(PLAN.settling_probe), most=FIRST_STEPS)
            if looked.violated is None or not self._refuted(program, looked.violated):
                return

    def _by_exploring(self) -> None:
        while kinds := self._refutable:
            program = self.proved.read(Reading(kinds, Arithmetic.IDEAL))
            found = explored_violation(program, PLAN.settling_exploring.of(self.effort.clock))
            if found is None or not self._refuted(program, found):
                return

    def _refuted_by(self, question: Reread, verdict: Unsafe) -> None:
        """With the values of a derivation; where results wrap around in it, the run goes wrong where they do."""
        if question.choices is not None and self._refutable:
            program = self.proved.read(Reading(self._refutable, Arithmetic.IDEAL))
            self._refuted(program, smallest(program, question.choices(verdict.derivation), REPEATED_STEPS))

    def _refuted(self, program: Program, found: Run) -> bool:
        """Whether the run shows that an assumption is false. What is not modelled shows nothing."""
        if not isinstance(found.end, Violated) or found.end.assertion.kind not in self._unsettled:
            return False
        if any(used.choice is Choice.ABSTRACTION for used in found.used):
            return False
        kind = found.end.assertion.kind
        self.found[kind] = replace(
            assumption_of(kind),
            standing=Standing.REFUTED,
            violation=violation(found.end),
            choices=chosen(program, found),
            run=tell(program, found),
        )
        return True


def _only(program: Program, kinds: frozenset[Kind]) -> Program:
    """The program with assertions of these kinds, and no others."""
    return replace(program, procedures=tuple(_only_in(procedure, kinds) for procedure in program.procedures))


def _only_in(procedure: Procedure, kinds: frozenset[Kind]) -> Procedure:
    def wanted(statement: Statement) -> bool:
        return not isinstance(statement, Assert) or statement.kind in kinds

    blocks = (replace(block, statements=tuple(filter(wanted, block.statements))) for block in procedure.blocks)
    return replace(procedure, blocks=tuple(blocks))


def carried(summaries: Summaries, system: HornSystem) -> Summaries:
    """Summaries for a system of the same predicates, some of which have more arguments or fewer.

    A procedure that could not fail before, and now has a say in it, is claimed not to.
    """
    return {predicate.name: _carried(summaries, predicate) for predicate in system.predicates}


def _carried(summaries: Summaries, predicate: Predicate) -> terms.Term:
    summary = summaries.get(predicate.name, terms.TRUE)
    own = {formal.get_id() for formal in predicate.formals}
    spoken_of = {variable.get_id() for variable in walk.free_variables(summary)}
    if not spoken_of <= own:
        summary, spoken_of = terms.TRUE, set()
    succeeds = [a.formal for a in predicate.arguments if a.role is Role.OK and a.formal.get_id() not in spoken_of]
    return terms.conjunction([summary, *succeeds])
