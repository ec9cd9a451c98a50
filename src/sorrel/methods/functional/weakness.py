"""Why types do not exclude an error that no run comes to: the function whose type is too weak, on a chain of calls.

Behind its type a function forgets who called it: what one call puts in may come out of another.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePath

from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation
from sorrel.model.errors import Span

MOST_CALLS = 8


def weakness(system: HornSystem, derivation: Derivation) -> str:
    clauses = [system.clause[step.clause] for step in derivation.steps]
    calls = list(_calls(clauses))
    error = next((clause.origin for clause in reversed(clauses) if clause.is_query), Span())
    why = f"no run into the error at {_place(error)} was found, and types do not exclude it"
    weak = _weak(clauses)
    if weak:
        why += f": the type of {weak} is too weak"
    if calls:
        chain = [f"{name} ({_place(span)})" for name, span in calls]
        shown = chain if len(chain) <= MOST_CALLS else [*chain[: MOST_CALLS // 2], "…", *chain[-MOST_CALLS // 2 :]]
        why += f"; with it, calls could lead there: {', then '.join(shown)}"
    return why


def _function(clause: Clause) -> str:
    """The function whose type the clause is about; nothing for a query and for what has no name."""
    return clause.head.predicate.name.partition(":")[0] if clause.head is not None else ""


def _calls(clauses: list[Clause]) -> Iterator[tuple[str, Span]]:
    """What is called where, each function once for each place, in the order of the derivation."""
    seen = set()
    for clause in clauses:
        name = clause.head.predicate.name if clause.head is not None else ""
        function, _, part = name.partition(":")
        if function and part.split("!")[0] == "takes" and (function, clause.origin) not in seen:
            seen.add((function, clause.origin))
            yield function, clause.origin


def _weak(clauses: list[Clause]) -> str:
    """The function that most places put values into; where all are alike, the last one."""
    places: dict[str, set[Span]] = {}
    for clause in clauses:
        name = _function(clause)
        if name and clause.head is not None and ":takes" in clause.head.predicate.name:
            places.setdefault(name, set()).add(clause.origin)
    last = next((name for name in (_function(each) for each in reversed(clauses)) if name), "")
    return max(places, key=lambda name: (len(places[name]), name == last), default=last)


def _place(span: Span) -> str:
    return f"{PurePath(span.file).name}:{span.line}" if span.line else "no place"
