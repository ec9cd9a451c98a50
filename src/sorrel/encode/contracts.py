"""Summaries of predicates as contracts and invariants over the program's own variables, in the user's words."""

from __future__ import annotations

from collections.abc import Mapping

from sorrel.encode import tidying
from sorrel.encode.points import Meaning, Moment, Place, Point
from sorrel.errors import NOWHERE
from sorrel.horn.clause import Role
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms, walk
from sorrel.logic.printing_c import c_syntax
from sorrel.logic.terms import Term
from sorrel.outcome import ContractKind, ProgramContract
from sorrel.program.expression import Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.types import Machine
from sorrel.smt.solver import Oracle

_KINDS = {Place.FUNCTION: ContractKind.FUNCTION, Place.LOOP: ContractKind.LOOP}


def contracts(
    program: Program,
    system: HornSystem,
    points: Mapping[str, Point],
    summaries: Summaries,
    oracle: Oracle,
) -> tuple[ProgramContract, ...]:
    """For each procedure and each loop with a summary, in the order of the source; joins are nobody's business."""
    found = [
        _Contract(program, system, point, summaries[name], oracle).result()
        for name, point in points.items()
        if name in summaries and point.place in _KINDS
    ]
    return tuple(sorted(found, key=lambda contract: (contract.span.file, contract.span.line, contract.span.column)))


def _inside(summary: Term, point: Point) -> Term:
    """What a summary of a product procedure says of runs that are all inside; others do nothing there."""
    arguments = zip(point.predicate.arguments, point.predicate.formals, strict=True)
    return terms.substitute(summary, [(formal, terms.TRUE) for a, formal in arguments if a.role is Role.ACTIVATION])


class _Contract:
    """The contract of one point."""

    def __init__(self, program: Program, system: HornSystem, point: Point, summary: Term, oracle: Oracle) -> None:
        self._system = system
        self._point = point
        self._summary = _inside(summary, point)
        self._oracle = oracle
        self._procedure = program.procedure[point.procedure]
        self._arguments = list(zip(point.meanings, point.predicate.formals, strict=True))
        self._texts: dict[str, str] = {}
        self._unsigned: set[str] = set()
        for meaning, formal in self._arguments:
            text = _text(meaning, point, self._procedure)
            if text:
                self._texts[terms.name_of(formal)] = text
            if meaning.variable and isinstance(meaning.variable.type, Machine) and not meaning.variable.type.signed:
                self._unsigned.add(terms.name_of(formal))

    def result(self) -> ProgramContract:
        point = self._point
        kept = self._tidied(self._with_success(True))
        return ProgramContract(
            point.procedure,
            _KINDS[point.place],
            point.span if point.span != NOWHERE else self._procedure.span,
            self._written(kept, self._texts),
            self._requirements(),
        )

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
        return tidying.tidy(formula, self._types(), inputs, outputs, conditions, self._oracle)

    def _requirements(self) -> tuple[str, ...]:
        """Conditions on the inputs under which no assertion fails: the negation of what a failure implies of them."""
        if not any(meaning.moment is Moment.OK for meaning, _ in self._arguments):
            return ()
        inputs = [f for m, f in self._arguments if m.moment is Moment.ENTRY]
        allowed = {terms.identity(f) for f in inputs}
        failing = terms.conjuncts(terms.simplify(self._with_success(False)))
        about_inputs = [p for p in failing if all(terms.identity(v) in allowed for v in walk.free_variables(p))]
        if any(terms.is_false(part) for part in failing) or not about_inputs:
            return ()
        needed = terms.simplify(terms.negation(terms.conjunction(about_inputs)))
        at_entry = {
            terms.name_of(formal): name
            for meaning, formal in self._arguments
            if meaning.variable and (name := _user_name(meaning.variable, self._procedure))
        }
        return self._written(tidying.tidy(needed, self._types(), inputs, [], [], self._oracle), at_entry)

    def _written(self, conjuncts: list[Term], known: Mapping[str, str]) -> tuple[str, ...]:
        """In C, without what speaks of variables that the user does not know."""
        return tuple(
            c_syntax(part, known, unsigned=frozenset(self._unsigned))
            for part in conjuncts
            if all(terms.name_of(v) in known for v in walk.free_variables(part))
        )


def _text(meaning: Meaning, point: Point, procedure: Procedure) -> str:
    """How the user writes the value; nothing if there is no way to."""
    variable = meaning.variable
    if variable is None:
        return ""
    name = _user_name(variable, procedure)
    if meaning.moment is Moment.EXIT and not meaning.is_global:
        is_result = variable == procedure.outputs[0] and variable.name not in procedure.source_names
        return "\\result" if is_result else name
    if not name or meaning.moment is not Moment.ENTRY or meaning.unchanged:
        return name
    if point.place is Place.FUNCTION:
        changed = any(m.moment is Moment.EXIT and m.variable == variable for m in point.meanings)
        return f"\\old({name})" if changed else name
    return f"\\at({name}, Pre)"


def _user_name(variable: Variable, procedure: Procedure) -> str:
    """Names with a dot are ours, unless the front end says what they are in the source."""
    own = "" if "." in variable.name else variable.name
    return procedure.source_names.get(variable.name, own)
