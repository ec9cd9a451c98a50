"""Blocks of memory as a whole: realloc, calloc, memset and memcpy of any length, as the compiled program does."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, program_of, require_compiler

_HEAD = """#include <stdlib.h>
#include <string.h>
int __VERIFIER_nondet_int(void);
"""
_PROGRAMS = {
    "a block grows": """int main(void) {
  int n = __VERIFIER_nondet_int() & 7, *p = malloc(2 * sizeof *p); p[0] = 4; p[1] = 5;
  p = realloc(p, (n + 2) * sizeof *p); p[n + 1] = p[n + 1] * 0 + 3;
  int r = p[0] * 100 + p[n + 1]; free(p); return r & 127; }""",
    "a block shrinks": """int main(void) {
  char *p = malloc(8); memset(p, 'x', 8); p[2] = 'y'; p = realloc(p, 3); int r = p[2]; free(p); return r; }""",
    "null grows": "int main(void) { long *p = realloc(0, 3 * sizeof *p); p[2] = 9; long r = p[2]; free(p); return r; }",
    "many blocks grow": """int main(void) {
  int r = 0;
  for (int i = 1; i < 5; i++) {
    short *p = malloc(i * sizeof *p);
    for (int k = 0; k < i; k++) p[k] = k;
    p = realloc(p, 2 * i * sizeof *p); r += p[i - 1]; free(p);
  }
  return r; }""",
    "structures with pointers grow": """struct s { int *p, n; };
int main(void) {
  int x = 6; struct s *s = malloc(sizeof *s); s[0].p = &x; s[0].n = 2;
  s = realloc(s, 2 * sizeof *s); s[1] = s[0]; int r = *s[1].p + s[1].n; free(s); return r; }""",
    "many blocks of zeros": """struct s { int a, *p; };
int main(void) {
  int r = 0;
  for (int i = 1; i < 4; i++) { struct s *s = calloc(i, sizeof *s); r += s[i - 1].a + (s[i - 1].p == 0); free(s); }
  return r; }""",
    "a length that is not constant": """int main(void) {
  int n = __VERIFIER_nondet_int() & 7, a[10], b[10]; for (int i = 0; i < 10; i++) a[i] = b[i] = i;
  memset(a, 0, n * sizeof *a); memcpy(b + 1, a, n * sizeof(int)); return a[n] * 10 + b[n] + b[9]; }""",
    "many elements": """int main(void) {
  static long a[300], b[300]; a[299] = 7; memcpy(b, a, sizeof a); memset(a, 0, sizeof a); return b[299] + a[299]; }""",
    "overlapping forwards": """int main(void) {
  int a[9]; for (int i = 0; i < 9; i++) a[i] = i; int n = __VERIFIER_nondet_int() & 3;
  memmove(a + 2, a, (n + 3) * sizeof *a); return a[2] + a[4] * 10; }""",
    "overlapping backwards": """int main(void) {
  int a[9]; for (int i = 0; i < 9; i++) a[i] = i; int n = __VERIFIER_nondet_int() & 3;
  memmove(a, a + 2, (n + 3) * sizeof *a); return a[0] + a[2] * 10; }""",
    "nothing is copied": "int main(void) { int a[2] = {1}, b[2] = {3}; memcpy(a, b, 0 * sizeof *a); return a[0]; }",
}


@pytest.mark.parametrize("text", _PROGRAMS.values(), ids=_PROGRAMS)
def test_blocks_of_memory_are_what_they_are_when_compiled(text: str) -> None:
    require_compiler()
    program = program_of(_HEAD + text)
    for chosen in (0, 3, 6):
        assert interpreted(program, [chosen] * 4) == executed(_HEAD + text, [chosen] * 4)
