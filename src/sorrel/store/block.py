"""One block of the store: what is claimed about one component, and about which clauses, as lines of text.

The digest at the end finds accidents. It is no seal: whoever forges a block can forge it too, and meets the checker.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, TypeAlias

from sorrel.model.values import dataclass

HEADER = "[[component]]"
_NEEDED = ("id", "about", "clauses", "callees", "verdict")
_FIELDS = (*_NEEDED, "contract", "measures", "values", "assumes", "reason", "seconds")
_DIGEST = "digest"
MOST_SECONDS = 1e9

Key: TypeAlias = tuple[str, str]
"""The id of a component and what is claimed of it."""


class Claim(StrEnum):
    """What a block says. Readers find out for themselves; it is for people, and for who need not try again."""

    PROVED = "proved"
    CONDITIONAL = "conditional"
    REFUTED = "refuted"
    UNKNOWN = "unknown"


class Damaged(Exception):
    """The lines are no block: why."""


@dataclass(frozen=True, slots=True)
class Block:
    """`id`: file and procedures; `about`: property, data model, numbers and version of the encoding.

    `clauses` is the digest of the component's clauses, `callees` gives the digest of each contract that they were
    checked under. `contract` has a definition for each predicate; `measures` go down from call to call where the claim
    is about termination. `values` repeat a refutation, `assumes` is what a proof about runs takes for granted.
    `seconds` is how long it was tried if nothing was found.
    """

    id: str
    about: str
    clauses: str
    callees: tuple[str, ...]
    verdict: Claim
    contract: tuple[str, ...] = ()
    values: tuple[str, ...] = ()
    measures: tuple[str, ...] = ()
    assumes: tuple[str, ...] = ()
    reason: str = ""
    seconds: float = 0.0

    @property
    def key(self) -> Key:
        return self.id, self.about

    def lines(self) -> list[str]:
        """The text of the block; what is empty is left out."""
        found = [HEADER]
        for name in _FIELDS:
            value = getattr(self, name)
            if value or name in _NEEDED:
                plain = str(value) if isinstance(value, Claim) else value
                found.append(f"{name} = {json.dumps(plain, ensure_ascii=False)}")
        return [*found, f"{_DIGEST} = {json.dumps(digest_of(found[1:]))}"]


def digest_of(lines: Sequence[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def read_block(lines: Sequence[str]) -> Block:
    """The block that the lines after the header say; raises Damaged if they say none."""
    if not lines or not lines[-1].startswith(f"{_DIGEST} = "):
        raise Damaged("it has no end")
    if _value(lines[-1], _DIGEST) != digest_of(lines[:-1]):
        raise Damaged("its digest is that of another text")
    found: dict[str, Any] = {}
    for line in lines[:-1]:
        name = line.partition(" = ")[0]
        if name not in _FIELDS or name in found:
            raise Damaged(f"{name[:20]!r} is not a field of a block, or is there twice")
        found[name] = _value(line, name)
    return _made(found)


def _value(line: str, name: str) -> Any:
    try:
        return json.loads(line.removeprefix(f"{name} = "))
    except (ValueError, RecursionError):
        raise Damaged(f"{name} has no value that can be read") from None


def _made(found: dict[str, Any]) -> Block:
    words = {name: found.get(name, "") for name in ("id", "about", "clauses", "verdict", "reason")}
    lists = {name: found.get(name, []) for name in ("callees", "contract", "values", "measures", "assumes")}
    if not all(isinstance(value, str) for value in words.values()):
        raise Damaged("a field that is a text is something else")
    if not all(isinstance(value, list) and all(isinstance(e, str) for e in value) for value in lists.values()):
        raise Damaged("a field that is a list of texts is something else")
    if not all(text.isprintable() for text in (*words.values(), *(each for value in lists.values() for each in value))):
        # They are shown to people, on terminals and in logs where a line of its own may be taken for a command.
        raise Damaged("there are control characters in it")
    seconds = found.get("seconds", 0.0)
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= MOST_SECONDS:
        raise Damaged("seconds is not a positive number")
    if not words["id"] or words["verdict"] not in set(Claim):
        raise Damaged("it does not say what it is about, or what it claims")
    listed = {name: tuple(value) for name, value in lists.items()}
    return Block(
        words["id"],
        words["about"],
        words["clauses"],
        listed["callees"],
        Claim(words["verdict"]),
        listed["contract"],
        listed["values"],
        listed["measures"],
        listed["assumes"],
        words["reason"],
        float(seconds),
    )
