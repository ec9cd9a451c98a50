"""Buffers, after the stuffers of s2n: data of any length with a read and a write cursor.

Arrays are unbounded. Claims about contents speak of one arbitrary `cell` that the procedures are given but do
not look at, so that no summary needs a quantifier.
"""

from __future__ import annotations

from bench.families.execution import Cells
from bench.families.horn import Procedure, Query, Task, path, procedure, query

FAMILY = "buffers"
SECRETS = Cells(7, ((0, 1), (2, 3), (5, 8)))
LENGTHS = range(7)
PLACES = range(-2, 9)


def stuffer() -> tuple[Procedure, ...]:
    return (
        procedure(
            "write",
            "data:Bytes write_cursor count byte",
            "after:Bytes cursor_after",
            path("(= count 0)", "(= after data)", "(= cursor_after write_cursor)"),
            path(
                "(> count 0)",
                "(write (store data write_cursor byte) (+ write_cursor 1) (- count 1) byte after cursor_after)",
            ),
            summary="(and (>= count 0) (= cursor_after (+ write_cursor count)))",
        ),
        procedure(
            "read",
            "data:Bytes read_cursor count",
            "total cursor_after",
            path("(= count 0)", "(= total 0)", "(= cursor_after read_cursor)"),
            path(
                "(> count 0)",
                "(read data (+ read_cursor 1) (- count 1) rest cursor_after)",
                "(= total (+ rest (select data read_cursor)))",
            ),
            summary="(and (>= count 0) (= cursor_after (+ read_cursor count)))",
        ),
        procedure(
            "session",
            "data:Bytes read_cursor write_cursor rounds",
            "read_after write_after",
            path("(= rounds 0)", "(= read_after read_cursor)", "(= write_after write_cursor)"),
            path(
                "(> rounds 0)",
                "(>= count 0)",
                "(write data write_cursor count byte filled written)",
                "(>= wanted 0)",
                "(<= wanted (- written read_cursor))",
                "(read filled read_cursor wanted total consumed)",
                "(session filled consumed written (- rounds 1) read_after write_after)",
                count=range(4),
                byte=range(2),
                wanted=range(5),
            ),
            summary="(=> (<= read_cursor write_cursor)"
            " (and (<= read_after write_after) (<= read_cursor read_after) (<= write_cursor write_after)))",
        ),
    )


def wipe() -> Procedure:
    return procedure(
        "wipe",
        "data:Bytes start end cell",
        "wiped:Bytes",
        path("(>= start end)", "(= wiped data)"),
        path("(< start end)", "(wipe (store data start 0) (+ start 1) end cell wiped)"),
        summary="(= (select wiped cell) (ite (and (<= start cell) (< cell end)) 0 (select data cell)))",
    )


def copy() -> Procedure:
    return procedure(
        "copy",
        "source:Bytes target:Bytes start end cell",
        "copied:Bytes",
        path("(>= start end)", "(= copied target)"),
        path(
            "(< start end)",
            "(copy source target (+ start 1) end cell rest)",
            "(= copied (store rest start (select source start)))",
        ),
        summary="(= (select copied cell) (select (ite (and (<= start cell) (< cell end)) source target) cell))",
    )


def _task(name: str, program: str, procedures: tuple[Procedure, ...], reason: str, *queries: Query) -> Task:
    return Task(FAMILY, name, program, procedures, queries, reason)


def tasks() -> list[Task]:
    return [
        _task(
            "cursors",
            "session writes and reads in turns, never more than there is to read",
            stuffer(),
            "a write moves one cursor by what is written, a read moves the other by what is read",
            query(
                "the read cursor never passes the write cursor",
                ["(session data 0 0 rounds r w)", "(> r w)"],
                {"data": [SECRETS], "rounds": range(4)},
                lambda data, rounds: not any(r > w for r, w in _cursors(0, 0, rounds)),
            ),
            query(
                "no cursor moves back",
                ["(<= r w)", "(session data r w rounds s t)", "(or (< s r) (< t w))"],
                {"data": [SECRETS], "r": range(3), "w": range(3), "rounds": range(3)},
                lambda data, r, w, rounds: r > w or all(s >= r and t >= w for s, t in _cursors(r, w, rounds)),
            ),
        ),
        _task(
            "wipe",
            "wipe(data, start, end) sets the cells from start to end to zero",
            (wipe(),),
            "every cell from start to end is overwritten, and no other",
            query(
                "a cell between the cursors is zero after a wipe",
                [
                    "(wipe data start end cell wiped)",
                    "(<= start cell)",
                    "(< cell end)",
                    "(distinct (select wiped cell) 0)",
                ],
                {"data": [SECRETS], "start": LENGTHS, "end": LENGTHS, "cell": PLACES},
                lambda data, start, end, cell: not start <= cell < end or _wiped(data, start, end).select(cell) == 0,
            ),
            query(
                "a cell elsewhere is as it was",
                [
                    "(wipe data start end cell wiped)",
                    "(or (< cell start) (<= end cell))",
                    "(distinct (select wiped cell) (select data cell))",
                ],
                {"data": [SECRETS], "start": LENGTHS, "end": LENGTHS, "cell": PLACES},
                lambda data, start, end, cell: (
                    start <= cell < end or _wiped(data, start, end).select(cell) == data.select(cell)
                ),
            ),
        ),
        _task(
            "move",
            "move(source, target, start, end) copies the cells from start to end, then wipes them in the source",
            (
                procedure(
                    "move",
                    "source:Bytes target:Bytes start end cell",
                    "left:Bytes moved:Bytes",
                    path("(copy source target start end cell moved)", "(wipe source start end cell left)"),
                    summary="(=> (and (<= start cell) (< cell end))"
                    " (and (= (select left cell) 0) (= (select moved cell) (select source cell))))",
                ),
                copy(),
                wipe(),
            ),
            "every cell from start to end is first copied and then overwritten",
            query(
                "a moved cell arrives, and is zero in the source",
                [
                    "(move source target start end cell left moved)",
                    *("(<= start cell)", "(< cell end)"),
                    "(or (distinct (select left cell) 0) (distinct (select moved cell) (select source cell)))",
                ],
                {"source": [SECRETS], "target": [Cells(0)], "start": LENGTHS, "end": LENGTHS, "cell": PLACES},
                lambda source, target, start, end, cell: (
                    not start <= cell < end
                    or (
                        _wiped(source, start, end).select(cell) == 0
                        and _copied(source, target, start, end).select(cell) == source.select(cell)
                    )
                ),
            ),
        ),
        _task(
            "leftover",
            "clear(data, start, end) sets cells to zero by fours, and forgets the rest; "
            "audit adds up the cells from start to end",
            (
                procedure(
                    "clear",
                    "data:Bytes start end",
                    "cleared:Bytes",
                    path("(< end (+ start 4))", "(= cleared data)"),
                    path(
                        "(>= end (+ start 4))",
                        "(clear (store (store (store (store data start 0) (+ start 1) 0) (+ start 2) 0) (+ start 3) 0)"
                        " (+ start 4) end cleared)",
                    ),
                ),
                procedure(
                    "audit",
                    "data:Bytes start end",
                    "total",
                    path("(>= start end)", "(= total 0)"),
                    path(
                        "(< start end)", "(audit data (+ start 1) end rest)", "(= total (+ rest (select data start)))"
                    ),
                ),
            ),
            "when 6 cells are cleared, the last two keep their contents",
            query(
                "nothing is left of more than 4 cells",
                ["(> end 4)", "(clear data 0 end cleared)", "(audit cleared 0 end total)", "(distinct total 0)"],
                {"data": [Cells(7)], "end": range(20)},
                lambda data, end: end <= 4 or end % 4 * 7 == 0,
                witness={"data": Cells(7), "end": 6},
            ),
        ),
    ]


# References


def _cursors(read: int, written: int, rounds: int) -> set[tuple[int, int]]:
    """Where the cursors can be after so many rounds of writing up to 3 cells and reading up to 4."""
    places = {(read, written)}
    for _ in range(rounds):
        further = {(r, w + count) for r, w in places for count in range(4)}
        places = {(r + wanted, w) for r, w in further for wanted in range(5) if wanted <= w - r}
    return places


def _wiped(data: Cells, start: int, end: int) -> Cells:
    return Cells(data.elsewhere, tuple((i, 0 if start <= i < end else data.select(i)) for i in PLACES))


def _copied(source: Cells, target: Cells, start: int, end: int) -> Cells:
    return Cells(0, tuple((i, (source if start <= i < end else target).select(i)) for i in PLACES))
