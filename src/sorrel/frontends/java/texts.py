"""What methods of strings return, exactly, for strings of which all characters are known.

A text is a Python string with one character for each UTF-16 unit. None stands for what is not modelled: characters
beyond ASCII where case matters, and letters that some languages of the world put in another case.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

_ASCII = 128


def difference(left: str, right: str) -> int:
    """compareTo: of the first characters that differ, else of the lengths."""
    for one, other in zip(left, right, strict=False):
        if one != other:
            return ord(one) - ord(other)
    return len(left) - len(right)


def folded(text: str) -> str | None:
    """As compareToIgnoreCase and equalsIgnoreCase see it."""
    return text.lower() if _is_ascii(text) else None


def _is_ascii(text: str) -> bool:
    return all(ord(each) < _ASCII for each in text)


def _lower(text: str) -> str | None:
    return text.lower() if _is_ascii(text) and "I" not in text else None


def _upper(text: str) -> str | None:
    return text.upper() if _is_ascii(text) and "i" not in text else None


def _hash(text: str) -> int:
    code = 0
    for each in text:
        code = (31 * code + ord(each)) & 0xFFFFFFFF
    return code - (1 << 32) if code >> 31 else code


def _unit(code: int) -> str | None:
    """A character; one of two units is not modelled, and no code at all is found nowhere."""
    return chr(code) if 0 <= code < 1 << 16 else None


def _find(text: str, part: str, start: int) -> int:
    start = min(max(start, 0), len(text))
    return text.find(part, start)


def _find_unit(text: str, code: int, start: int = 0) -> int | None:
    unit = _unit(code)
    return None if unit is None else text.find(unit, max(start, 0))


def _find_last_unit(text: str, code: int) -> int | None:
    unit = _unit(code)
    return None if unit is None else text.rfind(unit)


def _trimmed(text: str) -> str:
    return text.strip("".join(map(chr, range(33))))


def _part(text: str, start: int, end: int | None = None) -> str | None:
    """An index outside throws; what it would be is never looked at."""
    stop = len(text) if end is None else end
    return text[start:stop] if 0 <= start <= stop <= len(text) else ""


def _character(text: str, index: int) -> int:
    return ord(text[index]) if 0 <= index < len(text) else 0


EXACT: Mapping[str, Callable[..., Any]] = {
    "length": len,
    "charAt": _character,
    "hashCode()": _hash,
    "indexOf(int)": _find_unit,
    "indexOf(int,int)": _find_unit,
    "indexOf(String)": lambda text, part: _find(text, part, 0),
    "indexOf(String,int)": _find,
    "lastIndexOf(int)": _find_last_unit,
    "lastIndexOf(String)": lambda text, part: text.rfind(part),
    "startsWith(String)": lambda text, part: text.startswith(part),
    "endsWith(String)": lambda text, part: text.endswith(part),
    "contains(String)": lambda text, part: part in text,
}
"""Numbers and truth values, by method and types of the arguments."""
DERIVED: Mapping[str, Callable[..., str | None]] = {
    "trim()": _trimmed,
    "toString()": lambda text: text,
    "toLowerCase()": _lower,
    "toUpperCase()": _upper,
    "substring(int)": _part,
    "substring(int,int)": _part,
    "concat(String)": lambda text, other: text + other,
}
"""Other strings."""
