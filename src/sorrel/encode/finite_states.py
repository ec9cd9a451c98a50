"""States of a symbolic execution over words: values, conditions, and how states join."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorrel.finite.function import Call as FiniteCall
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import (
    Expression,
    Variable,
)
from sorrel.program.statement import (
    Choice,
)

MOST_PATHS = 1024
FAILED = "failed"


@dataclass(frozen=True, slots=True)
class Open:
    """A value that the run does not determine, and why."""

    what: str
    span: Span


Value = Term | Open


@dataclass(frozen=True, slots=True, eq=False)
class State:
    """Where an execution stands: `guard` is what was assumed since the last call."""

    environment: Mapping[str, Value]
    calls: tuple[FiniteCall, ...] = ()
    guard: tuple[Term, ...] = ()


@dataclass(slots=True)
class Ends:
    """The executions that came to the end of a procedure, and those that violated an assertion."""

    returned: list[State]
    failed: list[State]


def determined(environment: Mapping[str, Value], variable: Variable, span: Span) -> Term:
    """The value of the variable, which must be the only one that it can have."""
    value = environment.get(variable.name, Open(f"{variable.name} is used before it is set", span))
    if isinstance(value, Open):
        raise InputError(
            f"{value.what}: nondeterministic values are not supported here",
            value.span if value.span.line else span,
            hint="Summaries are learned from runs, which must have one result; make the value a parameter.",
        )
    return value


def is_copy(value: Expression) -> bool:
    return isinstance(value, Variable)


def updated(state: State, target: Variable, value: Value) -> State:
    return replace(state, environment={**state.environment, target.name: value})


def reason_of(choice: Choice, source: str, target: Variable) -> str:
    match choice:
        case Choice.UNINITIALISED:
            return f"{source or target.name} is used before it is set"
        case Choice.ABSTRACTION:
            return f"{source or target.name}, whose value is not modelled, is used"
        case _:
            return f"{source or target.name} may return any value"


def assuming(state: State, condition: Term) -> list[State]:
    decided = terms.simplify(condition)
    if terms.is_false(decided):
        return []
    return [state if terms.is_true(decided) else replace(state, guard=(*state.guard, condition))]


def demand_few(states: Sequence[State], span: Span) -> None:
    if len(states) > MOST_PATHS:
        raise InputError(
            f"more than {MOST_PATHS} paths lead through here",
            span,
            hint="Branches with calls multiply; move some of them into a function of their own.",
        )


def joined_states(states: Sequence[State]) -> list[State]:
    """Executions that made the same calls as one, with conditional values (the edges that section VII merges)."""
    found: list[State] = []
    for state in states:
        for place, other in enumerate(found):
            if other.calls is state.calls or other.calls == state.calls == ():
                found[place] = _join(other, state)
                break
        else:
            found.append(state)
    return found


def _join(one: State, other: State) -> State:
    shared = 0
    while shared < min(len(one.guard), len(other.guard)) and terms.same(one.guard[shared], other.guard[shared]):
        shared += 1
    first, second = one.guard[shared:], other.guard[shared:]
    if first and second and terms.same(terms.negation(first[0]), second[0]):
        condition = first[0]
        assumed = [terms.implication(condition, each) for each in first[1:]]
        assumed += [terms.implication(second[0], each) for each in second[1:]]
    else:
        condition = terms.conjunction(first)
        assumed = [terms.disjunction([condition, terms.conjunction(second)])]
    environment: dict[str, Value] = {}
    for name, value in one.environment.items():
        if name in other.environment:
            environment[name] = _choice(condition, value, other.environment[name])
    return replace(one, environment=environment, guard=(*one.guard[:shared], *assumed))


def _choice(condition: Term, then: Value, otherwise: Value) -> Value:
    if isinstance(then, Open):
        return then
    if isinstance(otherwise, Open):
        return otherwise
    return then if terms.same(then, otherwise) else terms.ite(condition, then, otherwise)
