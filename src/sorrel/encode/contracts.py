"""Summaries of predicates as contracts and invariants over the program's own variables, in the user's words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import islice

from sorrel.contracts.arranging import arranged
from sorrel.contracts.pointing import pointer_facts
from sorrel.contracts.reading import Dialect, read
from sorrel.contracts.syntax import Before, Condition
from sorrel.contracts.vocabulary import Vocabulary, vocabulary
from sorrel.contracts.writing import Inexpressible, Style, in_c
from sorrel.encode import tables, tidying
from sorrel.encode.conversions import with_conversions
from sorrel.encode.plan import PLAN
from sorrel.encode.points import Meaning, Moment, Place, Point
from sorrel.encode.readback import Readback
from sorrel.encode.semantics import Semantics
from sorrel.horn.clause import Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms, walk
from sorrel.logic.printing_c import c_syntax, speaks_of_elements
from sorrel.logic.quotients import has_quotients, without_signs
from sorrel.logic.terms import Term
from sorrel.model.contract_lines import laid_out
from sorrel.model.errors import NOWHERE, Span, complain
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.program import CONTRACT, Procedure, Program
from sorrel.program.shifts import shifted
from sorrel.program.types import Machine
from sorrel.smt.solver import Oracle

_KINDS = {Place.FUNCTION: ContractKind.FUNCTION, Place.LOOP: ContractKind.LOOP}
MOST_POINTER_FACTS, MOST_TRIED = 2, 40
WIDEST, LARGEST_TOLD = 100, 1 << 31
"""Characters of a row of a table, and numbers in it: larger ones are sizes of types, as a rule."""
_OF_BITS = re.compile(r"\d \* \(.*%")
"""Multiples of remainders: bits of a number, as clauses add and take them away, which nobody reads."""
WITHHELD = "withheld"
"""The count of conditions that were proved, but whose text was not found to say so."""


@dataclass(frozen=True, slots=True, eq=False)
class Told:
    """A contract, with the point it is about and what names mean there."""

    contract: ProgramContract
    point: Point
    known: Vocabulary


def contracts(
    program: Program,
    system: HornSystem,
    points: Mapping[str, Point],
    semantics: Semantics,
    summaries: Summaries,
    oracle: Oracle,
) -> tuple[Told, ...]:
    """For each procedure and each loop with a summary, in the order of the source; joins are nobody's business."""
    found: list[Told] = []
    does = effects(program)
    shorten = oracle.within(PLAN.tidying)
    shifts = shifted(program)
    for name, point in points.items():
        if name not in summaries or point.place not in _KINDS:
            continue
        procedure = program.procedure[point.procedure]
        place = CONTRACT if point.place is Place.FUNCTION else point.label
        known = vocabulary(program, procedure, place, does[point.procedure])
        if known is not None:
            span = _span(point, procedure, place)
            told = _Contract(system, point, span, known, semantics, summaries[name], shorten, oracle, shifts).result()
            found.append(Told(replace(told, assigns=_frame(procedure, place)), point, known))
    return tuple(sorted(found, key=_order))


def pointer_guesses(
    program: Program, system: HornSystem, points: Mapping[str, Point], semantics: Semantics, oracle: Oracle
) -> Mapping[str, list[Term]]:
    """What might be so of pointers that functions return, by predicate: to be proved before it is told."""
    found: dict[str, list[Term]] = {}
    does = effects(program)
    for name, point in points.items():
        procedure = program.procedure[point.procedure]
        known = vocabulary(program, procedure, CONTRACT, does[point.procedure])
        if point.place is not Place.FUNCTION or known is None:
            continue
        contract = _Contract(system, point, point.span, known, semantics, terms.TRUE, oracle, oracle)
        back = Readback(point, semantics, [], oracle)
        meant = (back.meant([text], known) for text in contract.pointer_texts())
        found[name] = [each for each in meant if each is not None]
    return found


def _order(told: Told) -> tuple[str, int, int]:
    span = told.contract.span
    return span.file, span.line, span.column


def _span(point: Point, procedure: Procedure, place: str) -> Span:
    scope = procedure.scopes.get(place) if procedure.scopes else None
    return scope.span if scope else point.span if point.span != NOWHERE else procedure.span


def _frame(procedure: Procedure, place: str) -> tuple[str, ...] | None:
    scope = procedure.scopes.get(place) if procedure.scopes else None
    return scope.frame if scope else None


def _inside(summary: Term, point: Point) -> Term:
    """What a summary of a product procedure says of runs that are all inside; others do nothing there."""
    arguments = zip(point.predicate.arguments, point.predicate.formals, strict=True)
    return terms.substitute(summary, [(formal, terms.TRUE) for a, formal in arguments if a.role is Role.ACTIVATION])


def _widely(place: str) -> str:
    return f"(long long){place}"


def _before(node: Condition) -> str:
    if not isinstance(node, Before):
        raise Inexpressible("what is not said of the past")
    return f"\\at({in_c(node.operand, Style(str))}, Old)"


class _Contract:
    """The contract of one point."""

    def __init__(
        self,
        system: HornSystem,
        point: Point,
        span: Span,
        known: Vocabulary,
        semantics: Semantics,
        summary: Term,
        shorten: Oracle,
        oracle: Oracle,
        shifts: frozenset[int] = frozenset(),
    ) -> None:
        self._system = system
        self._point = point
        self._span = span
        self._known = known
        self._semantics = semantics
        self._summary = _inside(summary, point)
        self._shorten = shorten
        self._oracle = oracle
        self._shifts = shifts
        self._arguments = list(zip(point.meanings, point.predicate.formals, strict=True))
        self._texts: dict[str, str] = {}
        self._unsigned: set[str] = set()
        self._passed: set[str] = set()
        for meaning, formal in self._arguments:
            text = _text(meaning, point, known)
            if text:
                self._texts[terms.name_of(formal)] = text
            if meaning.moment is Moment.ENTRY and point.place is Place.FUNCTION and text.isidentifier():
                self._passed.add(text)
            if meaning.variable and isinstance(meaning.variable.type, Machine) and not meaning.variable.type.signed:
                self._unsigned.add(terms.name_of(formal))

    def result(self) -> ProgramContract:
        point = self._point
        success = self._with_success(True)
        requires = self._requirements()
        written = self._written(self._tidied(success), self._texts)
        back = Readback(point, self._semantics, [success, *self._types()], self._oracle)
        plain = [text for text in arranged(written) if text not in requires and not _OF_BITS.search(text)]
        facts = [text for text in plain if self._survives(text, back)]
        kept = (*self._pointing(back), *facts)
        said = tuple(text for text in (self._in_c(text, back) for text in kept) if text)
        return ProgramContract(point.procedure, _KINDS[point.place], self._span, kept, requires, said)

    def _pointing(self, back: Readback) -> list[str]:
        """What is known of pointers, without what the rest of it implies."""
        found: list[str] = []
        said: list[Term] = []
        known = self._types()
        for text in self.pointer_texts():
            if len(found) > MOST_POINTER_FACTS or back.holds(text, Dialect.ACSL, self._known) is not True:
                continue
            meant = back.meant([text], self._known)
            if meant is None or self._oracle.entails(terms.conjunction([*known, *said]), meant, "pointers") is True:
                continue
            found.append(text)
            said.append(meant)
        # What comes first is implied by cases that come later, if they are all.
        for position in range(len(found) - 1, -1, -1):
            others = terms.conjunction([*known, *said[:position], *said[position + 1 :]])
            if self._oracle.entails(others, said[position], "pointers") is True:
                del found[position], said[position]
        return found[:MOST_POINTER_FACTS]

    def pointer_texts(self) -> Iterator[str]:
        """What might be said of pointers, true or not."""
        inputs = [f for m, f in self._arguments if m.moment is Moment.ENTRY]
        decided = tidying.conditions(self._system, self._point.predicate, inputs)[: tidying.MOST_CONDITIONS]
        cases = self._written([part for each in decided for part in (each, terms.negation(each))], self._texts)
        return islice(pointer_facts(self._known, cases), MOST_TRIED)

    def _in_c(self, text: str, back: Readback) -> str:
        """The condition as an expression of C that has a value, and is true: as it stands, or with wider numbers."""
        for style in (
            Style(self._at_entry, before=_before),
            Style(lambda place: _widely(self._at_entry(place)), before=lambda node: _widely(_before(node))),
        ):
            try:
                written = in_c(read(text, Dialect.ACSL), style)
            except Inexpressible:
                return ""
            if back.holds(written, Dialect.C, self._known):
                return written
        return ""

    def _at_entry(self, place: str) -> str:
        """A parameter in a contract is what was passed, whatever the function did to it: witnesses have to say so."""
        return f"\\at({place}, Old)" if place in self._passed else place

    def _survives(self, text: str, back: Readback) -> bool:
        answer = back.holds(text, Dialect.ACSL, self._known)
        if answer is not True:
            counts = self._oracle.statistics.counts
            counts[WITHHELD] = counts.get(WITHHELD, 0) + 1
        if answer is False:
            complain(f"{self._point.predicate.name}: {text} is told, which is not what was proved", self._span)
        return answer is True

    def _with_success(self, value: bool) -> Term:
        """What the summary says if no assertion fails, or if one does."""
        ok = [formal for meaning, formal in self._arguments if meaning.moment is Moment.OK]
        return terms.substitute(self._summary, [(formal, operations.truth(value)) for formal in ok])

    def _types(self) -> list[Term]:
        """The ranges that the user knows from the declarations."""
        return [
            fact
            for meaning, formal in self._arguments
            if meaning.variable
            for fact in tidying.type_range(formal, meaning.variable.type)
        ]

    def _tidied(self, formula: Term) -> list[Term]:
        outputs = [f for m, f in self._arguments if m.moment is not Moment.ENTRY and m.variable]
        inputs = [f for m, f in self._arguments if m.moment is Moment.ENTRY]
        conditions = tidying.conditions(self._system, self._point.predicate, inputs)
        parts = terms.conjuncts(formula)
        told = (
            tables.in_words(self._converted(p), self._types(), inputs, self._shorten)
            for p in parts
            if tables.is_table(p)
        )
        plain = [part for part in parts if not tables.is_table(part)]
        formula = terms.conjunction([*filter(self._is_readable, told), *plain])
        return tidying.tidy(formula, self._types(), inputs, outputs, conditions, self._shorten)

    def _converted(self, table: Term) -> Term:
        output = terms.children(table)[0]
        of_output = (m.variable for m, formal in self._arguments if m.variable and terms.same(formal, output))
        types = [each.type for each in of_output]
        return with_conversions(table, types[0], self._types(), self._shorten) if types else table

    def _is_readable(self, table: Term) -> bool:
        """Whether a person reads it: each row in a line, and nothing of how machines wrap numbers."""
        texts = self._written([table], self._texts)
        numbers = (int(number) for text in texts for number in re.findall(r"\b[0-9]+\b", text))
        # What is told of a truth has no value that could be wrapped; one that is always so is no equation any more.
        is_number = terms.is_equation(table) and terms.is_integer(table.arg(0))
        wrapped = is_number and max(numbers, default=0) >= LARGEST_TOLD
        lines = (line for text in texts for line in laid_out(text))
        # C's remainder of what may be negative takes two of them.
        return (
            not wrapped and not any(") % " in text for text in texts) and 0 < max(map(len, lines), default=0) <= WIDEST
        )

    def _requirements(self) -> tuple[str, ...]:
        """Conditions on the inputs under which no assertion fails: the negation of what a failure implies of them."""
        if not any(meaning.moment is Moment.OK for meaning, _ in self._arguments):
            return ()
        inputs = [f for m, f in self._arguments if m.moment is Moment.ENTRY]
        allowed = {terms.identity(f) for f in inputs}
        failure = self._with_success(False)
        failing = terms.conjuncts(terms.simplify(failure))
        about_inputs = [p for p in failing if all(terms.identity(v) in allowed for v in walk.free_variables(p))]
        if any(terms.is_false(part) for part in failing) or not about_inputs:
            return ()
        needed = terms.simplify(terms.negation(terms.conjunction(about_inputs)))
        at_entry = {
            terms.name_of(formal): name
            for meaning, formal in self._arguments
            if meaning.moment is Moment.ENTRY
            and meaning.variable
            and (name := self._known.text_before(meaning.variable))
        }
        tidied = tidying.tidy(needed, self._types(), inputs, [], [], self._shorten)
        written = self._written(tidied, at_entry)
        back = Readback(self._point, self._semantics, [failure, *self._types()], self._oracle)
        # A part of what is needed is not enough.
        whole = len(written) == len(tidied) and back.contradicts(written, self._known.at_entry)
        return arranged(written) if whole else ()

    def _written(self, conjuncts: list[Term], known: Mapping[str, str]) -> tuple[str, ...]:
        """In C, without what speaks of variables that the user does not know, or of whole arrays."""
        return tuple(
            self._text_of(part, known)
            for part in conjuncts
            if all(terms.name_of(v) in known for v in walk.free_variables(part))
            and speaks_of_elements(part, known, self._initial(known))
        )

    def _text_of(self, part: Term, known: Mapping[str, str]) -> str:
        """With C's quotients where these say the same."""
        unsigned = frozenset(self._unsigned)
        text = c_syntax(part, known, unsigned=unsigned, shifts=self._shifts)
        if known is not self._texts or not has_quotients(part):
            return text
        plain = c_syntax(without_signs(part), known, unsigned=unsigned, shifts=self._shifts, truncating=True)
        return plain if plain != text and self._says_the_same(plain, part) else text

    def _says_the_same(self, text: str, part: Term) -> bool:
        back = Readback(self._point, self._semantics, [*self._types(), part], self._shorten)
        meant = back.meant([text], self._known)
        if meant is None or back.holds(text, Dialect.ACSL, self._known) is not True:
            return False
        return self._shorten.entails(terms.conjunction([*self._types(), meant]), part, "read back") is True

    def _initial(self, known: Mapping[str, str]) -> frozenset[str]:
        """The arguments whose text is their value at the entry, inside and outside of what says that it is."""
        names = {terms.name_of(f) for m, f in self._arguments if m.moment is Moment.ENTRY}
        return frozenset(name for name in names & known.keys() if not known[name].startswith("\\"))


def _text(meaning: Meaning, point: Point, known: Vocabulary) -> str:
    """How the user writes the value; nothing if there is no way to."""
    variable = meaning.variable
    if variable is None:
        return ""
    if meaning.moment is not Moment.ENTRY:
        return known.text_now(variable)
    if meaning.unchanged and (now := known.text_now(variable)):
        return now
    before = known.text_before(variable)
    if point.place is not Place.FUNCTION:
        return f"\\at({before}, Pre)" if before else ""
    # A parameter is its value at the entry, whatever becomes of it.
    implied = before not in known.now or variable.name in known.steady
    return before if implied or not before else f"\\old({before})"
