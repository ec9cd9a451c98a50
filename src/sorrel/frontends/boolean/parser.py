"""Recursive descent over the text of a Boolean program."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from functools import partial

from sorrel.frontends.boolean.syntax import (
    Assign,
    Assume,
    Binary,
    Block,
    CallStatement,
    Expression,
    Function,
    If,
    Name,
    Number,
    Program,
    Return,
    Statement,
    Truth,
    Unary,
    Variable,
    While,
)
from sorrel.logic.listing import BOOLEAN
from sorrel.logic.sexpr import Text
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass

_TOKEN = re.compile(
    r"""\s+ | //[^\n]* | \#[^\n]* | (?P<number>0[xX][0-9a-fA-F]+|[0-9]+)(?![A-Za-z0-9_])
      | (?P<name>[A-Za-z_][A-Za-z0-9_]*) | (?P<sign>:=|=>|!=|<=|>=|<<|>>|[-=<>+*/%&|^~!(){}\[\],;:]) | (?P<bad>.)""",
    re.VERBOSE | re.DOTALL,
)
KEYWORDS = frozenset(
    (
        *("if", "then", "else", "fi", "while", "do", "od", "return", "returns", "assume", "property", "var"),
        *("true", "false", "and", "or", "not", "xor", "bool", "word"),
    )
)
# Loosest first. The words are for people who do not like the signs.
_LEVELS: tuple[tuple[str, ...], ...] = (
    ("=>",),
    ("|", "or"),
    ("^", "xor"),
    ("&", "and"),
    ("=", "!=", "<", "<=", ">", ">="),
    ("<<", ">>"),
    ("+", "-"),
    ("*", "/", "%"),
)
_SPELLED = {"or": "|", "xor": "^", "and": "&", "not": "~", "!": "~"}
DEEPEST = 100
WIDEST = 1024


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    kind: str  # number, name, sign or end
    at: int


def parse_program(text: Text, width: int) -> Program:
    """`width` is what `word` means."""
    return _Parser(text, width).program()


def parse_expression(text: Text, width: int) -> Expression:
    parser = _Parser(text, width)
    found = parser.expression()
    parser.end("the end of the property")
    return found


def _tokens(text: Text) -> Iterator[_Token]:
    for match in _TOKEN.finditer(text.content):
        if match.lastgroup == "bad":
            raise text.error(f"the character {match.group()!r} has no meaning here", match.start())
        if match.lastgroup:
            yield _Token(match.group(), match.lastgroup, match.start())
    yield _Token("", "end", len(text.content))


class _Parser:
    def __init__(self, text: Text, width: int) -> None:
        self._text = text
        self._width = width
        self._tokens = list(_tokens(text))
        self._next = 0
        self._depth = 0

    # Tokens

    @property
    def _token(self) -> _Token:
        return self._tokens[self._next]

    def _is(self, *words: str) -> bool:
        return self._token.kind in ("name", "sign") and self._token.text in words

    def _take(self) -> _Token:
        token = self._token
        if token.kind != "end":
            self._next += 1
        return token

    def _accept(self, word: str) -> bool:
        if self._is(word):
            self._take()
            return True
        return False

    def _expect(self, word: str, where: str) -> _Token:
        if not self._is(word):
            raise self._error(f"`{word}` is expected {where}")
        return self._take()

    def _error(self, message: str, hint: str = "") -> InputError:
        seen = f", not `{self._token.text}`" if self._token.text else ", but the text ends"
        return self._text.error(message + seen, self._token.at, hint=hint)

    def end(self, what: str) -> None:
        if self._token.kind != "end":
            raise self._error(f"{what} is expected here")

    def _name(self, what: str) -> Name:
        if self._token.kind != "name" or self._token.text in KEYWORDS:
            raise self._error(f"{what} is expected here")
        token = self._take()
        return Name(token.text, token.at)

    # Declarations

    def program(self) -> Program:
        functions: list[Function] = []
        properties: list[Expression] = []
        while self._token.kind != "end":
            if self._accept("property"):
                properties.append(self.expression())
                self._expect(";", "after a property")
            else:
                functions.append(self._function())
        if not functions:
            raise self._text.error(
                "there is no function here", 0, hint="A function is name(parameters) { statements }."
            )
        return Program(tuple(functions), tuple(properties))

    def _function(self) -> Function:
        name = self._name("a function or `property`")
        parameters = self._variables("after the name of a function")
        named = self._accept("returns")
        results = self._variables("after `returns`") if named else ()
        self._expect("{", "before the body of a function")
        declared: list[Variable] = []
        while self._accept("var"):
            declared += self._declaration()
        body = self._block("}")
        self._expect("}", "at the end of a function")
        if not named:
            results = self._implied_results(parameters, declared, body)
        return Function(name.name, parameters, results, named, tuple(declared), body, name.at)

    def _variables(self, where: str) -> tuple[Variable, ...]:
        self._expect("(", where)
        found: list[Variable] = []
        while not self._is(")"):
            if found:
                self._expect(",", "between variables")
            name = self._name("a variable")
            found.append(Variable(name.name, self._type() if self._accept(":") else BOOLEAN, name.at))
        self._take()
        return tuple(found)

    def _declaration(self) -> list[Variable]:
        names = [self._name("a variable")]
        while self._accept(","):
            names.append(self._name("a variable"))
        self._expect(":", "before the type")
        width = self._type()
        self._expect(";", "after a declaration")
        return [Variable(name.name, width, name.at) for name in names]

    def _type(self) -> int:
        if self._accept("bool"):
            return BOOLEAN
        if not self._is("word"):
            raise self._error("a type is expected here", "Types are bool, word, and word[N] for N bits.")
        self._take()
        if not self._accept("["):
            return self._width
        token = self._take()
        if token.kind != "number" or not 1 <= int(token.text, 0) <= WIDEST:
            raise self._text.error(f"the number of bits is expected here, from 1 to {WIDEST}", token.at)
        self._expect("]", "after the number of bits")
        return int(token.text, 0)

    def _implied_results(
        self, parameters: tuple[Variable, ...], declared: list[Variable], body: Block
    ) -> tuple[Variable, ...]:
        """Without `returns` a function returns truth values, as many as its first return statement says."""
        first = next(_returns(body), None)
        if first is None or not first.values:
            return ()
        taken = {v.name for v in (*parameters, *declared)}
        stem = "r" if "r" not in taken else "result"
        names = [stem] if len(first.values) == 1 else [f"{stem}{i}" for i in range(1, len(first.values) + 1)]
        return tuple(Variable(name, BOOLEAN, first.at) for name in names)

    # Statements

    def _block(self, *ends: str) -> Block:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._text.error(f"more than {DEEPEST} levels of nesting", self._token.at)
        found: list[Statement] = []
        while not self._is(*ends):
            if self._token.kind == "end" or self._is("}", "fi", "else", "od"):
                raise self._error(f"`{ends[-1]}` is expected")
            if self._accept(";"):
                continue
            found.append(self._statement())
        self._depth -= 1
        return tuple(found)

    def _statement(self) -> Statement:
        at = self._token.at
        if self._accept("if"):
            return self._conditional(at)
        if self._accept("while"):
            condition = self.expression()
            self._expect("do", "after the condition of a loop")
            body = self._block("od")
            self._expect("od", "at the end of a loop")
            return While(condition, body, at)
        found = self._simple(at)
        if not self._is("}", "fi", "else", "od"):
            self._expect(";", "after a statement")
        return found

    def _conditional(self, at: int) -> If:
        condition = self.expression()
        self._expect("then", "after the condition")
        then = self._block("else", "fi")
        otherwise: Block = self._block("fi") if self._accept("else") else ()
        self._expect("fi", "at the end of a conditional")
        return If(condition, then, otherwise, at)

    def _simple(self, at: int) -> Statement:
        if self._accept("return"):
            values = () if self._is(";", "}", "fi", "else", "od") else self._expressions()
            return Return(values, at)
        if self._accept("assume"):
            return Assume(self.expression(), at)
        if self._is("var"):
            raise self._error("declarations stand at the beginning of a function")
        targets = [self._name("a statement")]
        if self._is("("):
            raise self._error("`:=` is expected here", "A call gives its results to variables: x, y := f(e, e);")
        while self._accept(","):
            targets.append(self._name("a variable"))
        self._expect(":=", "after what is assigned to")
        if self._tokens[self._next].kind == "name" and self._tokens[self._next + 1].text == "(" and not self._is("not"):
            return self._call(targets, at)
        if len(targets) > 1:
            raise self._error("a call is expected here", "Only a call has several results.")
        return Assign(targets[0], self.expression(), at)

    def _call(self, targets: list[Name], at: int) -> CallStatement:
        function = self._name("a function")
        self._expect("(", "after the name of a function")
        arguments = () if self._is(")") else self._expressions()
        self._expect(")", "after arguments")
        return CallStatement(tuple(targets), function, arguments, at)

    # Expressions

    def _expressions(self) -> tuple[Expression, ...]:
        found = [self.expression()]
        while self._accept(","):
            found.append(self.expression())
        return tuple(found)

    def expression(self, level: int = 0) -> Expression:
        """Operators of this level or tighter, by climbing: a chain of them takes no more of Python's stack."""
        left = self._unary()
        while (found := self._level()) is not None and found >= level:
            token = self._take()
            operator = _SPELLED.get(token.text, token.text)
            # To the right: a => b => c is a => (b => c).
            right = self._nested(partial(self.expression, found if operator == "=>" else found + 1))
            left = Binary(operator, left, right, token.at)
        return left

    def _level(self) -> int | None:
        return next((level for level, operators in enumerate(_LEVELS) if self._is(*operators)), None)

    def _unary(self) -> Expression:
        if not self._is("~", "!", "not", "-"):
            return self._primary()
        token = self._take()
        return Unary(_SPELLED.get(token.text, token.text), self._nested(self._unary), token.at)

    def _nested(self, inside: Callable[[], Expression]) -> Expression:
        self._depth += 1
        if self._depth > DEEPEST:
            raise self._text.error(f"more than {DEEPEST} levels of nesting", self._token.at)
        found = inside()
        self._depth -= 1
        return found

    def _primary(self) -> Expression:
        token = self._token
        if token.kind == "number":
            self._take()
            return Number(int(token.text, 0), token.at)
        if self._is("true", "false"):
            self._take()
            return Truth(token.text == "true", token.at)
        if self._accept("("):
            found = self._nested(self.expression)
            self._expect(")", "to close a parenthesis")
            return found
        if self._is("*"):
            raise self._text.error(
                "nondeterministic values are not supported",
                token.at,
                hint="Summaries are learned from runs, which must have one result; make the value a parameter.",
            )
        name = self._name("an expression")
        if self._is("("):
            raise self._text.error(
                "a call is not an expression", name.at, hint="Give its result to a variable first: x := f(e);"
            )
        return name


def _returns(block: Block) -> Iterator[Return]:
    for statement in block:
        match statement:
            case Return():
                yield statement
            case If(_, then, otherwise):
                yield from _returns(then)
                yield from _returns(otherwise)
            case While(_, body):
                yield from _returns(body)
            case _:
                pass
