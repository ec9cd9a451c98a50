"""Statements over what can be seen: assignments in all their forms, branches, loops, jumps."""

from __future__ import annotations

from collections.abc import Callable

from bench.fuzz.c.shapes import Object, Scalar
from bench.fuzz.c.values import INT, Expression, binary, constant
from bench.fuzz.c.writer import Writer

Statement = Callable[[Writer], None]


def some(writer: Writer, least: int = 1, most: int = 2) -> None:
    """A few statements, seldom nested."""
    for _ in range(writer.number(least, most)):
        simple(writer)


def simple(writer: Writer) -> None:
    writer.pick((assign, assign, assign, compound, step, branch_to_assign))(writer)


def assign(writer: Writer) -> None:
    place = writer.target()
    writer.page.write(f"{place.text} = {writer.value_for(place.scalar, 2)};")


def compound(writer: Writer) -> None:
    """place op= e, and what leaves the bounds is brought back."""
    place = writer.target()
    operator = writer.pick("+-+-*/%&|^")
    other = constant(writer.number(1, 4)) if operator in "*/%&|^" else writer.expression(1)
    after = binary(place.value, operator, other)
    if after is None:
        return assign(writer)
    writer.used("compound assignment")
    writer.page.write(f"{place.text} {operator}= {other.text};")
    return writer.clamp(place, after)


def step(writer: Writer) -> None:
    place = writer.target()
    operator = writer.pick("+-")
    writer.used("++ and --")
    if writer.one_in(3):
        kept = writer.local("v")
        text = writer.pick((f"({place.text}){operator * 2}", f"{operator * 2}({place.text})"))
        after = binary(place.value, operator, constant(1))
        value = after if text[0] in "+-" else place.value
        bounds = (value.low, value.high) if value else (INT.low, INT.high)
        if value is None or not INT.holds(*bounds):
            return assign(writer)
        if text[0] in "+-":  # the value is that of the place after the conversion
            bounds = _stored(after, place.scalar)
        writer.page.write(f"int {kept} = {text};")
        writer.clamp(place, after)
        writer.scope.objects.append(Object(kept, Scalar(INT, *bounds), writable=False))
        return None
    writer.page.write(
        writer.pick((f"{place.text}{operator * 2};", f"{operator * 2}{place.text};"))
        if place.text[0] != "*"
        else f"(*{place.text[1:]}){operator * 2};"
    )
    return writer.clamp(place, binary(place.value, operator, constant(1)))


def _stored(after: Expression | None, scalar: Scalar) -> tuple[int, int]:
    if after and scalar.type.holds(after.low, after.high):
        return after.low, after.high
    return scalar.type.low, scalar.type.high


def branch_to_assign(writer: Writer) -> None:
    writer.used("if")
    place = writer.target()
    writer.page.write(f"if {writer.condition().text}")
    writer.page.write(f"  {place.text} = {writer.value_for(place.scalar)};")
    if writer.one_in(2):
        writer.used("else")
        writer.page.write("else")
        writer.page.write(f"  {place.text} = {writer.value_for(place.scalar)};")


def branch(writer: Writer) -> None:
    writer.used("if")
    outer = writer.scope
    with writer.page.block(f"if {writer.condition().text}"):
        writer.scope = outer.child()
        some(writer)
        writer.scope = outer
    if writer.one_in(2):
        writer.used("else")
        with writer.page.block("else"):
            writer.scope = outer.child()
            some(writer)
            writer.scope = outer


def _rounds(writer: Writer) -> tuple[str, int]:
    """How often a loop goes round: a number, or an input, and at most how often."""
    inputs = [
        each
        for each in writer.scope.fixed
        if isinstance(each.shape, Scalar) and 0 <= each.shape.low <= each.shape.high <= 4
    ]
    if inputs and writer.one_in(2):
        found = writer.pick(inputs)
        assert isinstance(found.shape, Scalar)
        return found.text, found.shape.high
    most = writer.number(1, 3)
    return str(most), most


def _loop_body(writer: Writer, counter: str, most: int, *, may_skip: bool = True) -> None:
    outer = writer.scope
    writer.scope = outer.child(in_loop=True)
    writer.scope.fixed.append(Object(counter, Scalar(INT, 0, max(most - 1, 0)), writable=False))
    some(writer, 1, 2)
    if writer.one_in(3):
        word = writer.pick(("break", "continue")) if may_skip else "break"
        writer.used(word)
        writer.page.write(f"if {writer.condition().text} {word};")
        some(writer, 1, 1)
    writer.scope = outer


def for_loop(writer: Writer) -> None:
    writer.used("for")
    limit, most = _rounds(writer)
    counter = writer.local("i")
    head = writer.pick(
        (
            f"for (int {counter} = 0; {counter} < {limit}; {counter}++)",
            f"for (int {counter} = {limit} - 1; {counter} >= 0; --{counter})",
        )
    )
    with writer.page.block(head):
        _loop_body(writer, counter, most)


def while_loop(writer: Writer) -> None:
    """The counter is written by the loop alone."""
    writer.used("while")
    limit, most = _rounds(writer)
    counter = writer.local("k")
    writer.page.write(f"int {counter} = {limit};")
    with writer.page.block(writer.pick((f"while ({counter} > 0)", f"while ({counter})"))):
        writer.page.write(f"{counter}--;")
        _loop_body(writer, counter, most)


def do_loop(writer: Writer) -> None:
    writer.used("do")
    limit, most = _rounds(writer)
    counter = writer.local("k")
    writer.page.write(f"int {counter} = 0;")
    with writer.page.block("do", f"}} while (++{counter} < {limit});"):
        _loop_body(writer, counter, max(most, 1))


def nested_loops(writer: Writer) -> None:
    writer.used("nested loops", "for")
    outer, inner = writer.local("i"), writer.local("j")
    scope = writer.scope
    with writer.page.block(f"for (int {outer} = 0; {outer} < 2; {outer}++)"):
        writer.scope = scope.child(in_loop=True)
        writer.scope.fixed.append(Object(outer, Scalar(INT, 0, 1), writable=False))
        with writer.page.block(f"for (int {inner} = {outer}; {inner} < 2; {inner}++)"):
            _loop_body(writer, inner, 2)
        writer.scope = scope


def switch(writer: Writer) -> None:
    """Some cases fall through, a range now and then."""
    writer.used("switch")
    scope = writer.scope
    labels = writer.chance.sample(range(-1, 8), writer.number(2, 3))
    with writer.page.block(f"switch ({writer.expression(1).text})"):
        for position, label in enumerate(labels):
            if position == 0 and label < 6 and writer.one_in(6) and not {label + 1, label + 2} & set(labels):
                writer.used("case range")
                writer.page.write(f"case {label} ... {label + 2}:")
            else:
                writer.page.write(f"case {label}:")
            writer.scope = scope.child(in_loop=False)
            _case(writer)
        if writer.one_in(2):
            writer.used("default")
            writer.page.write("default:")
            _case(writer)
        writer.scope = scope


def _case(writer: Writer) -> None:
    """Without declarations that others could jump over."""
    place = writer.place(writable=True)
    if place:
        writer.page.write(f"  {place.text} = {writer.value_for(place.scalar)};")
    if writer.one_in(2):
        writer.page.write("  break;")
    else:
        writer.used("fallthrough")
        writer.page.write("  ;")


def goto_forward(writer: Writer) -> None:
    writer.used("goto")
    label = writer.local("out")
    place = writer.target()
    writer.page.write(f"if {writer.condition().text} goto {label};")
    writer.page.write(f"{place.text} = {writer.value_for(place.scalar)};")
    writer.page.write(f"{label}:;")


def goto_backward(writer: Writer) -> None:
    writer.used("goto")
    label, counter = writer.local("again"), writer.local("k")
    place = writer.target()
    writer.page.write(f"int {counter} = 0;")
    writer.page.write(f"{label}:")
    writer.page.write(f"{place.text} = {writer.value_for(place.scalar)};")
    writer.page.write(f"if (++{counter} < {writer.number(2, 3)}) goto {label};")


def shadowing(writer: Writer) -> None:
    """A block with a variable of the name of another one."""
    outer = writer.scope
    named = [each for each in outer.objects if each.text.isidentifier() and isinstance(each.shape, Scalar)]
    if not named:
        return assign(writer)
    writer.used("shadowing")
    hidden = writer.pick(named)
    scalar = writer.scalar()
    kept = writer.target()
    with writer.page.block(""):
        writer.page.write(f"{scalar.type.name} {hidden.text} = {writer.number(0, min(scalar.high, 9))};")
        writer.scope = outer.child()
        writer.scope.objects = [Object(hidden.text, scalar)]
        writer.scope.pointers = []
        some(writer, 1, 2)
        if hidden.text not in kept.text:
            value = Expression(hidden.text, scalar.type.promoted, scalar.low, scalar.high)
            writer.page.write(f"{kept.text} = {writer.fitted(value, kept.scalar).text};")
        writer.scope = outer
    return None


STATEMENTS: tuple[tuple[int, Statement], ...] = (
    (3, branch),
    (3, for_loop),
    (2, while_loop),
    (1, do_loop),
    (1, nested_loops),
    (2, switch),
    (1, goto_forward),
    (1, goto_backward),
    (2, shadowing),
)
