"""How long evidence is checked and replayed: real seconds, since both are no part of the search (docs/plans.md)."""

from __future__ import annotations

CHECKING = 60.0
"""Where nobody says otherwise."""
FACTS = 10.0
"""Whether facts are inductive."""
RECURRENT = 30.0
"""Whether a loop need not be left."""
REPLAY = 60.0
"""Compiling a program and running it."""
