"""Passes before the clauses; each keeps the runs of the program, choice for choice."""

from __future__ import annotations

from dataclasses import replace

from sorrel.functional.program import Program
from sorrel.functional.simplify.groups import in_groups
from sorrel.functional.simplify.static_arguments import without_static_arguments


def simplified(program: Program) -> Program:
    return replace(program, body=without_static_arguments(in_groups(program.body)))
