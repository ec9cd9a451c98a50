"""Do two versions of a function do the same? A difference is an input that was run in both; the same is a proof.

Tried in this order: runs with values that often make trouble, a proof or a counterexample for both calls one after the
other, and for each thing that is compared a proof about both runs in lockstep. Loops and recursive procedures that
belong together are compared by induction before.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.evidence.effort import Effort
from sorrel.evidence.result import Accepted
from sorrel.evidence.run import REPEATED_STEPS, recorded
from sorrel.evidence.summaries import check_summaries
from sorrel.methods.features import Features, Subject
from sorrel.methods.method import MethodKind
from sorrel.methods.registry import METHODS
from sorrel.methods.relational.lockstep import SYNONYM
from sorrel.methods.relational.product import proved
from sorrel.methods.schedule import schedule
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Clock
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass
from sorrel.modular.finding import find_proof
from sorrel.modular.plan import PLAN
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.run import Run, Violated, Wrote
from sorrel.program.statement import Kind
from sorrel.program.value import Value
from sorrel.project.difference import Behaviour, Example
from sorrel.relate.claims import claimed, parameters, subject
from sorrel.relate.functions import with_functions
from sorrel.relate.library import EQUIVALENCE, law
from sorrel.relate.matching import matched
from sorrel.relate.versions import (
    FAILED,
    NEW,
    NEW_PROCEDURE,
    OBSERVER,
    Incomparable,
    Observable,
    Versions,
    is_deterministic,
    observed,
    one_after_the_other,
    versions,
)
from sorrel.replay.elements import show
from sorrel.replay.telling import chosen, tell
from sorrel.testing.probe import explored_violation, probe

FAILURES = frozenset({Kind.ASSERTION, Kind.ERROR_CALL})
_GRANTED = frozenset(AssumptionKind) - {AssumptionKind.QUESTION}
RETURNING = "where both return, and nothing overflows"


@dataclass(frozen=True, slots=True)
class Compared:
    behaviour: Behaviour
    how: str
    example: Example | None = None


def compare(old: Program, new: Program, function: str, clock: Clock) -> Compared:
    """The function in two programs of which every caller is the start."""
    found = _compared(old, new, function, clock)
    granted = dict.fromkeys(each.text for each in (*old.assumptions, *new.assumptions) if each.kind in _GRANTED)
    if found.behaviour is not Behaviour.SAME or not granted:
        return found
    return replace(found, how=f"{found.how}; assuming: {' '.join(granted)}")


def _compared(old: Program, new: Program, function: str, clock: Clock) -> Compared:
    if function in (old.main, new.main):
        return Compared(Behaviour.NOT_SHOWN, "runs start with it, and it is not called in any state")
    try:
        pair = versions(instrument(old, FAILURES), instrument(new, FAILURES), function)
    except Incomparable as problem:
        return Compared(Behaviour.NOT_SHOWN, str(problem))
    both = one_after_the_other(pair)
    repeatable = is_deterministic(pair.old, function) and is_deterministic(pair.new, function)
    if repeatable:
        found = probe(both, clock.remaining(PLAN.compared_probe)).violated
        found = found or explored_violation(both, PLAN.compared_exploring.of(clock))
        if found is not None and (example := _example(both, found)):
            return Compared(Behaviour.DIFFERENT, "found by running both", example)
    if _matched(pair, PLAN.compared_loops.of(clock)):
        return Compared(Behaviour.SAME, f"proved loop by loop {RETURNING}")
    answer = _one_after_the_other(both, PLAN.compared_whole.of(clock), repeatable=repeatable)
    if answer is not None:
        return answer
    if not pair.start_alike:
        return Compared(Behaviour.NOT_SHOWN, "no difference was found, and constants have other values")
    return _in_lockstep(pair, clock)


def _matched(pair: Versions, clock: Clock) -> bool:
    """Whether loops and recursive procedures that belong together do the same, and so does what is around them."""
    asked = matched(pair)
    return bool(asked) and all(_one_after_the_other(each, clock, repeatable=False) for each in asked or ())


def _one_after_the_other(both: Program, clock: Clock, *, repeatable: bool) -> Compared | None:
    encoding = encode(both, Arithmetic.IDEAL)
    found = find_proof(encoding.system, clock, {})
    if found.settled and isinstance(
        check_summaries(encoding.system, found.summaries, clock.until_deadline()), Accepted
    ):
        return Compared(Behaviour.SAME, f"proved {RETURNING}")
    if found.derivation is None or not repeatable:
        return None
    run = recorded(both, encoding.choices(found.derivation), REPEATED_STEPS)
    example = _example(both, run)
    return Compared(Behaviour.DIFFERENT, "found by a solver, and run in both", example) if example else None


def _example(both: Program, run: Run) -> Example | None:
    """What a run of both versions shows; nothing if it depends on more than what both were given."""
    if any(used.procedure != both.main for used in run.used):
        return None
    if not run.events:
        run = recorded(both, [used.value for used in run.used], REPEATED_STEPS)
    if not isinstance(run.end, Violated):
        return None
    last: dict[str, Value] = {event.variable.name: event.value for event in run.events if isinstance(event, Wrote)}
    differs = run.end.assertion.message.removesuffix(" differs")
    inputs = [c for c in chosen(both, run) if c.source != "any index"]
    told = tell(both, run)
    inside = [event for event in told if event.procedure != both.main]
    mine = tuple(event for event in inside if not event.procedure.startswith(NEW_PROCEDURE))
    theirs = tuple(
        replace(event, procedure=_user_name(event.procedure), text=_user_name(event.text))
        for event in inside
        if event.procedure.startswith(NEW_PROCEDURE)
    )
    return Example(
        tuple(f"{each.variable or each.source} = {each.value}" for each in inputs),
        differs,
        _values(last, "old.", ""),
        _values(last, NEW, NEW),
        mine,
        theirs,
    )


def _user_name(text: str) -> str:
    return text.replace(NEW_PROCEDURE, "")


def _values(last: dict[str, Value], results: str, state: str) -> tuple[str, ...]:
    """What a version returned, and whether an assertion failed in it."""
    found = [f"returns {show(value)}" for name, value in last.items() if name.removeprefix(results).isdecimal()]
    if last.get(f"{state}{FAILED.name}") is True:
        found.append("an assertion fails")
    return tuple(found)


def _in_lockstep(pair: Versions, clock: Clock) -> Compared:
    """For everything that is compared a law of its own; all of them together are the claim."""
    not_shown = Compared(Behaviour.NOT_SHOWN, "no difference was found, and no proof that there is none")
    wanted = pair.observables
    for position, each in enumerate(wanted):
        try:
            if not _proved(pair, each, clock.share(1 / (len(wanted) - position))):
                return replace(not_shown, how=f"{not_shown.how}: {each.name}")
        except InputError as problem:
            return replace(not_shown, how=f"{not_shown.how}: {problem.message}")
    return Compared(Behaviour.SAME, f"proved in lockstep {RETURNING}")


def _engines(way: str = "") -> tuple[str, ...]:
    """Who is asked about laws, as the schedule for them says; with `way` those that this method uses.

    First who follows both runs side by side: loops of two versions are often the same but for how they are written.
    """
    steps = [step for lane in schedule(Features(Subject.LAW)).lanes for step in lane]
    if way:
        return tuple(dict(step.options)["engine"] for step in steps if step.method == way)
    names = [step.method for step in steps if METHODS[step.method].kind is MethodKind.ENGINE]
    return tuple(sorted(names, key=lambda name: name != SYNONYM))


def _proved(pair: Versions, observable: Observable, clock: Clock) -> bool:
    names = (f"{OBSERVER}_old", f"{OBSERVER}_new")
    programs = (observed(pair, observable, new=False), observed(pair, observable, new=True))
    subjects = {name: subject(program, name) for name, program in zip(names, programs, strict=True)}
    asked = law(f"{EQUIVALENCE}={names[1]}", parameters(programs[0], names[0]))
    task = Task((), Property.SPECIFICATION, function=names[0], specification=str(asked))
    made = with_functions([each.program for each in subjects.values()])
    attempts = [(subjects, engine) for engine in _engines()]
    if made is not None:
        pairs = zip(subjects.items(), made, strict=True)
        alike = {name: replace(each, program=program) for (name, each), program in pairs}
        attempts.insert(0, (alike, _engines("functions")[-1]))
    for number, (each, engine) in enumerate(attempts):
        effort = Effort(Options(engine=engine), clock.share(1 / (len(attempts) - number)), lambda _: None)
        if proved(claimed(asked, each, names[0]), task, effort).answer in (Answer.SAFE, Answer.ASSUMING):
            return True
    return False
