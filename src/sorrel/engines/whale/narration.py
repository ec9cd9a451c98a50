"""The steps of the search in words, for `--explain`."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.engines.whale.function import Path
from sorrel.engines.whale.graph import Arg, Assumed, Contract
from sorrel.logic.printing import infix
from sorrel.model.explanation import Deduction


class Narration:
    def __init__(self, on: bool) -> None:
        self.deductions: list[Deduction] = []
        self._on = on

    def _tell(self, arg: Arg, target: str, rule: str, text: str) -> None:
        self.deductions.append(Deduction((str(arg),), "", target, rule, text))

    def expand(self, arg: Arg, path: Path) -> None:
        if self._on:
            calls = [f"{callee} for call {k}" for k, callee in enumerate(arg.expanded[path.name], start=1)]
            text = f"justified by {', '.join(calls)}" if calls else "calls nothing"
            self._tell(arg, path.name, "EXPANDARG", text)

    def shown(self, contract: Contract, path: Path, assumed: Assumed) -> None:
        if not self._on:
            return
        callees = contract.arg.expanded[path.name]
        for k, (callee, contracts) in enumerate(zip(callees, assumed, strict=True), start=1):
            for each in contracts:
                self._tell(callee, f"{path.name}, call {k}", "UPDATE", _triple(each))
        text = f"{_triple(contract)} holds on this path" + (", given that" if any(assumed) else "")
        self._tell(contract.arg, path.name, "REFINEARG", text.removesuffix(", given that"))

    def violated(self, contract: Contract, path: Path) -> None:
        if self._on:
            self._tell(contract.arg, path.name, "REFINEARG", f"an execution violates {_triple(contract)}")

    def refuted(self, contract: Contract, owners: Sequence[Contract]) -> None:
        if self._on:
            users = ", ".join(dict.fromkeys(str(owner.arg) for owner in owners))
            self._tell(contract.arg, "", "RESET", f"{_triple(contract)} is dropped; to be refined again: {users}")

    def cover(self, contract: Contract) -> None:
        if self._on:
            by = " and ".join(f"{_triple(other)} of {other.arg}" for other in contract.covered_by)
            self._tell(contract.arg, "", "COVERARG", f"{_triple(contract)} is covered by {by}")

    def guard(self, contract: Contract) -> None:
        if self._on:
            self._tell(contract.arg, "", "UPDATEGUARD", f"less is needed: {_triple(contract)}")


def _triple(contract: Contract) -> str:
    return f"{{{infix(contract.guard)}}} {contract.arg.function.name} {{{infix(contract.summary)}}}"
