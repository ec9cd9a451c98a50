"""A Java program that makes the objects of a counterexample and calls the method with them, run by run."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from sorrel.frontends.java.classes import Classes, Method
from sorrel.frontends.java.context import OPEN
from sorrel.frontends.java.reader import question
from sorrel.frontends.java.realisation import Texts
from sorrel.frontends.java.strings import CONTENT, STRING_CLASS, units
from sorrel.frontends.java.types import OBJECT, STRING, ArrayOf, JavaType, Primitive, Reference, unboxed
from sorrel.model.source import Source
from sorrel.program.run import Functions, Run
from sorrel.program.statement import Choice
from sorrel.program.value import Value

CLASS = "SorrelReplay"
MOST_ELEMENTS, LONGEST_LITERAL = 1000, 2000
_PACKAGE = re.compile(r"^\s*package\s+([\w.]+)\s*;", re.MULTILINE)
_TEXT = """\
{package}/** Calls {method} as the counterexample does. */
public class {name} {{
  static Object[] o = new Object[{count}];

  static Object made(Class<?> type) throws Exception {{
    Class<?> unsafe = Class.forName("sun.misc.Unsafe");
    java.lang.reflect.Field field = unsafe.getDeclaredField("theUnsafe");
    field.setAccessible(true);
    return unsafe.getMethod("allocateInstance", Class.class).invoke(field.get(null), type);
  }}

  static void set(Class<?> type, Object object, String name, Object value) throws Exception {{
    java.lang.reflect.Field field = type.getDeclaredField(name);
    field.setAccessible(true);
    field.set(object, value);
  }}

  static void call(String run, Object receiver, Object... arguments) throws Exception {{
    java.lang.reflect.Method method = {owner}.class.getDeclaredMethod("{member}"{types});
    method.setAccessible(true);
    try {{
      Object result = method.invoke(receiver, arguments);
      System.out.println("sorrel: " + run + " " + (result instanceof Character ? (int) (Character) result : result));
    }} catch (java.lang.reflect.InvocationTargetException problem) {{
      System.out.println("sorrel: " + run + " " + problem.getCause());
    }}
  }}

  public static void main(String[] unused) throws Exception {{
{body}
  }}
}}
"""


class NotBuilt(Exception):
    """The objects of a run cannot be made, and why."""


def harness(sources: Sequence[Source], function: str, runs: Mapping[str, Run], texts: Texts) -> tuple[str, str]:
    """The name and the text of a program that makes these runs of the method, which are told by their names."""
    classes, method = question(sources, function)
    functions = {application: value for each in runs.values() for application, value in each.functions.items()}
    package = next((found[1] for each in sources if (found := _PACKAGE.search(each.read()))), "")
    builder = _Builder(classes, functions, texts)
    calls = [_call(builder, method, name, _inputs(each)) for name, each in runs.items()]
    statics = list(builder.statics())
    builder.demand_all()
    text = _TEXT.format(
        package=f"package {package};\n\n" if package else "",
        method=f"{method.owner}.{method.name}",
        name=CLASS,
        count=builder.count,
        owner=builder.nested(method.owner),
        member=method.name,
        types="".join(f", {builder.erased(type)}.class" for type in method.types),
        body="\n".join(f"    {line}" for line in (*builder.lines, *statics, *calls)),
    )
    return f"{package}.{CLASS}" if package else CLASS, text


def _inputs(run: Run) -> Mapping[str, Value]:
    return {used.source: used.value for used in run.used if used.choice is Choice.INPUT}


def _call(builder: _Builder, method: Method, run: str, inputs: Mapping[str, Value]) -> str:
    receiver = "null"
    if not method.static:
        receiver = builder.value(inputs.get("this", builder.shared_receiver()), Reference(method.owner))
    arguments = [builder.value(inputs[each.name], each.type) for each in method.parameters]
    return f'call("{run}", {", ".join([receiver, *(f"(Object) ({each})" for each in arguments)])});'


class _Builder:
    """Makes objects by their numbers, each once."""

    def __init__(self, classes: Classes, functions: Functions, texts: Texts) -> None:
        self._classes = classes
        self._functions = functions
        self._texts = texts
        self._made: dict[tuple[int, str], str] = {}
        self._types: dict[tuple[int, str], JavaType] = {}
        self._literals = {value: name for (name, _, _), value in functions.items() if name.startswith('"')}
        self._used: set[tuple[str, tuple[Value, ...]]] = set()
        self.lines: list[str] = []
        self.count = 0
        if any(name.startswith(("instanceof", OPEN)) for name, _, _ in functions):
            raise NotBuilt("what class an object is of is not known")

    def shared_receiver(self) -> Value:
        """An object of its own, if nothing else is said about it."""
        numbers = [value for value in self._functions.values() if isinstance(value, int)]
        return self._given("this", ()) or max([*map(abs, numbers), MOST_ELEMENTS]) + 1

    def nested(self, name: str) -> str:
        """The class as it is named from outside."""
        known = self._classes.all[name]
        return f"{self.nested(known.outer)}.{name}" if known.outer else name

    def erased(self, type: JavaType) -> str:
        match type:
            case Primitive():
                return str(type)
            case ArrayOf(element):
                return f"{self.erased(element)}[]"
            case Reference(name) if name in self._classes.all:
                return self.nested(name)
            case Reference(name) if name in self._classes.names.variables:
                raise NotBuilt(f"what stands for {name} is not known")
            case _:
                return type.name

    def demand_all(self) -> None:
        """What is not a field cannot be set, and a machine would return something else."""
        known = (f"{STRING_CLASS}.", '"', "this")
        for name, arguments, _ in self._functions:
            if (name, arguments) not in self._used and not name.startswith(known) and not name.endswith(".valueOf"):
                raise NotBuilt(f"what {name} returns cannot be set")

    def _given(self, function: str, arguments: tuple[Value, ...]) -> Value | None:
        wanted = (function, arguments)
        self._used.add(wanted)
        return next((v for (name, given, _), v in self._functions.items() if (name, given) == wanted), None)

    def value(self, value: Value, type: JavaType) -> str:
        """An expression for the value."""
        if isinstance(type, Primitive):
            return _literal(value, type)
        if not isinstance(value, int):
            raise NotBuilt(f"there is no object {value}")
        if value == 0:
            return "null"
        known = self._classes.get(type)
        if known is not None and known.is_enum:
            return f"{self.nested(known.name)}.values()[{value - 1}]"
        key = (value, str(type))
        if key not in self._made:
            if any(number == value and self._may_be(type, other) for (number, _), other in self._types.items()):
                raise NotBuilt("an object is seen as one of two types")
            self._types[key] = type
            place = f"o[{self.count}]"
            self.count += 1
            self._made[key] = f"(({self.erased(type)}) {place})"
            self._make(place, value, type)
        return self._made[key]

    def _may_be(self, type: JavaType, other: JavaType) -> bool:
        """Whether an object may be of both types; numbers of objects of others have nothing to do with each other."""
        return (
            self._classes.is_instance(type, other) is not False or self._classes.is_instance(other, type) is not False
        )

    def _make(self, place: str, number: int, type: JavaType) -> None:
        held = unboxed(type)
        if type == STRING:
            self.lines.append(f"{place} = {self._string(number)};")
        elif isinstance(held, Primitive):
            value = self._given(f"java.lang.{type}.value", (number,))
            self.lines.append(f"{place} = new {type}({_literal(value or 0, held)});")
        elif isinstance(type, ArrayOf):
            self._array(place, number, type)
        elif (known := self._classes.get(type)) is not None:
            self._object(place, number, known.name)
        elif type == OBJECT:
            self.lines.append(f"{place} = new Object();")
        else:
            raise NotBuilt(f"objects of {type} cannot be made")

    def _string(self, number: int) -> str:
        if number in self._literals:
            return _quoted(self._literals[number][1:-1])
        content = self._given(CONTENT, (number,))
        text = self._texts.get(content, "") if isinstance(content, int) else ""
        if len(text) <= LONGEST_LITERAL:
            return f"new String({_quoted(text)})"
        if len(set(text)) != 1:
            raise NotBuilt(f"a string has {len(text)} characters")
        return f"{_quoted(text[0])}.repeat({len(text)})"

    def _array(self, place: str, number: int, type: ArrayOf) -> None:
        length = self._given("[].length", (number,)) or 0
        if not isinstance(length, int) or length > MOST_ELEMENTS:
            raise NotBuilt(f"an array has {length} elements")
        elements = [self._given(str(type), (number, index)) for index in range(length)]
        missing = False if type.element == Primitive.BOOLEAN else 0
        texts = [self.value(missing if each is None else each, type.element) for each in elements]
        self.lines.append(f"{place} = new {self.erased(type)} {{ {', '.join(texts)} }};")

    def _object(self, place: str, number: int, name: str) -> None:
        known = self._classes.all[name]
        if known.is_interface or known.is_record or any(m.body is None for ms in known.methods.values() for m in ms):
            raise NotBuilt(f"objects of {name} cannot be made")
        self.lines.append(f"{place} = made({self.nested(name)}.class);")
        for each in self._classes.lineage(name):
            for field in each.fields.values():
                if field.static:
                    continue
                value = self._given(f"{each.name}.{field.name}", (number,))
                if value is not None:
                    expression = self.value(value, field.type)
                    self.lines.append(f'set({self.nested(each.name)}.class, {place}, "{field.name}", {expression});')

    def statics(self) -> Iterator[str]:
        """Static fields that have any value."""
        for each in self._classes.all.values():
            for field in each.fields.values():
                value = self._given(f"{each.name}.{field.name}", ()) if field.static else None
                if value is not None:
                    expression = self.value(value, field.type)
                    yield f'set({self.nested(each.name)}.class, null, "{field.name}", {expression});'


def _literal(value: Value, type: Primitive) -> str:
    if type is Primitive.BOOLEAN:
        return "true" if value else "false"
    if type in (Primitive.FLOAT, Primitive.DOUBLE):
        number = float(Fraction(value)) if isinstance(value, int | Fraction) else 0.0
        return f"{number!r}{'f' if type is Primitive.FLOAT else 'd'}"
    if type is Primitive.LONG:
        return f"{value}L"
    return str(value) if type is Primitive.INT else f"(({type}) {value})"


def _quoted(text: str) -> str:
    return '"' + "".join(_escaped(each) for each in text) + '"'


def _escaped(unit: str) -> str:
    if unit.isascii() and unit.isprintable() and unit not in '"\\':
        return unit
    return f"\\{ord(unit):03o}" if ord(unit) < 0x100 else "".join(f"\\u{each:04x}" for each in units(unit))
