"""One question about a program, as plain data that crosses to a worker process."""

from __future__ import annotations

import sys
from dataclasses import asdict
from typing import Any

from sorrel.model.plain import from_plain
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.values import dataclass

DATA_MODELS = ("ILP32", "LP64")
COMPOSITIONS = ("naive", "lockstep", "modular")
ARITHMETICS = ("auto", "ideal", "ranged", "exact")
DEFAULT_ENTRY = "main"


def data_model_here() -> str:
    """The data model of the machine that we run on."""
    return "LP64" if sys.maxsize > 2**32 else "ILP32"


@dataclass(frozen=True, slots=True)
class Task:
    """Does `goal` hold in every run of the program that `sources` make up, started at `function`?

    `include` and `define` are the preprocessor's -I and -D. `arithmetic` says what signed numbers are: `ideal` ones
    have no bounds, `ranged` ones are assumed never to leave their type, `exact` ones are bits; `auto` tries them in
    this order, since a proof of an earlier one is stronger. `rule` is the text of a proof rule to be used, or the name
    of a built-in one; `rule_file` is where the text comes from. `specification` is a law by name or the text of one,
    for the goal that is about one; `composition` says how runs that are compared meet (`relate.product.Composition`),
    where that is not left open. `public` and `secret` name inputs: if secrets are named, everything else is public.
    `unchecked` are properties that were asked for together with the goal and are not ours. `standard` is the version of
    C (-std), `forced` are headers that are read first (-include), `library` are files with what functions do that have
    no body. `assume` are conditions on the state before `function` is called. `failing_allocation`: malloc may fail.
    """

    sources: tuple[Source, ...]
    goal: Property = Property.ASSERTIONS
    data_model: str = "LP64"
    arithmetic: str = "auto"
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    function: str = DEFAULT_ENTRY
    rule: str = ""
    rule_file: str = ""
    specification: str = ""
    composition: str = ""
    public: tuple[str, ...] = ()
    secret: tuple[str, ...] = ()
    unchecked: tuple[str, ...] = ()
    standard: str = ""
    forced: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    assume: tuple[str, ...] = ()
    failing_allocation: bool = False

    @property
    def name(self) -> str:
        return " ".join(source.name for source in self.sources)

    @property
    def is_java(self) -> bool:
        return any(source.is_java for source in self.sources)

    @property
    def is_ocaml(self) -> bool:
        return any(source.is_ocaml for source in self.sources)

    @property
    def is_program_text(self) -> bool:
        """Whether one file is the whole program, in the text form of programs or in another language of that kind."""
        return any(source.reader for source in self.sources)

    @property
    def is_whole_c(self) -> bool:
        """Whether it is about the runs of a program in C, each by itself, from `main` on."""
        is_c = not (self.is_java or self.is_ocaml or self.is_program_text)
        return is_c and self.function == DEFAULT_ENTRY and not self.specification

    def to_json(self) -> dict[str, Any]:
        return asdict(self)

    @staticmethod
    def from_json(data: dict[str, Any]) -> Task:
        return from_plain(Task, data)
