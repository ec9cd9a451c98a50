"""Variables of a source text as the text names them, and where a run keeps their values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class VisibleGlobal:
    """All numbers of one kind in a variable of a file, row by row.

    `parts` is how C writes one: a name, lengths of arrays, and members, such as ("table", 3, ".row", 4) for
    table[i].row[j]. `variable` holds them: from `first` on, or alone if `first` is None.
    """

    file: str
    parts: tuple[str | int, ...]
    variable: str
    first: int | None

    @property
    def count(self) -> int:
        count = 1
        for part in self.parts:
            count *= part if isinstance(part, int) else 1
        return count
