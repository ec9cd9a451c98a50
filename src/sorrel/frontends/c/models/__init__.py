"""Functions of the library in C, each as `model_` and its name: what they do, exactly, for those who run and prove it.

Where the library promises less than a value, a function says so by calling one of those that `common.h` announces.
"""

from __future__ import annotations

from functools import cache
from importlib import resources

PREFIX = "model_"
_BUILTIN = "__builtin_"
_COMMON = "common.h"
_WIDTHS = ("", "l", "ll")
MODELLED: dict[str, tuple[str, ...]] = {
    "string.c": (
        *("strlen", "strnlen", "strcmp", "strncmp", "memcmp", "bcmp", "strcpy", "stpcpy", "strncpy"),
        *("strcat", "strncat", "strchr", "strrchr", "memchr", "strspn", "strcspn", "strpbrk", "strstr"),
        *("memset", "bzero", "memcpy", "memmove"),
    ),
    "stdio.c": ("fgets", "fread", "read", "time", "puts", "fputs"),
    "stdlib.c": ("atoi", "atol", "atoll"),
    "ctype.c": (
        *("islower", "isupper", "isdigit", "isalpha", "isalnum", "isxdigit", "isgraph", "isprint"),
        *("ispunct", "isspace", "isblank", "iscntrl", "isascii", "tolower", "toupper"),
    ),
    "bits.c": (
        *(f"{_BUILTIN}{name}{width}" for name in ("popcount", "parity", "ctz", "clz") for width in _WIDTHS),
        *(f"ffs{width}" for width in _WIDTHS),
        *(f"{_BUILTIN}bswap{bits}" for bits in (16, 32, 64)),
    ),
}
"""The functions that each file defines, so that no file is parsed in vain."""
_FILES = {name: file for file, names in MODELLED.items() for name in names}


def modelled_name(name: str) -> str | None:
    """The name that the function's model goes by, if it has one: the compiler's own editions are the library's."""
    for candidate in (name, name.removeprefix(_BUILTIN)):
        if candidate in _FILES:
            return candidate
    return None


def file_of(modelled: str) -> str:
    return _FILES[modelled]


def text_of(file: str) -> str:
    """A file with what all of them announce before it."""
    return with_common(_text(file))


def with_common(text: str) -> str:
    return f"{_text(_COMMON)}\n{text}"


@cache
def _text(file: str) -> str:
    return (resources.files(__package__) / file).read_text(encoding="utf-8")
