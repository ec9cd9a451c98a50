"""A project is proved from what is stored, from what is found, and by nothing that was not checked."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from sorrel.model.property import Property
from sorrel.modular.inquiry import Inquiry, inquire
from sorrel.modular.pool import Answer, Question
from sorrel.modular.reading import read
from sorrel.modular.showing import with_contracts
from sorrel.modular.worker import answer as honest
from sorrel.project.result import Source, Verdict
from sorrel.project.settings import Limits, Settings
from sorrel.project.sources import sources
from sorrel.store.block import Block, Claim
from sorrel.store.lockfile import Contents

PROGRAM = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int clamp(int x) {{ if (x < 0) return 0; if (x > {high}) return {high}; return x; }}
int twice(int x) {{ int r = clamp(x) + clamp(x); assert(r >= 0); return r; }}
int main(void) {{ int r = twice(__VERIFIER_nondet_int()); assert(r <= 20); return 0; }}
"""


class Here:
    """Answers in this process; `lie` may change what is said."""

    def __init__(self, lie: Any = None) -> None:
        self._waiting: list[tuple[str, Question]] = []
        self._lie = lie
        self.asked = 0
        self.kinds: set[str] = set()

    @property
    def running(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self._waiting)

    def submit(self, name: str, question: Question) -> None:
        self.asked += 1
        self.kinds.add(question["kind"])
        self._waiting.append((name, json.loads(json.dumps(question))))

    def answers(self) -> Iterator[tuple[str, Answer]]:
        while self._waiting:
            name, question = self._waiting.pop(0)
            found = honest(question)
            yield name, self._lie(found) if self._lie else found

    def close(self) -> None: ...


def project(folder: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> Settings:
    (folder / "a.c").write_text(text)
    monkeypatch.chdir(folder)
    return Settings(str(folder), ("a.c",), limits=Limits(seconds=5))


def asked(settings: Settings, contents: Contents, workers: Here | None) -> Inquiry:
    inquiry = inquire(Property.ASSERTIONS, settings, read(settings, sources(settings)), contents)
    inquiry.prove(workers, lambda _: None, lambda: False, lambda: None)
    return inquiry


def verdicts(inquiry: Inquiry) -> dict[str, Verdict]:
    return {name: result.verdict for name, result in inquiry.results.items()}


def stored(inquiry: Inquiry) -> Contents:
    return Contents({key: [block] for key, block in inquiry.blocks.items()})


PROVED = {"clamp": Verdict.PROVED, "twice": Verdict.PROVED, "main": Verdict.PROVED}


def test_what_is_found_is_stored_and_checked_without_a_search(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, PROGRAM.format(high=10), monkeypatch)
    first = asked(settings, Contents(), Here())
    assert verdicts(first) == PROVED
    again = asked(settings, stored(first), None)
    assert verdicts(again) == PROVED
    assert {result.source for result in again.results.values()} == {Source.STORED}


def test_a_function_of_which_nothing_is_to_be_said_is_stored_and_checked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = "extern int any(void);\nint f(void) { return any(); }\nint main(void) { return f() > 0; }\n"
    first = asked(project(tmp_path, text, monkeypatch), Contents(), Here())
    again = asked(project(tmp_path, text, monkeypatch), stored(first), None)
    assert verdicts(again) == verdicts(first) == {"f": Verdict.PROVED, "main": Verdict.PROVED}
    assert again.misfits == []


def test_a_comment_leaves_nothing_to_do(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(project(tmp_path, PROGRAM.format(high=10), monkeypatch), Contents(), Here())
    workers = Here()
    text = "/* more\n lines */\n" + PROGRAM.format(high=10)
    assert verdicts(asked(project(tmp_path, text, monkeypatch), stored(first), workers)) == PROVED
    assert workers.asked == 0


def test_an_edit_that_keeps_the_contract_proves_one_component(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(project(tmp_path, PROGRAM.format(high=10), monkeypatch), Contents(), Here())
    workers = Here()
    text = PROGRAM.format(high=10).replace("if (x < 0) return 0;", "if (x <= 0) return 0;")
    after = asked(project(tmp_path, text, monkeypatch), stored(first), workers)
    assert verdicts(after) == PROVED
    assert workers.asked <= 1


def test_an_edit_that_breaks_a_caller_is_refuted_with_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(project(tmp_path, PROGRAM.format(high=10), monkeypatch), Contents(), Here())
    after = asked(project(tmp_path, PROGRAM.format(high=11), monkeypatch), stored(first), Here())
    assert verdicts(after)["main"] is Verdict.REFUTED
    assert after.results["main"].values
    checked = asked(project(tmp_path, PROGRAM.format(high=11), monkeypatch), stored(after), None)
    assert verdicts(checked)["main"] is Verdict.REFUTED


def test_what_was_changed_since_is_said(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    first = asked(project(tmp_path, PROGRAM.format(high=10), monkeypatch), Contents(), Here())
    after = asked(project(tmp_path, PROGRAM.format(high=12), monkeypatch), stored(first), None)
    assert verdicts(after)["main"] is Verdict.UNKNOWN
    assert any(line.startswith("a.c:clamp: changed since") for line in after.misfits)
    assert any("callee is weaker" in line for line in after.misfits)


def test_a_forged_contract_is_named_and_not_believed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, PROGRAM.format(high=11), monkeypatch)
    known = asked(settings, Contents(), Here())
    forged = stored(known)
    for key, (block,) in list(forged.blocks.items()):
        if key[0].endswith("clamp"):
            text = "(define-fun clamp ((a0 Int) (a1 Int)) Bool (and (<= 0 a1) (<= a1 10)))"
            forged.blocks[key] = [Block(block.id, block.about, block.clauses, block.callees, Claim.PROVED, (text,))]
        if key[0].endswith("runs of main"):
            forged.blocks[key] = [Block(block.id, block.about, block.clauses, block.callees, Claim.PROVED)]
    checked = asked(settings, forged, None)
    assert verdicts(checked)["main"] is Verdict.UNKNOWN
    assert any(line.startswith("a.c:clamp: the certificate is wrong") for line in checked.misfits)


def liars() -> list[Any]:
    chance = random.Random(3)

    def false(answer: Answer) -> Answer:
        text = answer.get("summaries", "").replace("Bool ", "Bool (and false ").replace(")\n", "))\n")
        return {**answer, "summaries": text, "settled": True}

    def nonsense(_: Answer) -> Answer:
        return {"summaries": "(define-fun", "settled": True, "derivation": "(step 0", "exact": True}

    def settled(answer: Answer) -> Answer:
        return {**answer, "settled": True, "exact": True}

    def unsafe(answer: Answer) -> Answer:
        steps = "(set-info :sorrel-certificate unsafe)\n(step 0 |main#0| () ())"
        return {**answer, "settled": False, "derivation": steps}

    def strange(answer: Answer) -> Answer:
        return {name: chance.choice([None, 7, [], {}, value]) for name, value in answer.items()}

    return [false, nonsense, settled, unsafe, strange]


@pytest.mark.parametrize("lie", liars(), ids=lambda lie: lie.__name__)
@pytest.mark.parametrize("high", [10, 11])
def test_who_lies_can_cost_time_and_never_a_verdict(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lie: Any, high: int
) -> None:
    settings = project(tmp_path, PROGRAM.format(high=high), monkeypatch)
    found = verdicts(asked(settings, Contents(), Here(lie)))
    if high == 10:
        assert Verdict.REFUTED not in found.values()
    else:
        assert found["main"] is not Verdict.PROVED


def test_contracts_of_a_project_are_shown_in_the_users_syntax(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = (
        "#include <assert.h>\nint half(int n) { assert(n >= 0); return n / 2; }\nint main(void) { return half(8); }\n"
    )
    inquiry = asked(project(tmp_path, text, monkeypatch), Contents(), Here())
    (half,) = (each for each in with_contracts(inquiry, inquiry.results.values()) if each.function == "half")
    assert (half.verdict, half.requires, half.assigns) == (Verdict.CONDITIONAL, "n >= 0", ())
    assert half.ensures
    assert all("\\result" in each for each in half.ensures)
