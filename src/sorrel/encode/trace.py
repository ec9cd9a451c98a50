"""What a path of a clause did that a replay must know: the values chosen and the calls made, in order.

Paths that were merged are told apart by the condition that chose between them.
"""

from __future__ import annotations

from typing import TypeAlias

from sorrel.encode.scope import Application
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.types import Type


@dataclass(frozen=True, slots=True, eq=False)
class Chosen:
    before: Trace | None
    value: Term
    type: Type


@dataclass(frozen=True, slots=True, eq=False)
class Called:
    """`position` is that of the call's atom in the body of the clause."""

    before: Trace | None
    position: int


@dataclass(frozen=True, slots=True, eq=False)
class Applied:
    before: Trace | None
    application: Application


@dataclass(frozen=True, slots=True, eq=False)
class Joined:
    """All of `then` happened if the condition holds, all of `otherwise` if not."""

    condition: Term
    then: Trace | None
    otherwise: Trace | None


Trace: TypeAlias = Chosen | Called | Applied | Joined
