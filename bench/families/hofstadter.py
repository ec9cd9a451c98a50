"""Hofstadter's sequences: recursion nested in recursion, and sequences that are defined by each other.

Female and male, the figure-figure sequences, and G and H. The claims are linear bounds.
"""

from __future__ import annotations

from functools import cache

from bench.families.horn import Procedure, Query, Task, path, procedure, query

FAMILY = "hofstadter"
RANGE = range(60)

FEMALE_MALE = "F(0) = 1, M(0) = 0, F(n) = n - M(F(n - 1)), M(n) = n - F(M(n - 1))"


# References


@cache
def female(n: int) -> int:
    return 1 if n == 0 else n - male(female(n - 1))


@cache
def male(n: int) -> int:
    return 0 if n == 0 else n - female(male(n - 1))


@cache
def sequence_g(n: int) -> int:
    return 0 if n == 0 else n - sequence_g(sequence_g(n - 1))


@cache
def sequence_h(n: int) -> int:
    return 0 if n == 0 else n - sequence_h(sequence_h(sequence_h(n - 1)))


def figures(count: int) -> tuple[list[int], list[int]]:
    """The first numbers of R and of S by definition: S are the numbers not in R, and the differences of R."""
    r, s = [1], [2]
    while len(r) < count:
        r.append(r[-1] + s[-1])
        s.append(next(k for k in range(s[-1] + 1, s[-1] + 3) if k not in r))
    return r, s


R, S = figures(len(RANGE))


# Encodings


def female_male() -> tuple[Procedure, ...]:
    return (
        procedure(
            "F",
            "n",
            "r",
            path("(= n 0)", "(= r 1)"),
            path("(> n 0)", "(F (- n 1) a)", "(M a b)", "(= r (- n b))"),
            summary="(and (>= n 0) (>= r 1) (<= r (+ n 1)) (=> (>= n 1) (<= r n)))",
        ),
        procedure(
            "M",
            "n",
            "r",
            path("(= n 0)", "(= r 0)"),
            path("(> n 0)", "(M (- n 1) a)", "(F a b)", "(= r (- n b))"),
            summary="(and (>= n 0) (>= r 0) (<= r n) (=> (>= n 1) (<= r (- n 1))))",
        ),
    )


def figure_figure() -> tuple[Procedure, ...]:
    return (
        procedure(
            "R",
            "n",
            "r",
            path("(= n 1)", "(= r 1)"),
            path("(> n 1)", "(R (- n 1) a)", "(S (- n 1) b i)", "(= r (+ a b))"),
            summary="(and (>= n 1) (>= r n))",
        ),
        procedure(
            "S",
            "n",
            "s i",
            path("(= n 1)", "(= s 2)", "(= i 2)"),
            path("(> n 1)", "(S (- n 1) t j)", "(R j c)", "(= c (+ t 1))", "(= s (+ t 2))", "(= i (+ j 1))"),
            path("(> n 1)", "(S (- n 1) t j)", "(R j c)", "(distinct c (+ t 1))", "(= s (+ t 1))", "(= i j)"),
            summary="(and (>= n 1) (> s n) (>= i 2) (<= i (+ n 1)))",
        ),
    )


# Tasks


def _task(name: str, program: str, procedures: tuple[Procedure, ...], reason: str, *queries: Query) -> Task:
    return Task(FAMILY, name, program, procedures, queries, reason)


def tasks() -> list[Task]:
    return [
        _task(
            "female_male_bounds",
            FEMALE_MALE,
            female_male(),
            "0 <= F(n) <= n + 1 and 0 <= M(n) <= n, by induction",
            query(
                "0 <= F(n) <= n + 1",
                ["(F n r)", "(or (< r 0) (> r (+ n 1)))"],
                {"n": RANGE},
                lambda n: 0 <= female(n) <= n + 1,
            ),
            query("0 <= M(n) <= n", ["(M n r)", "(or (< r 0) (> r n))"], {"n": RANGE}, lambda n: 0 <= male(n) <= n),
        ),
        _task(
            "female_positive",
            FEMALE_MALE,
            female_male(),
            "F(n) >= 1, and F(n) <= n and M(n) <= n - 1 for n >= 1, by induction",
            query("F(n) >= 1", ["(F n r)", "(< r 1)"], {"n": RANGE}, lambda n: female(n) >= 1),
            query(
                "F(n) + M(n) < 2 n for n >= 1",
                ["(>= n 1)", "(F n r)", "(M n s)", "(>= (+ r s) (* 2 n))"],
                {"n": RANGE},
                lambda n: n < 1 or female(n) + male(n) < 2 * n,
            ),
        ),
        _task(
            "figure_figure",
            "R(1) = 1, R(n) = R(n - 1) + S(n - 1); S are the numbers that are not in R; "
            "S returns with S(n) the place i of the next larger number of R",
            figure_figure(),
            "R(n) >= n, S(n) >= n + 1 and 2 <= i <= n + 1, by induction",
            query(
                "R(n) + S(n) > 2 n",
                ["(R n r)", "(S n s i)", "(<= (+ r s) (* 2 n))"],
                {"n": RANGE},
                lambda n: n < 1 or R[n - 1] + S[n - 1] > 2 * n,
            ),
            query(
                "the place of the next larger number of R is at most n + 1",
                ["(S n s i)", "(> i (+ n 1))"],
                {"n": RANGE},
                lambda n: n < 1 or sum(r < S[n - 1] for r in R) + 1 <= n + 1,
            ),
        ),
        _task(
            "nested",
            "G(0) = H(0) = 0, G(n) = n - G(G(n - 1)), H(n) = n - H(H(H(n - 1)))",
            (
                procedure(
                    "G",
                    "n",
                    "r",
                    path("(= n 0)", "(= r 0)"),
                    path("(> n 0)", "(G (- n 1) a)", "(G a b)", "(= r (- n b))"),
                    summary="(and (>= r 0) (<= r n))",
                ),
                procedure(
                    "H",
                    "n",
                    "r",
                    path("(= n 0)", "(= r 0)"),
                    path("(> n 0)", "(H (- n 1) a)", "(H a b)", "(H b c)", "(= r (- n c))"),
                    summary="(and (>= r 0) (<= r n))",
                ),
            ),
            "both are between 0 and n, by induction",
            query(
                "0 <= G(n) + H(n) <= 2 n",
                ["(G n r)", "(H n s)", "(or (< (+ r s) 0) (> (+ r s) (* 2 n)))"],
                {"n": RANGE},
                lambda n: 0 <= sequence_g(n) + sequence_h(n) <= 2 * n,
            ),
        ),
        _task(
            "female_male_apart",
            FEMALE_MALE,
            female_male(),
            "F(12) = 8 and M(12) = 7",
            query("M(n) <= n", ["(M n r)", "(> r n)"], {"n": RANGE}, lambda n: male(n) <= n),
            query(
                "F(n) = M(n) for n >= 8",
                ["(>= n 8)", "(F n r)", "(M n s)", "(distinct r s)"],
                {"n": RANGE},
                lambda n: n < 8 or female(n) == male(n),
                witness={"n": 12},
            ),
        ),
    ]
