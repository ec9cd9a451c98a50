"""Specifications in comments above functions (`//@ hyper P1(a, b): ...`) and in files of their own."""

from __future__ import annotations

import re
from collections.abc import Iterator

from sorrel.relate.specification import Specification, read_specification

_COMMENT = re.compile(r"(?://@(?P<line>(?:[^\n]*\n\s*//@(?!\s*hyper\b))*[^\n]*))|(?:/\*@(?P<block>.*?)\*/)", re.DOTALL)
_OTHER_COMMENT = re.compile(r"//[^\n]*|/\*.*?\*/", re.DOTALL)
_FUNCTION = re.compile(r"\b([A-Za-z_]\w*)\s*\(")


def in_comments(text: str, name: str = "") -> Iterator[tuple[Specification, str]]:
    """The specifications of a C text, each with the function that it stands above; it is empty if there is none."""
    for found in _COMMENT.finditer(text):
        said = (found["line"] or found["block"] or "").replace("//@", " ").strip()
        if re.match(r"hyper\b", said):
            line = text.count("\n", 0, found.start()) + 1
            below = _OTHER_COMMENT.sub(" ", text[found.end() :])
            function = _FUNCTION.search(below)
            yield read_specification(said, f"{name}:{line}" if name else ""), function[1] if function else ""


def in_file(text: str, name: str = "") -> Iterator[Specification]:
    """The specifications of a file that has nothing else, each beginning with `hyper`; `//` starts a comment."""
    plain = _OTHER_COMMENT.sub(" ", text)
    for said in re.split(r"(?=\bhyper\b)", plain):
        if said.strip():
            yield read_specification(said, name)
