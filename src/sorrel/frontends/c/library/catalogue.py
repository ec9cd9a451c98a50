"""The entries of the library: for each function what is known of it, beside its body in C if it has one.

An entry is a comment `/*: names` with a line for each thing that is known:

- `means: …`: the translation knows it by this meaning (`meanings`);
- `returns: low .. high`: the library only passes on what the environment chooses, within these bounds;
- `result: new`: a pointer that it returns never leads to what its arguments point to;
- `writes: text`: it prints, and changes nothing that the program computes;
- `looks at: bytes`: its body looks at memory byte by byte, whatever that holds;
- `compares: bytes`: the same, and structures of integers are kept as bytes for it: nothing else knows its result;
- `try: …`: it has a body below, as `model_` and its name; these statements of C call it (by its name, or as NAME) on
  values that a test draws, so that the body and the real function can be compared.

Where the library promises less than a value, a body says so by calling one of those that `common.h` announces.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources

from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

PREFIX = "model_"
"""Of the name of a body."""
FILES = ("string.c", "stdlib.c", "stdio.c", "ctype.c", "wchar.c", "bits.c", "math.c", "others.c")
_BUILTIN = "__builtin_"
_COMMON = "common.h"
_ATOMICS = "atomics.h"
_COMPILER_PREFIXES = (_BUILTIN, "__sync_", "__atomic_", "__c11_atomic_")
_ENTRY = re.compile(r"/\*:(.*?)\*/", re.DOTALL)
_KEY = re.compile(r"^\s*([a-z ]+):\s*", re.MULTILINE)
_KEYS = frozenset({"means", "returns", "result", "writes", "looks at", "compares", "try"})


@dataclass(frozen=True, slots=True)
class Entry:
    """What is known of a function of the library."""

    name: str
    file: str
    means: str = ""
    returns: range | None = None
    returns_new: bool = False
    writes: bool = False
    of_bytes: bool = False
    compares: bool = False
    trial: str | None = None  # None: it has no body here

    @property
    def has_body(self) -> bool:
        return self.trial is not None


def entries_in(file: str, text: str) -> Iterator[Entry]:
    """Those of a file, in its order."""
    for match in _ENTRY.finditer(text):
        names, *rest = _KEY.split(match[1])
        known = dict(zip(rest[::2], (" ".join(each.split()) for each in rest[1::2]), strict=True))
        if not _KEYS.issuperset(known):
            raise InternalError(f"{file}: an entry says what is not known: {', '.join(set(known) - _KEYS)}")
        low, _, high = known.get("returns", "").partition(" .. ")
        for name in names.split():
            yield Entry(
                name,
                file,
                means=known.get("means", ""),
                returns=range(int(low), int(high) + 1) if high else None,
                returns_new="result" in known,
                writes="writes" in known,
                of_bytes="looks at" in known or "compares" in known,
                compares="compares" in known,
                trial=known["try"].replace("NAME", name) if "try" in known else None,
            )


@cache
def entries() -> dict[str, Entry]:
    """All, by name."""
    return {each.name: each for file in FILES for each in entries_in(file, _text(file))}


def entry(name: str) -> Entry | None:
    """The compiler's own editions are the library's."""
    return entries().get(name) or entries().get(name.removeprefix(_BUILTIN))


def modelled_name(name: str) -> str | None:
    """The name that the function's body goes by, if it has one."""
    found = entry(name)
    return found.name if found is not None and found.has_body else None


def is_standard(name: str) -> bool:
    """Whether a function of that name with external linkage is one of the library's, or the compiler's own."""
    return name in entries() or name.startswith(_COMPILER_PREFIXES)


def from_environment(name: str) -> range | None:
    """The values, if any of them may be returned whatever happened before: the environment alone chooses."""
    found = entry(name)
    return found.returns if found is not None else None


def returns_new(name: str) -> bool:
    """Whether a pointer that the function returns never leads to what its arguments point to."""
    found = entry(name)
    return found is not None and found.returns_new


def is_writer(name: str) -> bool:
    """Whether it neither changes what the program computes nor returns what that should rely on."""
    found = entry(name)
    return found is not None and found.writes


def looks_at_bytes(name: str) -> bool:
    """Whether its body looks at memory byte by byte, whatever it holds."""
    found = entry(name)
    return found is not None and found.of_bytes


def compares_bytes(name: str) -> bool:
    """Whether its result depends on the bytes of whatever it is given, structures as well."""
    found = entry(name)
    return found is not None and found.compares


def text_with(modelled: str) -> str:
    """The file that has a function's body, with what all of them announce before it."""
    return with_common(_text(entries()[modelled].file))


def with_common(text: str) -> str:
    return f"{_text(_COMMON)}\n{text}"


def atomics() -> str:
    """What the compiler's functions for atomic access do, as macros."""
    return _text(_ATOMICS)


@cache
def _text(file: str) -> str:
    return (resources.files(__package__) / file).read_text(encoding="utf-8")
