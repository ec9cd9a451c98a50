"""Rules from text, and what is wrong with a text, by line and column."""

from __future__ import annotations

import re
from collections.abc import Mapping

from sorrel.encode.rules.rule import (
    Assertion,
    Conclusion,
    Range,
    Ranges,
    Rule,
    RuleClause,
    RuleObligation,
    RuleSubject,
    Use,
    Vector,
)
from sorrel.model.errors import InputError, Span
from sorrel.model.values import dataclass

_TOKEN = re.compile(
    r"(?P<space>[ \t\r]+|#[^\n]*)|(?P<line>\n)|(?P<text>\"[^\"\n]*\")|(?P<arrow>->)|(?P<differ>!=)"
    r"|(?P<word>[A-Za-z_][A-Za-z0-9_]*(?:-[A-Za-z0-9_]+)*'*)|(?P<sign>[\[\](),:])"
)
_STARTS = ("rule", "about", "proves", "sound", "assertion", "clause", "dwf")

RELATIONS: Mapping[RuleSubject, Mapping[str, tuple[int, int]]] = {
    RuleSubject.THREADS: {
        "init": (0, 1),
        "next": (1, 2),
        "keeps": (1, 2),
        "error": (0, 1),
        "same": (0, 2),
    },
    RuleSubject.PROCEDURES: {
        "init": (0, 1),
        "next": (1, 2),
        "call": (2, 2),
        "return": (2, 2),
        "local": (1, 2),
        "error": (1, 1),
        "enter": (1, 2),
        "same": (0, 2),
    },
}
"""For each relation, how many indices and how many vectors it has; `next` of threads also has no index: any thread."""


@dataclass(frozen=True, slots=True)
class _Token:
    text: str
    kind: str
    span: Span


def read_rule(text: str, name: str) -> Rule:
    """One rule; `name` is that of the file, for messages."""
    return _Reader(_tokens(text, name), name).rule()


def _tokens(text: str, name: str) -> list[_Token]:
    found: list[_Token] = []
    position, line, start = 0, 1, 0
    while position < len(text):
        match = _TOKEN.match(text, position)
        span = Span(name, line, position - start + 1)
        if match is None:
            raise InputError(f"unexpected character {text[position]!r}", span)
        kind = match.lastgroup or ""
        if kind == "line":
            line, start = line + 1, match.end()
        elif kind != "space":
            found.append(_Token(match.group(), kind, span))
        position = match.end()
    found.append(_Token("", "end", Span(name, line, position - start + 1)))
    return found


class _Reader:
    def __init__(self, tokens: list[_Token], name: str) -> None:
        self._tokens = tokens
        self._position = 0
        self._name = name

    # Tokens

    @property
    def _next(self) -> _Token:
        return self._tokens[self._position]

    def _take(self) -> _Token:
        token = self._next
        self._position += token.kind != "end"
        return token

    def _is(self, *texts: str) -> bool:
        return self._next.text in texts and self._next.kind != "text"

    def _expect(self, text: str) -> _Token:
        if not self._is(text):
            self._complain(f"“{text}”")
        return self._take()

    def _word(self, what: str) -> _Token:
        if self._next.kind != "word":
            self._complain(what)
        return self._take()

    def _complain(self, wanted: str) -> None:
        found = f"“{self._next.text}”" if self._next.kind != "end" else "the end"
        raise InputError(f"expected {wanted}, found {found}", self._next.span)

    def _one_of(self, words: list[str]) -> str:
        if not self._is(*words):
            self._complain(" or ".join(f"“{word}”" for word in words))
        return self._take().text

    # The rule

    def rule(self) -> Rule:
        span = self._expect("rule").span
        name = self._word("the name of the rule").text
        self._expect("about")
        if self._next.kind != "text":
            self._complain("a sentence in quotes")
        sentence = self._take().text[1:-1]
        self._expect("proves")
        conclusion = Conclusion(self._one_of(list(Conclusion)))
        self._expect("of")
        self._subject = RuleSubject(self._one_of(list(RuleSubject)))
        sound = self._is("sound")
        if sound:
            self._take()
        self._assertions: dict[str, Assertion] = {}
        while self._is("assertion"):
            self._assertion()
        clauses: list[RuleClause] = []
        obligations: list[RuleObligation] = []
        while self._is("clause", "dwf"):
            if self._is("clause"):
                clauses.append(self._clause())
            else:
                obligations.append(self._obligation())
        if self._next.kind != "end":
            self._complain(" or ".join(f"“{word}”" for word in _STARTS[4:]))
        rule = Rule(
            name,
            sentence,
            conclusion,
            self._subject,
            sound,
            tuple(self._assertions.values()),
            tuple(clauses),
            tuple(obligations),
            span,
        )
        _check_purpose(rule)
        return rule

    def _assertion(self) -> None:
        self._take()
        token = self._word("the name of an assertion")
        if token.text in self._assertions or token.text in RELATIONS[self._subject]:
            raise InputError(f"there is already something called {token.text}", token.span)
        indices, vectors = self._applied()
        ranges = self._ranges(frozenset(indices))
        bound = {each.name for each in ranges.ranges} | {each.other for each in ranges.ranges}
        for index in indices:
            if index not in bound:
                raise InputError(f"say where the index {index} comes from: for {index} in …", token.span)
        self._assertions[token.text] = Assertion(token.text, indices, vectors, ranges, token.span)

    def _clause(self) -> RuleClause:
        self._take()
        name = self._word("the name of the clause")
        self._expect(":")
        body = self._conjunction()
        self._expect("->")
        head = None if self._is("false") else self._use()
        if head is None:
            self._take()
        ranges = self._ranges(frozenset())
        self._check_indices((*body, *([head] if head else [])), ranges)
        if head is not None and (head.name not in self._assertions or head.each is not None):
            raise InputError("the head of a clause is one assertion, or false", head.span)
        return RuleClause(name.text, body, head, ranges, name.span)

    def _obligation(self) -> RuleObligation:
        self._take()
        name = self._word("the name of the obligation")
        self._expect(":")
        relation = self._conjunction()
        ranges = self._ranges(frozenset())
        self._check_indices(relation, ranges)
        for use in relation:
            if use.name not in self._assertions or len(use.vectors) != 2:
                raise InputError("dwf speaks of assertions over two vectors", use.span)
            if tuple(map(str, use.vectors)) != tuple(map(str, relation[0].vectors)):
                raise InputError("all assertions of dwf must relate the same two vectors", use.span)
        return RuleObligation(name.text, relation, ranges, name.span)

    def _conjunction(self) -> tuple[Use, ...]:
        found = [self._use()]
        while self._is("and"):
            self._take()
            found.append(self._use())
        return tuple(found)

    def _use(self) -> Use:
        if self._is("all"):
            self._take()
            name = self._word("an index").text
            self._expect("in")
            domain = self._domain()
            self._expect("(")
            inner = self._use()
            self._expect(")")
            return Use(inner.name, inner.indices, inner.vectors, inner.span, Range(name, domain))
        token = self._word("an assertion or a relation")
        indices, vectors = self._applied()
        use = Use(token.text, indices, vectors, token.span)
        self._check_use(use)
        return use

    def _check_use(self, use: Use) -> None:
        known = self._assertions.get(use.name)
        relations = RELATIONS[self._subject]
        if known is not None:
            wanted: tuple[int, int] = (len(known.indices), len(known.vectors))
        elif use.name in relations:
            wanted = relations[use.name]
            if self._subject is RuleSubject.THREADS and use.name == "next" and not use.indices:
                wanted = (0, 2)
        else:
            names = ", ".join([*self._assertions, *relations])
            raise InputError(f"there is no assertion or relation {use.name}; there are: {names}", use.span)
        if (len(use.indices), len(use.vectors)) != wanted:
            message = f"{use.name} takes {_many(wanted[0], 'index', 'indices')} and {_many(wanted[1], 'vector')}"
            raise InputError(f"{message}, not {len(use.indices)} and {len(use.vectors)}", use.span)

    def _applied(self) -> tuple[tuple[str, ...], tuple[Vector, ...]]:
        indices: list[str] = []
        if self._is("["):
            self._take()
            indices.append(self._word("an index").text)
            while self._is(","):
                self._take()
                indices.append(self._word("an index").text)
            self._expect("]")
        self._expect("(")
        vectors = [self._vector()]
        while self._is(","):
            self._take()
            vectors.append(self._vector())
        self._expect(")")
        return tuple(indices), tuple(vectors)

    def _vector(self) -> Vector:
        token = self._word("a vector of variables, such as V'")
        index = None
        if self._is("["):
            self._take()
            place = self._word("an index")
            index = place.text
            if self._subject is RuleSubject.THREADS:
                raise InputError("threads have one vector, of the whole state: it has no index", place.span)
            self._expect("]")
        return Vector(token.text, index, token.span)

    def _domain(self) -> str:
        domain = self._next.text
        known = {RuleSubject.THREADS: ("threads",), RuleSubject.PROCEDURES: ("procedures",)}[self._subject]
        if domain not in known:
            self._complain(" or ".join(known))
        self._take()
        return domain

    def _ranges(self, names: frozenset[str]) -> Ranges:
        if not self._is("for"):
            return Ranges()
        self._take()
        ranges: list[Range] = []
        different: list[tuple[str, str]] = []
        while True:
            name = self._word("an index")
            if self._is("in"):
                self._take()
                ranges.append(Range(name.text, self._domain()))
            elif self._is("calls"):
                if self._subject is not RuleSubject.PROCEDURES:
                    raise InputError("only procedures call each other", self._next.span)
                self._take()
                ranges.append(Range(name.text, "procedures", self._word("an index").text))
            elif self._is("!="):
                self._take()
                different.append((name.text, self._word("an index").text))
            else:
                self._complain("“in”, “calls” or “!=”")
            if not self._is(","):
                return Ranges(tuple(ranges), tuple(different))
            self._take()

    def _check_indices(self, uses: tuple[Use, ...], ranges: Ranges) -> None:
        bound = {"main"} if self._subject is RuleSubject.PROCEDURES else set()
        bound |= {each.name for each in ranges.ranges} | {each.other for each in ranges.ranges if each.other}
        for use in uses:
            inner = bound | ({use.each.name} if use.each else set())
            for index in (*use.indices, *(v.index for v in use.vectors if v.index is not None)):
                if index not in inner:
                    raise InputError(f"the index {index} ranges over nothing: add “for {index} in …”", use.span)


def _many(count: int, one: str, several: str = "") -> str:
    return f"{count} {one if count == 1 else several or one + 's'}"


def _check_purpose(rule: Rule) -> None:
    """A rule that can never fail proves nothing."""
    if rule.conclusion is Conclusion.TERMINATION and not rule.obligations:
        raise InputError("a rule that proves termination needs a dwf", rule.span)
    if rule.conclusion is Conclusion.SAFETY and all(clause.head is not None for clause in rule.clauses):
        raise InputError("a rule that proves safety needs a clause with the head false", rule.span)
