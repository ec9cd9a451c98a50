"""Property and task files of SV-COMP: by content, by name, and what is wrong with them."""

from __future__ import annotations

from pathlib import Path

import pytest

from sorrel.frontends.svcomp import read_property_file, read_task_file
from sorrel.model.errors import InputError, UsageError
from sorrel.model.property import Property, property_named


def check(formula: str) -> str:
    return f"CHECK( init(main()), LTL({formula}) )\n"


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("G ! call(reach_error())", Property.UNREACH_CALL),
        ("G ! call(__VERIFIER_error())", Property.UNREACH_CALL),
        ("G!overflow", Property.NO_OVERFLOW),
        ("G valid-deref", Property.VALID_DEREF),
        ("F end", Property.TERMINATION),
        ("G ! data-race", Property.NO_DATA_RACE),
        ("G ! worry", None),
    ],
)
def test_a_property_file_is_known_by_what_it_says(tmp_path: Path, formula: str, expected: Property | None) -> None:
    file = tmp_path / "anything.prp"
    file.write_text(check(formula))
    assert read_property_file(str(file)).properties == ((expected,) if expected else ())


def test_memory_safety_is_one_property_with_three_parts(tmp_path: Path) -> None:
    file = tmp_path / "valid-memsafety.prp"
    file.write_text(check("G valid-free") + check("G valid-deref") + check("G valid-memtrack"))
    read = read_property_file(str(file))
    assert read.properties == (Property.VALID_MEMSAFETY,)
    assert not read.unchecked


def test_what_a_property_file_asks_for_and_nobody_checks_is_kept(tmp_path: Path) -> None:
    file = tmp_path / "both.prp"
    file.write_text(check("G ! overflow") + check("G data-race-freedom"))
    read = read_property_file(str(file))
    assert (read.properties, read.unchecked) == ((Property.NO_OVERFLOW,), ("G data-race-freedom",))


def test_a_missing_property_file_is_known_by_its_name(tmp_path: Path) -> None:
    read = read_property_file(str(tmp_path / "no-overflow.prp"))
    assert read.properties == (Property.NO_OVERFLOW,)
    assert "not there" in read.notes[0]
    assert not read_property_file(str(tmp_path / "coverage-branches.prp")).properties


def test_a_file_without_a_property_is_an_input_error(tmp_path: Path) -> None:
    file = tmp_path / "empty.prp"
    file.write_text("nothing here\n")
    with pytest.raises(InputError, match="no property"):
        read_property_file(str(file))


TASK = """format_version: '2.0'
input_files: {inputs}
properties:
  - property_file: properties/unreach-call.prp
    expected_verdict: false
  - property_file: properties/termination.prp
    expected_verdict: true
  - property_file: properties/no-overflow.prp
  - property_file: properties/coverage-branches.prp
options:
  language: C
  data_model: {model}
"""


def write_task(folder: Path, inputs: str = "a.c", model: str = "LP64") -> str:
    path = folder / "task.yml"
    path.write_text(TASK.format(inputs=inputs, model=model))
    return str(path)


def test_a_task_names_files_beside_it_and_properties_of_ours(tmp_path: Path) -> None:
    task = read_task_file(write_task(tmp_path, "[a.c, lib/b.c]"))
    assert task.input_files == (str(tmp_path / "a.c"), str(tmp_path / "lib/b.c"))
    assert [(w.property, w.expected) for w in task.properties] == [
        (Property.UNREACH_CALL, False),
        (Property.TERMINATION, True),
        (Property.NO_OVERFLOW, None),
    ]
    assert task.data_model == "LP64"
    assert "property coverage-branches is not checked by Sorrel" in task.notes


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("- a\n- b\n", "not a task file"),
        ("input_files: [1]\n", "input_files is a name"),
        ("properties: []\n", "names no input_files"),
        ("input_files: a.c\nproperties: [x]\n", "property_file"),
        ("input_files: a.c\nproperties: x\n", "not a list"),
        ("input_files: a.c\noptions: {language: Java}\n", "reads C"),
        ("input_files: a.c\noptions: {data_model: LP32}\n", "no data model LP32"),
        ("input_files: [a.c\n", "not YAML"),
    ],
)
def test_a_bad_task_file_says_what_is_wrong(tmp_path: Path, text: str, complaint: str) -> None:
    file = tmp_path / "bad.yml"
    file.write_text(text)
    with pytest.raises(InputError, match=complaint):
        read_task_file(str(file))


def test_properties_have_other_names() -> None:
    assert property_named("bounds") is Property.VALID_DEREF
    with pytest.raises(UsageError, match="there is no property speed"):
        property_named("speed")


def test_third_party_tasks_are_all_read(bench_folder: Path) -> None:
    files = sorted((bench_folder / "c").rglob("*.yml"))
    assert files
    for file in files:
        task = read_task_file(str(file))
        assert all(Path(name).is_file() for name in task.input_files)
        assert task.data_model == "ILP32"
