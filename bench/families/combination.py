"""Combination: Montgomery representations as inputs of procedures that decide parity."""

from __future__ import annotations

from bench.families import even_odd, montgomery
from bench.families.horn import Task, query
from bench.families.montgomery import represented

FAMILY = "combination"


def tasks() -> list[Task]:
    return [
        Task(
            FAMILY,
            "parity_of_sum",
            "represent(a) reduces 4 a modulo 7 by repeated subtraction; " + even_odd.PARITY,
            (montgomery.conversion(7, 4), montgomery.reduction(7), *even_odd.total()),
            (
                query(
                    "represent(20) + represent(50) is odd",
                    ["(represent 20 u)", "(represent 50 v)", "(e (+ u v) r)", "r"],
                    {},
                    lambda: (represented(20, 7, 4) + represented(50, 7, 4)) % 2 == 1,
                ),
                query(
                    "represent(a) + represent(a + 7) is even",
                    ["(represent a u)", "(represent (+ a 7) v)", "(o (+ u v) r)", "r"],
                    {"a": range(30)},
                    lambda a: (represented(a, 7, 4) + represented(a + 7, 7, 4)) % 2 == 0,
                ),
            ),
            "4 · 20 mod 7 = 3 and 4 · 50 mod 7 = 4; the representations of a and a + 7 are equal",
        ),
        Task(
            FAMILY,
            "parity_of_difference",
            "represent(a) computes 8 a mod 6 from represent(a - 1); add adds modulo 6; "
            "e(x) and o(x) decide parity, also of negative numbers",
            (montgomery.counting_conversion(6, 8), montgomery.addition(6), *even_odd.signed()),
            (
                query(
                    "e is true of represent(a) - represent(b)",
                    ["(represent a u)", "(represent b v)", "(e (- u v) r)", "(not r)"],
                    {"a": range(15), "b": range(15)},
                    lambda a, b: (represented(a, 6, 8) - represented(b, 6, 8)) % 2 == 0,
                ),
                query(
                    "o is true of add(represent(a), represent(b)) - 1",
                    ["(represent a u)", "(represent b v)", "(add u v s)", "(o (- s 1) r)", "(not r)"],
                    {"a": range(15), "b": range(15)},
                    lambda a, b: ((represented(a, 6, 8) + represented(b, 6, 8)) % 6 - 1) % 2 == 1,
                ),
            ),
            "8 and 6 are even, so that all representations are even",
        ),
    ]
