"""What a program does not mention of OCaml's library is not there, and nobody notices."""

from __future__ import annotations

import pytest

from sorrel.frontends import ocaml
from sorrel.frontends.ocaml import reader
from sorrel.functional.syntax import LetDefinition, ModuleDefinition, NamePattern
from sorrel.model.source import Source


def _values(text: str, function: str = "main") -> set[str]:
    files = [reader._file(Source("program.ml", text))]
    left = reader._prelude().needed(files, function).definitions
    inside = [one for each in left if isinstance(each, ModuleDefinition) for one in each.definitions]
    lets = [each for each in (*left, *inside) if isinstance(each, LetDefinition)]
    return {one.pattern.name for each in lets for one in each.bindings if isinstance(one.pattern, NamePattern)}


def test_what_is_mentioned_is_there_with_what_it_mentions_itself() -> None:
    plain, mentioning = _values("let main n = n"), _values("let main l = List.sort compare l")
    assert {"sort", "compare"} <= mentioning - plain
    assert "incr" not in mentioning


@pytest.mark.parametrize(
    "text",
    [
        "module L = List  let main l = L.length l",
        "open List  let main l = length l",
        "let main l = List.(length l)",
        "module M = struct include List end  let main l = M.length l",
    ],
)
def test_it_is_found_by_whatever_path(text: str) -> None:
    assert "main" in ocaml.read([Source("program.ml", text)], "main").declared


def test_the_function_that_is_asked_about_is_mentioned() -> None:
    assert "succ" in _values("let main n = n", "succ")
