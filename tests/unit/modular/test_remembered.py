"""The store against the work tree: contracts that changed, who relied on them, and what is proved no longer."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.model.errors import UsageError
from sorrel.modular.coordinator import perform
from sorrel.modular.differing import Side
from sorrel.modular.remembered import against_store
from sorrel.project.difference import Behaviour, Difference, Strength
from sorrel.store.lockfile import Contents

from .test_proving import PROGRAM, Here, asked, project, stored


def compared(folder: Path, new: str, monkeypatch: pytest.MonkeyPatch, contents: Contents | None = None) -> Difference:
    settings = project(folder, PROGRAM.format(high=10), monkeypatch)
    before = contents if contents is not None else stored(asked(settings, Contents(), Here()))
    settings = project(folder, new, monkeypatch)
    return against_store(Side("now", settings, (asked(settings, before, Here()),)))


def test_what_was_not_changed_is_counted_and_no_more(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = compared(tmp_path, "/* new */" + PROGRAM.format(high=10), monkeypatch)
    assert (found.functions, found.unchanged, found.failing) == ((), 2, ())


def test_a_weaker_contract_is_told_with_who_relied_on_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    found = compared(tmp_path, PROGRAM.format(high=11), monkeypatch)
    by_name = {each.function: each for each in found.functions}
    assert by_name["clamp"].strength in (Strength.WEAKER, Strength.DIFFERENT)
    assert by_name["clamp"].behaviour is Behaviour.NOT_SHOWN
    assert by_name["clamp"].relied == ("twice",)
    assert any("main: assertions was proved, and is refuted now" in line for line in found.failing)


def test_functions_that_came_and_went_are_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    text = PROGRAM.format(high=10).replace("clamp", "limited")
    found = compared(tmp_path, text, monkeypatch)
    told = {(each.function, each.behaviour) for each in found.functions}
    assert {("limited", Behaviour.ADDED), ("a.c:clamp", Behaviour.REMOVED)} <= told


def test_a_stored_contract_of_another_shape_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, PROGRAM.format(high=10), monkeypatch)
    honest = stored(asked(settings, Contents(), Here()))
    forged = {
        key: [replace(block, contract=("(nonsense",)) for block in blocks] for key, blocks in honest.blocks.items()
    }
    found = compared(tmp_path, PROGRAM.format(high=10), monkeypatch, Contents(forged))
    assert {each.strength for each in found.functions} == {Strength.DIFFERENT}
    assert all("something else" in each.how for each in found.functions)


def test_nothing_is_compared_if_it_is_stopped_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    settings = project(tmp_path, PROGRAM.format(high=10), monkeypatch)
    job = {"kind": "diff", "settings": settings.to_json(), "old_settings": None, "names": ["store", "now"], "jobs": 1}
    with pytest.raises(UsageError, match="stopped before"):
        perform(job, lambda _: None, lambda: True)
