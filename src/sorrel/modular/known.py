"""What is known about the components of a program while it is proved: contracts that were accepted, and nothing else.

Contracts only get stronger, and each was accepted under the contracts that its callees had then. A stronger contract
of a callee leaves every clause of its callers valid, because callees stand in bodies only.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import field

from sorrel.evidence.result import Accepted, Result
from sorrel.horn.clause import Predicate
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.modular.canonical import ENCODING, clauses_digest, digest, signature
from sorrel.modular.component import Component, Parts
from sorrel.modular.contract import WrongShape, names_of, nothing_known, read_contract, read_summary, write_contract
from sorrel.modular.judging import accepted
from sorrel.program.descending import Measures, write_measure
from sorrel.store.block import Block


class Contracts(dict[str, Term]):
    """By predicate. Those that were taken from the store are read when one is asked for, as most never are."""

    def __init__(self, read: Callable[[str], None]) -> None:
        super().__init__()
        self._read = read

    def __missing__(self, predicate: str) -> Term:
        self._read(predicate)
        if predicate not in self:
            raise KeyError(predicate)
        return self[predicate]


@dataclass(slots=True, eq=False)
class Known:
    """`about` says what is claimed; it is a part of every key. `assumes`: what proofs about runs take for granted.

    `measures` are those that the clauses have been made with, by procedure.
    """

    parts: Parts
    about: str
    measures: Measures = field(default_factory=dict)
    assumes: tuple[str, ...] = ()
    contracts: Contracts = field(init=False)
    settled: dict[str, bool] = field(default_factory=dict)
    """By component: whether it has a contract that was accepted; False if nothing better than `true` is known."""
    taken: dict[str, Block] = field(default_factory=dict)
    """By component: the block whose contract was accepted, if one was; what is known now is at least as strong."""
    _unread: dict[str, Block] = field(default_factory=dict)
    _texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.contracts = Contracts(lambda predicate: self._read(self.parts.owner_of(predicate)))

    def accept(self, component: Component, summaries: Summaries) -> Result:
        """Take the summaries for the component's contract if all its clauses are valid under them."""
        result = accepted(component, {**self.below(component), **summaries})
        if isinstance(result, Accepted):
            self.contracts.update(summaries)
            self.settled[component.name] = True
            self._texts.pop(component.name, None)
        return result

    def below(self, component: Component) -> Summaries:
        """What is known of the predicates that the component's clauses call."""
        return {callee.name: self.contracts[callee.name] for callee in component.callees}

    def take(self, component: Component, block: Block, *, read: bool = False) -> None:
        """The block's contract, which was found to make all clauses of the component valid; `read`: by `accept`."""
        self.settled[component.name] = True
        self.taken[component.name] = block
        if not read:
            self._unread[component.name] = block
        self._texts[component.name] = block.contract

    def _read(self, component: Component) -> None:
        block = self._unread.pop(component.name, None)
        if block is None:
            return
        claimed = self.claimed(component, block)
        if isinstance(claimed, str):
            raise InternalError(f"{block.id} was accepted, and cannot be read: {claimed}")
        self.contracts.update(claimed)

    def contract(self, component: Component) -> Summaries:
        """What is known of the component's own predicates."""
        self._read(component)
        return {each.name: self.contracts.get(each.name, terms.TRUE) for each in component.own}

    def strengthen(self, components: Sequence[Component], summaries: Summaries) -> list[Component]:
        """What else is claimed of components that may be settled already, callees first; those that got stronger."""
        found = []
        for component in components:
            known = self.contract(component)
            both = {name: terms.conjunction([body, summaries.get(name, terms.TRUE)]) for name, body in known.items()}
            if isinstance(self.accept(component, both), Accepted):
                found.append(component)
        return found

    def give_up(self, component: Component) -> None:
        """Nothing is known about it, which makes all clauses with it in the head valid."""
        self._unread.pop(component.name, None)
        self.taken.pop(component.name, None)
        self.contracts.update(nothing_known(component))
        self.settled[component.name] = False
        self._texts.pop(component.name, None)

    # The store

    def identity(self, component: Component) -> str:
        """What the component is called in the store: the file, and the procedures in it."""
        procedures = self.parts.pieces.program.procedure
        files = sorted({procedures[name].span.file for name in component.procedures})
        if component.is_start:
            return f"{files[0]}:{component.name}"
        return f"{'+'.join(files)}:{component.name}"

    def clauses(self, component: Component) -> str:
        """The digest of the component's clauses and of what they call, which is the same for the same meaning."""
        found = self._digests.get(component.name)
        if found is None:
            called = {each.name: self.parts.pieces.procedure_of(each.name) for each in component.callees}
            names = {**called, **names_of(component.points)}
            signatures = sorted(f"{names[p.name]}:{signature(p)}" for p in component.system.predicates)
            own = clauses_digest(component.system.clauses, names)
            found = self._digests[component.name] = digest(ENCODING, self.about, own, *signatures)
        return found

    def callees(self, component: Component) -> tuple[str, ...]:
        """The contracts that the component rests on, each by its digest."""
        below = self.parts.below(component)
        return tuple(sorted(f"{self.identity(callee)}={digest(*self.text(callee))}" for callee in below))

    def measured(self, component: Component) -> tuple[str, ...]:
        """What goes down from call to call in the component, as text."""
        own = sorted(name for name in component.procedures if name in self.measures)
        return tuple(write_measure(name, self.measures[name]) for name in own)

    def text(self, component: Component) -> tuple[str, ...]:
        found = self._texts.get(component.name)
        if found is None:
            found = self._texts[component.name] = write_contract(component, self.contract(component))
        return found

    def claimed(self, component: Component, block: Block) -> Summaries | str:
        """What a block claims of the component, or why it is no claim about it."""
        try:
            return read_contract(component, block.contract)
        except WrongShape as problem:
            return str(problem)

    def claimed_of(self, callee: Predicate, block: Block) -> Term | None:
        """What a block claims of one procedure of its component, if anything."""
        try:
            return read_summary(callee, self.parts.pieces.procedure_of(callee.name), block.contract)
        except WrongShape:
            return None
