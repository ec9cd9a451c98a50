"""Symbolic execution of the statements of one procedure, from a place on, with paths merged where they meet.

What a path does where it ends, fails or calls is said by whoever needs it: clauses of a procedure (`body`), steps from
one cut to the next (`steps`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Container
from heapq import heappop, heappush
from typing import assert_never

from sorrel.encode.expressions import Evaluation
from sorrel.encode.region import Region
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.encode.state import State
from sorrel.encode.trace import Chosen
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import Span
from sorrel.program.expression import Expression, Variable
from sorrel.program.graph import reverse_postorder
from sorrel.program.program import Procedure
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Observe,
    Print,
    Return,
    Statement,
    Stop,
)
from sorrel.program.types import Type


class Execution(ABC):
    """Paths through a procedure, in the order of its blocks; a region is the paths that start at one place."""

    def __init__(self, semantics: Semantics, procedure: Procedure) -> None:
        self._semantics = semantics
        self._procedure = procedure
        self._order = {label: number for number, label in enumerate(reverse_postorder(procedure))}
        self._states: dict[str, list[State]] = {}
        self._queue: list[tuple[int, str]] = []
        self._region: Region

    # What is done with paths

    @abstractmethod
    def _arrive(self, label: str, states: list[State], span: Span) -> None:
        """Paths have come to a block."""

    @abstractmethod
    def _return(self, state: State, span: Span) -> None: ...

    @abstractmethod
    def _stop(self, state: State, span: Span) -> None: ...

    @abstractmethod
    def _fail(self, state: State, span: Span) -> None: ...

    @abstractmethod
    def _call(self, state: State, call: Call) -> None: ...

    def _scope(self, state: State) -> Scope:
        """Where an expression is evaluated."""
        return Scope(self._region.names, state.knowledge, earlier=state.applications)

    def _idle(self, label: str) -> Container[int]:
        """The positions of statements in a block that do not matter."""
        return ()

    def _ends_at(self, target: str) -> bool:
        """Whether paths that come to the block go no further: then they arrive at once, each by itself."""
        return False

    # Blocks

    def _follow(self, label: str, state: State) -> None:
        """All paths from the start of a block."""
        self._block(label, state)
        while self._queue:
            _, label = heappop(self._queue)
            self._arrive(label, self._states.pop(label), self._procedure.block[label].terminator.span)

    def _block(self, label: str, state: State) -> None:
        block, idle = self._procedure.block[label], self._idle(label)
        for position, statement in enumerate(block.statements):
            if position in idle:
                continue
            self._statement(statement, state)
            if not state.is_possible:
                return
        match block.terminator:
            case Goto(target, span):
                self._go(target, state, span)
            case Branch(condition, then, otherwise, span):
                self._branch(state, condition, then, otherwise, span)
            case Return(span):
                self._return(state, span)
            case Stop(span):
                self._stop(state, span)
            case _:
                assert_never(block.terminator)

    def _go(self, target: str, state: State, span: Span) -> None:
        if not state.is_possible:
            return
        if self._ends_at(target):
            self._arrive(target, [state], span)
            return
        if target not in self._states:
            self._states[target] = []
            heappush(self._queue, (self._order[target], target))
        self._states[target].append(state)

    def _branch(self, state: State, condition: Expression, then: str, otherwise: str, span: Span) -> None:
        if then == otherwise:
            self._go(then, state, span)
            return
        test = self._evaluate(state, condition)
        decided = state.decide(test)
        if decided is not None:
            self._go(then if decided else otherwise, state, span)
            return
        other = state.fork()
        state.assume(test)
        other.assume(terms.negation(test))
        self._go(then, state, span)
        self._go(otherwise, other, span)

    # Statements

    def _statement(self, statement: Statement, state: State) -> None:
        match statement:
            case Assign(target, value):
                state.values[target.name] = self._evaluate(state, value)
            case Havoc(target, choice, source):
                self._choose(state, target)
                if choice is Choice.ABSTRACTION:
                    state.abstractions = (*state.abstractions, source or target.name)
            case Assume(condition):
                state.assume(self._evaluate(state, condition))
            case Assert(condition, _, _, span):
                self._assert(state, self._evaluate(state, condition), span)
            case Print():
                pass
            case Observe():
                pass  # means nothing in one run; `relate` has made assumptions and assertions of it for several
            case Call():
                self._call(state, statement)
            case _:
                assert_never(statement)

    def _assert(self, state: State, condition: Term, span: Span) -> None:
        if state.decide(condition) is not True:
            failing = state.fork()
            failing.assume(terms.negation(condition))
            self._fail(failing, span)
        state.assume(condition)

    # Values

    def _fresh(self, state: State, wish: str, type: Type) -> Term:
        term = self._region.variable(wish, type)
        self._semantics.know_type(Scope(self._region.names, state.knowledge), term, type)
        return term

    def _choose(self, state: State, variable: Variable) -> None:
        term = self._fresh(state, variable.name, variable.type)
        state.values[variable.name] = term
        state.trace = Chosen(state.trace, term, variable.type)

    def _evaluate(self, state: State, expression: Expression) -> Term:
        scope = self._scope(state)
        term = Evaluation(self._semantics, state.values, scope).run(expression)
        state.evaluated(scope)
        return term
