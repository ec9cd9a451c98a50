"""Contracts of a library travel: confirmed where its source and its proofs are, assumptions where they are not."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.model.errors import InputError
from sorrel.modular.coordinator import perform
from sorrel.modular.inquiry import inquire
from sorrel.modular.packing import Packed, packed
from sorrel.modular.reading import read
from sorrel.project.pack import Header
from sorrel.project.result import ProjectResult, Verdict
from sorrel.project.settings import Limits, Settings, load
from sorrel.project.sources import sources
from sorrel.store import lockfile
from sorrel.store.block import Block, Claim

from .test_proving import Here

LIBRARY = """#include <assert.h>
int hidden;
int clamp(int x, int lo, int hi) { assert(lo <= hi); if (x < lo) return lo; if (x > hi) return hi; return x; }
int next(void) { hidden++; return hidden; }
"""
CONTRACTS = {
    "clamp": "(define-fun clamp ((a0 Int) (a1 Int) (a2 Int) (a3 Int) (a4 Bool)) Bool "
    "(and (= a4 (<= a1 a2)) (=> a4 (and (<= a1 a3) (<= a3 a2)))))",
    "next": "(define-fun next ((a0 Int) (a1 Int) (a2 Int)) Bool true)",
}
USER = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
int clamp(int x, int lo, int hi);
int main(void) {{ int r = clamp(__VERIFIER_nondet_int(), 0, {high}); assert(r <= 10); return 0; }}
"""


@pytest.fixture
def library(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The library's project with a store, as `sorrel prove` would have left it."""
    folder = tmp_path / "library"
    folder.mkdir()
    (folder / "a.c").write_text(LIBRARY)
    (folder / "sorrel.toml").write_text('sources = ["*.c"]\nentry-points = ["clamp", "next"]\n')
    monkeypatch.chdir(folder)
    settings = load(folder / "sorrel.toml")
    known = inquire(settings.goals[0], settings, read(settings, sources(settings)), lockfile.Contents()).known
    blocks = {}
    for component in known.parts.components:
        if component.name in CONTRACTS:
            lines = (CONTRACTS[component.name],)
            block = Block(known.identity(component), known.about, "", (), Claim.CONDITIONAL, lines)
            blocks[block.key] = block
    lockfile.write(folder / lockfile.NAME, blocks)
    return folder


def made(library: Path) -> Packed:
    found = packed(load(library / "sorrel.toml"))
    (library / "library.pack").write_text(found.text)
    return found


def used(folder: Path, high: int, pack: str) -> ProjectResult:
    folder.mkdir(exist_ok=True)
    (folder / "main.c").write_text(USER.format(high=high))
    settings = Settings(str(folder), ("main.c",), packs=(pack,))
    job = {"settings": settings.to_json(), "kind": "prove", "jobs": 1, "paths": [], "retry": True, "cluster": ""}
    return ProjectResult.from_json(perform(job, lambda _: None, lambda: False))


def test_a_pack_has_the_contracts_that_c_can_say(library: Path) -> None:
    found = made(library)
    assert found.functions == ("clamp",)
    assert any(line.startswith("next: ") for line in found.left_out)
    assert "int clamp(int x, int lo, int hi) {" in found.text
    assert "__VERIFIER_assert(" in found.text


def test_a_pack_beside_its_source_is_no_assumption(library: Path) -> None:
    made(library)
    result = used(library.parent / "user", 10, "../library/library.pack")
    assert {each.function: each.verdict for each in result.functions if each.entry} == {"main": Verdict.PROVED}
    assert not any("library.pack" in each for each in result.open)


def test_a_pack_alone_is_an_assumption_and_so_is_a_forged_one(library: Path) -> None:
    text = made(library).text
    user = library.parent / "user"
    user.mkdir()
    (user / "lib.pack").write_text(text)
    assert any("lib.pack says" in each for each in used(user, 10, "lib.pack").open)
    (library / "library.pack").write_text(text.replace("return sorrel_result;", "return 3;"))
    forged = used(user, 11, "../library/library.pack")
    assert any("library.pack says" in each for each in forged.open)
    assert any("do not imply its contracts" in each for each in forged.notes)


def test_what_a_packed_function_requires_is_demanded_of_callers(library: Path) -> None:
    made(library)
    result = used(library.parent / "user", -1, "../library/library.pack")
    assert Verdict.PROVED not in {each.verdict for each in result.functions if each.entry}


@pytest.mark.parametrize("text", ["", "int f(void);", "/* sorrel pack 1 */\n"])
def test_what_is_no_pack_is_refused(tmp_path: Path, text: str) -> None:
    folder = tmp_path / "user"
    folder.mkdir()
    (folder / "x.pack").write_text(text)
    with pytest.raises(InputError, match="not a pack"):
        used(folder, 10, "x.pack")


@pytest.mark.parametrize(("divisor", "wanted"), [("0", Verdict.REFUTED), ("2", Verdict.PROVED)])
def test_what_a_pack_requires_is_demanded_whatever_the_property_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, divisor: str, wanted: Verdict
) -> None:
    text = Header("no-division-by-zero", Settings("").model, "ideal", {}).lines()
    demand = "int ratio(int a, int b) { __VERIFIER_assert(b != 0); return a; }"
    (tmp_path / "x.pack").write_text("\n".join([*text, "extern void __VERIFIER_assert(int);", demand, ""]))
    (tmp_path / "main.c").write_text(f"int ratio(int, int); int main(void) {{ return ratio(1, {divisor}); }}")
    monkeypatch.chdir(tmp_path)
    goals = ("no-division-by-zero",)
    settings = Settings(str(tmp_path), ("main.c",), packs=("x.pack",), properties=goals, limits=Limits(seconds=2))
    asked = inquire(settings.goals[0], settings, read(settings, sources(settings)), lockfile.Contents())
    asked.prove(Here(), lambda _: None, lambda: False, lambda: None)
    assert asked.results["main"].verdict is wanted


def test_a_pack_says_nothing_about_whether_functions_return(library: Path) -> None:
    settings = replace(load(library / "sorrel.toml"), properties=("termination",))
    with pytest.raises(InputError, match="another property"):
        packed(settings)


@pytest.mark.parametrize(
    ("text", "packed_functions"),
    [
        ("__attribute__((weak)) int hook(int x) { return x; }\nint least(int x) { return hook(x); }", ()),
        ("const int limit __attribute__((weak)) = 3;\nint least(int x) { return x > limit ? limit : x; }", ()),
        ("int hook(int x) { return x; }\nint least(int x) { return hook(x); }", ("hook", "least")),
    ],
)
def test_what_other_files_may_define_anew_is_in_no_pack(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, packed_functions: tuple[str, ...]
) -> None:
    assert _packed_alone(tmp_path, monkeypatch, text) == packed_functions


def _packed_alone(folder: Path, monkeypatch: pytest.MonkeyPatch, text: str) -> tuple[str, ...]:
    """The functions in the pack of a library that was proved."""
    (folder / "a.c").write_text(text)
    (folder / "sorrel.toml").write_text('sources = ["*.c"]\n')
    monkeypatch.chdir(folder)
    settings = load(folder / "sorrel.toml")
    job = {"settings": settings.to_json(), "kind": "prove", "jobs": 1, "paths": [], "retry": True, "cluster": ""}
    monkeypatch.setattr("sorrel.modular.coordinator._Run._workers", lambda *_: Here())
    perform(job, lambda _: None, lambda: False)
    return packed(settings).functions


@pytest.mark.parametrize(("kind", "packed_functions"), [("int", ()), ("static int", ()), ("const int", ("least",))])
def test_a_pack_says_nothing_that_holds_in_runs_of_the_librarys_own_main_alone(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, packed_functions: tuple[str, ...]
) -> None:
    text = (
        f"{kind} limit = 10;\n"
        "int least(int x) { return x > limit ? limit : x; }\n"
        "int main(void) { return least(3) > 10; }\n"
    )
    assert _packed_alone(tmp_path, monkeypatch, text) == packed_functions
