"""The answer as it leaves the program: plain data and text, free of solvers, so that any process can hold it."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field
from enum import StrEnum
from typing import Any


class Answer(StrEnum):
    SAFE = "safe"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"

    @property
    def chc(self) -> str:
        """The word of the CHC competition: `sat` says that the clauses have a solution, so nothing bad happens."""
        return {"safe": "sat", "unsafe": "unsat", "unknown": "unknown"}[self.value]

    @property
    def exit_code(self) -> int:
        return {"safe": 0, "unsafe": 10, "unknown": 5}[self.value]


class Cause(StrEnum):
    """Kinds of reasons for not knowing, for tables; the message says more."""

    TIME = "time"
    MEMORY = "memory"
    INCOMPLETE = "incomplete"  # the method cannot decide this
    UNSUPPORTED = "unsupported"  # the engine does not take such systems
    UNCONFIRMED = "unconfirmed"  # there was an answer, but its evidence could not be checked
    INTERRUPTED = "interrupted"
    INPUT = "input"
    INTERNAL = "internal"


@dataclass(frozen=True, slots=True)
class Reason:
    cause: Cause
    message: str

    def __str__(self) -> str:
        return self.message


@dataclass(frozen=True, slots=True)
class Contract:
    """The summary of one predicate, for people (`infix`) and for machines (`smtlib`)."""

    predicate: str
    arguments: tuple[str, ...]
    infix: str
    smtlib: str


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One fact of a derivation, in readable form."""

    fact: str
    clause: str
    origin: str
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Deduction:
    """One step of an engine's reasoning, as a row of a table: call path, what was approximated how, what followed."""

    path: tuple[str, ...]
    environment: str
    target: str
    rule: str
    text: str


@dataclass(frozen=True, slots=True)
class TreeNode:
    """A node of a derivation tree: the procedure, the node it was reached from, and how often it was worked on."""

    number: int
    parent: int | None
    procedure: str
    visits: int


@dataclass(frozen=True, slots=True)
class Explanation:
    deductions: tuple[Deduction, ...] = ()
    tree: tuple[TreeNode, ...] = ()


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Who checked the evidence against what, and how long it took."""

    checker: str
    accepted: bool
    seconds: float
    detail: str = ""


@dataclass(frozen=True)
class Outcome:
    """Everything Sorrel knows about one input when it is done."""

    answer: Answer
    source: str = ""
    engine: str = ""
    reason: Reason | None = None
    certificate: str = ""
    contracts: tuple[Contract, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    notes: tuple[str, ...] = ()
    explanation: Explanation = field(default_factory=Explanation)
    facts: str = ""
    horn: str = ""  # the Horn clauses that a program was turned into, as SMT-LIB text
    seconds: float = 0.0
    statistics: dict[str, Any] = field(default_factory=dict)

    @property
    def model(self) -> str:
        """The summaries as SMT-LIB definitions, or nothing."""
        return "\n".join(contract.smtlib for contract in self.contracts)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Outcome:
        reason = data.get("reason")
        return Outcome(
            **{
                **data,
                "answer": Answer(data["answer"]),
                "reason": Reason(Cause(reason["cause"]), reason["message"]) if reason else None,
                "contracts": tuple(
                    Contract(**{**c, "arguments": tuple(c["arguments"])}) for c in data.get("contracts", ())
                ),
                "trace": tuple(TraceStep(**{**s, "premises": tuple(s["premises"])}) for s in data.get("trace", ())),
                "confirmations": tuple(Confirmation(**c) for c in data.get("confirmations", ())),
                "notes": tuple(data.get("notes", ())),
                "explanation": _explanation(data.get("explanation", {})),
            }
        )

    def dumps(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False)


def _explanation(data: dict[str, Any]) -> Explanation:
    deductions = (Deduction(**{**d, "path": tuple(d["path"])}) for d in data.get("deductions", ()))
    return Explanation(tuple(deductions), tuple(TreeNode(**n) for n in data.get("tree", ())))


def unknown(cause: Cause, message: str, *, source: str = "", engine: str = "", seconds: float = 0.0) -> Outcome:
    return Outcome(Answer.UNKNOWN, source, engine, Reason(cause, message), seconds=seconds)
