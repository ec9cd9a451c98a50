"""Making types equal, and naming both where that fails."""

from __future__ import annotations

from sorrel.functional.type import Arrow, Flexible, Named, Type, flexible, parts, pruned, rebuilt, shown
from sorrel.model.errors import InputError, Span


class Unifier:
    """Hands out flexible types and links them."""

    def __init__(self) -> None:
        self._count = 0
        self.level = 0

    def fresh(self) -> Flexible:
        self._count += 1
        return Flexible(self._count, self.level)

    def unify(self, found: Type, expected: Type, span: Span, because: str = "") -> None:
        """`because` says what expects the type."""
        if not self._united(found, expected):
            why = f" {because}" if because else ""
            raise InputError(f"this has type {shown(found)}, but {shown(expected)} is expected{why}", span)

    def unifiable(self, left: Type, right: Type) -> bool:
        return self._united(left, right)

    def lower(self, type: Type) -> None:
        """What is open in the type belongs to the definition around: it is not generalised here."""
        for variable in flexible(type):
            variable.level = min(variable.level, self.level)

    def _united(self, left: Type, right: Type) -> bool:
        left, right = pruned(left), pruned(right)
        if left is right:
            return True
        if isinstance(left, Flexible):
            return self._linked(left, right)
        if isinstance(right, Flexible):
            return self._linked(right, left)
        if type(left) is not type(right) or len(parts(left)) != len(parts(right)):
            return False
        if isinstance(left, Named) and isinstance(right, Named) and left.name != right.name:
            return False
        if isinstance(left, Arrow) and isinstance(right, Arrow) and left.label != right.label:
            return False
        if not parts(left):
            return left == right
        return all(self._united(a, b) for a, b in zip(parts(left), parts(right), strict=True))

    def _linked(self, variable: Flexible, type: Type) -> bool:
        for inside in flexible(type):
            if inside is variable:
                return False
            inside.level = min(inside.level, variable.level)
        variable.link = type
        return True

    def instance(self, type: Type, quantified: tuple[int, ...]) -> tuple[Type, tuple[Type, ...]]:
        """The type with fresh variables in place of the quantified ones, and these."""
        fresh: dict[int, Type] = {number: self.fresh() for number in quantified}
        return _renamed(type, fresh), tuple(fresh.values())

    def generalised(self, types: list[Type]) -> tuple[int, ...]:
        """The variables that belong to the definition that was just left."""
        own = (variable.number for type in types for variable in flexible(type) if variable.level > self.level)
        return tuple(dict.fromkeys(own))


def _renamed(type: Type, fresh: dict[int, Type]) -> Type:
    type = pruned(type)
    if isinstance(type, Flexible):
        return fresh.get(type.number, type)
    inner = parts(type)
    return rebuilt(type, [_renamed(part, fresh) for part in inner]) if inner else type
