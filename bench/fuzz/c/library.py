"""Functions of the standard library, and builtins of the compiler."""

from __future__ import annotations

from bench.fuzz.c.data import Feature, record, variable
from bench.fuzz.c.shapes import ArrayOf, Object, Scalar
from bench.fuzz.c.values import CHAR, INT
from bench.fuzz.c.writer import Writer


def _kept(writer: Writer, text: str, low: int, high: int) -> None:
    name = writer.local("v")
    writer.page.write(f"int {name} = {text};")
    writer.scope.objects.append(Object(name, Scalar(INT, low, high), writable=False))


def absolute(writer: Writer) -> None:
    writer.used("abs")
    writer.headers.add("stdlib.h")
    value = writer.fitted(writer.expression(1), Scalar(INT, -100, 100))
    _kept(writer, f"abs({value.text})", 0, 200)


def length_of_text(writer: Writer) -> None:
    writer.used("strlen")
    writer.headers.add("string.h")
    letters = "".join(writer.pick("abc1") for _ in range(writer.number(0, 3)))
    name = writer.local("s")
    writer.page.write(f'char {name}[{len(letters) + writer.number(1, 2)}] = "{letters}";')
    if letters and writer.one_in(2):
        writer.page.write(f"if {writer.condition().text} {name}[{writer.index(len(letters))}] = 0;")
    _kept(writer, f"(int)strlen({name})", 0, len(letters))


def compared_text(writer: Writer) -> None:
    writer.used("strcmp")
    writer.headers.add("string.h")
    one, other = writer.pick(("ab", "b", "")), writer.pick(("ab", "ac", "a"))
    name = writer.local("s")
    writer.page.write(f'char {name}[4] = "{one}";')
    if one:
        writer.page.write(f"if {writer.condition().text} {name}[0] = 'a';")
    _kept(writer, f'strcmp({name}, "{other}") == 0', 0, 1)


def character_class(writer: Writer) -> None:
    writer.used("ctype")
    writer.headers.add("ctype.h")
    function = writer.pick(("isdigit", "isalpha", "isupper", "islower", "isspace", "toupper", "tolower"))
    value = writer.fitted(writer.expression(0), Scalar(INT, 0, 126)).text
    if function.startswith("to"):
        return _kept(writer, f"{function}({value})", 0, 126)
    return _kept(writer, f"{function}({value}) != 0", 0, 1)


def filled(writer: Writer) -> None:
    writer.used("memset")
    writer.headers.add("string.h")
    if writer.one_in(2):
        found = variable(writer, ArrayOf(writer.scalar(CHAR), writer.number(2, 4)), of_file=writer.one_in(2))
        writer.page.write(f"memset({found.text}, {writer.number(0, 9)}, sizeof {found.text});")
    elif writer.one_in(2):
        found = variable(writer, ArrayOf(writer.scalar(), writer.number(2, 3)), of_file=writer.one_in(2))
        writer.page.write(f"memset({found.text}, 0, sizeof {found.text});")
    else:
        found = variable(writer, record(writer, 1), of_file=writer.one_in(2))
        writer.page.write(f"memset(&{found.text}, 0, sizeof {found.text});")


def copied(writer: Writer) -> None:
    function = writer.pick(("memcpy", "memmove"))
    writer.used(function)
    writer.headers.add("string.h")
    whole = ArrayOf(writer.scalar(), writer.number(2, 3)) if writer.one_in(2) else record(writer, 1)
    one, other = variable(writer, whole, of_file=writer.one_in(3)), variable(writer, whole, of_file=False)
    mark = "" if isinstance(whole, ArrayOf) else "&"
    writer.page.write(f"{function}({mark}{one.text}, {mark}{other.text}, sizeof {one.text});")


def builtin(writer: Writer) -> None:
    writer.used("builtin")
    value = writer.fitted(writer.expression(1), Scalar(INT, 0, 100)).text
    form = writer.number(0, 3)
    if form == 0:
        return _kept(writer, f"__builtin_popcount({value})", 0, 32)
    if form == 1:
        return _kept(writer, f"__builtin_expect({value}, 1) != 0", 0, 1)
    if form == 2:
        return _kept(writer, f"__builtin_ctz(({value}) | 8)", 0, 3)
    result = writer.local("r")
    writer.page.write(f"int {result} = 0;")
    return _kept(writer, f"__builtin_add_overflow({value}, 2147483600, &{result})", 0, 1)


LIBRARY: tuple[tuple[int, Feature], ...] = (
    (2, absolute),
    (2, length_of_text),
    (1, compared_text),
    (2, character_class),
    (2, filled),
    (2, copied),
    (1, builtin),
)
