"""The inter-procedural abstract reachability graph (iARG): unwindings of functions, and contracts about them.

An ARG is an unwinding of one function; merged ARGs share it, each with a guard and a summary of its own, which is
why these live in contracts beside the ARG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import field

from sorrel.engines.whale.function import Function, Path, Procedures
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass


@dataclass(eq=False, slots=True)
class Arg:
    """𝒜ᵢ: the paths of its function that were added so far, with the ARGs that justify their call edges (𝒥).

    `depth` counts the recursive calls that lead to it.
    """

    number: int
    function: Function
    depth: int
    expanded: dict[str, tuple[Arg, ...]] = field(default_factory=dict)
    contracts: list[Contract] = field(default_factory=list)

    @property
    def is_complete(self) -> bool:
        return len(self.expanded) == len(self.function.paths)

    def unwinding(self) -> Iterator[tuple[Path, tuple[Arg, ...]]]:
        for path in self.function.paths:
            if path.name in self.expanded:
                yield path, self.expanded[path.name]

    def __str__(self) -> str:
        return f"A{self.number} {self.function.name}"


Assumed = tuple[tuple["Contract", ...], ...]
"""For each call of a path, the contracts about its callee that are assumed."""


@dataclass(eq=False, slots=True)
class Contract:
    """The triple {G} F {S} that an ARG is to show: G over the inputs, S over all arguments of its function.

    `labels` has the paths at whose exit S was shown, and what was assumed about their calls: as long as the
    assumptions stand, ψ(v) ⇒ S. `users` are the labels that assume this contract. On the paths of `pending`
    transparent callees were looked through: contracts about them are still to be found.
    """

    number: int
    arg: Arg
    guard: Term
    summary: Term
    labels: dict[str, Assumed] = field(default_factory=dict)
    users: dict[tuple[int, str], Contract] = field(default_factory=dict)
    pending: set[str] = field(default_factory=set)
    covered_by: tuple[Contract, ...] = ()
    is_refuted: bool = False

    @property
    def claim(self) -> Term:
        """What the triple says of every execution: G ⇒ S."""
        return self.summary if terms.is_true(self.guard) else terms.implication(self.guard, self.summary)

    @property
    def is_safe_and_complete(self) -> bool:
        return len(self.labels) == len(self.arg.function.paths)

    @property
    def order(self) -> tuple[int, int, int]:
        """≺: on the way from an ARG to another one of its function the depth grows, so ancestors come first."""
        return self.arg.depth, self.arg.number, self.number


class InterproceduralGraph:
    """All ARGs and their contracts. The first contract is the root: {true} main {false}."""

    def __init__(self, procedures: Procedures, *, merge: bool) -> None:
        self.args: list[Arg] = []
        self.root = Contract(0, self._new(procedures.main, 0), terms.TRUE, terms.FALSE)
        self.root.arg.contracts.append(self.root)
        self._functions: Mapping[str, Function] = procedures.functions
        self._merge = merge
        self._merged: dict[tuple[str, int], Arg] = {}
        self._complete: dict[str, Arg] = {}
        self._count = 1

    def _new(self, function: Function, depth: int) -> Arg:
        arg = Arg(len(self.args) + 1, function, depth)
        self.args.append(arg)
        return arg

    def expand(self, arg: Arg, path: Path) -> None:
        """Add a path, and ARGs for its call edges. New ARGs start with all paths that are not recursive.

        Those are the complete bodies of functions without recursion, and base cases: what is left out of an
        under-approximation is what recursion would add.
        """
        waiting = [(arg, path)]
        while waiting:
            caller, added = waiting.pop()
            known = len(self.args)
            caller.expanded[added.name] = tuple(self._justifying(caller, call.predicate.name) for call in added.calls)
            for made in self.args[known:]:
                waiting += [(made, each) for each in made.function.paths if not self._is_recursive(made, each)]

    def _is_recursive(self, arg: Arg, path: Path) -> bool:
        return any(self._functions[call.predicate.name].group == arg.function.group for call in path.calls)

    def _justifying(self, caller: Arg, name: str) -> Arg:
        """The ARG for a call: merged with that of other calls at the same depth of recursion, or a new one.

        Merging keeps the justification relation acyclic: a call leads to a lower component of the call graph, or
        stays in its component and goes one level deeper.
        """
        function = self._functions[name]
        depth = caller.depth + 1 if function.group == caller.function.group else 0
        if self._merge and (name, depth) in self._merged:
            return self._merged[name, depth]
        arg = self._new(function, depth)
        if self._merge:
            self._merged[name, depth] = arg
        return arg

    def transparent_args(self, path: Path) -> dict[int, Arg]:
        """Complete ARGs of the transparent functions that a path calls, by position; they are no part of the graph."""
        found = {}
        for k, call in enumerate(path.calls):
            if self._functions[call.predicate.name].is_transparent:
                found[k] = self._complete_arg(call.predicate.name)
        return found

    def complete_or_empty(self, path: Path) -> tuple[Arg, ...]:
        """ARGs for all calls of a path, of which only those of transparent functions have executions of their own."""
        seen = self.transparent_args(path)
        return tuple(
            seen[k] if k in seen else Arg(0, self._functions[call.predicate.name], 0)
            for k, call in enumerate(path.calls)
        )

    def _complete_arg(self, name: str) -> Arg:
        waiting = [name]
        while waiting:
            function = self._functions[waiting[-1]]
            callees = {call.predicate.name for path in function.paths for call in path.calls}
            missing = sorted(callees - self._complete.keys())
            if missing:
                waiting += missing
                continue
            waiting.pop()
            if function.name not in self._complete:
                expanded = {p.name: tuple(self._complete[c.predicate.name] for c in p.calls) for p in function.paths}
                self._complete[function.name] = Arg(-len(self._complete) - 1, function, 0, expanded)
        return self._complete[name]

    def contract(self, arg: Arg, guard: Term, summary: Term) -> Contract:
        """The contract of an ARG with this guard and summary, made if there is none."""
        for known in arg.contracts:
            if terms.same(known.guard, guard) and terms.same(known.summary, summary):
                return known
        made = Contract(self._count, arg, guard, summary)
        self._count += 1
        arg.contracts.append(made)
        return made

    def label(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        """S holds at the exit of the path under these assumptions."""
        contract.labels[path.name] = assumed
        for callee in _all(assumed):
            callee.users[contract.number, path.name] = contract

    def unlabel(self, contract: Contract, path_name: str) -> None:
        contract.pending.discard(path_name)
        for callee in _all(contract.labels.pop(path_name)):
            callee.users.pop((contract.number, path_name), None)

    def drop(self, contract: Contract) -> list[Contract]:
        """RESET for a contract that does not hold: it goes, and so do the labels that assume it; their owners."""
        contract.is_refuted = True
        contract.arg.contracts.remove(contract)
        owners = []
        for (_, path_name), owner in list(contract.users.items()):
            owners.append(owner)
            self.unlabel(owner, path_name)
        for path_name in list(contract.labels):
            self.unlabel(contract, path_name)
        return owners

    def needed(self) -> list[Contract]:
        """The contracts that the root rests on: assumed by uncovered ones, from the root on, in that order."""
        found: dict[int, Contract] = {self.root.number: self.root}
        stack = [self.root]
        while stack:
            contract = stack.pop()
            if contract.covered_by:
                continue
            for assumed in contract.labels.values():
                for callee in _all(assumed):
                    if callee.number not in found:
                        found[callee.number] = callee
                        stack.append(callee)
        return list(found.values())

    def uncovered(self) -> list[Contract]:
        return [contract for contract in self.needed() if not contract.covered_by]


def _all(assumed: Assumed) -> Iterator[Contract]:
    for contracts in assumed:
        yield from contracts


def reachable(roots: tuple[Arg, ...], visit: Callable[[Arg], None] = lambda _: None) -> list[Arg]:
    """The ARGs that justify each other from these on, callers first."""
    found: dict[int, Arg] = {}
    stack = list(reversed(roots))
    while stack:
        arg = stack.pop()
        if arg.number in found:
            continue
        found[arg.number] = arg
        visit(arg)
        for _, callees in arg.unwinding():
            stack.extend(callees)
    return list(found.values())
