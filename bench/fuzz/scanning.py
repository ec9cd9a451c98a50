"""C files by their text, before anything parses them: which functions may have contracts, and which files are first."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from random import Random

_LONGEST_FILE = 300_000
_WORDS = r"\w+(?:[ \t]+\w+)*"
_LIKELY = re.compile(
    rf"^{_WORDS}\s+\w+[ \t]*\([ \t]*\w+[ \t]+{_WORDS}(?:,\s*\w+[ \t]+{_WORDS})*[ \t]*\)\s*\{{".encode(),
    re.M,
)
"""A function without pointers among its parameters; whether their types are numbers shows later."""
_SKIPPED = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"|\'(?:\\.|[^\'\\\n])*\'', re.S)
_HEADER = re.compile(
    r"^(?P<head>[A-Za-z_][\w \t\n]*?[ \t\n])(?P<name>[A-Za-z_]\w*)[ \t]*\((?P<parameters>[^(){};=]*)\)\s*\{", re.M
)
_OTHER_HEADS = re.compile(r"\b(?:double|float|struct|union|else|return|typedef|extern|FILE|DIR)\b")
_OTHER_PARAMETERS = re.compile(r"\b(?:void|double|float|struct|union|va_list|FILE|DIR)\b|\*[^,]*\*|\.\.\.")
_OTHER_BODIES = re.compile(r"\b(?:asm|__asm__|__asm|float|double|va_start|setjmp|longjmp|pthread_\w+|fork)\b")
_CALL = re.compile(r"\b(?!(?:if|for|while|switch|return|sizeof|do)\b)[A-Za-z_]\w*\s*\(")
_HARD = re.compile(r"[/%^~.[]|->|<<|(?<!\|)\|(?!\|)|\bstatic\b")
_LOOP = re.compile(r"\b(?:for|while|goto)\b")
_ONE_RETURN = re.compile(r"return\b[\s(-]*(?:\w+|sizeof\s*\([^()]*\))[\s)]*;")
_INCLUDED = re.compile(r'^[ \t]*#[ \t]*(?:include[ \t]*"(?P<header>[^"\n]+)"|(?P<opens>if)|(?P<closes>endif))', re.M)
_ANNOTATED = re.compile(r"/\*@|//@")


@dataclass(frozen=True, slots=True)
class Found:
    """A function as its text shows it; `effort` counts calls, pointers and what is hard to reason about."""

    name: str
    line: int
    last: int
    effort: float
    key: str


@dataclass(frozen=True, slots=True)
class Scanned:
    """A file, and the functions in it that are worth a look, the easiest first."""

    file: Path
    functions: tuple[Found, ...]


def files(folder: Path, seed: int, most: float, fewest: int = 1, share: tuple[int, int] = (1, 1)) -> Iterator[Scanned]:
    """A share of the packages in turn, by chance; each with the file first that has most functions of numbers."""
    chance = Random(seed)
    packages = sorted(each for each in folder.iterdir() if each.is_dir() or each.suffix == ".c")
    chance.shuffle(packages)
    part, parts = share
    own = packages[part - 1 :: parts]
    waiting = [_richest_first(package, Random(f"{seed} {package.name}"), most, fewest) for package in own]
    while waiting:
        left = []
        for package in waiting:
            scanned = next(package, None)
            if scanned is not None:
                left.append(package)
                yield scanned
        waiting = left


def _richest_first(package: Path, chance: Random, most: float, fewest: int) -> Iterator[Scanned]:
    paths = sorted(package.rglob("*.c")) if package.is_dir() else [package]
    chance.shuffle(paths)
    counted = [(likely(path), path) for path in paths]
    for _, path in sorted((each for each in counted if each[0]), key=lambda each: each[0], reverse=True):
        scanned = scan(path, most)
        if len(scanned.functions) >= fewest:
            yield scanned


@cache
def likely(path: Path) -> int:
    """How many functions it seems to have, by a look that takes less than reading it."""
    try:
        data = path.read_bytes()
    except OSError:
        return 0
    return sum(1 for _ in _LIKELY.finditer(data)) if len(data) <= _LONGEST_FILE else 0


def scan(file: Path, most: float) -> Scanned:
    try:
        text = file.read_text(encoding="utf-8", errors="replace")
    except OSError:
        return Scanned(file, ())
    if "Python.h" in text or len(text) > _LONGEST_FILE or _ANNOTATED.search(text) or not _is_complete(file, text):
        return Scanned(file, ())
    found = sorted(functions(text, most), key=lambda each: (each.effort, each.line))
    return Scanned(file, tuple(found))


def functions(text: str, most: float) -> Iterator[Found]:
    """Those of numbers and of pointers to numbers, as far as names tell, that do more than return one value."""
    blank = _SKIPPED.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)
    for header in _HEADER.finditer(blank):
        body = _body(blank, header.end() - 1)
        parameters = header["parameters"]
        if not body or header["name"] == "main" or _OTHER_HEADS.search(header["head"]) or _OTHER_BODIES.search(body):
            continue
        if (_OTHER_PARAMETERS.search(parameters) and parameters.strip() != "void") or is_trivial(body):
            continue
        line = blank.count("\n", 0, header.start("name")) + 1
        last = blank.count("\n", 0, header.end() + len(body)) + 1
        pointers = parameters.count("*") + parameters.count("[")
        hard = 1.5 * len(_CALL.findall(body)) + len(_LOOP.findall(body)) + len(_HARD.findall(body)) / 2
        outside = (parameters.strip() in ("", "void")) + ("void" in header["head"]) / 2
        effort = pointers + hard + outside + body.count("\n") / 10
        if effort <= most:
            yield Found(header["name"], line, last, effort, key_of(text, header, body))


def key_of(text: str, header: re.Match[str], body: str) -> str:
    """The same for copies under other names and with other spaces and comments; strings and letters matter."""
    end = header.end() + len(body)
    kept = _SKIPPED.sub(lambda found: " " if found[0][0] == "/" else found[0], text[header.start() : end])
    return "".join(re.sub(rf"\b{re.escape(header['name'])}\b", "@", kept).split())


def is_trivial(body: str) -> bool:
    """Whether it does nothing, or returns one constant or one variable at once."""
    inside = body.strip().strip("{}").strip()
    return not inside or _ONE_RETURN.fullmatch(inside) is not None


def _body(blank: str, opening: int) -> str:
    depth = 0
    for found in re.compile(r"[{}]").finditer(blank, opening):
        depth += 1 if found[0] == "{" else -1
        if depth == 0:
            return blank[opening : found.end()]
    return ""


def _is_complete(file: Path, text: str) -> bool:
    """Whether the headers that it includes by name, whatever is defined, are there."""
    depth = 0
    folders: Sequence[str] = includes(file)
    for found in _INCLUDED.finditer(text):
        depth += bool(found["opens"]) - bool(found["closes"])
        if found["header"] and depth == 0 and not any((Path(each) / found["header"]).is_file() for each in folders):
            return False
    return True


def includes(file: Path) -> tuple[str, ...]:
    """Where headers of the package may be: beside the file, above it, and in folders named include or src."""
    near = [file.parent, file.parent.parent, file.parent.parent.parent]
    found = [*near, *(folder / name for folder in near for name in ("include", "src", "lib"))]
    return tuple(dict.fromkeys(str(folder) for folder in found if folder.is_dir()))
