"""A process that looks for contracts: one question to a line on standard input, one answer to a line on standard output.

Nothing that it says is believed. It ends when whoever asks closes its end.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

from sorrel.budget import Budget
from sorrel.errors import SorrelError


def main() -> int:
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # whatever a library prints must not be taken for an answer
    for line in sys.stdin:
        answers.write(json.dumps(answer(json.loads(line))) + "\n")
        answers.flush()
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
    clock = Budget(seconds=question["seconds"]).start()
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
    }


if __name__ == "__main__":
    sys.exit(main())
