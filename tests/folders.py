"""Where the project's files are, for tests at any depth."""

from __future__ import annotations

from pathlib import Path

TESTS = Path(__file__).parent
CORPUS = TESTS / "corpus"  # small examples with known verdicts
ROOT = TESTS.parent
EXAMPLES = ROOT / "examples"
PROGRAMS = ROOT / "bench" / "programs"
DOCUMENTS = ROOT / "docs"
