"""The Python interface: the same power as the command line, and the same guards."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from sorrel import supervise
from sorrel.budget import LONGEST, Budget
from sorrel.errors import UsageError
from sorrel.options import CHECKERS, OVERFLOWS, Finite, Options
from sorrel.outcome import Outcome
from sorrel.source import Source


def solve(
    source: str | Path,
    *,
    engine: str = "portfolio",
    timeout: float | None = None,
    memory: int | None = None,
    recheck: str = "",
    seed: int = 0,
    seeds: str = "",
    keep_contracts: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Outcome:
    """Prove or refute a system of Horn clauses.

    `source` is the path of an SMT-LIB file, or the text itself (a `str` with a parenthesis in it is text).
    `timeout` is in seconds and `memory` in MiB; both hold even if a solver does not listen. `recheck` names a
    second checker for the evidence, z3 or cvc5. `seeds` are known inductive summaries as text, such as the
    `facts` of an earlier outcome. `options` are the engine's own, as listed by `sorrel engines`.

    The outcome's answer is safe, unsafe or unknown; safe and unsafe only with evidence that was checked
    against the source. Raises `InputError` if the source cannot be read and `UsageError` for a wrong call.
    """
    words = {name: str(value) for name, value in (options or {}).items()}
    wanted = Options(engine, words, _budget(timeout, memory), _checker(recheck), keep_contracts, seed, seeds)
    return supervise.solve(as_source(source), wanted)


def learn(
    source: str | Path,
    *,
    width: int = 32,
    overflow: str = "wrap",
    properties: Sequence[str] = (),
    engine: str = "cdnf",
    timeout: float | None = None,
    memory: int | None = None,
    recheck: str = "",
    seeds: str = "",
    options: Mapping[str, Any] | None = None,
) -> Outcome:
    """Learn summaries of a Boolean program with words of the given width, and prove or refute its properties.

    `properties` come after those of the program; each starts from what the ones before needed. `overflow` is wrap
    or discard. The outcome's `horn` are the clauses that the evidence was checked against.
    """
    if not 1 <= width <= 1024:
        raise UsageError("a word has from 1 to 1024 bits")
    if overflow not in OVERFLOWS:
        raise UsageError(f"overflow is one of: {', '.join(OVERFLOWS)}")
    words = {name: str(value) for name, value in (options or {}).items()}
    finite = Finite(width, overflow, tuple(properties))
    wanted = Options(engine, words, _budget(timeout, memory), _checker(recheck), seeds=seeds, finite=finite)
    return supervise.solve(as_source(source), wanted)


def check(
    source: str | Path,
    certificate: str | Path,
    *,
    timeout: float | None = None,
    memory: int | None = None,
    recheck: str = "",
) -> Outcome:
    """Check a saved certificate against its system; unknown if it is not accepted, with the reason."""
    wanted = Options("check", {}, _budget(timeout, memory), _checker(recheck))
    return supervise.check(as_source(source), as_source(certificate), wanted)


def as_source(source: str | Path) -> Source:
    if not isinstance(source, str | Path) or not str(source):
        raise UsageError("a source is a path or an SMT-LIB text")
    if isinstance(source, str) and "(" in source:
        return Source(text=source)
    return Source(path=str(source))


def _budget(timeout: float | None, memory: int | None) -> Budget:
    if timeout is not None and not 0 < timeout <= LONGEST:
        raise UsageError(f"a time limit is a positive number of seconds, at most {LONGEST:.0f}")
    if memory is not None and memory < 256:
        raise UsageError("a memory limit is at least 256 MiB: the solver alone needs that much")
    return Budget(timeout, memory)


def _checker(name: str) -> str:
    if name and name not in CHECKERS:
        raise UsageError(f"there is no checker {name}; there are: {', '.join(CHECKERS)}")
    return name
