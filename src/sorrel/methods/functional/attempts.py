"""One functional program and one property: a run that violates it, or refinement types that exclude every such run.

Types are a sound approximation: that the clauses have no solution says nothing, so that a program is unsafe only by a
run of the interpreter.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from sorrel.encode.descent import Group
from sorrel.encode.refinement.descent import descent
from sorrel.encode.refinement.encoding import Encoding, encode
from sorrel.encode.refinement.walk import Precision
from sorrel.evidence.door import EndlessCalls, ErrorExecution, OnlyExecution, Solution, accept
from sorrel.evidence.effort import Effort
from sorrel.functional.execution import Kind
from sorrel.functional.exploration import find_violation, only_run, repeated_near
from sorrel.functional.inference.loops import FOR, WHILE
from sorrel.functional.lasso import find_lasso
from sorrel.functional.program import Program
from sorrel.functional.simplify import simplified
from sorrel.functional.term import Definition, Recursive, subterms
from sorrel.horn.verdict import Derivation, Safe, Summaries, Terminating, Unsafe
from sorrel.logic import operations, terms
from sorrel.logic.printing_ml import ml_syntax, variables_of
from sorrel.logic.terms import Term
from sorrel.methods.clauses import decide
from sorrel.methods.functional.telling import Subject, contracts
from sorrel.methods.functional.weakness import weakness
from sorrel.methods.termination.attempts import proved_by_ranks
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Unsupported, UsageError
from sorrel.model.outcome import (
    Answer,
    Assumption,
    Cause,
    Outcome,
    ProgramContract,
    Ranking,
    Reason,
    Standing,
)
from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.smt.solver import Oracle

PROBE_SECONDS, NEAR_SECONDS, TYPE_SECONDS, OVERFLOW_SECONDS = 1.0, 1.0, 3.0, 2.0
DEEPEST = 40_000
"""Walks through terms are recursive; Python's own limit is for programs that people write by hand."""
_FITS = "no integer leaves its 63 bits"
NO_OVERFLOW = Assumption(AssumptionKind.OVERFLOW, f"{_FITS} (--property no-overflow checks it)", words=_FITS)
FOUND_BY_RUNNING = Outcome(Answer.UNKNOWN, notes=("found by running the program",))
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
        return accept(ErrorExecution(program, found, forbidden, texts, FOUND_BY_RUNNING), effort)
    asked = _Asked(program, simplified(program), forbidden, task, texts)
    return accept(OnlyExecution(program, forbidden, _by_types(asked, effort)), effort)


@dataclass(frozen=True, slots=True, eq=False)
class _Asked:
    """The program as it was read, as it is proved about, and what is asked."""

    program: Program
    simpler: Program
    forbidden: frozenset[Kind]
    task: Task
    texts: Sequence[tuple[str, str]]


def _by_types(asked: _Asked, effort: Effort) -> Outcome:
    """One type for each function; after a refutation that no run confirms, types that tell more apart."""
    encoding = encode(asked.simpler, asked.forbidden)
    first = _attempted(asked, encoding, effort)
    if not _is_too_weak(first) or only_run(asked.program, asked.forbidden) is not None:
        return first
    for finer in _finer(asked, encoding):
        outcome = _attempted(asked, finer, effort)
        if outcome.answer is not Answer.UNKNOWN:
            return replace(outcome, notes=(*outcome.notes, "each use of a function has a type of its own"))
    return first


def _is_too_weak(outcome: Outcome) -> bool:
    return outcome.reason is not None and outcome.reason.cause is Cause.INCOMPLETE


def _finer(asked: _Asked, encoding: Encoding) -> Iterator[Encoding]:
    """Clauses of more precise types, as far as there are any."""
    known = len(encoding.system.clauses)
    for precision in (Precision(copies=True), encoding.finer):
        try:
            made = encode(asked.simpler, asked.forbidden, precision)
        except Unsupported:
            return
        if len(made.system.clauses) > known or precision.ghosts:
            yield made


def _attempted(asked: _Asked, encoding: Encoding, effort: Effort) -> Outcome:
    verdict = decide(encoding.system, effort, {})
    outcome = accept(Solution(encoding.system, verdict), effort)
    match verdict, outcome.answer:
        case Safe(summaries), Answer.SAFE:
            told = _types(asked, encoding, summaries, effort)
            assumptions = _assumptions(asked.simpler, asked.forbidden, effort)
            made = interface(asked.program, told)
            return replace(outcome, program_contracts=told, interface=made, assumptions=assumptions)
        case Unsafe(derivation), Answer.UNSAFE:
            return _near(asked, encoding, derivation, outcome, effort)
        case _:
            return outcome


def _terminates(program: Program, effort: Effort) -> Outcome:
    lasso = find_lasso(program, effort.clock.remaining(PROBE_SECONDS), effort.options.seed)
    if lasso is not None:
        return accept(EndlessCalls(program, lasso), effort)
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
    outcome = accept(Solution(system, decide(system, short, {})), short)
    return (replace(NO_OVERFLOW, standing=Standing.PROVED) if outcome.answer is Answer.SAFE else NO_OVERFLOW,)


# Proofs


def _types(asked: _Asked, encoding: Encoding, summaries: Summaries, effort: Effort) -> tuple[ProgramContract, ...]:
    """The types of functions that call themselves, in the order of the source.

    One that is walked in several places has several; one that lost arguments on the way has another type than its own.
    """
    clock = effort.clock.share(0.5, at_most=TYPE_SECONDS)
    oracle = Oracle(clock, effort.statistics, query_seconds=0.5, measure_sizes=False)
    written = {each.value.label: len(each.value.parameters) for each in _definitions(asked.program)}
    subjects = [
        Subject(
            label,
            encoding.functions[each.binder.name][0],
            tuple(parameter.source for parameter in each.value.parameters),
            each.value.span,
            is_public=label in asked.program.declared,
        )
        for each in sorted(_definitions(asked.simpler), key=lambda one: (one.value.span.file, one.value.span.line))
        if (label := each.value.label) not in (FOR, WHILE)
        and each.binder.source
        and len(each.value.parameters) == written[label]
        if len(encoding.functions.get(each.binder.name, ())) == 1
    ]
    return tuple(contracts(subjects, encoding, summaries, asked.task.sources, oracle))


def _definitions(program: Program) -> list[Definition]:
    return [each for term in subterms(program.body) if isinstance(term, Recursive) for each in term.definitions]


def interface(program: Program, told: Sequence[ProgramContract]) -> str:
    """What the program lets others use, with the types that were told."""
    return program.interface.text(
        {each.procedure: text.partition(" : ")[2] for each in told for text in each.conjuncts}
    )


# Runs


def _near(asked: _Asked, encoding: Encoding, derivation: Derivation, outcome: Outcome, effort: Effort) -> Outcome:
    """A run with the numbers of the derivation; without one it only shows that the types are too weak."""
    numbers = [operations.literal(value) for step in derivation.steps for value in step.values.values()]
    known = [number for number in numbers if number is not None]
    seconds = effort.clock.remaining(NEAR_SECONDS)
    found = repeated_near(asked.program, asked.forbidden, known, seconds, effort.options.seed)
    if found is not None:
        return accept(ErrorExecution(asked.program, found, asked.forbidden, asked.texts, outcome), effort)
    why = weakness(encoding.system, derivation)
    return replace(outcome, answer=Answer.UNKNOWN, reason=Reason(Cause.INCOMPLETE, why), certificate="", trace=())
