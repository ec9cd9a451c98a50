"""An outcome in a notebook: its answer in a line, and the whole report in a frame of its own."""

from __future__ import annotations

from html import escape

from sorrel import __version__
from sorrel.model.outcome import Outcome
from sorrel.report.html import page

_HEIGHT = 480  # pixels: the verdict, the source and a few steps of a run are in sight


def cell(outcome: Outcome) -> str:
    """HTML for one cell. The frame keeps the report's style and script apart from those of the notebook."""
    said = escape(f"{outcome.source or 'the clauses'}: {outcome.answer}")
    report = escape(page([outcome], __version__), quote=True)
    frame = f'<iframe title="Sorrel’s report" sandbox="allow-scripts" style="{_style()}" srcdoc="{report}"></iframe>'
    return f"<p><strong>{said}</strong></p>\n{frame}"


def _style() -> str:
    return f"width:100%;height:{_HEIGHT}px;border:1px solid currentColor"
