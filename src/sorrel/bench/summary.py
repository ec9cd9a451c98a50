"""Results as Markdown, for people."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from statistics import median

from sorrel.bench.provenance import Provenance, Session
from sorrel.bench.record import Record
from sorrel.bench.tally import (
    QUICK,
    Tally,
    contradictions,
    families_of,
    overheads,
    solved_by_one,
    tally,
    tools_of,
    wrong,
)

FILE = "summary.md"
HEADINGS = (
    *("tool", "tasks", "solved", "safe", "safe, assuming", "unsafe", "unknown", "wrong", "confirmed"),
    *("PAR-2 (s)", "median (s)"),
)


def write_summary(
    folder: Path, records: Sequence[Record], provenance: Provenance, plots: Sequence[str], skipped: int = 0
) -> Path:
    """`plots` are the names of the images in the folder, `skipped` counts the runs that were wanted and not made."""
    path = folder / FILE
    path.write_text(render(records, provenance, plots, skipped), encoding="utf-8")
    return path


def render(records: Sequence[Record], provenance: Provenance, plots: Sequence[str] = (), skipped: int = 0) -> str:
    tools = tools_of(records, list(provenance.tools))
    sections = [
        "# Benchmark results",
        origin(provenance),
        tool_list(provenance, tools),
        totals(records, tools, provenance),
        f"Runs skipped: {skipped}.",
        *(family_table(suite, family, records, tools, provenance) for suite, family in families_of(records)),
        decided_table(records),
        *(count_table(tool, records) for tool in tools),
        wrong_list(records),
        contradiction_list(records),
        only_one_list(records, tools),
        overhead_table(records, tools),
        plot_list(plots),
    ]
    return "\n\n".join(section for section in sections if section) + "\n"


def table(headings: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    def line(cells: Iterable[object]) -> str:
        return "| " + " | ".join(str(cell).replace("|", "\\|") for cell in cells) + " |"

    return "\n".join([line(headings), line("---" for _ in headings), *(line(row) for row in rows)])


def origin(provenance: Provenance) -> str:
    limits = provenance.limits
    rows: list[tuple[str, str]] = [
        ("wall limit", f"{limits.wall:g} s"),
        ("CPU limit", "none" if limits.cpu is None else f"{limits.cpu:g} s"),
        ("memory limit", "none" if limits.memory is None else f"{limits.memory} MiB"),
    ]
    if provenance.sessions:
        rows = session_rows(provenance.sessions[-1]) + rows
    return "\n\n".join([table(("what", "value"), rows), *older_sessions(provenance.sessions)])


def older_sessions(sessions: Sequence[Session]) -> list[str]:
    """A note for each earlier session on another machine, commit or number of jobs."""
    if not sessions:
        return []
    last = session_rows(sessions[-1])[1:]
    older = [session_rows(session) for session in sessions[:-1]]
    notes = ["; ".join(f"{what} {value}" for what, value in rows) for rows in older if rows[1:] != last]
    return [f"Some of these runs are older: {note}." for note in dict.fromkeys(notes)]


def session_rows(session: Session) -> list[tuple[str, str]]:
    machine = session.machine
    return [
        ("started", session.started),
        ("processor", f"{machine.processor}, {machine.cores} cores"),
        ("memory", f"{machine.memory_mb} MiB"),
        ("system", machine.system),
        ("Python", machine.python),
        ("commit", session.commit or "not run from a checkout"),
        ("runs at a time", str(session.jobs)),
    ]


def tool_list(provenance: Provenance, tools: Sequence[str]) -> str:
    known = [(tool, provenance.tools[tool]) for tool in tools if tool in provenance.tools]
    rows = [(tool, item.version or "not known", f"`{item.call}`" if item.call else "") for tool, item in known]
    return "## Tools\n\n" + table(("tool", "version", "call"), rows) if rows else ""


def totals(records: Sequence[Record], tools: Sequence[str], provenance: Provenance) -> str:
    if not records:
        return "There are no results yet."
    tallies = tallies_of(records, tools, provenance)
    most = max(item.tasks for item in tallies)
    short = [f"{item.tool} has run on {item.tasks} of {most} tasks" for item in tallies if item.tasks < most]
    note = f"\n\nNot complete: {', '.join(short)}." if short else ""
    return f"## All tasks\n\n{tally_table(tallies)}{note}\n\n{EXPLANATION}"


EXPLANATION = (
    "Times are wall-clock. PAR-2 is the mean over all tasks, with twice the limit for a task not solved; "
    "the median is over solved tasks. A wrong answer contradicts the index and does not count as solved. "
    "An answer of an engine of Sorrel counts only with evidence that a checker accepted (confirmed)."
)


def family_table(
    suite: str, family: str, records: Sequence[Record], tools: Sequence[str], provenance: Provenance
) -> str:
    own = [record for record in records if (record.suite, record.family) == (suite, family)]
    return f"## {suite}: {family}\n\n{tally_table(tallies_of(own, tools, provenance))}"


def decided_table(records: Sequence[Record]) -> str:
    """Who decided what: an answer of the default may come from any method, and of a method from one of its parts."""
    rows = decided_rows(records)
    if not rows:
        return ""
    return "\n\n".join(["## Who decided what", table(("tool", "decided by", "safe", "unsafe", "median (s)"), rows)])


def decided_rows(records: Sequence[Record]) -> list[tuple[object, ...]]:
    groups: dict[tuple[str, str], list[Record]] = {}
    for record in records:
        if record.kind == "own" and record.solved:
            groups.setdefault((record.tool, record.decided_by or record.engine), []).append(record)
    return [
        (
            tool,
            by,
            sum(record.verdict.is_proof for record in found),
            sum(not record.verdict.is_proof for record in found),
            seconds(median(record.wall for record in found)),
        )
        for (tool, by), found in sorted(groups.items(), key=lambda item: (item[0][0], -len(item[1]), item[0][1]))
    ]


def count_table(tool: str, records: Sequence[Record]) -> str:
    """Task by task, what an engine counts by itself beside the time that it took."""
    own = [record for record in records if record.tool == tool and record.statistics.get("counts")]
    if not own:
        return ""
    names = list(dict.fromkeys(name for record in own for name in record.statistics["counts"]))
    rows = [
        (
            record.task,
            record.verdict,
            *(record.statistics["counts"].get(name, "–") for name in names),
            f"{record.cpu:.1f}",
            f"{record.wall:.1f}",
        )
        for record in sorted(own, key=lambda record: (record.suite, record.task))
    ]
    heads = ("task", "verdict", *(f"#{name}" for name in names), "CPU (s)", "wall (s)")
    return f"## {tool}, task by task\n\n{table(heads, rows)}"


def tallies_of(records: Sequence[Record], tools: Sequence[str], provenance: Provenance) -> list[Tally]:
    limit = provenance.limits.wall
    return [tally(tool, [record for record in records if record.tool == tool], limit) for tool in tools]


def tally_table(tallies: Iterable[Tally]) -> str:
    return table(HEADINGS, (tally_row(item) for item in tallies))


def tally_row(item: Tally) -> tuple[object, ...]:
    causes = ", ".join(f"{cause} {number}" for cause, number in item.unknown)
    return (
        item.tool,
        item.tasks,
        item.solved,
        item.safe,
        item.assuming,
        item.unsafe,
        f"{item.unsolved} ({causes})" if causes else "0",
        item.wrong,
        item.confirmed,
        f"{item.par2:.2f}" if item.tasks else "–",
        seconds(item.median),
    )


def seconds(value: float | None) -> str:
    return "–" if value is None else f"{value:.2f}"


def wrong_list(records: Sequence[Record]) -> str:
    found = wrong(records)
    if not found:
        return "## Wrong answers\n\nNone."
    rows = [(record.task, record.tool, record.verdict, record.expected) for record in found]
    return "## Wrong answers\n\n" + table(("task", "tool", "said", "the index says"), rows)


def contradiction_list(records: Sequence[Record]) -> str:
    rows = [
        (group[0].task, ", ".join(f"{record.tool}: {record.verdict}" for record in group), group[0].expected)
        for group in contradictions(records)
    ]
    heading = "## Contradictions between tools\n\n"
    return heading + (table(("task", "answers", "the index says"), rows) if rows else "None.")


def only_one_list(records: Sequence[Record], tools: Sequence[str]) -> str:
    if len(tools) < 2:
        return ""
    rows = [(record.tool, record.task, record.verdict, seconds(record.wall)) for record in solved_by_one(records)]
    rows.sort(key=lambda row: (tools.index(row[0]), row[1]))
    heading = "## Tasks that only one tool solved\n\n"
    return heading + (table(("tool", "task", "verdict", "seconds"), rows) if rows else "None.")


def overhead_table(records: Sequence[Record], tools: Sequence[str]) -> str:
    peers = {record.tool for record in records if record.kind == "peer"}
    peer = next((tool for tool in tools if tool in peers), None)
    if peer is None or len(tools) < 2:
        return ""
    quick, rows = overheads(records, peer, tools)
    lines = [(row.tool, row.tasks, "–" if row.median is None else f"{row.median:+.2f}") for row in rows]
    return (
        f"## Overhead against {peer}\n\n"
        f"{peer} solves {quick} tasks in less than {QUICK:g} s. On those that the other tool solves too, "
        "the median difference of the wall-clock time:\n\n" + table(("tool", "tasks", "median difference (s)"), lines)
    )


def plot_list(plots: Sequence[str]) -> str:
    return "## Plots\n\n" + "\n".join(f"![{Path(name).stem}]({name})" for name in plots) if plots else ""
