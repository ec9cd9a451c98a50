"""Which elements of an array a frame lists: `a[0 .. n - 1]` says that all others are as they were."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, product

from sorrel.contracts.locating import NONE, plus
from sorrel.contracts.meaning import Meaning, number
from sorrel.contracts.reading import Dialect
from sorrel.contracts.vocabulary import Vocabulary, saved
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.construction import binary, every, negation
from sorrel.program.expression import Binary, Expression, Operator, Select, Variable
from sorrel.program.program import Program
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, is_integer
from sorrel.program.visible import EntryKind

ALL = "[..]"
MOST_NUMBERS = 5
"""Names that ends of ranges are made of."""
_INDEX = Variable("bound..0", UNBOUNDED)


@dataclass(frozen=True, slots=True)
class Elements:
    """Those of one array, of which `offset` is the one with the index 0 when the function is entered."""

    array: Variable
    offset: Expression


def elements(base: str, known: Vocabulary, program: Program) -> Elements | None:
    """Of what the user calls by this name; None if there may be more to it than the elements of one array."""
    own = known.now.get(base)
    if own is not None:
        return Elements(own, NONE) if _has_numbers(own) and base in known.before else None
    address = known.addresses_before.get(base)
    if address is None or address.object or not address.counted:
        return None
    parts = [part for part in program.entry_parts if part.text == base]
    contents = [part for part in parts if part.kind is EntryKind.CONTENTS]
    is_plain = all(not part.path and part.first is None for part in contents)
    is_counted = any(part.kind is EntryKind.LENGTH and part.each == 1 for part in parts)
    held = {variable.name: variable for variable in program.globals}
    if len(contents) != 1 or not is_plain or not is_counted or contents[0].variable not in held:
        return None
    array = held[contents[0].variable]
    offset = known.known.get(address.offset)
    if not _has_numbers(array) or (address.offset and offset is None):
        return None
    return Elements(array, saved(offset) if offset is not None else NONE)


def _has_numbers(variable: Variable) -> bool:
    return isinstance(variable.type, Array) and is_integer(variable.type.element)


def guesses(base: str, known: Vocabulary) -> Iterator[tuple[str, ...]]:
    """Lists of fewer elements than all, the shortest first: one, two, and from one to another."""
    names = [text for text, variable in known.before.items() if is_integer(variable.type)][:MOST_NUMBERS]
    yield from ((f"{base}[{name}]",) for name in names)
    yield (f"{base}[0]",)
    yield from ((f"{base}[{one}]", f"{base}[{other}]") for one, other in combinations(names, 2))
    for low, high in product(("0", *names), names):
        if low != high:
            yield (f"{base}[{low} .. {high} - 1]",)
            yield (f"{base}[{low} .. {high}]",)


def kept(places: Sequence[str], known: Vocabulary, program: Program) -> Meaning | None:
    """That elements of the one array that the places are parts of are as they were, but for these.

    The places are read from their texts, in the state in which the function is entered; None if that says nothing.
    """
    base = places[0].rpartition("[")[0]
    found = elements(base, known, program)
    array = found.array if found is not None else None
    if found is None or array is None or not isinstance(array.type, Array):
        return None
    listed: list[Expression] = []
    for place in places:
        owner, _, index = place.removesuffix("]").rpartition("[")
        low, _, high = index.partition(" .. ")
        if owner != base:
            return None
        try:
            ends = [number(end, Dialect.ACSL, known.at_entry) for end in (low, high or low)]
        except InputError:
            return None
        first, last = (plus(found.offset, end) for end in ends)
        listed.append(every([binary(Operator.AT_LEAST, _INDEX, first), binary(Operator.AT_MOST, _INDEX, last)]))
    element = array.type.element
    same = binary(Operator.EQUAL, Select(array, _INDEX, element), Select(saved(array), _INDEX, element))
    others = every([negation(each) for each in listed])
    return Meaning(Binary(Operator.IMPLIES, others, same, BOOLEAN), (_INDEX,))
