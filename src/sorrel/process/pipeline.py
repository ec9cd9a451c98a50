"""From sources to questions, and from questions to outcomes with their titles; in this process, without its limits."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from sorrel.evidence.clauses import inductive
from sorrel.evidence.door import Solution, accept
from sorrel.evidence.effort import Effort, Progress
from sorrel.frontends import smtlib
from sorrel.horn.system import HornSystem
from sorrel.horn.text import Facts, read_certificate, write_system
from sorrel.horn.verdict import Safe, Summaries, Terminating, Unsafe
from sorrel.methods.answer import answer
from sorrel.methods.clauses import ClauseQuestion
from sorrel.methods.question import Question
from sorrel.model.errors import InputError, Span
from sorrel.model.options import Finite, Options
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.model.values import dataclass

if TYPE_CHECKING:
    from sorrel.testing.validation import Validated

VALIDATION_SHARE, VALIDATION_SECONDS = 0.2, 20.0
"""Of the real time left, and real seconds at most."""
Report = Callable[[Outcome], None]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """A question that was read, what may be used for it, and how its outcome is titled.

    `completed` looks at the answer once more: it may follow that callers owe something.
    """

    question: Question
    effort: Effort
    titled: Callable[[Outcome], Outcome]
    completed: Callable[[Outcome], Outcome] = lambda outcome: outcome


def solve(source: Source, options: Options, progress: Progress = lambda _: None) -> Outcome:
    """Is the system of Horn clauses safe? In this process; `sorrel.solve` guards the limits from outside."""
    asked = asked_about_clauses(source, options, progress)
    return asked.titled(answer(asked.question, asked.effort))


def verify(
    task: Task, options: Options, progress: Progress = lambda _: None, report: Report = lambda _: None
) -> Outcome:
    """Does the property hold in every run of the program? In this process; `sorrel.verify` guards the limits."""
    asked = asked_about_program(task, options, progress, report)
    if isinstance(asked, Outcome):
        return asked
    return asked.completed(asked.titled(answer(asked.question, asked.effort)))


def asked_about_clauses(source: Source, options: Options, progress: Progress = lambda _: None) -> Asked:
    started = time.monotonic()
    effort = Effort(options, options.budget.start(), progress)
    text, system = read(source, options.finite)

    def titled(outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            source=source.name,
            horn=text if options.finite else "",
            seconds=time.monotonic() - started,
            statistics=effort.as_json(),
        )

    return Asked(ClauseQuestion(text, system, _read_seeds(system, options)), effort, titled)


def read(source: Source, finite: Finite | None = None) -> tuple[str, HornSystem]:
    """The text of the source, and the system it describes; a program's text is that of its clauses."""
    text = source.text if source.text is not None else smtlib.load(source.path)
    if finite is None:
        return text, smtlib.read_text(text, source.name)
    from sorrel.process.finite import finite_system

    system = finite_system(text, source, finite)
    return write_system(system), system


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


def asked_about_program(
    task: Task, options: Options, progress: Progress = lambda _: None, report: Report = lambda _: None
) -> Asked | Outcome:
    """The program read; an outcome in its place if it cannot be read, or was misread."""
    from sorrel.explain.outline import source_texts  # solving Horn clauses needs nothing of this
    from sorrel.frontends.errors import Unsupported

    started = time.monotonic()
    effort = Effort(options, options.budget.start(), progress)

    def titled(outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            source=task.name,
            seconds=time.monotonic() - started,
            statistics=effort.as_json(),
            goal=str(task.goal),
            specification=task.specification,
            function=task.function,
            data_model=task.data_model,
            sources=source_texts(task.sources),
        )

    try:
        question = _functional(task) if task.is_ocaml else _procedural(task, effort)
    except Unsupported as construct:
        return titled(unknown(Cause.INPUT, str(construct), engine=options.engine))
    if isinstance(question, Outcome):
        return titled(question)
    notes: tuple[str, ...] = ()
    # OCaml's door needs nothing of C. A run is told by its replay, where no whole program is there to be validated.
    if not task.is_ocaml and (options.validate or (options.replay and task.is_whole_c)):
        validated = _validated(task, effort)
        if validated.difference:
            return titled(unknown(Cause.INTERNAL, f"the program was misread: {validated.difference}"))
        notes = validated.notes

    def with_notes(outcome: Outcome) -> Outcome:
        told = replace(outcome, notes=(*outcome.notes, *notes))
        return titled(_with_terms(question, told) if task.is_ocaml else _with_outline(question, told))

    own = replace(effort, report=lambda known: report(with_notes(known)))
    own.report(unknown(Cause.TIME, "nothing was decided"))
    return Asked(question, own, with_notes, _completing(question, own, with_notes))


def _with_outline(question: Question, outcome: Outcome) -> Outcome:
    """With what there was to check, also where time or memory ran out before anybody looked."""
    from sorrel.explain.outline import outlined
    from sorrel.methods.programs import ProgramQuestion

    if outcome.procedures or not isinstance(question, ProgramQuestion):
        return outcome
    return outlined(outcome, question.checked, question.task.goal)


def _with_terms(question: Question, outcome: Outcome) -> Outcome:
    from sorrel.explain.functional_outline import outlined_terms
    from sorrel.methods.functional.question import FunctionalQuestion

    if not isinstance(question, FunctionalQuestion):
        return outcome
    files = {source.name for source in question.task.sources}
    return outlined_terms(outcome, question.program, question.task.goal, files)


def _completing(
    question: Question, effort: Effort, titled: Callable[[Outcome], Outcome]
) -> Callable[[Outcome], Outcome]:
    """What callers owe to a function is told in place of a run that shows it; and what became of hints in the text."""

    def completed(outcome: Outcome) -> Outcome:
        from sorrel.methods import hints
        from sorrel.methods.preconditions.inference import is_asked_for, owed, stated
        from sorrel.methods.preconditions.relied import relying, rests_on_callers
        from sorrel.methods.programs import ProgramQuestion
        from sorrel.methods.witnessed import PartlyWitnessed

        if not isinstance(question, ProgramQuestion):
            return outcome
        if isinstance(question, PartlyWitnessed):
            outcome = titled(question.completed(outcome))
        options = effort.options
        plain = not (options.strict or options.replay) and options.engine == Options().engine
        wanted = options.preconditions and plain  # who asks for a run to be repeated asks for the run
        if wanted and is_asked_for(question, outcome):
            found = owed(question, outcome, effort)
            outcome = outcome if found is outcome else titled(found)
        elif wanted and rests_on_callers(question, outcome):
            outcome = titled(relying(question, outcome, effort))
        outcome = stated(question, outcome)
        notes = hints.told(question, effort)
        return replace(outcome, notes=(*outcome.notes, *notes)) if notes else outcome

    return completed


def _procedural(task: Task, effort: Effort) -> Question | Outcome:
    """The program, with what a witness says of it; the outcome if that is a run."""
    from sorrel.methods.programs import ProgramQuestion
    from sorrel.methods.reading import read_program
    from sorrel.methods.witnessed import witnessed

    if effort.options.witness:
        return witnessed(task, effort)
    return ProgramQuestion(read_program(task), task)


def _functional(task: Task) -> Question:
    """Programs of functions have terms, types and clauses of their own."""
    from sorrel.frontends import ocaml
    from sorrel.methods.functional.question import FunctionalQuestion

    texts = [(source.name, source.read()) for source in task.sources]
    return FunctionalQuestion(ocaml.read(task.sources, task.function), task, texts)


def _functional_types(task: Task, effort: Effort) -> Outcome:
    from sorrel.frontends import ocaml
    from sorrel.methods.functional import types

    return types.offered_types(ocaml.read_functions(task.sources, task.function), task.sources, effort)


def _validated(task: Task, effort: Effort) -> Validated:
    """Some runs beside those of the compiled program, before anything is claimed."""
    from sorrel.testing.validation import validate

    effort.progress({"phase": "validation"})
    # On the wall's clock: compilers and compiled programs are processes of their own.
    seconds = effort.clock.until_deadline(VALIDATION_SECONDS / VALIDATION_SHARE) * VALIDATION_SHARE
    return validate(task, effort.clock.within(seconds))


def summarize(
    task: Task, options: Options, progress: Progress = lambda _: None, report: Report = lambda _: None
) -> Outcome:
    """What can be proved about the program's functions and loops, whatever is asked of them."""
    from sorrel.explain.outline import source_texts
    from sorrel.methods import summaries

    started = time.monotonic()

    def named(outcome: Outcome) -> Outcome:
        return replace(
            outcome,
            source=task.name,
            engine="summarize",
            seconds=time.monotonic() - started,
            statistics=effort.as_json(),
            function=task.function,
            data_model=task.data_model,
            sources=source_texts(task.sources),
        )

    effort = Effort(options, options.budget.start(), progress, lambda known: report(named(known)))
    return named(_functional_types(task, effort) if task.is_ocaml else summaries.summarized(task, effort))


def check_certificate(source: Source, certificate: Source, options: Options) -> Outcome:
    """A saved certificate against its system, with nothing else involved."""
    started = time.monotonic()
    text, system = read(source)
    content = certificate.text if certificate.text is not None else smtlib.load(certificate.path)
    verdict = read_certificate(system, content, certificate.name)
    if isinstance(verdict, Facts):
        place = Span(certificate.name, 1, 1)
        raise InputError("these are facts, which do not decide a query", place, hint="Use them as --seeds.")
    if not isinstance(verdict, Unsafe):
        _require_definitions(system, verdict.summaries, certificate.name)
    outcome = accept(Solution(system, verdict, text), Effort(options, options.budget.start(), lambda _: None))
    return replace(outcome, source=source.name, engine="check", seconds=time.monotonic() - started)


def _require_definitions(system: HornSystem, summaries: Summaries, name: str) -> None:
    missing = [predicate.name for predicate in system.predicates if predicate.name not in summaries]
    if missing:
        raise InputError(
            f"the certificate has no definition of {missing[0]}",
            Span(name, 1, 1),
            hint="A proof defines every predicate of the system.",
        )
