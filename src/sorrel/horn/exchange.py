"""Facts that travel between methods: what one has proved inductive, others may start from."""

from __future__ import annotations

from typing import Protocol

from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries


class Exchange(Protocol):
    def tell(self, system: HornSystem, facts: Summaries) -> None:
        """These facts are inductive for the system, together."""

    def known(self, system: HornSystem) -> Summaries:
        """What others have told of the same clauses, checked; nothing if there is nothing."""


class Alone:
    """There is nobody to talk to."""

    def tell(self, system: HornSystem, facts: Summaries) -> None:
        pass

    def known(self, system: HornSystem) -> Summaries:
        return {}


ALONE = Alone()
