"""Finite functions: the five recursive functions of Chen, Wang and Yang (Table I), each with three properties.

The programs are those of examples/finite, at a width and with one of two meanings of overflow: arithmetic wraps
around, or a run that overflows does not return. Which verdict is right depends on both. It is computed here by
running all arguments where there are few, and by an argument about numbers where there are many.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

FAMILIES = {"finite-wrap": "wrap", "finite-discard": "discard"}
WIDTHS = (4, 8, 12, 16, 20, 24, 28, 32)
MOST_RUNS = 1 << 16

PROGRAMS = Path(__file__).resolve().parent.parent.parent / "examples" / "finite"


@dataclass(frozen=True, slots=True)
class Row:
    """A property of a function, as the program's text says it and in Python over arguments and result."""

    function: str
    number: int
    text: str
    holds: Callable[..., bool]
    wraps: str = ""  # why the property holds at every width when arithmetic wraps around
    fails: Callable[[int], tuple[int, ...]] | None = None  # arguments that violate it then, for each width


ROWS = (
    Row(
        "fibonacci",
        1,
        "r > 0",
        lambda n, r: r > 0,
        # 2^w divides the Fibonacci number with index 3 · 2^(w-2), which is the argument plus one here.
        fails=lambda width: (3 * (1 << (width - 2)) - 1,),
    ),
    Row("fibonacci", 2, "n != 4 | r = 5", lambda n, r: n != 4 or r == 5, "numbers up to 5 fit"),
    Row("fibonacci", 3, "n <= 3 | r != n", lambda n, r: n <= 3 or r != n),
    Row("hanoi", 1, "r > 0", lambda n, r: r > 0, "the number of moves is odd"),
    Row("hanoi", 2, "n != 3 | r = 7", lambda n, r: n != 3 or r == 7, "numbers up to 7 fit"),
    Row("hanoi", 3, "n = 1 | r != n", lambda n, r: n == 1 or r != n, fails=lambda width: ((1 << width) - 1,)),
    Row("sum", 1, "r > 0", lambda n, r: r > 0, "n (n + 1) is no multiple of 2^(w+1) for 0 < n < 2^w"),
    Row("sum", 2, "n != 3 | r = 6", lambda n, r: n != 3 or r == 6, "numbers up to 6 fit"),
    Row(
        "sum", 3, "n = 1 | r != n", lambda n, r: n == 1 or r != n, "n (n - 1) is no multiple of 2^(w+1) for 1 < n < 2^w"
    ),
    Row("gcd", 1, "r > 0", lambda x, y, r: r > 0, "nothing overflows"),
    Row("gcd", 2, "x != 3 | y != 2 | r = 1", lambda x, y, r: (x, y) != (3, 2) or r == 1, "nothing overflows"),
    Row(
        "gcd",
        3,
        "x % 2 = 1 | y % 2 = 1 | r % 2 = 0",
        lambda x, y, r: x % 2 == 1 or y % 2 == 1 or r % 2 == 0,
        "nothing overflows",
    ),
    Row("combination", 1, "r > 0", lambda n, k, r: r > 0, "2^w divides no C(n, k) with n < 2^w (Kummer)"),
    Row("combination", 2, "n != 4 | k != 2 | r = 6", lambda n, k, r: (n, k) != (4, 2) or r == 6, "numbers up to 6 fit"),
    Row("combination", 3, "n != k | r = 1", lambda n, k, r: n != k or r == 1, "C(n, n) is 1 without any sum"),
)


@dataclass(frozen=True, slots=True)
class FiniteTask:
    """A property of a function at a width, as Horn clauses over bit-vectors; `safe` is None if it is not known."""

    family: str
    name: str
    row: Row
    width: int
    safe: bool | None
    reason: str

    @property
    def program(self) -> str:
        return (PROGRAMS / f"{self.row.function}.bool").read_text(encoding="utf-8")

    def write(self) -> str:
        from sorrel.finite.horn import horn_system
        from sorrel.frontends.boolean import Overflow, read_program
        from sorrel.horn.text import write_system

        overflow = Overflow(FAMILIES[self.family])
        file = f"{self.row.function}.bool"
        program = read_program(self.program, file, width=self.width, overflow=overflow, properties=[self.row.text])
        meaning = {"wrap": "wraps around", "discard": "that overflows does not return"}[overflow]
        head = f"; {self.row.function} at {self.width} bits, arithmetic {meaning}; {self.row.text}\n; {self.reason}\n"
        return head + write_system(horn_system(program))


def tasks(family: str, widths: Sequence[int] = WIDTHS) -> list[FiniteTask]:
    return [_task(family, row, width) for width in widths for row in ROWS]


def _task(family: str, row: Row, width: int) -> FiniteTask:
    safe, reason = expected(row, width, FAMILIES[family])
    return FiniteTask(family, f"{row.function}_{row.number}_{width:02}", row, width, safe, reason)


def expected(row: Row, width: int, overflow: str) -> tuple[bool | None, str]:
    """The verdict and why; by running everything where that is possible."""
    arguments = 2 if row.function in ("gcd", "combination") else 1
    if 1 << (width * arguments) <= MOST_RUNS:
        violation = next((run for run in behaviours(row.function, width, overflow) if not row.holds(*run)), None)
        return violation is None, "all arguments were run" if violation is None else f"violated by {violation}"
    if overflow == "discard":
        return True, "what returns is exact, and the property holds of numbers"
    if row.fails is not None:
        return False, f"violated by the arguments {row.fails(width)}"
    return (True, row.wraps) if row.wraps else (None, "not known")


def behaviours(function: str, width: int, overflow: str) -> Iterator[tuple[int, ...]]:
    """Arguments and result of every run that returns, smaller arguments first."""
    top = 1 << width

    def fit(value: int | None) -> int | None:
        return None if value is None else value % top if overflow == "wrap" else value if value < top else None

    if function in ("gcd", "combination"):
        yield from _of_pairs(function, top, fit)
        return
    before: list[int | None] = [None, None]
    for n in range(1, top):
        result: int | None
        if function == "fibonacci":
            result = n if n <= 2 else fit(_plus(before[-1], before[-2]))
        elif function == "hanoi":
            result = 1 if n == 1 else fit(_plus(fit(_plus(before[-1], before[-1])), 1))
        else:
            result = 1 if n == 1 else fit(_plus(before[-1], n))
        before = [before[-1], result]
        if result is not None:
            yield n, result


def _plus(a: int | None, b: int | None) -> int | None:
    return None if a is None or b is None else a + b


def _of_pairs(function: str, top: int, fit: Callable[[int | None], int | None]) -> Iterator[tuple[int, ...]]:
    known: dict[tuple[int, int], int | None] = {}
    for total in range(2, 2 * top - 1):
        for x in range(max(1, total - top + 1), min(top, total)):
            y = total - x
            if function == "gcd":
                known[x, y] = x if x == y else known[x - y, y] if x > y else known[x, y - x]
    for n in range(1, top):
        for k in range(1, top):
            if function == "combination":
                if n == k or k == 1:
                    known[n, k] = 1 if n == k else n
                else:
                    known[n, k] = fit(_plus(known.get((n - 1, k - 1)), known.get((n - 1, k))))
            result = known[n, k]
            if result is not None:
                yield n, k, result
