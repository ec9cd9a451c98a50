"""A program as one procedure: for questions about states that only make sense in their context.

A contract of a procedure speaks about every state that it might be called in. Where a few procedures share many
globals, as in the event loop of a driver, most of these states are never reached, and what holds in the others is
simpler to say at the loops of the whole program. Without recursion every call can be replaced by the body.
"""

from __future__ import annotations

from dataclasses import replace

from sorrel.program.inline import inlined, leading_to_recursion
from sorrel.program.program import Program
from sorrel.program.statement import Call

MOST_BLOCKS = 2_000
"""A procedure with more blocks than this is not simpler than contracts."""


def flattened(program: Program) -> Program | None:
    """The program with nothing but its main procedure, which does the same, choice for choice.

    The blocks that were its own keep their labels, and its variables their names. None if there are no calls to
    replace, if they lead to recursion, or if the result is too large.
    """
    main = program.procedure[program.main]
    if not main.callees or main.name in leading_to_recursion(program) or _blocks(program) > MOST_BLOCKS:
        return None
    # Variables of callees have no names in main that a user would know.
    made = replace(inlined(program, main.name), source_names=main.source_names, scopes=main.scopes)
    return replace(program, procedures=(made,))


def _blocks(program: Program) -> int:
    """How many blocks there are once every call is replaced."""
    counted: dict[str, int] = {}
    waiting = [program.main]
    while waiting:
        procedure = program.procedure[waiting[-1]]
        missing = [callee for callee in procedure.callees if callee not in counted]
        if missing:
            waiting += missing
            continue
        waiting.pop()
        calls = [s.procedure for block in procedure.blocks for s in block.statements if isinstance(s, Call)]
        counted[procedure.name] = len(procedure.blocks) + sum(counted[callee] for callee in calls)
    return counted[program.main]
