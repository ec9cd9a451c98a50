"""The algorithm (Fig. 3 of the paper): COVERARG, EXPANDARG and REFINEARG on contracts from a fair queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence
from typing import TypeAlias

from sorrel.engines.engine import Run
from sorrel.engines.whale.conditions import InterproceduralCondition, spec_condition, tree_size, violation
from sorrel.engines.whale.executions import Execution, Executions
from sorrel.engines.whale.function import Path, Procedures
from sorrel.engines.whale.graph import Arg, Assumed, Contract, InterproceduralGraph
from sorrel.engines.whale.interpolants import Feasible, Interpolation, Specification
from sorrel.engines.whale.narration import Narration
from sorrel.engines.whale.options import WhaleOptions
from sorrel.errors import InternalError
from sorrel.horn.clause import Atom
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.recursion_free import Method
from sorrel.smt.solver import Oracle, Sat

QUERY_SECONDS = 30.0
INTERPOLATION_SECONDS = (2.0, 20.0)
"""For each method: first a short time, and a longer one if none of them came to an end."""
CHECK_SECONDS = 2.0
"""For one formula of a whole under-approximation; then Spacer is asked."""


class OutOfTimeError(Exception):
    """The clock has run out."""


class StuckError(Exception):
    """Something could not be decided, without which there is no way on."""


Refined: TypeAlias = Assumed | Execution
"""What a refinement ends with: assumptions under which the contract holds on the path, or an execution that breaks it."""


class Search:
    def __init__(
        self, procedures: Procedures, run: Run, options: WhaleOptions, methods: Sequence[Method], oracle: Oracle
    ) -> None:
        self.graph = InterproceduralGraph(procedures, merge=options.merge)
        self.refinements = 0
        self.narration = Narration(run.explain)
        self._run = run
        self._options = options
        self._methods = methods
        self._oracle = oracle
        self._executions = Executions()
        self._queue: deque[Contract] = deque([self.graph.root])

    def run(self) -> Execution | None:
        """An execution of the main function, or None once the graph is safe and complete."""
        while self._queue or self._refill():
            if self._oracle.clock.expired():
                raise OutOfTimeError
            contract = self._queue.popleft()
            if contract.is_refuted or contract.covered_by or contract.is_safe_and_complete:
                continue
            if contract not in self.graph.needed() or self._cover(contract):
                continue
            found = self._work_on(contract)
            if found is not None:
                return found
            self._run.progress({"args": len(self.graph.args), "refinements": self.refinements})
        return None

    def _refill(self) -> bool:
        """What is still to be shown once the queue is empty: coverings must rest on contracts that are needed."""
        needed = self.graph.needed()
        uncovered = {contract.number for contract in needed if not contract.covered_by}
        for contract in needed:
            if any(other.number not in uncovered for other in contract.covered_by):
                contract.covered_by = ()
        self._enqueue(c for c in needed if not c.covered_by and not c.is_safe_and_complete)
        return bool(self._queue)

    def _enqueue(self, contracts: Iterable[Contract]) -> None:
        waiting = {contract.number for contract in self._queue}
        for contract in contracts:
            if contract.number not in waiting and not contract.is_refuted:
                waiting.add(contract.number)
                self._queue.append(contract)

    # COVERARG

    def _cover(self, contract: Contract) -> bool:
        """Cover the contract by smaller ones of its function that are to be shown anyway."""
        others = [
            other
            for other in self.graph.uncovered()
            if other.arg.function is contract.arg.function and other.order < contract.order
        ]
        if not others:
            return False
        claims = [other.claim for other in others]
        core = self._oracle.core([terms.negation(contract.claim)], claims, "whale.cover")
        if core is None:
            return False
        contract.covered_by = tuple(others[index] for index in core)
        self.narration.cover(contract)
        self._uncover(contract)
        return True

    def _uncover(self, contract: Contract) -> None:
        """What was covered by the contract is to be shown again."""
        for other in self.graph.needed():
            if contract in other.covered_by:
                other.covered_by = ()
                self._enqueue([other])

    # EXPANDARG

    def _work_on(self, contract: Contract) -> Execution | None:
        """Expand and refine until the contract is shown or refuted; an execution of the main function if there is one."""
        arg = contract.arg
        if self._options.expand == "all":
            for path in arg.function.paths:
                self._expand(arg, path)
        for path in arg.function.paths:
            if path.name in contract.labels:
                continue
            self._expand(arg, path)
            refined = self._refine(contract, path)
            if isinstance(refined, Execution):
                self.narration.violated(contract, path)
                if contract is self.graph.root:
                    return refined
                self._refute(contract, refined)
                return None
            self._label(contract, path, refined)
        self._weaken_guard(contract)
        return None

    def _expand(self, arg: Arg, path: Path) -> None:
        if path.name not in arg.expanded:
            self.graph.expand(arg, path)
            self.narration.expand(arg, path)

    # REFINEARG

    def _refine(self, contract: Contract, path: Path) -> Refined:
        callees = contract.arg.expanded[path.name]
        reused = self._reuse(contract, path, callees)
        if reused is not None:
            return reused
        self.refinements += 1
        needed = None
        if tree_size(callees, self._options.tree) <= self._options.tree:
            condition = InterproceduralCondition(contract, path, callees, self._executions)
            found = condition.check(self._oracle, CHECK_SECONDS)
            if isinstance(found, Execution):
                return found
            needed = found
        interpolation = Interpolation(
            contract, path, callees, self._executions, guards=self._options.guards, needed=needed
        )
        for seconds in INTERPOLATION_SECONDS:
            for method in self._methods:
                solution = self._interpolate(interpolation, method, seconds)
                if isinstance(solution, Execution):
                    return solution
                assumed = self._assume(contract, path, callees, solution) if solution is not None else None
                if assumed is not None:
                    return assumed
        raise StuckError(f"no method solved the refinement of {contract.arg} at {path.name}")

    def _interpolate(
        self, interpolation: Interpolation, method: Method, seconds: float
    ) -> tuple[Specification, ...] | Execution | None:
        if self._oracle.clock.expired():
            raise OutOfTimeError
        if method is not Method.SPACER:
            return interpolation.solve(self._oracle, [method], seconds)
        found = interpolation.by_spacer(self._oracle, seconds)
        if not isinstance(found, Feasible):
            return found
        execution = interpolation.rebuilt(self._oracle, self._oracle.clock.remaining())
        if execution is None:
            raise StuckError("an execution exists, but its values were not found")
        return execution

    def _reuse(self, contract: Contract, path: Path, callees: Sequence[Arg]) -> Assumed | None:
        """Contracts that there are and that suffice: of the callee, or of an ARG of its function that is shown anyway.

        The latter make the callee's ARG covered at once. Even without any the path may be harmless.
        """
        candidates: list[tuple[int, Contract]] = []
        if self._options.reuse:
            known = self.graph.uncovered()
            for k, callee in enumerate(callees):
                usable = [c for c in known if c.arg.function is callee.function and c.arg.depth <= callee.depth]
                distinct = {c.number: c for c in [*callee.contracts, *usable]}
                candidates += [(k, c) for c in distinct.values()]
        claims = [terms.substitute(c.claim, path.calls[k].bind()) for k, c in candidates]
        core = self._oracle.core(violation(contract, path), claims, "whale.reuse", CHECK_SECONDS)
        if core is None:
            return None
        chosen: list[dict[int, Contract]] = [{} for _ in callees]
        for index in core:
            k, found = candidates[index]
            own = self.graph.contract(callees[k], found.guard, found.summary)
            chosen[k][own.number] = own
        return tuple(tuple(contracts.values()) for contracts in chosen)

    def _assume(
        self, contract: Contract, path: Path, callees: Sequence[Arg], found: Sequence[Specification]
    ) -> Assumed | None:
        """UPDATE: contracts with the conjuncts of the interpolants that are needed; None if they do not suffice."""
        parts: list[tuple[int, Term]] = [(k, part) for k, s in enumerate(found) for part in terms.conjuncts(s.summary)]
        claims = [_claim(path.calls[k], found[k].guard, part) for k, part in parts]
        core = self._oracle.core(violation(contract, path), claims, "whale.lemma3")
        if core is None:
            return None
        assumed: list[tuple[Contract, ...]] = []
        for k, callee in enumerate(callees):
            summary = terms.conjunction(parts[index][1] for index in core if parts[index][0] == k)
            own = () if terms.is_true(summary) else (self.graph.contract(callee, found[k].guard, summary),)
            assumed.append(own)
        return tuple(assumed)

    def _label(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        if self._options.audit:
            self._audit(contract, path, assumed)
        self.graph.label(contract, path, assumed)
        self.narration.shown(contract, path, assumed)
        self._enqueue(c for contracts in assumed for c in contracts if not c.is_safe_and_complete and not c.covered_by)

    def _audit(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        """Lemma 3, asked anew about the contracts as they were entered."""
        answer = self._oracle.check(spec_condition(contract, path, assumed), kind="whale.audit")
        if isinstance(answer, Sat):
            raise InternalError(f"Lemma 3 does not hold for {contract.arg} at {path.name}")

    # RESET

    def _refute(self, contract: Contract, execution: Execution) -> None:
        """The contract does not hold: whoever assumes it, or is covered by it, is to be shown again."""
        self._executions.add(execution)
        self._uncover(contract)
        owners = self.graph.drop(contract)
        self.narration.refuted(contract, owners)
        self._enqueue(owners)

    # UPDATEGUARD

    def _weaken_guard(self, contract: Contract) -> None:
        """Leave out conjuncts of the guard that no path needs."""
        parts = terms.conjuncts(contract.guard)
        if not parts or not contract.is_safe_and_complete:
            return
        unguarded = Contract(contract.number, contract.arg, terms.TRUE, contract.summary)
        needed: set[int] = set()
        for path in contract.arg.function.paths:
            background = spec_condition(unguarded, path, contract.labels[path.name])
            core = self._oracle.core([background], [path.at_exit(part) for part in parts], "whale.guard", CHECK_SECONDS)
            needed |= set(range(len(parts))) if core is None else set(core)
        if len(needed) < len(parts):
            contract.guard = terms.conjunction(parts[index] for index in sorted(needed))
            self.narration.guard(contract)


def _claim(call: Atom, guard: Term, part: Term) -> Term:
    claim = part if terms.is_true(guard) else terms.implication(guard, part)
    return terms.substitute(claim, call.bind())
