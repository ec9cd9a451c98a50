"""What can be said of the state in which a function is called from outside, and what is granted of it.

The procedure that stands for every caller makes up a state and calls the function. A condition over that state becomes
an assumption in front of the call: what is proved then is proved for all callers that see to it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property

from sorrel.contracts.locating import Located
from sorrel.contracts.meaning import Meaning, meaning
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import Vocabulary
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, binary, every
from sorrel.program.expression import Binary, Conditional, Constant, Expression, Operator, Select, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assume, Block, Call, Choice, Havoc, Statement
from sorrel.program.traversal import rewrite, rewrite_statement, rewrite_terminator
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, is_integer
from sorrel.program.visible import EntryKind, EntryPart

GRANTED = "preconditions"
"""Why runs are left out in which a condition on the state before the call is false."""


@dataclass(frozen=True)
class EntryState:
    """The state that a function is called in: the program that makes it up, and what parts of it are called in C."""

    program: Program

    @staticmethod
    def of(program: Program) -> EntryState | None:
        """None if the program starts with main, or with any of several functions."""
        state = EntryState(program)
        return state if program.entry_parts and state.call is not None else None

    @cached_property
    def procedure(self) -> Procedure:
        return self.program.procedure[self.program.main]

    @cached_property
    def call(self) -> Call | None:
        """The one call of the function."""
        calls = [s for block in self.procedure.blocks for s in block.statements if isinstance(s, Call)]
        return calls[-1] if calls and calls[-1].procedure in self.program.procedure else None

    @cached_property
    def function(self) -> str:
        assert self.call is not None
        return self.call.procedure

    @cached_property
    def variables(self) -> Mapping[str, Variable]:
        return {each.name: each for each in (*self.program.globals, *self.procedure.variables)}

    @cached_property
    def lengths(self) -> Mapping[str, Expression]:
        """How many elements there are behind each pointer, by the pointer."""
        return {
            part.text: self.variables[part.variable] if part.variable else Constant(1, UNBOUNDED)
            for part in self.program.entry_parts
            if part.kind is EntryKind.LENGTH and part.each == 1
        }

    @cached_property
    def vocabulary(self) -> Vocabulary:
        now: dict[str, Variable] = {}
        for part in self.program.entry_parts:
            variable = self.variables.get(part.variable)
            text = self._text(part)
            if variable is not None and text and (is_integer(variable.type) or isinstance(variable.type, Array)):
                now[text] = variable
        return Vocabulary(now, {}, pointers=dict(self._pointers()))

    def _text(self, part: EntryPart) -> str:
        """How C writes the number, or the array of numbers, that the part is; nothing if it cannot."""
        if part.kind is EntryKind.ARGUMENT:
            return part.text
        if part.kind is not EntryKind.CONTENTS or part.first is not None or "?" in part.path:
            return ""
        many = part.text not in self.lengths or not isinstance(self.lengths[part.text], Constant)
        if many:
            return ""
        if not part.path:
            return f"*{part.text}"
        return f"({part.text})->{part.path[1:]}" if part.text.startswith("*") else f"{part.text}->{part.path[1:]}"

    def _pointers(self) -> Iterator[tuple[str, Located]]:
        parts = self.program.entry_parts
        inner = {part.text: part for part in parts if part.kind is EntryKind.POINTER}
        offsets = {part.text: part.variable for part in parts if part.kind is EntryKind.OFFSET}
        for text, length in self.lengths.items():
            contents = self._contents(text, length)
            zero = Variable(f"zero..{text}", UNBOUNDED) if contents is not None else None
            located = Located(text, length=length, contents=contents, zero=zero)
            if text not in inner:
                yield text, located
            elif not inner[text].others and not inner[text].crowd and inner[text].own:
                yield text, self._inner(located, inner[text], offsets.get(text, ""))

    def _inner(self, located: Located, part: EntryPart, offset: str) -> Located:
        """A pointer inside of an object is null or leads to its own object, as far behind the start as is chosen."""
        which = self.variables[part.variable]
        there = binary(Operator.DIFFERENT, which, Constant(0, UNBOUNDED))
        if not offset:
            return replace(located, there=there)
        wish = self.variables[offset]
        within = every(
            [
                there,
                binary(Operator.AT_LEAST, wish, Constant(0, UNBOUNDED)),
                binary(Operator.LESS, wish, located.length),
            ]
        )
        return replace(located, there=there, offset=Conditional(within, wish, Constant(0, UNBOUNDED), UNBOUNDED))

    def _contents(self, text: str, length: Expression) -> Variable | None:
        """The array that holds the elements, where there is one for all of them."""
        if isinstance(length, Constant):
            return None
        found = [
            self.variables[part.variable]
            for part in self.program.entry_parts
            if part.kind is EntryKind.CONTENTS and part.text == text and part.first is None and not part.path
        ]
        return found[0] if len(found) == 1 and isinstance(found[0].type, Array) else None

    # Conditions

    def meaning(self, text: str, span: Span = NOWHERE) -> Meaning:
        return meaning(text, Dialect.ACSL, self.vocabulary, span)

    def granting(self, conditions: Sequence[Meaning]) -> Program:
        """The program whose callers see to the conditions."""
        places = {each.root: each.zero for said in conditions for each in said.witnesses if each.zero is not None}
        made: list[Statement] = [Havoc(zero, Choice.INPUT, zero.name) for zero in places.values()]
        made += [Assume(said.holds, GRANTED) for said in conditions if said.holds != TRUE]
        granted = self._changed(lambda block: _before_call(block, made))
        for pointer in (each for said in conditions for each in said.witnesses):
            granted = _watching(granted, pointer)
        return replace(granted, globals=(*granted.globals, *places.values()))

    def relaxed(self) -> Program:
        """The program that may be called with pointers to nothing, unless it looks at the pointers themselves."""
        free = {
            part.variable
            for part in self.program.entry_parts
            if part.kind is EntryKind.LENGTH and part.variable and not part.compared
        }
        return self._changed(lambda block: _with_nothing(block, free))

    def _changed(self, change: Callable[[Block], Block]) -> Program:
        own = self.procedure
        procedure = replace(own, blocks=tuple(map(change, own.blocks)))
        others = (procedure if each.name == own.name else each for each in self.program.procedures)
        return replace(self.program, procedures=tuple(others))


def _watching(program: Program, pointer: Located) -> Program:
    """The same program, in which whoever reads an element looks whether it is the zero that is known to be there.

    So the place of the zero is where invariants can speak of it.
    """
    contents, zero = pointer.contents, pointer.zero

    def change(expression: Expression) -> Expression:
        if not isinstance(expression, Select) or expression.array != contents or expression.index == zero:
            return expression
        assert zero is not None
        known = Select(expression.array, zero, expression.type)
        return Conditional(binary(Operator.EQUAL, expression.index, zero), known, expression, expression.type)

    def in_block(block: Block) -> Block:
        statements = tuple(rewrite_statement(each, lambda e: rewrite(e, change)) for each in block.statements)
        terminator = rewrite_terminator(block.terminator, lambda e: rewrite(e, change))
        return replace(block, statements=statements, terminator=terminator)

    def in_procedure(procedure: Procedure) -> Procedure:
        if procedure.name == program.main:
            return procedure
        return replace(procedure, blocks=tuple(map(in_block, procedure.blocks)))

    return replace(program, procedures=tuple(map(in_procedure, program.procedures)))


def _before_call(block: Block, made: Sequence[Statement]) -> Block:
    calls = [position for position, s in enumerate(block.statements) if isinstance(s, Call)]
    if not calls:
        return block
    statements = list(block.statements)
    statements[calls[-1] : calls[-1]] = made
    return replace(block, statements=tuple(statements))


def _with_nothing(block: Block, lengths: set[str]) -> Block:
    """Where a length is said to be one at least, it may be none."""

    def change(statement: Statement) -> Statement:
        match statement:
            case Assume(Binary(Operator.AT_LEAST, Variable(name), Constant(1))) if name in lengths:
                least = binary(Operator.AT_LEAST, Variable(name, UNBOUNDED), Constant(0, UNBOUNDED))
                return replace(statement, condition=least)
        return statement

    return replace(block, statements=tuple(map(change, block.statements)))


def conjunction(conditions: Sequence[Meaning]) -> Expression:
    return every([said.holds for said in conditions]) if conditions else Constant(True, BOOLEAN)
