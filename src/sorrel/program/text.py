"""The text form of programs (docs/program.md): what is written can be read back as the same program."""

from __future__ import annotations

from sorrel.program.reading import read
from sorrel.program.writing import write, write_expression, write_step

__all__ = ["read", "write", "write_expression", "write_step"]
