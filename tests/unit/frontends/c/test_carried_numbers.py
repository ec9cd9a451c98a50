"""Numbers that travel as pointers which nobody follows."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, left_open, program_of, require_compiler
from c_threads import read
from sorrel.program.schedules import explore
from sorrel.program.threads import threads_of

EXACT = {
    "a constant": "void *f(void *p) { return p; } int main(void) { return (int)(long)f((void *)5); }",
    "a variable": "long f(void *p) { return (long)p * 3; } int main(void) { int i = 7; return f((void *)(long)i); }",
    "a negative number": "int main(void) { int i = -2; void *p = (void *)(long)i; return (int)(long)p < 0; }",
    "an int, which is widened": "int main(void) { int i = -1; void *p = (void *)i; return (unsigned long)p == -1UL; }",
    "a char of it": "int main(void) { int i = 300; void *p = (void *)(long)i; return (unsigned char)(long)p; }",
    "zero is null": "int main(void) { int i = 0; void *p = (void *)(long)i; return p ? 1 : (int)(long)p + 2; }",
    "null is zero": "int main(void) { return (int)(long)(void *)0 + 3; }",
    "kept in an array": (
        "void *a[3]; int main(void) { for (int i = 0; i < 3; i++) a[i] = (void *)(long)(i * i);"
        " return (int)(long)a[2] * 10 + (int)(long)a[1]; }"
    ),
    "kept in a structure": (
        "struct s { void *p; int n; } g; int main(void) { int i = 9; g.p = (void *)(long)i; return (int)(long)g.p; }"
    ),
    "at the start": "void *p = (void *)6; int main(void) { return (int)(long)p; }",
}
OPEN = {
    "compared with another one": "int main(void) { int i = 3, j = 3; return (void *)(long)i == (void *)(long)j; }",
    "followed": "int x = 4; int main(void) { long n = (long)&x; int *p = (int *)n; return *p; }",
    "moved": "char c; int main(void) { int i = 4; char *p = (char *)(long)i; p = p + 1; return (int)(long)p; }",
    "an address": "int x; int main(void) { void *p = &x; return (int)((long)p % 2); }",
    "a number or address": "int x, i = 3; int main(void) { void *p = i > 2 ? (void *)(long)i : &x; return (long)p; }",
}
HANDED = """#include <pthread.h>
extern void abort(void); void reach_error(void) { abort(); }
int a[3]; void *f(void *p) { int i = (int)(long)p; a[i] = i + 1; return (void *)(long)(i * 2); }
int main(void) { pthread_t t[3]; void *r; long sum = 0;
  for (int i = 0; i < 3; i++) pthread_create(&t[i], 0, f, (void *)(long)i);
  for (int i = 0; i < 3; i++) { pthread_join(t[i], &r); sum += (long)r; }
  if (a[0] != 1 || a[2] != 3 || sum != SUM) reach_error(); return 0; }
"""


@pytest.mark.parametrize("text", EXACT.values(), ids=EXACT)
def test_the_number_is_the_same_when_it_is_one_again(text: str) -> None:
    require_compiler()
    program = program_of(text)
    assert not left_open(program)
    assert interpreted(program) == executed(text)


@pytest.mark.parametrize("text", OPEN.values(), ids=OPEN)
def test_where_there_is_something_to_lead_to_nothing_is_claimed(text: str) -> None:
    assert left_open(program_of(text))


@pytest.mark.parametrize(("total", "fails"), [(6, False), (7, True)])
def test_a_thread_is_handed_a_number_and_returns_one(total: int, fails: bool) -> None:
    found = explore(threads_of(read(HANDED.replace("SUM", str(total)))), most=5_000)
    assert (found.error is not None) is fails
