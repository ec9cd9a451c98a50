"""REFINEARG: is a contract violated on a path, and if not, which contracts of its callees show that?"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from sorrel.engines.whale.conditions import (
    InterproceduralCondition,
    Refuted,
    Slice,
    claims_at,
    looked_through,
    spec_condition,
    tree_size,
    violation,
)
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.exploration import Exploration
from sorrel.engines.whale.function import Path, Procedures
from sorrel.engines.whale.graph import Arg, Assumed, Contract, InterproceduralGraph, reachable
from sorrel.engines.whale.guessing import Guessing
from sorrel.engines.whale.induction import Induction
from sorrel.engines.whale.interpolants import Feasible, Interpolation, Question, Specification, Way
from sorrel.engines.whale.options import WhaleOptions
from sorrel.engines.whale.plan import PLAN
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.smt.solver import Oracle, Sat

WHOLE = (Way.BLOCKING, Way.COVERING)
"""Ways that find out by themselves what they need of the ARGs."""
WIDE = 10
"""Of a function with more arguments than this single interpolants say too little: guesses come first."""


class OutOfTimeError(Exception):
    """The clock has run out."""


class StuckError(Exception):
    """Something could not be decided, without which there is no way on."""


Refined: TypeAlias = Assumed | Execution
"""Assumptions under which the contract holds on the path, or an execution that breaks it."""


class Refinement:
    def __init__(
        self,
        graph: InterproceduralGraph,
        procedures: Procedures,
        oracle: Oracle,
        options: WhaleOptions,
        ways: Sequence[Way],
    ) -> None:
        self.count = 0
        self.executions = Executions()
        self.exploration = Exploration(graph, procedures, self.executions, oracle)
        self._guessing = Guessing(graph, procedures, self.executions, self.exploration, oracle)
        self._graph = graph
        self._oracle = oracle
        self._options = options
        self._ways = ways
        self._through: dict[str, list[Term]] = {}
        self._refuted: dict[str, int] = {}
        self._induction = Induction(graph, oracle)

    def learn(self, contract: Contract, execution: Execution) -> None:
        """The execution violates the contract."""
        self.executions.add(execution)
        name = contract.arg.function.name
        self._refuted[name] = self._refuted.get(name, 0) + 1

    # Calls that are looked through for the time being

    def _transparent(self, callees: Sequence[Arg]) -> tuple[int, ...]:
        if not self._options.transparent:
            return ()
        return tuple(k for k, arg in enumerate(callees) if arg.function.is_transparent)

    def looks_through(self, contract: Contract, path: Path) -> bool:
        return bool(self._transparent(contract.arg.expanded[path.name]))

    def _seen(self, path: Path) -> list[Term]:
        """The ARGs of transparent calls, which are complete, in their place."""
        if path.name not in self._through:
            seen = self._graph.transparent_args(path) if self._options.transparent else {}
            self._through[path.name] = looked_through(path, seen)
        return self._through[path.name]

    def condition(self, contract: Contract, path: Path, assumed: Assumed) -> list[Term]:
        """G ∧ SPECCOND ∧ ¬S, where pending calls are looked through. Lemma 3 says that it is unsatisfiable."""
        seen = self._seen(path) if path.name in contract.pending else []
        return [spec_condition(contract, path, assumed), *seen]

    # REFINEARG

    def refine(self, contract: Contract, path: Path) -> Refined:
        """Contracts for the calls of the path, except for transparent ones; or a violation."""
        callees = contract.arg.expanded[path.name]
        through = self._transparent(callees)
        unknown = tuple(k for k in range(len(callees)) if k not in through)
        background = [*violation(contract, path), *self._seen(path)]
        reused = self._reused(path, callees, unknown, background)
        if reused is not None:
            return reused
        self.count += 1
        question = Question(contract, path, callees, unknown, through)
        found = self._examined(question)
        if isinstance(found, Execution):
            return found
        return self._interpolated(question, found, background)

    def complete(self, contract: Contract, path: Path, assumed: Assumed) -> Assumed:
        """Contracts for the transparent calls of a path, too, where those for the others are known."""
        callees = contract.arg.expanded[path.name]
        unknown = self._transparent(callees)
        question = Question(contract, path, callees, unknown, (), tuple(claims_at(path, assumed)))
        more = self._reused(path, callees, unknown, question.said)
        if more is None:
            self.count += 1
            found = self._examined(question)
            refined = found if isinstance(found, Execution) else self._interpolated(question, found, question.said)
            if isinstance(refined, Execution):
                raise InternalError(f"what was shown of {contract.arg} at {path.name} does not hold")
            more = refined
        return tuple((*known, *new) for known, new in zip(assumed, more, strict=True))

    def _examined(self, question: Question) -> Execution | Refuted | None:
        """A violation, or what excludes one; None if the ARGs are too large for one formula, or it was not decided."""
        limit = self._options.tree
        positions = sorted((*question.unknown, *question.through))
        shape = (question.said, question.path, question.callees, positions, self.executions)
        if any(self.executions.of(question.callees[k].function.name) for k in question.unknown):
            known = InterproceduralCondition(*shape, known_only=True).check(self._oracle, PLAN.whole)
            if isinstance(known, Execution):
                return known
        if tree_size([question.callees[k] for k in positions], limit) > limit:
            return None
        return InterproceduralCondition(*shape).check(self._oracle, PLAN.whole)

    def _interpolated(self, question: Question, shown: Refuted | None, background: Sequence[Term]) -> Refined:
        """STITP by the first way whose answer suffices."""
        whole = Interpolation(question, self.executions, guards=self._options.guards)
        part: Interpolation | None = None
        for seconds in PLAN.interpolation:
            for way in self._ways_for(question):
                if self._oracle.clock.expired():
                    raise OutOfTimeError
                if way not in WHOLE and part is None and shown is not None:
                    needed = shown.needed(PLAN.whole)
                    self._look_at(question, needed)
                    part = Interpolation(question, self.executions, guards=self._options.guards, needed=needed)
                if way is Way.GUESSES:
                    guessed = self._guessed(question, background)
                    if guessed is not None:
                        return guessed
                    continue
                chosen = whole if way in WHOLE or part is None else part
                share = PLAN.blocking * self._oracle.clock.remaining()
                allowed = max(seconds, share) if way is Way.BLOCKING else seconds
                match chosen.solve(way, self._oracle, self._is_inductive, allowed):
                    case Feasible():
                        return self._rebuilt(question)
                    case None:
                        continue
                    case solution:
                        assumed = self._assumed(question, solution, background)
                        if assumed is not None:
                            return assumed
        raise StuckError(f"no interpolant was found for {question.contract.arg} at {question.path.name}")

    def _look_at(self, question: Question, needed: Slice) -> None:
        """Arguments that a proof about an under-approximation looks at are worth guessing about."""
        places: dict[str, set[int]] = {}
        for arg in reachable(tuple(question.callees[k] for k in question.unknown)):
            if not arg.function.is_transparent:
                places.setdefault(arg.function.name, set()).update(needed.places.get(arg.number, ()))
        for name, found in places.items():
            self._guessing.look_at(name, sorted(found))

    def _guessed(self, question: Question, background: Sequence[Term]) -> Assumed | None:
        """Contracts from guesses, if they suffice."""
        if any(question.callees[k].function.is_transparent for k in question.unknown):
            return None
        for _ in self._guessing.more(self._oracle.clock):
            reused = self._reused(question.path, question.callees, question.unknown, background)
            if reused is not None:
                return reused
        return None

    def _is_inductive(self, arg: Arg, claim: Term) -> bool:
        """Together with the contracts of all functions that are to be shown anyway."""
        if arg.function.is_transparent:
            return False
        known: dict[str, list[Term]] = {}
        for contract in self._graph.uncovered():
            known.setdefault(contract.arg.function.name, []).append(contract.claim)
        return self._induction.is_inductive(arg.function, claim, known)

    def _ways_for(self, question: Question) -> Sequence[Way]:
        """Guesses about a function that were refuted too often make room for those that exclude violations only."""
        names = {question.callees[k].function.name for k in question.unknown}
        failed = max((self._refuted.get(name, 0) for name in names), default=0)
        if any(question.callees[k].function.is_transparent for k in question.unknown):
            useful = [way for way in self._ways if way not in (Way.BLOCKING, Way.GUESSES)]
            return sorted(useful, key=lambda way: way is not Way.COVERING) or self._ways
        widest = max((len(question.callees[k].function.arguments) for k in question.unknown), default=0)
        others = [way for way in self._ways if way is not Way.COVERING] or self._ways
        if failed < self._options.patience and widest <= WIDE:
            return others
        first = [way for way in others if way in (Way.GUESSES, Way.BLOCKING)]
        return [*first, *(way for way in others if way not in first)]

    def _rebuilt(self, question: Question) -> Execution:
        everything = tuple(range(len(question.callees)))
        whole = Question(question.contract, question.path, question.callees, (), everything)
        execution = Interpolation(whole, self.executions).rebuilt(self._oracle, self._oracle.clock.remaining())
        if execution is None:
            raise StuckError("an execution exists, but its values were not found")
        return execution

    def _reused(
        self, path: Path, callees: Sequence[Arg], unknown: Sequence[int], background: Sequence[Term]
    ) -> Assumed | None:
        """Contracts that there are and that suffice: of the callee, or of an ARG of its function that is shown anyway.

        The latter make the callee's ARG covered at once. Even without any the path may be harmless.
        """
        known = self._graph.uncovered() if self._options.reuse else []
        shown: list[tuple[int, Term, Term]] = []
        guessed: list[tuple[int, Term]] = []
        for k in unknown if self._options.reuse else ():
            callee = callees[k]
            usable = [c for c in known if c.arg.function is callee.function and c.arg.depth <= callee.depth]
            distinct = {c.number: c for c in [*callee.contracts, *usable]}
            shown += [(k, c.guard, c.summary) for c in distinct.values()]
            guessed += [(k, fact) for fact in self._guessing.facts.get(callee.function.name, ())]
        claims = [terms.substitute(guarded(g, s), path.calls[k].bind()) for k, g, s in shown]
        core = self._oracle.core(background, claims, "whale.reuse", PLAN.reuse)
        if core is not None:
            return self._entered(callees, [shown[index] for index in core])
        if not guessed:
            return None
        claims += [terms.substitute(fact, path.calls[k].bind()) for k, fact in guessed]
        core = self._oracle.core(background, claims, "whale.reuse", PLAN.reuse)
        if core is None:
            return None
        old = [shown[index] for index in core if index < len(shown)]
        facts = [guessed[index - len(shown)] for index in core if index >= len(shown)]
        return self._entered(callees, [*old, *_joined(facts)])

    def _entered(self, callees: Sequence[Arg], chosen: Sequence[tuple[int, Term, Term]]) -> Assumed:
        found: list[dict[int, Contract]] = [{} for _ in callees]
        for k, guard, summary in chosen:
            own = self._graph.contract(callees[k], guard, summary)
            found[k][own.number] = own
        return tuple(tuple(contracts.values()) for contracts in found)

    def _assumed(
        self, question: Question, found: Sequence[Specification], background: Sequence[Term]
    ) -> Assumed | None:
        """UPDATE: a contract for each conjunct of the interpolants that is needed; None if they do not suffice.

        Conjuncts are shown, covered and refuted each by itself: a wrong one does not take the others with it. Those
        about transparent functions, which are never wrong, stay together.
        """
        parts = [(k, part) for k, each in enumerate(found) for part in terms.conjuncts(each.summary)]
        claims = [terms.substitute(guarded(found[k].guard, part), question.path.calls[k].bind()) for k, part in parts]
        core = self._oracle.core(background, claims, "whale.lemma3")
        if core is None:
            return None
        chosen: list[list[Term]] = [[] for _ in question.callees]
        for k, part in (parts[index] for index in core):
            chosen[k].append(part)
        return tuple(
            tuple(self._graph.contract(callee, found[k].guard, summary) for summary in _apart(callee, chosen[k]))
            for k, callee in enumerate(question.callees)
        )

    def audit(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        """Lemma 3, asked anew about the contracts as they were entered."""
        if isinstance(self._oracle.check(*self.condition(contract, path, assumed), kind="whale.audit"), Sat):
            raise InternalError(f"Lemma 3 does not hold for {contract.arg} at {path.name}")


def _joined(facts: Sequence[tuple[int, Term]]) -> list[tuple[int, Term, Term]]:
    """Facts about a call are one contract: none of them is wrong, so that none takes the others with it."""
    calls = dict.fromkeys(k for k, _ in facts)
    return [(k, terms.TRUE, terms.conjunction(fact for own, fact in facts if own == k)) for k in calls]


def _apart(callee: Arg, parts: Sequence[Term]) -> Sequence[Term]:
    return [terms.conjunction(parts)] if callee.function.is_transparent and parts else parts


def guarded(guard: Term, summary: Term) -> Term:
    return summary if terms.is_true(guard) else terms.implication(guard, summary)
