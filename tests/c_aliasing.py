"""Generated C programs that reach memory in many ways: members of structures and unions, elements, whole objects,
by name, by reference through several functions, and through pointers that variables and members keep.

Every int stays between 0 and 255, so that it can be an index, and nothing is read before it is set; the address of a
variable is kept nowhere that lives longer than the variable. So each program has one behaviour.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeAlias

from hypothesis import strategies as st


@dataclass(frozen=True)
class Int:
    text = "int"


@dataclass(frozen=True)
class Reference:
    """A pointer to int or to a structure or union, null or not; the target by its text, which may be its own."""

    target: str

    @property
    def text(self) -> str:
        return f"{self.target} *"


@dataclass(frozen=True)
class Array:
    element: Type
    length: int


@dataclass(frozen=True)
class Record:
    text: str
    fields: tuple[tuple[str, Type], ...]
    union: bool


Type: TypeAlias = Int | Reference | Array | Record
Place: TypeAlias = tuple[str, Type]
INT, TO_INT = Int(), Reference("int")


@dataclass
class Scope:
    """What can be named; `lasting` are those whose addresses may be kept in memory that outlives the function."""

    places: list[Place] = field(default_factory=list)
    lasting: list[Place] = field(default_factory=list)

    def child(self) -> Scope:
        return Scope(list(self.places), list(self.lasting))


@dataclass(frozen=True)
class Function:
    """Parameters are pointers to their types, or of them; a recursive one has the depth first."""

    name: str
    parameters: tuple[tuple[Type, bool], ...]
    gives_pointer: bool
    recursive: bool


class Writer:
    """`choose` gives a number between two bounds."""

    def __init__(self, choose: Callable[[int, int], int]) -> None:
        self._choose = choose
        self._lines: list[str] = []
        self._names = 0
        self._records: list[Record] = []
        self._functions: list[Function] = []

    def _pick(self, options: list[Place]) -> Place:
        return options[self._choose(0, len(options) - 1)]

    def _chance(self, one_in: int) -> bool:
        return self._choose(1, one_in) == 1

    def _name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    def _emit(self, level: int, line: str) -> None:
        self._lines.append("  " * level + line)

    # Types

    def _inner(self) -> Type:
        form = self._choose(0, 7)
        if form <= 2 or (form >= 5 and not self._records):
            return INT
        if form == 3:
            return Array(INT, self._choose(2, 3))
        if form == 4:
            return self._reference(Array(TO_INT, 2) if self._chance(4) else TO_INT)
        record = self._records[self._choose(0, len(self._records) - 1)]
        return Array(record, 2) if form == 7 and not _has_arrays(record) else record

    def _reference(self, otherwise: Type) -> Type:
        if not self._records or self._chance(2):
            return otherwise
        return Reference(self._records[self._choose(0, len(self._records) - 1)].text)

    def _record(self) -> None:
        tag = self._name("r")
        if self._chance(3):
            inner = self._inner()
            members = tuple((f"{tag}{letter}", inner) for letter in "uv")
            kind = f"union {tag}"
            self._emit(0, f"{kind} {{ {' '.join(f'{declared(t, n)};' for n, t in members)} }};")
            self._records.append(Record(kind, members, True))
            return
        fields: list[tuple[str, Type]] = []
        texts: list[str] = []
        for position in range(self._choose(2, 4)):
            name = f"{tag}{'abcd'[position]}"
            if self._chance(6):
                fields += [(name, INT), (f"{name}x", INT)]
                texts.append(f"union {{ int {name}, {name}x; }};")
                continue
            type = Reference(f"struct {tag}") if self._chance(8) else self._inner()
            fields.append((name, type))
            texts.append(f"{declared(type, name)};")
        self._emit(0, f"struct {tag} {{ {' '.join(texts)} }};")
        self._records.append(Record(f"struct {tag}", tuple(fields), False))

    # Places

    def _within(self, place: Place, wanted: Type, scope: Scope) -> str | None:
        """Some part of the place that has the type."""
        text, type = place
        while type != wanted:
            if isinstance(type, Array):
                text, type = f"{text}[{self._index(type.length, scope)}]", type.element
            elif isinstance(type, Record):
                fits = [(name, inner) for name, inner in type.fields if _contains(inner, wanted)]
                if not fits:
                    return None
                name, inner = fits[self._choose(0, len(fits) - 1)]
                text, type = f"{text}.{name}", inner
            else:
                return None
        return text

    def _index(self, length: int, scope: Scope) -> str:
        if self._chance(2):
            return str(self._choose(0, length - 1))
        return f"ix % {length}" if self._chance(2) else f"(ix + {self._choose(1, 3)}) % {length}"

    def _some(self, wanted: Type, places: list[Place], scope: Scope) -> str | None:
        fits = [place for place in places if _contains(place[1], wanted)]
        return self._within(self._pick(fits), wanted, scope) if fits else None

    def _int(self, scope: Scope) -> str:
        found = self._some(INT, scope.places, scope)
        return found if found is not None else "ix"

    def _value(self, scope: Scope) -> str:
        form = self._choose(0, 9)
        if form == 0:
            return str(self._choose(0, 9))
        if form == 1:
            one, other = self._int(scope), self._int(scope)
            return f"(&{one} == &{other})"
        if form == 2:
            return self._followed(scope)
        if form == 3:
            return self._whole_comparison(scope)
        return self._int(scope)

    def _followed(self, scope: Scope) -> str:
        """An int that a pointer leads to, if it leads anywhere."""
        kept, target = self._kept(scope)
        inner = None if kept is None else self._within((f"(*{kept})", target), INT, scope)
        return self._int(scope) if inner is None else f"({kept} ? {inner} : {self._choose(1, 5)})"

    def _kept(self, scope: Scope) -> tuple[str | None, Type]:
        """A place that holds a pointer, and what it points to."""
        targets: list[Type] = [INT, INT, *self._records]
        target = targets[self._choose(0, len(targets) - 1)]
        return self._some(Reference(target.text), scope.places, scope), target  # type: ignore[union-attr]

    def _whole_comparison(self, scope: Scope) -> str:
        records: list[Type] = [INT, *self._records]
        texts = []
        root = self._pick(scope.places)
        for _ in range(2):
            wanted = records[self._choose(0, len(records) - 1)]
            text = self._within(root, wanted, scope) if self._chance(2) else self._some(wanted, scope.places, scope)
            texts.append(text if text is not None else root[0])
        return f"((void *)&{texts[0]} == (void *)&{texts[1]})"

    # Statements

    def _statement(self, scope: Scope, level: int, depth: int) -> None:
        form = self._choose(0, 10)
        if form <= 2:
            value = f"{self._value(scope)} + 2 * {self._value(scope)} + {self._choose(0, 9)}"
            self._emit(level, f"{self._int(scope)} = ({value}) & 255;")
        elif form == 3:
            self._retarget(scope, level)
        elif form == 4 and self._records:
            self._copy(scope, level)
        elif form == 5 and depth > 0:
            self._emit(level, f"if ({self._value(scope)} & 1) {{")
            self._block(scope.child(), level + 1, depth - 1)
            self._emit(level, "}")
        elif form == 6 and depth > 0 and self._chance(3):
            self._emit(level, f"for (int i = 0; i < {self._choose(1, 3)}; i++) {{")
            inner = scope.child()
            self._block(inner, level + 1, depth - 1)
            self._emit(level, "}")
        elif form == 6:
            name = self._name("q")
            self._emit(level, f"int *{name} = &{self._int(scope)};")
            scope.places.append((f"(*{name})", INT))
            if self._chance(2):
                self._emit(level, f"{name} = &{self._int(scope)};")
        elif form == 7 and self._chance(3):
            self._clear(scope, level)
        elif self._functions:
            self._call(scope, level)

    def _retarget(self, scope: Scope, level: int) -> None:
        kept, target = self._kept(scope)
        place = self._some(target, scope.lasting, scope)
        if kept is None or place is None:
            return
        form = self._choose(0, 5)
        if form == 0:
            self._emit(level, f"{kept} = 0;")
        elif form == 1:
            inner = self._within((f"(*{kept})", target), INT, scope)
            if inner is not None:
                self._emit(level, f"if ({kept}) {inner} = ({self._value(scope)} + 3) & 255;")
        elif form == 2:
            name = self._name("w")
            self._emit(level, f"{Reference(target.text).text}*{name} = &{kept}; *{name} = &{place};")  # type: ignore[union-attr]
        else:
            self._emit(level, f"{kept} = &{place};")

    def _copy(self, scope: Scope, level: int) -> None:
        record = self._records[self._choose(0, len(self._records) - 1)]
        to, source = self._some(record, scope.places, scope), self._some(record, scope.places, scope)
        if to is not None and source is not None and to != source:
            self._emit(level, f"{to} = {source};")

    def _clear(self, scope: Scope, level: int) -> None:
        wanted: list[Type] = [TO_INT, INT, *self._records]
        place = self._some(wanted[self._choose(0, len(wanted) - 1)], scope.places, scope)
        if place is not None:
            self._emit(level, f"memset(&{place}, 0, sizeof {place});")

    def _call(self, scope: Scope, level: int) -> None:
        function = self._functions[self._choose(0, len(self._functions) - 1)]
        arguments = [str(self._choose(0, 3))] if function.recursive else []
        for wanted, by_value in function.parameters:
            place = self._some(wanted, scope.places, scope)
            if place is None:
                return
            arguments.append(place if isinstance(wanted, Array) or by_value else f"&{place}")
        call, kept = f"{function.name}({', '.join(arguments)})", self._name("v")
        if function.gives_pointer:
            self._emit(level, f"int *{kept} = {call}; *{kept} = ({self._value(scope)} + 1) & 255;")
        else:
            self._emit(level, f"int {kept} = {call}; {self._int(scope)} = {kept} & 255;")

    def _block(self, scope: Scope, level: int, depth: int) -> None:
        for _ in range(self._choose(1, 4)):
            self._statement(scope, level, depth)

    # Whole programs

    def _function(self, scope: Scope) -> None:
        name = self._name("f")
        kinds: list[Type] = [INT, INT, Array(INT, 2), *self._records]
        chosen = [kinds[self._choose(0, len(kinds) - 1)] for _ in range(self._choose(1, 3))]
        parameters = tuple((type, isinstance(type, Record) and self._chance(4)) for type in chosen)
        inner = scope.child()
        recursive = self._chance(4)
        texts = ["int depth"] if recursive else []
        own_values: list[Place] = []
        for position, (type, by_value) in enumerate(parameters):
            spelled = f"p{position + 1}"
            if isinstance(type, Array):
                texts.append(f"int *{spelled}")
                inner.places.append((spelled, type))
            elif by_value:
                texts.append(f"{type.text} {spelled}")
                own_values.append((spelled, type))
            else:
                texts.append(f"{type.text} *{spelled}")
                inner.places.append((f"(*{spelled})", type))
        gives_pointer = self._chance(4)
        self._emit(0, f"static {'int *' if gives_pointer else 'int '}{name}({', '.join(texts)}) {{")
        own = inner.child()
        own.places += own_values
        if recursive:
            self._again(Function(name, parameters, gives_pointer, True), own)
        self._block(own, 1, 1)
        result = self._int(inner)
        self._emit(1, f"return &{result};" if gives_pointer else f"return {self._int(own)};")
        self._emit(0, "}")
        self._functions.append(Function(name, parameters, gives_pointer, recursive))

    def _again(self, function: Function, scope: Scope) -> None:
        """A call of the function by itself, with a variable of its own that it may be given."""
        own = self._name("o")
        self._emit(1, f"int {own} = depth;")
        scope.places.append((own, INT))
        arguments = ["depth - 1"]
        for wanted, by_value in function.parameters:
            place = self._some(wanted, scope.places, scope)
            if place is None:
                return
            arguments.append(place if isinstance(wanted, Array) or by_value else f"&{place}")
        call = f"{function.name}({', '.join(arguments)})"
        self._emit(1, f"if (depth > 0) {f'*{call} = 1' if function.gives_pointer else call};")

    def program(self) -> str:
        self._emit(
            0,
            "void *memset(void *, int, unsigned long), *malloc(unsigned long), *calloc(unsigned long, unsigned long);",
        )
        self._emit(0, "static int ix = 1;")
        for _ in range(self._choose(1, 3)):
            self._record()
        scope = Scope([("ix", INT)], [])
        for _ in range(self._choose(1, 3)):
            self._variable("g", scope, 0)
        for _ in range(self._choose(1, 3)):
            self._function(scope)
        self._emit(0, "int main(void) {")
        inner = scope.child()
        for _ in range(self._choose(1, 3)):
            self._variable("l", inner, 1)
        for _ in range(self._choose(0, 2)):
            self._block_of_memory(inner)
        checked = list(inner.lasting)
        self._block(inner, 1, 1)
        self._block(inner, 1, 1)
        self._emit(1, "unsigned sum = ix;")
        for place in checked:
            for text in all_ints(place):
                self._emit(1, f"sum = sum * 31 + {text};")
        self._emit(1, "return (int)(sum & 0x7fffffff);")
        self._emit(0, "}")
        return "\n".join(self._lines) + "\n"

    def _block_of_memory(self, scope: Scope) -> None:
        types: list[Type] = [INT, *self._records]
        type = types[self._choose(0, len(types) - 1)]
        assert not isinstance(type, Array)
        name = self._name("m")
        if isinstance(type, Record) and (_has_arrays(type) or self._chance(2)):
            self._emit(1, f"{type.text} *{name} = malloc(sizeof *{name}); memset({name}, 0, sizeof *{name});")
            place: Place = (f"(*{name})", type)
        else:
            self._emit(1, f"{type.text} *{name} = calloc(2, sizeof *{name});")
            place = (name, Array(type, 2))
        scope.places.append(place)
        scope.lasting.append(place)

    def _variable(self, stem: str, scope: Scope, level: int) -> None:
        name = self._name(stem)
        types: list[Type] = [INT, Array(INT, 3), *self._records]
        type = types[self._choose(0, len(types) - 1)]
        if isinstance(type, Record) and not _has_arrays(type) and self._chance(3):
            type = Array(type, 2)
        value = "0" if type == INT else "{ 0 }"
        self._emit(level, f"{'static ' if level == 0 else ''}{declared(type, name)} = {value};")
        scope.places.append((name, type))
        scope.lasting.append((name, type))


def declared(type: Type, name: str) -> str:
    """A declaration of C, without the semicolon."""
    if isinstance(type, Array):
        return f"{declared(type.element, name)}[{type.length}]"
    return f"{type.text} {name}"


def all_ints(place: Place) -> list[str]:
    """Every int in a place; what a pointer points to is not in it."""
    text, type = place
    match type:
        case Int():
            return [text]
        case Reference(target):
            return [f"({text} ? *{text} : 3)" if target == "int" else f"({text} ? 4 : 3)"]
        case Array(element, length):
            return [each for at in range(length) for each in all_ints((f"{text}[{at}]", element))]
        case Record(_, fields, union):
            members = fields[:1] if union else fields
            return [each for name, inner in members for each in all_ints((f"{text}.{name}", inner))]


def _contains(type: Type, wanted: Type) -> bool:
    if type == wanted:
        return True
    if isinstance(type, Array):
        return _contains(type.element, wanted)
    return isinstance(type, Record) and any(_contains(inner, wanted) for _, inner in type.fields)


def _has_arrays(type: Type) -> bool:
    return isinstance(type, Array) or (isinstance(type, Record) and any(_has_arrays(t) for _, t in type.fields))


@st.composite
def aliasing_programs(draw: st.DrawFn) -> str:
    return Writer(lambda low, high: draw(st.integers(low, high))).program()
