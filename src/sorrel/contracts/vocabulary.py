"""What the names in a condition mean, at the place in the program where it stands."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field

from sorrel.contracts.locating import Located
from sorrel.contracts.pointees import pointees
from sorrel.model.values import dataclass
from sorrel.program.effects import Effects
from sorrel.program.expression import Variable
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.visible import Address


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Texts to variables: `now` in the state of the place, `before` in that at the entry of the procedure.

    In a contract the name of a parameter is its value at the entry. `steady` are variables whose two values are the
    same there, whatever happens. `pointers` are those of which it is known where they lead; `addresses` and
    `addresses_before` are how pointers are kept, in `known` variables.
    """

    now: Mapping[str, Variable]
    before: Mapping[str, Variable]
    of_contract: bool = False
    steady: frozenset[str] = frozenset()
    pointers: Mapping[str, Located] = field(default_factory=dict)
    addresses: Mapping[str, Address] = field(default_factory=dict)
    addresses_before: Mapping[str, Address] = field(default_factory=dict)
    known: Mapping[str, Variable] = field(default_factory=dict)

    @property
    def at_entry(self) -> Vocabulary:
        """Of what is said about the start of the procedure."""
        kept = self.addresses_before
        return Vocabulary({}, self.before, True, self.steady, addresses_before=kept, known=self.known)

    def text_now(self, variable: Variable) -> str:
        """How to write the value in the state of the place; nothing if there is no way to."""
        return _text(variable, self.now)

    def text_before(self, variable: Variable) -> str:
        """How to write the value at the entry, inside of what says that it is."""
        return _text(variable, self.before)


def _text(variable: Variable, texts: Mapping[str, Variable]) -> str:
    return next((text for text, meant in texts.items() if meant == variable), "")


def saved(variable: Variable) -> Variable:
    """Where the value at the entry of the procedure is kept for conditions."""
    return Variable(f"entry..{variable.name}", variable.type)


def vocabulary(program: Program, procedure: Procedure, label: str, effects: Effects) -> Vocabulary | None:
    """At the block with that label, or of the contract; None if the user has no such place.

    Of globals only those that the procedure works with: others may be away, lent to it by reference.
    """
    globals = {each.name: each for each in (*effects.reads, *effects.writes)}
    known = {**globals, **{each.name: each for each in procedure.variables}}
    written = {each.name for each in (*effects.writes, *procedure.outputs)}
    if procedure.scopes is None:
        now = before = _everywhere(procedure, known, label)
        if label == CONTRACT:
            after = {each.name for each in procedure.outputs} | globals.keys()
            now = {text: variable for text, variable in now.items() if variable.name in after}
            started = {each.name for each in procedure.parameters} | globals.keys()
            before = {text: variable for text, variable in before.items() if variable.name in started}
    else:
        scope = procedure.scopes.get(label)
        if scope is None:
            return None
        now, before = _unique(scope.now, known), _unique(scope.before, known)
    scope = procedure.scopes.get(label) if procedure.scopes else None
    kept = (scope.pointers, scope.pointers_before) if scope else ({}, {})
    if label != CONTRACT:
        return Vocabulary(now, before, addresses=kept[0], addresses_before=kept[1], known=known)
    behind = {text: each for text, each in pointees(program, procedure).items() if each.name in globals}
    now, before = {**behind, **now}, {**behind, **before}
    steady = frozenset(each.name for each in before.values() if each.name not in written)
    return Vocabulary(now, before, True, steady, addresses=kept[0], addresses_before=kept[1], known=known)


def _everywhere(procedure: Procedure, known: Mapping[str, Variable], label: str) -> Mapping[str, Variable]:
    """A program that says nothing of scopes is written in its own names; those with a dot are ours."""
    own = {name: procedure.user_name(name) for name in known}
    if label == CONTRACT and procedure.outputs and procedure.outputs[0].name not in procedure.source_names:
        own[procedure.outputs[0].name] = "\\result"
    return _unique(own, known)


def _unique(texts: Mapping[str, str], known: Mapping[str, Variable]) -> Mapping[str, Variable]:
    """Turned round, without texts that mean two things."""
    found: dict[str, Variable] = {}
    twice: set[str] = set()
    for name, text in texts.items():
        if name in known and text:
            twice.update({text} if text in found else ())
            found[text] = known[name]
    return {text: variable for text, variable in found.items() if text not in twice}
