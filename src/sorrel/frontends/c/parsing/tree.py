"""A translation unit as declarations and syntax trees; what nobody asks for is not read."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress

from sorrel.frontends.c import syntax
from sorrel.frontends.c.parsing.ahead import Receiver, Sent, Symbol, sent
from sorrel.frontends.c.parsing.cursors import Cursors
from sorrel.frontends.c.parsing.declaration_reader import DeclarationReader
from sorrel.frontends.c.parsing.kinds import Cursor
from sorrel.frontends.c.parsing.libclang import CXCursor
from sorrel.frontends.c.parsing.statement_reader import StatementReader
from sorrel.frontends.c.parsing.type_reader import TypeReader
from sorrel.frontends.c.syntax import FunctionDeclaration, Unit, VariableDeclaration
from sorrel.frontends.c.types import Record
from sorrel.model.errors import InternalError


class TreeReader:
    def __init__(
        self,
        unit: int,
        long_bits: int,
        names: Callable[[str], str],
        symbols: Callable[[int], int],
        *,
        sections: bool = False,
    ) -> None:
        """`names` gives the name that messages use for a file; `symbols` a number that no other unit uses.

        `sections`: each access to an atomic object is to be an atomic section.
        """
        self._cursors = Cursors(unit, names, symbols)
        self._types = TypeReader(self._cursors, long_bits, sections)
        self._declarations = DeclarationReader(self._cursors, self._types)
        self._statements = StatementReader(self._cursors, self._types, self._declarations, self._function)
        self._expressions = self._statements.expressions
        self._functions: dict[int, CXCursor] = {}  # by the declaration's identity, as are the following
        self._blocks: dict[int, CXCursor] = {}
        self._values: dict[int, CXCursor] = {}
        self._bodies: dict[int, syntax.Compound] = {}
        self._ahead: dict[int, Sent] = {}
        self._initializers: dict[int, syntax.Expression] = {}

    def declarations(self, name: str) -> Unit:
        """What the unit declares; bodies and initialisers are read when asked for, most of what is included never."""
        unit = Unit(name)
        for cursor in self._cursors.top():
            if cursor.kind == Cursor.FUNCTION:
                unit.functions.append(self._function(cursor))
                self._expressions.declared.add(unit.functions[-1].symbol)
            elif cursor.kind == Cursor.VARIABLE:
                unit.variables.append(self._variable(cursor))
        defined = {each.name for each in unit.functions if self.has_body(each)}
        self.demand_own_names(defined | {each.name for each in unit.variables if each.defined})
        return unit

    def demand_own_names(self, defined: set[str]) -> None:
        """No name for the assembler in this unit leads to something else that is defined."""
        self._declarations.demand_own_names(defined)

    @property
    def weak(self) -> set[str]:
        """Names that another definition may take the place of."""
        return self._declarations.weak

    def _function(self, cursor: CXCursor) -> FunctionDeclaration:
        children = self._cursors.children(cursor)
        function = self._declarations.function(cursor, children)
        self._functions[id(function)] = cursor
        block = next((child for child in children if child.kind == Cursor.COMPOUND), None)
        if block is not None:
            self._blocks[id(function)] = block
        return function

    def _variable(self, cursor: CXCursor) -> VariableDeclaration:
        variable = self._declarations.variable(cursor)
        value = self._cursors.initializer(cursor)
        if value is not None:
            self._values[id(variable)] = value
        return variable

    def has_body(self, function: FunctionDeclaration) -> bool:
        return id(function) in self._blocks

    def body(self, function: FunctionDeclaration) -> syntax.Compound | None:
        """The function's body, if this declaration has one."""
        key = id(function)
        if key in self._blocks and key not in self._bodies:
            sent = self._ahead.pop(key, None)
            self._bodies[key] = self._received(sent) if sent else self._statements.compound(self._blocks[key])
        return self._bodies.get(key)

    def bodies(self, unit: Unit) -> Iterator[tuple[int, Sent]]:
        """For a copy of the process to tell: bodies in the unit's own file, by the positions of their functions.

        Only those that leave nothing behind but the tree.
        """
        met: dict[int, Symbol] = {}
        self._cursors.note_symbols(met)
        for position, function in enumerate(unit.functions):
            block = self._blocks.get(id(function))
            if block is None or not self._cursors.in_own_file(block):
                continue
            met.clear()
            self._types.has_volatile = False
            self._expressions.undeclared.clear()
            with suppress(Exception):  # it is raised again where the body is needed, if it is
                body = self._statements.compound(block)
                data = sent(body, {symbol: key for key, symbol in met.items()}, self._types.declarations)
                alone = not self._expressions.undeclared and not self._declarations.has_notes
                if data is not None and alone:
                    yield position, Sent(data, tuple(met), self._types.has_volatile)

    def take_bodies(self, sent: Mapping[int, Sent], unit: Unit) -> None:
        """What a copy of the process has told."""
        self._ahead.update((id(unit.functions[position]), each) for position, each in sent.items())

    def _received(self, sent: Sent) -> syntax.Compound:
        for key in sent.keys:  # numbered as if it had been read here
            self._cursors.number(key)
        self._types.has_volatile |= sent.volatile
        body = Receiver(sent.data, self._cursors.number, self._types.record_at).load()
        if not isinstance(body, syntax.Compound):
            raise InternalError("a copy of this process has sent something else than a body")
        return body

    def initializer(self, variable: VariableDeclaration) -> syntax.Expression | None:
        key = id(variable)
        if key in self._values and key not in self._initializers:
            self._initializers[key] = self._expressions.read(self._values[key])
        return self._initializers.get(key)

    def never_returns(self, function: FunctionDeclaration) -> bool:
        """Whether this declaration says so."""
        cursor = self._functions.get(id(function))
        return cursor is not None and self._declarations.never_returns(cursor)

    def is_weak(self, function: FunctionDeclaration) -> bool:
        cursor = self._functions.get(id(function))
        return cursor is not None and self._declarations.is_weak(cursor)

    def undeclared(self, symbol: int) -> FunctionDeclaration | None:
        """A function that is used and that the file does not announce."""
        return self._expressions.undeclared.get(symbol)

    @property
    def has_volatile(self) -> bool:
        return self._types.has_volatile

    @property
    def records(self) -> list[Record]:
        """All that were met so far."""
        return self._types.records
