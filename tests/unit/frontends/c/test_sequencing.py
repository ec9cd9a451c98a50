"""The order of evaluation is assumed where it makes a difference, and only there."""

from __future__ import annotations

import pytest

from sorrel.frontends import c
from sorrel.model.assumption import AssumptionKind
from sorrel.model.source import Source

DECLARED = """
extern int __VERIFIER_nondet_int(void); int printf(const char *, ...);
char *strcpy(char *, const char *);
int g; int h[3];
int f(void) { g = 1; return 1; }
int k(void) { return g; }
int deep(void) { return f(); }
int own(int x) { int y = x; y++; return y; }
void set(int *p) { *p = 3; }
int get(int *p) { return *p; }
int inc(int *p) { return (*p)++; }
int say(int x) { printf("%d", x); return x; }
int unknown(void);
struct v { int *data; int length; };
void push(struct v *v, int x) { v->data[v->length++] = x; }
int grow(struct v *v) { return v->length++; }
"""


def assumes_an_order(body: str) -> bool:
    source = Source(text=f"{DECLARED}int main(void) {{ {body} return 0; }}")
    program = c.read((source,), c.CSettings(c.DataModel("LP64"), (), (), "main"))
    return any(premise.kind is AssumptionKind.ORDER for premise in program.assumptions)


@pytest.mark.parametrize(
    "body",
    [
        "int x = f() + k();",
        "int x = deep() - k();",
        "int x = f() * f();",
        "int i = 0; int x = i++ + i;",
        "int i = 0; i = i++;",
        "int i = 0; i = ++i + 1;",
        "int i = 0; h[i] = i++;",
        "int i = 0; h[i++] = h[i];",
        "int i = 0; int a[2] = {i++, i};",
        "int x = 1; x += inc(&x);",
        "int x = 1; int y = inc(&x) + get(&x);",
        "int x = 1; int y = inc(&x) + x;",
        "h[0] = 0; int *p = h; int y = inc(p) + h[0];",
        "g += f();",
        'int i = 0; printf("%d %d", i++, i++);',
        "int (*q)(void) = f; int y = q() + g;",
        "int (*q)(void) = g ? f : k; int y = q() + g;",
        "int y = unknown() + g;",
        "int y = say(1) + inc(&g) + g;",
        "int x = 1; int *p = &x; x = (*p)++;",
        "int x = 1; int *p = &x, *q = &x; *p = (*q)++;",
        "int x = 1; int *p = &x, *q = &x; *p = *q = (*p)++;",
        "long x = 1; char *p = (char *)&x; int *q = (int *)&x; *p = *q = 300;",
        "h[h[0]] = h[0] = 1;",
        "h[h[0]++] = 5;",
        'char a[4]; int x = *strcpy(a, "xy") + a[0];',
        "struct { int n, a[2]; } s; int x = inc(s.a) + s.a[0];",
        "int m[2][2], *p = m[0]; int x = inc(p) + *m[0];",
        "struct v s = {h, 0}; int x = grow(&s) + s.length;",
        "struct v s = {h, 0}; int x = grow(&s) + grow(&s);",
        "struct v s = {h, 0}; struct v *v = &s; v->data[v->length++] = v->data[v->length];",
        "struct v s = {h, 0}; struct v *v = &s; s.data = &s.length; v->data[v->length++] = 1;",
        "struct v s = {h, 0}, t; struct v *v = &s; t = (v->length++, *v), *v = t; int x = v->length++ + v->length;",
    ],
)
def test_operands_that_change_what_others_use_need_an_order(body: str) -> None:
    assert assumes_an_order(body)


@pytest.mark.parametrize(
    "body",
    [
        "int x = own(1) + own(2);",
        "int x = __VERIFIER_nondet_int() - __VERIFIER_nondet_int();",
        "int i = 0; i = i + 1;",
        "int i = 0; h[i] = h[i + 1]; i++;",
        "g = f();",
        "int x = (f(), k());",
        "int x = f() && k();",
        "int x = f() ? k() : g;",
        "int i = 0; int *p = h; *p++ = i++;",
        'char a[4]; char *d = a; const char *s = "abc"; while ((*d++ = *s++)) ;',
        "int x = 1; set(&x); int y = get(&x) + x;",
        "int i = 3; int y = own(i) + i; y += i;",
        "for (int i = 0, j = 9; i < j; i++, j--) h[0] = i;",
        "int x = k() + k();",
        "struct v s = {h, 0}; push(&s, 1);",
        'char a[4]; int x = strcpy(a, "xy") == a;',
        "struct { int n, a[2]; } s; int x = inc(s.a) + (s.a == h);",
        "struct v s = {h, 0}; struct v *v = &s; v->data[v->length++] = 1;",
        "struct v s = {h, 0}; struct v *v = &s; v->data[v->length++] = v->data[0];",
        "struct v s = {h, 0}; struct v *v = &s; *v->data++ = v->length++;",
        "int x = 1, y = 2; int *p = &x, *q = &y; *p = (*q)++;",
        "int x = 1; int *p = &x, *q = &x; *p = *q = 1;",
        "int i = g, j = k(); h[0] = h[i] = h[j] = 1;",
        'printf("%d", f());',
        'printf("%d %d", g, say(1));',
        "int (*q)(void) = k; int y = q() + g;",
        "int (*q)(int) = say; int y = q(g) + g;",
        "struct { int a, b; } s; s.a = s.b = 1; int i = s.a + s.b;",
    ],
)
def test_operands_that_have_nothing_to_do_with_each_other_need_none(body: str) -> None:
    assert not assumes_an_order(body)
