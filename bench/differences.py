"""Pairs of versions of a function, made by mutation with a known effect: are differences shown, and sameness proved?

    python -m bench.differences [--seconds 20] [--only NAME]

Twenty functions, each with a change that keeps what it does and one that does not. A difference counts if it is shown
by an input that was run in both versions; calling two versions different that are not would be a wrong verdict.
"""

from __future__ import annotations

import argparse
import time
from dataclasses import dataclass

from sorrel.frontends import c
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.modular.comparing import compare
from sorrel.program.program import Program
from sorrel.project.difference import Behaviour


@dataclass(frozen=True, slots=True)
class Subject:
    """A function, a text in it, what may stand there instead without a difference, and what may not."""

    name: str
    text: str
    old: str
    kept: str
    changed: str


SUBJECTS = (
    Subject(
        "clamp",
        "int clamp(int x, int lo, int hi) { if (x < lo) return lo; if (x > hi) return hi; return x; }",
        "if (x < lo) return lo; if (x > hi) return hi; return x;",
        "if (!(x >= lo)) return lo; else return hi < x ? hi : x;",
        "if (x < lo) return lo; if (x >= hi) return hi - 1; return x;",
    ),
    Subject(
        "total",
        "int total(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        "for (int i = 0; i < n; i++) s += i;",
        "int k = 0; while (!(k >= n)) { s = k + s; k = k + 1; }",
        "for (int i = 0; i <= n; i++) s += i;",
    ),
    Subject("sign", "int sign(int x) { return x > 0 ? 1 : x < 0 ? -1 : 0; }", "x > 0", "(0 < x && x != 0)", "x >= 0"),
    Subject(
        "distance",
        "int distance(int a, int b) { int d = a - b; if (d < 0) d = -d; return d; }",
        "int d = a - b;",
        "int d = b - a;",
        "int d = a - b + 1;",
    ),
    Subject("twice", "int twice(int x) { return 2 * x; }", "2 * x", "x + x", "x + x + (x == 77)"),
    Subject(
        "largest",
        "int largest(int a, int b, int c) { int m = a; if (b > m) m = b; if (c > m) m = c; return m; }",
        "if (b > m) m = b; if (c > m) m = c;",
        "if (c > m) m = c; if (b > m) m = b;",
        "if (b > m) m = b; else if (c > m) m = c;",
    ),
    Subject(
        "down",
        "int down(int n) { if (n <= 0) return 0; return 1 + down(n - 1); }",
        "return 1 + down(n - 1);",
        "int below = down(n - 1); return below + 1;",
        "return 1 + down(n - 2);",
    ),
    Subject(
        "count",
        "int state; void count(int x) { if (x > 0) state = state + 1; else state = 0; }",
        "if (x > 0) state = state + 1; else state = 0;",
        "if (x <= 0) state = 0; else state += 1;",
        "if (x > 0) state = state + 1;",
    ),
    Subject(
        "store",
        "void store(int *p, int x) { if (x < 0) x = 0; *p = x; }",
        "if (x < 0) x = 0; *p = x;",
        "*p = x < 0 ? 0 : x;",
        "*p = x; if (x < -1) *p = 0;",
    ),
    Subject(
        "within",
        "int within(int x, int lo, int hi) { return x >= lo && x <= hi; }",
        "x >= lo && x <= hi",
        "!(x < lo || x > hi)",
        "x >= lo && x < hi",
    ),
    Subject(
        "steps",
        "int steps(int n) { int c = 0; while (n > 0) { n = n - 2; c = c + 1; } return c; }",
        "n = n - 2; c = c + 1;",
        "c = c + 1; n = n - 2;",
        "n = n - 2; c = c + 1; if (c == 9) n = 0;",
    ),
    Subject(
        "checked",
        "extern void __VERIFIER_assert(int); int checked(int x) { __VERIFIER_assert(x != 5); return x; }",
        "__VERIFIER_assert(x != 5);",
        "__VERIFIER_assert(x < 5 || x > 5);",
        "__VERIFIER_assert(x < 5);",
    ),
    Subject(
        "grade",
        "int grade(int p) { if (p >= 90) return 1; if (p >= 75) return 2; if (p >= 50) return 3; return 4; }",
        "if (p >= 90) return 1; if (p >= 75) return 2;",
        "if (p > 89) return 1; if (p >= 75 && p < 90) return 2;",
        "if (p >= 75) return 2; if (p >= 90) return 1;",
    ),
    Subject(
        "product",
        "int product(int a, int n) { int r = 0; for (int i = 0; i < n; i++) r += a; return r; }",
        "for (int i = 0; i < n; i++) r += a;",
        "for (int i = n; i > 0; i--) r = a + r;",
        "for (int i = 1; i < n; i++) r += a;",
    ),
    Subject(
        "swap",
        "int first, second; void swap(void) { int t = first; first = second; second = t; }",
        "int t = first; first = second; second = t;",
        "int u = second; second = first; first = u;",
        "first = second; second = first;",
    ),
    Subject(
        "slot",
        "unsigned slot(unsigned key) { return key % 16u; }",
        "key % 16u",
        "key & 15u",
        "key & 16u",
    ),
    Subject(
        "divisor",
        "int divisor(int a, int b) { while (b != 0) { int t = a % b; a = b; b = t; } return a; }",
        "while (b != 0) { int t = a % b; a = b; b = t; }",
        "for (; b; ) { int t = b; b = a % b; a = t; }",
        "while (b > 0) { int t = a % b; a = b; b = t; }",
    ),
    Subject(
        "most",
        "int most(const int *a, int n) { int m = 0; for (int i = 0; i < n; i++) if (a[i] > m) m = a[i]; return m; }",
        "if (a[i] > m) m = a[i];",
        "{ int x = a[i]; m = m < x ? x : m; }",
        "if (a[i] > m && i != 1) m = a[i];",
    ),
    Subject(
        "take",
        "struct { int head, count; } queue; int take(void) { if (queue.count == 0) return -1; queue.count--; "
        "queue.head = queue.head + 1 == 8 ? 0 : queue.head + 1; return queue.head; }",
        "queue.head = queue.head + 1 == 8 ? 0 : queue.head + 1;",
        "queue.head++; if (queue.head == 8) queue.head = 0;",
        "queue.head = (queue.head + 1) % 8;",
    ),
    Subject(
        "find",
        "int find(const int *a, int n, int x) { for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1; }",
        "for (int i = 0; i < n; i++) if (a[i] == x) return i; return -1;",
        "int i = 0; while (i < n && a[i] != x) i++; return i < n ? i : -1;",
        "int r = -1; for (int i = 0; i < n; i++) if (a[i] == x) r = i; return r;",
    ),
)


def program(text: str, name: str) -> Program:
    return c.read([Source(f"{name}.c", text)], c.CSettings(function=name))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--only", default="", metavar="NAME")
    given = parser.parse_args()
    shown = proved = wrong = 0
    for subject in SUBJECTS:
        if given.only and subject.name != given.only:
            continue
        if subject.text.count(subject.old) != 1:
            raise SystemExit(f"{subject.name}: what is to be changed is not there once")
        old = program(subject.text, subject.name)
        for word, other in (("kept", subject.kept), ("changed", subject.changed)):
            started = time.process_time()
            new = program(subject.text.replace(subject.old, other), subject.name)
            found = compare(old, new, subject.name, Budget(seconds=given.seconds).start())
            shown += word == "changed" and found.behaviour is Behaviour.DIFFERENT and found.example is not None
            proved += word == "kept" and found.behaviour is Behaviour.SAME
            wrong += found.behaviour is (Behaviour.DIFFERENT if word == "kept" else Behaviour.SAME)
            used = time.process_time() - started
            print(f"{subject.name:10} {word:8} {found.behaviour:10} {used:5.1f} s  {found.how}", flush=True)
    print(f"differences shown by an input: {shown}; proved to be the same: {proved}; wrong: {wrong}")


if __name__ == "__main__":
    main()
