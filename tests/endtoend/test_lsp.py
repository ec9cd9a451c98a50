"""The editor's server, spoken to by a real client over a pipe."""

from __future__ import annotations

import asyncio
import os
import signal
import sys
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("pygls", reason="the editor's server is an extra")

from lsprotocol import types as lsp
from pygls.lsp.client import LanguageClient

from sorrel.cli.main import main

BROKEN = (
    "#include <assert.h>\nextern int __VERIFIER_nondet_int(void);\nint twice(int x) { return 2 * x; }\n"
    "int main(void) {\n  int x = __VERIFIER_nondet_int();\n  if (x > 100 || x < 0) return 0;\n"
    "  assert(twice(x) < 50);\n  return 0;\n}\n"
)
RIGHT = BROKEN.replace("< 50", "< 500")
PATIENCE = 90


class Client:
    """A client with one document at a time, which remembers what it was told of it."""

    def __init__(self, folder: Path) -> None:
        self.inner = LanguageClient("test", "1")
        self.diagnostics: dict[int, list[lsp.Diagnostic]] = {}
        self.progress: list[Any] = []
        self.turn_to(folder)

        @self.inner.feature(lsp.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS)  # type: ignore[untyped-decorator]
        def published(given: lsp.PublishDiagnosticsParams) -> None:
            if given.uri == self.uri:
                self.diagnostics[given.version or 0] = list(given.diagnostics)

        @self.inner.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CREATE)  # type: ignore[untyped-decorator]
        def created(given: lsp.WorkDoneProgressCreateParams) -> None:
            self.progress.append(given.token)

    def turn_to(self, folder: Path) -> None:
        self.uri = (folder / "f.c").as_uri()
        self.diagnostics.clear()
        self.progress.clear()

    async def start(self) -> None:
        await self.inner.start_io(sys.executable, "-m", "sorrel", "lsp")
        await self.inner.initialize_async(
            lsp.InitializeParams(
                capabilities=lsp.ClientCapabilities(window=lsp.WindowClientCapabilities(work_done_progress=True)),
                initialization_options={"timeout": 60},
            )
        )
        self.inner.initialized(lsp.InitializedParams())

    def open(self, text: str) -> None:
        item = lsp.TextDocumentItem(uri=self.uri, language_id="c", version=1, text=text)
        self.inner.text_document_did_open(lsp.DidOpenTextDocumentParams(text_document=item))

    def change(self, text: str, version: int) -> None:
        self.inner.text_document_did_change(
            lsp.DidChangeTextDocumentParams(
                text_document=lsp.VersionedTextDocumentIdentifier(uri=self.uri, version=version),
                content_changes=[lsp.TextDocumentContentChangeWholeDocument(text=text)],
            )
        )

    async def told(self, version: int) -> list[lsp.Diagnostic]:
        found: list[lsp.Diagnostic] = await self.until(lambda: self.diagnostics.get(version))
        return found

    async def until(self, found: Callable[[], Any]) -> Any:
        started = time.monotonic()
        while time.monotonic() - started < PATIENCE:
            if (value := found()) is not None:
                return value
            await asyncio.sleep(0.05)
        raise AssertionError("the server says nothing")

    async def end(self) -> None:
        await self.inner.shutdown_async(None)
        self.inner.exit(None)
        await self.inner.stop()  # type: ignore[no-untyped-call]


Conversation = Callable[[Client], Awaitable[None]]
Talk = Callable[[Conversation], None]


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Callable[[Path, Conversation], None]]:
    """One server for all conversations, as an editor has one for all its documents."""
    with asyncio.Runner() as runner:
        client = Client(tmp_path_factory.mktemp("none"))
        runner.run(client.start())

        def talked(folder: Path, conversation: Conversation) -> None:
            client.turn_to(folder)
            runner.run(_whole(client, conversation))

        yield talked
        runner.run(client.end())


async def _whole(client: Client, conversation: Conversation) -> None:
    await conversation(client)
    document = lsp.TextDocumentIdentifier(uri=client.uri)
    client.inner.text_document_did_close(lsp.DidCloseTextDocumentParams(text_document=document))


@pytest.fixture
def talk(server: Callable[[Path, Conversation], None], tmp_path: Path) -> Talk:
    return lambda conversation: server(tmp_path, conversation)


def test_a_violated_assertion_is_an_error_with_its_run(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open(BROKEN)
        (found,) = await client.told(1)
        assert (found.severity, found.range.start.line, found.range.start.character) == (
            lsp.DiagnosticSeverity.Error,
            6,
            2,
        )
        assert "x = 25" in found.message
        assert [each.location.range.start.line for each in found.related_information or ()][-1] == 6
        assert client.progress

    talk(conversation)


def test_contracts_are_hints_and_shown_on_hover_and_inserted_as_comments(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open(RIGHT)
        assert await client.told(1) == []
        document = lsp.TextDocumentIdentifier(uri=client.uri)
        everywhere = lsp.Range(start=lsp.Position(line=0, character=0), end=lsp.Position(line=9, character=0))
        hints = await client.inner.text_document_inlay_hint_async(
            lsp.InlayHintParams(text_document=document, range=everywhere)
        )
        assert [hint.position.line for hint in hints or ()] == [2]
        place = lsp.Position(line=2, character=4)
        hover = await client.inner.text_document_hover_async(lsp.HoverParams(text_document=document, position=place))
        assert hover is not None
        assert "\\result" in str(hover.contents)
        context = lsp.CodeActionContext(diagnostics=[])
        actions = await client.inner.text_document_code_action_async(
            lsp.CodeActionParams(text_document=document, range=everywhere, context=context)
        )
        (insert,) = [each for each in actions or () if "ACSL" in each.title]
        assert isinstance(insert, lsp.CodeAction)
        assert insert.edit is not None
        (edit,) = (insert.edit.changes or {})[client.uri]
        assert edit.new_text.startswith("/*@ ")
        assert edit.new_text.endswith("int twice(int x) { return 2 * x; }\n")

    talk(conversation)


def test_an_edit_makes_the_earlier_answer_stale(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open(BROKEN)
        client.change(RIGHT, 2)
        assert await client.told(2) == []
        assert 1 not in client.diagnostics

    talk(conversation)


def test_a_text_that_is_no_c_is_marked_where_the_reader_stopped(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open("int main(void) {\n  return nothing;\n}\n")
        (found,) = await client.told(1)
        assert (found.range.start.line, found.range.start.character) == (1, 9)

    talk(conversation)


def test_columns_count_characters_and_not_bytes(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open("#include <assert.h>\nint main(void) { /* é */ assert(1 == 2); return 0; }\n")
        (found,) = await client.told(1)
        assert found.range.start.character == 25

    talk(conversation)


def test_commands_prove_a_function_and_write_the_report(talk: Talk) -> None:
    async def conversation(client: Client) -> None:
        client.open(BROKEN)
        await client.told(1)
        document = lsp.TextDocumentIdentifier(uri=client.uri)
        lenses = await client.inner.text_document_code_lens_async(lsp.CodeLensParams(text_document=document))
        titles = [(lens.range.start.line, lens.command.title) for lens in lenses or () if lens.command]
        assert titles == [(2, "prove"), (3, "prove"), (3, "show run"), (3, "why?")]
        report = await client.inner.workspace_execute_command_async(
            lsp.ExecuteCommandParams(command="sorrel.showRun", arguments=[client.uri])
        )
        assert "assertion violated" in Path(str(report)).read_text(encoding="utf-8")

    talk(conversation)


def test_what_the_store_of_a_project_has_is_shown_above_its_functions(tmp_path: Path, talk: Talk) -> None:
    (tmp_path / "f.c").write_text(RIGHT)
    assert main(["init", str(tmp_path)]) == 0
    assert main(["prove", str(tmp_path), "-q"]) in (0, 3)

    async def conversation(client: Client) -> None:
        client.open(RIGHT)

        async def titles() -> list[str]:
            asked = lsp.CodeLensParams(lsp.TextDocumentIdentifier(client.uri))
            found = await client.inner.text_document_code_lens_async(asked)
            return [lens.command.title for lens in found or () if lens.command]

        started = time.monotonic()
        while "proved: assertions (stored)" not in await titles():
            assert time.monotonic() - started < PATIENCE, await titles()
            await asyncio.sleep(0.2)

    talk(conversation)


@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_client_that_is_gone_leaves_no_process_behind(tmp_path: Path) -> None:
    async def whole() -> int:
        client = Client(tmp_path)
        await client.start()
        client.open(RIGHT)
        await client.until(lambda: client.progress or None)
        server = client.inner._server
        assert server is not None
        process = server.pid
        os.kill(process, signal.SIGKILL)
        await client.inner.stop()  # type: ignore[no-untyped-call]
        return int(process)

    asyncio.run(whole())
    deadline = time.monotonic() + PATIENCE
    while _workers() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _workers()


def _workers() -> list[str]:
    """Workers of this test's server: those whose parent is no more."""
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        try:
            words = (entry / "cmdline").read_bytes()
            parent = (entry / "stat").read_text().rpartition(")")[2].split()[1]
        except OSError:
            continue
        if b"sorrel.process.worker" in words and parent == "1":
            found.append(entry.name)
    return found


@pytest.mark.long
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="processes are looked up in /proc")
def test_a_hundred_connections_leave_nothing_behind(tmp_path: Path) -> None:
    """Those that say goodbye, those that are cut off, those whose server is killed; during a proof and before."""

    async def one(number: int) -> None:
        client = Client(tmp_path)
        await client.start()
        client.open(RIGHT if number % 2 else BROKEN)
        if number % 4 < 2:
            await client.until(lambda: client.progress or None)
        server = client.inner._server
        assert server is not None
        match number % 3:
            case 0:
                await client.end()
            case 1:
                os.kill(server.pid, signal.SIGKILL)
                await client.inner.stop()  # type: ignore[no-untyped-call]
            case _:
                assert server.stdin is not None
                server.stdin.close()
                await asyncio.wait_for(server.wait(), PATIENCE)
                await client.inner.stop()  # type: ignore[no-untyped-call]

    async def whole() -> None:
        for number in range(100):
            await one(number)

    asyncio.run(whole())
    deadline = time.monotonic() + PATIENCE
    while _workers() and time.monotonic() < deadline:
        time.sleep(0.2)
    assert not _workers()


@pytest.mark.long
def test_a_small_file_has_diagnostics_soon_and_keystrokes_are_answered_while_a_proof_runs(talk: Talk) -> None:
    """What an editor needs, on a machine with nothing else to do: 2 s for the first, 100 ms for the others."""

    async def conversation(client: Client) -> None:
        started = time.monotonic()
        client.open(BROKEN)
        await client.told(1)
        first = time.monotonic() - started
        slowest = 0.0
        for version in range(2, 5):
            client.change(f"{RIGHT}// {version}\n", version)
            asked = time.monotonic()
            await client.inner.text_document_hover_async(
                lsp.HoverParams(lsp.TextDocumentIdentifier(client.uri), lsp.Position(2, 5))
            )
            slowest = max(slowest, time.monotonic() - asked)
            await asyncio.sleep(0.2)
        assert (first < 2, slowest < 0.1) == (True, True), f"first {first:.2f} s, slowest {slowest * 1000:.0f} ms"

    talk(conversation)
