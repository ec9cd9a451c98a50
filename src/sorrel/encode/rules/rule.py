"""What a proof rule says: unknown assertions over vectors of variables, and clauses over them and named relations."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.errors import Span
from sorrel.model.values import dataclass


class RuleSubject(StrEnum):
    """What the rule looks at a program as."""

    THREADS = "threads"
    PROCEDURES = "procedures"


class Conclusion(StrEnum):
    SAFETY = "safety"
    TERMINATION = "termination"


@dataclass(frozen=True, slots=True)
class Vector:
    """A vector of variables, such as V'; of a procedure, such as W[g]. Equal names are the same variables."""

    name: str
    index: str | None
    span: Span

    def __str__(self) -> str:
        return self.name if self.index is None else f"{self.name}[{self.index}]"


@dataclass(frozen=True, slots=True)
class Use:
    """An assertion or a relation, applied. With `each` given, one for each member of the domain, all together."""

    name: str
    indices: tuple[str, ...]
    vectors: tuple[Vector, ...]
    span: Span
    each: Range | None = None

    def __str__(self) -> str:
        indices = f"[{', '.join(self.indices)}]" if self.indices else ""
        applied = f"{self.name}{indices}({', '.join(map(str, self.vectors))})"
        return applied if self.each is None else f"all {self.each} ({applied})"


@dataclass(frozen=True, slots=True)
class Range:
    """`name` in `domain`; or, with `other`, `name` calls `other`."""

    name: str
    domain: str
    other: str = ""

    def __str__(self) -> str:
        return f"{self.name} calls {self.other}" if self.other else f"{self.name} in {self.domain}"


@dataclass(frozen=True, slots=True)
class Ranges:
    """For which indices something is said; `different` are pairs that must not be equal."""

    ranges: tuple[Range, ...] = ()
    different: tuple[tuple[str, str], ...] = ()

    def __str__(self) -> str:
        parts = [*map(str, self.ranges), *(f"{a} != {b}" for a, b in self.different)]
        return f" for {', '.join(parts)}" if parts else ""


@dataclass(frozen=True, slots=True)
class Assertion:
    """An unknown: what a solution must find."""

    name: str
    indices: tuple[str, ...]
    vectors: tuple[Vector, ...]
    ranges: Ranges
    span: Span

    def __str__(self) -> str:
        indices = f"[{', '.join(self.indices)}]" if self.indices else ""
        return f"assertion {self.name}{indices}({', '.join(map(str, self.vectors))}){self.ranges}"


@dataclass(frozen=True, slots=True)
class RuleClause:
    """body → head; head None: false."""

    name: str
    body: tuple[Use, ...]
    head: Use | None
    ranges: Ranges
    span: Span

    def __str__(self) -> str:
        body = " and ".join(map(str, self.body))
        return f"clause {self.name}: {body} -> {self.head or 'false'}{self.ranges}"


@dataclass(frozen=True, slots=True)
class RuleObligation:
    """dwf of a conjunction of assertions over two vectors: the first one before, the second one after."""

    name: str
    relation: tuple[Use, ...]
    ranges: Ranges
    span: Span

    def __str__(self) -> str:
        return f"dwf {self.name}: {' and '.join(map(str, self.relation))}{self.ranges}"


@dataclass(frozen=True, slots=True)
class Rule:
    """`sound`: whoever wrote it answers for what it concludes; otherwise that is an assumption of the answer."""

    name: str
    sentence: str
    conclusion: Conclusion
    subject: RuleSubject
    sound: bool
    assertions: tuple[Assertion, ...]
    clauses: tuple[RuleClause, ...]
    obligations: tuple[RuleObligation, ...]
    span: Span

    def __str__(self) -> str:
        lines = [f"rule {self.name}", f'about "{self.sentence}"', f"proves {self.conclusion} of {self.subject}"]
        lines += ["sound"] if self.sound else []
        return "\n".join([*lines, "", *map(str, (*self.assertions, *self.clauses, *self.obligations))]) + "\n"
