"""Cursors of statements to syntax trees, one visit for each cursor."""

from __future__ import annotations

from collections.abc import Callable

from sorrel.frontends.c import syntax
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.parsing.cursors import Cursors
from sorrel.frontends.c.parsing.declaration_reader import DeclarationReader
from sorrel.frontends.c.parsing.expression_reader import ExpressionReader
from sorrel.frontends.c.parsing.kinds import Cursor
from sorrel.frontends.c.parsing.libclang import CXCursor
from sorrel.frontends.c.parsing.type_reader import TypeReader
from sorrel.frontends.c.types import Array, CType

_OTHERS = {
    Cursor.UNEXPOSED_STATEMENT: "this statement",
    Cursor.COMPUTED_GOTO: "goto to a computed address",
    Cursor.ASSEMBLY: "inline assembly",
}
_NOTHING_THAT_RUNS = frozenset({Cursor.STRUCT, Cursor.UNION, Cursor.FUNCTION, Cursor.STATIC_ASSERTION})


_MADE_BY_A_MACRO = "a for statement whose head is made by a macro"


class StatementReader:
    def __init__(
        self,
        cursors: Cursors,
        types: TypeReader,
        declarations: DeclarationReader,
        declare: Callable[[CXCursor], syntax.FunctionDeclaration],
    ) -> None:
        """`declare` reads the declaration of a function."""
        self._cursors = cursors
        self._types = types
        self._declarations = declarations
        self.expressions = ExpressionReader(cursors, types, declare, self.compound)
        self._expression = self.expressions.read
        self._handlers: dict[int, Callable[[CXCursor], syntax.Statement]] = {
            Cursor.COMPOUND: self.compound,
            Cursor.DECLARATION: self._declaration,
            Cursor.EMPTY: lambda cursor: syntax.Empty(self._cursors.span(cursor)),
            Cursor.LABEL: self._label,
            Cursor.CASE: self._case,
            Cursor.DEFAULT: self._default,
            Cursor.IF: self._if,
            Cursor.SWITCH: self._switch,
            Cursor.WHILE: self._while,
            Cursor.DO: self._do,
            Cursor.FOR: self._for,
            Cursor.GOTO: self._goto,
            Cursor.CONTINUE: lambda cursor: syntax.Continue(self._cursors.span(cursor, True)),
            Cursor.BREAK: lambda cursor: syntax.Break(self._cursors.span(cursor, True)),
            Cursor.RETURN: self._return,
        }

    def read(self, cursor: CXCursor) -> syntax.Statement:
        kind = cursor.kind
        if Cursor.FIRST_EXPRESSION <= kind < Cursor.FIRST_STATEMENT:
            return self._expression(cursor)
        handler = self._handlers.get(kind)
        if handler is not None:
            return handler(cursor)
        if kind == Cursor.UNEXPOSED_STATEMENT and len(inner := self._cursors.children(cursor)) == 1:
            return self.read(inner[0])  # a statement with an attribute
        return self._other(cursor)

    def _other(self, cursor: CXCursor) -> syntax.OtherStatement:
        words = _OTHERS.get(cursor.kind) or f"“{self._cursors.first_words(cursor)}”"
        return syntax.OtherStatement(self._cursors.span(cursor), words)

    def compound(self, cursor: CXCursor) -> syntax.Compound:
        # A comprehension keeps deep nesting on Python's own stack, which grows; a generator would use the machine's.
        statements = [self.read(child) for child in self._cursors.children(cursor)]
        return syntax.Compound(self._cursors.span(cursor, True), tuple(statements))

    # Declarations

    def _declaration(self, cursor: CXCursor) -> syntax.Declaration:
        items = [self._declared(child) for child in self._cursors.children(cursor)]
        return syntax.Declaration(self._cursors.span(cursor), tuple(items))

    def _declared(self, cursor: CXCursor) -> syntax.Variable | syntax.TypeDeclaration | syntax.OtherStatement:
        span = self._cursors.span(cursor)
        if cursor.kind == Cursor.VARIABLE:
            return self._variable(cursor)
        if cursor.kind == Cursor.ENUM:
            constants = (each for each in self._cursors.children(cursor) if each.kind == Cursor.ENUM_CONSTANT)
            return syntax.TypeDeclaration(span, tuple(map(self._cursors.spelling, constants)))
        if cursor.kind == Cursor.TYPEDEF:
            return syntax.TypeDeclaration(span, (self._cursors.spelling(cursor),))
        if cursor.kind in _NOTHING_THAT_RUNS:
            return syntax.TypeDeclaration(span)
        return self._other(cursor)

    def _variable(self, cursor: CXCursor) -> syntax.Variable:
        self._types.note_volatile(cursor)
        children = self._cursors.children(cursor)
        self._declarations.demand_plain(cursor, children)
        type, static = self._types.of(cursor), self._declarations.is_static(cursor)
        initializer = self._cursors.initializer(cursor)
        sizes: list[CXCursor] = []
        if _runtime_length(type):
            expressions = [
                child for child in children if Cursor.FIRST_EXPRESSION <= child.kind < Cursor.FIRST_STATEMENT
            ]
            sizes = expressions if initializer is None else expressions[:-1]
        return syntax.Variable(
            self._cursors.span(cursor, True),
            type,
            self._cursors.spelling(cursor),
            self._cursors.symbol(cursor),
            initializer=None if initializer is None else self._expression(initializer),
            sizes=tuple([self._expression(each) for each in reversed(sizes)]),
            static=static,
            external=self._declarations.is_extern(cursor),
            constant=self._types.is_constant(cursor),
            per_thread=self._declarations.is_per_thread(cursor),
        )

    # Labels and choices

    def _parts(self, cursor: CXCursor) -> list[CXCursor]:
        """What is directly below, without attributes."""
        return [child for child in self._cursors.children(cursor) if child.kind < Cursor.FIRST_ATTRIBUTE]

    def _label(self, cursor: CXCursor) -> syntax.Label:
        body = self.read(self._parts(cursor)[-1])
        return syntax.Label(self._cursors.span(cursor, True), body, self._cursors.spelling(cursor))

    def _case(self, cursor: CXCursor) -> syntax.Case:
        low, *high, body = self._parts(cursor)
        return syntax.Case(
            self._cursors.span(cursor, True),
            self.read(body),
            self._expression(low),
            self._expression(high[0]) if high else None,
        )

    def _default(self, cursor: CXCursor) -> syntax.Default:
        return syntax.Default(self._cursors.span(cursor, True), self.read(self._parts(cursor)[-1]))

    def _if(self, cursor: CXCursor) -> syntax.If:
        condition, then, *otherwise = self._parts(cursor)
        return syntax.If(
            self._cursors.span(cursor, True),
            self._expression(condition),
            self.read(then),
            self.read(otherwise[0]) if otherwise else None,
        )

    def _switch(self, cursor: CXCursor) -> syntax.Switch:
        subject, body = self._parts(cursor)
        return syntax.Switch(self._cursors.span(cursor, True), self._expression(subject), self.read(body))

    # Loops

    def _while(self, cursor: CXCursor) -> syntax.While:
        condition, body = self._parts(cursor)
        return syntax.While(self._cursors.span(cursor, True), self._expression(condition), self.read(body))

    def _do(self, cursor: CXCursor) -> syntax.Do:
        body, condition = self._parts(cursor)
        return syntax.Do(self._cursors.span(cursor, True), self.read(body), self._expression(condition))

    def _for(self, cursor: CXCursor) -> syntax.For:
        """libclang leaves out the parts that are missing: words between the semicolons tell which ones those are."""
        span = self._cursors.span(cursor, True)
        *head, body = self._parts(cursor)
        present = self._present(cursor) if 0 < len(head) < 3 else (len(head) == 3,) * 3
        if sum(present) != len(head):
            raise Unsupported(_MADE_BY_A_MACRO, self._cursors.span(cursor))
        children = iter(head)
        start_part, condition, step = (next(children) if there else None for there in present)
        return syntax.For(
            span,
            syntax.Empty(span) if start_part is None else self.read(start_part),
            None if condition is None else self._expression(condition),
            syntax.Empty(span) if step is None else self.read(step),
            self.read(body),
        )

    def _present(self, cursor: CXCursor) -> tuple[bool, ...]:
        """Which of the three parts of the head of a `for` have words. In a macro these are the words of its definition,
        from where on other text follows; places of children are those of its use, and are not compared with them."""
        words = [word for word in self._cursors.words(cursor) if not word.startswith(("//", "/*"))]
        depth, found = 1, [0, 0, 0]
        part = 0
        for word in words[2:] if words[:2] == ["for", "("] else ():
            depth += (word in ("(", "{", "[")) - (word in (")", "}", "]"))
            if depth == 0 and part == 2:
                return tuple(map(bool, found))
            if depth == 0 or (word == ";" and depth == 1 and part == 2):
                break
            if word == ";" and depth == 1:
                part += 1
            else:
                found[part] += 1
        raise Unsupported(_MADE_BY_A_MACRO, self._cursors.span(cursor))

    # Jumps

    def _goto(self, cursor: CXCursor) -> syntax.Goto:
        return syntax.Goto(self._cursors.span(cursor, True), self._cursors.spelling(self._cursors.children(cursor)[0]))

    def _return(self, cursor: CXCursor) -> syntax.Return:
        value = [self._expression(child) for child in self._parts(cursor)]
        return syntax.Return(self._cursors.span(cursor, True), value[0] if value else None)


def _runtime_length(type: CType) -> bool:
    while isinstance(type, Array):
        if type.length is None:
            return True
        type = type.element
    return False
