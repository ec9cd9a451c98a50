"""Contracts that are too long for a line, in files of their own that are called after their content."""

from __future__ import annotations

import errno
import hashlib
import os
import re
import tempfile
from collections.abc import Iterable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from sorrel.model.values import dataclass
from sorrel.store.block import Block, Damaged

LONG = 4096
"""Bytes of a contract that stands in the block itself."""
MOST_BYTES = 64 << 20
_FILE = "file:"
_NAME = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class Large:
    """The folder beside a store."""

    folder: Path

    @staticmethod
    def beside(path: Path) -> Large:
        return Large(path.with_name(f"{path.name}.d"))

    def deflated(self, block: Block) -> Block:
        """The block with a name in place of a long contract, which is then on the disk."""
        text = "\n".join(block.contract)
        if len(text) <= LONG:
            return block
        name = hashlib.sha256(text.encode()).hexdigest()
        target = self.folder / f"{name}.smt2"
        if not target.exists():
            if self.folder.is_symlink():  # a stranger's, and then what it leads to is not ours to write to
                raise OSError(errno.ELOOP, "the folder for long contracts is a link")
            self.folder.mkdir(exist_ok=True)
            handle, temporary = tempfile.mkstemp(prefix=".", suffix=".tmp", dir=self.folder)
            with os.fdopen(handle, "wb") as file:
                file.write(text.encode())
                file.flush()
                os.fsync(file.fileno())
            os.replace(temporary, target)
        return replace(block, contract=(f"{_FILE}{name}",))

    def inflated(self, block: Block) -> Block:
        """The block with its contract; raises Damaged if that is not there or is another."""
        if len(block.contract) != 1 or not block.contract[0].startswith(_FILE):
            return block
        name = block.contract[0].removeprefix(_FILE)
        if not _NAME.fullmatch(name):
            raise Damaged("it names a file that cannot be one of ours")
        try:
            file = self.folder / f"{name}.smt2"
            if not file.is_file() or file.stat().st_size > MOST_BYTES:
                raise Damaged("its contract is not there, or is too long")
            content = file.read_bytes()
        except OSError as problem:
            raise Damaged(f"its contract cannot be read: {problem.strerror}") from None
        if hashlib.sha256(content).hexdigest() != name:
            raise Damaged("its contract, in a file of its own, was changed")
        return replace(block, contract=tuple(content.decode(errors="replace").split("\n")))

    def sweep(self, blocks: Iterable[Block]) -> None:
        """Remove what no block names any more, of files that can be ours."""
        if not self.folder.is_dir() or self.folder.is_symlink():
            return
        texts = ("\n".join(block.contract) for block in blocks)
        kept = {f"{hashlib.sha256(text.encode()).hexdigest()}.smt2" for text in texts if len(text) > LONG}
        for file in self.folder.glob("*.smt2"):
            if file.name not in kept and _NAME.fullmatch(file.stem):
                with suppress(OSError):
                    file.unlink()
        with suppress(OSError):
            self.folder.rmdir()
