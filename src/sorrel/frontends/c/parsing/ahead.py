"""Bodies of functions that copies of this process read while it reads others, before they are asked for.

A copy has the units as the parser made them, at the same addresses. It sends the trees; what stands in them for
something that this process knows as well is sent as an address: what the parser keeps a declaration under. Whatever
cannot be sent so is not, and is read here when it is asked for, like everything else that no copy has told by then:
nobody waits for one.
"""

from __future__ import annotations

import io
import os
import pickle
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import fields
from functools import partial
from operator import attrgetter
from typing import Any, BinaryIO, TypeAlias

from sorrel.frontends.c.beside import copied, end
from sorrel.frontends.c.syntax import Compound, Node
from sorrel.frontends.c.types import TRUTH, VARIABLE_ARGUMENTS, VOID, CType, Record
from sorrel.model.errors import InternalError, Span
from sorrel.model.values import dataclass

_ALONE: tuple[CType, ...] = (VOID, TRUTH, VARIABLE_ARGUMENTS)
"""There is one of each, and some are told by that."""
_DEPTH = 4000
"""Of what is sent: writing it uses the machine's stack. Deeper trees are read here."""


class Symbol(int):
    """What a copy has in place of the number of a declaration."""


@dataclass(frozen=True, slots=True)
class Sent:
    """A body as it comes from a copy; `keys` are the declarations that it mentions, in the order of reading."""

    data: bytes
    keys: tuple[int, ...]
    volatile: bool


def _declared(key: int) -> int:
    """In what is sent: the number of a declaration."""
    raise InternalError(f"nobody says what {key} is")


def _record(cursor: bytes) -> Record:
    """In what is sent: a structure or union that is declared there."""
    raise InternalError(f"nobody says what {cursor!r} is")


def _alone(position: int) -> CType:
    return _ALONE[position]


class Sender(pickle.Pickler):
    """`keys`: what the parser keeps a declaration under, by the copy's number; `records`: their cursors, by id."""

    def __init__(self, file: io.BytesIO, keys: Mapping[int, int], records: Mapping[int, bytes]) -> None:
        super().__init__(file, pickle.HIGHEST_PROTOCOL)
        self._keys = keys
        self._records = records

    def reducer_override(self, value: Any) -> Any:
        kind = type(value)
        parts = _PARTS.get(kind)
        if parts is not None:
            return kind, parts(value)
        if kind is Symbol:
            return _declared, (self._keys[value],)
        if kind is Record:
            return _record, (self._records[id(value)],)
        for position, each in enumerate(_ALONE):
            if value is each:
                return _alone, (position,)
        if issubclass(kind, Node | Span):
            # By the way that it was made, which takes half the time of what classes that are frozen do on their own.
            names = [each.name for each in fields(kind)]
            parts = _PARTS[kind] = attrgetter(*names) if len(names) > 1 else lambda node: (getattr(node, names[0]),)
            return kind, parts(value)
        return NotImplemented


_PARTS: dict[type[Any], Callable[[Any], Any]] = {}
"""What a value of a class is made of, for the classes that are frequent."""


class Receiver(pickle.Unpickler):
    def __init__(self, data: bytes, symbol: Callable[[int], int], record: Callable[[bytes], Record]) -> None:
        super().__init__(io.BytesIO(data))
        self._own = {_declared.__name__: symbol, _record.__name__: record}

    def find_class(self, module: str, name: str) -> Any:
        return self._own[name] if module == __name__ and name in self._own else super().find_class(module, name)


def sent(body: Compound, keys: Mapping[int, int], records: Mapping[int, bytes]) -> bytes | None:
    """The body for another process; None if it holds something that only this one has."""
    file = io.BytesIO()
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(_DEPTH)
    try:
        Sender(file, keys, records).dump(body)
    except (RecursionError, pickle.PicklingError, TypeError, ValueError, AttributeError):
        return None
    finally:
        sys.setrecursionlimit(before)
    return file.getvalue()


Bodies: TypeAlias = dict[int, Sent]
"""Of one unit, by the positions of their functions."""


class Copies:
    """Each reads the bodies of its share of the units, the last first: this process begins with the first."""

    def __init__(self, units: int, count: int, bodies: Callable[[int], Bodies]) -> None:
        """`bodies` says what a unit has, by its position, in a copy."""
        self._running: dict[int, _Stream] = {}
        last_first = range(units - 1, -1, -1)
        for start in range(min(count, units)):
            made = copied(partial(_tell, last_first[start::count], bodies))
            if made is not None:
                process, reading = made
                self._running[process] = _Stream(reading)

    def told(self) -> Iterator[tuple[int, Bodies]]:
        """What was told since, by the positions of units."""
        for process, stream in list(self._running.items()):
            yield from stream.told()
            if stream.is_over:
                self._end(process)

    def end(self) -> None:
        for process in list(self._running):
            self._end(process)

    def _end(self, process: int) -> None:
        self._running.pop(process).close()
        end(process)


class _Stream:
    """Messages of a copy, as far as they have come; one that is cut off is none."""

    def __init__(self, place: int) -> None:
        os.set_blocking(place, False)
        self._place = place
        self._unread = bytearray()
        self.is_over = False

    def told(self) -> Iterator[tuple[int, Bodies]]:
        with suppress(BlockingIOError):
            while not self.is_over:
                data = os.read(self._place, _CHUNK)
                self._unread += data
                self.is_over = not data
        while len(self._unread) >= _SIZE:
            end = _SIZE + int.from_bytes(self._unread[:_SIZE], "big")
            if len(self._unread) < end:
                return
            message: tuple[int, Bodies] = pickle.loads(self._unread[_SIZE:end])
            del self._unread[:end]
            yield message

    def close(self) -> None:
        os.close(self._place)


_SIZE = 8
_CHUNK = 1 << 20


def _tell(positions: Sequence[int], bodies: Callable[[int], Bodies], place: BinaryIO) -> None:
    for position in positions:
        message = pickle.dumps((position, bodies(position)))
        place.write(len(message).to_bytes(_SIZE, "big") + message)
        place.flush()
