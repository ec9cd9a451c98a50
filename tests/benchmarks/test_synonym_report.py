"""Tables about explored triples are computed from recorded runs, in the form of Pick's dissertation."""

from __future__ import annotations

from pathlib import Path

from bench.report import synonym
from sorrel.bench.record import Record
from sorrel.model.outcome import Answer

NEITHER, SYNCHRONY, BOTH = "synonym-pick-neither", "synonym-pick-synchrony", "synonym-pick"


def record(task: str, tool: str, seconds: float, triples: int, answer: Answer = Answer.SAFE) -> Record:
    return Record(
        *("s", "f", task, tool, "own", answer, Answer.SAFE, "correct", "", answer, True, seconds, seconds, 10.0, 0),
        *("synonym", ("z3",), "d", "h", "l", ""),
        {"explored": {"triples": triples, "group": 2 if tool == BOTH else 1}},
    )


RECORDS = [
    record("small.c", NEITHER, 1.0, 100),
    record("small.c", SYNCHRONY, 1.0, 60),
    record("small.c", BOTH, 2.0, 30),
    record("large.c", NEITHER, 8.0, 900),
    record("large.c", SYNCHRONY, 4.0, 540),
    record("large.c", BOTH, 2.0, 270),
    record("huge.c", NEITHER, 60.0, 5000, Answer.UNKNOWN),
    record("huge.c", SYNCHRONY, 30.0, 4000),
    record("huge.c", BOTH, 10.0, 1000),
]


def test_sums_are_over_programs_that_every_variant_solves() -> None:
    text = synonym(Path(), RECORDS)
    assert "| huge.c | safe | 2 | 60.00 | - | 30.00 | 4000 | 10.00 | 1000 |" in text
    assert "| all 2 that each solves |  |  | 9.00 | 1000 | 5.00 | 600 | 4.00 | 300 |" in text
    assert "| divided by |  |  | 1.00 | 1.00 | 1.80 | 1.67 | 2.25 | 3.33 |" in text


def test_programs_that_get_slower_are_told_apart() -> None:
    text = synonym(Path(), RECORDS)
    assert "| both | as good or better | 2.00 | 4.00 (1) | 300 | 3.33 (2) |" in text
    assert "| both | worse | 2.00 | 0.50 (1) | 0 | (0) |" in text


def test_what_symmetry_saves_is_compared_with_synchrony_alone() -> None:
    text = synonym(Path(), RECORDS)
    assert "3 programs (all): symmetry divides the explored triples by 3.54 and the time by 2.50." in text
    assert "2 programs (the larger half)" in text


def test_each_property_has_a_section_of_its_own() -> None:
    asked = [record(f"small.c {name}", tool, 1.0, 10) for name in ("P1", "P2") for tool in (SYNCHRONY, BOTH)]
    text = synonym(Path(), asked)
    assert text.index("## P1") < text.index("| small.c P1 |") < text.index("## P2") < text.index("| small.c P2 |")
