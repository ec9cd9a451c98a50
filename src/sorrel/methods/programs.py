"""Questions about programs made of procedures: read once, with what has been found out about them so far."""

from __future__ import annotations

from dataclasses import field, replace
from functools import cached_property

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.descent import Descent, descent
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.procedures import procedure_view
from sorrel.encode.rules.builtin import rule_for
from sorrel.encode.rules.instance import Instance, instantiate
from sorrel.encode.rules.rule import Rule, RuleSubject
from sorrel.encode.transition import View, thread_view
from sorrel.evidence.effort import Effort, Proof, Reading, Reread
from sorrel.evidence.only_run import run_alone
from sorrel.explain.ranks import told
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries, Terminating
from sorrel.linked.plans import has_linked_objects
from sorrel.methods.features import Features, Subject
from sorrel.methods.finishing import finished, so_far
from sorrel.methods.plan import PLAN
from sorrel.methods.question import Unanswerable
from sorrel.methods.reading import PLAIN, instrumented, read_program
from sorrel.methods.relational.related import Law, law_of, related
from sorrel.methods.schedule import Lane
from sorrel.methods.termination.obligations import told_procedure
from sorrel.model.errors import UsageError
from sorrel.model.outcome import Cause, Outcome
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.program.creation import UnsupportedThreads
from sorrel.program.cutting import endless_loops
from sorrel.program.flattening import flattened
from sorrel.program.floating import has_floats
from sorrel.program.inline import Recursive
from sorrel.program.loops import Irreducible
from sorrel.program.program import Program
from sorrel.program.races import UnseenAccess
from sorrel.program.run import Finished, Stopped
from sorrel.program.shared import AtomicLoop
from sorrel.program.statement import Assert, Kind
from sorrel.program.threads import Threads, has_sections, has_threads, threads_of
from sorrel.program.waiting import Watched
from sorrel.relate.product import Product
from sorrel.smt.solver import Oracle
from sorrel.testing.probe import Probe

MANY_PROCEDURES = 16
NOT_FOLLOWED = (UnsupportedThreads, UnseenAccess, AtomicLoop, Recursive)
"""What is wrong with threads that we do not follow."""
RULE_FOR_ENDING_THREADS = "rely-guarantee-termination"


@dataclass(eq=False)
class ProgramQuestion:
    """Does the task's property hold of the program? `looked` and `explored` are what running it has shown.

    `known` are facts that one method has proved inductive and another may start from, by the clauses they are about.
    """

    program: Program
    task: Task
    looked: Probe | None = None
    explored: Watched | None = None
    known: dict[str, Summaries] = field(default_factory=dict)

    @cached_property
    def checked(self) -> Program:
        return self.read(PLAIN)

    def read(self, reading: Reading) -> Program:
        return instrumented(self.program, self.task, reading)

    # What it is about

    @cached_property
    def subject(self) -> Subject:
        task, threads = self.task, has_threads(self.checked) or self._may_wait
        if task.is_java and task.goal in (Property.NO_DATA_RACE, Property.NO_DEADLOCK):
            raise Unanswerable(Cause.UNSUPPORTED, f"{task.goal} is checked of C programs alone")
        if task.goal is Property.NO_UNINITIALISED_READ and (task.is_java or threads):
            raise Unanswerable(Cause.UNSUPPORTED, f"{task.goal} is checked of C programs without threads")
        if task.goal.is_relational:
            if task.rule:
                raise UsageError(f"proof rules are about single runs: --rule does not go with {task.goal}")
            if threads:
                raise Unanswerable(Cause.UNSUPPORTED, f"{task.goal} of programs with threads is not checked")
            if has_floats(self.checked):
                raise Unanswerable(Cause.UNSUPPORTED, f"{task.goal} of floating-point numbers is not checked")
            return Subject.LAW if task.goal is Property.SPECIFICATION else Subject.RELATION
        if task.rule or (task.goal is Property.TERMINATION and threads):
            return Subject.RULE
        if task.goal is Property.TERMINATION:
            return Subject.ENDING
        return Subject.THREADS if threads else Subject.PROGRAM

    @property
    def _may_wait(self) -> bool:
        """Whether that is asked about, and one thread alone can do it: take a lock that it has."""
        return self.task.goal is Property.NO_DEADLOCK and has_sections(self.checked)

    @property
    def features(self) -> Features:
        seen = Features(self.subject, clauses=sum(len(each.blocks) for each in self.checked.procedures))
        match self.subject:
            case Subject.PROGRAM:
                closed = self.looked is not None and self.looked.only is not None
                return replace(
                    seen,
                    calls=self.whole is not None,
                    linked=self.linked,
                    floats=has_floats(self.checked),
                    endless=bool(endless_loops(self.checked)),
                    many=len(self.program.procedures) >= MANY_PROCEDURES,
                    closed=closed,
                )
            case Subject.RULE:
                return replace(seen, obligations=bool(self.instance.system.obligations))
            case _:
                return seen

    def clauses(self) -> HornSystem | None:
        from sorrel.methods.safety import arithmetics

        arithmetic = arithmetics(self.task)[0]
        match self.subject:
            case Subject.PROGRAM:
                return encode(self.checked, arithmetic).system
            case Subject.RELATION | Subject.LAW:
                return encode(self.product.program, arithmetic, self.product.copies).system
            case Subject.RULE:
                return self.instance.system
            case _:
                return None

    def look_alone(self) -> None:
        if self.subject is Subject.PROGRAM and self.looked is None:
            alone = run_alone(self.checked)
            if isinstance(alone.end, Finished | Stopped):
                self.looked = Probe(only=alone)

    def prepare(self, lane: Lane) -> None:
        # Encoded before any solver has run, so that the clauses are the same each time, on which Spacer's luck depends.
        if any(step.method == "whole" for step in lane):
            from sorrel.methods.safety import arithmetics

            self.whole_encoding(arithmetics(self.task)[0])

    def effort(self, given: Effort) -> Effort:
        only = [self.looked.only] if self.looked is not None and self.looked.only is not None else []
        return replace(given, proofs=[], exhausted=[], only_run=only)

    def finished(self, outcome: Outcome, effort: Effort) -> Outcome:
        told = finished(outcome, self.program, self._single_runs(PLAIN), self.task, self._single_runs, effort)
        if self.task.goal is not Property.SPECIFICATION:
            return told
        from sorrel.methods.relational.overflowing import weighed_by_overflow  # one run alone needs nothing of this

        return weighed_by_overflow(self, told, effort)

    def report(self, outcome: Outcome, effort: Effort) -> None:
        """A proof, should time run out before anything better is found."""
        single = self._single_runs
        effort.report(so_far(outcome, self.program, single(PLAIN), self.task, single, effort))

    def _single_runs(self, reading: Reading) -> Program:
        """What a proof takes for granted is about these runs: those of all functions, if a law is about several."""
        if self.subject is not Subject.LAW or len(self.law.subjects) == 1:
            return self.checked if reading == PLAIN else self.read(reading)
        return law_of(self.read(reading), self.task, reading).any_run()

    # The program as one procedure

    @cached_property
    def whole(self) -> Program | None:
        return flattened(self.checked)

    @cached_property
    def linked(self) -> bool:
        return has_linked_objects(self.whole or self.checked)

    def whole_encoding(self, arithmetic: Arithmetic) -> Encoding | None:
        if arithmetic not in self._wholes and self.whole is not None:
            self._wholes[arithmetic] = encode(self.whole, arithmetic)
        return self._wholes.get(arithmetic)

    @cached_property
    def _wholes(self) -> dict[Arithmetic, Encoding]:
        return {}

    # Whether it ends

    @cached_property
    def descent(self) -> Descent:
        try:
            return descent(self.checked, Arithmetic.IDEAL)
        except Irreducible as problem:
            raise Unanswerable(Cause.INPUT, str(problem)) from None

    def proved_to_end(self, outcome: Outcome, verdict: Terminating, effort: Effort) -> Outcome:
        """With ranks in the user's words, and what the proof says of the program in another reading."""
        made = self.descent
        effort.proofs.append(Proof(made.system, verdict, Arithmetic.IDEAL, self._descent_in))
        oracle = Oracle(PLAN.ranks_told.of(effort.clock), effort.statistics, query_seconds=PLAN.ranks_told_question)
        ranks = told(self.checked, made, verdict.ranks, lambda name: told_procedure(made, name), oracle)
        return replace(outcome, rankings=ranks)

    def _descent_in(self, reading: Reading) -> Reread | None:
        """The clauses with other numbers. Ranks say nothing about operations that may go wrong."""
        blocks = (block for procedure in self.read(reading).procedures for block in procedure.blocks)
        if any(isinstance(statement, Assert) for block in blocks for statement in block.statements):
            return None
        return Reread(descent(self.checked, reading.arithmetic).system)

    # Threads and rules

    @cached_property
    def threads(self) -> Threads:
        try:
            return self.threads_in(self.checked)
        except NOT_FOLLOWED as problem:
            raise Unanswerable(Cause.INPUT, str(problem)) from None

    def threads_in(self, program: Program) -> Threads:
        """The threads of the program in some reading, with assertions where the property asks for them."""
        return threads_of(program, frozenset(map(Kind, self.task.goal.kinds)))

    @cached_property
    def rule(self) -> Rule:
        return rule_for(self.task.rule or RULE_FOR_ENDING_THREADS, self.task.rule_file)

    @cached_property
    def instance(self) -> Instance:
        """The rule's clauses on the program."""
        try:
            return instantiate(self.rule, self._view())
        except NOT_FOLLOWED as problem:
            raise Unanswerable(Cause.INPUT, f"the rule {self.rule.name} does not fit: {problem}") from None

    def _view(self) -> View:
        if self.rule.subject is RuleSubject.THREADS:
            return thread_view(self.threads_in(self.checked), Arithmetic.IDEAL)
        if has_threads(self.checked):
            raise UnsupportedThreads("the program has threads, and the rule is about procedures")
        return procedure_view(self.checked, Arithmetic.IDEAL)

    # Several runs

    @cached_property
    def product(self) -> Product:
        return related(self.checked, self.task)

    def product_in(self, reading: Reading) -> Program:
        return related(self.read(reading), self.task, reading).program

    @cached_property
    def narrow_product(self) -> Product:
        """Of runs that need nothing of what is not modelled, which are runs of the program, but not all of them."""
        return related(read_program(self.task, narrow=True), self.task)

    @cached_property
    def law(self) -> Law:
        return law_of(self.checked, self.task)
