"""Parameters of z3 that a script sets: of the whole process, if nobody sets them back."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager

import z3


@contextmanager
def restored(names: Iterable[str]) -> Iterator[None]:
    """Afterwards these are as they were: a limit of one question must not be one of all questions after it."""
    before = {name: z3.get_param(name) for name in names}
    try:
        yield
    finally:
        for name, value in before.items():
            z3.set_param(name, value)
