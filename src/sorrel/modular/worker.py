"""A process that looks for contracts: a question to a line on standard input, an answer to a line on standard output.

Nothing that it says is believed. It ends when whoever asks closes its end.
"""

from __future__ import annotations

import json
import os
import queue
import sys
import threading
from typing import TYPE_CHECKING, Any, NoReturn

from sorrel.model.budget import Budget, Clock
from sorrel.model.errors import SorrelError
from sorrel.modular.pool import SLOWEST

if TYPE_CHECKING:
    from sorrel.horn.system import HornSystem


def main() -> NoReturn:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not be taken for an answer
    lines: queue.SimpleQueue[str] = queue.SimpleQueue()
    threading.Thread(target=_listen, args=(lines,), daemon=True).start()
    while True:
        answers.write(json.dumps(answer(json.loads(lines.get()))) + "\n")
        answers.flush()


def _listen(lines: queue.SimpleQueue[str]) -> None:
    """Whoever asked may be gone while we search: then nobody wants to know."""
    for line in sys.stdin:
        lines.put(line)
    os._exit(0)


def answer(question: dict[str, Any]) -> dict[str, Any]:
    """What was found, as text; a question that cannot be read or costs too much is answered with the reason."""
    try:
        return _found(question)
    except MemoryError:
        return {"reason": "the memory limit was reached"}
    except SorrelError as problem:
        return {"reason": str(problem)}
    except Exception as problem:
        if "out of memory" in str(problem).lower():
            return {"reason": "the memory limit was reached"}
        return {"reason": f"the search failed: {type(problem).__name__}: {problem}"}


def _found(question: dict[str, Any]) -> dict[str, Any]:
    from sorrel.frontends import smtlib
    from sorrel.horn.text import Facts, read_certificate, write_derivation, write_summaries
    from sorrel.modular.finding import find_contract, find_proof

    system = smtlib.read_text(question["system"], "question")
    seconds = question["seconds"]
    clock = Budget(seconds=SLOWEST * seconds).start().share(1.0, at_most=seconds)
    if question["kind"] == "ranks":
        return _ranks(system, clock)
    if question["kind"] == "contract":
        found = find_contract(system, clock)
    else:
        seeds = read_certificate(system, question["seeds"], "seeds") if question["seeds"] else Facts({})
        found = find_proof(system, clock, seeds.summaries if isinstance(seeds, Facts) else {})
    return {
        "summaries": write_summaries(system, found.summaries, "facts"),
        "settled": found.settled,
        "derivation": write_derivation(system, found.derivation) if found.derivation else "",
        "reason": str(found.reason or ""),
        "exact": found.exact,
    }


def _ranks(system: HornSystem, clock: Clock) -> dict[str, Any]:
    from sorrel.horn.text import write_ranks
    from sorrel.logic import terms
    from sorrel.modular.ranking import find_ranks

    ranks, settled = find_ranks(system, clock)
    nothing = {each.name: terms.TRUE for each in system.predicates}
    return {"ranks": write_ranks(system, nothing, ranks), "settled": settled}


if __name__ == "__main__":
    main()
