"""One functional program and one property: a run that violates it, or refinement types that exclude every such run.

Types are a sound approximation: that the clauses have no solution says nothing, so that a program is unsafe only by a
run of the interpreter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace

from sorrel.encode.descent import Group
from sorrel.encode.refinement.descent import descent
from sorrel.encode.refinement.encoding import Encoding, encode
from sorrel.encode.refinement.types import RefinementTypes
from sorrel.functional.exploration import find_violation, only_run, repeated_near
from sorrel.functional.interpreter import Event, Execution, Kind, Used, Violated
from sorrel.functional.lasso import Lasso, find_lasso
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.term import Recursive, subterms
from sorrel.functional.value import shown
from sorrel.horn.verdict import Derivation, Safe, Terminating, Unsafe
from sorrel.logic import operations, terms
from sorrel.logic.printing_ml import ml_syntax, variables_of
from sorrel.logic.terms import Term
from sorrel.methods.clauses import Effort, confirm_encoded, decide
from sorrel.methods.termination.attempts import proved_by_ranks
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import UsageError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    ChosenValue,
    Confirmation,
    ContractKind,
    EventKind,
    Outcome,
    ProgramContract,
    Ranking,
    Reason,
    Replay,
    ReplayResult,
    RunEvent,
    Standing,
    ValueOrigin,
    Violation,
)
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.replay.ocaml import NoProgram, harness, replay
from sorrel.smt.solver import Oracle

PROBE_SECONDS, NEAR_SECONDS, TYPE_SECONDS, OVERFLOW_SECONDS = 1.0, 1.0, 3.0, 2.0
REPLAY_SECONDS = 60.0
DEEPEST = 40_000
"""Walks through terms are recursive; Python's own limit is for programs that people write by hand."""
NO_OVERFLOW = Assumption(AssumptionKind.OVERFLOW, "no integer leaves its 63 bits (--property no-overflow checks it)")
_KINDS = {
    Property.ASSERTIONS: Kind.ASSERTION,
    Property.VALID_DEREF: Kind.BOUNDS,
    Property.NO_DIVISION_BY_ZERO: Kind.DIVISION,
    Property.NO_OVERFLOW: Kind.OVERFLOW,
    Property.NO_EXCEPTIONS: Kind.EXCEPTION,
}


def verified(program: Program, task: Task, texts: Sequence[tuple[str, str]], effort: Effort) -> Outcome:
    """`texts` are the files by name, for whoever compiles them."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), DEEPEST))
    if task.goal is Property.TERMINATION:
        return _terminates(program, effort)
    forbidden = frozenset({_kind(task)})
    found = find_violation(program, forbidden, effort.clock.remaining(PROBE_SECONDS), effort.options.seed)
    if found is not None:
        return _violated(program, found, Outcome(Answer.UNSAFE, notes=("found by running the program",)), texts, effort)
    simpler = simplified(program)
    encoding = encode(simpler, forbidden)
    verdict = decide(encoding.system, effort, {})
    outcome = confirm_encoded(encoding.system, verdict, effort)
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE:
            told = tuple(_types(simpler, encoding, summaries, effort))
            assumptions = _assumptions(simpler, forbidden, effort)
            made = interface(program, told)
            return replace(outcome, program_contracts=told, interface=made, assumptions=assumptions)
        case Unsafe(derivation), Answer.UNSAFE:
            return _closed(program, forbidden, _near(program, derivation, forbidden, outcome, texts, effort))
        case _:
            return _closed(program, forbidden, outcome)


def _terminates(program: Program, effort: Effort) -> Outcome:
    lasso = find_lasso(program, effort.clock.remaining(PROBE_SECONDS), effort.options.seed)
    if lasso is not None:
        return _never_ends(program, lasso)
    made = descent(simplified(program))
    outcome, verdict = proved_by_ranks(made, effort)
    if outcome.answer is not Answer.SAFE or not isinstance(verdict, Terminating):
        return outcome
    told = tuple(
        Ranking(f"calls of {function}", tuple(_component(group, function, each) for each in rank.components))
        for group in made.groups
        for rank in verdict.ranks.get(group.obligation.name, ())
        for function in group.procedures
    )
    return replace(outcome, assumptions=(NO_OVERFLOW,), rankings=told)


def _component(group: Group, function: str, component: Term) -> str:
    """A part of a rank at a call of the function, where the places of the others are 0."""
    pairs: list[tuple[Term, Term]] = []
    for (owner, variable), formal in zip(group.inputs, group.obligation.before, strict=True):
        if not variable:
            pairs.append((formal, terms.integer(int(owner == function))))
        elif owner != function:
            pairs.append((formal, terms.integer(0)))
        else:
            pairs.append((formal, terms.variable(variable, terms.INT)))
    said = terms.simplify(terms.substitute(component, pairs))
    return ml_syntax(said, {name: name for name in variables_of(said)})


def _never_ends(program: Program, lasso: Lasso) -> Outcome:
    parameters = lasso.function.parameters
    pairs = zip(lasso.arguments, parameters, strict=True)
    values = " ".join(shown(value, parameter.type, dict(program.data)) for value, parameter in pairs)
    label = lasso.function.label or "a function"
    said = f"{label} {values} is called within a call of itself in which everything is the same"
    return Outcome(
        Answer.UNSAFE,
        notes=(f"a run does not end: {said}",),
        confirmations=(Confirmation("the interpreter", True, 0.0, "the run comes to the same call again"),),
        run=(RunEvent(EventKind.VIOLATION, lasso.function.span, label, 0, said),),
        choices=tuple(_choice(program, used) for used in lasso.run.used),
    )


def _kind(task: Task) -> Kind:
    kind = _KINDS.get(task.goal)
    if kind is None:
        raise UsageError(
            f"{task.goal} is not checked for OCaml; there are: {', '.join([*_KINDS, Property.TERMINATION])}"
        )
    return kind


def _assumptions(program: Program, forbidden: frozenset[Kind], effort: Effort) -> tuple[Assumption, ...]:
    """Numbers have 63 bits, and the proof was about all of them: is there a proof that none gets too large?"""
    if Kind.OVERFLOW in forbidden:
        return ()
    short = replace(effort, clock=effort.clock.share(0.3, at_most=OVERFLOW_SECONDS), report=lambda _: None)
    system = encode(program, forbidden | {Kind.OVERFLOW}).system
    outcome = confirm_encoded(system, decide(system, short, {}), short)
    return (replace(NO_OVERFLOW, standing=Standing.PROVED) if outcome.answer is Answer.SAFE else NO_OVERFLOW,)


def _closed(program: Program, forbidden: frozenset[Kind], outcome: Outcome) -> Outcome:
    """A program that asks for nothing has one run, which settles what no proof did."""
    if outcome.answer is not Answer.UNKNOWN or only_run(program, forbidden) is None:
        return outcome
    detail = "the program has no inputs; its only run ends without an error"
    confirmation = Confirmation("the interpreter", True, 0.0, detail)
    return Outcome(Answer.SAFE, confirmations=(confirmation,), notes=(detail,))


# Proofs


def _types(program: Program, encoding: Encoding, summaries: object, effort: Effort) -> Iterator[ProgramContract]:
    """The types of functions that call themselves, in the order of the source."""
    oracle = Oracle(effort.clock.share(0.5, at_most=TYPE_SECONDS), effort.statistics, query_seconds=0.5)
    types = RefinementTypes(encoding.shapes, summaries, oracle)  # type: ignore[arg-type]
    definitions = [each for term in subterms(program.body) if isinstance(term, Recursive) for each in term.definitions]
    for each in sorted(definitions, key=lambda one: (one.value.span.file, one.value.span.line)):
        label = each.value.label
        if label in encoding.functions and each.binder.source and label not in _LOOPS:
            names = tuple(parameter.source for parameter in each.value.parameters)
            text = f"val {label} : {types.text(encoding.functions[label], names)}"
            yield ProgramContract(label, ContractKind.TYPE, each.value.span, (text,))


def interface(program: Program, told: Sequence[ProgramContract]) -> str:
    """What the program lets others use, with the types that were told."""
    return program.interface.text(
        {each.procedure: text.partition(" : ")[2] for each in told for text in each.conjuncts}
    )


_LOOPS = ("for loop", "while loop")


# Runs


def _near(
    program: Program,
    derivation: Derivation,
    forbidden: frozenset[Kind],
    outcome: Outcome,
    texts: Sequence[tuple[str, str]],
    effort: Effort,
) -> Outcome:
    """A run with the numbers of the derivation; without one it only shows that the types are too weak."""
    numbers = [operations.literal(value) for step in derivation.steps for value in step.values.values()]
    known = [number for number in numbers if number is not None]
    found = repeated_near(program, forbidden, known, effort.clock.remaining(NEAR_SECONDS), effort.options.seed)
    if found is not None:
        return _violated(program, found, outcome, texts, effort)
    chain = ", then ".join(dict.fromkeys(str(step.clause).split("#")[0] for step in derivation.steps))
    why = f"refinement types of this form do not exclude the error, and no run into it was found ({chain})"
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why), certificate="", trace=())


def _violated(
    program: Program, found: Execution, outcome: Outcome, texts: Sequence[tuple[str, str]], effort: Effort
) -> Outcome:
    if not isinstance(found.end, Violated):
        return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, "the run does not repeat"))
    end = found.end
    calls = [event.function for event in found.events if not event.is_return]
    violation = Violation(end.kind, end.message, end.span, calls[-1] if calls else "")
    confirmation = Confirmation("the interpreter", True, 0.0, f"the run violates the property at {end.span}")
    told = replace(
        outcome,
        confirmations=(*outcome.confirmations, confirmation),
        violation=violation,
        run=tuple(_events(program, found.events, end)),
        choices=tuple(_choice(program, used) for used in found.used),
    )
    try:
        text = harness(program, texts, found.used)
    except NoProgram as problem:
        return replace(told, replay=Replay(ReplayResult.IMPOSSIBLE, str(problem)))
    told = replace(told, harness=text)
    if not effort.options.replay:
        return told
    effort.progress({"phase": "replay"})
    tried = replay(text, violation, effort.clock.remaining(REPLAY_SECONDS))
    told = replace(told, replay=tried)
    if tried.result is ReplayResult.REACHED:
        confirmed = Confirmation("the compiled program", True, tried.seconds, tried.detail)
        return replace(told, confirmations=(*told.confirmations, confirmed))
    if tried.result is ReplayResult.MISSED:
        why = f"the interpreter finds the error, but {tried.detail}"
        return replace(told, answer=Answer.UNKNOWN, reason=Reason(Cause.UNCONFIRMED, why))
    return told


def _events(program: Program, events: Sequence[Event], end: Violated) -> Iterator[RunEvent]:
    data = dict(program.data)
    depth = 0
    for event in events:
        depth = event.depth
        values = [shown(value, type, data) for value, type in zip(event.values, event.types, strict=True)]
        if event.is_return:
            text = f"{event.function} returns {values[0]}"
            yield RunEvent(EventKind.RETURN, event.span, event.function, depth, text, value=values[0])
        else:
            yield RunEvent(EventKind.CALL, event.span, event.function, depth, " ".join([event.function, *values]))
    yield RunEvent(EventKind.VIOLATION, end.span, "", depth, end.message)


def _choice(program: Program, used: Used) -> ChosenValue:
    value = shown(used.value, used.type, dict(program.data))
    source, variable = (used.source, used.source) if used.span.line else ("", used.source)
    return ChosenValue(ValueOrigin.INPUT, source, variable, "", value, used.span)
