"""Modules of Python that are loaded when something is first asked of them, in processes that are ours alone.

`dataclasses` needs `inspect` only to describe classes that do not say what they are. With what `inspect` loads in
turn, it is a tenth of what a command loads.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType

TYPE_CHECKING = False
if TYPE_CHECKING:  # typing is not loaded for this
    from typing import Any


def postpone(name: str) -> None:
    """Before anyone imports it."""
    sys.modules.setdefault(name, _Postponed(name))


class _Postponed(ModuleType):
    """In the place of a module; it becomes the module for whoever imported it before it was asked for anything."""

    def __getattr__(self, name: str) -> Any:
        if sys.modules.get(self.__name__) is self:
            del sys.modules[self.__name__]
        real = import_module(self.__name__)
        self.__dict__.update(vars(real))
        return getattr(real, name)
