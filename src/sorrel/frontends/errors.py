"""What is in the language, but not ours."""

from __future__ import annotations

from sorrel.errors import InputError, Span


class Unsupported(InputError):
    """A construct, reachable from the entry, that has no meaning here yet: the answer is unknown, never a guess."""

    def __init__(self, construct: str, span: Span, hint: str = "") -> None:
        super().__init__(f"{construct}: not supported", span, hint=hint)
        self.construct = construct
