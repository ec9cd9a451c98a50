"""Text to programs."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.errors import NOWHERE, Span
from sorrel.program.cursor import Cursor
from sorrel.program.expression import (
    Expression,
    Variable,
)
from sorrel.program.expression_reading import read_expression
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Kind,
    Observe,
    Print,
    Purpose,
    Return,
    Statement,
    Stop,
    Stream,
    Terminator,
)
from sorrel.program.tokens import Text, Token
from sorrel.program.validate import complaints


def read(text: str, name: str = "") -> Program:
    """The program that the text describes; `name` is what errors call the text."""
    reader = _Reader(Text(text, name))
    program = reader.program()
    wrong = next(complaints(program), None)
    if wrong is not None:
        place = reader.places.get(id(wrong.subject))
        reader.fail(wrong.message, place or reader.first)
    return program


class _Reader(Cursor):
    """Programs, procedures and statements. `places` are the tokens that things of the program began with, by id."""

    def __init__(self, text: Text) -> None:
        super().__init__(text)
        self.places: dict[int, Token] = {}

    def program(self) -> Program:
        notes: list[Premise] = []
        main = "main"
        procedures: list[Procedure] = []
        globals: list[Variable] = []
        initial: dict[str, Expression] = {}
        while self.token.kind != "end":
            token = self.token
            if self.accept("note"):
                notes.append(self._note())
            elif self.accept("entry"):
                main = self.name("the name of a procedure").text
                self.expect(";")
            elif self.accept("global"):
                self._global(globals, initial)
            elif self.accept("procedure"):
                procedures.append(self._procedure(token, globals))
            else:
                self.fail(f"expected note, entry, global or procedure, found {token}", token)
        return Program(tuple(procedures), tuple(globals), initial, main, tuple(notes))

    def _note(self) -> Premise:
        """What is assumed, after its kind if that is said, and the places where it matters."""
        kind = AssumptionKind.OTHER
        if self.token.kind == "word":
            token = self.take()
            if token.text not in list(AssumptionKind):
                known = ", ".join(AssumptionKind)
                self.fail(f"there is no kind of assumptions {token.text}", token, f"There are: {known}.")
            kind = AssumptionKind(token.text)
        text = self.string("what is assumed")
        places: list[Span] = []
        while self.at("@"):
            places.append(self._span(""))
        self.expect(";")
        return Premise(kind, text, tuple(places))

    def _global(self, globals: list[Variable], initial: dict[str, Expression]) -> None:
        variable = self._declaration()
        globals.append(variable)
        if self.accept("="):
            self.scope = {}
            initial[variable.name] = read_expression(self)
        self.expect(";")

    def _declaration(self) -> Variable:
        token = self.name("the name of a variable")
        self.expect(":")
        variable = Variable(token.text, self.type())
        self.places[id(variable)] = token
        return variable

    def _declarations(self) -> tuple[Variable, ...]:
        found: list[Variable] = []
        self.expect("(")
        self.listed(")", lambda: found.append(self._declaration()))
        return tuple(found)

    def _procedure(self, start: Token, globals: list[Variable]) -> Procedure:
        name = self.name("the name of a procedure")
        parameters = self._declarations()
        outputs = self._declarations() if self.accept("returns") else ()
        span = self._span("")
        self.expect("{")
        locals: list[Variable] = []
        shown: dict[str, str] = {}
        entry = ""
        while self.token.text in ("local", "source", "entry") and self.token.kind == "word":
            word = self.take().text
            if word == "local":
                locals.append(self._declaration())
            elif word == "source":
                variable = self.name("the name of a variable")
                shown[variable.text] = self.string("its name in the source")
            else:
                entry = self.name("the label of a block").text
            self.expect(";")
        self.scope = {each.name: each for each in (*globals, *parameters, *outputs, *locals)}
        blocks = tuple(self._blocks(span.file))
        procedure = Procedure(
            name.text, parameters, outputs, tuple(locals), blocks, entry or blocks[0].label, span, shown
        )
        self.places[id(procedure)] = name
        return procedure

    def _blocks(self, file: str) -> Iterator[Block]:
        while True:
            label = self.name("the label of a block").text
            self.expect(":")
            statements: list[Statement] = []
            while True:
                step = self._step(file)
                if isinstance(step, Goto | Branch | Return | Stop):
                    break
                statements.append(step)
            yield Block(label, tuple(statements), step)
            if self.accept("}"):
                return

    # Statements

    def _step(self, file: str) -> Statement | Terminator:
        token = self.token
        reader = _STEPS.get(token.text) if token.kind == "word" else None
        if reader is None and self.following.text == ":" and token.kind in ("word", "name"):
            self.fail(
                f"the block before {token} does not end",
                token,
                "A block ends with goto, if ... goto ... else ..., return or stop.",
            )
        make = reader(self) if reader else self._assignment()
        step = make(self._span(file))
        self.expect(";")
        self.places[id(step)] = token
        return step

    def _assignment(self) -> Callable[[Span], Statement]:
        targets = [self._target()]
        while self.accept(","):
            targets.append(self._target())
        equals = self.expect("=")
        if self.at("call"):
            return self._call(tuple(targets))
        target = targets[0]
        if len(targets) > 1 or target is None:
            self.fail("only a call gives values to several variables or to none", equals)
        value = read_expression(self)
        return lambda span: Assign(target, value, span)

    def _target(self) -> Variable | None:
        return None if self.accept("_") else self.variable()

    def _call(self, results: tuple[Variable | None, ...] = ()) -> Callable[[Span], Statement]:
        self.expect("call")
        procedure = self.name("the name of a procedure").text
        arguments: list[Expression] = []
        self.expect("(")
        self.listed(")", lambda: arguments.append(read_expression(self)))
        return lambda span: Call(procedure, tuple(arguments), results, span)

    def _havoc(self) -> Callable[[Span], Statement]:
        self.expect("havoc")
        target = self.variable()
        word = self.take()
        choice = next((each for each in Choice if each == word.text), None)
        if choice is None:
            self.fail(f"expected one of {', '.join(Choice)}, found {word}", word)
        source = self.string("the source") if self.token.kind == "string" else ""
        return lambda span: Havoc(target, choice, source, span)

    def _assume(self) -> Callable[[Span], Statement]:
        self.expect("assume")
        condition = read_expression(self)
        reason = self.string("the reason") if self.accept("because") else ""
        return lambda span: Assume(condition, reason, span)

    def _assert(self) -> Callable[[Span], Statement]:
        self.expect("assert")
        condition = read_expression(self)
        kind = self._kind() if self.accept("as") else Kind.ASSERTION
        message = self.string("the message") if self.token.kind == "string" else ""
        return lambda span: Assert(condition, kind, message, span)

    def _observe(self) -> Callable[[Span], Statement]:
        self.expect("observe")
        value = read_expression(self)
        self.expect("as")
        word = self.take()
        purpose = next((each for each in Purpose if each == word.text), None)
        if purpose is None:
            self.fail(f"expected one of {', '.join(Purpose)}, found {word}", word)
        message = self.string("the message") if self.token.kind == "string" else ""
        return lambda span: Observe(value, purpose, message, span)

    def _print(self) -> Callable[[Span], Statement]:
        self.expect("print")
        word = self.take()
        stream = next((each for each in Stream if each == word.text), None)
        if stream is None:
            self.fail(f"expected one of {', '.join(Stream)}, found {word}", word)
        format = self.string("the text")
        arguments: list[Expression] = []
        while self.accept(","):
            arguments.append(read_expression(self))
        return lambda span: Print(format, tuple(arguments), stream, span)

    def _kind(self) -> Kind:
        token = self.take()
        text = token.text
        if self.accept("-"):
            text += "-" + self.take().text
        kind = next((each for each in Kind if each == text), None)
        if kind is None:
            self.fail(f"expected one of {', '.join(Kind)}, found '{text}'", token)
        return kind

    def _goto(self) -> Callable[[Span], Terminator]:
        self.expect("goto")
        target = self.name("the label of a block").text
        return lambda span: Goto(target, span)

    def _branch(self) -> Callable[[Span], Terminator]:
        self.expect("if")
        condition = read_expression(self)
        self.expect("goto")
        then = self.name("the label of a block").text
        self.expect("else")
        otherwise = self.name("the label of a block").text
        return lambda span: Branch(condition, then, otherwise, span)

    def _return(self) -> Callable[[Span], Terminator]:
        self.expect("return")
        return Return

    def _stop(self) -> Callable[[Span], Terminator]:
        self.expect("stop")
        status = read_expression(self) if self.accept("with") else None
        return lambda span: Stop(span, status)

    def _span(self, file: str) -> Span:
        if not self.accept("@"):
            return NOWHERE
        if self.token.kind == "string":
            file = self.take().text
            self.expect(":")
        line = self.count()
        self.expect(":")
        column = self.count()
        if not self.accept("-"):
            return Span(file, line, column)
        end_line = self.count()
        self.expect(":")
        return Span(file, line, column, end_line, self.count())


_STEPS: dict[str, Callable[[_Reader], Callable[[Span], Statement] | Callable[[Span], Terminator]]] = {
    "call": _Reader._call,
    "havoc": _Reader._havoc,
    "assume": _Reader._assume,
    "assert": _Reader._assert,
    "observe": _Reader._observe,
    "print": _Reader._print,
    "goto": _Reader._goto,
    "if": _Reader._branch,
    "return": _Reader._return,
    "stop": _Reader._stop,
}
