"""The whole story on one page: read, encode, simplify, solve, lift, check, replay."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from sorrel.encode.arithmetic import Arithmetic
from sorrel.evidence.clauses import confirm, inductive
from sorrel.evidence.effort import Effort, Progress, Reading
from sorrel.explain.outline import outlined, source_texts
from sorrel.finite.function import FiniteProgram
from sorrel.finite.horn import horn_system
from sorrel.finite.overflow import Overflow
from sorrel.frontends import boolean, smtlib
from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_system
from sorrel.horn.verdict import Safe, Summaries, Terminating, Unsafe
from sorrel.methods.clauses import decide
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import InputError, Span, UsageError
from sorrel.model.options import Finite, Options
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, Reason, Standing, unknown
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import DEFAULT_ENTRY, Task
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Kind
from sorrel.program.text import read as read_text
from sorrel.program.threads import has_threads
from sorrel.relate.claims import Subject, claimed, parameters, subject
from sorrel.relate.functions import with_functions
from sorrel.relate.inputs import declared
from sorrel.relate.library import law
from sorrel.relate.observing import counted, traced
from sorrel.relate.parts import parts
from sorrel.relate.product import Composition, Product, product
from sorrel.relate.sources import unread
from sorrel.relate.specification import Specification, read_specification

if TYPE_CHECKING:
    from sorrel.testing.validation import Validated

PARTS_SHARE, FUNCTIONS_SHARE = 0.8, 0.3
"""Of the time for a law: for its parts, which take less if they hold; with loops as functions, which shows soon."""
SYNONYM = "synonym"
VALIDATION_SHARE, VALIDATION_SECONDS = 0.2, 20.0
MANAGING = (AssumptionKind.ALLOCATION, AssumptionKind.LIFETIME)
"""What is assumed of programs that manage memory, and of no others."""


def solve(source: Source, options: Options, progress: Progress = lambda _: None) -> Outcome:
    """Is the system of Horn clauses safe? In this process; `sorrel.solve` guards the limits from outside."""
    started = time.monotonic()
    effort = Effort(options, options.budget.start(), progress)
    text, original = read(source, options.finite)
    verdict = decide(original, effort, _read_seeds(original, options), loops=True)
    outcome = confirm(original, text, verdict, options, effort.clock)
    return replace(
        outcome,
        source=source.name,
        engine=options.engine,
        horn=text if options.finite else "",
        seconds=time.monotonic() - started,
        statistics=effort.as_json(),
    )


def read(source: Source, finite: Finite | None = None) -> tuple[str, HornSystem]:
    """The text of the source, and the system it describes; a program's text is that of its clauses."""
    text = source.text if source.text is not None else smtlib.load(source.path)
    if finite is None:
        return text, smtlib.read_text(text, source.name)
    program = _finite_function(source, finite) if finite.function else _boolean_program(text, source, finite)
    system = horn_system(program)
    return write_system(system), system


def _boolean_program(text: str, source: Source, finite: Finite) -> FiniteProgram:
    overflow = Overflow(finite.overflow)
    program = boolean.read_program(
        text, source.name, width=finite.width, overflow=overflow, properties=finite.properties
    )
    if not program.properties:
        raise InputError(
            f"{source.name}: there is no property to prove",
            hint="Write property r > 0; in the file, or use --property 'r > 0'.",
        )
    return program


def _finite_function(source: Source, finite: Finite) -> FiniteProgram:
    """A function in C on a machine with words of the given width, with its assertions and the given properties."""
    from sorrel.encode.functions import finite_program
    from sorrel.frontends import c
    from sorrel.program.narrowing import narrowed

    settings = c.CSettings(c.DataModel(finite.data_model), finite.include, finite.define, finite.function)
    read = narrowed(c.read((source,), settings), finite.width)
    checked = instrument(read, frozenset({Kind.ASSERTION, Kind.ERROR_CALL}))
    program = finite_program(checked, finite.function, Overflow(finite.overflow), finite.properties)
    if not program.properties:
        raise InputError(
            f"{source.name}: there is no property of {finite.function} to prove",
            hint="Write an assertion into it, or use --property '\\result > 0'.",
        )
    return program


def _read_seeds(system: HornSystem, options: Options) -> Summaries:
    """Known summaries, which must be inductive: a false one would make a false proof, and be rejected late."""
    if not options.seeds:
        return {}
    match read_certificate(system, options.seeds, "<seeds>"):
        case Facts(summaries) | Safe(summaries) | Terminating(summaries):
            pass
        case Unsafe():
            raise InputError("seeds are summaries; this is a derivation")
    if not inductive(system, summaries, options.budget.start()):
        raise InputError("the seeds are not inductive for this system", hint="Take them from an earlier run's facts.")
    return summaries


def verify(
    task: Task,
    options: Options,
    progress: Progress = lambda _: None,
    report: Callable[[Outcome], None] = lambda _: None,
) -> Outcome:
    """Does the property hold in every run of the program? In this process; `sorrel.verify` guards the limits."""
    from sorrel.frontends.errors import Unsupported  # solving Horn clauses needs neither a C parser nor an encoding

    started = time.monotonic()
    effort = Effort(options, options.budget.start(), progress)

    def titled(outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            source=task.name,
            engine=outcome.engine or options.engine,
            seconds=time.monotonic() - started,
            statistics=effort.as_json(),
            goal=str(task.goal),
            specification=task.specification,
            function=task.function,
            data_model=task.data_model,
            sources=source_texts(task.sources),
        )

    effort = replace(effort, report=lambda known: report(titled(known)))
    try:
        if task.is_ocaml:
            return titled(_functional(task, effort))
        asked = _Asked(_read_program(task), task)
        validated = _validated(task, effort)
        if validated.difference:
            return titled(unknown(Cause.INTERNAL, f"the program was misread: {validated.difference}"))
        outcome = outlined(_weighed(_verified(asked, effort), asked, effort), asked.checked)
        return titled(replace(outcome, notes=(*outcome.notes, *validated.notes, *_unread(task))))
    except Unsupported as construct:
        return titled(unknown(Cause.INPUT, str(construct)))


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The program as it was read, and what is asked about it."""

    program: Program
    task: Task

    @property
    def checked(self) -> Program:
        """With assertions where the property may fail, and assumptions where others may."""
        return self.read(Reading(frozenset(), Arithmetic.IDEAL))

    def read(self, reading: Reading) -> Program:
        kinds = reading.kinds | frozenset(map(Kind, self.task.goal.kinds))
        return instrument(self.program, kinds, wrapping=reading.arithmetic.is_wrapping)


def _weighed(outcome: Outcome, asked: _Asked, effort: Effort) -> Outcome:
    """The answer with what it takes for granted, and worth as much as that."""
    from sorrel.evidence.worth import judged
    from sorrel.methods.assumptions import Case, settled, unsettled
    from sorrel.testing.probe import prints_what_is_there

    given = (*outcome.assumptions, *map(Assumption.of, asked.program.assumptions))
    if effort.only_run and prints_what_is_there(asked.program):
        given = tuple(_shown(each) if each.kind is AssumptionKind.PRINTING else each for each in given)
    if asked.task.is_program_text:  # where threads interleave step by step by definition
        given = tuple(each for each in given if each.kind is not AssumptionKind.THREADS)
    if outcome.answer is not Answer.SAFE:
        return replace(outcome, assumptions=given)
    overflow = asked.task.goal is not Property.NO_OVERFLOW and not asked.task.is_java
    case = Case(asked.read, asked.checked, overflow)
    # Should time run out while we look, this is what is known.
    effort.report(_in_part(judged(replace(outcome, assumptions=(*given, *unsettled(case))), effort.options), asked))
    outcome = judged(replace(outcome, assumptions=(*given, *settled(case, effort))), effort.options)
    if asked.task.goal.is_about_checks and outcome.answer.is_proof and not has_threads(case.checked):
        from sorrel.methods.vacuity import counted

        outcome = counted(outcome, case.checked, effort)
    return _in_part(outcome, asked)


def _shown(assumption: Assumption) -> Assumption:
    from sorrel.methods.assumptions import ALL_RUNS

    return replace(assumption, standing=Standing.PROVED, detail=ALL_RUNS)


def _in_part(outcome: Outcome, asked: _Asked) -> Outcome:
    """A proof of a part of what was asked for is none of the whole."""
    task = asked.task
    managed = any(each.kind in MANAGING for each in asked.program.assumptions)
    missing = [*(map(str, task.goal.unchecked) if managed else ()), *task.unchecked]
    if not missing or not outcome.answer.is_proof:
        return outcome
    rest = " and ".join(missing)
    why = f"what was looked at holds, but {rest} {'was' if len(missing) == 1 else 'were'} not looked at"
    if managed:
        why += ": the program allocates or frees memory, or keeps addresses of locals"
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNSUPPORTED, why))


def _functional(task: Task, effort: Effort) -> Outcome:
    """Programs of functions have terms, types and clauses of their own."""
    from sorrel.evidence.worth import judged
    from sorrel.frontends import ocaml
    from sorrel.methods.functional import attempts

    program = ocaml.read(task.sources, task.function)
    texts = [(source.name, ocaml.text_of(source)) for source in task.sources]
    return judged(attempts.verified(program, task, texts, effort), effort.options)


def _functional_types(task: Task, effort: Effort) -> Outcome:
    from sorrel.frontends import ocaml
    from sorrel.methods.functional import types

    return types.offered_types(ocaml.read_functions(task.sources, task.function), task.sources, effort)


def _validated(task: Task, effort: Effort) -> Validated:
    """Some runs beside those of the compiled program, if that is asked for, before anything is claimed."""
    from sorrel.testing.validation import Validated, validate

    if not (effort.options.validate or effort.options.replay):
        return Validated()
    effort.progress({"phase": "validation"})
    return validate(task, effort.clock.share(VALIDATION_SHARE, at_most=VALIDATION_SECONDS))


def _unread(task: Task) -> Iterator[str]:
    """Where the sources say something in comments that is not looked at."""
    for source in task.sources:
        if source.path.endswith((".c", ".i")) or source.text is not None:
            text = source.text
            if text is None:
                text = Path(source.path).read_text(encoding="utf-8", errors="replace")
            lines = [f"{source.name}:{line}" for line in unread(text)]
            if lines:
                yield f"annotations in comments (ACSL) are not read: {', '.join(lines)}"


def _verified(asked: _Asked, effort: Effort) -> Outcome:
    """By the method that fits: a rule that was asked for, ranks, interleavings, or summaries.

    Each is loaded when it is needed: a small program takes less time than what it does not use.
    """
    checked, task = asked.checked, asked.task
    if task.goal.is_relational:
        return _compared(asked, effort)
    if task.rule:
        return _by_rule(checked, task.rule, task.rule_file, effort)
    if task.goal is Property.TERMINATION:
        if has_threads(checked):
            return _by_rule(checked, "rely-guarantee-termination", "", effort)
        from sorrel.methods.termination import attempts as termination

        return termination.terminates(checked, effort, asked.read)
    if has_threads(checked):
        from sorrel.methods.threads import attempts as concurrency

        return concurrency.verified(checked, effort, asked.read)
    from sorrel.methods import safety

    return safety.verified(checked, task, effort, asked.read)


def _by_rule(checked: Program, rule: str, file: str, effort: Effort) -> Outcome:
    from sorrel.encode.rules.builtin import rule_for
    from sorrel.methods import proof_rules

    return proof_rules.satisfied(checked, rule_for(rule, file), effort)


def _compared(asked: _Asked, effort: Effort) -> Outcome:
    """Several runs at once; no other method looks at what is observed in them."""
    from sorrel.methods import safety

    checked, task = asked.checked, asked.task
    if task.rule:
        raise UsageError(f"proof rules are about single runs: --rule does not go with {task.goal}")
    if has_threads(checked):
        return unknown(Cause.UNSUPPORTED, f"{task.goal} of programs with threads is not checked")
    if task.goal is Property.SPECIFICATION and (proved := _proved_otherwise(_law(checked, task), task, effort)):
        return proved
    if task.goal is not Property.SPECIFICATION and not effort.options.horn:
        from sorrel.methods.relational import labels

        if settled := labels.proved(_observed(checked, task), effort):
            return settled
    outcome = safety.related(
        _related(checked, task), task, effort, lambda reading: _related(asked.read(reading), task, reading).program
    )
    if not (task.is_java and outcome.reason and outcome.reason.cause is Cause.UNCONFIRMED):
        return outcome
    # Runs that need nothing of what is not modelled are runs of the program, but not all of them.
    narrow = safety.related(_related(_read_program(task, narrow=True), task), task, effort)
    return narrow if narrow.answer is Answer.UNSAFE else outcome


def _proved_otherwise(asked: _Law, task: Task, effort: Effort) -> Outcome | None:
    """A law by way of what implies it and may be easier to prove; what is violated is found in the law itself.

    Parts have clauses of their own, so that they are no way to whoever asks for the clauses.
    """
    from sorrel.methods import safety

    stronger = asked.with_functions() if effort.options.engine != SYNONYM else None
    if stronger:
        known = {"loops of the same code compute the same function": stronger.about(stronger.specification)}
        if proved := safety.proved_by(known, FUNCTIONS_SHARE, task, effort):
            return proved
    if effort.options.horn:
        return None
    smaller = {f"proved as a part of the law: {each}": asked.about(each) for each in parts(asked.specification)}
    return safety.proved_by(smaller, PARTS_SHARE, task, effort) if smaller else None


def _checked(task: Task, reading: Reading | None = None) -> Program:
    asked = _Asked(_read_program(task), task)
    return asked.read(reading) if reading else asked.checked


def _related(checked: Program, task: Task, reading: Reading | None = None) -> Product:
    """The runs that the property compares, as one program; functions that a law names are read in the same way."""
    if task.goal is Property.SPECIFICATION:
        asked = _law(checked, task, reading)
        return asked.about(asked.specification)
    return product(_observed(checked, task), composition=Composition(task.composition or Composition.MODULAR))


def _observed(checked: Program, task: Task) -> Program:
    """The program with what is public, and with what an observer sees of its runs."""
    checked = declared(checked, task.public, task.secret)
    match task.goal:
        case Property.CONSTANT_TIME:
            return traced(checked)
        case Property.CONSTANT_STEPS:
            return counted(checked)
        case _:
            return checked


@dataclass(frozen=True, slots=True)
class _Law:
    """What is specified of a function, and the functions that it speaks of."""

    specification: Specification
    subjects: Mapping[str, Subject]
    function: str
    composition: Composition

    def about(self, specification: Specification) -> Product:
        """The runs that a specification of these functions speaks of, as one program."""
        return claimed(specification, self.subjects, self.function, self.composition)

    def with_functions(self) -> _Law | None:
        """The law of programs that know which of their loops compute the same; None if none do."""
        made = with_functions([each.program for each in self.subjects.values()])
        if made is None:
            return None
        pairs = zip(self.subjects.items(), made, strict=True)
        return replace(self, subjects={name: replace(each, program=program) for (name, each), program in pairs})


def _law(checked: Program, task: Task, reading: Reading | None = None) -> _Law:
    """The function that the question is about, and others that the specification names."""
    function = _called(checked, task)
    if "(" in task.specification:
        specification = read_specification(task.specification, task.name)
    else:
        specification = law(task.specification, parameters(checked, function))
    subjects = {function: subject(checked, function)}
    for run in specification.runs:
        if run.function and run.function not in subjects:
            other = _checked(replace(task, function=run.function), reading)
            subjects[run.function] = subject(other, _called(other, replace(task, function=run.function)))
    return _Law(specification, subjects, function, Composition(task.composition or Composition.LOCKSTEP))


def _called(checked: Program, task: Task) -> str:
    """The procedure that the question is about; a Java program knows it by itself."""
    from sorrel.frontends import java

    return java.called(checked) if task.is_java else task.function


def _read_program(task: Task, *, narrow: bool = False) -> Program:
    from sorrel.frontends import c, java

    if task.is_java:
        return java.read(task.sources, task.function, narrow=narrow)

    if task.is_program_text:
        return _read_program_text(task)
    return c.read(task.sources, c.CSettings(c.DataModel(task.data_model), task.include, task.define, task.function))


def _read_program_text(task: Task) -> Program:
    """A program in its own text form, started at the function that is asked for."""
    (source,) = task.sources
    text = source.text if source.text is not None else smtlib.load(source.path)
    program = read_text(text, source.name)
    if task.function in (DEFAULT_ENTRY, program.main):
        return program
    if task.function not in program.procedure:
        raise InputError(f"{source.name}: there is no procedure {task.function}")
    return replace(program, main=task.function)


def summarize(task: Task, options: Options, progress: Progress = lambda _: None) -> Outcome:
    """What can be proved about the program's functions and loops, whatever is asked of them."""
    from sorrel.explain import inference
    from sorrel.frontends.errors import Unsupported
    from sorrel.methods.relational import dependence

    started = time.monotonic()
    effort = Effort(options, options.budget.start(), progress)
    try:
        if task.is_ocaml:
            outcome = _functional_types(task, effort)
        else:
            program = _read_program(task)
            infer = dependence.dependences if options.flow else inference.contracts
            outcome = infer(instrument(program, frozenset()), effort)
    except Unsupported as construct:
        outcome = unknown(Cause.INPUT, str(construct))
    return replace(
        outcome,
        source=task.name,
        engine="summarize",
        seconds=time.monotonic() - started,
        statistics=effort.as_json(),
        function=task.function,
        data_model=task.data_model,
    )


def check_certificate(source: Source, certificate: Source, options: Options) -> Outcome:
    """A saved certificate against its system, with nothing else involved."""
    started = time.monotonic()
    text, system = read(source)
    content = certificate.text if certificate.text is not None else smtlib.load(certificate.path)
    verdict = read_certificate(system, content, certificate.name)
    if isinstance(verdict, Facts):
        place = Span(certificate.name, 1, 1)
        raise InputError("these are facts, which settle no query", place, hint="Use them as --seeds.")
    if not isinstance(verdict, Unsafe):
        _require_definitions(system, verdict.summaries, certificate.name)
    outcome = confirm(system, text, verdict, options, options.budget.start())
    return replace(outcome, source=source.name, engine="check", seconds=time.monotonic() - started)


def _require_definitions(system: HornSystem, summaries: Summaries, name: str) -> None:
    missing = [predicate.name for predicate in system.predicates if predicate.name not in summaries]
    if missing:
        raise InputError(
            f"the certificate has no definition of {missing[0]}",
            Span(name, 1, 1),
            hint="A proof defines every predicate of the system.",
        )
