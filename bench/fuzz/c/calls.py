"""Functions: recursion, references, structures by value, pointers to functions, and ways to call them."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from bench.fuzz.c import statements
from bench.fuzz.c.data import Feature, initialiser, record, union, variable
from bench.fuzz.c.pointers import addressed
from bench.fuzz.c.scope import Function, Page, Pointer, Scope
from bench.fuzz.c.shapes import ArrayOf, Object, Scalar, declared
from bench.fuzz.c.values import INT
from bench.fuzz.c.writer import Writer


@contextmanager
def body(writer: Writer, head: str, *, sees_globals: bool = True, result: Scalar | None = None) -> Iterator[None]:
    """A function that is written now, with a scope of its own."""
    page, scope = writer.page, writer.scope
    writer.page = Page(depth=1)
    writer.scope = Scope(
        objects=list(writer.globals.objects) if sees_globals else [], functions=writer.globals.functions, result=result
    )
    yield
    writer.functions.write(f"{head} {{")
    writer.functions.lines += writer.page.lines
    writer.functions.write("}")
    writer.page, writer.scope = page, scope


def returned(writer: Writer, result: Scalar) -> None:
    writer.page.write(f"return {writer.value_for(result, 2)};")


def function(writer: Writer, *, pure: bool) -> Function:
    """Of a few numbers; one that is not pure sees globals, and may keep a count in a static variable."""
    name, result = writer.file("f"), writer.scalar()
    held = tuple(writer.scalar() for _ in range(writer.number(1, 3)))
    names = [writer.local("x") for _ in held]
    parameters = ", ".join(declared(scalar, each) for scalar, each in zip(held, names, strict=True))
    with body(writer, f"static {result.type.name} {name}({parameters})", sees_globals=not pure, result=result):
        for scalar, each in zip(held, names, strict=True):
            writer.scope.objects.append(Object(each, scalar))
        if not pure and writer.one_in(2):
            writer.used("static local")
            kept, scalar = writer.local("kept"), writer.scalar()
            writer.page.write(f"static {scalar.type.name} {kept} = {writer.number(0, 9)};")
            writer.scope.objects.append(Object(kept, scalar))
        statements.some(writer, 0, 2)
        if writer.one_in(3):
            writer.used("early return")
            writer.page.write(f"if {writer.condition().text} return {writer.value_for(result)};")
            statements.some(writer, 0, 1)
        returned(writer, result)
    made = Function(name, held, result, pure)
    writer.globals.functions.append(made)
    return made


def kept_result(writer: Writer, found: Function, call: str) -> None:
    name = writer.local("v")
    writer.page.write(f"{declared(found.result, name)} = {call};")
    writer.scope.objects.append(Object(name, found.result))


def call(writer: Writer) -> None:
    writer.used("call")
    found = function(writer, pure=writer.one_in(2))
    form = writer.number(0, 4)
    if form == 0:
        writer.used("nested call")
        inner = function(writer, pure=True)
        arguments = [writer.value_for(each) for each in found.parameters]
        held = found.parameters[0]
        if inner.result.low >= held.low and inner.result.high <= held.high:
            arguments[0] = writer.call(inner)
        return kept_result(writer, found, f"{found.name}({', '.join(arguments)})")
    if form == 1:
        writer.used("call in a condition", "short circuit")
        place = writer.target()
        operator = writer.pick(("&&", "||"))
        writer.page.write(f"if ({writer.condition(0).text} {operator} {writer.call(found)})")
        writer.page.write(f"  {place.text} = {writer.value_for(place.scalar)};")
        return None
    if form == 2:
        writer.used("called twice")
        kept_result(writer, found, writer.call(found))
    return kept_result(writer, found, writer.call(found))


def recursion(writer: Writer) -> None:
    """Down to zero, with something to do before or after."""
    writer.used("recursion")
    name, result = writer.file("f"), writer.scalar(INT)
    depth = Scalar(INT, 0, 3)
    with body(writer, f"static int {name}(int n, int x)", result=result):
        writer.scope.fixed.append(Object("n", depth, writable=False))
        writer.scope.objects.append(Object("x", result))
        base = writer.value_for(result)
        writer.page.write(f"if (n <= 0) return {base};")
        statements.some(writer, 0, 1)
        inner = f"{name}(n - 1, {writer.value_for(result)})"
        if writer.one_in(2):
            writer.page.write(f"return {inner};")
        else:
            writer.page.write(f"int r = {inner};")
            writer.scope.objects.append(Object("r", result))
            returned(writer, result)
    kept_result(
        writer, Function(name, (depth, result), result, False), f"{name}({_depth(writer)}, {writer.value_for(result)})"
    )


def _depth(writer: Writer) -> str:
    return writer.fitted(writer.expression(0), Scalar(INT, 0, 3)).text


def mutual_recursion(writer: Writer) -> None:
    writer.used("mutual recursion")
    result = writer.scalar(INT)
    names = [writer.file("even"), writer.file("odd")]
    writer.functions.write(f"static int {names[1]}(int n, int x);")
    for name, other in (names, names[::-1]):
        with body(writer, f"static int {name}(int n, int x)", result=result):
            writer.scope.objects.append(Object("x", result))
            writer.page.write(f"if (n <= 0) return {writer.value_for(result)};")
            writer.page.write(f"return {other}(n - 1, {writer.value_for(result)});")
    found = Function(names[0], (Scalar(INT, 0, 3), result), result, False)
    kept_result(writer, found, f"{names[0]}({_depth(writer)}, {writer.value_for(result)})")


def by_reference(writer: Writer) -> None:
    """Two references that may be to the same thing."""
    writer.used("call by reference")
    one = addressed(writer)
    type, name = one.scalar.type.name, writer.file("f")
    with body(writer, f"static void {name}({type} *p, {type} *q, int x)"):
        writer.scope.pointers += [Pointer("p", one.scalar), Pointer("q", one.scalar)]
        writer.scope.fixed.append(Object("x", Scalar(INT, 0, 3), writable=False))
        writer.page.write(f"*p = {writer.value_for(one.scalar)};")
        writer.page.write(f"*q = {writer.value_for(one.scalar)};")
        statements.some(writer, 0, 2)
    other = addressed(writer, one.scalar)
    if writer.one_in(3):
        writer.used("aliasing arguments")
        other = one
    argument = writer.fitted(writer.expression(0), Scalar(INT, 0, 3)).text
    writer.page.write(f"{name}(&{one.text}, &{other.text}, {argument});")


def union_by_reference(writer: Writer) -> None:
    """Two members of a union as references: they overlap."""
    writer.used("union's members by reference", "call by reference")
    whole = union(writer)
    inner = whole.members[0][1]
    scalar = inner.element if isinstance(inner, ArrayOf) else inner
    if not isinstance(scalar, Scalar):
        return
    found = variable(writer, whole, of_file=writer.one_in(3))
    index = "[0]" if isinstance(inner, ArrayOf) else ""
    type, name = scalar.type.name, writer.file("f")
    with body(writer, f"static {type} {name}({type} *p, {type} *q)", sees_globals=False):
        writer.scope.pointers += [Pointer("p", scalar), Pointer("q", scalar)]
        writer.page.write(f"*p = {writer.number(0, 4)};")
        writer.page.write(f"*q = {writer.number(5, 9)};")
        writer.page.write(f"return *{writer.pick('pq')};")
    (one, _), (other, _) = whole.members[:2]
    call = f"{name}(&{found.text}.{one}{index}, &{found.text}.{other}{index})"
    kept_result(writer, Function(name, (), scalar, False), call)


def array_argument(writer: Writer) -> None:
    writer.used("array argument")
    scalar, length = writer.scalar(), writer.number(2, 3)
    found = variable(writer, ArrayOf(scalar, length), of_file=writer.one_in(2))
    name, result = writer.file("f"), writer.scalar(INT)
    with body(writer, f"static int {name}({scalar.type.name} a[], int n)", result=result):
        writer.page.write("int r = 0;")
        with writer.page.block("for (int i = 0; i < n; i++)"):
            if writer.one_in(2):
                writer.page.write(f"a[i] = {writer.value_for(scalar)};")
            writer.page.write(f"r += a[i] % {writer.number(2, 4)};")
        writer.scope.objects.append(Object("r", Scalar(INT, -3 * length, 3 * length), writable=False))
        returned(writer, result)
    kept_result(writer, Function(name, (), result, False), f"{name}({found.text}, {length})")


def structure_argument(writer: Writer) -> None:
    """A structure by value, and one as the result."""
    writer.used("structure by value")
    whole = record(writer, 1)
    name = writer.file("f")
    with body(writer, f"static {whole.name} {name}({whole.name} s, int x)"):
        writer.scope.objects.append(Object("s", whole))
        writer.scope.fixed.append(Object("x", Scalar(INT, 0, 3), writable=False))
        statements.some(writer, 1, 2)
        if writer.one_in(3):
            writer.page.write(
                f"if {writer.condition().text} return ({whole.name}){initialiser(writer, whole, constants=False)};"
            )
        writer.page.write("return s;")
    start = variable(writer, whole, of_file=writer.one_in(3))
    result = writer.local("v")
    argument = writer.fitted(writer.expression(0), Scalar(INT, 0, 3)).text
    writer.page.write(f"{whole.name} {result} = {name}({start.text}, {argument});")
    writer.scope.objects.append(Object(result, whole))


def structure_by_reference(writer: Writer) -> None:
    writer.used("structure by reference", "call by reference")
    whole = record(writer, 1)
    name = writer.file("f")
    with body(writer, f"static void {name}({whole.name} *s, int x)"):
        writer.scope.objects.append(Object("(*s)", whole))
        writer.scope.fixed.append(Object("x", Scalar(INT, 0, 3), writable=False))
        statements.some(writer, 1, 2)
    found = variable(writer, whole, of_file=writer.one_in(3))
    argument = writer.fitted(writer.expression(0), Scalar(INT, 0, 3)).text
    writer.page.write(f"{name}(&{found.text}, {argument});")


def function_pointer(writer: Writer) -> None:
    """One of two functions, from a table or by a choice."""
    writer.used("function pointer")
    one = function(writer, pure=False)
    name = writer.file("f")
    parameters = ", ".join(f"{scalar.type.name} x{at}" for at, scalar in enumerate(one.parameters))
    with body(writer, f"static {one.result.type.name} {name}({parameters})", result=one.result):
        writer.scope.objects += [Object(f"x{at}", scalar) for at, scalar in enumerate(one.parameters)]
        returned(writer, one.result)
    types = ", ".join(scalar.type.name for scalar in one.parameters)
    chosen = writer.local("h")
    if writer.one_in(2):
        writer.used("table of functions")
        writer.page.write(f"{one.result.type.name} (*{chosen}[2])({types}) = {{ {one.name}, {name} }};")
        call = f"{chosen}[{writer.index(2)}]"
    else:
        writer.page.write(
            f"{one.result.type.name} (*{chosen})({types}) = {writer.condition().text} ? {one.name} : &{name};"
        )
        call = writer.pick((chosen, f"(*{chosen})"))
    kept_result(writer, one, writer.call(Function(call, one.parameters, one.result, False)))


def no_return(writer: Writer) -> None:
    """A function that ends the program where something is not as it should be."""
    writer.used("noreturn function")
    writer.headers.add("stdlib.h")
    name = writer.file("die")
    word = writer.pick(("_Noreturn static void", "__attribute__((noreturn)) static void", "static void"))
    writer.functions.write(f"{word} {name}(void) {{ {writer.pick(('exit(0)', 'exit(1)', 'abort()'))}; }}")
    writer.page.write(f"if ({writer.condition(0).text} && {writer.condition(0).text}) {name}();")


def statement_expression(writer: Writer) -> None:
    writer.used("statement expression")
    result, name, inner = writer.scalar(), writer.local("v"), writer.local("t")
    value = writer.value_for(result)
    step = f"if {writer.condition().text} {inner} = {writer.value_for(result)};"
    writer.page.write(f"{declared(result, name)} = ({{ {declared(result, inner)} = {value}; {step} {inner}; }});")
    writer.scope.objects.append(Object(name, result))


def comma(writer: Writer) -> None:
    """What is assigned on the left is read on the right."""
    writer.used("comma")
    place, name, result = writer.target(), writer.local("v"), writer.scalar()
    value = writer.value_for(place.scalar)
    writer.page.write(f"{declared(result, name)} = ({place.text} = {value}, {writer.value_for(result)});")
    writer.scope.objects.append(Object(name, result))


def assignment_in_condition(writer: Writer) -> None:
    writer.used("assignment in a condition", "short circuit")
    one = writer.target()
    page = writer.page
    first = f"({one.text} = {writer.value_for(one.scalar)}) > {writer.number(0, 5)}"
    operator = writer.pick(("&&", "||"))
    second = writer.condition(0).text
    page.write(f"if ({first} {operator} {second})")
    other = writer.place(writable=True) or one
    page.write(f"  {other.text} = {writer.value_for(other.scalar)};")


def chained_assignment(writer: Writer) -> None:
    writer.used("chained assignment")
    one, other = writer.local("v"), writer.local("v")
    held = writer.scalar()
    value = writer.value_for(held)
    writer.page.write(f"{declared(held, one)}; int {other};")
    writer.page.write(f"{other} = {one} = {value};")
    writer.scope.objects += [Object(one, held), Object(other, Scalar(INT, held.low, held.high), writable=False)]
    if not INT.holds(held.low, held.high):
        writer.scope.objects[-1] = Object(other, Scalar(INT, INT.low, INT.high), writable=False)


CALLS: tuple[tuple[int, Feature], ...] = (
    (5, call),
    (2, recursion),
    (1, mutual_recursion),
    (4, by_reference),
    (2, union_by_reference),
    (2, array_argument),
    (3, structure_argument),
    (2, structure_by_reference),
    (2, function_pointer),
    (1, no_return),
    (1, statement_expression),
    (2, comma),
    (1, assignment_in_condition),
    (1, chained_assignment),
)
