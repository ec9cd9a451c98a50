"""Procedures and programs."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field
from functools import cached_property

from sorrel.model.assumption import Premise
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Expression, Variable
from sorrel.program.statement import Block, Branch, Call, Goto, Return, Stop, Terminator
from sorrel.program.visible import Address, EntryPart, VisibleVariable

LIBRARY = "library."
"""Begins the names of procedures that are models of functions of the library, and nothing that a user has written."""
CONTRACT = ""
"""The key of the scope of a procedure's contract, where others have the label of a block."""


@dataclass(frozen=True, slots=True)
class Scope:
    """A place in the user's text where something can be said, and how: each variable that has a name there, with it.

    `now` are the values when a run comes there (of a contract: when the procedure returns), `before` those at the entry
    of the procedure. What is not there cannot be said: it has no name, or its name means something else in that place.
    `pointers` and `pointers_before` are how pointers are kept that have a name, by that. `frame` of a contract is what
    the procedure changes at most, as ACSL writes places; None if that is not known.
    """

    span: Span
    now: Mapping[str, str]
    before: Mapping[str, str]
    frame: tuple[str, ...] | None = None
    pointers: Mapping[str, Address] = field(default_factory=dict)
    pointers_before: Mapping[str, Address] = field(default_factory=dict)


@dataclass(frozen=True)
class Procedure:
    """`blocks` are reached from the one labelled `entry`; labels are unique within the procedure.

    Parameters may be assigned: inside they are variables that start with the argument's value. Outputs are variables
    too; their values at `Return` go to the caller. Locals and outputs start with any value; a front end that knows
    better assigns. `source_names` gives the name in the user's text where it differs from the variable's
    (`i` for `i.2`, `*p` for what p points to); other names with a dot are never the user's. `scopes` says where which
    of these names can be used, by the label of a block or `CONTRACT`; None if names mean the same everywhere.
    """

    name: str
    parameters: tuple[Variable, ...]
    outputs: tuple[Variable, ...]
    locals: tuple[Variable, ...]
    blocks: tuple[Block, ...]
    entry: str
    span: Span = NOWHERE
    source_names: Mapping[str, str] = field(default_factory=dict)
    scopes: Mapping[str, Scope] | None = None

    @cached_property
    def block(self) -> Mapping[str, Block]:
        return {block.label: block for block in self.blocks}

    @cached_property
    def order(self) -> tuple[str, ...]:
        """The labels reached from the entry; without loops, each stands after all its predecessors."""
        order: list[str] = []
        seen = {self.entry}
        stack = [(self.entry, iter(self._ahead(self.entry)))]
        while stack:
            label, ahead = stack[-1]
            following = next((target for target in ahead if target not in seen), None)
            if following is None:
                order.append(label)
                stack.pop()
            else:
                seen.add(following)
                stack.append((following, iter(self._ahead(following))))
        return tuple(reversed(order))

    def _ahead(self, label: str) -> tuple[str, ...]:
        # The other way round, so that the `then` side comes first once the postorder is reversed.
        return tuple(reversed(successors(self.block[label].terminator)))

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Parameters, outputs and locals, each once."""
        return tuple(dict.fromkeys((*self.parameters, *self.outputs, *self.locals)))

    def user_name(self, variable: str) -> str:
        """The name in the user's text; nothing for what is ours, or has no name anywhere that could be written down."""
        if self.scopes is not None and variable not in self._named:
            return ""
        return self.source_names.get(variable, "" if "." in variable else variable)

    @cached_property
    def _named(self) -> frozenset[str]:
        scopes = (self.scopes or {}).values()
        return frozenset(name for scope in scopes for names in (scope.now, scope.before) for name in names)

    @cached_property
    def callees(self) -> tuple[str, ...]:
        calls = (s.procedure for b in self.blocks for s in b.statements if isinstance(s, Call))
        return tuple(dict.fromkeys(calls))


@dataclass(frozen=True)
class Program:
    """A run starts by giving each global its initial value (any value if there is none) and calls `main`.

    `assumptions` are what the front end took for granted, each with its kind; every outcome repeats them. `entry_parts`
    and `visible` tell how the user's language writes what exists before a function is called, and its global variables,
    and `handed_on` which parameters are its pointers in every call; nothing else depends on them.
    """

    procedures: tuple[Procedure, ...]
    globals: tuple[Variable, ...] = ()
    initial: Mapping[str, Expression] = field(default_factory=dict)
    main: str = "main"
    assumptions: tuple[Premise, ...] = ()
    entry_parts: tuple[EntryPart, ...] = field(default=(), compare=False)
    visible: tuple[VisibleVariable, ...] = field(default=(), compare=False)
    handed_on: Mapping[str, Mapping[str, str]] = field(default_factory=dict, compare=False)

    @cached_property
    def procedure(self) -> Mapping[str, Procedure]:
        return {procedure.name: procedure for procedure in self.procedures}


def successors(terminator: Terminator) -> tuple[str, ...]:
    match terminator:
        case Goto(target):
            return (target,)
        case Branch(_, then, otherwise):
            return (then, otherwise)
        case Return() | Stop():
            return ()
