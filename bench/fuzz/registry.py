"""The kinds of random examples, by name: adding one is a line here."""

from __future__ import annotations

from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Protocol, cast

from bench.fuzz.report import Report

KINDS: Mapping[str, str] = {
    "c": "bench.fuzz.c",
    "runs": "bench.fuzz.runs",
    "horn": "bench.fuzz.horn",
    "certificates": "bench.fuzz.certificates",
    "java": "bench.fuzz.java",
    "ocaml": "bench.fuzz.ocaml",
    "mutants": "bench.fuzz.mutants",
}


class Kind(Protocol):
    """What the module of a kind offers."""

    def run(self, seed: int, seconds: float, folder: Path) -> Report: ...


def load(name: str) -> Kind:
    return cast(Kind, import_module(KINDS[name]))
