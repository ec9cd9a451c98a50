"""The header that programs include to tell Sorrel what is public: `#include <sorrel.h>`."""

from __future__ import annotations

from pathlib import Path

FOLDER = str(Path(__file__).parent)
ARGUMENTS = ("-idirafter", FOLDER, "-D__SORREL__=1")
"""What a compiler is told so that it finds the header, and with it functions in place of nothing."""
