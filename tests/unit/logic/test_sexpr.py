"""Commands, items and places in SMT-LIB text."""

from __future__ import annotations

import pytest

from sorrel.logic import sexpr
from sorrel.logic.sexpr import Atom, Group, Text
from sorrel.model.errors import InputError


def pieces(content: str) -> list[str]:
    return [content[start:end] for start, end in sexpr.commands(Text(content))]


def test_commands_are_found_between_comments_strings_and_quoted_symbols() -> None:
    content = '; (not a command\n(a "one ) "" two" |three )|) ; )\n(b\n (c))(d)'
    assert pieces(content) == ['(a "one ) "" two" |three )|)', "(b\n (c))", "(d)"]


@pytest.mark.parametrize(
    ("content", "line", "column", "message"),
    [
        ("(a))", 1, 4, "this parenthesis closes nothing"),
        ("(a)\n x", 2, 2, "a command in parentheses is expected here"),
        ("(a)\n(b (c)", 2, 1, "the text ends inside this command: 1 closing parenthesis is missing"),
        ("((", 1, 1, "the text ends inside this command: 2 closing parentheses are missing"),
        ('(a "b)', 1, 4, "this string is never closed"),
        ("(a |b)", 1, 4, "this quoted symbol is never closed"),
    ],
)
def test_what_is_not_closed_is_reported_where_it_is(content: str, line: int, column: int, message: str) -> None:
    with pytest.raises(InputError) as caught:
        pieces(content)
    assert (caught.value.span.line, caught.value.span.column, caught.value.message) == (line, column, message)
    assert caught.value.hint


def test_an_expression_is_read_with_the_places_of_its_parts() -> None:
    content = "(f x |a b| (g))"
    found = sexpr.read(Text(content), 0, len(content))
    assert isinstance(found, Group)
    assert [content[i.start :][:2] for i in found.items] == ["f ", "x ", "|a", "(g"]
    quoted = found.items[2]
    assert isinstance(quoted, Atom)
    assert quoted.name == "a b"


def test_deeply_nested_text_is_read_without_recursion() -> None:
    content = "(" * 50_000 + ")" * 50_000
    assert pieces(content) == [content]
    assert isinstance(sexpr.read(Text(content), 0, len(content)), Group)


def test_offsets_and_positions_are_inverse() -> None:
    text = Text("ab\ncde\n\nf")
    for offset in range(len(text.content) + 1):
        assert text.offset(*text.position(offset)) == offset
    assert text.position(4) == (2, 2)
    assert text.line(2) == "cde"
    assert text.line(9) == ""


def test_an_error_in_a_long_line_shows_a_window_of_it() -> None:
    text = Text("x" * 500 + "!" + "y" * 500)
    error = text.error("look here", 500)
    assert len(error.excerpt) <= 120
    assert error.excerpt[error.marker - 1] == "!"


def test_the_name_of_a_command_may_follow_a_comment() -> None:
    content = "( ; why not\n  assert true)"
    assert sexpr.head(Text(content), 0) == "assert"
    assert sexpr.head(Text("(|assert| true)"), 0) == ""


@pytest.mark.parametrize(
    ("content", "item"),
    [
        ("(rule (=> a b) name)", "(=> a b)"),
        ("(query |a b| :print true)", "|a b|"),
        ("(query ; which\n q)", "q"),
        ('(echo "a ) b")', '"a ) b"'),
    ],
)
def test_the_second_item_of_a_command_is_found(content: str, item: str) -> None:
    found = sexpr.second_item(Text(content), 0, len(content))
    assert found is not None
    assert content[found[0] : found[1]] == item


def test_a_command_may_have_no_second_item() -> None:
    assert sexpr.second_item(Text("(query)"), 0, 7) is None


def test_the_opening_of_a_group_is_found_from_its_end() -> None:
    content = '(a (b |(| "(" (c)) d)'
    assert sexpr.opening(Text(content), 0, content.index(") d")) == content.index("(b")


def test_symbols_are_found_under_both_of_their_spellings() -> None:
    content = "(p |x| xx x)"
    assert sexpr.find(Text(content), "x", 0, len(content)) == content.index("|x|")
    assert sexpr.names(Text(content), 0, len(content)) == {"p", "x", "xx"}
