"""What would differ from run to run, and must not: the same question takes the same path."""

from __future__ import annotations

import os


def without_chance() -> dict[str, str]:
    """The environment for a process that proves: there sets of texts have the same order in every run."""
    return {**os.environ, "PYTHONHASHSEED": "0"}
