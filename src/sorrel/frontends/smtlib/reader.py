"""Files in the `assert`/`check-sat` and the `rule`/`query` dialect to Horn systems.

z3 parses the terms, so every theory it knows can be read. Here commands are told apart, both dialects become
one, and every problem gets its place in the file.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sorrel.frontends.smtlib.commands import (
    DECLARATIONS,
    IGNORED,
    INSTEAD,
    PASSED_ON,
    REFUSED,
    argument_names,
    bound_name,
    end_of,
)
from sorrel.frontends.smtlib.formulas import HornCase, NotHornError, Shared, horn_clauses, written_clause
from sorrel.horn.clause import Argument, Atom, Clause, Predicate, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.text import parse_roles, read_note
from sorrel.logic import datatypes, sexpr, terms, walk
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES, symbol
from sorrel.logic.reading import Script
from sorrel.logic.sexpr import Group, SExpr, Text
from sorrel.logic.terms import Sort, Term
from sorrel.logic.walk import Mentions
from sorrel.model.errors import InputError, Span
from sorrel.model.source import Source
from sorrel.model.values import dataclass

if TYPE_CHECKING:
    from pathlib import Path


def read_file(path: str | Path) -> HornSystem:
    return read_text(load(path), str(path))


def load(path: str | Path) -> str:
    """The text of a file, or an error that says why there is none."""
    return Source(str(path)).read()


def read_text(content: str, file: str = "<text>") -> HornSystem:
    return _Reader(Text(content, file)).system()


@dataclass(frozen=True, slots=True)
class _Asserted:
    """A formula of the file: a clause, or in the `rule` dialect what must not be derivable."""

    start: int
    end: int
    is_query: bool = False
    note: tuple[SExpr, ...] = ()  # our own :sorrel-clause, if one stands before it


class _Reader:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.script = Script(text)
        self.asserted: list[_Asserted] = []
        self.predicates: dict[str, Group | None] = {}  # with the sorts of their arguments as written
        self.variables: set[str] = set()  # declare-var
        self.others: dict[str, int] = {}  # constants and functions that are not predicates, and where
        self.functions: set[str] = set()  # names in datatypes, which variables would hide
        self.roles: dict[str, tuple[list[SExpr], int]] = {}  # of arguments, and where they are noted
        self.obligations: list[Group] = []
        self.clause_note: tuple[SExpr, ...] = ()
        self.asked = ""  # the command that asked for an answer, once there was one
        self.supported: dict[int, Sort] = {}  # holds the sorts, so that no id is reused

    def system(self) -> HornSystem:
        empty = True
        for start, end in sexpr.commands(self.text):
            empty = False
            word = sexpr.head(self.text, start)
            if word == "exit":
                break
            self._command(word, start, end)
        if empty:
            raise InputError(
                "the file holds no commands" if self.text.content.strip() else "the file is empty",
                self.text.span(0),
                hint="Expected declarations and assertions of Horn clauses in SMT-LIB 2.",
            )
        return self._build()

    # Commands

    def _command(self, word: str, start: int, end: int) -> None:
        if self.asked and word in ("assert", "rule", "dwf"):
            raise self.text.error(
                f"{word} after {self.asked}: the file asks more than one question",
                start,
                hint="Write each system to a file of its own.",
            )
        if word in ("check-sat", "query"):
            self.asked = word
        match word:
            case "assert":
                self.script.add(start, end)
                self.asserted.append(_Asserted(start, end, note=self.clause_note))
                self.clause_note = ()
            case "rule" | "query":
                self._rule_or_query(word, start, end)
            case "declare-fun" | "declare-const" | "declare-rel" | "declare-var":
                self._declare(word, self._group(start, end))
            case "set-info":
                self._info(start, end)
            case "dwf":
                self.obligations.append(self._group(start, end))
            case _ if word in PASSED_ON:
                self.script.add(start, end)
                if word in ("declare-datatypes", "declare-datatype"):
                    self.functions.update(sexpr.names(self.text, start, end))
            case _ if word in IGNORED:
                pass
            case _ if word in REFUSED:
                raise self.text.error(
                    f"{word} is not supported: {REFUSED[word]}",
                    start,
                    hint=INSTEAD.get(word, "Write each system to a file of its own."),
                )
            case _:
                raise self.text.error(
                    f"unknown command {word}" if word else "a command starts with its name",
                    start,
                    hint="Horn clauses are written with assert and check-sat, or with rule and query.",
                )

    def _group(self, start: int, end: int) -> Group:
        found = sexpr.read(self.text, start, end)
        if not isinstance(found, Group):
            raise self.text.error("a command in parentheses is expected here", start)
        return found

    def _declare(self, word: str, command: Group) -> None:
        match command.items:
            case (_, sexpr.Atom() as name, Group() as sorts, range_) if word == "declare-fun":
                pass
            case (_, sexpr.Atom() as name, Group() as sorts) if word == "declare-rel":
                range_ = sexpr.Atom("Bool", command.start)
            case (_, sexpr.Atom() as name, range_) if word in ("declare-const", "declare-var"):
                sorts = Group((), command.start, command.start)
            case _:
                raise self.text.error(f"wrong syntax of {word}", command.start, hint=f"Write {DECLARATIONS[word]}.")
        if name.name in self.predicates or name.name in self.others or name.name in self.variables:
            raise self.text.error(f"{name.name} is declared twice", name.start, hint="Remove or rename one of the two.")
        if word == "declare-var":
            self.variables.add(name.name)
        elif isinstance(range_, sexpr.Atom) and range_.name == "Bool":
            self.predicates[name.name] = sorts if sorts.items else None
        else:
            self.others[name.name] = name.start
        if word in ("declare-fun", "declare-const"):
            self.script.add(command.start, command.end)
        elif word == "declare-rel":
            self.script.add(command.start, command.end - 1, prefix="(declare-fun ", suffix=" Bool)", after=name.start)
        else:
            self.script.add(command.start, command.end, prefix="(declare-const ", after=name.start)

    def _rule_or_query(self, word: str, start: int, end: int) -> None:
        """(rule formula name?) and (query formula option*): only the formula goes to z3, as an assertion."""
        found = sexpr.second_item(self.text, start, end)
        if found is None:
            raise self.text.error(f"{word} needs a formula", start, hint="Write (rule formula) or (query formula).")
        first, last = found
        prefix, suffix = "(assert ", ")"
        name = sexpr.Atom(self.text.content[first:last], first).name
        if sorts := self.predicates.get(name):
            # A relation by its name alone: with any arguments.
            binders, arguments = self._binders(sorts, name)
            prefix, suffix = f"(assert (exists ({binders}) (", f" {arguments})))"
        self.script.add(start, last, prefix=prefix, suffix=suffix, after=first)
        self.asserted.append(_Asserted(start, end, word == "query"))

    def _binders(self, sorts: Group, applied: str) -> tuple[str, str]:
        """Variables for the arguments of a predicate: to bind them, and to apply it to them."""
        stem = "b" if applied.startswith("a!") else "a"
        written = [self.text.content[s.start : end_of(s)] for s in sorts.items]
        names = [f"{stem}!{i}" for i in range(len(written))]
        return " ".join(f"({n} {s})" for n, s in zip(names, written, strict=True)), " ".join(names)

    def _info(self, start: int, end: int) -> None:
        if ":sorrel-" not in self.text.content[start:end]:
            return
        match self._group(start, end).items:
            case (_, sexpr.Atom(text=":sorrel-clause"), sexpr.Atom() as quoted):
                self.clause_note = read_note(quoted.text)
            case (_, sexpr.Atom(text=":sorrel-predicate"), sexpr.Atom() as quoted):
                match read_note(quoted.text):
                    case (sexpr.Atom() as name, *roles):
                        self.roles[name.name] = (roles, quoted.start)

    # Building

    def _build(self) -> HornSystem:
        horn_script = self.script.source()
        for name, sorts in self.predicates.items():
            at = sorts.start if sorts else 0
            applied = symbol(name)
            if sorts:
                binders, arguments = self._binders(sorts, name)
                applied = f"(forall ({binders}) ({symbol(name)} {arguments}))"
            self.script.add(at, at, prefix=f"(assert {applied})")
        for obligation in self.obligations:
            self._obligation_script(obligation)
        formulas = self.script.parse()
        if len(formulas) != len(self.asserted) + len(self.predicates) + len(self.obligations):
            raise InputError("the assertions of this file could not be separated", self.text.span(0))
        own = formulas[: len(self.asserted)]
        cases = self._cases(own)
        signatures = formulas[len(own) : len(own) + len(self.predicates)]
        predicates = self._predicates(signatures, [case for group in cases for case in group])
        clauses = self._clauses(cases, predicates)
        obligations = [
            self._obligation(o, formula, predicates)
            for o, formula in zip(self.obligations, formulas[len(own) + len(self.predicates) :], strict=True)
        ]
        # A formula of the `rule` dialect is open or, as a query, means its negation: not what HORN asserts.
        is_horn = not self.variables and not any(at.is_query for at in self.asserted)
        script = horn_script if is_horn else ""
        return HornSystem(tuple(predicates.values()), tuple(clauses), tuple(obligations), script)

    def _closed(self, at: _Asserted, formula: Term) -> Term:
        """What is asserted, as one closed formula: a query says that its formula is never true."""
        asserted = terms.implication(formula, terms.FALSE) if at.is_query else formula
        if not self.variables:
            return asserted
        free = [v for v in walk.free_variables(asserted) if terms.name_of(v) in self.variables]
        return terms.forall(free, asserted)

    def _predicates(self, signatures: Sequence[Term], cases: Sequence[HornCase]) -> dict[str, Predicate]:
        wishes = argument_names(cases)
        found: dict[str, Predicate] = {}
        for name, signature in zip(self.predicates, signatures, strict=True):
            sorts = [sort for _, sort in terms.bound_variables(signature)] if terms.is_quantifier(signature) else []
            written = self.predicates[name]
            for sort, item in zip(sorts, written.items if written else (), strict=True):
                self._require_supported(sort, item.start)
            found[name] = Predicate(name, self._arguments(name, sorts, wishes.get(name, {})))
        return found

    def _arguments(self, name: str, sorts: Sequence[Sort], wishes: dict[int, str]) -> tuple[Argument, ...]:
        note = self.roles.get(name)
        if note is None:
            names = Names(reserved=self._reserved())
            return tuple(Argument(names.fresh(wishes.get(i, f"x{i}")), sort) for i, sort in enumerate(sorts))
        roles, at = note
        noted = [parse_roles(item.items) for item in roles if isinstance(item, Group)]
        known = [n for n in noted if n is not None]
        if len(known) != len(sorts) or len({n[0] for n in known}) != len(sorts):
            raise self.text.error(
                f"this note does not describe the {len(sorts)} arguments of {name}",
                at,
                hint="It holds (name role) or (name role copy base) for each of them, with different names.",
            )
        return tuple(Argument(n[0], sort, *n[1:]) for n, sort in zip(known, sorts, strict=True))

    def _reserved(self) -> frozenset[str]:
        """Names that a variable must not have, or texts with it would mean something else."""
        return frozenset((*self.predicates, *self.others, *self.functions)) | FUNCTION_NAMES

    def _cases(self, formulas: Sequence[Term]) -> list[list[HornCase]]:
        """The clauses of each assertion, in order."""
        predicates = frozenset(self.predicates)
        reserved = self._reserved()
        shared = Shared(predicates)
        strangers = Mentions(None, frozenset(self.others))
        found: list[list[HornCase]] = []
        for at, written in zip(self.asserted, formulas, strict=True):
            formula = self._closed(at, written)
            if self.others and strangers(formula):
                raise self._not_universal(at, formula)
            if at.note and (literal := written_clause(formula, reserved, shared)):
                found.append([literal])
                continue
            try:
                found.append(list(horn_clauses(formula, predicates, reserved=reserved, shared=shared)))
            except NotHornError as problem:
                raise self.text.error(problem.message, self._formula_start(at), hint=problem.hint) from None
            for sort in shared.objects.new_sorts():
                self._require_supported(sort, self._formula_start(at))
        return found

    def _formula_start(self, at: _Asserted) -> int:
        found = sexpr.second_item(self.text, at.start, at.end)
        return found[0] if found else at.start

    def _not_universal(self, at: _Asserted, formula: Term) -> InputError:
        """All symbols of a clause are predicates, interpreted, or universal variables; this one's are not."""
        name = next(name for name in self.others if Mentions(None, frozenset([name]))(formula))
        return self.text.error(
            f"{name} is neither a predicate nor a universal variable",
            sexpr.find(self.text, name, self._formula_start(at), at.end),
            hint="A solution would have to choose it too, which is not a Horn problem; quantify it, or "
            "make it an argument of the predicates.",
        )

    def _require_supported(self, sort: Sort, at: int) -> None:
        if sort.get_id() in self.supported:
            return
        self.supported[sort.get_id()] = sort
        foreign = datatypes.unsupported(sort)
        if foreign is not None:
            raise self.text.error(
                f"the sort {foreign} is not supported",
                at,
                hint="Sorrel reads Bool, Int, Real, bit-vectors, arrays and algebraic datatypes.",
            )

    def _clauses(self, groups: Sequence[list[HornCase]], predicates: dict[str, Predicate]) -> list[Clause]:
        notes = [self._read_note(at) for at in self.asserted]
        names = Names(self._noted_names(notes))
        clauses: list[Clause] = []
        for at, (noted, origin), cases in zip(self.asserted, notes, groups, strict=True):
            place = origin or self.text.span(at.start, at.end)
            for number, (head, body, constraint) in enumerate(cases):
                name = noted if noted and number == 0 else names.fresh(f"c{len(clauses)}")
                clauses.append(
                    Clause(
                        name,
                        Atom(predicates[head[0]], head[1]) if head else None,
                        tuple(Atom(predicates[callee], arguments) for callee, arguments in body),
                        constraint,
                        place,
                    )
                )
        return clauses

    def _read_note(self, at: _Asserted) -> tuple[str, Span | None]:
        """The name that a note gives to the clause, and the place it comes from."""
        match at.note:
            case (sexpr.Atom() as noted, sexpr.Atom(text=file), *places):
                numbers = [int(p.text) for p in places if isinstance(p, sexpr.Atom) and p.text.isdecimal()]
                known = len(numbers) == 4 and len(file) > 1 and file[0] == '"'
                return noted.name, Span(file[1:-1].replace('""', '"'), *numbers) if known else None
        return "", None

    def _noted_names(self, notes: Sequence[tuple[str, Span | None]]) -> list[str]:
        seen: dict[str, None] = {}
        for at, (name, _) in zip(self.asserted, notes, strict=True):
            if name and name in seen:
                raise self.text.error(
                    f"another clause is called {name}", at.start, hint="Give each clause a name of its own."
                )
            if name:
                seen[name] = None
        return list(seen)

    # Obligations

    def _obligation_script(self, command: Group) -> None:
        match command.items:
            case (_, sexpr.Atom(), Group() as before, Group() as after, relation):
                inner = self.text.content[before.start + 1 : before.end - 1]
                inner += " " + self.text.content[after.start + 1 : after.end - 1]
            case _:
                raise self.text.error(
                    "wrong syntax of dwf",
                    command.start,
                    hint="Write (dwf name ((x Sort) …) ((y Sort) …) (relation x … y …)).",
                )
        bound = list(filter(None, map(bound_name, (*before.items, *after.items))))
        if len(set(bound)) != len(before.items) + len(after.items) or len(before.items) != len(after.items):
            raise self.text.error(
                "dwf relates as many variables before as after, all with different names",
                before.start,
                hint="Write (dwf name ((x Sort) …) ((y Sort) …) (relation x … y …)).",
            )
        prefix, suffix = (f"(assert (forall ({inner}) ", "))") if bound else ("(assert ", ")")
        self.script.add(command.start, end_of(relation), prefix=prefix, suffix=suffix, after=relation.start)

    def _obligation(self, command: Group, formula: Term, predicates: dict[str, Predicate]) -> WellFounded:
        constants: list[Term] = []
        if terms.is_forall(formula):
            constants = [terms.variable(name, sort) for name, sort in terms.bound_variables(formula)]
            formula = terms.open_quantifier(formula, constants)
        relation = terms.conjuncts(formula)
        if not all(terms.is_uninterpreted(part) and terms.name_of(part) in predicates for part in relation):
            raise self.text.error(
                "dwf takes a predicate or a conjunction of predicates",
                command.start,
                hint="Name the relation by a predicate of its own.",
            )
        name = command.items[1]
        return WellFounded(
            name.name if isinstance(name, sexpr.Atom) else "",
            tuple(constants[: len(constants) // 2]),
            tuple(constants[len(constants) // 2 :]),
            tuple(Atom(predicates[terms.name_of(p)], tuple(terms.children(p))) for p in relation),
            self.text.span(command.start, command.end),
        )
