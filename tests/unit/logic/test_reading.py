"""Terms from text, and errors at the right character of it."""

from __future__ import annotations

import pytest

from sorrel.logic.reading import Script
from sorrel.logic.sexpr import Text, commands
from sorrel.model.errors import InputError


def error_in(content: str) -> tuple[str, str]:
    """The message, and the text from where it points to the end of the line."""
    text = Text(content)
    script = Script(text)
    for start, end in commands(text):
        script.add(start, end)
    with pytest.raises(InputError) as caught:
        script.parse()
    span = caught.value.span
    assert caught.value.hint
    return caught.value.message, text.line(span.line)[span.column - 1 :]


@pytest.mark.parametrize(
    ("content", "rest"),
    [
        ("(assert unheard)", "unheard)"),
        ("  (assert (and true\n      unheard))", "unheard))"),
        ("(declare-const x Int)\n\n\t(assert (= x unheard))", "unheard))"),
        ("(declare-const |é ü| Bool)\n(assert (and |é ü| unheard))", "unheard))"),
        ("(declare-const x Int)(assert (f\n  x))", "(f"),
        ("(declare-const x Int)(assert (= x true (select 1\n 2)))", "(select 1"),
        ("(declare-const x Foo)", "Foo)"),
    ],
)
def test_an_error_points_at_the_character(content: str, rest: str) -> None:
    assert error_in(content)[1] == rest


def test_words_of_ours_before_a_piece_do_not_move_its_errors() -> None:
    text = Text("(query (and true\n  unheard) :option)")
    script = Script(text)
    script.add(0, 27, prefix="(assert (exists ((x Int)) ", suffix="))", after=7)
    with pytest.raises(InputError) as caught:
        script.parse()
    assert (caught.value.span.line, caught.value.span.column) == (2, 3)


def test_an_error_in_our_own_words_points_at_the_piece() -> None:
    text = Text("  (p x)")
    script = Script(text)
    script.add(2, 7, prefix="(assert (and unheard ", suffix="))")
    with pytest.raises(InputError) as caught:
        script.parse()
    assert caught.value.span.column == 3


def test_formulas_come_in_order_and_none_is_dropped() -> None:
    text = Text("(declare-const a Bool)(assert true)(assert (and a a))(assert true)(assert (! a :named n))")
    script = Script(text)
    script.add(0, len(text.content))
    assert [str(f) for f in script.parse()] == ["True", "And(a, a)", "True", "a"]


def test_a_datatype_may_be_called_list() -> None:
    text = Text("(declare-datatypes ((List 0)) (((nil) (cons (head Int) (tail List)))))(assert ((_ is nil) nil))")
    script = Script(text)
    script.add(0, len(text.content))
    assert len(script.parse()) == 1


def test_the_script_can_be_seen() -> None:
    text = Text("(p)")
    script = Script(text)
    script.add(0, 3, prefix="(assert ", suffix=")")
    assert script.source() == "(assert (p))\n"
