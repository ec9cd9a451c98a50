"""Files with changed bytes: what is asked of them, and that what fails is made small."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from bench.fuzz.texts import FORMS, Form, changed, examples, smaller, tried

_WITHOUT_SOLVING = [form for form in FORMS if form.name not in ("certificate.smt2", "outcome.json", "sorrel.lock")]


@pytest.mark.parametrize("form", _WITHOUT_SOLVING, ids=lambda form: form.name)
def test_files_of_each_form_are_read_as_they_stand(form: Form) -> None:
    trial = tried(form, "", examples(form.name)[0])
    assert (trial.verdict, trial.wrong) == ("read", "")


def test_a_change_changes_something() -> None:
    chance, data = Random(1), b"int main(void) { return 0; }\n"
    assert sum(changed(chance, data)[1] != data for _ in range(50)) > 40


def _fragile(path: Path) -> object:
    if b"x" in path.read_bytes():
        raise AssertionError("there is an x")
    return None


def test_an_exception_that_says_nothing_to_the_user_is_wrong_and_its_text_made_small() -> None:
    form = Form("text", lambda: [b""], _fragile)
    assert not tried(form, "", b"abc").wrong
    assert "there is an x" in tried(form, "", b"abcxdef").wrong
    assert smaller(form, b"abcdefghxijklmnop") == b"x"
