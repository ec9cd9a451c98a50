"""Horn clauses over numbers from 0 to 3 and truth values: their text, and all facts that follow, by enumeration.

Numbers are integers that every clause bounds, or bit-vectors of two bits. So each clause has finitely many instances
that matter, and the least solution is found by applying them until nothing is new.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import product
from random import Random

VALUES = range(4)
Value = int | bool
Fact = tuple[str, tuple[Value, ...]]
_BIT_NAMES = {"+": "bvadd", "-": "bvsub", "<": "bvult", "<=": "bvule", "&": "bvand", "^": "bvxor"}


@dataclass(frozen=True, slots=True)
class Term:
    """A variable or number (no arguments), or an operation."""

    word: str
    arguments: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Atom:
    predicate: str
    arguments: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Clause:
    """`sorts` are those of the variables: number or truth value (`Bool`)."""

    sorts: Mapping[str, str]
    body: tuple[Atom, ...]
    constraint: Term
    head: Atom | None


@dataclass(frozen=True, slots=True)
class System:
    predicates: Mapping[str, tuple[str, ...]]
    clauses: tuple[Clause, ...]
    in_bits: bool

    @property
    def text(self) -> str:
        lines = ["(set-logic HORN)"]
        for name, sorts in self.predicates.items():
            lines.append(f"(declare-fun {name} ({' '.join(map(self.sort, sorts))}) Bool)")
        lines += [f"(assert {self._clause(clause)})" for clause in self.clauses]
        return "\n".join([*lines, "(check-sat)", ""])

    def sort(self, sort: str) -> str:
        return "Bool" if sort == "Bool" else "(_ BitVec 2)" if self.in_bits else "Int"

    def _clause(self, clause: Clause) -> str:
        bounds = [f"(<= 0 {name} 3)" for name, sort in clause.sorts.items() if sort != "Bool" and not self.in_bits]
        body = [self._atom(atom) for atom in clause.body]
        premise = f"(and true {' '.join([*bounds, *body, self.term(clause.constraint)])})"
        head = self._atom(clause.head) if clause.head else "false"
        binders = " ".join(f"({name} {self.sort(sort)})" for name, sort in clause.sorts.items())
        matrix = f"(=> {premise} {head})"
        return f"(forall ({binders}) {matrix})" if binders else matrix

    def _atom(self, atom: Atom) -> str:
        inner = " ".join(map(self.term, atom.arguments))
        return f"({atom.predicate} {inner})" if inner else atom.predicate

    def term(self, term: Term) -> str:
        if not term.arguments:
            if term.word.isdigit():
                return f"#b{int(term.word) % 4:02b}" if self.in_bits else term.word
            return term.word
        word = _BIT_NAMES.get(term.word, term.word) if self.in_bits else term.word
        return f"({word} {' '.join(map(self.term, term.arguments))})"

    def instances(self, clause: Clause) -> Iterator[dict[str, Value]]:
        """Values of the variables that satisfy the constraint."""
        ranges = [(False, True) if sort == "Bool" else VALUES for sort in clause.sorts.values()]
        for values in product(*ranges):
            found: dict[str, Value] = dict(zip(clause.sorts, values, strict=True))
            if self.value(clause.constraint, found):
                yield found

    def fact(self, atom: Atom, values: Mapping[str, Value]) -> Fact:
        return atom.predicate, tuple(self.value(each, values) for each in atom.arguments)

    def value(self, term: Term, values: Mapping[str, Value]) -> Value:
        if not term.arguments:
            return int(term.word) if term.word.isdigit() else term.word == "true" or values.get(term.word, False)
        given = [self.value(each, values) for each in term.arguments]
        found = _computed(term.word, given)
        return found % 4 if self.in_bits and term.word in ("+", "-", "&", "^") else found


def _computed(word: str, given: list[Value]) -> Value:
    match word, given:
        case "ite", [condition, one, other]:
            return one if condition else other
        case "not", [one]:
            return not one
        case "and", _:
            return all(given)
        case "or", _:
            return any(given)
        case _, [one, other]:
            return _of_two(word, one, other)
    raise ValueError(word)


def _of_two(word: str, one: Value, other: Value) -> Value:
    match word:
        case "+":
            return one + other
        case "-":
            return one - other
        case "*":
            return one * other
        case "mod":
            return one % other
        case "div":
            return one // other
        case "&":
            return one & other
        case "^":
            return one ^ other
        case "<":
            return one < other
        case "<=":
            return one <= other
        case "=":
            return one == other
        case "distinct":
            return one != other
    raise ValueError(word)


def least_solution(system: System) -> tuple[set[Fact], bool]:
    """All facts that follow, and whether false does."""
    prepared = [(clause, list(system.instances(clause))) for clause in system.clauses]
    known: set[Fact] = set()
    while True:
        new: set[Fact] = set()
        for clause, instances in prepared:
            for values in instances:
                if all(system.fact(atom, values) in known for atom in clause.body):
                    if clause.head is None:
                        return known, True
                    new.add(system.fact(clause.head, values))
        if new <= known:
            return known, False
        known |= new


# Drawing


def drawn(chance: Random) -> tuple[System, frozenset[str]]:
    """A system, and the constructs in it."""
    in_bits = chance.random() < 0.25
    count = chance.randint(1, 4)
    predicates = {
        f"p{number}": tuple(chance.choice(("Number", "Number", "Number", "Bool")) for _ in range(chance.randint(0, 3)))
        for number in range(count)
    }
    pen = _Pen(chance, predicates, in_bits)
    clauses = [pen.clause([], chance.choice(list(predicates))) for _ in range(chance.randint(1, 2))]
    for _ in range(chance.randint(1, 4)):
        body = chance.choices(list(predicates), k=1 if chance.random() < 0.6 else 2)
        clauses.append(pen.clause(body, chance.choice(list(predicates))))
    queries = [chance.choices(list(predicates), k=chance.randint(1, 2)) for _ in range(chance.randint(1, 2))]
    clauses += [pen.clause(body, None) for body in queries]
    chance.shuffle(clauses)
    used = {"bit-vectors" if in_bits else "integers", *pen.used}
    return System(predicates, tuple(clauses), in_bits), frozenset(used)


class _Pen:
    """Writes clauses over given predicates."""

    def __init__(self, chance: Random, predicates: Mapping[str, tuple[str, ...]], in_bits: bool) -> None:
        self.used: set[str] = set()
        self._chance, self._predicates, self._in_bits = chance, predicates, in_bits

    def clause(self, body: list[str], head: str | None) -> Clause:
        sorts: dict[str, str] = {}
        atoms = tuple(self._atom(name, sorts) for name in body)
        for _ in range(self._chance.randint(0, 1)):
            self._variable("Number", sorts)
        for sort in self._predicates[head] if head else ():
            if sort not in sorts.values():
                self._variable(sort, sorts)
        constraint = self._condition(sorts, 2)
        made = Atom(head, tuple(self._term(sort, sorts, 1) for sort in self._predicates[head])) if head else None
        self.used.add("query" if head is None else "fact" if not body else "rule")
        if len(body) > 1:
            self.used.add("several atoms in a body")
        if head and head in body:
            self.used.add("recursion")
        return Clause(sorts, atoms, constraint, made)

    def _variable(self, sort: str, sorts: dict[str, str]) -> Term:
        """A new one, or one that there is; never more than four."""
        own = [name for name, held in sorts.items() if held == sort]
        if own and (len(sorts) >= 4 or self._chance.random() < 0.2):
            return Term(self._chance.choice(own))
        name = f"x{len(sorts)}"
        sorts[name] = sort
        return Term(name)

    def _atom(self, name: str, sorts: dict[str, str]) -> Atom:
        return Atom(name, tuple(self._variable(sort, sorts) for sort in self._predicates[name]))

    def _term(self, sort: str, sorts: Mapping[str, str], depth: int) -> Term:
        if sort == "Bool":
            return self._condition(sorts, depth)
        own = [name for name, held in sorts.items() if held != "Bool"]
        if depth <= 0 or self._chance.random() < 0.4:
            return Term(
                self._chance.choice(own) if own and self._chance.random() < 0.8 else str(self._chance.choice(VALUES))
            )
        one, other = (self._term(sort, sorts, depth - 1) for _ in range(2))
        if self._chance.random() < 0.2:
            self.used.add("ite")
            return Term("ite", (self._condition(sorts, 0), one, other))
        if self._in_bits:
            return self._operation(self._chance.choice("+-&^"), one, other)
        if self._chance.random() < 0.3:
            number = Term(str(self._chance.randint(2, 3)))
            return self._operation(self._chance.choice(("*", "mod", "div")), one, number)
        return self._operation(self._chance.choice("+-"), one, other)

    def _operation(self, word: str, one: Term, other: Term) -> Term:
        self.used.add(word)
        return Term(word, (one, other))

    def _condition(self, sorts: Mapping[str, str], depth: int) -> Term:
        flags = [name for name, held in sorts.items() if held == "Bool"]
        if flags and self._chance.random() < 0.3:
            return Term(self._chance.choice(flags))
        if depth > 0 and self._chance.random() < 0.4:
            word = self._chance.choice(("and", "or", "not"))
            self.used.add(word)
            parts = 1 if word == "not" else 2
            return Term(word, tuple(self._condition(sorts, depth - 1) for _ in range(parts)))
        if len(sorts) == len(flags):
            return Term("true")
        one, other = (self._term("Number", sorts, 1) for _ in range(2))
        return self._operation(self._chance.choice(("<", "<=", "=", "=", "distinct")), one, other)
