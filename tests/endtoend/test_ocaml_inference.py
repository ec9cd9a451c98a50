"""Types that we infer against those that OCaml infers, for all programs at hand."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from sorrel.frontends import ocaml
from sorrel.functional.type import shown
from sorrel.model.source import Source

OWN = Path(__file__).parents[2] / "bench" / "programs" / "ocaml"
THIRD = Path(os.environ.get("SORREL_BENCH", "/nonexistent")) / "caml"
needs_ocaml = pytest.mark.skipif(shutil.which("ocamlc") is None, reason="OCaml is not installed")


def types_of_ocaml(files: list[Path], folder: Path) -> dict[str, dict[str, str]]:
    """What `ocamlc -i` says of each program, all of them in one file, each as a module of its own."""
    parts = [f"module P{i} = struct\n{file.read_text(encoding='utf-8')}\nend\n" for i, file in enumerate(files)]
    (folder / "all.ml").write_text("".join(parts), encoding="utf-8")
    command = ["ocamlc", "-w", "-a", "-i", "all.ml"]
    said = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True, timeout=120).stdout
    texts = re.split(r"^module P\d+ :", said, flags=re.MULTILINE)[1:]
    return {file.name: values_in(text) for file, text in zip(files, texts, strict=True)}


def values_in(signature: str) -> dict[str, str]:
    """The values of `sig … end`, without those of modules inside."""
    items: list[list[str]] = []
    depth = 0
    for word in signature.split():
        depth += (word == "sig") - (word == "end")
        if depth == 1 and word in ("val", "type", "exception", "module"):
            items.append([])
        if items and depth == 1:
            items[-1].append(word)
    values = [" ".join(item[1:]).partition(" : ") for item in items if item[0] == "val"]
    return {name: normal(type) for name, _, type in values}


def normal(type: str) -> str:
    """On one line, without the modules that types stand in."""
    return re.sub(r"\b[A-Z]\w*\.", "", " ".join(type.split()))


def our_types(file: Path) -> Mapping[str, str]:
    program = ocaml.read([Source(str(file))], "main")
    return {name if name[0].isalpha() else f"( {name} )": shown(type) for name, type in program.declared.items()}


@needs_ocaml
@pytest.mark.parametrize(
    "folder", [OWN / "hsf", pytest.param(OWN, marks=pytest.mark.long), THIRD], ids=["few", "own", "third"]
)
def test_types_are_those_that_ocaml_infers(folder: Path, tmp_path: Path) -> None:
    files = sorted(folder.rglob("*.ml"))
    if not files:
        pytest.skip("there are no programs")
    compared = 0
    for name, theirs in types_of_ocaml(files, tmp_path).items():
        ours = our_types(next(file for file in files if file.name == name))
        for value, type in theirs.items():
            if value in ours and "_weak" not in type:
                compared += 1
                assert ours[value] == type, f"{name}: {value}"
    assert compared >= len(files)
