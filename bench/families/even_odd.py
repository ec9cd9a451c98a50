"""Even-Odd: two procedures that decide parity by calling each other, in several encodings.

Twelve tasks take natural numbers only, twelve extend the procedures to negative ones. Most claims relate the
results of two or three calls, and most tasks make two claims, so that what is learned for one helps the other.
"""

from __future__ import annotations

from bench.families.horn import Path, Procedure, Query, Task, path, procedure, query

FAMILY = "even-odd"
NATURALS = range(60)
INTEGERS = range(-30, 31)
FEW_NATURALS = range(20)
FEW_INTEGERS = range(-9, 10)

PARITY = "e(x) and o(x) decide whether a number is even or odd by calling each other on x - 1"
BY_REMAINDER = "the results are exactly x mod 2 = 0 and x mod 2 = 1, by induction on the depth of the recursion"

EVEN = "(= r (= (mod x 2) 0))"
ODD = "(= r (= (mod x 2) 1))"
EVEN_FLAG = "(= r (- 1 (mod x 2)))"
ODD_FLAG = "(= r (mod x 2))"


def is_even(x: int) -> bool:
    return x % 2 == 0


def is_odd(x: int) -> bool:
    return x % 2 == 1


# Encodings


def partial() -> tuple[Procedure, ...]:
    """Both only ever return true, and never return for numbers of the other parity."""
    return (
        procedure(
            "e",
            "x",
            "r:Bool",
            path("(>= x 0)", "(= x 0)", "(= r true)"),
            path("(>= x 0)", "(distinct x 0)", "(o (- x 1) r)"),
            summary="(and r (>= x 0) (= (mod x 2) 0))",
        ),
        procedure(
            "o",
            "x",
            "r:Bool",
            path("(>= x 1)", "(= x 1)", "(= r true)"),
            path("(>= x 1)", "(distinct x 1)", "(e (- x 1) r)"),
            summary="(and r (>= x 0) (= (mod x 2) 1))",
        ),
    )


def total() -> tuple[Procedure, ...]:
    return (
        procedure("e", "x", "r:Bool", path("(= x 0)", "(= r true)"), path("(> x 0)", "(o (- x 1) r)"), summary=EVEN),
        procedure("o", "x", "r:Bool", path("(= x 0)", "(= r false)"), path("(> x 0)", "(e (- x 1) r)"), summary=ODD),
    )


def flags() -> tuple[Procedure, ...]:
    """Results are the numbers 0 and 1."""
    return (
        procedure("e", "x", "r", path("(= x 0)", "(= r 1)"), path("(> x 0)", "(o (- x 1) r)"), summary=EVEN_FLAG),
        procedure("o", "x", "r", path("(= x 0)", "(= r 0)"), path("(> x 0)", "(e (- x 1) r)"), summary=ODD_FLAG),
    )


def signed() -> tuple[Procedure, ...]:
    """Negative numbers count upwards."""
    return (_both_ways("e", "o", "r:Bool", "true", EVEN), _both_ways("o", "e", "r:Bool", "false", ODD))


def signed_flags() -> tuple[Procedure, ...]:
    return (_both_ways("e", "o", "r", "1", EVEN_FLAG), _both_ways("o", "e", "r", "0", ODD_FLAG))


def _both_ways(name: str, other: str, result: str, at_zero: str, summary: str) -> Procedure:
    return procedure(
        name,
        "x",
        result,
        path("(= x 0)", f"(= r {at_zero})"),
        path("(> x 0)", f"({other} (- x 1) r)"),
        path("(< x 0)", f"({other} (+ x 1) r)"),
        summary=summary,
    )


def mirrored() -> tuple[Procedure, ...]:
    """Negative numbers are negated by a call of the procedure itself."""
    even, odd = total()
    return (
        procedure("e", "x", "r:Bool", *even.paths, path("(< x 0)", "(e (- x) r)"), summary=EVEN),
        procedure("o", "x", "r:Bool", *odd.paths, path("(< x 0)", "(o (- x) r)"), summary=ODD),
    )


def by_magnitude(*magnitude: Path) -> tuple[Procedure, ...]:
    """Drivers for all integers around the procedures for natural numbers."""
    return (
        procedure("even", "x", "r:Bool", path("(magnitude x m)", "(e m r)"), summary=EVEN),
        procedure("odd", "x", "r:Bool", path("(magnitude x m)", "(o m r)"), summary=ODD),
        procedure("magnitude", "x", "m", *magnitude, summary="(or (= m x) (= m (- x)))"),
        *total(),
    )


def stepwise() -> tuple[Procedure, ...]:
    """A third procedure decides in which direction zero lies."""
    return (
        procedure(
            "e",
            "x",
            "r:Bool",
            path("(= x 0)", "(= r true)"),
            path("(distinct x 0)", "(towards_zero x y)", "(o y r)"),
            summary=EVEN,
        ),
        procedure(
            "o",
            "x",
            "r:Bool",
            path("(= x 0)", "(= r false)"),
            path("(distinct x 0)", "(towards_zero x y)", "(e y r)"),
            summary=ODD,
        ),
        procedure(
            "towards_zero",
            "x",
            "y",
            path("(> x 0)", "(= y (- x 1))"),
            path("(< x 0)", "(= y (+ x 1))"),
            summary="(or (= y (- x 1)) (= y (+ x 1)))",
        ),
    )


# Tasks


def tasks() -> list[Task]:
    return [*natural_tasks(), *signed_tasks()]


def _task(name: str, program: str, procedures: tuple[Procedure, ...], reason: str, *queries: Query) -> Task:
    return Task(FAMILY, name, program, procedures, queries, reason)


def natural_tasks() -> list[Task]:
    return [
        _task(
            "figure",
            "f() returns h(g()), where g() returns any odd number and h adds one; e and o as usual",
            (
                procedure("f", "", "y", path("(g x)", "(h x y)"), summary="(= (mod y 2) 0)"),
                procedure("g", "", "y", path("(= y (+ (* 2 k) 1))", k=range(-3, 12)), summary="(= (mod y 2) 1)"),
                procedure("h", "x", "y", path("(= y (+ x 1))"), summary="(= y (+ x 1))"),
                *partial(),
            ),
            "f returns even numbers only, and e and o return for numbers of their parity only",
            query(
                "e(f() - 1) is never true",
                ["(f y)", "(e (- y 1) r)", "r"],
                {},
                lambda: not any(map(is_even, range(1, 24, 2))),
            ),
            query(
                "o(f() + 1) is never false",
                ["(f y)", "(o (+ y 1) r)", "(not r)"],
                {},
                lambda: all(map(is_odd, range(1, 24, 2))),
            ),
        ),
        _task(
            "exclusive",
            PARITY,
            total(),
            BY_REMAINDER,
            query(
                "e(x) and o(x) are not both true",
                ["(e x a)", "(o x b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (is_even(x) and is_odd(x)),
            ),
            query(
                "e(x) and e(x + 1) are not both true",
                ["(e x a)", "(e (+ x 1) b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (is_even(x) and is_even(x + 1)),
            ),
        ),
        _task(
            "cover",
            PARITY,
            total(),
            BY_REMAINDER,
            query(
                "e(x) or o(x) is true",
                ["(e x a)", "(o x b)", "(not (or a b))"],
                {"x": NATURALS},
                lambda x: is_even(x) or is_odd(x),
            ),
            query(
                "if o(x) is false then e(x + 2) is true",
                ["(o x a)", "(e (+ x 2) b)", "(not a)", "(not b)"],
                {"x": NATURALS},
                lambda x: is_odd(x) or is_even(x + 2),
            ),
        ),
        _task(
            "successor",
            PARITY + ", with results 0 and 1",
            flags(),
            BY_REMAINDER,
            query(
                "o(x + 1) = e(x)",
                ["(e x a)", "(o (+ x 1) b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: is_odd(x + 1) == is_even(x),
            ),
            query(
                "e(x + 1) + e(x) = 1",
                ["(e x a)", "(e (+ x 1) b)", "(distinct (+ a b) 1)"],
                {"x": NATURALS},
                lambda x: is_even(x) + is_even(x + 1) == 1,
            ),
        ),
        _task(
            "sum",
            PARITY,
            total(),
            BY_REMAINDER,
            query(
                "if e(x) and e(y) then e(x + y)",
                ["(e x a)", "(e y b)", "(e (+ x y) c)", "a", "b", "(not c)"],
                {"x": FEW_NATURALS, "y": FEW_NATURALS},
                lambda x, y: not (is_even(x) and is_even(y)) or is_even(x + y),
            ),
            query(
                "if o(x) and o(y) then not o(x + y)",
                ["(o x a)", "(o y b)", "(o (+ x y) c)", "a", "b", "c"],
                {"x": FEW_NATURALS, "y": FEW_NATURALS},
                lambda x, y: not (is_odd(x) and is_odd(y) and is_odd(x + y)),
            ),
        ),
        _task(
            "double",
            PARITY + "; twice(x) doubles x by recursion",
            (
                procedure(
                    "twice",
                    "x",
                    "y",
                    path("(= x 0)", "(= y 0)"),
                    path("(> x 0)", "(twice (- x 1) z)", "(= y (+ z 2))"),
                    summary="(= y (* 2 x))",
                ),
                *total(),
            ),
            "twice(x) is even, and " + BY_REMAINDER,
            query(
                "e(twice(x)) is true",
                ["(twice x y)", "(e y a)", "(not a)"],
                {"x": NATURALS},
                lambda x: is_even(2 * x),
            ),
            query(
                "o(twice(x) + 1) and o(twice(x)) differ",
                ["(twice x y)", "(o (+ y 1) a)", "(o y b)", "(= a b)"],
                {"x": NATURALS},
                lambda x: is_odd(2 * x + 1) != is_odd(2 * x),
            ),
        ),
        _task(
            "complement",
            "e(x) and o(x) decide parity by negating the answer of the other one",
            (
                procedure(
                    "e",
                    "x",
                    "r:Bool",
                    path("(= x 0)", "(= r true)"),
                    path("(> x 0)", "(e (- x 1) s)", "(= r (not s))"),
                    summary=EVEN,
                ),
                procedure("o", "x", "r:Bool", path("(e x s)", "(= r (not s))"), summary=ODD),
            ),
            BY_REMAINDER,
            query(
                "e(x) differs from o(x)",
                ["(e x a)", "(o x b)", "(= a b)"],
                {"x": NATURALS},
                lambda x: is_even(x) != is_odd(x),
            ),
            query(
                "e(x) and o(x + 3) agree",
                ["(e x a)", "(o (+ x 3) b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: is_even(x) == is_odd(x + 3),
            ),
        ),
        _task(
            "agreement",
            PARITY + "; skip(x) decides whether x is even in steps of two",
            (
                procedure(
                    "skip",
                    "x",
                    "r:Bool",
                    path("(= x 0)", "(= r true)"),
                    path("(= x 1)", "(= r false)"),
                    path("(> x 1)", "(skip (- x 2) r)"),
                    summary=EVEN,
                ),
                *total(),
            ),
            BY_REMAINDER,
            query(
                "skip(x) = e(x)",
                ["(skip x a)", "(e x b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: (x in range(0, 60, 2)) == is_even(x),
            ),
            query(
                "skip(x + 1) = o(x)",
                ["(skip (+ x 1) a)", "(o x b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: is_even(x + 1) == is_odd(x),
            ),
        ),
        _task(
            "accumulator",
            PARITY + "; toggle(x, flag) negates a flag x times",
            (
                procedure(
                    "toggle",
                    "x flag:Bool",
                    "r:Bool",
                    path("(= x 0)", "(= r flag)"),
                    path("(> x 0)", "(toggle (- x 1) (not flag) r)"),
                    summary="(= r (= flag (= (mod x 2) 0)))",
                ),
                *total(),
            ),
            "toggle(x, flag) is flag for even x and its negation for odd x",
            query(
                "toggle(x, true) = e(x)",
                ["(toggle x true a)", "(e x b)", "(distinct a b)"],
                {"x": NATURALS},
                lambda x: _toggled(x, True) == is_even(x),
            ),
            query(
                "toggle(x, false) and o(x + 1) differ",
                ["(toggle x false a)", "(o (+ x 1) b)", "(= a b)"],
                {"x": NATURALS},
                lambda x: _toggled(x, False) != is_odd(x + 1),
            ),
        ),
        _task(
            "deep_gap",
            PARITY,
            total(),
            "zero is even and 45 is odd",
            query(
                "e(x) and o(x) are not both true",
                ["(e x a)", "(o x b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (is_even(x) and is_odd(x)),
            ),
            query(
                "e(x) and o(x + 45) are not both true",
                ["(e x a)", "(o (+ x 45) b)", "a", "b"],
                {"x": NATURALS},
                lambda x: not (is_even(x) and is_odd(x + 45)),
                witness={"x": 0},
            ),
        ),
        _task(
            "deep_pair",
            PARITY + ", and return for numbers of their parity only",
            partial(),
            "71 and 0 are more than 70 apart",
            query(
                "an odd number and an even one are at most 70 apart",
                ["(o x a)", "(e y b)", "(> x (+ y 70))"],
                {"x": range(80), "y": range(80)},
                lambda x, y: not (x >= 0 and y >= 0 and is_odd(x) and is_even(y)) or x <= y + 70,
                witness={"x": 71, "y": 0},
            ),
        ),
        _task(
            "late_slip",
            PARITY + ", but o(x) calls e(x - 2) when x > 100",
            (
                total()[0],
                procedure(
                    "o",
                    "x",
                    "r:Bool",
                    path("(= x 0)", "(= r false)"),
                    path("(> x 0)", "(<= x 100)", "(e (- x 1) r)"),
                    path("(> x 100)", "(e (- x 2) r)"),
                    summary=ODD,
                ),
            ),
            "e(101) is o(100) and o(101) is e(99), and both are false",
            query(
                "e(x) or o(x) is true",
                ["(e x a)", "(o x b)", "(not (or a b))"],
                {"x": range(110)},
                lambda x: _late_slip(x, 0) or _late_slip(x, 1),
                witness={"x": 101},
            ),
        ),
    ]


def _toggled(x: int, flag: bool) -> bool:
    for _ in range(x):
        flag = not flag
    return flag


def _late_slip(x: int, parity: int) -> bool:
    """What e (for parity 0) and o (for parity 1) return in late_slip."""
    while x > 0:
        x -= 2 if parity == 1 and x > 100 else 1
        parity = 1 - parity
    return parity == 0


def signed_tasks() -> list[Task]:
    up = "e(x) and o(x) decide parity by calling each other, on x - 1 for positive x and on x + 1 for negative x"
    return [
        _task(
            "signed_exclusive",
            up,
            signed(),
            BY_REMAINDER,
            query(
                "e(x) and o(x) are not both true",
                ["(e x a)", "(o x b)", "a", "b"],
                {"x": INTEGERS},
                lambda x: not (is_even(x) and is_odd(x)),
            ),
            query(
                "o(x) and o(x - 1) are not both true",
                ["(o x a)", "(o (- x 1) b)", "a", "b"],
                {"x": INTEGERS},
                lambda x: not (is_odd(x) and is_odd(x - 1)),
            ),
        ),
        _task(
            "signed_mirror",
            up,
            signed(),
            BY_REMAINDER,
            query(
                "e(-x) = e(x)",
                ["(e x a)", "(e (- x) b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: is_even(-x) == is_even(x),
            ),
            query(
                "o(-x) and e(x) differ",
                ["(e x a)", "(o (- x) b)", "(= a b)"],
                {"x": INTEGERS},
                lambda x: is_odd(-x) != is_even(x),
            ),
        ),
        _task(
            "magnitude",
            "even(x) and odd(x) call e and o on the magnitude of x; e and o take natural numbers",
            by_magnitude(path("(>= x 0)", "(= m x)"), path("(< x 0)", "(= m (- x))")),
            BY_REMAINDER,
            query(
                "even(x) and odd(x) differ",
                ["(even x a)", "(odd x b)", "(= a b)"],
                {"x": INTEGERS},
                lambda x: is_even(x) != is_odd(x),
            ),
            query(
                "even(x) = odd(1 - x)",
                ["(even x a)", "(odd (- 1 x) b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: is_even(x) == is_odd(1 - x),
            ),
        ),
        _task(
            "signed_neighbours",
            up + ", with results 0 and 1",
            signed_flags(),
            BY_REMAINDER,
            query(
                "e(x) + o(x) = 1",
                ["(e x a)", "(o x b)", "(distinct (+ a b) 1)"],
                {"x": INTEGERS},
                lambda x: is_even(x) + is_odd(x) == 1,
            ),
            query(
                "e(x - 1) + e(x) + e(x + 1) is 1 or 2, and 1 only if e(x) = 1",
                ["(e (- x 1) a)", "(e x b)", "(e (+ x 1) c)", "(distinct (+ a b c) (- 2 b))"],
                {"x": INTEGERS},
                lambda x: is_even(x - 1) + is_even(x) + is_even(x + 1) == (1 if is_even(x) else 2),
            ),
        ),
        _task(
            "mirrored_difference",
            "e(x) and o(x) call each other on x - 1 for positive x, and themselves on -x for negative x",
            mirrored(),
            BY_REMAINDER,
            query(
                "e(x - y) = e(y - x)",
                ["(e (- x y) a)", "(e (- y x) b)", "(distinct a b)"],
                {"x": FEW_INTEGERS, "y": FEW_INTEGERS},
                lambda x, y: is_even(x - y) == is_even(y - x),
            ),
            query(
                "o(x - y) and e(x + y) differ",
                ["(o (- x y) a)", "(e (+ x y) b)", "(= a b)"],
                {"x": FEW_INTEGERS, "y": FEW_INTEGERS},
                lambda x, y: is_odd(x - y) != is_even(x + y),
            ),
        ),
        _task(
            "stepwise_sum",
            "e(x) and o(x) call each other on towards_zero(x), which is one step nearer to zero",
            stepwise(),
            BY_REMAINDER,
            query(
                "if o(x) and e(y) then not e(x + y)",
                ["(o x a)", "(e y b)", "(e (+ x y) c)", "a", "b", "c"],
                {"x": FEW_INTEGERS, "y": FEW_INTEGERS},
                lambda x, y: not (is_odd(x) and is_even(y) and is_even(x + y)),
            ),
            query(
                "if neither o(x) nor o(y) then e(x - y)",
                ["(o x a)", "(o y b)", "(e (- x y) c)", "(not a)", "(not b)", "(not c)"],
                {"x": FEW_INTEGERS, "y": FEW_INTEGERS},
                lambda x, y: is_odd(x) or is_odd(y) or is_even(x - y),
            ),
        ),
        _task(
            "signed_figure",
            "f() returns h(g()), where g() returns any odd number and h(x) returns x + 1 or -x - 1; " + up,
            (
                procedure("f", "", "y", path("(g x)", "(h x y)"), summary="(= (mod y 2) 0)"),
                procedure("g", "", "y", path("(= y (+ (* 2 k) 1))", k=range(-9, 9)), summary="(= (mod y 2) 1)"),
                procedure(
                    "h",
                    "x",
                    "y",
                    path("(= y (+ x 1))"),
                    path("(= y (- (- x) 1))"),
                    summary="(or (= y (+ x 1)) (= y (- (- x) 1)))",
                ),
                *signed(),
            ),
            "f returns even numbers only, and " + BY_REMAINDER,
            query("e(f()) is true", ["(f y)", "(e y r)", "(not r)"], {}, lambda: all(map(is_even, range(-18, 19, 2)))),
            query(
                "o(f() - f()) is false",
                ["(f x)", "(f y)", "(o (- x y) r)", "r"],
                {},
                lambda: not any(map(is_odd, range(-36, 37, 2))),
            ),
        ),
        _task(
            "selector",
            "parity(x, even) decides whether x is even, or whether it is odd, as its flag says, for all integers",
            (
                procedure(
                    "parity",
                    "x even:Bool",
                    "r:Bool",
                    path("(= x 0)", "(= r even)"),
                    path("(> x 0)", "(parity (- x 1) (not even) r)"),
                    path("(< x 0)", "(parity (+ x 1) (not even) r)"),
                    summary="(= r (= even (= (mod x 2) 0)))",
                ),
            ),
            "parity(x, even) is the flag for even x and its negation for odd x",
            query(
                "parity(x, true) and parity(x, false) differ",
                ["(parity x true a)", "(parity x false b)", "(= a b)"],
                {"x": INTEGERS},
                lambda x: is_even(x) != is_odd(x),
            ),
            query(
                "parity(x, true) = parity(x + 1, false)",
                ["(parity x true a)", "(parity (+ x 1) false b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: is_even(x) == is_odd(x + 1),
            ),
        ),
        _task(
            "signed_addition",
            up + "; plus(x, y) adds a natural number y by recursion",
            (
                procedure(
                    "plus",
                    "x y",
                    "s",
                    path("(= y 0)", "(= s x)"),
                    path("(> y 0)", "(plus x (- y 1) t)", "(= s (+ t 1))"),
                    summary="(= s (+ x y))",
                ),
                *signed(),
            ),
            "plus(x, y) is x + y, and " + BY_REMAINDER,
            query(
                "if e(x) and e(y) then o(plus(x, y) + 1)",
                ["(e x a)", "(e y b)", "(plus x y s)", "(o (+ s 1) c)", "a", "b", "(not c)"],
                {"x": FEW_INTEGERS, "y": FEW_INTEGERS},
                lambda x, y: y < 0 or not (is_even(x) and is_even(y)) or is_odd(x + y + 1),
            ),
            query(
                "e(plus(x, x)) is true",
                ["(plus x x s)", "(e s c)", "(not c)"],
                {"x": INTEGERS},
                lambda x: x < 0 or is_even(2 * x),
            ),
        ),
        _task(
            "signed_slip",
            "e(x) and o(x) decide parity by calling each other, but e(x) calls o(x + 2) for x < -1",
            (
                procedure(
                    "e",
                    "x",
                    "r:Bool",
                    path("(= x 0)", "(= r true)"),
                    path("(> x 0)", "(o (- x 1) r)"),
                    path("(= x (- 1))", "(= r false)"),
                    path("(< x (- 1))", "(o (+ x 2) r)"),
                    summary=EVEN,
                ),
                signed()[1],
            ),
            "e(-2) is o(0), which is false, but e(2) is true",
            query(
                "e(-x) = e(x)",
                ["(e x a)", "(e (- x) b)", "(distinct a b)"],
                {"x": INTEGERS},
                lambda x: _slip(-x) == _slip(x),
                witness={"x": 2},
            ),
        ),
        _task(
            "saturation",
            "even(x) and odd(x) call e and o on the magnitude of x, which is cut off at 64",
            by_magnitude(
                path("(>= x 0)", "(= m (ite (> x 64) 64 x))"),
                path("(< x 0)", "(= m (ite (< x (- 64)) 64 (- x)))"),
            ),
            "even(64) is true, but odd(65) is o(64), which is false",
            query(
                "even(x) = odd(x + 1)",
                ["(even x a)", "(odd (+ x 1) b)", "(distinct a b)"],
                {"x": range(-70, 71)},
                lambda x: is_even(min(abs(x), 64)) == is_odd(min(abs(x + 1), 64)),
                witness={"x": 64},
            ),
        ),
        _task(
            "signed_deep",
            up,
            signed(),
            "-40 is even and 41 is odd",
            query(
                "e(x) and o(x) are not both true",
                ["(e x a)", "(o x b)", "a", "b"],
                {"x": INTEGERS},
                lambda x: not (is_even(x) and is_odd(x)),
            ),
            query(
                "if e(x) and o(y) then not x <= -40 and y > 40",
                ["(e x a)", "(o y b)", "a", "b", "(<= x (- 40))", "(> y 40)"],
                {"x": range(-45, 45, 5), "y": range(-45, 45, 2)},
                lambda x, y: not (is_even(x) and is_odd(y) and x <= -40 and y > 40),
                witness={"x": -40, "y": 41},
            ),
        ),
    ]


def _slip(x: int) -> bool:
    """What e returns in signed_slip: an even negative number is taken for an odd one, and the other way round."""
    if x >= -1:
        return is_even(x)
    # o counts upwards correctly until it calls e again, so that every second step slips.
    return _slip_odd(x + 2)


def _slip_odd(x: int) -> bool:
    if x == 0:
        return False
    return is_even(x - 1) if x > 0 else _slip(x + 1)
