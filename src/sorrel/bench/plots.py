"""Results as pictures: a cactus plot of all tools, a scatter plot of each pair."""

from __future__ import annotations

import importlib.util
from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

from sorrel.bench.provenance import Provenance
from sorrel.bench.record import Record
from sorrel.bench.tally import families_of, tools_of

FLOOR = 0.01  # seconds; a logarithmic axis has no zero
MARKERS = "ox^sDv+P*<>"


def available() -> bool:
    """matplotlib is an extra: `pip install 'sorrel[plots]'`."""
    return importlib.util.find_spec("matplotlib") is not None


def draw(folder: Path, records: Sequence[Record], provenance: Provenance) -> list[str]:
    """Write the plots; their file names."""
    tools = tools_of(records, list(provenance.tools))
    limit = provenance.limits.wall
    if not tools:
        return []
    names = [draw_cactus(folder, records, tools, limit)]
    names += [draw_scatter(folder, records, first, second, limit) for first, second in combinations(tools, 2)]
    return names


def figure(width: float, height: float) -> tuple[Any, Any]:
    # A figure without pyplot needs no display and leaves no global state.
    from matplotlib.figure import Figure

    drawing = Figure(figsize=(width, height), layout="constrained")
    return drawing, drawing.subplots()


def save(drawing: Any, folder: Path, name: str) -> str:
    drawing.savefig(folder / name, dpi=120, metadata={"Software": None})
    return name


def draw_cactus(folder: Path, records: Sequence[Record], tools: Sequence[str], limit: float) -> str:
    """How many tasks a tool solves when each may take so long."""
    drawing, axes = figure(7, 4.5)
    for tool in tools:
        times = sorted(max(FLOOR, record.wall) for record in records if record.tool == tool and record.solved)
        label = f"{tool} ({len(times)})"
        axes.plot(range(1, len(times) + 1), times, marker=".", linewidth=1, label=label)
    axes.axhline(limit, color="grey", linestyle="--", linewidth=0.8)
    axes.set_yscale("log")
    axes.set_ylim(bottom=FLOOR, top=limit * 1.5)
    axes.set_xlim(left=0)
    axes.set_xlabel("tasks solved")
    axes.set_ylabel("wall-clock time for one task (s)")
    axes.legend(loc="upper left")
    axes.grid(alpha=0.3)
    return save(drawing, folder, "cactus.png")


def draw_scatter(folder: Path, records: Sequence[Record], first: str, second: str, limit: float) -> str:
    """Each task once; what a tool did not solve lies on its border."""
    drawing, axes = figure(5.5, 5.5)
    # A plot of times that differ by what is solved must not be cut at the limit itself.
    top = limit * 1.5
    times = {
        tool: {
            (record.suite, record.task): min(limit, max(FLOOR, record.wall)) if record.solved else limit
            for record in records
            if record.tool == tool
        }
        for tool in (first, second)
    }
    for number, (suite, family) in enumerate(families_of(records)):
        members = dict.fromkeys(
            (record.suite, record.task) for record in records if (record.suite, record.family) == (suite, family)
        )
        both = [task for task in members if task in times[first] and task in times[second]]
        axes.scatter(
            [times[first][task] for task in both],
            [times[second][task] for task in both],
            s=18,
            marker=MARKERS[number % len(MARKERS)],
            alpha=0.7,
            label=family,
            clip_on=False,
        )
    axes.plot([FLOOR, limit], [FLOOR, limit], color="grey", linewidth=0.8)
    for line in (axes.axhline, axes.axvline):
        line(limit, color="grey", linestyle="--", linewidth=0.8)
    for scale, bounds in ((axes.set_xscale, axes.set_xlim), (axes.set_yscale, axes.set_ylim)):
        scale("log")
        bounds(FLOOR, top)
    axes.set_aspect("equal")
    axes.set_xlabel(f"{first}: wall-clock time (s), unsolved at {limit:g}")
    axes.set_ylabel(f"{second}: wall-clock time (s), unsolved at {limit:g}")
    axes.legend(loc="upper left", fontsize="small")
    axes.grid(alpha=0.3)
    return save(drawing, folder, f"scatter-{first}-vs-{second}.png")
