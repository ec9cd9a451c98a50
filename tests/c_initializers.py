"""Generated aggregate types of C with initialisers, in programs that return a digest of every scalar."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn


@dataclass(frozen=True, slots=True)
class Scalar:
    """`bits` of a bit-field; without a name it is padding."""

    name: str
    bits: int | None = None


@dataclass(frozen=True, slots=True)
class Row:
    element: Shape
    length: int


@dataclass(frozen=True, slots=True)
class Member:
    """Without a name: a nameless structure or union, whose members are the outer one's, or padding."""

    name: str
    shape: Shape


@dataclass(frozen=True, slots=True)
class Group:
    tag: str
    union: bool
    members: tuple[Member, ...]


Shape = Scalar | Row | Group

_NUMBERS = ("char", "signed char", "unsigned char", "short", "int", "unsigned", "long long", "_Bool")
_CHARACTERS = ("char", "signed char", "unsigned char")
_STRINGS = ('""', '"a"', '"ab"', '"abc"', '"abcd"', '"a\\0c"', '"\\377\\n"')


@dataclass(slots=True)
class _Names:
    used: int = 0

    def new(self, stem: str) -> str:
        self.used += 1
        return f"{stem}{self.used}"


@st.composite
def shapes(draw: DrawFn, names: _Names, depth: int) -> Shape:
    kind = draw(st.sampled_from(("scalar", "row", "text", "group", "group", "union") if depth else ("scalar",)))
    match kind:
        case "row":
            return Row(draw(shapes(names, depth - 1)), draw(st.integers(1, 3)))
        case "text":
            return Row(Scalar(draw(st.sampled_from(_CHARACTERS))), draw(st.integers(1, 4)))
        case "group":
            return _group(draw, names, depth)
        case "union":
            same = draw(shapes(names, depth - 1))
            members = [Member(names.new("m"), same) for _ in range(draw(st.integers(1, 2)))]
            return Group(names.new("u"), True, tuple(members))
        case _:
            return Scalar(draw(st.sampled_from(_NUMBERS)))


def _group(draw: DrawFn, names: _Names, depth: int) -> Group:
    tag = names.new("s")
    members: list[Member] = []
    for _ in range(draw(st.integers(1, 4))):
        match draw(st.sampled_from(("member", "member", "member", "bits", "padding", "nameless"))):
            case "bits":
                members.append(Member(names.new("b"), Scalar("int", draw(st.integers(2, 9)))))
            case "padding":
                members.append(Member("", Scalar("int", draw(st.integers(0, 9)))))
            case "nameless":
                inner = draw(shapes(names, depth - 1))
                members.append(Member("" if isinstance(inner, Group) else names.new("m"), inner))
            case _:
                members.append(Member(names.new("m"), draw(shapes(names, depth - 1))))
    if all(_is_padding(member) for member in members):
        members.append(Member(names.new("m"), Scalar("int")))
    return Group(tag, False, tuple(members))


def _is_padding(member: Member) -> bool:
    return not member.name and isinstance(member.shape, Scalar)


def _parts(group: Group) -> list[Member]:
    return [member for member in group.members if not _is_padding(member)]


# Text


def _declared(shape: Shape, name: str) -> str:
    match shape:
        case Scalar(type, bits):
            return f"{type} {name}" + ("" if bits is None else f":{bits}")
        case Row(element, length):
            return _declared(element, f"{name}[{length}]")
        case Group(tag, union):
            return f"{'union' if union else 'struct'} {tag} {name}"


def _definitions(shape: Shape, done: set[str]) -> Iterator[str]:
    if isinstance(shape, Row):
        yield from _definitions(shape.element, done)
    if not isinstance(shape, Group) or shape.tag in done:
        return
    done.add(shape.tag)
    lines = []
    for member in shape.members:
        if not member.name and isinstance(member.shape, Group):
            inner = "".join(_definitions_of_nameless(member.shape, done))
            yield from _inner_definitions(member.shape, done)
            lines.append(f"{inner};")
            continue
        yield from _definitions(member.shape, done)
        lines.append(f"{_declared(member.shape, member.name)};")
    yield f"{'union' if shape.union else 'struct'} {shape.tag} {{ {' '.join(lines)} }};"


def _inner_definitions(group: Group, done: set[str]) -> Iterator[str]:
    """Of what the members of a nameless group are made."""
    for member in group.members:
        if not member.name and isinstance(member.shape, Group):
            yield from _inner_definitions(member.shape, done)
        else:
            yield from _definitions(member.shape, done)


def _definitions_of_nameless(group: Group, done: set[str]) -> Iterator[str]:
    yield "union { " if group.union else "struct { "
    for member in group.members:
        if not member.name and isinstance(member.shape, Group):
            yield from _definitions_of_nameless(member.shape, done)
            yield "; "
        else:
            yield f"{_declared(member.shape, member.name)}; "
    yield "}"


def leaves(shape: Shape, path: str) -> Iterator[str]:
    """How a program names each scalar; of a union those of its first member."""
    match shape:
        case Scalar():
            yield path
        case Row(element, length):
            for position in range(length):
                yield from leaves(element, f"{path}[{position}]")
        case Group(_, union):
            for member in _parts(shape)[: 1 if union else None]:
                yield from leaves(member.shape, f"{path}.{member.name}" if member.name else path)


# Initialisers


@dataclass(slots=True)
class _Values:
    """`calls`: whether values may be calls, which a variable of the file cannot have."""

    draw: DrawFn
    calls: bool
    copies: dict[str, str]  # variables by the tag of their type

    def number(self) -> str:
        if self.calls and self.draw(st.integers(0, 39)) == 0:
            return "next()"
        return str(self.draw(st.integers(-3, 99)))

    def whole(self, shape: Shape, depth: int = 4) -> str:
        """An initialiser for a subobject that is known to be of this shape."""
        chance = self.draw(st.integers(0, 9))
        if isinstance(shape, Scalar) or depth == 0:
            return f"{{{self.number()}}}" if chance == 0 else self.number()
        if isinstance(shape, Row) and _is_text(shape) and chance < 6:
            text = self.draw(st.sampled_from(_STRINGS))
            return f"{{{text}}}" if chance == 0 else text
        if isinstance(shape, Group) and shape.tag in self.copies and self.calls and chance < 2:
            return self.copies[shape.tag]
        return self.braced(shape, depth) if chance < 8 else self.number()

    def braced(self, shape: Row | Group, depth: int) -> str:
        """Designated and positional items; values for which there is no room come last, since compilers differ."""
        items: list[str] = []
        position: int | None = 0  # None: somewhere inside of a part, where only numbers fit
        room = _room(shape, 0)
        for _ in range(self.draw(st.integers(1, 6))):
            if self.draw(st.integers(0, 2)) == 0:
                designator, target, position, room = self.designator(shape)
                value = self.whole(target, depth - 1)
                items.append(f"{designator} = {value}")
            elif room <= 0:
                items.append(self.number())
                break
            elif position is None:
                items.append(self.number())
                room -= 1
                continue
            else:
                target = _part_at(shape, position)
                value, position = self.whole(target, depth - 1), position + 1
                items.append(value)
                room = _room(shape, position)
            if not isinstance(target, Scalar) and not self.is_whole(value):
                position, room = None, room + len(list(leaves(target, ""))) - 1
        return f"{{{', '.join(items)}}}"

    def is_whole(self, value: str) -> bool:
        return value.startswith(("{", '"')) or value in self.copies.values()

    def designator(self, shape: Row | Group) -> tuple[str, Shape, int | None, int]:
        """Its text, what it names, the position behind it, and how many numbers there is room for from there on."""
        text = ""
        current: Shape = shape
        position: int | None = None
        rooms: list[int] = []
        open_ended = False  # inside of a nameless member: one with a name must follow
        while open_ended or not rooms or (not isinstance(current, Scalar) and self.draw(st.integers(0, 2)) == 0):
            assert not isinstance(current, Scalar)
            open_ended = False
            if isinstance(current, Row):
                low = self.draw(st.integers(0, current.length - 1))
                high = self.draw(st.integers(low, current.length - 1)) if self.draw(st.integers(0, 4)) == 0 else low
                text += f"[{low}]" if high == low else f"[{low} ... {high}]"
                behind = high + 1
            else:
                parts = _parts(current)
                at = self.draw(st.integers(0, len(parts) - 1))
                text += f".{parts[at].name}" if parts[at].name else ""
                behind = len(parts) if current.union else at + 1
                if not parts[at].name:
                    rooms.append(_room(current, behind))
                    current, open_ended = parts[at].shape, True
                    continue
            position = behind if not rooms else None
            rooms.append(_room(current, behind))
            current = current.element if isinstance(current, Row) else parts[at].shape
        return text, current, position, sum(rooms)


def _is_text(row: Row) -> bool:
    return isinstance(row.element, Scalar) and row.element.name in _CHARACTERS


def _part_at(shape: Row | Group, position: int) -> Shape:
    return shape.element if isinstance(shape, Row) else _parts(shape)[position].shape


def _room(shape: Row | Group, position: int) -> int:
    """How many scalars the parts from a position on have."""
    if isinstance(shape, Row):
        return max(0, shape.length - position) * len(list(leaves(shape.element, "")))
    following = _parts(shape)[position : 1 if shape.union else None]
    return sum(len(list(leaves(member.shape, ""))) for member in following)


@st.composite
def initializer_programs(draw: DrawFn) -> str:
    """A few variables of the file, of a function, and compound literals, each with a random initialiser."""
    names, done = _Names(), set[str]()
    definitions: list[str] = []
    outside: list[str] = []
    inside: list[str] = []
    copies: dict[str, str] = {}
    for position in range(draw(st.integers(2, 5))):
        shape = draw(shapes(names, 3).filter(lambda shape: not isinstance(shape, Scalar)))
        assert not isinstance(shape, Scalar)
        definitions.extend(_definitions(shape, done))
        name = f"v{position}"
        kind = draw(st.sampled_from(("file", "static", "local", "local", "literal", "unknown length")))
        values = _Values(draw, kind not in ("file", "static"), dict(copies))
        text = values.braced(shape, 4)
        if kind == "unknown length" and isinstance(shape, Row):
            declaration = _declared(shape.element, f"{name}[]")
            inside.append(f"{declaration} = {text}; mix(sizeof {name});")
            inside.extend(
                f"if ({at} < sizeof {name} / sizeof *{name}) {{ {_mixed(shape.element, f'{name}[{at}]')} }}"
                for at in range(shape.length)
            )
            continue
        if kind == "file":
            outside.append(f"{_declared(shape, name)} = {text};")
        elif kind == "literal" and isinstance(shape, Group):
            inside.append(f"{_declared(shape, name)} = ({_declared(shape, '').strip()}){text};")
        else:
            inside.append(f"{'static ' if kind == 'static' else ''}{_declared(shape, name)} = {text};")
        if isinstance(shape, Group):
            copies[shape.tag] = name
        inside.append(_mixed(shape, name))
    return "\n".join(
        [
            "static unsigned digest, calls;",
            "static int next(void) { calls++; return 100; }",
            "static void mix(unsigned long long value) { digest = digest * 31u + (unsigned)value; }",
            *definitions,
            *outside,
            "int main(void) {",
            *(f"  {line}" for line in inside),
            "  mix(calls);",
            "  return (int)digest;",
            "}",
        ]
    )


def _mixed(shape: Shape, name: str) -> str:
    return " ".join(f"mix({leaf});" for leaf in leaves(shape, name))
