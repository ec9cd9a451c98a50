"""Bodies for functions that have a contract and no body, in C: somewhere for what the contract says to hold.

A stand-in calls a function of the same type of which nothing is known, so that it may do all that the missing one may.
"""

from __future__ import annotations

import re

from sorrel.contracts.annotations import Annotation, Target

PREFIX = "__any_"
_DECLARED = re.compile(r"(?P<result>[^;{}()=#]*?)\b(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>[^(){};]*)\)\s*;")
_PARAMETER = re.compile(r".*?\b(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$", re.DOTALL)
_TYPES = frozenset({"int", "char", "long", "short", "unsigned", "signed", "float", "double", "void", "_Bool", "const"})


def stand_in(text: str, annotation: Annotation, elsewhere: str) -> str:
    """The definition for the declaration that follows the annotation, on one line; nothing if there is no need.

    `elsewhere` is the text of all files: a function that is defined there has a body.
    """
    if annotation.target is not Target.FUNCTION or not annotation.name:
        return ""
    after = re.compile(r"(?:\s|//[^\n]*|/\*.*?\*/)*", re.DOTALL).match(text, annotation.end)
    found = _DECLARED.match(text, after.end() if after else annotation.end)
    if found is None or found["name"] != annotation.name:
        return ""
    if re.search(rf"\b{found['name']}\s*\([^;{{}}]*\)\s*\{{", elsewhere):
        return ""
    names = _names(found["parameters"])
    if names is None:
        return ""
    result = re.sub(r"\b(extern|static|inline)\b", "", found["result"]).strip()
    head = f"{result} {found['name']}({found['parameters']})"
    return " ".join(f"__typeof__({found['name']}) {PREFIX}{found['name']}; {_definition(head, result, names)}".split())


def _definition(head: str, result: str, names: list[str]) -> str:
    name = head.split("(")[0].split()[-1].lstrip("*")
    call = f"{PREFIX}{name}({', '.join(names)})"
    return f"{head} {{ {call}; }}" if result == "void" else f"{head} {{ return {call}; }}"


def _names(parameters: str) -> list[str] | None:
    """Of the parameters; None if one has no name."""
    if parameters.strip() in ("", "void"):
        return []
    found = []
    for part in parameters.split(","):
        match = _PARAMETER.match(part.strip())
        if match is None or match["name"] in _TYPES or match["name"] == part.strip():
            return None
        found.append(match["name"])
    return found
