"""Pointers to scalars, elements, members and structures; memory that is allocated."""

from __future__ import annotations

from bench.fuzz.c.data import Feature, record, union, variable
from bench.fuzz.c.scope import Pointer
from bench.fuzz.c.shapes import ArrayOf, Object, Place, Scalar
from bench.fuzz.c.values import INT, INTEGER_TYPES
from bench.fuzz.c.writer import Writer


def addressed(writer: Writer, scalar: Scalar | None = None) -> Place:
    """A place whose address can be taken; a new variable if there is none."""
    for _ in range(8):
        found = writer.place(scalar.type if scalar else None, writable=True)
        if found and found.addressable and (scalar is None or found.scalar == scalar):
            return found
    made = variable(writer, scalar or writer.scalar(), of_file=writer.one_in(2))
    assert isinstance(made.shape, Scalar)
    return Place(made.text, made.shape, True, True)


def pointer(writer: Writer) -> None:
    """To one place, or to one of two."""
    one = addressed(writer)
    name = writer.local("p")
    if writer.one_in(2):
        writer.used("pointer to a scalar")
        writer.page.write(f"{one.scalar.type.name} *{name} = &{one.text};")
    else:
        writer.used("pointer to one of two")
        other = addressed(writer, one.scalar)
        condition = writer.condition(0).text
        writer.page.write(f"{one.scalar.type.name} *{name} = {condition} ? &{one.text} : &{other.text};")
    writer.scope.pointers.append(Pointer(name, one.scalar))


def pointer_into_array(writer: Writer) -> None:
    writer.used("pointer to an element")
    scalar, length = writer.scalar(), writer.number(3, 4)
    found = variable(writer, ArrayOf(scalar, length), of_file=writer.one_in(2))
    name, start = writer.local("p"), writer.number(0, length - 2)
    value = writer.pick((f"{found.text} + {start}", f"&{found.text}[{start}]"))
    writer.page.write(f"{scalar.type.name} *{name} = {value};")
    if start > 0 and writer.one_in(3):
        writer.used("pointer arithmetic")
        writer.page.write(writer.pick((f"{name}--;", f"{name} -= 1;", f"--{name};")))
        start -= 1
    elif writer.one_in(3):
        writer.used("pointer arithmetic")
        writer.page.write(writer.pick((f"{name}++;", f"{name} += 1;", f"{name} = {name} + 1;")))
        start += 1
    writer.scope.pointers.append(Pointer(name, scalar, length - start))


def pointer_comparison(writer: Writer) -> None:
    """Two pointers into one array, compared and subtracted."""
    writer.used("pointer comparison")
    scalar, length = writer.scalar(), writer.number(3, 4)
    found = variable(writer, ArrayOf(scalar, length), of_file=False)
    one, other = writer.local("p"), writer.local("q")
    writer.page.write(f"{scalar.type.name} *{one} = &{found.text}[{writer.index(length)}];")
    writer.page.write(f"{scalar.type.name} *{other} = {found.text} + {writer.number(0, length - 1)};")
    writer.scope.pointers += [Pointer(one, scalar), Pointer(other, scalar)]
    name = writer.local("v")
    if writer.one_in(2):
        writer.used("pointer difference")
        writer.page.write(f"int {name} = (int)({one} - {other});")
        held = Scalar(INT, -length, length)
    else:
        writer.page.write(f"int {name} = {one} {writer.pick(('<', '<=', '==', '!=', '>'))} {other};")
        held = Scalar(INT, 0, 1)
    writer.scope.objects.append(Object(name, held, writable=False))


def pointer_walk(writer: Writer) -> None:
    """A loop that moves a pointer over an array."""
    writer.used("pointer arithmetic", "pointer loop")
    scalar, length = writer.scalar(), writer.number(2, 3)
    found = variable(writer, ArrayOf(scalar, length), of_file=writer.one_in(2))
    total, name = writer.local("v"), writer.local("p")
    writer.page.write(f"long {total} = 0;")
    with writer.page.block(
        f"for ({scalar.type.name} *{name} = {found.text}; {name} < {found.text} + {length}; {name}++)"
    ):
        if writer.one_in(2):
            writer.page.write(f"*{name} = {writer.value_for(scalar)};")
        writer.page.write(f"{total} += *{name} % 16;")
    writer.scope.objects.append(Object(total, Scalar(INTEGER_TYPES[8], -15 * length, 15 * length), writable=False))


def pointer_to_structure(writer: Writer) -> None:
    whole = record(writer, 1)
    found = variable(writer, whole, of_file=writer.one_in(3))
    writer.used("pointer to a structure")
    name = writer.local("p")
    writer.page.write(f"{whole.name} *{name} = &{found.text};")
    writer.scope.objects.append(Object(f"(*{name})", whole))


def pointer_to_pointer(writer: Writer) -> None:
    writer.used("pointer to a pointer")
    one = addressed(writer)
    other = addressed(writer, one.scalar)
    inner, outer = writer.local("p"), writer.local("pp")
    writer.page.write(f"{one.scalar.type.name} *{inner} = &{one.text};")
    writer.page.write(f"{one.scalar.type.name} **{outer} = &{inner};")
    writer.page.write(f"**{outer} = {writer.value_for(one.scalar)};")
    writer.page.write(f"if {writer.condition().text} *{outer} = &{other.text};")
    writer.scope.pointers.append(Pointer(inner, one.scalar))


def union_through_pointers(writer: Writer) -> None:
    """Two members of a union, each by its address."""
    writer.used("pointer to a union's member")
    whole = union(writer)
    found = variable(writer, whole, of_file=writer.one_in(3))
    for member, inner in writer.chance.sample(whole.members, 2):
        scalar = inner.element if isinstance(inner, ArrayOf) else inner
        if isinstance(scalar, Scalar):
            name = writer.local("p")
            place = (
                f"{found.text}.{member}[{writer.number(0, 1)}]"
                if isinstance(inner, ArrayOf)
                else f"{found.text}.{member}"
            )
            writer.page.write(f"{scalar.type.name} *{name} = &{place};")
            writer.scope.pointers.append(Pointer(name, scalar))
            writer.page.write(f"*{name} = {writer.value_for(scalar)};")


def null_pointer(writer: Writer) -> None:
    """Null for some inputs, and followed only where it is not."""
    writer.used("null pointer")
    one = addressed(writer)
    name, kept = writer.local("p"), writer.target()
    writer.page.write(f"{one.scalar.type.name} *{name} = {writer.condition().text} ? &{one.text} : 0;")
    writer.page.write(f"if ({name}) *{name} = {writer.value_for(one.scalar)};")
    writer.page.write(f"else {kept.text} = {writer.value_for(kept.scalar)};")


def allocated(writer: Writer) -> None:
    """Memory from malloc or calloc: all of it is written before it is read."""
    writer.used("malloc")
    writer.headers.add("stdlib.h")
    scalar, length = writer.scalar(), writer.number(1, 3)
    name, type = writer.local("p"), scalar.type.name
    if writer.one_in(3):
        writer.page.write(f"{type} *{name} = calloc({length}, sizeof({type}));")
    else:
        writer.page.write(f"{type} *{name} = malloc({length} * sizeof *{name});")
    writer.page.write(f"if (!{name}) return 0;")
    for at in range(length):
        writer.page.write(f"{name}[{at}] = {writer.value_for(scalar)};")
    writer.scope.pointers.append(Pointer(name, scalar, length))


def allocated_structure(writer: Writer) -> None:
    writer.used("malloc", "pointer to a structure")
    writer.headers.add("stdlib.h")
    whole = record(writer, 0)
    name = writer.local("p")
    writer.page.write(f"{whole.name} *{name} = malloc(sizeof({whole.name}));")
    writer.page.write(f"if (!{name}) return 0;")
    start = variable(writer, whole, of_file=False)
    writer.page.write(f"*{name} = {start.text};")
    writer.scope.objects.append(Object(f"(*{name})", whole))


def row_pointer(writer: Writer) -> None:
    writer.used("pointer to a row", "array of arrays")
    scalar, columns = writer.scalar(), writer.number(2, 3)
    found = variable(writer, ArrayOf(ArrayOf(scalar, columns), 2), of_file=writer.one_in(2))
    name = writer.local("p")
    writer.page.write(f"{scalar.type.name} (*{name})[{columns}] = &{found.text}[{writer.index(2)}];")
    writer.scope.objects.append(Object(f"(*{name})", ArrayOf(scalar, columns)))


def list_of_two(writer: Writer) -> None:
    """Structures that point to one another."""
    writer.used("linked structures")
    tag, scalar = writer.file("N"), writer.scalar()
    writer.definitions.write(f"struct {tag} {{ {scalar.type.name} value; struct {tag} *next; }};")
    first, second, name = writer.local("n"), writer.local("n"), writer.local("p")
    writer.page.write(f"struct {tag} {second} = {{ {writer.value_for(scalar)}, 0 }};")
    writer.page.write(f"struct {tag} {first} = {{ .value = {writer.value_for(scalar)}, .next = &{second} }};")
    writer.page.write(f"struct {tag} *{name} = &{first};")
    if writer.one_in(2):
        writer.page.write(f"if {writer.condition().text} {name} = {name}->next;")
    else:
        writer.page.write(f"while ({name}->next) {name} = {name}->next;")
    writer.scope.objects += [
        Object(f"{name}->value", scalar),
        Object(f"{second}.value", scalar),
        Object(f"{first}.value", scalar),
    ]


POINTERS: tuple[tuple[int, Feature], ...] = (
    (4, pointer),
    (3, pointer_into_array),
    (2, pointer_comparison),
    (2, pointer_walk),
    (3, pointer_to_structure),
    (2, pointer_to_pointer),
    (2, union_through_pointers),
    (2, null_pointer),
    (2, allocated),
    (1, allocated_structure),
    (1, row_pointer),
    (1, list_of_two),
)
