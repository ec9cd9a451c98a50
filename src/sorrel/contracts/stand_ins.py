"""Bodies for functions that have a contract and no body, in C: somewhere for what the contract says to hold.

A stand-in calls a function of the same type of which nothing is known, so that it may do all that the missing one may.
"""

from __future__ import annotations

import re

from sorrel.contracts.annotations import Annotation, Target

PREFIX = "__any_"
_DECLARED = re.compile(r"(?P<result>[^;{}()=#]*?)\b(?P<name>[A-Za-z_]\w*)\s*\((?P<parameters>[^(){};]*)\)\s*;")
_PARAMETER = re.compile(r".*?\b(?P<name>[A-Za-z_]\w*)\s*(?:\[[^\]]*\]\s*)*$", re.DOTALL)
_QUALIFIERS = frozenset({"const", "volatile", "restrict", "register"})
_TAGS = frozenset({"struct", "union", "enum"})
_TYPES = (
    frozenset({"int", "char", "long", "short", "unsigned", "signed", "float", "double", "void", "_Bool"}) | _QUALIFIERS
)


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
    named = _named(found["parameters"])
    if named is None:
        return ""
    names, parameters = named
    result = re.sub(r"\b(extern|static|inline)\b", "", found["result"]).strip()
    head = f"{result} {found['name']}({parameters})"
    return " ".join(f"__typeof__({found['name']}) {PREFIX}{found['name']}; {_definition(head, result, names)}".split())


def _definition(head: str, result: str, names: list[str]) -> str:
    name = head.split("(")[0].split()[-1].lstrip("*")
    call = f"{PREFIX}{name}({', '.join(names)})"
    return f"{head} {{ {call}; }}" if result == "void" else f"{head} {{ return {call}; }}"


def _named(parameters: str) -> tuple[list[str], str] | None:
    """The names of the parameters, and their declarations with names for those that had none; None if we see no way."""
    if parameters.strip() in ("", "void"):
        return [], parameters
    names, written = [], []
    for part in (each.strip() for each in parameters.split(",")):
        match = _PARAMETER.match(part)
        if match is not None and _is_name(match["name"], part[: match.start("name")]):
            names.append(match["name"])
            written.append(part)
        elif part.endswith((".", "]")):
            return None
        else:
            names.append(f"{PREFIX}{len(names)}")
            written.append(f"{part} {names[-1]}")
    return names, ", ".join(written)


def _is_name(word: str, before: str) -> bool:
    """Whether the last word of a declaration names the parameter, and is no part of its type."""
    words = before.split()
    return word not in _TYPES and bool(set(words) - _QUALIFIERS) and words[-1] not in _TAGS
