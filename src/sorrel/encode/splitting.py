"""Whether a condition holds on a path whichever way choices went: one choice after the other is decided both ways."""

from __future__ import annotations

from sorrel.encode.bounds import Bounds
from sorrel.logic.node import Node, Truth

MOST_CASES = 80
_LOOKED_INTO = frozenset(("not", "<", "=", "+", "-", "*", "within"))


def in_all_cases(known: Bounds, truth: Truth) -> bool:
    """What is known stays as it is. False also if there are too many cases, or none tells."""
    work = [(known, truth)]
    cases = 0
    while work:
        here, goal = work.pop()
        decided = here.decide(goal)
        if decided:
            continue
        choice = _choice(here, goal) if decided is None else None
        cases += 1
        if choice is None or cases > MOST_CASES:
            return False
        if isinstance(goal, Node) and goal.kind == "and":
            work += [(here, part) for part in goal.parts]  # type: ignore[misc]
            continue
        for holds in (False, True):
            other = here.copy()
            if other.learn(choice, holds):
                work.append((other, goal))
    return True


def _choice(known: Bounds, truth: Truth) -> Node | None:
    """A condition that is still open and decides something in it.

    Of a conjunction the right side may mean nothing where the left one does not hold: it is not looked at before.
    """
    stack: list[object] = [truth]
    while stack:
        top = stack.pop()
        if not isinstance(top, Node):
            continue
        if top.kind == "ite":
            condition = top.parts[0]
            holds = known.met(condition)  # type: ignore[arg-type]
            if holds is None:
                return condition  # type: ignore[return-value]
            stack.append(top.parts[1 if holds else 2])
        elif top.kind == "and":
            left, right = top.parts
            if known.decide(left):  # type: ignore[arg-type]
                stack.append(right)
            else:
                return _choice(known, left) or left  # type: ignore[arg-type, return-value]
        elif top.kind in _LOOKED_INTO:
            stack += reversed(top.parts)
    return None
