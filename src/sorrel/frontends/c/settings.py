"""What the reader of C has to be told."""

from __future__ import annotations

from enum import StrEnum

from sorrel.model.property import Property
from sorrel.model.task import Task
from sorrel.model.values import dataclass

LASTING_WAITS = "SORREL_LASTING_WAITS"
"""What a header asks for: whether waits end by signals alone, for those who ask whether they end."""


class DataModel(StrEnum):
    """How wide `int`, `long` and pointers are: 32/32/32 or 32/64/64 bits. `char` is signed in both."""

    ILP32 = "ILP32"
    LP64 = "LP64"

    @property
    def target(self) -> str:
        """The machine that the compiler is asked to read for."""
        return "i386-linux-gnu" if self is DataModel.ILP32 else "x86_64-linux-gnu"


@dataclass(frozen=True, slots=True)
class CSettings:
    """`include` and `define` are what -I and -D take; `function` is what is verified, for all inputs unless `main`.

    `standard` is the version of C (empty: GNU C17), `forced` are headers that are read before each file, as -include
    does; `library` are files with bodies for functions that no file of the program defines. With `entries` there are
    several functions: a run chooses one of them and calls it with any inputs. `failing_allocation`: malloc, calloc and
    realloc may return null. `races`: every access to an atomic object is an atomic section of its own, so that it can
    be told from others. `unset`: it is said which variables start without a value.
    """

    data_model: DataModel = DataModel.ILP32
    include: tuple[str, ...] = ()
    define: tuple[str, ...] = ()
    function: str = "main"
    entries: tuple[str, ...] = ()
    standard: str = ""
    forced: tuple[str, ...] = ()
    library: tuple[str, ...] = ()
    failing_allocation: bool = False
    races: bool = False
    unset: bool = False

    @staticmethod
    def of(task: Task) -> CSettings:
        """How a task wants its sources to be read."""
        return CSettings(
            DataModel(task.data_model),
            task.include,
            (*task.define, LASTING_WAITS) if task.goal is Property.NO_DEADLOCK else task.define,
            task.function,
            standard=task.standard,
            forced=task.forced,
            library=task.library,
            failing_allocation=task.failing_allocation,
            races=task.goal is Property.NO_DATA_RACE,
            unset=task.goal is Property.NO_UNINITIALISED_READ,
        )

    @property
    def starts(self) -> tuple[str, ...]:
        """The functions that runs may start with."""
        return self.entries or (self.function,)

    @property
    def is_from_outside(self) -> bool:
        """Whether runs start with a call by somebody who is not part of the program."""
        return self.starts != ("main",)
