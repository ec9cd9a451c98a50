"""Loading z3 without what it loads to find its own library.

z3's interface asks `importlib.resources` for the folder that it lies in, which loads archives, temporary folders,
random numbers and addresses of the web: a tenth of what a worker loads before its first question. While z3 is loaded
here, the answer comes from where it was found.
"""

from __future__ import annotations

import os
import sys
from contextlib import nullcontext
from importlib import import_module
from types import ModuleType

RESOURCES = "importlib.resources"


def load_solver() -> None:
    """If z3 asks for more than was foreseen, it is loaded in its own way."""
    if "z3" in sys.modules or RESOURCES in sys.modules:
        return
    sys.modules[RESOURCES] = _StandIn(RESOURCES)
    try:
        import_module("z3")
    except Exception:
        for name in [each for each in sys.modules if each.partition(".")[0] == "z3"]:
            del sys.modules[name]
    finally:
        del sys.modules[RESOURCES]


class _StandIn(ModuleType):
    """What z3 needs of `importlib.resources`: of a package that lies in a folder."""

    @staticmethod
    def files(package: str) -> _Folder:
        return _Folder(sys.modules[package].__path__[0])

    @staticmethod
    def as_file(path: str) -> nullcontext[str]:
        return nullcontext(path)


class _Folder(str):
    __slots__ = ()

    def joinpath(self, name: str) -> str:
        return os.path.join(self, name)
