"""Stores made by somebody who wants a wrong answer: whatever they claim, only what is so is said."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from sorrel.model.property import Property
from sorrel.modular import checking
from sorrel.modular.inquiry import Inquiry, inquire
from sorrel.modular.reading import read
from sorrel.project.result import Verdict
from sorrel.project.settings import Settings
from sorrel.project.sources import sources
from sorrel.store.block import Block, Claim, Damaged, digest_of, read_block
from sorrel.store.lockfile import Contents

ASSERT = "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\n"
SAME_NAMES = {
    "a.c": "static int helper(int x) { return x > 5 ? 5 : x; }\nint small(int x) { return helper(x); }\n",
    "b.c": "static int helper(int x) { return x > 100 ? 100 : x; }\nint large(int x) { return helper(x); }\n",
    "main.c": ASSERT + "int small(int); int large(int);\n"
    "int main(void) { int x = __VERIFIER_nondet_int(); assert(small(x) <= 5); assert(large(x) <= 5); return 0; }\n",
}
CIRCLE = {
    "a.c": "int odd(int n);\nint even(int n) { return n <= 0 ? 1 : odd(n - 1); }\n",
    "b.c": "int even(int n);\nint odd(int n) { return n <= 0 ? 0 : even(n - 1); }\n",
    "main.c": ASSERT + "int even(int);\nint main(void) { assert(even(__VERIFIER_nondet_int()) == 1); return 0; }\n",
}
PRECONDITION = {
    "a.c": "#include <assert.h>\nint positive(int x) { assert(x > 0); return x; }\n",
    "main.c": ASSERT + "int positive(int);\n"
    "int main(void) { int r = positive(__VERIFIER_nondet_int()); assert(r > 0); return 0; }\n",
}


def asked(folder: Path, files: Mapping[str, str], monkeypatch: pytest.MonkeyPatch) -> Inquiry:
    for name, text in files.items():
        (folder / name).write_text(text)
    monkeypatch.chdir(folder)
    monkeypatch.setattr(checking, "FEWEST", 1)
    settings = Settings(str(folder), ("*.c",))
    return inquire(Property.ASSERTIONS, settings, read(settings, sources(settings)), Contents())


def claimed(inquiry: Inquiry, bodies: Mapping[str, str]) -> Inquiry:
    """With a store whose digests are all right, and whose contracts have these bodies, by the component's name."""
    known = inquiry.known
    blocks = {}
    for component in known.parts.components:
        body = next((text for name, text in bodies.items() if name in known.identity(component)), "true")
        lines = [line.split(" Bool ", 1)[0] + f" Bool {body})" for line in known.text(component) if " Bool " in line]
        block = Block(known.identity(component), known.about, known.clauses(component), (), Claim.PROVED, tuple(lines))
        blocks[block.key] = [block]
    fresh = inquire(inquiry.goal, inquiry.settings, inquiry.reading, Contents(blocks))
    return replace(fresh)


def verdict(inquiry: Inquiry, jobs: int) -> Verdict:
    inquiry.check_stored(jobs, (), lambda: False)
    inquiry.prove(None, lambda _: None, lambda: False, lambda: None)
    return inquiry.results["main"].verdict


@pytest.mark.parametrize("jobs", [1, 2])
@pytest.mark.parametrize(
    ("files", "bodies"),
    [
        (SAME_NAMES, {"helper": "(<= a1 5)", "small": "(<= a1 5)", "large": "(<= a1 5)"}),
        (SAME_NAMES, {"helper": "false", "small": "false", "large": "false"}),
        (SAME_NAMES, {"helper": "(<= a1 100)", "small": "(<= a1 5)", "large": "(<= a1 5)"}),
        (CIRCLE, {"even+odd": "(= a1 1)"}),
        (CIRCLE, {"even+odd": "false"}),
        (CIRCLE, {"even+odd": "(=> (> a0 0) (= a1 1))"}),
        (PRECONDITION, {"positive": "(and a2 (> a1 0))"}),
        (PRECONDITION, {"positive": "(=> a2 (> a1 0))"}),
    ],
)
def test_no_claim_makes_a_program_safe_that_is_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, files: Mapping[str, str], bodies: Mapping[str, str], jobs: int
) -> None:
    inquiry = asked(tmp_path, files, monkeypatch)
    for component in inquiry.known.parts.components:
        inquiry.known.give_up(component)
    assert verdict(claimed(inquiry, bodies), jobs) is not Verdict.PROVED


def test_what_would_be_a_line_of_its_own_in_a_log_is_no_block() -> None:
    lines = Block("a.c:f", "assertions", "", (), Claim.UNKNOWN, reason="so\n::error::owned").lines()
    with pytest.raises(Damaged, match="control characters"):
        read_block(lines[1:])


@pytest.mark.parametrize("seconds", ["1" + "0" * 400, "1e999", "NaN", "-1", "true", "[]"])
def test_a_limit_that_cannot_be_one_is_no_block(seconds: str) -> None:
    lines = [*Block("a.c:f", "assertions", "", (), Claim.UNKNOWN).lines()[1:-1], f"seconds = {seconds}"]
    with pytest.raises(Damaged, match="seconds is not a positive number"):
        read_block([*lines, f'digest = "{digest_of(lines)}"'])
