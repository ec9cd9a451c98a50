"""Operations on numbers, truth values, texts and anything that can be compared: what their results are."""

from __future__ import annotations

from sorrel.encode.refinement.arithmetic import arithmetic, comparison, quotient_facts, remainder_facts
from sorrel.encode.refinement.clauses import Clauses
from sorrel.encode.refinement.conversion import ONE, ZERO, Conversion
from sorrel.encode.refinement.equality import equality
from sorrel.encode.refinement.refinements import Refinements
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Then, Trail
from sorrel.encode.refinement.values import Anything, Environment, Nothing, Scalar, Text, Value, number, truth
from sorrel.functional.execution import Kind
from sorrel.functional.operator import ARITHMETIC, BITWISE, COMPARISONS, Operator
from sorrel.functional.term import Constant, If, Operation, Term, Variable
from sorrel.functional.type import INT, Named
from sorrel.functional.value import LARGEST, SMALLEST
from sorrel.logic import operations, terms
from sorrel.logic.terms import Term as Formula
from sorrel.model.errors import InternalError, Span, Unsupported


class Operations:
    def __init__(self, clauses: Clauses, shapes: Shapes, conversion: Conversion, refinements: Refinements) -> None:
        self._clauses = clauses
        self._shapes = shapes
        self._conversion = conversion
        self._refinements = refinements

    def of(self, term: Operation, values: tuple[Value, ...], trail: Trail, then: Then) -> None:
        operator = term.operator
        if operator in ARITHMETIC:
            self._arithmetic(term, values, trail, then)
        elif operator in COMPARISONS:
            self._comparison(term, values, trail, then)
        elif operator is Operator.NOT:
            then(Scalar(terms.negation(truth(values[0]))), trail)
        elif operator in BITWISE:
            value, here = self._refinements.fresh(Anything(INT), trail, "bits")
            then(value, here)
        elif operator is Operator.EXIT:
            return
        elif operator is Operator.SHOW:
            then(Nothing(), trail)
        elif operator is Operator.CODE:
            then(values[0], trail)
        else:
            self._text(operator, values, trail, term.span, then)

    def simple(self, term: Term, at: Environment) -> Formula | None:
        """The term of an expression that does nothing but compute; None for any other."""
        match term:
            case Constant(value) if isinstance(value, int):
                return operations.truth(value) if isinstance(value, bool) else terms.integer(value)
            case Variable(name):
                found_value = at[name]
                return found_value.term if isinstance(found_value, Scalar) else None
            case If(condition, then, otherwise):
                parts = [self.simple(part, at) for part in (condition, then, otherwise)]
                found = [part for part in parts if part is not None]
                return operations.ite(found[0], found[1], found[2]) if len(found) == 3 else None
            case Operation(operator, arguments) if _only_computes(operator, self._clauses.forbidden):
                values = [self.simple(argument, at) for argument in arguments]
                known = [value for value in values if value is not None]
                if len(known) != len(values):
                    return None
                if operator is Operator.NOT:
                    return terms.negation(known[0])
                if operator in COMPARISONS:
                    return comparison(operator, known[0], known[1])
                return arithmetic(operator, known)
            case _:
                return None

    def _arithmetic(self, term: Operation, values: tuple[Value, ...], trail: Trail, then: Then) -> None:
        given = [number(value) for value in values]
        if term.operator in (Operator.DIVIDE, Operator.REMAINDER):
            by_zero = operations.equal(given[1], ZERO)
            self._clauses.must(terms.negation(by_zero), Kind.DIVISION, trail, term.span, "Division_by_zero")
            here = trail.knowing(terms.negation(by_zero))
            if here is None:
                return
            trail = here
            if operations.literal(given[1]) is None:
                self._divided(term, given, trail, then)
                return
        result = arithmetic(term.operator, given)
        if Kind.OVERFLOW in self._clauses.forbidden and term.operator not in (Operator.COUNT_UP, Operator.COUNT_DOWN):
            self._clauses.add(None, trail, term.span, terms.negation(fits(result)))
            after = trail.knowing(fits(result))
            if after is None:
                return
            trail = after
        then(Scalar(result), trail)

    def _divided(self, term: Operation, given: list[Formula], trail: Trail, then: Then) -> None:
        """By something that is no number in the text: what is linear about the result."""
        left, right = given
        if Kind.OVERFLOW in self._clauses.forbidden and term.operator is Operator.DIVIDE:
            sides = (left, terms.integer(SMALLEST)), (right, terms.integer(-1))
            too_large = terms.conjunction(operations.equal(one, other) for one, other in sides)
            self._clauses.add(None, trail, term.span, too_large)
            after = trail.knowing(terms.negation(too_large))
            if after is None:
                return
            trail = after
        value, here = self._refinements.fresh(Anything(INT), trail, "divided")
        result = number(value)
        facts = remainder_facts if term.operator is Operator.REMAINDER else quotient_facts
        then(value, here.after(facts=facts(left, right, result)))

    def _comparison(self, term: Operation, values: tuple[Value, ...], trail: Trail, then: Then) -> None:
        left, right = values
        type = term.arguments[0].type
        if isinstance(left, Scalar) and isinstance(right, Scalar):
            then(Scalar(comparison(term.operator, left.term, right.term)), trail)
            return
        if term.operator in (Operator.EQUAL, Operator.DIFFERENT):
            found, exact = equality(self._conversion, self._shapes, left, right, type)
            if exact:
                result = found if term.operator is Operator.EQUAL else terms.negation(found)
                then(Scalar(result), trail)
                return
            value, here = self._refinements.fresh(Anything(Named("bool")), trail, "equal")
            same = truth(value)
            fact = operations.implies(same, found)
            result = same if term.operator is Operator.EQUAL else terms.negation(same)
            then(Scalar(result), here.after(facts=[fact]))
            return
        value, here = self._refinements.fresh(Anything(Named("bool")), trail, "compared")
        then(value, here)

    def _text(self, operator: Operator, values: tuple[Value, ...], trail: Trail, span: Span, then: Then) -> None:
        match operator, values:
            case Operator.TEXT_LENGTH, (Text(length),):
                then(Scalar(length), trail)
            case Operator.TEXT_JOIN, (Text(first, one), Text(second, two)):
                known = one + two if one is not None and two is not None else None
                then(Text(operations.add(first, second), known), trail)
            case Operator.TEXT_OF_NUMBER, _:
                value, here = self._refinements.fresh(Anything(Named("string")), trail, "text")
                if not isinstance(value, Text):
                    raise InternalError("a text is expected")
                then(value, here.after(facts=[operations.at_most(ONE, value.length)]))
            case Operator.TEXT_GET, (Text(length), index):
                inside = within(number(index), length)
                self._clauses.must(inside, Kind.BOUNDS, trail, span, "Invalid_argument", "index out of bounds")
                after = trail.knowing(inside)
                if after is not None:
                    value, here = self._refinements.fresh(Anything(Named("char")), after, "character")
                    then(value, here)
            case _:
                raise Unsupported(f"{operator.value}", span)


def _only_computes(operator: Operator, forbidden: frozenset[Kind]) -> bool:
    """Whether the operation has a term and does nothing else."""
    if operator in COMPARISONS or operator is Operator.NOT:
        return True
    simple = operator in ARITHMETIC and operator not in (Operator.DIVIDE, Operator.REMAINDER)
    return simple and Kind.OVERFLOW not in forbidden


def fits(term: Formula) -> Formula:
    """Whether a number fits into 63 bits."""
    return terms.conjunction(
        [operations.at_most(terms.integer(SMALLEST), term), operations.at_most(term, terms.integer(LARGEST))]
    )


def within(index: Formula, length: Formula) -> Formula:
    return terms.conjunction([operations.at_most(ZERO, index), operations.less(index, length)])
