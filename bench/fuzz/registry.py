"""The kinds of random examples, by name: adding one is a line here."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from importlib import import_module
from pathlib import Path
from typing import cast

from bench.fuzz.report import Report
from bench.fuzz.stream import Stream, for_a_while

LANGUAGES: Mapping[str, str] = {
    "c": "bench.fuzz.c.campaign",
    "horn": "bench.fuzz.horn.campaign",
    "java": "bench.fuzz.java.campaign",
    "ocaml": "bench.fuzz.ocaml.campaign",
}
"""Questions in each language, of which campaigns are made."""
KINDS: Mapping[str, str] = {
    **LANGUAGES,
    "runs": "bench.fuzz.runs",
    "java-runs": "bench.fuzz.java.translation",
    "certificates": "bench.fuzz.certificates",
    "mutants": "bench.fuzz.mutants",
    "stores": "bench.fuzz.stores",
    "texts": "bench.fuzz.texts",
}
Run = Callable[[int, float, Path], Report]
"""Examples of a kind from a seed, for some seconds; what fails is saved in the folder."""


def stream(name: str) -> Stream:
    return cast(Stream, import_module(KINDS[name]))


def load(name: str) -> Run:
    module = import_module(KINDS[name])
    return cast(Run, module.run) if hasattr(module, "run") else partial(for_a_while, name, stream(name))
