"""The page: outcomes about one program in, HTML out.

Everything on it comes from the outcomes; nothing is loaded from anywhere, which its content security policy states.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from sorrel.model.outcome import Outcome
from sorrel.report.html.call_graph import HEIGHT, drawing
from sorrel.report.html.finding import finding
from sorrel.report.html.listing import listings


def page(outcomes: Sequence[Outcome], version: str, title: str = "") -> str:
    """One file that needs no other; the outcomes are about the same sources."""
    style, script = _resource("report.css"), _resource("report.js")
    shown = listings(outcomes)
    findings = [finding(outcome, shown) for outcome in outcomes]
    return _template().render(
        title=title or ", ".join(dict.fromkeys(outcome.source for outcome in outcomes)),
        version=version,
        style=Markup(style),
        script=Markup(script),
        style_hash=_digest(style),
        script_hash=_digest(script),
        findings=findings,
        listings=shown,
        graph=drawing(outcomes[0].procedures) if outcomes else None,
        box_height=HEIGHT,
        statuses=_statuses(outcomes),
        places={each.name: shown.place(each.span) for outcome in outcomes for each in outcome.procedures},
    )


def _statuses(outcomes: Sequence[Outcome]) -> dict[str, str]:
    """The worst that is known of any check in a procedure; nothing of one that has none."""
    found: dict[str, str] = {}
    for outcome in outcomes:
        for each in outcome.obligations:
            known = found.get(each.procedure)
            if known is None or _WORST.index(each.status) < _WORST.index(known):
                found[each.procedure] = str(each.status)
    return found


_WORST = ("refuted", "open", "proved", "unreached")


def _digest(text: str) -> str:
    return base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()


def _resource(name: str) -> str:
    return files("sorrel.report.html").joinpath(name).read_text(encoding="utf-8")


@cache
def _template() -> Template:
    environment = Environment(autoescape=True, undefined=StrictUndefined, trim_blocks=True, lstrip_blocks=True)
    environment.filters["data"] = _data
    return environment.from_string(_resource("report.html.jinja"))


def _data(value: object) -> Markup:
    """JSON that can stand inside of a script element, whatever texts are in it."""
    text = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return Markup(text)
