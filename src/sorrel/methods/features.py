"""What can be seen of a question without working on it: the schedule is made from this, never from names of files."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.values import dataclass


class Subject(StrEnum):
    """What a question is about, in words that complete a sentence."""

    CLAUSES = "Horn clauses"
    RULE = "a proof rule on a program"
    PROGRAM = "runs of a program"
    ENDING = "whether a program ends"
    THREADS = "a program with threads"
    RELATION = "several runs of a program"
    LAW = "a law about several runs"
    FUNCTIONAL = "runs of a functional program"
    FUNCTIONAL_ENDING = "whether a functional program ends"


@dataclass(frozen=True, slots=True)
class Features:
    """Of clauses: what they are about and look like. Of programs: size, calls, inputs, and whether time is limited.

    `copies`: predicates look like those of a product of several runs. `clauses`: how many there are, or blocks of a
    program. `closed`: the program asks for no value, and its only run ended without an error. `floats`: it computes
    with floating-point numbers. `endless`: a loop of its main procedure goes on as long as an input says so.
    `linked`: it makes objects without a bound that can be described together. `many`: it has so many procedures that
    unwindings of single ones are worth their time.
    """

    subject: Subject
    obligations: bool = False
    bits: bool = False
    roles: bool = False
    copies: bool = False
    clauses: int = 0
    calls: bool = False
    many: bool = False
    linked: bool = False
    floats: bool = False
    endless: bool = False
    closed: bool = False
    limited: bool = True
