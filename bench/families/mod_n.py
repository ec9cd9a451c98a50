"""Mod n: n procedures p0 … p(n-1) that decide the remainder of a number by calling each other in a ring.

A stand-in for recursive-descent parsers: the mutual recursion goes through as many procedures as the ring has.
The three sizes of ring have different encodings and different claims.
"""

from __future__ import annotations

from bench.families import even_odd
from bench.families.horn import Path, Procedure, Query, Task, path, procedure, query

FAMILY = "mod-n"
NATURALS = range(50)
INTEGERS = range(-25, 26)
FEW = range(16)

RING = "pI(x) decides whether x mod {n} = I by calling the procedure before it in the ring of {n} on x - 1"
BY_REMAINDER = "pI(x) is true exactly if x mod n = I, by induction on the depth of the recursion"


# Encodings


def ring(n: int) -> tuple[Procedure, ...]:
    return tuple(
        procedure(f"p{i}", "x", "r:Bool", *_down(n, i, "true", "false"), summary=f"(= r (= (mod x {n}) {i}))")
        for i in range(n)
    )


def ring_of_flags(n: int) -> tuple[Procedure, ...]:
    """Results are the numbers 0 and 1."""
    return tuple(
        procedure(f"p{i}", "x", "r", *_down(n, i, "1", "0"), summary=f"(= r (ite (= (mod x {n}) {i}) 1 0))")
        for i in range(n)
    )


def partial_ring(n: int) -> tuple[Procedure, ...]:
    """A procedure only returns for numbers that have its remainder: the result is the quotient."""
    first = procedure(
        "p0",
        "x",
        "q",
        path("(= x 0)", "(= q 0)"),
        path("(> x 0)", f"(p{n - 1} (- x 1) t)", "(= q (+ t 1))"),
        summary=f"(and (>= x 0) (= x (* {n} q)))",
    )
    others = (
        procedure(
            f"p{i}",
            "x",
            "q",
            path("(> x 0)", f"(p{i - 1} (- x 1) q)"),
            summary=f"(and (>= x 0) (= x (+ (* {n} q) {i})))",
        )
        for i in range(1, n)
    )
    return (first, *others)


def signed_ring(n: int) -> tuple[Procedure, ...]:
    """Negative numbers go round the ring in the other direction."""
    up = [path("(< x 0)", f"(p{(i + 1) % n} (+ x 1) r)") for i in range(n)]
    return tuple(
        procedure(f"p{i}", "x", "r:Bool", *_down(n, i, "true", "false"), up[i], summary=f"(= r (= (mod x {n}) {i}))")
        for i in range(n)
    )


def _down(n: int, i: int, yes: str, no: str) -> tuple[Path, ...]:
    at_zero = path("(= x 0)", f"(= r {yes if i == 0 else no})")
    return (at_zero, path("(> x 0)", f"(p{(i - 1) % n} (- x 1) r)"))


# Tasks


def tasks() -> list[Task]:
    return [*tasks_of_three(), *tasks_of_four(), *tasks_of_five()]


def _task(name: str, program: str, procedures: tuple[Procedure, ...], reason: str, *queries: Query) -> Task:
    return Task(FAMILY, name, program, procedures, queries, reason)


def tasks_of_three() -> list[Task]:
    program = RING.format(n=3)
    return [
        _task(
            "mod3_exclusive",
            program,
            ring(3),
            BY_REMAINDER,
            query(
                "p0(x) and p1(x) are not both true",
                ["(p0 x a)", "(p1 x b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (x % 3 == 0 and x % 3 == 1),
            ),
            query(
                "p1(x) and p1(x + 2) are not both true",
                ["(p1 x a)", "(p1 (+ x 2) b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (x % 3 == 1 and (x + 2) % 3 == 1),
            ),
        ),
        _task(
            "mod3_period",
            program,
            ring(3),
            BY_REMAINDER,
            query(
                "p0(x) = p0(x + 3)",
                ["(p0 x a)", "(p0 (+ x 3) b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: (x % 3 == 0) == ((x + 3) % 3 == 0),
            ),
            query(
                "p1(x) = p2(x + 4)",
                ["(p1 x a)", "(p2 (+ x 4) b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: (x % 3 == 1) == ((x + 4) % 3 == 2),
            ),
        ),
        _task(
            "mod3_sum",
            program,
            ring(3),
            BY_REMAINDER,
            query(
                "if p1(x) and p2(y) then p0(x + y)",
                ["(p1 x a)", "(p2 y b)", "(p0 (+ x y) c)", "a", "b", "(not c)"],
                {"x": FEW, "y": FEW},
                lambda x, y: not (x % 3 == 1 and y % 3 == 2) or (x + y) % 3 == 0,
            ),
        ),
        _task(
            "mod3_signed_mirror",
            program + ", and the procedure after it on x + 1 for negative x",
            signed_ring(3),
            BY_REMAINDER,
            query(
                "p0(-x) = p0(x)",
                ["(p0 x a)", "(p0 (- x) b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: (-x % 3 == 0) == (x % 3 == 0),
            ),
            query(
                "p1(x) = p2(-x)",
                ["(p1 x a)", "(p2 (- x) b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: (x % 3 == 1) == (-x % 3 == 2),
            ),
        ),
        _task(
            "mod3_deep",
            program,
            ring(3),
            "1 mod 3 = 1 and 62 mod 3 = 2",
            query(
                "p1(x) and p2(x) are not both true",
                ["(p1 x a)", "(p2 x b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (x % 3 == 1 and x % 3 == 2),
            ),
            query(
                "if p1(y) and y > 0 then not p2(y + 61)",
                ["(p1 y a)", "(> y 0)", "(p2 (+ y 61) b)", "a", "b"],
                {"y": NATURALS},
                lambda y: not (y % 3 == 1 and (y + 61) % 3 == 2),
                witness={"y": 1},
            ),
        ),
    ]


def tasks_of_four() -> list[Task]:
    program = RING.format(n=4)
    return [
        _task(
            "mod4_partition",
            program + ", with results 0 and 1",
            ring_of_flags(4),
            BY_REMAINDER,
            query(
                "p0(x) + p1(x) + p2(x) + p3(x) = 1",
                ["(p0 x a)", "(p1 x b)", "(p2 x c)", "(p3 x d)", "(distinct (+ a b c d) 1)"],
                {"x": NATURALS},
                lambda x: sum(x % 4 == i for i in range(4)) == 1,
            ),
            query(
                "p1(x) + p3(x) = p0(x + 1) + p2(x + 1)",
                ["(p1 x a)", "(p3 x b)", "(p0 (+ x 1) c)", "(p2 (+ x 1) d)", "(distinct (+ a b) (+ c d))"],
                {"x": NATURALS},
                lambda x: (x % 4 in (1, 3)) == ((x + 1) % 4 in (0, 2)),
            ),
        ),
        _task(
            "mod4_even",
            program + "; " + even_odd.PARITY,
            (*ring(4), *even_odd.total()),
            BY_REMAINDER,
            query(
                "if p2(x) then e(x)",
                ["(p2 x a)", "(e x b)", "a", "(not b)"],
                {"x": NATURALS},
                lambda x: x % 4 != 2 or x % 2 == 0,
            ),
            query(
                "if p3(x) then o(x + 4)",
                ["(p3 x a)", "(o (+ x 4) b)", "a", "(not b)"],
                {"x": NATURALS},
                lambda x: x % 4 != 3 or (x + 4) % 2 == 1,
            ),
        ),
        _task(
            "mod4_client",
            program + "; f() returns h(g()), where g() returns any multiple of 4 and h adds two",
            (
                procedure("f", "", "y", path("(g x)", "(h x y)"), summary="(= (mod y 4) 2)"),
                procedure("g", "", "y", path("(= y (* 4 k))", k=range(-1, 12)), summary="(= (mod y 4) 0)"),
                procedure("h", "x", "y", path("(= y (+ x 2))"), summary="(= y (+ x 2))"),
                *ring(4),
            ),
            "f returns numbers that leave 2 when divided by 4, and " + BY_REMAINDER,
            query(
                "p0(f()) is never true",
                ["(f y)", "(p0 y a)", "a"],
                {},
                lambda: not any((4 * k + 2) % 4 == 0 for k in range(12)),
            ),
            query(
                "p3(f() + 1) is true",
                ["(f y)", "(p3 (+ y 1) a)", "(not a)"],
                {},
                lambda: all((4 * k + 3) % 4 == 3 for k in range(12)),
            ),
        ),
        _task(
            "mod4_quotients",
            "pI(x) returns the quotient of x and 4 if x mod 4 = I, and does not return otherwise; "
            "the procedures form a ring",
            partial_ring(4),
            "pI(x) returns only if x mod 4 = I, and the quotient is less than half of x",
            query(
                "p1(x), p3(y) and p2(x + y) do not all return",
                ["(p1 x a)", "(p3 y b)", "(p2 (+ x y) c)"],
                {"x": FEW, "y": FEW},
                lambda x, y: not (x % 4 == 1 and y % 4 == 3 and (x + y) % 4 == 2),
            ),
            query(
                "the quotients that p0(x) and p2(x + 2) return are at most x",
                ["(p0 x a)", "(p2 (+ x 2) b)", "(or (> a x) (> b x))"],
                {"x": NATURALS},
                lambda x: x % 4 != 0 or (x // 4 <= x and (x + 2) // 4 <= x),
            ),
        ),
        _task(
            "mod4_slip",
            program + ", but p3(x) calls p2(x - 2) when x > 40",
            (
                *ring(4)[:3],
                procedure(
                    "p3",
                    "x",
                    "r:Bool",
                    path("(= x 0)", "(= r false)"),
                    path("(> x 0)", "(<= x 40)", "(p2 (- x 1) r)"),
                    path("(> x 40)", "(p2 (- x 2) r)"),
                ),
            ),
            "p3(43) is p2(41), which is false, and no other procedure is true of 43",
            query(
                "one of p0(x), p1(x), p2(x) and p3(x) is true",
                ["(p0 x a)", "(p1 x b)", "(p2 x c)", "(p3 x d)", "(not (or a b c d))"],
                {"x": range(60)},
                lambda x: any(_slip(i, x) for i in range(4)),
                witness={"x": 43},
            ),
        ),
    ]


def _slip(i: int, x: int) -> bool:
    """What pI returns in mod4_slip."""
    while x > 0:
        x -= 2 if i == 3 and x > 40 else 1
        i = (i - 1) % 4
    return i == 0


def tasks_of_five() -> list[Task]:
    program = RING.format(n=5)
    return [
        _task(
            "mod5_remainder",
            program + "; remainder(x) counts round from 0 to 4",
            (
                procedure(
                    "remainder",
                    "x",
                    "m",
                    path("(= x 0)", "(= m 0)"),
                    path("(> x 0)", "(remainder (- x 1) t)", "(= m (ite (= t 4) 0 (+ t 1)))"),
                    summary="(= m (mod x 5))",
                ),
                *ring(5),
            ),
            "remainder(x) is x mod 5, and " + BY_REMAINDER,
            query(
                "p0(x) is true exactly if remainder(x) = 0",
                ["(p0 x a)", "(remainder x m)", "(distinct a (= m 0))"],
                {"x": NATURALS},
                lambda x: (x % 5 == 0) == (x - x // 5 * 5 == 0),
            ),
            query(
                "if p3(x) then remainder(x + 1) = 4",
                ["(p3 x a)", "a", "(remainder (+ x 1) m)", "(distinct m 4)"],
                {"x": NATURALS},
                lambda x: x % 5 != 3 or (x + 1) % 5 == 4,
            ),
        ),
        _task(
            "mod5_multiple",
            program + "; fivefold(x) multiplies x by 5 by recursion",
            (
                procedure(
                    "fivefold",
                    "x",
                    "y",
                    path("(= x 0)", "(= y 0)"),
                    path("(> x 0)", "(fivefold (- x 1) z)", "(= y (+ z 5))"),
                    summary="(= y (* 5 x))",
                ),
                *ring(5),
            ),
            "fivefold(x) is a multiple of 5, and " + BY_REMAINDER,
            query(
                "p0(fivefold(x)) is true",
                ["(fivefold x y)", "(p0 y a)", "(not a)"],
                {"x": FEW},
                lambda x: 5 * x % 5 == 0,
            ),
            query(
                "p2(y + fivefold(x)) = p2(y)",
                ["(p2 y a)", "(fivefold x z)", "(p2 (+ y z) b)", "(distinct a b)"],
                {"x": FEW, "y": FEW},
                lambda x, y: (y % 5 == 2) == ((y + 5 * x) % 5 == 2),
            ),
        ),
        _task(
            "mod5_signed_sum",
            program + ", and the procedure after it on x + 1 for negative x",
            signed_ring(5),
            BY_REMAINDER,
            query(
                "p1(x) and p1(-x) are not both true",
                ["(p1 x a)", "(p1 (- x) b)", "a", "b"],
                {"x": INTEGERS},
                lambda x: not (x % 5 == 1 and -x % 5 == 1),
            ),
            query(
                "if p4(x) and p1(y) then p0(x + y)",
                ["(p4 x a)", "(p1 y b)", "(p0 (+ x y) c)", "a", "b", "(not c)"],
                {"x": FEW, "y": range(-15, 1)},
                lambda x, y: not (x % 5 == 4 and y % 5 == 1) or (x + y) % 5 == 0,
            ),
        ),
        _task(
            "mod5_difference",
            program,
            ring(5),
            BY_REMAINDER,
            query(
                "if p3(x), p3(y) and x >= y then p0(x - y)",
                ["(p3 x a)", "(p3 y b)", "a", "b", "(>= x y)", "(p0 (- x y) c)", "(not c)"],
                {"x": NATURALS, "y": FEW},
                lambda x, y: not (x % 5 == 3 and y % 5 == 3 and x >= y) or (x - y) % 5 == 0,
            ),
            query(
                "if p1(x), p3(y) and x >= y then p3(x - y)",
                ["(p1 x a)", "(p3 y b)", "a", "b", "(>= x y)", "(p3 (- x y) c)", "(not c)"],
                {"x": NATURALS, "y": FEW},
                lambda x, y: not (x % 5 == 1 and y % 5 == 3 and x >= y) or (x - y) % 5 == 3,
            ),
        ),
        _task(
            "mod5_shortcut",
            program + ", or itself on x - 5",
            tuple(
                procedure(
                    each.name,
                    "x",
                    "r:Bool",
                    *each.paths,
                    path("(>= x 5)", f"({each.name} (- x 5) r)"),
                    summary=each.summary,
                )
                for each in ring(5)
            ),
            BY_REMAINDER,
            query(
                "all results of p0(x) are equal",
                ["(p0 x a)", "(p0 x b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: len({(x - 5 * i) % 5 == 0 for i in range(x // 5 + 1)}) == 1,
            ),
            query(
                "if p2(x) then p0(x + 3)",
                ["(p2 x a)", "(p0 (+ x 3) b)", "a", "(not b)"],
                {"x": NATURALS},
                lambda x: x % 5 != 2 or (x + 3) % 5 == 0,
            ),
        ),
    ]
