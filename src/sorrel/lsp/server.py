"""The server: what a client may ask, answered from what is known; proofs run beside it and can be cancelled."""

from __future__ import annotations

import asyncio
import tempfile
import uuid
from collections.abc import Awaitable
from pathlib import Path
from typing import Any

from lsprotocol import types as lsp
from pygls import uris
from pygls.lsp.server import LanguageServer

from sorrel import __version__
from sorrel.lsp import findings
from sorrel.lsp.findings import Document
from sorrel.lsp.session import Known, Session, Settings
from sorrel.model.outcome import Answer, Outcome
from sorrel.model.source import lines_of

QUICKFIX_KINDS = [lsp.CodeActionKind.Refactor, lsp.CodeActionKind.QuickFix]


class SorrelServer(LanguageServer):
    def __init__(self) -> None:
        super().__init__("sorrel", __version__, text_document_sync_kind=lsp.TextDocumentSyncKind.Incremental)
        self.session = Session(self._told, self._working)
        self.shown: dict[str | int, Known] = {}
        """What the progress bars of the client are about, by their tokens."""

    def document(self, uri: str) -> Document:
        text = self.workspace.get_text_document(uri)
        return Document(uri, uris.to_fs_path(uri) or uri, text.version or 0, lines_of(text.source, keep_ends=True))

    async def _told(self, known: Known) -> None:
        """A new outcome: its diagnostics, and what is drawn between the lines."""
        document = known.document
        if known.outcome is not None:
            self.text_document_publish_diagnostics(
                lsp.PublishDiagnosticsParams(
                    uri=document.uri,
                    version=document.version,
                    diagnostics=list(findings.diagnostics(document, known.outcome)),
                )
            )
        self._refresh()

    def _refresh(self) -> None:
        workspace = self.client_capabilities.workspace
        if workspace and workspace.inlay_hint and workspace.inlay_hint.refresh_support:
            self.workspace_inlay_hint_refresh(None)
        if workspace and workspace.code_lens and workspace.code_lens.refresh_support:
            self.workspace_code_lens_refresh(None)

    async def _working(self, known: Known, function: str, answer: Awaitable[Outcome]) -> Outcome:
        """With a progress bar where the client has one; its button cancels the question."""
        window = self.client_capabilities.window
        if not (window and window.work_done_progress):
            return await answer
        token = str(uuid.uuid4())
        try:
            await self.work_done_progress.create_async(token)
            what = function or "the program"
            title = f"Sorrel: {what} in {Path(known.document.path).name}"
            self.work_done_progress.begin(token, lsp.WorkDoneProgressBegin(title=title, cancellable=True))
            self.shown[token] = known
            return await answer
        finally:
            self.shown.pop(token, None)
            self.work_done_progress.end(token, lsp.WorkDoneProgressEnd())


def make_server() -> SorrelServer:
    server = SorrelServer()
    _documents(server)
    _questions(server)
    _commands(server)
    return server


def _documents(server: SorrelServer) -> None:
    @server.feature(lsp.INITIALIZE)
    def initialize(ls: SorrelServer, given: lsp.InitializeParams) -> None:
        ls.session.settings = _settings(given.initialization_options)

    @server.feature(lsp.TEXT_DOCUMENT_DID_OPEN)
    async def opened(ls: SorrelServer, given: lsp.DidOpenTextDocumentParams) -> None:
        document = ls.document(given.text_document.uri)
        ls.session.open(document)
        ls.session.ask(document.uri)
        ls.session.look_up(document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CHANGE)
    async def changed(ls: SorrelServer, given: lsp.DidChangeTextDocumentParams) -> None:
        ls.session.changed(ls.document(given.text_document.uri))

    @server.feature(lsp.TEXT_DOCUMENT_DID_SAVE)
    async def saved(ls: SorrelServer, given: lsp.DidSaveTextDocumentParams) -> None:
        known = ls.session.open(ls.document(given.text_document.uri))
        if known.current is None and (known.task is None or known.task.done()):
            ls.session.ask(known.document.uri)
        ls.session.look_up(known.document.uri)

    @server.feature(lsp.TEXT_DOCUMENT_DID_CLOSE)
    async def closed(ls: SorrelServer, given: lsp.DidCloseTextDocumentParams) -> None:
        ls.session.close(given.text_document.uri)
        ls.text_document_publish_diagnostics(lsp.PublishDiagnosticsParams(uri=given.text_document.uri, diagnostics=[]))

    @server.feature(lsp.WINDOW_WORK_DONE_PROGRESS_CANCEL)
    async def cancelled(ls: SorrelServer, given: lsp.WorkDoneProgressCancelParams) -> None:
        known = ls.shown.get(given.token)
        if known is not None and known.task is not None:
            known.task.cancel()

    @server.feature(lsp.SHUTDOWN)
    async def ended(ls: SorrelServer, _: Any) -> None:
        await ls.session.end()


def _questions(server: SorrelServer) -> None:
    @server.feature(lsp.TEXT_DOCUMENT_INLAY_HINT)
    def hints(ls: SorrelServer, given: lsp.InlayHintParams) -> list[lsp.InlayHint]:
        known = ls.session.known.get(given.text_document.uri)
        return list(findings.hints(known.document, known.current)) if known and known.current else []

    @server.feature(lsp.TEXT_DOCUMENT_HOVER)
    def hover(ls: SorrelServer, given: lsp.HoverParams) -> lsp.Hover | None:
        known = ls.session.known.get(given.text_document.uri)
        return findings.hover(known.document, known.current, given.position.line) if known and known.current else None

    @server.feature(lsp.TEXT_DOCUMENT_CODE_LENS)
    def lenses(ls: SorrelServer, given: lsp.CodeLensParams) -> list[lsp.CodeLens]:
        known = ls.session.known.get(given.text_document.uri)
        return list(findings.lenses(known.document, known.current, known.kept)) if known else []

    @server.feature(lsp.TEXT_DOCUMENT_CODE_ACTION, lsp.CodeActionOptions(code_action_kinds=QUICKFIX_KINDS))
    def actions(ls: SorrelServer, given: lsp.CodeActionParams) -> list[lsp.CodeAction]:
        known = ls.session.known.get(given.text_document.uri)
        return list(findings.actions(known.document, known.current, given.range)) if known and known.current else []


def _commands(server: SorrelServer) -> None:
    @server.command(findings.PROVE)
    async def prove(ls: SorrelServer, uri: str, function: str) -> None:
        ls.session.open(ls.document(uri))
        ls.session.ask(uri, function)

    @server.command(findings.WHY)
    async def why(ls: SorrelServer, uri: str) -> str:
        known = ls.session.known.get(uri)
        told = _why(known.current if known else None)
        ls.window_show_message(lsp.ShowMessageParams(type=lsp.MessageType.Info, message=told))
        return told

    @server.command(findings.SHOW)
    async def show(ls: SorrelServer, uri: str) -> str:
        """The report as a file, which the client opens."""
        known = ls.session.known.get(uri)
        if known is None or known.current is None:
            return ""
        target = await asyncio.to_thread(_report, known.current)
        capabilities = ls.client_capabilities.window
        if capabilities and capabilities.show_document and capabilities.show_document.support:
            await ls.window_show_document_async(lsp.ShowDocumentParams(uri=target.as_uri(), external=True))
        return str(target)


def _why(outcome: Outcome | None) -> str:
    if outcome is None:
        return "There is no result for this text yet."
    if outcome.answer is Answer.ASSUMING:
        return "It is safe, assuming: " + "; ".join(each.text for each in outcome.assuming)
    if outcome.answer is Answer.UNSAFE and outcome.violation is not None:
        return outcome.violation.message
    return str(outcome.reason) if outcome.reason else "It is proved."


def _report(outcome: Outcome) -> Path:
    from sorrel.report.html import page

    folder = Path(tempfile.mkdtemp(prefix="sorrel-report-"))
    target = folder / "report.html"
    target.write_text(page([outcome], __version__), encoding="utf-8")
    return target


def _settings(given: Any) -> Settings:
    """From what the client gives at the start; what it leaves out stays as it is."""
    words = given if isinstance(given, dict) else {}
    usual = Settings()
    return Settings(
        property=str(words.get("property", usual.property)),
        timeout=float(words.get("timeout", usual.timeout)),
        on_type=bool(words.get("onType", usual.on_type)),
    )
