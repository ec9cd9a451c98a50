"""The Python interface: the same power as the command line, and the same guards."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import LONGEST, Budget
from sorrel.model.errors import UsageError
from sorrel.model.options import CHECKERS, Finite, Options
from sorrel.model.outcome import Outcome
from sorrel.model.source import Source
from sorrel.process import supervise
from sorrel.process.cancellation import Cancellation
from sorrel.process.request import Reading, finite_request, request, summary_request

Progress = Callable[[str, dict[str, Any]], None]


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
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
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
    return supervise.solve(as_source(source), wanted, progress or _quietly, cancellation)


def _quietly(_method: str, _news: dict[str, Any]) -> None:
    pass


def learn(
    source: str | Path,
    *,
    width: int = 32,
    overflow: str = "wrap",
    properties: Sequence[str] = (),
    function: str = "",
    data_model: str = "",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    engine: str = "cdnf",
    timeout: float | None = None,
    memory: int | None = None,
    recheck: str = "",
    seeds: str = "",
    options: Mapping[str, Any] | None = None,
) -> Outcome:
    """Learn summaries of a program with words of the given width, and prove or refute its properties.

    The program is a Boolean program, or C if `function` names one of its functions: then no integer type is wider than
    `width`, and `data_model`, `include` and `define` are as for `verify`. `properties` come after those of the program;
    each starts from what the ones before needed. `overflow` is wrap or discard. The outcome's `horn` are the clauses
    that the evidence was checked against.
    """
    found = as_source(source)
    asked = Finite(width, overflow, tuple(properties), function, data_model, tuple(include), tuple(define))
    finite = finite_request([found], asked)
    words = {name: str(value) for name, value in (options or {}).items()}
    wanted = Options(engine, words, _budget(timeout, memory), _checker(recheck), seeds=seeds, finite=finite)
    return supervise.solve(found, wanted)


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


def verify(
    source: str | Path | Source | Sequence[str | Path],
    *,
    property: str = "",
    spec: str = "",
    composition: str = "",
    public: Sequence[str] = (),
    secret: Sequence[str] = (),
    data_model: str = "",
    arith: str = "auto",
    function: str = "",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    standard: str = "",
    forced: Sequence[str] = (),
    library: Sequence[str] = (),
    malloc_may_fail: bool = False,
    engine: str = "portfolio",
    timeout: float | None = None,
    memory: int | None = None,
    recheck: str = "",
    replay: bool = False,
    horn: bool = False,
    seed: int = 0,
    strict: bool = False,
    assuming: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Outcome:
    """Prove or refute a property of a C program.

    `source` is the path of a C file, of several that make one program, of an SV-COMP task file (.yml), C text (a
    `str` with a brace in it is text), or a `Source`: a text with the path that it is to be saved
    under. `property` is what to check (assertions if it is not given) or a property file; a task file with several
    properties needs it. `function` is verified for all its inputs, in place of main.
    `spec` is a law about several runs of the function: its name, that of one in a comment, or a file.
    `composition` says how several runs meet: naive, lockstep or modular. `public` and `secret` name inputs for
    information flow: parameters, or functions that return inputs; if secrets are named, everything else is public.
    Options are named as on the command line; `include`, `define`, `standard` and `forced` are -I, -D, -std, -include.
    `replay` compiles and runs the counterexample of an unsafe program. `horn` asks for the clauses that the outcome's
    certificate is about, so that `check` or another tool can look at both.

    The outcome's answer is safe, safe-assuming, unsafe or unknown. The assumptions of the proof are in
    `assumptions`, each with its standing; `strict` wants nothing that is open to be assumed, `assuming` names kinds
    (`AssumptionKind`) that you vouch for. `progress` is called with the name of a method and its news; `cancellation`
    ends the question from another thread. Safe comes with contracts of functions and loops that were
    checked, unsafe with a run that the interpreter repeats. Raises `InputError` if the source cannot be read and
    `UsageError` for a wrong call.
    """
    asked = request(
        _program_sources(source),
        goal=property,
        data_model=data_model,
        arithmetic=arith,
        include=include,
        define=define,
        function=function,
        specification=spec,
        composition=composition,
        public=public,
        secret=secret,
        reading=Reading(standard, tuple(forced), tuple(library), failing_allocation=malloc_may_fail),
    )
    if len(asked.tasks) != 1:
        names = ", ".join(task.specification or str(task.goal) for task in asked.tasks) or "none that is supported"
        raise UsageError(f"this selects several properties or none ({names}); name one with property")
    words = {name: str(value) for name, value in (options or {}).items()}
    limits = _budget(timeout, memory)
    wanted = Options(engine, words, limits, _checker(recheck), seed=seed, replay=replay, horn=horn)
    wanted = replace(wanted, strict=strict, assuming=tuple(map(str, map(_assumption_kind, assuming))))
    outcome = supervise.verify(asked.tasks[0], wanted, progress or _quietly, cancellation)
    return replace(outcome, notes=(*asked.notes, *outcome.notes))


def _assumption_kind(word: str) -> AssumptionKind:
    try:
        return AssumptionKind(word)
    except ValueError:
        raise UsageError(f"there is no assumption {word}; there are: {', '.join(AssumptionKind)}") from None


def summarize(
    source: str | Path | Source | Sequence[str | Path],
    *,
    data_model: str = "",
    function: str = "",
    include: Sequence[str] = (),
    define: Sequence[str] = (),
    flow: bool = False,
    timeout: float | None = None,
    memory: int | None = None,
    progress: Progress | None = None,
    cancellation: Cancellation | None = None,
) -> Outcome:
    """Contracts of the functions and loops of a C program, whatever is asked of them: `program_contracts`.

    With `flow` they say on which inputs results depend. `progress` and `cancellation` are as in `verify`.
    """
    task = summary_request(
        _program_sources(source),
        data_model=data_model,
        include=include,
        define=define,
        function=function,
        flow=flow,
    )
    options = Options(budget=_budget(timeout, memory), flow=flow)
    return supervise.summarize(task, options, progress or _quietly, cancellation)


def _program_sources(source: str | Path | Source | Sequence[str | Path]) -> list[Source]:
    if isinstance(source, Source):
        return [source]
    if isinstance(source, str) and "{" in source:
        return [Source(text=source)]
    paths = [source] if isinstance(source, str | Path) else list(source)
    if not paths or not all(isinstance(path, str | Path) and str(path) for path in paths):
        raise UsageError("a program is the path of a C file, several such paths, or C text")
    return [Source(str(path)) for path in paths]


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
