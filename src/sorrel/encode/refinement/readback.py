"""Types that are told, read back: conditions from their text, against what the certificate proves.

What is promised is believed only if the summary implies it. What is demanded must imply the summary: a type that
demands less than the proof does is not told.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import field, replace

from sorrel.encode.refinement.arithmetic import arithmetic, comparison
from sorrel.encode.refinement.conversion import Conversion
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import (
    Built,
    FunctionRefinement,
    Held,
    Path,
    Refinement,
    Scalar,
    Several,
    Value,
    number,
    truth,
)
from sorrel.functional.operator import ARITHMETIC, COMPARISONS, Operator
from sorrel.functional.refined import Refined, RefinedFunction, RefinedValue
from sorrel.functional.syntax import Application, Conditional, Expression, FieldOf, Literal, Name
from sorrel.functional.type import TupleType
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError, InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

_OPERATORS = {each.value: each for each in (*ARITHMETIC, *COMPARISONS)}
_LENGTHS = (("List", "length"), ("Array", "length"), ("String", "length"))


class _Refused(Exception):
    """The type says something that was not proved."""


@dataclass(frozen=True, slots=True, eq=False)
class _Known:
    """Where conditions are read: what names mean, and what holds."""

    values: Mapping[str, Value] = field(default_factory=dict)
    facts: tuple[Term, ...] = ()

    def naming(self, names: Mapping[str, Value]) -> _Known:
        return replace(self, values={**self.values, **{name: value for name, value in names.items() if name}})

    def knowing(self, *facts: Term) -> _Known:
        return replace(self, facts=(*self.facts, *facts))


class Readback:
    """`read` makes an expression of the text of a condition."""

    def __init__(self, shapes: Shapes, summaries: Summaries, oracle: Oracle, read: Callable[[str], Expression]) -> None:
        self._shapes = shapes
        self._conversion = Conversion(shapes)
        self._summaries = summaries
        self._oracle = oracle
        self._read = read

    def surviving(self, function: FunctionRefinement, told: Refined) -> RefinedFunction | None:
        """The type without promises that do not follow; None if it demands too little, or is another one's."""
        if not isinstance(told, RefinedFunction):
            return None
        try:
            return self._function(function, told, _Known(), promised=True)
        except _Refused:
            return None

    def _function(
        self, function: FunctionRefinement, told: RefinedFunction, known: _Known, *, promised: bool
    ) -> RefinedFunction:
        if len(told.parameters) != len(function.parameters):
            raise _Refused
        takes = function.takes
        taken = self._conversion.value_of(takes.type, list(takes.own), takes.inner)
        if not isinstance(taken, Several):
            raise InternalError("arguments are a tuple")
        names = [part.name if isinstance(part, RefinedValue) else "" for part in told.parameters]
        inside = known.naming(dict(zip(names, taken.items, strict=False)))
        inside = inside.knowing(*self._shapes.facts(takes.type, list(takes.own)))
        texts = [text for part in told.parameters if isinstance(part, RefinedValue) for text in part.conditions]
        kept = self._kept(texts, takes, inside, promised=not promised)
        inside = inside.knowing(self._summary(takes))
        parameters = tuple(
            self._part(part, kept, _below(takes.inner, position), inside, promised=not promised)
            for position, part in enumerate(told.parameters)
        )
        return RefinedFunction(parameters, self._result(function, told.result, inside, promised=promised))

    def _result(self, function: FunctionRefinement, told: Refined, known: _Known, *, promised: bool) -> Refined:
        gives = function.gives
        given = self._conversion.value_of(gives.type, list(gives.own), gives.inner)
        inner = gives.inner
        if function.cells:
            if not isinstance(given, Several):
                raise InternalError("results without the contents of references")
            given, inner = given.items[0], _below(gives.inner, 0)
        here = known.naming({told.name: given} if isinstance(told, RefinedValue) else {})
        here = here.knowing(*self._shapes.facts(gives.type, list(gives.own)))
        texts = told.conditions if isinstance(told, RefinedValue) else ()
        kept = self._kept(texts, gives, here, promised=promised)
        return self._part(told, kept, inner, here.knowing(self._summary(gives)), promised=promised)

    def _part(
        self, told: Refined, kept: list[str], inner: Mapping[Path, Held], known: _Known, *, promised: bool
    ) -> Refined:
        if isinstance(told, RefinedFunction):
            held = inner.get(())
            if not isinstance(held, FunctionRefinement):
                raise _Refused
            return self._function(held, told, known, promised=promised)
        held = inner.get(("::",)) or inner.get(("elements",))
        element = told.element
        if element is not None:
            if not isinstance(held, Refinement):
                raise _Refused
            element = self._element(element, held, known, promised=promised)
        elif held is not None and not promised and isinstance(held, Refinement):
            self._kept((), held, known.knowing(*self._shapes.facts(held.type, list(held.own))), promised=False)
        return replace(told, conditions=tuple(text for text in told.conditions if text in kept), element=element)

    def _element(self, told: RefinedValue, held: Refinement, known: _Known, *, promised: bool) -> RefinedValue | None:
        value = self._conversion.value_of(held.type, list(held.own), held.inner)
        if isinstance(value, Several) and isinstance(held.type, TupleType) and len(held.type.items) == 1:
            value = value.items[0]  # the parts of a constructor of lists, which has but one
        here = known.naming({told.name: value}).knowing(*self._shapes.facts(held.type, list(held.own)))
        kept = self._kept(told.conditions, held, here, promised=promised)
        return replace(told, conditions=tuple(kept)) if kept else None

    # Conditions against summaries

    def _kept(
        self, texts: tuple[str, ...] | list[str], held: Refinement, known: _Known, *, promised: bool
    ) -> list[str]:
        summary = self._summary(held)
        if promised:
            return [text for text in texts if self._follows([*known.facts, summary], self._meaning(text, known))]
        meanings = [self._meaning(text, known) for text in texts]
        said = [each for each in meanings if each is not None]
        if len(said) != len(meanings) or not self._follows([*known.facts, *said], summary):
            raise _Refused
        return list(texts)

    def _follows(self, premises: list[Term], conclusion: Term | None) -> bool:
        if conclusion is None or terms.is_true(conclusion):
            return conclusion is not None
        return self._oracle.entails(terms.conjunction(premises), conclusion, "read back") is True

    def _summary(self, held: Refinement) -> Term:
        found = self._summaries.get(held.predicate.name, terms.TRUE)
        pairs = list(zip(held.predicate.formals, [*held.scope, *held.own], strict=True))
        return terms.substitute(found, pairs)

    # The meaning of conditions

    def _meaning(self, text: str, known: _Known) -> Term | None:
        """What the text says; None if that is not known."""
        try:
            return truth(self._value(self._read(text), known.values))
        except (InputError, InternalError):
            return None

    def _value(self, expression: Expression, values: Mapping[str, Value]) -> Value:
        match expression:
            case Literal(bool(value)):
                return Scalar(operations.truth(value))
            case Literal(int(value)):
                return Scalar(terms.integer(value))
            case Name((name,)) if name in values:
                return values[name]
            case Conditional(condition, then, otherwise) if otherwise is not None:
                parts = [truth(self._value(part, values)) for part in (condition, then, otherwise)]
                return Scalar(operations.ite(parts[0], parts[1], parts[2]))
            case FieldOf(record, (field_name,)):
                return self._field(self._value(record, values), field_name)
            case Application(Name(path), arguments):
                return self._applied(path, [self._value(each, values) for each in arguments])
            case _:
                raise InputError("a condition of an unknown form")

    def _field(self, record: Value, name: str) -> Value:
        if isinstance(record, Built):
            fields = self._shapes.declaration(record.type).constructors[0].fields
            if name in fields:
                return record.arguments[fields.index(name)]
        raise InputError(f"there is no field {name}")

    def _applied(self, path: tuple[str, ...], values: list[Value]) -> Value:
        if path in _LENGTHS and len(values) == 1:
            return Scalar(_length(values[0]))
        if path in (("fst",), ("snd",)) and isinstance(values[0], Several):
            return values[0].items[path == ("snd",)]
        if path == ("not",):
            return Scalar(terms.negation(truth(values[0])))
        if path in (("&&",), ("||",)):
            made = terms.conjunction if path == ("&&",) else terms.disjunction
            return Scalar(made(truth(value) for value in values))
        operator = _OPERATORS.get(path[-1]) if len(path) == 1 else None
        if operator is None:
            raise InputError(f"a condition with {'.'.join(path)}")
        given = [number(value) for value in values]
        if operator in COMPARISONS:
            return Scalar(comparison(operator, given[0], given[1]))
        if operator in (Operator.DIVIDE, Operator.REMAINDER) and not operations.literal(given[1]):
            raise InputError("a condition that divides by what may be zero")
        return Scalar(arithmetic(operator, given))


def _length(value: Value) -> Term:
    found = getattr(value, "size", None)
    if found is None:
        found = getattr(value, "length", None)
    if found is None:
        raise InputError("the length of what has none")
    return found  # type: ignore[no-any-return]


def _below(inner: Mapping[Path, Held], position: int) -> dict[Path, Held]:
    return {path[1:]: held for path, held in inner.items() if path and path[0] == position}
