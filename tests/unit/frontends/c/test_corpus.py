"""The examples of every construct: read, valid, and behaving as compiled; what is not supported is named."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler
from folders import CORPUS
from samples import some
from sorrel.frontends.c import CSettings, DataModel, Unsupported, read
from sorrel.model.source import Source

_FOLDER = CORPUS / "c"
# They call what does not exist, or look at what is not modelled.
_NOT_EXECUTABLE = {"external_function", "floating", "command_line", "reinterpreted_memory", "structure_in_front"}
_NOT_EXECUTABLE |= {"flexible_array"}


def _files(folder: str) -> list[Path]:
    return sorted((_FOLDER / folder).glob("*.c"))


def _inputs(text: str) -> list[int]:
    found = re.search(r"^// inputs: (.*)$", text, re.MULTILINE)
    return [int(value) for value in found.group(1).split()] if found else []


@pytest.mark.parametrize(
    "path", some([*_files("safe"), *_files("unsafe")], 4), ids=lambda path: f"{path.parent.name}/{path.stem}"
)
def test_an_example_behaves_as_when_compiled(path: Path) -> None:
    text = path.read_text()
    behaviours = {model: interpreted(program_of(text, model), _inputs(text)) for model in DataModel}
    if path.stem in _NOT_EXECUTABLE:
        return
    expected = Behaviour("error") if path.parent.name == "unsafe" else behaviours[DataModel.LP64]
    assert behaviours == dict.fromkeys(DataModel, expected)
    require_compiler()
    assert executed(text, _inputs(text)) == expected


@pytest.mark.parametrize("folder", ["safe", "unsafe"])
def test_every_example_says_what_it_shows(folder: str) -> None:
    for path in _files(folder):
        assert path.read_text().startswith("// "), path
    assert {path.name for path in _files("safe")} == {path.name for path in _files("unsafe")}


@pytest.mark.parametrize("path", _files("unsupported"), ids=lambda path: path.stem)
def test_what_is_not_supported_is_named_with_its_line(path: Path) -> None:
    with pytest.raises(Unsupported) as raised:
        read([Source(str(path))], CSettings())
    assert raised.value.span.file == str(path)
    assert raised.value.span.line > 1
    assert "not supported" in str(raised.value)
