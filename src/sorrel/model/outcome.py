"""The answer as it leaves the program: plain data and text, free of solvers, so that any process can hold it."""

from __future__ import annotations

import json
from dataclasses import asdict, field
from enum import StrEnum
from importlib import import_module
from typing import Any

from sorrel.model.assumption import AssumptionKind, Premise
from sorrel.model.contract_lines import together
from sorrel.model.errors import Span
from sorrel.model.explanation import Explanation
from sorrel.model.outline import Obligation, ProcedureOutline, SourceText
from sorrel.model.plain import from_plain
from sorrel.model.values import dataclass

FOLLOWED = "the run that the witness describes"
"""Who decided, where the inputs of a witness lead to the error."""


class Answer(StrEnum):
    """`safe` says that the clauses have a solution; where there are obligations, that they hold in it as well.

    `safe-assuming` is for programs: the property holds if what the outcome assumes is so, which nobody has shown.
    """

    SAFE = "safe"
    ASSUMING = "safe-assuming"
    UNSAFE = "unsafe"
    UNKNOWN = "unknown"

    @property
    def chc(self) -> str:
        """The word of the CHC competition: `sat` says that the clauses have a solution, so nothing bad happens."""
        return {"safe": "sat", "unsafe": "unsat"}.get(self.value, "unknown")

    @property
    def exit_code(self) -> int:
        return {"safe": 0, "safe-assuming": 3, "unsafe": 10, "unknown": 5}[self.value]

    @property
    def is_proof(self) -> bool:
        return self in (Answer.SAFE, Answer.ASSUMING)


class Cause(StrEnum):
    """Kinds of reasons for not knowing, for tables; the message says more."""

    TIME = "time"
    MEMORY = "memory"
    INCOMPLETE = "incomplete"  # the method cannot decide this
    UNSUPPORTED = "unsupported"  # the engine does not take such systems
    UNCONFIRMED = "unconfirmed"  # there was an answer, but its evidence could not be checked
    ASSUMPTION = "assumption"  # there is a proof, but it takes something for granted that is false, or may not be
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
class Ranking:
    """Why one obligation is well-founded: a lexicographic rank, its components in readable form.

    `rounds` are their values in a run, one tuple for each time that the loop was come to; none if no run was looked at.
    """

    obligation: str
    components: tuple[str, ...]
    rounds: tuple[tuple[int, ...], ...] = ()


@dataclass(frozen=True, slots=True)
class TraceStep:
    """One fact of a derivation, in readable form."""

    fact: str
    clause: str
    origin: str
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Confirmation:
    """Who checked the evidence against what, and how long it took."""

    checker: str
    accepted: bool
    seconds: float
    detail: str = ""


class ContractKind(StrEnum):
    FUNCTION = "function"  # holds whenever the function returns
    LOOP = "loop"  # holds whenever the loop's condition is about to be evaluated
    TYPE = "type"  # a refinement type of a function, as one line of OCaml-like text


@dataclass(frozen=True, slots=True)
class ProgramContract:
    """What was proved about one function or one loop, in the syntax of C and ACSL over the user's own names.

    `requires` is what callers grant, so that no assertion in the function fails. `in_c` is what an expression of C can
    say of an invariant, with the machine's arithmetic in place of the exact one of ACSL. `assigns` is what the function
    changes at most, nothing if it is empty; None if that is not known.
    """

    procedure: str
    kind: ContractKind
    span: Span
    conjuncts: tuple[str, ...]
    requires: tuple[str, ...] = ()
    in_c: tuple[str, ...] = ()
    assigns: tuple[str, ...] | None = None

    @property
    def says_something(self) -> bool:
        return bool(self.conjuncts or self.requires or self.assigns is not None)

    @property
    def clauses(self) -> tuple[tuple[str, str], ...]:
        """Keywords of ACSL and what follows them; facts about one thing stand together where they are short."""
        frame = () if self.assigns is None else (", ".join(self.assigns) or "\\nothing",)
        return (
            *(("requires", text) for text in self.requires),
            *(("assigns", text) for text in frame),
            *((_FACTS[self.kind], text) for text in together(self.conjuncts)),
        )


_FACTS = {ContractKind.FUNCTION: "ensures", ContractKind.LOOP: "loop invariant", ContractKind.TYPE: ""}


class EventKind(StrEnum):
    ASSIGN = "assign"
    CHOOSE = "choose"
    CALL = "call"
    RETURN = "return"
    BRANCH = "branch"
    OBSERVE = "observe"
    VIOLATION = "violation"


@dataclass(frozen=True, slots=True)
class Cell:
    """One element of an array in a run."""

    index: str
    value: str


@dataclass(frozen=True, slots=True)
class ArrayImage:
    """An array as it is drawn: the elements that differ from the `others`, as many as one can look at.

    Without `others` all are listed, or it is unknown what the rest is.
    """

    cells: tuple[Cell, ...]
    others: str


@dataclass(frozen=True, slots=True)
class Binding:
    """A name of the user's and its value, which is also drawn where it is an array."""

    name: str
    value: str
    array: ArrayImage | None = None


BLOCK = "block "
"""Begins the names of objects in allocated memory."""


@dataclass(frozen=True, slots=True)
class RunEvent:
    """One step of a run through the program; `depth` counts the calls that it is inside of.

    What was written is `variable`, in the user's words; if it is an element, `base` is the array and `index` the
    position: a number, or what stands behind the array's name (`[1].x`) where C needs more to say it. What is written
    to allocated memory has `block 1` and so on as its base. `array` is the whole array where it changed as a whole, or
    was not seen before. `arguments` are those of a call. `frame` numbers the calls of a run from 1 on, so that two
    calls of one function differ, and is 0 for what is written to globals; `thread` numbers the threads, from 0 on.
    """

    kind: EventKind
    span: Span
    procedure: str
    depth: int
    text: str
    variable: str = ""
    value: str = ""
    base: str = ""
    index: str = ""
    array: ArrayImage | None = None
    arguments: tuple[Binding, ...] = ()
    frame: int = 0
    thread: int = 0

    @property
    def is_in_block(self) -> bool:
        return self.base.startswith(BLOCK)


class ValueOrigin(StrEnum):
    """Why a value was open; the values of `program.statement.Choice`."""

    INPUT = "input"
    EXTERNAL = "external"
    UNINITIALISED = "uninitialised"
    ABSTRACTION = "abstraction"


@dataclass(frozen=True, slots=True)
class ChosenValue:
    """A value that the environment chose in a run: by which function or construct, for which variable."""

    origin: ValueOrigin
    source: str
    variable: str
    type: str
    value: str
    span: Span

    @property
    def is_worth_telling(self) -> bool:
        """Not what nobody chose, nor what has no name of the user's, nor numbers that we give to objects."""
        free = self.origin is ValueOrigin.UNINITIALISED and self.value in ("0", "false", "{all 0}")
        is_number_of_ours = self.type.strip("[]") == "int" and (
            self.variable.endswith(".object")
            or (self.variable.endswith((" offset", ".offset")) and self.value in ("0", "{all 0}"))
        )
        is_named = not self.variable.startswith(("input.", "memory.", "what exists before"))
        return not free and not is_number_of_ours and is_named


class ReplayResult(StrEnum):
    REACHED = "reached"  # the compiled program ran into the very error
    MISSED = "missed"  # it ran, and did not
    IMPOSSIBLE = "impossible"  # it could not be compiled or run


@dataclass(frozen=True, slots=True)
class Replay:
    """What became of the counterexample when the program was compiled and run with its values."""

    result: ReplayResult
    detail: str
    command: str = ""
    data_model: str = ""
    seconds: float = 0.0


@dataclass(frozen=True, slots=True)
class Violation:
    """Which assertion failed: its kind, what it says, where it stands; `detail`: what the message says of this run."""

    kind: str
    message: str
    span: Span
    procedure: str
    detail: str = ""


@dataclass(frozen=True, slots=True)
class SideRun:
    """One of the runs that together violate a property: what the environment chose in it, and what happened."""

    name: str
    choices: tuple[ChosenValue, ...]
    events: tuple[RunEvent, ...]


@dataclass(frozen=True, slots=True)
class FunctionValue:
    """What a function without a body returns for arguments that it was given in some run: the same in all runs."""

    function: str
    arguments: tuple[str, ...]
    value: str


class Standing(StrEnum):
    """What is known about an assumption."""

    PROVED = "proved"
    REFUTED = "refuted"  # a run of the program shows that it is false
    OPEN = "open"


@dataclass(frozen=True, slots=True)
class Assumption:
    """Something that the answer takes for granted, and whether it is so.

    `needed` is false if the property was shown without it. `granted` says that the user vouches for it. Where it is
    refuted, `violation`, `choices` and `run` tell of a run in which it is false. `words` say it briefly, where those of
    its kind are another language's.
    """

    kind: AssumptionKind
    text: str
    standing: Standing = Standing.OPEN
    needed: bool = True
    granted: bool = False
    detail: str = ""
    violation: Violation | None = None
    choices: tuple[ChosenValue, ...] = ()
    run: tuple[RunEvent, ...] = ()
    words: str = ""

    @property
    def brief(self) -> str:
        """In the few words of a first line: its own, or those of its kind."""
        return self.words or self.kind.brief

    @property
    def weakens(self) -> bool:
        """Whether the answer is worth less because of it: nobody knows whether it is so, and the proof uses it."""
        return self.needed and self.standing is not Standing.PROVED

    @staticmethod
    def of(premise: Premise) -> Assumption:
        """What a front end took for granted, of which nothing more is known."""
        needed = premise.kind is not AssumptionKind.QUESTION
        return Assumption(premise.kind, premise.text, needed=needed, words=premise.words)

    @staticmethod
    def that(kind: AssumptionKind) -> Assumption:
        """The one that every program may need, of a kind that has but one."""
        return Assumption(kind, kind.brief)

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Outcome:
    """Everything Sorrel knows about one input when it is done.

    `engine` is the method that answered, as `--engine` would name it, or what else did: `preconditions`, `summarize`,
    `check`, `witness`. `decided_by` says in words what decided.
    `contracts`, `trace` and `certificate` speak of Horn clauses. For a program there are also the property asked for
    (`goal`), what was taken for granted, contracts of its functions and loops, and for an unsafe one the run, the
    values that lead to it, a C file that repeats it, and whether that was tried. Where a property is about several
    runs at once, `runs` are those that violate it together, and `functions` the values that they share. `checks` is the
    number of assertions and calls of error functions that a proof was about, where they were counted; some run gets to
    `reached` of the assertions, and to `unreachable` of them none does, as was proved. `sources`, `procedures` and
    `obligations` are the program as a reader sees it: its text, its parts, and what the property asks for where.
    """

    answer: Answer
    source: str = ""
    engine: str = ""
    decided_by: str = ""
    reason: Reason | None = None
    certificate: str = ""
    contracts: tuple[Contract, ...] = ()
    rankings: tuple[Ranking, ...] = ()
    trace: tuple[TraceStep, ...] = ()
    confirmations: tuple[Confirmation, ...] = ()
    notes: tuple[str, ...] = ()
    explanation: Explanation = field(default_factory=Explanation)
    facts: str = ""
    horn: str = ""  # the Horn clauses that a program was turned into, as SMT-LIB text
    seconds: float = 0.0
    statistics: dict[str, Any] = field(default_factory=dict)
    goal: str = ""
    function: str = ""
    specification: str = ""
    data_model: str = ""
    arithmetic: str = ""
    assumptions: tuple[Assumption, ...] = ()
    program_contracts: tuple[ProgramContract, ...] = ()
    missing: tuple[ProgramContract, ...] = ()
    violation: Violation | None = None
    run: tuple[RunEvent, ...] = ()
    choices: tuple[ChosenValue, ...] = ()
    harness: str = ""
    interface: str = ""  # an OCaml interface, with types that say more in comments
    replay: Replay | None = None
    runs: tuple[SideRun, ...] = ()
    functions: tuple[FunctionValue, ...] = ()
    checks: int | None = None
    reached: int = 0
    unreachable: int = 0
    sources: tuple[SourceText, ...] = ()
    procedures: tuple[ProcedureOutline, ...] = ()
    obligations: tuple[Obligation, ...] = ()

    @property
    def is_final(self) -> bool:
        """Whether nobody need go on: it is an answer, or a proof that rests on something false or open."""
        assumed = self.reason is not None and self.reason.cause is Cause.ASSUMPTION
        return self.answer is not Answer.UNKNOWN or assumed

    @property
    def assuming(self) -> tuple[Assumption, ...]:
        """What the answer is worth less for."""
        return tuple(each for each in self.assumptions if each.weakens) if self.answer is Answer.ASSUMING else ()

    @property
    def model(self) -> str:
        """The summaries as SMT-LIB definitions, or nothing."""
        return "\n".join(contract.smtlib for contract in self.contracts)

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Outcome:
        return from_plain(Outcome, data)

    def dumps(self) -> str:
        return json.dumps(self.to_json(), ensure_ascii=False)

    def _repr_html_(self) -> str:
        """For notebooks. Outcomes know nothing of faces: the room of reports is looked for when somebody looks."""
        shown: str = import_module("sorrel.report.notebook").cell(self)
        return shown


def unknown(cause: Cause, message: str, *, source: str = "", engine: str = "", seconds: float = 0.0) -> Outcome:
    return Outcome(Answer.UNKNOWN, source, engine, reason=Reason(cause, message), seconds=seconds)
