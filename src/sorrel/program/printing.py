"""What a Print writes: directives in the manner of C, over values that have their final type already.

| directive | arguments | text |
| --- | --- | --- |
| `%d` | an integer | in decimal |
| `%x` `%X` `%o` | an integer that is not negative | in hexadecimal, in octal |
| `%c` | an integer from 0 to 255 | that byte |
| `%f` `%e` `%g` `%F` `%E` `%G` | a double | with a fraction, with an exponent, the shorter of both |
| `%s` | an array of bytes, a first and a last position | the bytes from the first on, up to one that is 0 |
| `%%` | | a percent sign |
| `%?` | | something that is not modelled: what is written is not known from here on |

All but the last two may have the flags, the width and the precision of C; a `*` takes an integer before the others.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from sorrel.model.values import dataclass
from sorrel.program.evaluation import UndefinedOperation
from sorrel.program.statement import Kind
from sorrel.program.value import INDETERMINATE, ArrayValue, IndeterminateRead, Value

UNTERMINATED = "a string that does not end within its object is printed"
_DIRECTIVE = re.compile(r"%([-+ 0#]*)(\*|\d+)?(?:\.(\*|\d*))?([dxXocsfegFEG?%])", re.ASCII)
_TAKEN: dict[str, tuple[type, ...]] = {"s": (list, int, int), "?": (), "%": (), **dict.fromkeys("fegFEG", (float,))}


@dataclass(frozen=True, slots=True)
class Directive:
    """`width` and `precision` are numbers, or None; one that is a `*` is an argument of its own."""

    letter: str
    flags: str = ""
    width: int | None = None
    precision: int | None = None
    width_given: bool = False
    precision_given: bool = False

    @property
    def kinds(self) -> tuple[type, ...]:
        """For each argument that it takes whether it is an integer or an array (of integers)."""
        return (int,) * (self.width_given + self.precision_given) + _TAKEN.get(self.letter, (int,))


@dataclass(slots=True)
class Written:
    """What a run wrote to a stream so far; `unknown`: and then something that is not modelled."""

    text: bytearray
    unknown: bool = False


@lru_cache(maxsize=4096)
def pieces(format: str) -> tuple[str | Directive, ...]:
    """Plain text and directives; a percent sign that begins no directive makes a ValueError."""
    found: list[str | Directive] = []
    position = 0
    for match in _DIRECTIVE.finditer(format):
        found.append(format[position : match.start()])
        found.append(_directive(match))
        position = match.end()
    found.append(format[position:])
    if any("%" in piece for piece in found if isinstance(piece, str)):
        raise ValueError(f"an unknown directive in {format!r}")
    return tuple(piece for piece in found if piece)


def _directive(match: re.Match[str]) -> Directive:
    flags, width, precision, letter = match.groups()
    return Directive(
        letter,
        flags,
        int(width) if width and width != "*" else None,
        None if precision is None or precision == "*" else int(precision or 0),
        width == "*",
        precision == "*",
    )


def write(format: str, values: Sequence[Value], written: Written) -> None:
    """Append the text, unless what is before it is not known."""
    given = iter(values)
    for piece in pieces(format):
        if written.unknown:
            return
        if isinstance(piece, str):
            written.text += piece.encode("latin-1")
        elif piece.letter == "?":
            written.unknown = True
        else:
            text = _rendered(piece, given)
            if text is None:
                written.unknown = True
                return
            written.text += text


def _rendered(directive: Directive, given: Iterator[Value]) -> bytes | None:
    """None of NaN, whose sign, which is printed, is not modelled."""
    if directive.letter == "%":
        return b"%"
    width, precision, flags = directive.width, directive.precision, directive.flags
    if directive.width_given:
        width = _integer(next(given))
        flags, width = (flags + "-", -width) if width < 0 else (flags, width)
    if directive.precision_given:
        precision = _integer(next(given))
        precision = None if precision < 0 else precision
    if directive.letter == "s":
        text = _string(next(given), _integer(next(given)), _integer(next(given)), precision)
    elif directive.letter == "c":
        text = bytes([_integer(next(given)) & 0xFF])
    elif directive.letter in "fegFEG":
        value = next(given)
        if value is INDETERMINATE:
            raise IndeterminateRead
        if not isinstance(value, float) or math.isnan(value):
            return None
        text = _floating(value, directive.letter, flags, precision, width or 0)
    else:
        number = _number(_integer(next(given)), directive.letter, flags, precision, width or 0)
        text = number.encode("ascii")
    return text.ljust(width or 0) if "-" in flags else text.rjust(width or 0)


def _integer(value: Value) -> int:
    if value is INDETERMINATE:
        raise IndeterminateRead
    if not isinstance(value, int):
        raise TypeError(f"{value} is printed as an integer")
    return int(value)


def _floating(value: float, letter: str, flags: str, precision: int | None, width: int) -> bytes:
    """Python rounds as the C library does, and fills with zeros in front of what is infinite, too, as C does not."""
    if math.isinf(value):
        flags = flags.replace("0", "")
    precise = "" if precision is None else f".{precision}"
    return f"%{flags}{width or ''}{precise}{letter}".__mod__(value).encode("ascii")


def _number(value: int, letter: str, flags: str, precision: int | None, width: int) -> str:
    digits = format(abs(value), letter)
    if precision == 0 and value == 0:
        digits = ""
    digits = digits.rjust(precision or 0, "0")
    prefix = "-" if value < 0 else ""
    if letter == "d" and value >= 0:
        prefix = "+" if "+" in flags else " " if " " in flags else ""
    if "#" in flags and letter in "xX" and value:
        prefix = "0" + letter
    if "#" in flags and letter == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if "0" in flags and "-" not in flags and precision is None:
        digits = digits.rjust(width - len(prefix), "0")
    return prefix + digits


def _string(array: Value, first: int, last: int, most: int | None) -> bytes:
    """The bytes up to a zero, which must be there unless the precision ends the text before it."""
    if not isinstance(array, ArrayValue):
        raise TypeError("a string is printed that is not an array")
    found = bytearray()
    for position in range(first, last + 1):
        if most is not None and len(found) == most:
            return bytes(found)
        byte = _integer(array[position]) & 0xFF
        if byte == 0:
            return bytes(found)
        found.append(byte)
    if most is not None and len(found) == most:
        return bytes(found)
    raise UndefinedOperation(Kind.BOUNDS, UNTERMINATED)
