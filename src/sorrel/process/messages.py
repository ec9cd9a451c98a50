"""What processes say to each other: JSON, one message to a line, and failures as data."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sorrel.model.errors import InputError, UsageError

Message = dict[str, Any]


def lines_of(data: bytes) -> tuple[list[Message], bytes]:
    """The messages that are complete, and what is left of the next one."""
    *lines, rest = data.split(b"\n")
    return [json.loads(line) for line in lines], rest


def guarded(work: Callable[[], Message]) -> Message:
    """The outcome of some work as a message, or how it failed."""
    try:
        return {"outcome": work()}
    except (InputError, UsageError) as problem:
        kind = "input" if isinstance(problem, InputError) else "usage"
        return _error(kind, str(problem))
    except MemoryError:
        return _error("memory", "the memory limit was reached")
    except Exception as problem:
        import traceback  # and what it loads in turn: for mistakes alone

        kind = "memory" if "out of memory" in str(problem).lower() else "internal"
        return _error(kind, "".join(traceback.format_exception(problem)))


def _error(kind: str, message: str) -> Message:
    return {"error": {"kind": kind, "message": message}}


def failure_of(error: dict[str, str]) -> InputError | UsageError:
    """What another process raised, to be raised here."""
    return (InputError if error["kind"] == "input" else UsageError)(error["message"])
