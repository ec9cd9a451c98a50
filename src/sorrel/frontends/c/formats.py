"""Models of sprintf, printf, scanf and their relatives for one format that is written out in the call, as C.

What is printed into memory is exact. What is printed elsewhere is only read. What is read from outside may be anything
that the format lets through.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sorrel.frontends.c.library.catalogue import PREFIX
from sorrel.model.values import dataclass

_FORMAT_POSITION = {
    "sprintf": 1,
    "snprintf": 2,
    **dict.fromkeys(("printf", "scanf", "__isoc99_scanf", "__isoc23_scanf"), 0),
    **dict.fromkeys(("fprintf", "dprintf", "fscanf", "__isoc99_fscanf", "__isoc23_fscanf"), 1),
}
_FIRST_PARAMETERS = {
    "sprintf": "char *to, ",
    "snprintf": "char *to, size_t size, ",
    "dprintf": "int stream, ",
    **dict.fromkeys(("fprintf", "fscanf", "__isoc99_fscanf", "__isoc23_fscanf"), "void *stream, "),
}
_INTO_MEMORY = ("sprintf", "snprintf")
_DIRECTIVE = re.compile(r"%([-0*]*)(\d*)(?:\.(\d+))?(hh|h|ll|l|j|z|t)?([diuxXocs%])", re.ASCII)
_SIGNED = {"hh": "signed char", "h": "short", "": "int", "l": "long", "ll": "long long"}
_SIGNED |= {"j": "__INTMAX_TYPE__", "z": "__PTRDIFF_TYPE__", "t": "__PTRDIFF_TYPE__"}
_UNSIGNED = {"hh": "unsigned char", "h": "unsigned short", "": "unsigned", "l": "unsigned long"}
_UNSIGNED |= {"ll": "unsigned long long", "j": "__UINTMAX_TYPE__", "z": "size_t", "t": "size_t"}
_BASES = {"d": 10, "i": 10, "u": 10, "x": 16, "X": 16, "o": 8}
_WIDEST = 1000


@dataclass(frozen=True, slots=True)
class _Directive:
    """One of a format; `letter` is empty for plain text, which is then in `flags`."""

    flags: str = ""
    width: int = 0
    precision: int | None = None
    size: str = ""
    letter: str = ""

    @property
    def type(self) -> str:
        """Of the value that is meant."""
        return (_SIGNED if self.letter in "di" else _UNSIGNED)[self.size]


def format_position(name: str) -> int | None:
    """Which argument of the function is the format; None if it is not one of these functions."""
    return _FORMAT_POSITION.get(name.removeprefix("__builtin_"))


def model_text(name: str, format: str) -> str | None:
    """The function for this format, called like its model; None if the format says what is not modelled."""
    name = name.removeprefix("__builtin_")
    directives = list(_directives(format))
    if any(directive is None for directive in directives):
        return None
    known = [directive for directive in directives if directive is not None]
    if "scanf" in name:
        return _reading(name, known)
    return _printing(name, known)


def _directives(format: str) -> Iterator[_Directive | None]:
    position = 0
    for match in _DIRECTIVE.finditer(format):
        if "%" in format[position : match.start()]:
            yield None
        yield _Directive(format[position : match.start()])
        position = match.end()
        flags, width, precision, size, letter = match.groups()
        if letter == "%":
            yield _Directive("%") if match.group() == "%%" else None
        elif int(width or 0) > _WIDEST or int(precision or 0) > _WIDEST or (letter in "cs" and size):
            yield None
        else:
            yield _Directive(flags, int(width or 0), int(precision) if precision else None, size or "", letter)
    yield _Directive(format[position:]) if "%" not in format[position:] else None


def follows_strings(format: str) -> bool:
    """Whether strings among the arguments are read."""
    return any(directive is None or directive.letter == "s" for directive in _directives(format))


# Printing


def _printing(name: str, directives: list[_Directive]) -> str | None:
    parameters: list[str] = []
    statements: list[str] = []
    for directive in directives:
        if not directive.letter:
            statements += [f"PUT({ord(letter)})" for letter in directive.flags]
            continue
        if "*" in directive.flags or (directive.precision is not None and directive.letter != "s"):
            return None
        argument = f"argument{len(parameters)}"
        parameters.append(f"{_printed_type(directive)} {argument}")
        statements.append(_printed(directive, argument))
    put, end, result = "n++;", "", "(int)__sorrel_any()"
    if name == "sprintf":
        put, end, result = "{ to[n] = (char)(c); n++; }", "to[n] = 0;", "(int)n"
    elif name == "snprintf":
        put = "{ if (n + 1 < size) to[n] = (char)(c); n++; }"
        end, result = "if (size > 0) to[n < size ? n : size - 1] = 0;", "(int)n"
    heading = f"int {PREFIX}{name}({_FIRST_PARAMETERS.get(name, '')}{', '.join(['const char *format', *parameters])})"
    start = [f"#define PUT(c) {put}", f"{heading} {{ size_t n = 0; (void)format;"]
    return "\n".join([*start, *statements, end, f"return {result}; }}"])


def _printed_type(directive: _Directive) -> str:
    """The type of the argument: small ones arrive as int."""
    if directive.letter == "s":
        return "const char *"
    return "int" if directive.letter == "c" or directive.size in ("h", "hh") else directive.type


def _printed(directive: _Directive, argument: str) -> str:
    match directive.letter:
        case "c":
            return _padded(directive, "1", f"PUT((unsigned char){argument})")
        case "s":
            limit = "" if directive.precision is None else f"k < {directive.precision} && "
            count = f"size_t k = 0; while ({limit}{argument}[k] != 0) k++;"
            text = f"for (size_t i = 0; i < k; i++) PUT({argument}[i])"
            return f"{{ {count} {_padded(directive, 'k', text)} }}"
        case letter:
            base, ten = _BASES[letter], ord("A" if letter == "X" else "a") - 10
            value = f"{directive.type} v = ({directive.type}){argument};"
            size = "unsigned long long m = v < 0 ? 0ULL - (unsigned long long)v : (unsigned long long)v;"
            digit = f"digits[k] = (char)(m % {base} < 10 ? '0' + m % {base} : {ten} + m % {base})"
            count = f"char digits[24]; size_t k = 0; do {{ {digit}; k++; m = m / {base}; }} while (m != 0);"
            sign, text = "if (v < 0) PUT('-')", "while (k > 0) { k--; PUT(digits[k]) }"
            padded = _padded(directive, "(k + (v < 0))", text, sign)
            return f"{{ {value} {size} {count} {padded} }}"


def _padded(directive: _Directive, count: str, text: str, sign: str = "") -> str:
    """With spaces before it, or zeros after its sign, or spaces behind it."""
    if not directive.width:
        return f"{sign} {text}"
    pad = f"size_t pad = {count} < {directive.width} ? {directive.width} - {count} : 0;"
    fill = "while (pad > 0) {{ pad--; PUT('{}') }}"
    if "-" in directive.flags:
        return f"{{ {pad} {sign} {text} {fill.format(' ')} }}"
    if "0" in directive.flags and directive.letter not in "cs":
        return f"{{ {pad} {sign} {fill.format('0')} {text} }}"
    return f"{{ {pad} {fill.format(' ')} {sign} {text} }}"


# Reading


def _reading(name: str, directives: list[_Directive]) -> str | None:
    parameters: list[str] = []
    statements: list[str] = []
    for directive in directives:
        if not directive.letter:
            continue  # what does not match ends the reading, as it may everywhere
        if directive.precision is not None or directive.flags:
            return None
        argument = f"argument{len(parameters)}"
        if directive.letter in "cs":
            parameters.append(f"char *{argument}")
            statements.append(_read_text(directive, argument, len(parameters)))
        else:
            parameters.append(f"{directive.type} *{argument}")
            value = f"*{argument} = ({directive.type})__sorrel_input();"
            statements.append(f"if (count < {len(parameters)}) return count; {value}")
    most = len(parameters)
    chosen = f"long long k = __sorrel_input(); int count = k < -1 || k > {most} ? {most} : (int)k;"
    heading = f"int {PREFIX}{name}({_FIRST_PARAMETERS.get(name, '')}{', '.join(['const char *format', *parameters])})"
    return "\n".join([f"{heading} {{ (void)format; {chosen}", *statements, "return count; }"])


def _read_text(directive: _Directive, argument: str, number: int) -> str:
    enough = f"if (count < {number}) return count;"
    if directive.letter == "c":
        return f"{enough} for (int i = 0; i < {max(1, directive.width)}; i++) {argument}[i] = (char)__sorrel_input();"
    limit = f"i < {directive.width}" if directive.width else "1"
    return (
        f"{enough} {{ size_t i = 0; while ({limit}) {{ char c = (char)__sorrel_input(); "
        f"if (c == ' ' || (c >= 9 && c <= 13)) {{ if (i > 0) break; c = 'a'; }} "
        f"{argument}[i] = c; i++; }} {argument}[i] = 0; }}"
    )
