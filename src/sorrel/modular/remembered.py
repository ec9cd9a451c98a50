"""The store against the work tree: what was proved of each function, and what is proved of it now.

The store keeps no source, so there are no runs of an old version: contracts are compared, and who relied on them.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.horn.verdict import Summaries
from sorrel.model.errors import NOWHERE
from sorrel.modular.component import Component
from sorrel.modular.differing import Side, not_any_more, relied, strength
from sorrel.project.difference import Behaviour, Difference, FunctionDifference, Strength
from sorrel.store.block import Block, Claim

THE_STORE = "the store"
CLAIMS = (Claim.PROVED, Claim.CONDITIONAL)
NO_SOURCE = "the store keeps no source of what it was proved for"


def against_store(new: Side) -> Difference:
    """What the blocks of the project say and what is proved of its functions now."""
    found: list[FunctionDifference] = []
    unchanged = 0
    for name, component in sorted(new.components.items()):
        block = _block(new, component)
        different = FunctionDifference(name, Behaviour.ADDED, new.span(name), new_contract=new.told(name))
        if block is not None:
            known = new.inquiry.known
            if block.clauses == known.clauses(component) and known.taken.get(component.name) == block:
                unchanged += 1
                continue
            different = _different(new, name, component, block)
        found.append(different)
    found += _removed(new)
    ignored = tuple(new.inquiry.contents.ignored)
    return Difference(THE_STORE, new.name, tuple(found), unchanged, tuple(_failing(new)), ignored)


def _block(new: Side, component: Component) -> Block | None:
    known = new.inquiry.known
    blocks = new.inquiry.contents.blocks.get((known.identity(component), known.about), [])
    return next((block for block in blocks if block.verdict in CLAIMS), None)


def _different(new: Side, name: str, component: Component, block: Block) -> FunctionDifference:
    known = new.inquiry.known
    claimed = known.claimed(component, block)
    if isinstance(claimed, str):
        how = f"{NO_SOURCE}; the stored contract is about something else: {claimed}"
        return FunctionDifference(
            name, Behaviour.NOT_SHOWN, new.span(name), how, Strength.DIFFERENT, (), new.told(name)
        )
    contract = claimed[component.functions[name].name]
    found = strength(contract, new.contract(name))

    def earlier(caller: Component) -> Summaries | None:
        own = _block(new, caller)
        then = known.claimed(caller, own) if own is not None else ""
        return None if isinstance(then, str) else then

    gone = found not in (Strength.SAME, Strength.STRONGER)
    return FunctionDifference(
        name,
        Behaviour.NOT_SHOWN,
        new.span(name),
        NO_SOURCE,
        found,
        new.in_words(name, contract),
        new.told(name),
        None,
        tuple(relied(new, name, contract, earlier)) if gone else (),
    )


def _removed(new: Side) -> Iterator[FunctionDifference]:
    known = new.inquiry.known
    there = {known.identity(component) for component in new.inquiry.components}
    for (identity, about), blocks in new.inquiry.contents.blocks.items():
        if about == known.about and identity not in there and any(block.verdict in CLAIMS for block in blocks):
            yield FunctionDifference(identity, Behaviour.REMOVED, NOWHERE, "there is no function of that name any more")


def _failing(new: Side) -> Iterator[str]:
    for asked in new.inquiries:
        for component in asked.components:
            blocks = asked.contents.blocks.get((asked.known.identity(component), asked.known.about), [])
            if not any(block.verdict is Claim.PROVED for block in blocks):
                continue
            names = [asked.starts[component.name][0].function] if component.is_start else component.functions
            for name in names:
                if name in asked.results:
                    yield from not_any_more(asked.results[name])
