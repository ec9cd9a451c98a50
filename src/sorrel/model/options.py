"""What a user can ask for in one run, as plain data that crosses to a worker process."""

from __future__ import annotations

from dataclasses import asdict, field
from typing import Any

from sorrel.model.budget import Budget
from sorrel.model.plain import from_plain
from sorrel.model.values import dataclass

CHECKERS = ("z3", "cvc5")
OVERFLOWS = ("wrap", "discard")


@dataclass(frozen=True)
class Finite:
    """How to read a program over words: the bits of `word`, what overflow does, and properties beside the file's.

    With a `function` the program is C, where no integer type is wider than `width`; the rest is for its reader.
    """

    width: int = 32
    overflow: str = "wrap"
    properties: tuple[str, ...] = ()
    function: str = ""
    data_model: str = ""
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()


@dataclass(frozen=True)
class Options:
    """`engine_options` are words such as {"levels": "100"}; `seeds` is an SMT-LIB text.

    `replay` compiles and runs what a counterexample of a program claims.
    `validate` compares runs of the interpreter with runs of the compiled program; so does `replay`.
    `horn` asks for the Horn clauses that a program was turned into.
    `flow` asks `summarize` for what results depend on, in place of what they are.
    `strict` wants nothing open to be assumed; `assuming` are kinds of assumptions that the user vouches for.
    `preconditions`: what callers owe to a function is looked for, in place of a run that shows that they owe something.
    `witness` is the text of another verifier's witness, to be checked; `witness_name` is what messages call it.
    With `finite` the source of `solve` is a Boolean program, or a function in C.
    """

    engine: str = "portfolio"
    engine_options: dict[str, str] = field(default_factory=dict)
    budget: Budget = field(default_factory=Budget)
    recheck: str = ""
    keep_contracts: bool = False
    seed: int = 0
    seeds: str = ""
    explain: bool = False
    replay: bool = False
    validate: bool = False
    flow: bool = False
    horn: bool = False
    strict: bool = False
    assuming: tuple[str, ...] = ()
    preconditions: bool = True
    witness: str = ""
    witness_name: str = ""
    finite: Finite | None = None

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Options:
        return from_plain(Options, data)
