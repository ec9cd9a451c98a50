"""Writing down what is found while the rest is still looked for."""

from __future__ import annotations

import time
from collections.abc import Container, Mapping
from dataclasses import field
from pathlib import Path

from sorrel.model.values import dataclass
from sorrel.store.block import Block, Key
from sorrel.store.lockfile import Contents, NotStored, write

STORING_SECONDS = 1.0  # real ones
"""How often that is done at most: the whole file is written each time."""


@dataclass(slots=True)
class Keeper:
    """`contents` is what was there at the start; `problems` say why something is not stored."""

    path: Path
    contents: Contents
    problems: list[str] = field(default_factory=list)
    _written: dict[Key, Block | None] = field(default_factory=dict)
    _last: float = 0.0

    def keep(self, blocks: Mapping[Key, Block], *, now: bool = False) -> None:
        """Those that are not there yet, if it is time; what was kept is on the disk when this returns."""
        if now or time.monotonic() - self._last >= STORING_SECONDS:
            self._write({key: block for key, block in blocks.items() if not self._is_there(key, block)})
            self._last = time.monotonic()

    def forget(self, about: Container[str], kept: Container[Key]) -> None:
        """Blocks of components that are no longer there; those about other questions stay."""
        self._write({key: None for key in self.contents.blocks if key[1] in about and key not in kept})

    def _is_there(self, key: Key, block: Block) -> bool:
        return self._written.get(key) == block or (
            key not in self._written and self.contents.blocks.get(key) == [block]
        )

    def _write(self, changes: Mapping[Key, Block | None]) -> None:
        if not changes:
            return
        try:
            write(self.path, changes)
            self._written.update(changes)
        except NotStored as problem:
            if str(problem) not in self.problems:
                self.problems.append(str(problem))
