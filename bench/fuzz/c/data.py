"""Objects of all shapes, how they are initialised, and how they are copied."""

from __future__ import annotations

from collections.abc import Callable

from bench.fuzz.c.shapes import ArrayOf, Bits, Object, Record, Scalar, Shape, declared, definition
from bench.fuzz.c.values import BOOL, CHAR, INT, INTEGER_TYPES, UNSIGNED, Expression
from bench.fuzz.c.writer import Writer

Feature = Callable[[Writer], None]
_MEMBERS = "abcdefgh"
_BIT_TYPES = (UNSIGNED, INT, INTEGER_TYPES[3], BOOL)


# Shapes


def shape(writer: Writer, depth: int) -> Shape:
    """Anything that can be an element or a member."""
    form = writer.number(0, 7)
    if depth > 0 and form == 0:
        return record(writer, depth - 1)
    if depth > 0 and form == 1:
        writer.used("array in a structure")
        return ArrayOf(shape(writer, depth - 1), writer.number(2, 3))
    if depth > 0 and form == 2:
        return union(writer)
    return writer.scalar()


def record(writer: Writer, depth: int = 1) -> Record:
    """A structure that is defined now."""
    writer.used("structure")
    members: list[tuple[str, Shape]] = []
    for name in _MEMBERS[: writer.number(2, 3)]:
        if writer.one_in(5):
            members.append((name, bit_field(writer)))
            if writer.one_in(4):
                writer.used("unnamed bit-field")
                members.append(("", Bits(UNSIGNED, writer.number(1, 5))))
        elif writer.one_in(8):
            writer.used("nameless member")
            inner = writer.scalar()
            keyword = writer.pick(("union", "struct"))
            members.append(("", Record(keyword, "", ((f"{name}x", inner), (f"{name}y", inner)))))
        else:
            found = shape(writer, depth)
            if isinstance(found, Record):
                writer.used("nested structure")
            members.append((name, found))
    made = Record("struct", writer.file("S"), tuple(members))
    writer.definitions.write(definition(made))
    return made


def bit_field(writer: Writer) -> Bits:
    writer.used("bit-field")
    type = writer.pick(_BIT_TYPES)
    return Bits(type, 1 if type == BOOL else writer.number(2, 6))


def union(writer: Writer) -> Record:
    """Members of one type, so that each reads what any other wrote."""
    writer.used("union")
    member: Shape = writer.scalar()
    if writer.one_in(3):
        member = ArrayOf(member, 2)
    made = Record("union", writer.file("U"), tuple((name, member) for name in _MEMBERS[: writer.number(2, 3)]))
    writer.definitions.write(definition(made))
    return made


# Initialisers


def initialiser(writer: Writer, shape: Shape, *, constants: bool) -> str:
    match shape:
        case Scalar():
            return str(writer.number(0, 9)) if constants or writer.one_in(2) else writer.value_for(shape)
        case Bits():
            return str(writer.number(0, 9))
        case ArrayOf(element, length):
            return _of_array(writer, element, length, constants)
        case Record(members=members):
            return _of_record(writer, shape, members, constants)


def _of_array(writer: Writer, element: Shape, length: int, constants: bool) -> str:
    form = writer.number(0, 4)
    if form == 0:
        return _flat(writer, ArrayOf(element, length))
    if form == 1:
        writer.used("designator")
        at = writer.number(0, length - 1)
        parts = [f"[{at}] = {initialiser(writer, element, constants=constants)}"]
        if at + 1 < length and writer.one_in(2):
            writer.used("value after a designator")
            parts.append(initialiser(writer, element, constants=constants))
        return "{ " + ", ".join(parts) + " }"
    if form == 2 and isinstance(element, Scalar) and length > 1:
        writer.used("designator", "range designator")
        return f"{{ [0 ... {length - 1}] = {writer.number(0, 9)} }}"
    count = length if form == 3 else writer.number(1, length)
    return "{ " + ", ".join(initialiser(writer, element, constants=constants) for _ in range(count)) + " }"


def _of_record(writer: Writer, whole: Record, members: tuple[tuple[str, Shape], ...], constants: bool) -> str:
    named = [(name, inner) for name, inner in members if name]
    if whole.is_union:
        name, inner = writer.pick(named)
        return (
            f"{{ .{name} = {initialiser(writer, inner, constants=constants)} }}"
            if writer.one_in(2)
            else (f"{{ {initialiser(writer, members[0][1], constants=constants)} }}")
        )
    form = writer.number(0, 4)
    if form == 0:
        return _flat(writer, whole)
    if form <= 2 and named:
        return _designated(writer, named, constants)
    if any(isinstance(inner, Bits) and not name for name, inner in members):
        return _flat(writer, whole)
    return "{ " + ", ".join(initialiser(writer, inner, constants=constants) for _, inner in members) + " }"


def _designated(writer: Writer, named: list[tuple[str, Shape]], constants: bool) -> str:
    """In any order, a member now and then twice, a designator that goes deeper, values that follow one."""
    writer.used("designator")
    parts = []
    for name, inner in writer.chance.sample(named, writer.number(1, len(named))):
        if isinstance(inner, Record) and not inner.is_union and inner.members[0][0] and writer.one_in(2):
            writer.used("nested designator")
            deeper, held = inner.members[0]
            parts.append(f".{name}.{deeper} = {initialiser(writer, held, constants=constants)}")
        elif isinstance(inner, ArrayOf) and isinstance(inner.element, Scalar) and writer.one_in(2):
            writer.used("nested designator")
            parts.append(f".{name}[{writer.number(0, inner.length - 1)}] = {writer.number(0, 9)}")
        else:
            parts.append(f".{name} = {initialiser(writer, inner, constants=constants)}")
    if writer.one_in(8):
        writer.used("member initialised twice")
        name, inner = writer.pick(named)
        parts.append(f".{name} = {initialiser(writer, inner, constants=True)}")
    if len(named) > 1 and parts[-1].startswith(f".{named[0][0]}") and writer.one_in(2):
        writer.used("value after a designator")
        parts.append(str(writer.number(0, 9)))
    return "{ " + ", ".join(parts) + " }"


def _flat(writer: Writer, whole: Shape) -> str:
    """Numbers without inner braces."""
    writer.used("initialiser without inner braces")
    count = writer.number(1, max(_positions(whole), 1))
    return "{ " + ", ".join(str(writer.number(0, 9)) for _ in range(count)) + " }"


def _positions(whole: Shape) -> int:
    """How many values a flat list may have: a union takes those of its first member, an unnamed bit-field none."""
    match whole:
        case ArrayOf(element, length):
            return length * _positions(element)
        case Record(members=members):
            held = [_positions(inner) for name, inner in members if name or isinstance(inner, Record)]
            return held[0] if whole.is_union else sum(held)
        case _:
            return 1


# Variables


def variable(writer: Writer, whole: Shape, *, of_file: bool) -> Object:
    """Declared and initialised, here or at file scope."""
    if of_file:
        name = writer.file("g")
        start = f" = {initialiser(writer, whole, constants=True)}" if not writer.one_in(4) else ""
        word = writer.pick(("static ", "static ", ""))
        writer.variables.write(f"{word}{declared(whole, name)}{start};")
        found = Object(name, whole)
        writer.globals.objects.append(found)
        if writer.scope is not writer.globals:
            writer.scope.objects.append(found)
        return found
    name = writer.local("v")
    writer.page.write(f"{declared(whole, name)} = {initialiser(writer, whole, constants=False)};")
    found = Object(name, whole)
    writer.scope.objects.append(found)
    return found


def scalar_variable(writer: Writer) -> None:
    found = writer.scalar()
    writer.used(f"type {found.type.name}")
    variable(writer, found, of_file=False)


def global_variable(writer: Writer) -> None:
    found = writer.scalar()
    writer.used("global variable", f"type {found.type.name}")
    variable(writer, found, of_file=True)


def array(writer: Writer) -> None:
    writer.used("array")
    whole = ArrayOf(writer.scalar(), writer.number(2, 4))
    variable(writer, whole, of_file=writer.one_in(2))


def matrix(writer: Writer) -> None:
    writer.used("array of arrays")
    whole = ArrayOf(ArrayOf(writer.scalar(), writer.number(2, 3)), 2)
    variable(writer, whole, of_file=writer.one_in(2))


def structure(writer: Writer) -> None:
    variable(writer, record(writer, 2), of_file=writer.one_in(3))


def structures(writer: Writer) -> None:
    writer.used("array of structures")
    variable(writer, ArrayOf(record(writer, 0), 2), of_file=writer.one_in(3))


def union_variable(writer: Writer) -> None:
    variable(writer, union(writer), of_file=writer.one_in(3))


def copied_structure(writer: Writer) -> None:
    """Assigned as a whole, from another one or from a literal."""
    whole = record(writer, 1)
    one, other = variable(writer, whole, of_file=False), variable(writer, whole, of_file=writer.one_in(2))
    if writer.one_in(2):
        writer.used("structure assignment")
        writer.page.write(f"{one.text} = {other.text};")
    else:
        writer.used("compound literal")
        writer.page.write(f"{one.text} = ({whole.name}){initialiser(writer, whole, constants=False)};")


def enumeration(writer: Writer) -> None:
    writer.used("enumeration")
    tag, names = writer.file("E"), [writer.file("RED"), writer.file("GREEN"), writer.file("BLUE")]
    start = writer.number(0, 5)
    writer.definitions.write(f"enum {tag} {{ {names[0]}, {names[1]} = {start}, {names[2]} }};")
    values = (0, start, start + 1)
    name = writer.local("v")
    chosen = writer.pick(names)
    writer.page.write(f"enum {tag} {name} = {chosen};")
    other = Expression(writer.pick(names), INT, min(values), max(values))
    writer.page.write(f"if {writer.condition().text} {name} = {other.text};")
    # The compiler makes such a type unsigned.
    held = Scalar(UNSIGNED, 0, start + 1)
    writer.scope.objects.append(Object(name, held, writable=False))


def constant_table(writer: Writer) -> None:
    writer.used("constant table")
    name, length = writer.file("T"), writer.number(3, 5)
    values = [writer.number(-9, 20) for _ in range(length)]
    writer.variables.write(f"static const int {name}[{length}] = {{ {', '.join(map(str, values))} }};")
    writer.scope.objects.append(Object(name, ArrayOf(Scalar(INT, min(values), max(values)), length), writable=False))


def text_array(writer: Writer) -> None:
    """An array of characters from a string, or a pointer to one."""
    writer.used("string literal")
    letters = "".join(writer.pick("abcxyz019") for _ in range(writer.number(1, 4)))
    name = writer.local("s")
    held = Scalar(CHAR, 0, 127)
    if writer.one_in(2):
        writer.page.write(f'const char *{name} = "{letters}";')
    else:
        length = writer.pick(("", str(len(letters)), str(len(letters) + 2)))
        writer.page.write(f'char {name}[{length}] = "{letters}";')
        if length == str(len(letters)):
            writer.used("string without its end")
            return writer.scope.objects.append(Object(name, ArrayOf(held, len(letters)), writable=False))
    return writer.scope.objects.append(Object(name, ArrayOf(held, len(letters) + 1), writable=False))


def type_name(writer: Writer) -> None:
    writer.used("typedef")
    name, scalar = writer.file("t"), writer.scalar()
    writer.definitions.write(
        f"typedef {scalar.type.name} {name}[2];" if writer.one_in(2) else f"typedef {scalar.type.name} {name};"
    )
    is_array = writer.definitions.lines[-1].endswith("[2];")
    variable = writer.local("v")
    whole: Shape = ArrayOf(scalar, 2) if is_array else scalar
    writer.page.write(f"{name} {variable} = {initialiser(writer, whole, constants=False)};")
    writer.scope.objects.append(Object(variable, whole))


def size_of_object(writer: Writer) -> None:
    """The number of elements of an array, as everyone writes it."""
    arrays = [each for each in writer.scope.objects if isinstance(each.shape, ArrayOf) and each.text.isidentifier()]
    if not arrays:
        array(writer)
        arrays = [each for each in writer.scope.objects if isinstance(each.shape, ArrayOf) and each.text.isidentifier()]
    found = writer.pick(arrays)
    writer.used("sizeof")
    name = writer.local("n")
    writer.page.write(f"int {name} = sizeof {found.text} / sizeof {found.text}[0];")
    length = found.shape.length if isinstance(found.shape, ArrayOf) else 1
    writer.scope.objects.append(Object(name, Scalar(INT, 0, max(length, 8)), writable=False))


DATA: tuple[tuple[int, Feature], ...] = (
    (4, scalar_variable),
    (3, global_variable),
    (3, array),
    (2, matrix),
    (3, structure),
    (2, structures),
    (2, union_variable),
    (2, copied_structure),
    (2, enumeration),
    (2, constant_table),
    (2, text_array),
    (1, type_name),
    (1, size_of_object),
)
