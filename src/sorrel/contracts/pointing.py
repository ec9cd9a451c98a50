"""What a person might say of pointers: whether they are null, which others they equal, within what they are."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.contracts.vocabulary import Vocabulary
from sorrel.program.types import is_integer
from sorrel.program.visible import Address

RESULT = "\\result"


def pointer_facts(known: Vocabulary, cases: Sequence[str]) -> Iterator[str]:
    """Texts to be tried, the strongest first; `cases` are conditions on the inputs that the program decides on."""
    if known.of_contract:
        result = known.addresses.get(RESULT)
        if result is not None:
            yield from _of_result(result, known, cases)
        return
    for name, address in known.addresses.items():
        for other, start in known.addresses_before.items():
            if _compare(address, start) and address.offset:
                yield f"\\at({other}, Pre) <= {name}"


def _of_result(result: Address, known: Vocabulary, cases: Sequence[str]) -> Iterator[str]:
    others = [name for name, address in known.addresses_before.items() if _compare(result, address)]
    lengths = [name for name, each in known.before.items() if is_integer(each.type)]
    yield from (f"{RESULT} == {name}" for name in others)
    ranges = [] if not result.offset else list(_ranges(others, lengths, result))
    yield from (text for text in ranges)
    if not result.object:
        return
    yield f"{RESULT} != \\null"
    yield f"{RESULT} == \\null"
    simple = [f"{RESULT} == {name}" for name in others]
    yield from (f"{RESULT} == \\null || {text}" for text in simple)
    yield from (f"{RESULT} == \\null || {text}" for text in ranges)
    for case in cases:
        yield from (f"{case} ==> {text}" for text in (f"{RESULT} == \\null", *simple, f"{RESULT} != \\null"))
    yield from (f"{one} || {other}" for at, one in enumerate(simple) for other in simple[at + 1 :])


def _ranges(others: Sequence[str], lengths: Sequence[str], result: Address) -> Iterator[str]:
    """Within as many elements as a number says, or at least not before the first."""
    if result.counted:
        yield from (f"{start} <= {RESULT} < {start} + {number}" for start in others for number in lengths)
        yield from (f"{start} <= {RESULT} <= {start} + {number}" for start in others for number in lengths)
    yield from (f"{start} <= {RESULT}" for start in others)


def _compare(one: Address, other: Address) -> bool:
    return one.region is not None and one.region == other.region
