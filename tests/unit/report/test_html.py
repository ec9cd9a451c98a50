"""The report: what is on the page, and that a browser can use it."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sorrel.cli.main import main
from sorrel.model.assumption import AssumptionKind
from sorrel.model.errors import Span
from sorrel.model.outcome import (
    Answer,
    ArrayImage,
    Assumption,
    Binding,
    Cause,
    ChosenValue,
    ContractKind,
    EventKind,
    Outcome,
    ProgramContract,
    Ranking,
    Reason,
    RunEvent,
    SideRun,
    TraceStep,
    ValueOrigin,
    Violation,
)
from sorrel.model.outline import CallSite, Obligation, ObligationStatus, ProcedureOutline, SourceText
from sorrel.report.html import page
from sorrel.report.html.call_graph import drawing
from sorrel.report.html.highlighting import highlighted

TEXT = """int g;
int twice(int x) { /* </script><b>bold</b> */
  g = x;
  return x + x;
}
int main(void) {
  int a[3] = {0};
  a[1] = twice(4);
  assert(a[1] < 8);
  return 0;
}
"""


def at(line: int) -> Span:
    return Span("f.c", line, 3)


def event(kind: EventKind, line: int, procedure: str, text: str, **more: Any) -> RunEvent:
    return RunEvent(kind, at(line), procedure, int(procedure == "twice"), text, **more)


SOURCE = SourceText("f.c", "c", "", TEXT)
PROCEDURES = (
    ProcedureOutline("main", at(6), (CallSite("twice", at(8)),)),
    ProcedureOutline("twice", at(2)),
)
RUN = (
    event(EventKind.CALL, 6, "main", "main()", frame=1),
    event(EventKind.ASSIGN, 7, "main", "a = {all 0}", variable="a", value="", array=ArrayImage((), "0"), frame=1),
    event(EventKind.CALL, 8, "twice", "twice(x = 4)", arguments=(Binding("x", "4"),), frame=2),
    event(EventKind.ASSIGN, 3, "twice", "g = 4", variable="g", value="4"),
    event(EventKind.RETURN, 4, "twice", "twice returns 8", value="8", frame=2),
    event(EventKind.ASSIGN, 8, "main", "a[1] = 8", variable="a[1]", value="8", base="a", index="1", frame=1),
    event(EventKind.VIOLATION, 9, "main", "assertion violated: a[1] < 8", frame=1),
)
UNSAFE = Outcome(
    Answer.UNSAFE,
    "f.c",
    goal="assertions",
    violation=Violation("assertion", "assertion violated: a[1] < 8", at(9), "main"),
    run=RUN,
    sources=(SOURCE,),
    procedures=PROCEDURES,
    obligations=(Obligation("assertion", at(9), "main", ObligationStatus.REFUTED, "a[1] < 8"),),
)
CONTRACT = ProgramContract("twice", ContractKind.FUNCTION, at(2), ("\\result == 2 * x",), ("x < 1000",))
PROVED = (Obligation("assertion", at(9), "main", ObligationStatus.PROVED, "a[1] < 8"),)
SAFE = replace(UNSAFE, answer=Answer.SAFE, violation=None, run=(), program_contracts=(CONTRACT,), obligations=PROVED)
ASSUMING = replace(SAFE, answer=Answer.ASSUMING, assumptions=(Assumption.that(AssumptionKind.OVERFLOW),))
UNKNOWN = replace(
    SAFE, answer=Answer.UNKNOWN, reason=Reason(Cause.TIME, "no time was left"), missing=(CONTRACT,), obligations=()
)
LEAK = replace(UNSAFE, run=(), runs=(SideRun("a", (), RUN), SideRun("b", (), RUN[:-2])))
THREADS = replace(UNSAFE, run=tuple(replace(each, thread=number % 2) for number, each in enumerate(RUN)))
ENDING = replace(SAFE, goal="termination", rankings=(Ranking("the loop at f.c:7", ("n - i",), ((3,), (2,), (0,))),))
CLAUSES = Outcome(
    Answer.UNSAFE, "f.smt2", trace=(TraceStep("p(1)", "C1", "f.smt2:1", ()), TraceStep("false", "C2", "", (0,)))
)
OUTCOMES = {
    "unsafe": [UNSAFE],
    "safe": [SAFE],
    "assuming": [ASSUMING],
    "unknown": [UNKNOWN],
    "leak": [LEAK],
    "threads": [THREADS],
    "termination": [ENDING],
    "clauses": [CLAUSES],
    "several": [UNSAFE, ENDING],
    "nothing": [Outcome(Answer.UNKNOWN, "f.c")],
}


@pytest.fixture(scope="module")
def browser() -> Iterator[Tab]:
    api = pytest.importorskip("playwright.sync_api")
    names = ("chromium", "chromium-browser", "google-chrome")
    path = next((found for name in names if (found := shutil.which(name))), None)
    if path is None:
        pytest.skip("there is no Chromium")
    with api.sync_playwright() as driver:
        launched = driver.chromium.launch(executable_path=path)
        yield Tab(launched.new_context(offline=True).new_page())
        launched.close()


class Tab:
    """A page of a browser that shows one report after the other: each new page would be a process."""

    def __init__(self, shown: Any) -> None:
        self.shown = shown
        self.address = ""
        self.complaints: list[str] = []
        shown.on("console", lambda message: self.complaints.append(message.text))
        shown.on("pageerror", lambda problem: self.complaints.append(str(problem)))
        shown.on(
            "request", lambda request: self.complaints.extend([request.url] if request.url != self.address else [])
        )

    def opened(self, outcomes: list[Outcome], folder: Path) -> tuple[Any, list[str]]:
        """The page with a report, and what it complains about from now on."""
        file = folder / "report.html"
        file.write_text(page(outcomes, "1.0"), encoding="utf-8")
        self.shown.goto("about:blank")
        self.shown.emulate_media(color_scheme="light")
        self.address, self.complaints = file.as_uri(), []
        self.shown.goto(self.address)
        return self.shown, self.complaints


@pytest.mark.parametrize("name", OUTCOMES)
def test_every_kind_of_outcome_opens_without_a_complaint(browser: Tab, tmp_path: Path, name: str) -> None:
    shown, complaints = browser.opened(OUTCOMES[name], tmp_path)
    assert shown.locator("h2 .s-badge").count() == len(OUTCOMES[name])
    shown.emulate_media(color_scheme="dark")
    shown.reload()
    assert shown.locator("h2 .s-badge").count() == len(OUTCOMES[name])
    assert complaints == []


def test_a_run_is_followed_by_buttons_keys_the_slider_and_the_list(browser: Tab, tmp_path: Path) -> None:
    shown, complaints = browser.opened([UNSAFE], tmp_path)
    now = shown.get_by_role("status")
    assert now.inner_text() == "1 of 7: main()"
    shown.get_by_role("button", name="Next").click()
    shown.keyboard.press("ArrowRight")
    assert now.inner_text() == "3 of 7: twice(x = 4)"
    assert shown.locator(".s-line[aria-current]").get_attribute("id") == "f0-8"
    shown.get_by_role("button", name="Last").click()
    assert now.inner_text() == "7 of 7: assertion violated: a[1] < 8"
    assert shown.get_by_role("button", name="Next").is_disabled()
    shown.get_by_role("button", name="Previous").click()
    shown.keyboard.press("Home")
    assert now.inner_text().startswith("1 of 7")
    shown.get_by_role("slider").fill("3")
    assert now.inner_text() == "4 of 7: g = 4"
    shown.get_by_role("button", name="a[1] = 8").click()
    assert shown.url.endswith("#run=0&step=6")
    shown.get_by_role("button", name="First").click()
    assert complaints == []


def test_variables_are_those_of_the_calls_that_are_open(browser: Tab, tmp_path: Path) -> None:
    shown, _ = browser.opened([UNSAFE], tmp_path)
    state = shown.locator(".s-state")
    shown.get_by_role("button", name="g = 4").click()
    assert state.locator(".s-frame-name").all_inner_texts() == ["twice", "main", "globals"]
    shown.get_by_role("button", name="a[1] = 8").click()
    assert state.locator(".s-frame-name").all_inner_texts() == ["main", "globals"]
    assert state.locator(".s-hit").inner_text() == "1: 8"


def test_structures_and_allocated_memory_are_drawn_part_by_part(browser: Tab, tmp_path: Path) -> None:
    text = "struct s { int x; int y; };\nint main(void) {\n  p.y = 2;\n  n->next = 0;\n  assert(0);\n}\n"
    main_of = {"variable": "p.y", "value": "2", "frame": 1}
    in_block = {"variable": "block 1 (2)", "value": "NULL", "base": "block 1", "index": "2"}
    run = (
        event(EventKind.CALL, 2, "main", "main()", frame=1),
        event(EventKind.ASSIGN, 3, "main", "p.y = 2", **main_of),
        event(EventKind.ASSIGN, 4, "main", "block 1 (2) = NULL", **in_block),
        event(EventKind.VIOLATION, 5, "main", "assertion violated", frame=1),
    )
    outcome = replace(UNSAFE, run=run, sources=(SourceText("f.c", "c", "", text),), procedures=(), obligations=())
    shown, complaints = browser.opened([outcome], tmp_path)
    shown.get_by_role("button", name="n->next = NULL").click()
    state = shown.locator(".s-state")
    assert state.locator(".s-frame-name").all_inner_texts() == ["main", "heap"]
    assert state.locator("th").all_inner_texts() == ["p", "block 1"]
    assert state.locator(".s-cell").all_inner_texts() == ["y: 2", "next: NULL"]
    assert complaints == []


def test_inputs_that_differ_stand_above_the_runs_side_by_side() -> None:
    choices = [(ChosenValue(ValueOrigin.INPUT, "key", "key", "i32", value, at(1)),) for value in ("0", "1")]
    outcome = replace(LEAK, runs=(SideRun("a", choices[0], RUN), SideRun("b", choices[1], RUN)))
    made = page([outcome], "1.0")
    assert "input</a></td><td>key = 0</td><td>key = 1</td>" in made


@pytest.mark.parametrize("name", OUTCOMES)
def test_every_link_leads_somewhere_and_everything_folded_opens(browser: Tab, tmp_path: Path, name: str) -> None:
    shown, complaints = browser.opened(OUTCOMES[name], tmp_path)
    for link in shown.locator("a").all():
        link.click()
        assert shown.locator(f"[id='{shown.url.partition('#')[2]}']").count() == 1
    for folded in shown.locator("details").all():
        was_open = folded.get_attribute("open") is not None
        folded.locator("summary").click()
        assert (folded.get_attribute("open") is not None) is not was_open
    assert complaints == []


def test_a_step_can_be_linked_to(browser: Tab, tmp_path: Path) -> None:
    shown, _ = browser.opened([UNSAFE], tmp_path)
    shown.goto(shown.url + "#run=0&step=4")
    assert shown.get_by_role("status").inner_text() == "4 of 7: g = 4"


def test_only_what_differs_between_two_runs_can_be_shown(browser: Tab, tmp_path: Path) -> None:
    shown, complaints = browser.opened([LEAK], tmp_path)
    rows = shown.locator(".s-sides tbody tr")
    before = sum(row.is_visible() for row in rows.all())
    shown.get_by_role("checkbox").check()
    after = sum(row.is_visible() for row in rows.all())
    assert (before, after) == (7, 2)
    assert complaints == []


def test_a_click_on_a_procedure_jumps_to_it(browser: Tab, tmp_path: Path) -> None:
    shown, _ = browser.opened([SAFE], tmp_path)
    shown.locator(".s-node", has_text="twice").click()
    assert shown.url.endswith("#f0-2")


@pytest.mark.long
def test_five_thousand_lines_are_small_and_shown_within_a_second(browser: Tab, tmp_path: Path) -> None:
    text = "".join(
        f'static int f{n}(int x) {{ return x * {n} + (x > 3 ? 0x{n:x} : sizeof "s"); }} // {n}\n' for n in range(5000)
    )
    shown, _ = browser.opened([replace(SAFE, sources=(SourceText("f.c", "c", "", text),))], tmp_path)
    assert (tmp_path / "report.html").stat().st_size < 2_000_000
    painted = shown.evaluate(
        "() => new Promise(done => new PerformanceObserver(list => done(list.getEntries()[0].startTime))"
        ".observe({type: 'paint', buffered: true}))"
    )
    assert painted < 1000


def test_what_the_source_says_is_text_and_never_markup() -> None:
    made = page([UNSAFE], "1.0")
    assert "<b>bold</b>" not in made
    assert "&lt;/script&gt;&lt;b&gt;bold" in made


def test_contracts_stand_above_their_functions() -> None:
    made = page([SAFE], "1.0")
    assert made.index("\\result == 2 * x") < made.index("id=f0-2 ")
    assert made.index("requires x &lt; 1000") < made.index("id=f0-2 ")


def test_an_unknown_answer_says_why_and_what_to_do_next() -> None:
    made = page([UNKNOWN], "1.0")
    assert "no time was left" in made
    assert "--timeout" in made
    assert "The missing fact" in made


def test_a_violation_says_what_was_expected() -> None:
    assert "Expected: in every run every assertion holds and reach_error is not called." in page([UNSAFE], "1.0")


def test_a_rank_is_drawn_along_a_run() -> None:
    text = page([ENDING], "1")
    assert 'points="14.5,8.0 183.2,39.3 352.0,102.0"' in text
    assert "In the first 3 rounds of a run n - i goes from 3 to 0." in text
    once = replace(ENDING, rankings=(Ranking("the loop", ("n",), ((3,),)),))
    assert "polyline" not in page([once], "1").split("<script")[0].split("</style>")[1]


def test_highlighting_keeps_every_character() -> None:
    for text in (TEXT, "", "\n\n", "a", "int x;\n\n", '\tchar *s = "a\\\n b";\n/* two\nlines */'):
        lines = ["".join(piece.text for piece in line) for line in highlighted(SourceText("f.c", "c", "", text))]
        assert lines == text.split("\n")[: len(lines)]
        assert len(lines) == len(text.removesuffix("\n").split("\n")) if text else lines == []


def test_callees_stand_below_their_callers() -> None:
    drawn = drawing(PROCEDURES)
    assert drawn is not None
    place = {box.name: box.y for box in drawn.boxes}
    assert place["main"] < place["twice"]


def test_procedures_that_call_each_other_stand_side_by_side() -> None:
    even = ProcedureOutline("even", at(1), (CallSite("odd", at(1)),))
    odd = ProcedureOutline("odd", at(2), (CallSite("even", at(2)), CallSite("odd", at(2))))
    drawn = drawing((even, odd))
    assert drawn is not None
    assert len({box.y for box in drawn.boxes}) == 1
    assert len({box.x for box in drawn.boxes}) == 2


def test_a_saved_outcome_becomes_a_page(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    saved = tmp_path / "o.json"
    saved.write_text(json.dumps([UNSAFE.to_json(), SAFE.to_json()]), encoding="utf-8")
    assert main(["report", str(saved)]) == 0
    assert capsys.readouterr().out.strip() == str(tmp_path / "o.html")
    assert (tmp_path / "o.html").read_text(encoding="utf-8").count('class="s-badge"') == 2


@pytest.mark.parametrize(
    "text", ["", "[]", "{", "3", "[1]", '{"answer": "maybe"}', '{"error": "no such file"}', "null"]
)
def test_what_is_no_outcome_is_refused_with_a_reason(
    text: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    saved = tmp_path / "o.json"
    saved.write_text(text, encoding="utf-8")
    assert main(["report", str(saved)]) == 2
    assert "o.json: " in capsys.readouterr().err


def test_what_became_of_a_line_can_be_heard() -> None:
    spoken = '<span class="s-spoken">proved: a[1] &lt; 8</span>'
    assert spoken in page([SAFE], "1.0")


def test_a_derivation_is_open_where_there_is_nothing_else_to_see() -> None:
    assert "<details open><summary>Derivation (2 steps)" in page([CLAUSES], "1.0")
