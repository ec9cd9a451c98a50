"""The algorithm (Fig. 3 of the paper): COVERARG, EXPANDARG and REFINEARG on contracts from a fair queue."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Sequence

from sorrel.engines.engine import Circumstances
from sorrel.engines.whale.completion import Completion
from sorrel.engines.whale.executions import Execution
from sorrel.engines.whale.function import Path, Procedures
from sorrel.engines.whale.graph import Arg, Assumed, Contract, InterproceduralGraph
from sorrel.engines.whale.interpolants import Way
from sorrel.engines.whale.narration import Narration
from sorrel.engines.whale.options import WhaleOptions
from sorrel.engines.whale.plan import PLAN
from sorrel.engines.whale.refinement import OutOfTimeError, Refinement
from sorrel.logic import terms
from sorrel.smt.solver import Oracle


class Search:
    def __init__(
        self, procedures: Procedures, run: Circumstances, options: WhaleOptions, ways: Sequence[Way], oracle: Oracle
    ) -> None:
        self.graph = InterproceduralGraph(procedures, merge=options.merge)
        self.refinement = Refinement(self.graph, procedures, oracle, options, ways)
        self.narration = Narration(run.explain)
        self._run = run
        self._options = options
        self._oracle = oracle
        self._queue: deque[Contract] = deque([self.graph.root])

    @property
    def is_late(self) -> bool:
        return self._oracle.clock.expired()

    def run(self) -> Execution | None:
        """An execution of the main function, or None once the graph is safe and complete."""
        if self._options.walk:
            clock = PLAN.walk.of(self._oracle.clock)
            violation = self.refinement.exploration.walk(clock)
            if violation is not None:
                return violation
        while self._queue or self._refill() or self._complete_labels():
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
            self._run.progress({"args": len(self.graph.args), "refinements": self.refinement.count})
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

    def _complete_labels(self) -> bool:
        """Contracts for what was looked through, once everything else is shown; is there more to show now?"""
        if not any(contract.pending for contract in self.graph.uncovered()):
            return False
        Completion(self.graph, self.refinement, self.narration).run()
        return self._refill()

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
        core = self._oracle.core([terms.negation(contract.claim)], claims, "whale.cover", PLAN.cover)
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
        """Expand and refine until the contract is shown or refuted; an execution of the main function, if found."""
        arg = contract.arg
        if self._options.expand == "all":
            for path in arg.function.paths:
                self._expand(arg, path)
        for path in arg.function.paths:
            if path.name in contract.labels:
                continue
            self._expand(arg, path)
            refined = self.refinement.refine(contract, path)
            if isinstance(refined, Execution):
                self.narration.violated(contract, path)
                if contract is self.graph.root:
                    return refined
                self._refute(contract, refined)
                return None
            if self.refinement.looks_through(contract, path):
                contract.pending.add(path.name)
            self._label(contract, path, refined)
        self._weaken_guard(contract)
        return None

    def _expand(self, arg: Arg, path: Path) -> None:
        if path.name not in arg.expanded:
            self.graph.expand(arg, path)
            self.narration.expand(arg, path)

    # UPDATE

    def _label(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        if self._options.audit:
            self.refinement.audit(contract, path, assumed)
        self.graph.label(contract, path, assumed)
        self.narration.shown(contract, path, assumed)
        self._enqueue(c for contracts in assumed for c in contracts if not c.is_safe_and_complete and not c.covered_by)

    # RESET

    def _refute(self, contract: Contract, execution: Execution) -> None:
        """The contract does not hold: whoever assumes it, or is covered by it, is to be shown again."""
        self.refinement.learn(contract, execution)
        self._uncover(contract)
        owners = self.graph.drop(contract)
        self.narration.refuted(contract, owners)
        self._enqueue(owners)

    # UPDATEGUARD

    def _weaken_guard(self, contract: Contract) -> None:
        """Leave out conjuncts of the guard that no path needs: then the contract says more."""
        parts = terms.conjuncts(contract.guard)
        if not parts:
            return
        unguarded = Contract(contract.number, contract.arg, terms.TRUE, contract.summary, pending=contract.pending)
        needed: set[int] = set()
        for path in contract.arg.function.paths:
            background = self.refinement.condition(unguarded, path, contract.labels[path.name])
            guards = [path.at_exit(part) for part in parts]
            core = self._oracle.core(background, guards, "whale.guard", PLAN.guard)
            needed |= set(range(len(parts))) if core is None else set(core)
        if len(needed) < len(parts):
            contract.guard = terms.conjunction(parts[index] for index in sorted(needed))
            self.narration.guard(contract)
