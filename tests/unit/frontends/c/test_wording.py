"""How functions are worded: layout, comments and names of their own make no difference, all else does."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.source import Source

G = "int g(int); int h(int);\n"


def worded(text: str) -> c.Wording:
    with c.opened([Source("a.c", text)], c.CSettings()) as files:
        (found,) = files.wordings().values()
    return found


def begun(text: str) -> dict[str, tuple[str, ...]]:
    with c.opened([Source("a.c", text)], c.CSettings()) as files:
        return files.beginnings()


def test_layout_comments_and_names_of_its_own_are_no_words() -> None:
    first = worded(f"{G}int f(int x) {{ int y = g(x); return y; }}")
    assert first == worded(f"{G}/* f */ int f(int n)\n{{\n int m = g(n); // m\n return (m); }}")


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("return g(x);", "return h(x);"),
        ("return g(x);", "return g(x + 1);"),
        ("return g(K);", "return g(K2);"),
        ("int y = 1, z = 2; return y - z;", "int y = 1, z = 2; return z - y;"),
        ("long double d = x; return d > 2;", "long double d = x; return d > 3;"),
        ("static int n = 1; return n++;", "static int n = 2; return n++;"),
        ("return sizeof(int);", "return sizeof(short);"),
        ("return x ? 1 : 2;", "if (x) return 1; return 2;"),
    ],
)
def test_other_words_are_seen(old: str, new: str) -> None:
    head = f"#define K 1\n#define K2 2\n{G}"
    assert worded(f"{head}int f(int x) {{ {old} }}") != worded(f"{head}int f(int x) {{ {new} }}")


def test_macros_are_expanded() -> None:
    text = f"{G}int f(int x) {{ return g(K); }}"
    assert worded(f"#define K 1\n{text}") != worded(f"#define K 2\n{text}")
    assert worded(f"#define K 1\n{text}") == worded(text.replace("K", "1"))


def test_what_functions_from_elsewhere_are_given_is_told_apart() -> None:
    first, second = (worded(f"{G}int f(int x) {{ g({given}); return x; }}") for given in ("x", "x + 1"))
    assert first.elsewhere != second.elsewhere
    assert not worded("int f(int x) { return f(x); }").elsewhere


def test_initial_values_of_what_changes_have_words_unless_they_are_zero() -> None:
    text = (
        "int a; static int b = 0; static int c[2] = {1}; const int d = 4; int f(void) { static int e = 5; return e++; }"
    )
    found = begun(text)
    assert {name for name, words in found.items() if words} == {"c of a.c", "e of f (a.c)"}
    assert not {"d", "d of a.c"} & set(found)
    assert found != begun(text.replace("e = 5", "e = 6"))
