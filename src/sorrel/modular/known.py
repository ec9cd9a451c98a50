"""What is known about the components of a program while it is proved: contracts that were accepted, and nothing else.

Contracts only get stronger, and each was accepted under the contracts that its callees had then. A stronger contract
of a callee leaves every clause of its callers valid, because callees stand in bodies only.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from sorrel.encode.points import Place
from sorrel.evidence.result import Accepted, Result
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.modular.canonical import ENCODING, clauses_digest, digest, signature
from sorrel.modular.component import Component, Parts
from sorrel.modular.contract import WrongShape, names_of, nothing_known, read_contract, write_contract
from sorrel.modular.judging import accepted
from sorrel.store.block import Block


@dataclass(slots=True, eq=False)
class Known:
    """`about` says what is claimed; it is a part of every key."""

    parts: Parts
    about: str
    contracts: dict[str, Term] = field(default_factory=dict)
    settled: dict[str, bool] = field(default_factory=dict)
    """By component: whether it has a contract that was accepted; False if nothing better than `true` is known."""
    _names: dict[str, str] = field(default_factory=dict)
    _texts: dict[str, tuple[str, ...]] = field(default_factory=dict)
    _digests: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for component in self.parts.components:
            self._names.update(names_of(component.points))

    def accept(self, component: Component, summaries: Summaries) -> Result:
        """Take the summaries for the component's contract if all its clauses are valid under them."""
        result = accepted(component, {**self.contracts, **summaries})
        if isinstance(result, Accepted):
            self.contracts.update(summaries)
            self.settled[component.name] = True
            self._texts.pop(component.name, None)
        return result

    def strengthen(self, components: Sequence[Component], summaries: Summaries) -> list[Component]:
        """What else is claimed of components that may be settled already, callees first; those that got stronger."""
        found = []
        for component in components:
            both = {
                p.name: terms.conjunction([self.contracts.get(p.name, terms.TRUE), summaries.get(p.name, terms.TRUE)])
                for p in component.own
            }
            if isinstance(self.accept(component, both), Accepted):
                found.append(component)
        return found

    def give_up(self, component: Component) -> None:
        """Nothing is known about it, which makes all clauses with it in the head valid."""
        self.contracts.update(nothing_known(component))
        self.settled[component.name] = False
        self._texts.pop(component.name, None)

    # The store

    def identity(self, component: Component) -> str:
        """What the component is called in the store: the file, and the procedures in it."""
        procedures = self.parts.encoding.program.procedure
        files = sorted({procedures[name].span.file for name in component.procedures})
        if component.is_start:
            return f"{files[0]}:{component.name}"
        return f"{'+'.join(files)}:{component.name}"

    def clauses(self, component: Component) -> str:
        """The digest of the component's clauses and of what they call, which is the same for the same meaning."""
        found = self._digests.get(component.name)
        if found is None:
            signatures = sorted(f"{self._names[p.name]}:{signature(p)}" for p in component.system.predicates)
            own = clauses_digest(component.system.clauses, self._names)
            found = self._digests[component.name] = digest(ENCODING, self.about, own, *signatures)
        return found

    def callees(self, component: Component) -> tuple[str, ...]:
        """The contracts that the component rests on, each by its digest."""
        below = self.parts.below(component)
        return tuple(sorted(f"{self.identity(callee)}={digest(*self.text(callee))}" for callee in below))

    def text(self, component: Component) -> tuple[str, ...]:
        found = self._texts.get(component.name)
        if found is None:
            found = self._texts[component.name] = write_contract(component, self.contracts)
        return found

    def claimed(self, component: Component, block: Block) -> Summaries | str:
        """What a block claims of the component, or why it is no claim about it."""
        try:
            return read_contract(component, block.contract)
        except WrongShape as problem:
            return str(problem)


def function_predicates(component: Component) -> Mapping[str, str]:
    """The predicates of the component's procedures, by the procedure's name."""
    return {p.procedure: name for name, p in component.points.items() if p.place is Place.FUNCTION}
