"""Contracts for what was looked through, once everything else is shown.

From callers to callees, each path once: what it needs of its transparent calls so that all contracts of its ARG hold
together. When the turn of a callee comes, all that is needed of it is known.
"""

from __future__ import annotations

from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Assumed, Contract, InterproceduralGraph
from sorrel.engines.whale.narration import Narration
from sorrel.engines.whale.refinement import Refinement
from sorrel.logic import terms


class Completion:
    def __init__(self, graph: InterproceduralGraph, refinement: Refinement, narration: Narration) -> None:
        self._graph = graph
        self._refinement = refinement
        self._narration = narration

    def run(self) -> None:
        """Afterwards no path is pending."""
        for arg in self._callers_first():
            contracts = [contract for contract in self._graph.uncovered() if contract.arg is arg]
            for path in arg.function.paths if contracts else ():
                self._complete(arg, path, contracts)

    def _callers_first(self) -> list[Arg]:
        """Those with contracts, and transparent ones, which will get some; callers before their callees."""
        order: list[Arg] = []
        done: set[int] = set()
        stack: list[tuple[Arg, bool]] = [(arg, False) for arg in self._graph.args]
        while stack:
            arg, entered = stack.pop()
            if entered:
                order.append(arg)
            elif arg.number not in done:
                done.add(arg.number)
                stack.append((arg, True))
                stack.extend((callee, False) for _, callees in arg.unwinding() for callee in callees)
        return order[::-1]

    def _complete(self, arg: Arg, path: Path, contracts: list[Contract]) -> None:
        known = {c.number: c.labels[path.name] for c in contracts if path.name in c.labels}
        waiting = [c for c in contracts if path.name in c.pending or path.name not in c.labels]
        if not waiting:
            return
        assumed = _union(len(path.calls), [known[c.number] for c in waiting if c.number in known])
        joint = Contract(0, arg, terms.TRUE, terms.conjunction(contract.claim for contract in waiting))
        more = self._refinement.complete(joint, path, assumed)
        for contract in waiting:
            if path.name in contract.labels:
                self._graph.unlabel(contract, path.name)
            self._graph.label(contract, path, more)
            self._narration.shown(contract, path, more)


def _union(calls: int, all_assumed: list[Assumed]) -> Assumed:
    """Everything that is assumed, for each call."""
    found: list[dict[int, Contract]] = [{} for _ in range(calls)]
    for assumed in all_assumed:
        for own, contracts in zip(found, assumed, strict=True):
            own.update((contract.number, contract) for contract in contracts)
    return tuple(tuple(own.values()) for own in found)
