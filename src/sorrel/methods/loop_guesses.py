"""Guesses about a loop that is not written out: what all states that were seen have in common.

Plain ones are bounds and comparisons; the others are clauses, which say something under a condition, sums and counts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import combinations, islice, product
from operator import eq, ge, gt, le, lt

from sorrel.methods.loop_terms import Row, Seen, Term, as_integer, compared, counted
from sorrel.program.cutting import Fact
from sorrel.program.expression import Binary, Constant, Expression, Operator, Select, Unary, UnaryOperator
from sorrel.program.types import BOOLEAN, UNBOUNDED, Machine

NEAREST = 3
"""So many numbers next to those seen are guessed to be bounds, on either side."""
MOST_PAIRS, MOST_CLAUSES, MOST_SUMS = 150, 240, 80
MOST_GUARDS, MOST_IN_ROW = 12, 64
"""Conditions for one row of elements, and how many elements a row has that is looked at under conditions."""
RARELY = 4
"""What was seen less often under a condition says nothing."""
FEW_VALUES = 6
_HOLDS: dict[Operator, Callable[[int, int], bool]] = {
    Operator.EQUAL: eq,
    Operator.LESS: lt,
    Operator.AT_MOST: le,
    Operator.MORE: gt,
    Operator.AT_LEAST: ge,
}


def plain_guesses(seen: Seen) -> Iterator[Fact]:
    """Bounds of numbers and of elements, comparisons of numbers, and of elements with numbers."""
    for term in seen.changed:
        for operator, number in _bounds(term, term.seen, seen, NEAREST):
            yield (compared(operator, term.expression, number),)
    for row in seen.rows:
        yield from _elements(row, seen)
    pairs = combinations([*seen.changed, *seen.beside], 2)
    alike = [(x, y) for x, y in pairs if x.type == y.type and (x in seen.changed or y in seen.changed)]
    for left, right in alike[:MOST_PAIRS]:
        relation = _relation(left.seen, right.seen)
        if relation is not None:
            yield (Binary(relation, left.expression, right.expression, BOOLEAN),)


def sum_guesses(seen: Seen) -> Iterator[Fact]:
    """Sums, those of single numbers before counts: they say much, and what needs no count is shown sooner."""
    return islice(_distinct(_sums(seen)), MOST_SUMS)


def further_guesses(seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    """Clauses and few values. What is `kept` already is not said again under a condition."""
    clauses = list(islice(_distinct(_flagged(seen, kept)), MOST_CLAUSES))
    rows = list(islice(_distinct(_in_rows(seen, kept)), MOST_CLAUSES))
    yield from _distinct(iter([*_values(seen), *_pointed(seen, kept), *rows, *clauses]))


def _distinct(facts: Iterator[Fact]) -> Iterator[Fact]:
    told: set[Fact] = set()
    for fact in facts:
        if fact not in told:
            told.add(fact)
            yield fact


# Bounds and comparisons


def _bounds(term: Term, values: tuple[int, ...], seen: Seen, most: int) -> Iterator[tuple[Operator, int]]:
    """The nearest numbers around what was seen that say more than the type does, and those that it is compared with."""
    low, high = min(values), max(values)
    type, numbers = term.type, seen.numbers
    least, greatest = (type.smallest, type.largest) if isinstance(type, Machine) else (numbers[0] - 1, numbers[-1] + 1)
    below = [each for each in numbers if least < each <= low]
    above = [each for each in numbers if high <= each < greatest]
    for number in [*(each for each in below[:-most] if each in term.limits), *below[-most:]]:
        yield Operator.AT_LEAST, number
    for number in [*above[:most], *(each for each in above[most:] if each in term.limits)]:
        yield Operator.AT_MOST, number


def _elements(row: Row, seen: Seen) -> Iterator[Fact]:
    values = tuple(value for each in row.elements for value in each.seen)
    for operator, number in _bounds(row.elements[0], values, seen, NEAREST - 1):
        yield tuple(compared(operator, each.expression, number) for each in row.elements)
    for term in seen.changed:
        if term.type != row.type:
            continue
        for operator in (Operator.AT_MOST, Operator.AT_LEAST):
            holds = _HOLDS[operator]
            if all(holds(x, y) for each in row.elements for x, y in zip(each.seen, term.seen, strict=True)):
                yield tuple(compared(operator, each.expression, term.expression) for each in row.elements)


def _relation(left: tuple[int, ...], right: tuple[int, ...]) -> Operator | None:
    """The strongest one that holds of all pairs."""
    for operator in (Operator.EQUAL, Operator.LESS, Operator.MORE, Operator.AT_MOST, Operator.AT_LEAST):
        if all(map(_HOLDS[operator], left, right)):
            return operator
    return None


# Clauses


def _clause(guard: Term, body: Expression) -> Expression:
    return Binary(Operator.IMPLIES, guard.expression, body, BOOLEAN)


def _under(guard: Term, values: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(value for value, holds in zip(values, guard.seen, strict=True) if holds)


def _condition(operator: Operator, term: Term, number: int) -> Term:
    if operator is Operator.DIFFERENT:
        return Term(compared(operator, term.expression, number), tuple(int(value != number) for value in term.seen))
    return Term(
        compared(operator, term.expression, number), tuple(int(_HOLDS[operator](value, number)) for value in term.seen)
    )


def _denied(term: Term) -> Term:
    return Term(Unary(UnaryOperator.NOT, term.expression, BOOLEAN), tuple(1 - value for value in term.seen))


def _flagged(seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    """What is known of numbers where another one has a certain value, or a flag is set."""
    guards = [(truth, guard) for truth in seen.truths for guard in (truth, _denied(truth))]
    for term in seen.changed:
        values = sorted(term.cases.intersection(term.seen))
        guards += [(term, _condition(Operator.EQUAL, term, value)) for value in values]
        if len(set(term.seen)) > 2:
            guards += [(term, _condition(Operator.DIFFERENT, term, value)) for value in values]
    for about, guard in guards:
        if sum(guard.seen) < RARELY:
            continue
        others = [term for term in seen.changed if term is not about]
        for term in others:
            yield from _bounded_under(guard, term, seen, kept)
        for left, right in combinations(others, 2):
            if left.type == right.type:
                operator = _relation(_under(guard, left.seen), _under(guard, right.seen))
                if operator is not None and operator is not _relation(left.seen, right.seen):
                    yield (_clause(guard, Binary(operator, left.expression, right.expression, BOOLEAN)),)


def _bounded_under(guard: Term, term: Term, seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    here = _under(guard, term.seen)
    for operator, number in _bounds(term, here, seen, 1):
        body = compared(operator, term.expression, number)
        if body not in kept:
            yield (_clause(guard, body),)


def _in_rows(seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    """What is known of elements that are in use, by a count or by what stands in another array at the same index."""
    sizes = sorted({len(row.elements) for row in seen.rows if len(row.elements) <= MOST_IN_ROW})
    for size in sizes:
        rows = [row for row in seen.rows if len(row.elements) == size]
        for guards in _row_guards(rows, size, seen):
            if sum(sum(guard.seen) for guard in guards) < RARELY:
                continue
            for row in rows:
                yield from _row_under(guards, row, seen, kept)
            for left, right in combinations(rows, 2):
                if left.type == right.type:
                    yield from _compared_under(guards, left.elements, right.elements)
            for row in rows:
                for term in seen.changed:
                    if term.type == row.type:
                        yield from _compared_under(guards, row.elements, (term,) * size)
        for row, other in product(rows, repeat=2):
            if row.type == other.type:
                yield from _neighbours(row, other, size, seen)


def _row_guards(rows: list[Row], size: int, seen: Seen) -> Iterator[tuple[Term, ...]]:
    """For each index a condition: it is below a number, or not; an element there has some value, or not."""
    for term in (*seen.changed, *seen.beside):
        if min(term.seen) >= 0 and 0 < max(term.seen) <= size:
            yield tuple(_condition(Operator.MORE, term, index) for index in range(size))
            yield tuple(_condition(Operator.AT_MOST, term, index) for index in range(size))
    for row in rows:
        yield from _element_guards(row)


def _element_guards(row: Row) -> Iterator[tuple[Term, ...]]:
    values = {value for each in row.elements for value in each.seen}
    told = sorted(values.intersection({0, -1} | row.elements[0].cases))[:FEW_VALUES]
    if len(values) > 1:
        for value in told:
            yield tuple(_condition(Operator.DIFFERENT, each, value) for each in row.elements)
            yield tuple(_condition(Operator.EQUAL, each, value) for each in row.elements)
        if min(values) < 0 < max(values):
            yield tuple(_condition(Operator.MORE, each, 0) for each in row.elements)


def _row_under(guards: tuple[Term, ...], row: Row, seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    here = tuple(value for guard, each in zip(guards, row.elements, strict=True) for value in _under(guard, each.seen))
    for operator, number in _bounds(row.elements[0], here, seen, 1):
        bodies = [compared(operator, each.expression, number) for each in row.elements]
        is_said = _speaks_of(guards[0], row.elements[0]) and (not here or min(here) == max(here))
        if bodies[0] not in kept and not is_said:
            yield tuple(_clause(guard, body) for guard, body in zip(guards, bodies, strict=True))


def _speaks_of(guard: Term, term: Term) -> bool:
    return isinstance(guard.expression, Binary) and guard.expression.left == term.expression


def _compared_under(guards: tuple[Term, ...], left: tuple[Term, ...], right: tuple[Term, ...]) -> Iterator[Fact]:
    triples = list(zip(guards, left, right, strict=True))
    here = tuple(value for guard, each, _ in triples for value in _under(guard, each.seen))
    there = tuple(value for guard, _, each in triples for value in _under(guard, each.seen))
    operator = _relation(here, there)
    pairs = [pair for _, x, y in triples for pair in zip(x.seen, y.seen, strict=True)]
    if operator is not None and not all(_HOLDS[operator](x, y) for x, y in pairs):  # else it was guessed without
        yield tuple(_clause(guard, Binary(operator, x.expression, y.expression, BOOLEAN)) for guard, x, y in triples)


def _neighbours(row: Row, other: Row, size: int, seen: Seen) -> Iterator[Fact]:
    """Elements in use are in order, or where one thing ends is in order with where the next one begins."""
    for term in seen.changed:
        if size > 1 and min(term.seen) >= 0 and 1 < max(term.seen) <= size:
            guards = tuple(_condition(Operator.MORE, term, index) for index in range(1, size))
            yield from _compared_under(guards, row.elements[:-1], other.elements[1:])


def _values(seen: Seen) -> Iterator[Fact]:
    """Few values that do not stand next to each other."""
    for term in seen.changed:
        yield from _one_of((term,), seen)
    for row in seen.rows:
        yield from _one_of(row.elements, seen)


def _one_of(terms: tuple[Term, ...], seen: Seen) -> Iterator[Fact]:
    values = sorted({value for each in terms for value in each.seen})
    if 1 < len(values) <= FEW_VALUES and values[-1] - values[0] >= len(values) and set(values) <= set(seen.numbers):
        yield tuple(_any_of(each.expression, values) for each in terms)


def _any_of(expression: Expression, values: list[int]) -> Expression:
    found = compared(Operator.EQUAL, expression, values[0])
    for value in values[1:]:
        found = Binary(Operator.OR, found, compared(Operator.EQUAL, expression, value), BOOLEAN)
    return found


def _pointed(seen: Seen, kept: frozenset[Expression]) -> Iterator[Fact]:
    """What is known of the element that a number is the index of."""
    for term in seen.changed:
        for row in seen.rows:
            size = len(row.elements)
            outside = [value for value in term.seen if not 0 <= value < size]
            inside = len(term.seen) - len(outside)
            if size > MOST_IN_ROW or inside < RARELY or len(set(outside)) > 1 or len(set(term.seen)) < 3:
                continue
            value = outside[0] if outside else -1
            if isinstance(term.type, Machine) and not term.type.contains(value):
                value = term.type.largest
            guard = _condition(Operator.DIFFERENT, term, value)
            here = tuple(row.elements[i].seen[state] for state, i in enumerate(term.seen) if 0 <= i < size)
            element = Select(row.array, as_integer(term.expression), row.type)
            for operator, number in _bounds(row.elements[0], here, seen, 1):
                body = compared(operator, element, number)
                if compared(operator, row.elements[0].expression, number) not in kept:
                    yield (_clause(guard, body) if outside else body,)


# Sums and counts


def _sums(seen: Seen) -> Iterator[Fact]:
    """A number is the sum of two others, or that and no more; the number of elements that have some value."""
    terms = [*seen.changed, *(each for each in seen.beside if len(set(each.seen)) > 1)]
    varying = [each for each in terms if len(set(each.seen)) > 1]
    yield from islice(_distinct(_plain_sums(varying)), MOST_SUMS // 2)
    rows = [row for row in seen.rows if len(row.elements) <= MOST_IN_ROW]
    counts = [counted(list(guards)) for row in rows for guards in _element_guards(row)]
    counts = [each for each in counts if len(set(each.seen)) > 2][:MOST_GUARDS]
    for count in counts:
        for term in varying:
            yield from _differ_by_constant(count, term)
        for left, right in combinations(varying, 2):
            if left.type == right.type:
                yield from _added(left, right, count)
                yield from _added(left, count, right)
                yield from _added(right, count, left)


def _plain_sums(varying: list[Term]) -> Iterator[Fact]:
    for left, right in combinations(varying, 2):
        if left.type == right.type and _relation(left.seen, right.seen) is not Operator.EQUAL:
            yield from _differ_by_constant(left, right)
    for left, right in combinations(varying, 2):
        for whole in varying:
            if whole is not left and whole is not right and whole.type == left.type == right.type:
                yield from _added(left, right, whole)


def _differ_by_constant(left: Term, right: Term) -> Iterator[Fact]:
    difference = left.seen[0] - right.seen[0]
    if all(x - y == difference for x, y in zip(left.seen, right.seen, strict=True)):
        moved: Expression = as_integer(right.expression)
        if difference:
            moved = Binary(Operator.ADD, moved, Constant(difference, UNBOUNDED), UNBOUNDED)
        yield (compared(Operator.EQUAL, as_integer(left.expression), moved),)


def _added(left: Term, right: Term, whole: Term) -> Iterator[Fact]:
    """With unsigned numbers that wrap around, where they are all of one type."""
    sums = [x + y for x, y in zip(left.seen, right.seen, strict=True)]
    operator = _relation(tuple(sums), whole.seen)
    if operator is Operator.EQUAL:
        if isinstance(whole.type, Machine) and not whole.type.signed and left.type == right.type == whole.type:
            added = Binary(Operator.ADD, left.expression, right.expression, whole.type)
            yield (compared(Operator.EQUAL, added, whole.expression),)
        yield (compared(Operator.EQUAL, _sum(left, right), as_integer(whole.expression)),)
    elif operator in (Operator.AT_MOST, Operator.LESS) and min(*left.seen, *right.seen) >= 0:
        yield (compared(Operator.AT_MOST, _sum(left, right), as_integer(whole.expression)),)


def _sum(left: Term, right: Term) -> Expression:
    return Binary(Operator.ADD, as_integer(left.expression), as_integer(right.expression), UNBOUNDED)
