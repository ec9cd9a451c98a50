"""What an initialiser gives to which subobject, each claim beside the compiler."""

from __future__ import annotations

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler
from sorrel.frontends.c import Unsupported
from sorrel.frontends.c.parsing.literals import code_units
from sorrel.program.statement import Havoc

_PAIR = "struct pair { int x, y; }; "
_NESTED = _PAIR + "struct outer { struct pair in; int z; }; "
_COUNTED = "static int calls; static int counted(void) { calls++; return 7; } "

_CLAIMS = {
    "values go on behind a nested designator": (
        _NESTED + "int main(void) { struct outer o = {.in.x = 1, 2, 3}; return o.in.x + 10 * o.in.y + 100 * o.z; }",
        321,
    ),
    "values go on behind an index of a row": (
        "int m[2][2] = {[0][0] = 1, 2, 3, 4}; int main(void) { return m[0][1] + 10 * m[1][0] + 100 * m[1][1]; }",
        432,
    ),
    "a bit-field without a name takes no value": (
        "struct s { int a : 3; int : 4; int b : 5; int : 0; int c; }; "
        "int main(void) { struct s s = {1, 2, 3}; return s.a + 10 * s.b + 100 * s.c; }",
        321,
    ),
    "a whole that is given again keeps nothing of its parts": (
        _NESTED + "struct outer o = {.in.y = 5, .in = {.x = 1}, 9}; "
        "int main(void) { return o.in.x + 10 * o.in.y + 100 * o.z; }",
        901,
    ),
    "a part that is given again leaves the others as they are": (
        _NESTED + "int main(void) { struct outer o = {.in = {1, 2}, .in.x = 3}; return o.in.x + 10 * o.in.y; }",
        23,
    ),
    "braces that are left out keep what the rest of a row was given": (
        "int m[2][2] = {[1] = {5, 6}, [0] = {1, 2}, 9}; int main(void) { return m[1][0] + 10 * m[1][1]; }",
        69,
    ),
    "the value of a range is computed once": (
        _COUNTED + "int main(void) { int a[4] = {[0 ... 3] = counted()}; return a[0] + a[3] + 100 * calls; }",
        114,
    ),
    "the list of a range is computed once": (
        _PAIR + _COUNTED + "int main(void) { struct pair a[3] = {[0 ... 2] = {1, counted()}, [1].x = 4};"
        " return a[0].x + a[1].x + a[2].y + 100 * calls; }",
        112,
    ),
    "values go on behind the last of a range": (
        _PAIR + "struct pair a[4] = {[0 ... 2].x = 1, 2, 3}; "
        "int main(void) { return a[0].y + 10 * a[2].y + 100 * a[3].x; }",
        320,
    ),
    "a range of rows is not an index of a row": (
        "int m[3][3] = {[0 ... 1] = {4}, [1][2] = 5}; "
        "int main(void) { return m[0][0] + 10 * m[1][0] + 100 * m[1][2]; }",
        544,
    ),
    "a range that a macro makes": (
        "#define RANGE(a, b) [a ... b]\nint a[4] = {RANGE(1, 2) = 6}; "
        "int main(void) { return a[0] + a[1] + 10 * a[2]; }",
        66,
    ),
    "braces may be left out at every depth": (
        "struct s { int a[2]; struct { int b; union { int c; int d; }; }; } s[2] = {1, 2, 3, 4, 5, 6, 7, 8}; "
        "int main(void) { return s[0].c + 10 * s[1].a[1] + 100 * s[1].d; }",
        864,
    ),
    "members of a nameless structure are named directly": (
        "struct s { int a; struct { int b, c; }; int d; }; struct s s = {.b = 1, 2, 3}; "
        "int main(void) { return s.a + 10 * s.b + 100 * s.c + 1000 * s.d; }",
        3210,
    ),
    "a union has the member that was given last": (
        "union u { struct { int a, b; } s; struct { int a, b; } t; } u = {.s.a = 1, .s.b = 2}; "
        "int main(void) { return u.s.a + 10 * u.s.b; }",
        21,
    ),
    "a structure stands for itself where its braces are left out": (
        _NESTED + "int main(void) { struct pair p = {1, 2}; struct outer o[2] = {p, 3, {p, 4}, }; "
        "return o[0].in.y + 10 * o[0].z + 100 * o[1].in.x + 1000 * o[1].z; }",
        4132,
    ),
    "strings fill rows, cut off or followed by zeros": (
        'char s[3][3] = {"abc", {"d"}, "e"}; '
        "int main(void) { return s[0][2] + s[1][0] + s[1][1] + s[2][0] + s[2][2]; }",
        99 + 100 + 101,
    ),
    "a character of a string is given again": (
        'char s[4] = {"abc"}, t[2][4] = {"abc", [0][1] = 1, 2, [1] = "de"}; '
        "int main(void) { return s[2] + t[0][0] + t[0][1] + t[0][2] + t[1][0]; }",
        99 + 97 + 1 + 2 + 100,
    ),
    "an empty string is a string": ('int main(void) { char s[50] = ""; return s[0] + s[49]; }', 0),
    "wide strings have wide elements": (
        '#include <stddef.h>\nwchar_t w[] = L"a\\x12f" "f"; '
        "int main(void) { return w[1] + w[2] + sizeof w / sizeof *w; }",
        0x12F + 102 + 4,
    ),
    "designators give an array its length": (
        "int a[] = {[3] = 1, 2, [0] = 5}; int main(void) { return sizeof a / sizeof *a + 10 * a[4] + 100 * a[0]; }",
        525,
    ),
    "values for which there is no room are dropped": (
        "int main(void) { int a[2] = {1, 2, 3}; int b = {4, 5}; return a[0] + 10 * a[1] + 100 * b; }",
        421,
    ),
    "a compound literal may read what it held before": (
        "struct s { int i; }; int main(void) { struct s *p = 0; int n = 0; "
        "again: p = &(struct s){p ? p->i + 1 : 5}; if (++n < 3) goto again; return p->i; }",
        7,
    ),
    "pointers of many types stay apart in one structure": (
        "char c = 'x'; int y = 4; struct s { void *a; int *b; void *d; } s = {&c, &y, &s}; "
        "int main(void) { return *(char *)s.a + *s.b; }",
        124,
    ),
    "an array may start as a compound literal": (
        "int main(void) { static int a[3] = (int[3]){1, 2}; return a[0] + 10 * a[1] + a[2]; }",
        21,
    ),
}


@pytest.mark.parametrize("claim", _CLAIMS)
def test_initialisers(claim: str) -> None:
    text, expected = _CLAIMS[claim]
    assert interpreted(program_of(text)) == Behaviour(f"returned {expected}")
    require_compiler()
    assert executed(text) == Behaviour(f"returned {expected}")


@pytest.mark.parametrize(
    "text",
    [
        _COUNTED + "int main(void) { int a[2] = {[0] = counted(), [0] = 1}; return a[0]; }",
        _NESTED + "int main(void) { struct pair p = {1, 2}; struct outer o = {.in = p, .in.x = 3}; return o.in.y; }",
        _PAIR + "int main(void) { struct pair p = {1, 2, 3, .x = 4}; return p.x; }",
        "#define AT(a, b) [a][b]\nint m[2][2] = {AT(1, 1) = 1}; int main(void) { return m[1][1]; }",
    ],
    ids=[
        "an effect that is replaced",
        "a structure replaced in part",
        "a designator without room",
        "indices that a macro hides",
    ],
)
def test_what_compilers_disagree_about_is_refused(text: str) -> None:
    with pytest.raises(Unsupported):
        program_of(text)


def test_reading_a_variable_in_its_own_initialiser_gives_any_value() -> None:
    text = "int main(void) { int r = 0; for (int i = 0; i < 2; i++) { int x = x + 1; r = x; } return r; }"
    statements = [statement for block in program_of(text).procedures[0].blocks for statement in block.statements]
    assert any(isinstance(each, Havoc) and each.target.name == "x" for each in statements)


@pytest.mark.parametrize(
    ("literal", "bits", "expected"),
    [
        ('"a\\n\\377\\000b"', 8, (97, 10, 255, 0, 98)),
        ('L"a\\x12F""f"', 32, (97, 0x12F, 102)),
        ('u"\\U0001F600"', 16, (0xD83D, 0xDE00)),
        ('U"\\U0001F600\\u00e9"', 32, (0x1F600, 0xE9)),
        ('u8"\\"\\\\"', 8, (34, 92)),
        ('""', 8, ()),
    ],
)
def test_the_characters_of_a_literal(literal: str, bits: int, expected: tuple[int, ...]) -> None:
    assert code_units(literal, bits) == expected


def test_what_is_no_literal_has_no_characters() -> None:
    assert code_units("abc", 8) is None
