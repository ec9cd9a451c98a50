"""Montgomery: a number a is represented by a R mod N, for a modulus N and an auxiliary modulus R.

N and R are concrete and differ between the tasks, so that no claim needs nonlinear arithmetic. The claims are
about sums of representations, most of them of concrete numbers; how a representation is computed differs too.
"""

from __future__ import annotations

from bench.families.horn import Procedure, Query, Task, path, procedure, query

FAMILY = "montgomery"
NOTHING: dict[str, range] = {}


def represented(a: int, modulus: int, auxiliary: int) -> int:
    return a * auxiliary % modulus


# Procedures


def reduction(modulus: int, name: str = "reduce") -> Procedure:
    """x mod N for natural x, by repeated subtraction."""
    return procedure(
        name,
        "x",
        "r",
        path("(>= x 0)", f"(< x {modulus})", "(= r x)"),
        path(f"(>= x {modulus})", f"({name} (- x {modulus}) r)"),
        summary=f"(= r (mod x {modulus}))",
    )


def addition(modulus: int) -> Procedure:
    """The sum of two representations, with one conditional subtraction."""
    return procedure(
        "add",
        "u v",
        "s",
        path(f"(< (+ u v) {modulus})", "(= s (+ u v))"),
        path(f"(>= (+ u v) {modulus})", f"(= s (- (+ u v) {modulus}))"),
        summary=f"(= s (ite (< (+ u v) {modulus}) (+ u v) (- (+ u v) {modulus})))",
    )


def conversion(modulus: int, auxiliary: int) -> Procedure:
    """The representation of a, by reducing a R."""
    return procedure(
        "represent",
        "a",
        "m",
        path("(>= a 0)", f"(reduce (* {auxiliary} a) m)"),
        summary=f"(= m (mod (* {auxiliary} a) {modulus}))",
    )


def counting_conversion(modulus: int, auxiliary: int) -> Procedure:
    """The representation of a from that of a - 1: R mod N is added and the sum is kept below N."""
    rest = auxiliary % modulus
    return procedure(
        "represent",
        "a",
        "m",
        path("(= a 0)", "(= m 0)"),
        path("(> a 0)", "(represent (- a 1) t)", f"(< (+ t {rest}) {modulus})", f"(= m (+ t {rest}))"),
        path("(> a 0)", "(represent (- a 1) t)", f"(>= (+ t {rest}) {modulus})", f"(= m (- (+ t {rest}) {modulus}))"),
        summary=f"(= m (mod (* {auxiliary} a) {modulus}))",
    )


def doubling(modulus: int) -> tuple[Procedure, ...]:
    """shift(x, k): x 2^k mod N, by k doublings."""
    return (
        procedure(
            "shift",
            "x k",
            "y",
            path("(= k 0)", "(= y x)"),
            path("(> k 0)", "(double x t)", "(shift t (- k 1) y)"),
            summary=_shifted(modulus),
        ),
        procedure(
            "double",
            "x",
            "y",
            path(f"(< (* 2 x) {modulus})", "(= y (* 2 x))"),
            path(f"(>= (* 2 x) {modulus})", f"(= y (- (* 2 x) {modulus}))"),
            summary=f"(= y (ite (< (* 2 x) {modulus}) (* 2 x) (- (* 2 x) {modulus})))",
        ),
    )


def halving(modulus: int, start: int, steps: int) -> tuple[Procedure, ...]:
    """unshift(x, k): x divided k times by two, modulo an odd N; to be called with `start` and `steps`."""
    return (
        procedure(
            "unshift",
            "x k",
            "y",
            path("(= k 0)", "(= y x)"),
            path("(> k 0)", "(halve x t)", "(unshift t (- k 1) y)"),
            summary=_unshifted(modulus, start, steps),
        ),
        procedure(
            "halve",
            "x",
            "y",
            path("(= (mod x 2) 0)", "(= y (div x 2))"),
            path("(= (mod x 2) 1)", f"(= y (div (+ x {modulus}) 2))"),
            summary=f"(= y (div (ite (= (mod x 2) 0) x (+ x {modulus})) 2))",
        ),
    )


def _shifted(modulus: int) -> str:
    """y is below N if x is, and up to the fourth doubling it is x 2^k mod N."""
    exact = " ".join(f"(=> (= k {k}) (= y (mod (* {2**k} x) {modulus})))" for k in range(5))
    return f"(=> (and (>= x 0) (< x {modulus})) (and (>= y 0) (< y {modulus}) {exact}))"


def _unshifted(modulus: int, start: int, steps: int) -> str:
    """What is returned for a concrete number, and for all numbers on the way to it."""
    numbers = [start]
    for _ in range(steps):
        numbers.append(_halved(numbers[-1], modulus))
    cases = (f"(=> (and (= x {x}) (= k {steps - i})) (= y {numbers[-1]}))" for i, x in enumerate(numbers))
    return f"(and {' '.join(cases)})"


def _halved(x: int, modulus: int) -> int:
    return (x if x % 2 == 0 else x + modulus) // 2


def division(modulus: int, auxiliary: int, inverse: int) -> Procedure:
    """Montgomery's reduction: t / R mod N without a division by N; `inverse` times N is -1 modulo R."""
    quotient = f"(div (+ t (* {modulus} (mod (* {inverse} t) {auxiliary}))) {auxiliary})"
    return procedure(
        "divide",
        "t",
        "u",
        path(
            f"(= q (mod (* {inverse} t) {auxiliary}))",
            f"(= w (div (+ t (* {modulus} q)) {auxiliary}))",
            f"(= u (ite (>= w {modulus}) (- w {modulus}) w))",
        ),
        summary=f"(= u (ite (>= {quotient} {modulus}) (- {quotient} {modulus}) {quotient}))",
    )


# Tasks


def _task(name: str, program: str, procedures: tuple[Procedure, ...], reason: str, *queries: Query) -> Task:
    return Task(FAMILY, name, program, procedures, queries, reason)


def tasks() -> list[Task]:
    return [*concrete_tasks(), *symbolic_tasks(), *false_tasks()]


def concrete_tasks() -> list[Task]:
    return [
        _task(
            "sum_of_two",
            "represent(a) reduces 16 a modulo 7 by repeated subtraction",
            (conversion(7, 16), reduction(7)),
            "16 · 25 mod 7 = 1 and 16 · 31 mod 7 = 6",
            query(
                "the representations of 25 and 31 add up to 7",
                ["(represent 25 u)", "(represent 31 v)", "(distinct (+ u v) 7)"],
                NOTHING,
                lambda: represented(25, 7, 16) + represented(31, 7, 16) == 7,
            ),
        ),
        _task(
            "counting",
            "represent(a) computes 16 a mod 13 from represent(a - 1)",
            (counting_conversion(13, 16),),
            "16 · 4 mod 13 = 12 and 16 · 9 mod 13 = 1",
            query(
                "the representations of 4 and 9 add up to 13",
                ["(represent 4 u)", "(represent 9 v)", "(distinct (+ u v) 13)"],
                NOTHING,
                lambda: represented(4, 13, 16) + represented(9, 13, 16) == 13,
            ),
            query(
                "no representation is negative or larger than 12",
                ["(represent a u)", "(or (< u 0) (> u 12))"],
                {"a": range(40)},
                lambda a: 0 <= represented(a, 13, 16) <= 12,
            ),
        ),
        _task(
            "doublings",
            "shift(x, k) doubles x modulo 11, k times; R is 2 to the 4th",
            doubling(11),
            "3 · 16 mod 11 = 4 and 8 · 16 mod 11 = 7, and a doubling keeps its argument below 11",
            query(
                "the representations of 3 and 8 add up to 11",
                ["(shift 3 4 u)", "(shift 8 4 v)", "(distinct (+ u v) 11)"],
                NOTHING,
                lambda: represented(3, 11, 16) + represented(8, 11, 16) == 11,
            ),
            query(
                "the sum of two shifted numbers below 11 is below 21",
                ["(>= x 0)", "(< x 11)", "(>= y 0)", "(< y 11)", "(shift x k u)", "(shift y j v)", "(>= (+ u v) 21)"],
                {"x": range(12), "y": range(12), "k": range(4), "j": range(4)},
                lambda x, y, k, j: x >= 11 or y >= 11 or x * 2**k % 11 + y * 2**j % 11 < 21,
            ),
        ),
        _task(
            "division",
            "represent(a) reduces 10 a modulo 7; divide(t) is Montgomery's reduction, t / 10 mod 7",
            (conversion(7, 10), reduction(7), division(7, 10, 7)),
            "dividing by R undoes the multiplication by R, modulo N",
            query(
                "divide(represent(4)) is 4",
                ["(represent 4 u)", "(divide u x)", "(distinct x 4)"],
                NOTHING,
                lambda: represented(4, 7, 10) * pow(10, -1, 7) % 7 == 4,
            ),
            query(
                "divide(represent(12) + represent(20)) is 4",
                ["(represent 12 u)", "(represent 20 v)", "(divide (+ u v) x)", "(distinct x 4)"],
                NOTHING,
                lambda: (represented(12, 7, 10) + represented(20, 7, 10)) * pow(10, -1, 7) % 7 == 4,
            ),
        ),
        _task(
            "running_total",
            "represent(a) reduces 8 a modulo 5; total(k) adds the representations of 1 to k modulo 5",
            (
                procedure(
                    "total",
                    "k",
                    "s",
                    path("(= k 0)", "(= s 0)"),
                    path("(> k 0)", "(total (- k 1) t)", "(represent k u)", "(add t u s)"),
                    summary="(= s (ite (= (mod k 5) 2) 4 (ite (= (mod k 5) 1) 3 (ite (= (mod k 5) 3) 3 0))))",
                ),
                addition(5),
                conversion(5, 8),
                reduction(5),
            ),
            "the sum of 1 to 14 is 105, and 8 · 105 mod 5 = 0",
            query(
                "total(14) + total(0) = 0",
                ["(total 14 s)", "(total 0 t)", "(distinct (+ s t) 0)"],
                NOTHING,
                lambda: sum(represented(a, 5, 8) for a in range(1, 15)) % 5 == 0,
            ),
        ),
        _task(
            "round_trip",
            "shift(x, k) doubles x modulo 17, k times; unshift(x, k) halves it modulo 17, k times",
            (*doubling(17), *halving(17, start=21, steps=4)),
            "halving undoes doubling, modulo an odd number",
            query(
                "unshift(shift(6, 4) + shift(7, 4), 4) is 13",
                ["(shift 6 4 u)", "(shift 7 4 v)", "(unshift (+ u v) 4 x)", "(distinct x 13)"],
                NOTHING,
                lambda: _unshift(6 * 16 % 17 + 7 * 16 % 17, 4) == 13,
            ),
        ),
    ]


def _unshift(x: int, k: int) -> int:
    """What unshift returns in round_trip; x may be 17 or more, since nothing is reduced before it."""
    for _ in range(k):
        x = _halved(x, 17)
    return x


def symbolic_tasks() -> list[Task]:
    return [
        _task(
            "addition",
            "represent(a) reduces 8 a modulo 5; add(u, v) adds modulo 5",
            (conversion(5, 8), reduction(5), addition(5)),
            "multiplication by R distributes over sums, and reduction is exact",
            query(
                "add(represent(a), represent(b)) = represent(a + b)",
                ["(represent a u)", "(represent b v)", "(add u v s)", "(represent (+ a b) w)", "(distinct s w)"],
                {"a": range(15), "b": range(15)},
                lambda a, b: (represented(a, 5, 8) + represented(b, 5, 8)) % 5 == represented(a + b, 5, 8),
            ),
        ),
        _task(
            "opposites",
            "represent(a) reduces 4 a modulo 9 by repeated subtraction",
            (conversion(9, 4), reduction(9)),
            "the sum is a positive multiple of 9 that is less than 18, since 4 has an inverse modulo 9",
            query(
                "the representations of a and 9 - a add up to 9, for 0 < a < 9",
                ["(> a 0)", "(< a 9)", "(represent a u)", "(represent (- 9 a) v)", "(distinct (+ u v) 9)"],
                {"a": range(12)},
                lambda a: not 0 < a < 9 or represented(a, 9, 4) + represented(9 - a, 9, 4) == 9,
            ),
            query(
                "the representations of a and a + 9 are equal",
                ["(represent a u)", "(represent (+ a 9) v)", "(distinct u v)"],
                {"a": range(30)},
                lambda a: represented(a, 9, 4) == represented(a + 9, 9, 4),
            ),
        ),
        _task(
            "two_ways",
            "represent(a) computes 10 a mod 3 from represent(a - 1); scale(a) is 10 a by recursion, and is reduced",
            (
                counting_conversion(3, 10),
                procedure(
                    "scale",
                    "a",
                    "y",
                    path("(= a 0)", "(= y 0)"),
                    path("(> a 0)", "(scale (- a 1) z)", "(= y (+ z 10))"),
                    summary="(= y (* 10 a))",
                ),
                reduction(3),
            ),
            "both are 10 a mod 3",
            query(
                "represent(a) = reduce(scale(a))",
                ["(represent a u)", "(scale a y)", "(reduce y v)", "(distinct u v)"],
                {"a": range(30)},
                lambda a: represented(a, 3, 10) == 10 * a % 3,
            ),
            query(
                "represent(a) + represent(a + 1) + represent(a + 2) = 3",
                ["(represent a u)", "(represent (+ a 1) v)", "(represent (+ a 2) w)", "(distinct (+ u v w) 3)"],
                {"a": range(30)},
                lambda a: sum(represented(a + i, 3, 10) for i in range(3)) == 3,
            ),
        ),
        _task(
            "residues",
            "by2(x), by3(x) reduce x modulo 2 and 3; a number is represented by both remainders of 7 a",
            (reduction(2, "by2"), reduction(3, "by3")),
            "the remainders determine a number modulo 6 (Chinese remainder theorem)",
            query(
                "two numbers below 6 whose representations have equal sums and equal first parts are equal",
                [
                    *("(>= a 0)", "(< a 6)", "(>= b 0)", "(< b 6)"),
                    *("(by2 (* 7 a) u)", "(by3 (* 7 a) v)", "(by2 (* 7 b) w)", "(by3 (* 7 b) z)"),
                    *("(= u w)", "(= (+ u v) (+ w z))", "(distinct a b)"),
                ],
                {"a": range(7), "b": range(7)},
                lambda a, b: a >= 6 or b >= 6 or a == b or (7 * a % 2, 7 * a % 3) != (7 * b % 2, 7 * b % 3),
            ),
        ),
    ]


def false_tasks() -> list[Task]:
    return [
        _task(
            "carry",
            "represent(a) computes 32 a mod 23 from represent(a - 1)",
            (counting_conversion(23, 32),),
            "the sum is not reduced: 32 · 18 mod 23 = 1, 32 · 28 mod 23 = 22",
            query(
                "the representations of a and a + 10 add up to less than 23, for a > 17",
                ["(> a 17)", "(represent a u)", "(represent (+ a 10) v)", "(>= (+ u v) 23)"],
                {"a": range(45)},
                lambda a: a <= 17 or represented(a, 23, 32) + represented(a + 10, 23, 32) < 23,
                witness={"a": 18},
            ),
        ),
        _task(
            "long_division",
            "represent(a) reduces 16 a modulo 19 by repeated subtraction; divide(t) is t / 16 mod 19",
            (conversion(19, 16), reduction(19), division(19, 16, 5)),
            "dividing by R undoes the multiplication by R: 61 + 70 is 17 modulo 19",
            query(
                "divide(represent(61) + represent(70)) is not 17",
                ["(represent 61 u)", "(represent 70 v)", "(divide (+ u v) x)", "(= x 17)"],
                NOTHING,
                lambda: (represented(61, 19, 16) + represented(70, 19, 16)) * pow(16, -1, 19) % 19 != 17,
                witness={},
            ),
        ),
    ]
