"""Random Java methods: numbers of all types, strings, boxes, enumerations, arrays, objects, all kinds of statements."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field

NUMBERS = ("int", "long", "short", "byte", "char")
SHARED = """
enum Color { RED, GREEN, BLUE }
class P { int n; long l; char c; boolean f; String s; Integer i; Color k; int[] m; }
"""
"""What all methods see."""
FIELDS = {
    "n": "int",
    "l": "long",
    "c": "char",
    "f": "boolean",
    "s": "String",
    "i": "Integer",
    "k": "Color",
    "m": "int[]",
}
_NARROWER = {"int": ("int", "short", "byte", "char"), "long": NUMBERS, "short": ("short", "byte"), "byte": ("byte",)}
_LITERALS = {
    "int": ("0", "1", "-1", "2", "7", "31", "-13", "100", "0x7fffffff", "Integer.MIN_VALUE", "65536", "0b101", "017"),
    "long": ("0L", "1L", "-1L", "5L", "Long.MAX_VALUE", "Long.MIN_VALUE", "0x80000000L", "4294967296L"),
    "short": ("(short) 0", "(short) 1", "Short.MIN_VALUE", "(short) 300"),
    "byte": ("(byte) 0", "(byte) 1", "Byte.MIN_VALUE", "(byte) 77"),
    "char": ("'a'", "'Z'", "'0'", "'\\n'", "'\\u00e9'", "Character.MAX_VALUE", "(char) 0"),
    "boolean": ("true", "false"),
    "String": ('""', '"a"', '"ab"', '"B"', '"a b"', '"\\u00e9"'),
}
_INT_METHODS = (
    "Math.abs({int})",
    "Math.min({int}, {int})",
    "Math.max({int}, {int})",
    "Math.floorMod({int}, {int})",
    "Math.floorMod({long}, {int})",
    "Math.floorDiv({int}, {int})",
    "Math.addExact({int}, {int})",
    "Math.multiplyExact({int}, {int})",
    "Math.negateExact({int})",
    "Math.toIntExact({long})",
    "Integer.compare({int}, {int})",
    "Integer.signum({int})",
    "Integer.bitCount({int})",
    "Integer.compareUnsigned({int}, {int})",
    "Integer.divideUnsigned({int}, {int})",
    "Integer.remainderUnsigned({int}, {int})",
    "Integer.numberOfLeadingZeros({int})",
    "Integer.numberOfTrailingZeros({int})",
    "Integer.highestOneBit({int})",
    "Integer.lowestOneBit({int})",
    "Integer.rotateLeft({int}, {int})",
    "Integer.rotateRight({int}, {int})",
    "Integer.hashCode({int})",
    "Integer.sum({int}, {int})",
    "Integer.max({int}, {int})",
    "Long.compare({long}, {long})",
    "Long.signum({long})",
    "Long.bitCount({long})",
    "Long.hashCode({long})",
    "Long.numberOfLeadingZeros({long})",
    "Long.compareUnsigned({long}, {long})",
    "Short.compare({short}, {short})",
    "Byte.compare({byte}, {byte})",
    "Byte.toUnsignedInt({byte})",
    "Short.toUnsignedInt({short})",
    "Character.compare({char}, {char})",
    "Character.getNumericValue({char})",
    "Boolean.compare({boolean}, {boolean})",
    "Boolean.hashCode({boolean})",
    "{String}.length()",
    "{String}.compareTo({String})",
    "{String}.compareToIgnoreCase({String})",
    "{String}.hashCode()",
    "{String}.indexOf({String})",
    "{String}.indexOf({char})",
    "{String}.indexOf({String}, {int})",
    "{String}.lastIndexOf({char})",
    "{String}.trim().length()",
    "{String}.toLowerCase().compareTo({String})",
    "{String}.substring({small}).length()",
    "{String}.concat({String}).length()",
    "{Integer}.compareTo({Integer})",
    "{Integer}.hashCode()",
    "{Integer}.intValue()",
    "{Color}.ordinal()",
    "{Color}.compareTo({Color})",
    "{int[]}.length",
    "{int[]}[{small}]",
    "{String}.charAt({small})",
)
_METHODS = {
    "int": _INT_METHODS,
    "long": (
        "Math.abs({long})",
        "Math.floorMod({long}, {long})",
        "Math.floorDiv({long}, {int})",
        "Math.max({long}, {int})",
        "Math.subtractExact({long}, {long})",
        "Integer.toUnsignedLong({int})",
        "Long.highestOneBit({long})",
        "Long.rotateLeft({long}, {int})",
        "Long.remainderUnsigned({long}, {long})",
        "Long.min({long}, {long})",
    ),
    "char": ("Character.toLowerCase({char})", "Character.toUpperCase({char})", "{String}.charAt({small})"),
    "boolean": (
        "Character.isDigit({char})",
        "Character.isLetter({char})",
        "Character.isUpperCase({char})",
        "Character.isWhitespace({char})",
        "Character.isLetterOrDigit({char})",
        "{String}.equals({String})",
        "{String}.equalsIgnoreCase({String})",
        "{String}.isEmpty()",
        "{String}.startsWith({String})",
        "{String}.endsWith({String})",
        "{String}.contains({String})",
        "{Integer}.equals({Integer})",
        "{Color}.equals({Color})",
        "Boolean.logicalXor({boolean}, {boolean})",
        "java.util.Objects.equals({Integer}, {Integer})",
        "java.util.Objects.equals({String}, {String})",
        "({String} == null)",
        "({Color} == {Color})",
    ),
    "short": (),
    "byte": (),
}


@dataclass(slots=True)
class Writer:
    """Writes one method; `constructs` is what it used."""

    choose: random.Random
    variables: dict[str, str]
    constructs: set[str] = field(default_factory=set)
    fixed: set[str] = field(default_factory=set)
    """Variables that are not assigned: parameters of laws, and counters of loops."""
    count: int = 0
    labels: list[str] = field(default_factory=list)

    def _fresh(self, hint: str) -> str:
        self.count += 1
        return f"{hint}{self.count}"

    def _pick(self, items: Sequence[str]) -> str:
        return self.choose.choice(items)

    def _of_type(self, *types: str) -> list[str]:
        found = [name for name, type in self.variables.items() if type in types]
        for name, type in self.variables.items():
            if type == "P":
                found += [f"{name}.{part}" for part, own in FIELDS.items() if own in types]
        return found

    # Expressions

    def expression(self, type: str, depth: int) -> str:
        if type == "small":
            return f"({self.expression('int', depth - 1)} & 3)" if self.choose.random() < 0.5 else self._pick("012")
        if type not in _METHODS:
            return self._object(type)
        if depth <= 0 or self.choose.random() < 0.15:
            return self._leaf(type)
        return self._boolean(depth) if type == "boolean" else self._number(type, depth)

    def _object(self, type: str) -> str:
        found = self._of_type(type)
        if type == "String" and (not found or self.choose.random() < 0.2):
            self.constructs.add("string literal")
            return self._pick(_LITERALS["String"])
        if type == "Color" and (not found or self.choose.random() < 0.3):
            self.constructs.add("enum constant")
            return f"Color.{self._pick(('RED', 'GREEN', 'BLUE'))}"
        if not found and type == "Integer":
            return "Integer.valueOf(5)"
        return self._pick(found) if found else "null"

    def _leaf(self, type: str) -> str:
        found = self._of_type(*_NARROWER.get(type, (type,)))
        if found and self.choose.random() < 0.75:
            return self._pick(found)
        return self._pick(_LITERALS[type])

    def _filled(self, template: str, depth: int) -> str | None:
        parts = []
        for at, piece in enumerate(template.replace("}", "{").split("{")):
            if at % 2 == 0:
                parts.append(piece)
                continue
            if piece in ("Integer", "int[]") and not self._of_type(piece):
                return None
            if piece == "String" and not self._of_type("String"):
                return None
            parts.append(self.expression(piece, depth - 1))
        self.constructs.add(template.partition("(")[0].replace("{", "").replace("}", "") or "null test")
        return "".join(parts)

    def _number(self, type: str, depth: int) -> str:
        way = self.choose.randrange(12)
        if way < 3 and _METHODS[type]:
            made = self._filled(self._pick(_METHODS[type]), depth)
            if made is not None:
                return made
        if way == 3:
            self.constructs.add("ternary")
            sides = [self.expression(type, depth - 1) for _ in range(2)]
            return f"({self.expression('boolean', depth - 1)} ? {sides[0]} : {sides[1]})"
        if way == 4:
            self.constructs.add("cast")
            return f"(({type}) ({self.expression(self._pick(NUMBERS), depth - 1)}))"
        targets = [name for name in self._of_type(type) if name not in self.fixed and "." not in name]
        if way == 5 and targets:
            self.constructs.add("increment")
            return self._pick(("{}++", "++{}", "{}--", "--{}")).format(self._pick(targets))
        if way == 6 and targets:
            self.constructs.add("assignment as a value")
            return f"({self._assignment(self._pick(targets), type, depth - 1)})"
        if way == 7:
            self.constructs.add("unary")
            return f"(({type}) {self._pick(('-', '~', '+'))}({self.expression(type, depth - 1)}))"
        return self._arithmetic(type, depth)

    def _arithmetic(self, type: str, depth: int) -> str:
        operator = self._pick(("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>", ">>>", "+", "-"))
        self.constructs.add(f"operator {operator}")
        right = self._pick(("int", "long")) if operator in ("<<", ">>", ">>>") else type
        left = self.expression(type, depth - 1)
        text = f"({left} {operator} {self.expression(right, depth - 1)})"
        return f"(({type}) {text})" if type in ("short", "byte", "char") else text

    def _boolean(self, depth: int) -> str:
        way = self.choose.randrange(8)
        if way < 2:
            made = self._filled(self._pick(_METHODS["boolean"]), depth)
            if made is not None:
                return made
        if way in (2, 3):
            operator = self._pick(("&&", "||", "&", "|", "^"))
            self.constructs.add(f"boolean {operator}")
            sides = [self.expression("boolean", depth - 1) for _ in range(2)]
            return f"({sides[0]} {operator} {sides[1]})"
        if way == 4:
            return f"!({self.expression('boolean', depth - 1)})"
        self.constructs.add("comparison")
        types = [self._pick(NUMBERS) for _ in range(2)]
        sides = [self.expression(type, depth - 1) for type in types]
        return f"({sides[0]} {self._pick(('<', '<=', '>', '>=', '==', '!='))} {sides[1]})"

    def _assignment(self, name: str, type: str, depth: int) -> str:
        if type == "boolean":
            operator = self._pick(("=", "&=", "|=", "^="))
            return f"{name} {operator} {self.expression('boolean', depth)}"
        operator = self._pick(("=", "+=", "-=", "*=", "/=", "%=", "<<=", ">>=", ">>>=", "&=", "|=", "^="))
        self.constructs.add("assignment" if operator == "=" else "compound assignment")
        other = type if operator == "=" else self._pick(NUMBERS)
        return f"{name} {operator} {self.expression(other, depth)}"

    # Statements

    def body(self, result: str, statements: int, depth: int) -> str:
        lines = [self._statement(result, depth) for _ in range(statements)]
        return " ".join([*lines, f"return {self.expression(result, depth)};"])

    def _statement(self, result: str, depth: int) -> str:
        ways = (self._declared, self._assigned, self._if, self._for, self._while, self._switch, self._returns)
        weights = (4, 4, 4, 2, 1, 1, 2)
        way = self.choose.choices(ways, weights)[0]
        return way(result, depth)

    def _declared(self, result: str, depth: int) -> str:
        type, name = self._pick((*NUMBERS, "boolean", "int")), self._fresh("v")
        text = f"{type} {name} = {self.expression(type, depth)};"
        self.variables[name] = type
        return text

    def _assigned(self, result: str, depth: int) -> str:
        targets = [n for n, t in self.variables.items() if n not in self.fixed and t in (*NUMBERS, "boolean")]
        if not targets:
            return self._declared(result, depth)
        name = self._pick(targets)
        return f"{self._assignment(name, self.variables[name], depth)};"

    def _block(self, result: str, depth: int) -> str:
        before = dict(self.variables)
        text = " ".join(self._statement(result, depth - 1) for _ in range(self.choose.randint(1, 2)))
        self.variables = before
        return f"{{ {text} }}"

    def _if(self, result: str, depth: int) -> str:
        if depth <= 0:
            return self._assigned(result, depth)
        self.constructs.add("if")
        text = f"if ({self.expression('boolean', depth)}) {self._block(result, depth)}"
        return f"{text} else {self._block(result, depth)}" if self.choose.random() < 0.5 else text

    def _for(self, result: str, depth: int) -> str:
        if depth <= 0:
            return self._assigned(result, depth)
        self.constructs.add("for")
        before, name, label = dict(self.variables), self._fresh("i"), self._fresh("loop")
        self.variables[name] = "int"
        self.fixed.add(name)
        self.labels.append(label)
        block = self._block(result, depth)
        if self.choose.random() < 0.4:
            jump = self._pick(("break", "continue", f"break {self._pick(self.labels)}", f"continue {label}"))
            self.constructs.add(f"labelled {jump.split()[0]}" if " " in jump else jump)
            block = f"{{ if ({self.expression('boolean', 1)}) {jump}; {block} }}"
        self.labels.pop()
        self.variables = before
        return f"{label}: for (int {name} = 0; {name} < {self.choose.randint(1, 4)}; {name}++) {block}"

    def _while(self, result: str, depth: int) -> str:
        if depth <= 0:
            return self._assigned(result, depth)
        name = self._fresh("w")
        self.fixed.add(name)
        test = f"{name}-- > 0 && {self.expression('boolean', depth - 1)}"
        start = f"int {name} = {self.choose.randint(1, 4)};"
        block = self._block(result, depth)
        if self.choose.random() < 0.5:
            self.constructs.add("while")
            return f"{start} while ({test}) {block}"
        self.constructs.add("do")
        return f"{start} do {block} while ({test});"

    def _switch(self, result: str, depth: int) -> str:
        if depth <= 0:
            return self._assigned(result, depth)
        self.constructs.add("switch")
        strings = self._of_type("String")
        on_string = bool(strings) and self.choose.random() < 0.4
        value = self._pick(strings) if on_string else f"({self.expression('int', depth - 1)}) & 7"
        labels = _LITERALS["String"] if on_string else [str(each) for each in range(8)]
        cases = []
        for label in self.choose.sample(list(labels), 3):
            last = " break;" if self.choose.random() < 0.6 else ""
            cases.append(f"case {label}: {self._block(result, depth - 1)}{last}")
        cases.insert(self.choose.randint(0, 3), f"default: {self._block(result, depth - 1)}")
        if on_string:
            self.constructs.add("switch on strings")
        return f"switch ({value}) {{ {' '.join(cases)} }}"

    def _returns(self, result: str, depth: int) -> str:
        self.constructs.add("early return")
        return f"if ({self.expression('boolean', depth)}) return {self.expression(result, depth)};"


@dataclass(frozen=True, slots=True)
class Written:
    """A static method in a class of its own."""

    name: str
    text: str
    parameters: tuple[str, ...]
    result: str
    constructs: frozenset[str]


def method(choose: random.Random, name: str, parameters: Sequence[str], result: str, size: int, depth: int) -> Written:
    """A class with the method `f`."""
    names = {f"p{at}": type for at, type in enumerate(parameters)}
    writer = Writer(choose, dict(names))
    body = writer.body(result, size, depth)
    given = ", ".join(f"{type} {name}" for name, type in names.items())
    text = f"class {name} {{ static {result} f({given}) {{ {body} }} }}"
    return Written(name, text, tuple(parameters), result, frozenset(writer.constructs))
