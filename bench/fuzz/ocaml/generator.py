"""Well-typed OCaml programs at random: functions, closures, lists, data, references, exceptions.

`main` takes a few small numbers, so that a compiled program can be run with all of them. Every function ends: recursion
counts down a small number or a list.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field

INT, BOOL, LIST, PAIR, OPTION, SHAPE = "int", "bool", "int list", "int * int", "int option", "shape"
FUNCTION = "int -> int"
TYPES = (INT, BOOL, LIST, PAIR, OPTION, SHAPE)
SMALLEST, LARGEST = -2, 2
"""The values of main's arguments."""
DECLARATIONS = """type shape = Dot | Square of int | Box of int * int
type cell = { size : int; mutable mark : int }
exception Odd of int
exception Stop"""


@dataclass(frozen=True, slots=True)
class Generated:
    """A program without its last line, the name of its result's type being int; `arguments` are main's."""

    text: str
    arguments: tuple[str, ...]
    constructs: frozenset[str]


@dataclass(slots=True)
class _Writer:
    chance: random.Random
    constructs: Counter[str] = field(default_factory=Counter)
    functions: list[tuple[str, tuple[str, ...], str]] = field(default_factory=list)
    count: int = 0

    def name(self, stem: str) -> str:
        self.count += 1
        return f"{stem}{self.count}"

    def note(self, construct: str) -> None:
        self.constructs[construct] += 1

    # Expressions of a type, with variables in scope

    def expression(self, type: str, scope: dict[str, str], depth: int) -> str:
        if depth <= 0:
            return self.leaf(type, scope)
        general: list[Callable[[str, dict[str, str], int], str]] = [
            self.conditional,
            self.let,
            self.matching,
            self.call,
            self.handled,
            self.sequence,
            self.closure,
            self.tuple_let,
        ]
        if self.chance.random() < 0.45:
            return self.chance.choice(general)(type, scope, depth)
        if self.chance.random() < 0.2:
            return self.leaf(type, scope)
        return self.chance.choice(_MAKERS[type])(self, scope, depth)

    def leaf(self, type: str, scope: dict[str, str]) -> str:
        known = [name for name, each in scope.items() if each == type]
        if known and self.chance.random() < 0.8:
            return self.chance.choice(known)
        number = self.chance.randint(-3, 4)
        match type:
            case "int":
                return str(number) if number >= 0 else f"({number})"
            case "bool":
                return self.chance.choice(("true", "false"))
            case "int list":
                self.note("list literal")
                items = [str(self.chance.randint(0, 4)) for _ in range(self.chance.randint(0, 3))]
                return f"[{'; '.join(items)}]"
            case "int * int":
                return f"({self.leaf(INT, scope)}, {self.leaf(INT, scope)})"
            case "int option":
                return self.chance.choice(("None", f"(Some {self.leaf(INT, scope)})"))
            case "shape":
                self.note("variant")
                cases = (
                    "Dot",
                    f"(Square {self.leaf(INT, scope)})",
                    f"(Box ({self.leaf(INT, scope)}, {self.leaf(INT, scope)}))",
                )
                return self.chance.choice(cases)
            case _:
                x = self.name("x")
                return f"(fun {x} -> {x} + {self.chance.randint(0, 3)})"

    def conditional(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("if")
        parts = (self.expression(BOOL, scope, depth - 1), *(self.expression(type, scope, depth - 1) for _ in range(2)))
        return f"(if {parts[0]} then {parts[1]} else {parts[2]})"

    def let(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("let")
        own, x = self.chance.choice(TYPES), self.name("v")
        value = self.expression(own, scope, depth - 1)
        return f"(let {x} = {value} in {self.expression(type, {**scope, x: own}, depth - 1)})"

    def tuple_let(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("tuple pattern")
        a, b = self.name("a"), self.name("b")
        inner = self.expression(type, {**scope, a: INT, b: INT}, depth - 1)
        return f"(let ({a}, {b}) = {self.expression(PAIR, scope, depth - 1)} in {inner})"

    def matching(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("match")
        kind = self.chance.choice((LIST, OPTION, SHAPE, INT, PAIR))
        subject = self.expression(kind, scope, depth - 1)

        def body(**bound: str) -> str:
            return self.expression(type, {**scope, **bound}, depth - 1)

        x, y = self.name("h"), self.name("t")
        match kind:
            case "int list":
                if self.chance.random() < 0.3:
                    self.note("nested pattern")
                    return (
                        f"(match {subject} with {x} :: {y} :: _ -> {body(**{x: INT, y: INT})} | [] | [_] -> {body()})"
                    )
                return f"(match {subject} with [] -> {body()} | {x} :: {y} -> {body(**{x: INT, y: LIST})})"
            case "int option":
                return f"(match {subject} with None -> {body()} | Some {x} -> {body(**{x: INT})})"
            case "shape":
                if self.chance.random() < 0.4:
                    self.note("guard")
                    guard = f"Square {x} when {x} > {self.chance.randint(-1, 2)}"
                    return f"(match {subject} with {guard} -> {body(**{x: INT})} | _ -> {body()})"
                return (
                    f"(match {subject} with Dot -> {body()} | Square {x} -> {body(**{x: INT})} "
                    f"| Box ({x}, {y}) -> {body(**{x: INT, y: INT})})"
                )
            case "int":
                self.note("literal pattern")
                return f"(match {subject} with 0 | 1 -> {body()} | {x} -> {body(**{x: INT})})"
            case _ if self.chance.random() < 0.4:
                self.note("items with effects")
                r, steps = self.name("r"), [self.chance.choice(("* 2", "+ 1", "- 3")) for _ in range(2)]
                items = ", ".join(f"({r} := !{r} {step}; !{r})" for step in steps)
                start = self.expression(INT, scope, depth - 1)
                cases = f"(0, {x}) -> {body(**{x: INT})} | ({y}, {x}) -> {body(**{x: INT, y: INT})}"
                return f"(let {r} = ref {start} in match {items} with {cases})"
            case _:
                self.note("alias pattern")
                return f"(match {subject} with (0, _) as {y} -> {body(**{y: PAIR})} | (_, {x}) -> {body(**{x: INT})})"

    def call(self, type: str, scope: dict[str, str], depth: int) -> str:
        fitting = [each for each in self.functions if each[2] == type]
        if not fitting:
            return self.conditional(type, scope, depth)
        self.note("call")
        name, parameters, _ = self.chance.choice(fitting)
        arguments = [self.argument(each, scope, depth - 1) for each in parameters]
        return f"({name} {' '.join(arguments)})"

    def argument(self, type: str, scope: dict[str, str], depth: int) -> str:
        if type == "count":
            return f"({self.expression(INT, scope, min(depth, 1))} mod 4)"
        if type == FUNCTION:
            return self.function(scope, depth)
        return self.expression(type, scope, depth)

    def function(self, scope: dict[str, str], depth: int) -> str:
        """A function from int to int."""
        fitting = [name for name, parameters, result in self.functions if parameters == (INT, INT) and result == INT]
        if fitting and self.chance.random() < 0.3:
            self.note("partial application")
            return f"({self.chance.choice(fitting)} {self.expression(INT, scope, depth - 1)})"
        self.note("lambda")
        x = self.name("x")
        return f"(fun {x} -> {self.expression(INT, {**scope, x: INT}, depth - 1)})"

    def handled(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("try")
        x = self.name("e")
        risky = self.expression(type, scope, depth - 1)
        raised = self.chance.choice(("Stop", f"(Odd {self.leaf(INT, scope)})", ""))
        if raised:
            risky = f"(if {self.expression(BOOL, scope, depth - 1)} then raise {raised} else {risky})"
        own = self.expression(type, {**scope, x: INT}, depth - 1)
        cases = f"Odd {x} -> {own} | Stop -> {self.expression(type, scope, depth - 1)}"
        if self.chance.random() < 0.5:
            cases += f" | _ -> {self.leaf(type, scope)}"
        return f"(try {risky} with {cases})"

    def sequence(self, type: str, scope: dict[str, str], depth: int) -> str:
        """A reference that something changes before it is read."""
        r, i = self.name("r"), self.name("i")
        start, end = self.expression(INT, scope, depth - 1), self.name("v")
        inner = {**scope, i: INT}
        step = self.expression(INT, inner, depth - 2)
        match self.chance.randrange(4):
            case 0:
                self.note("for")
                change = f"for {i} = 0 to {self.chance.randint(0, 3)} do {r} := !{r} + {step} done"
            case 1:
                self.note("while")
                change = f"while !{r} > 0 && !{r} < 9 do {r} := !{r} + {self.chance.choice((1, 2, -1))} done"
            case 2:
                self.note("List.iter")
                change = f"List.iter (fun {i} -> {r} := !{r} + {step}) {self.expression(LIST, scope, depth - 2)}"
            case _:
                self.note("reference")
                condition, value = self.expression(BOOL, scope, depth - 1), self.expression(INT, scope, depth - 1)
                change = f"(if {condition} then {r} := {value})"
        rest = self.expression(type, {**scope, end: INT}, depth - 1)
        return f"(let {r} = ref ({start}) in {change}; let {end} = !{r} in {rest})"

    def closure(self, type: str, scope: dict[str, str], depth: int) -> str:
        self.note("local function")
        f, v = self.name("f"), self.name("v")
        made = self.function(scope, depth)
        uses = f"{f} ({f} {self.leaf(INT, scope)})" if self.chance.random() < 0.4 else f"{f} {self.leaf(INT, scope)}"
        return f"(let {f} = {made} in let {v} = {uses} in {self.expression(type, {**scope, v: INT}, depth - 1)})"

    # Of single types

    def arithmetic(self, scope: dict[str, str], depth: int) -> str:
        self.note("arithmetic")
        left, right = self.expression(INT, scope, depth - 1), self.expression(INT, scope, depth - 1)
        return f"({left} {self.chance.choice(('+', '-', '+'))} {right})"

    def scaled(self, scope: dict[str, str], depth: int) -> str:
        self.note("multiplication")
        return f"({self.chance.choice(('2', '3', '(-1)'))} * {self.expression(INT, scope, depth - 1)})"

    def divided(self, scope: dict[str, str], depth: int) -> str:
        self.note("division")
        by = self.chance.choice(("2", "3", "(-2)", self.leaf(INT, scope)))
        return f"({self.expression(INT, scope, depth - 1)} {self.chance.choice(('/', 'mod'))} {by})"

    def length(self, scope: dict[str, str], depth: int) -> str:
        self.note("List.length")
        return f"(List.length {self.expression(LIST, scope, depth - 1)})"

    def fold(self, scope: dict[str, str], depth: int) -> str:
        self.note("List.fold_left")
        a, x = self.name("a"), self.name("x")
        body = self.expression(INT, {**scope, a: INT, x: INT}, 1)
        start, items = self.leaf(INT, scope), self.expression(LIST, scope, depth - 1)
        return f"(List.fold_left (fun {a} {x} -> {body}) {start} {items})"

    def array(self, scope: dict[str, str], depth: int) -> str:
        self.note("array")
        a = self.name("a")
        index, value = self.expression(INT, scope, depth - 1), self.expression(INT, scope, depth - 1)
        made = f"Array.make {self.chance.randint(1, 3)} {self.leaf(INT, scope)}"
        change = f"(try {a}.({index}) <- {value} with Invalid_argument _ -> ())"
        return f"(let {a} = {made} in {change}; {a}.(0) + Array.length {a})"

    def record(self, scope: dict[str, str], depth: int) -> str:
        self.note("record")
        p = self.name("p")
        fields = f"{{ size = {self.expression(INT, scope, depth - 1)}; mark = {self.leaf(INT, scope)} }}"
        more = self.expression(INT, scope, depth - 1)
        return f"(let {p} = {fields} in {p}.mark <- {p}.mark + {more}; {p}.size + {p}.mark)"

    def comparison(self, scope: dict[str, str], depth: int) -> str:
        self.note("comparison")
        sign = self.chance.choice(("<", "<=", "=", "<>", ">", ">="))
        return f"({self.expression(INT, scope, depth - 1)} {sign} {self.expression(INT, scope, depth - 1)})"

    def equality(self, scope: dict[str, str], depth: int) -> str:
        self.note("structural equality")
        type = self.chance.choice((LIST, PAIR, OPTION, SHAPE))
        return f"({self.expression(type, scope, depth - 1)} = {self.expression(type, scope, depth - 1)})"

    def logic(self, scope: dict[str, str], depth: int) -> str:
        self.note("&& ||")
        left, right = self.expression(BOOL, scope, depth - 1), self.expression(BOOL, scope, depth - 1)
        return f"({left} {self.chance.choice(('&&', '||'))} {right})"

    def text(self, scope: dict[str, str], depth: int) -> str:
        self.note("string")
        words = [self.chance.choice(('"a"', '"bc"', '""')) for _ in range(3)]
        return f"(String.length ({words[0]} ^ {words[1]}) > 1 || {words[1]} = {words[2]})"

    def cons(self, scope: dict[str, str], depth: int) -> str:
        self.note("::")
        return f"({self.expression(INT, scope, depth - 1)} :: {self.expression(LIST, scope, depth - 1)})"

    def mapped(self, scope: dict[str, str], depth: int) -> str:
        word = self.chance.choice(("List.map", "List.filter", "List.rev", "@"))
        self.note(word)
        items = self.expression(LIST, scope, depth - 1)
        if word == "@":
            return f"({items} @ {self.expression(LIST, scope, depth - 1)})"
        if word == "List.rev":
            return f"(List.rev {items})"
        x = self.name("x")
        body = self.expression(INT if word == "List.map" else BOOL, {**scope, x: INT}, 1)
        return f"({word} (fun {x} -> {body}) {items})"

    def pair(self, scope: dict[str, str], depth: int) -> str:
        self.note("tuple")
        return f"({self.expression(INT, scope, depth - 1)}, {self.expression(INT, scope, depth - 1)})"

    def some(self, scope: dict[str, str], depth: int) -> str:
        self.note("option")
        return f"(Some {self.expression(INT, scope, depth - 1)})"

    def shape(self, scope: dict[str, str], depth: int) -> str:
        self.note("variant")
        return f"(Box {self.pair(scope, depth)})"

    # Definitions

    def definition(self) -> str:
        result = self.chance.choice((INT, INT, BOOL, LIST, PAIR, SHAPE))
        maker = self.chance.choice(
            (self.plain, self.counting, self.over_list, self.higher, self.mutual, self.polymorphic)
        )
        return maker(result)

    def plain(self, result: str) -> str:
        self.note("function")
        types = tuple(self.chance.choice(TYPES) for _ in range(self.chance.randint(1, 2)))
        names = [self.name("p") for _ in types]
        body = self.expression(result, dict(zip(names, types, strict=True)), 3)
        f = self.name("f")
        self.functions.append((f, types, result))
        return f"let {f} {' '.join(f'({n} : {t})' for n, t in zip(names, types, strict=True))} : {result} = {body}"

    def counting(self, result: str) -> str:
        """Recursion that counts down."""
        self.note("recursion")
        f, n, x = self.name("f"), self.name("n"), self.name("x")
        scope = {n: INT, x: INT}
        base = self.expression(result, scope, 2)
        again = self.name("v")
        step = self.expression(result, {**scope, again: result}, 2)
        following = self.expression(INT, scope, 1)
        self.functions.append((f, ("count", INT), result))
        return (
            f"let rec {f} ({n} : int) ({x} : int) : {result} = "
            f"if {n} <= 0 then {base} else let {again} = {f} ({n} - 1) ({following}) in {step}"
        )

    def over_list(self, result: str) -> str:
        self.note("recursion over a list")
        f, given, h, t = self.name("f"), self.name("l"), self.name("h"), self.name("t")
        again = self.name("v")
        base = self.expression(result, {}, 1)
        step = self.expression(result, {h: INT, t: LIST, again: result}, 2)
        self.functions.append((f, (LIST,), result))
        return (
            f"let rec {f} ({given} : int list) : {result} = match {given} with [] -> {base} "
            f"| {h} :: {t} -> let {again} = {f} {t} in {step}"
        )

    def higher(self, result: str) -> str:
        self.note("higher order")
        f, g, x = self.name("f"), self.name("g"), self.name("x")
        scope = {x: INT}
        v = self.name("v")
        if self.chance.random() < 0.5:
            n = self.name("n")
            self.functions.append((f, (FUNCTION, "count", INT), INT))
            head = f"let rec {f} ({g} : int -> int) ({n} : int) ({x} : int) : int"
            return f"{head} = if {n} <= 0 then {x} else {f} {g} ({n} - 1) ({g} {x})"
        body = self.expression(result, {**scope, v: INT}, 2)
        self.functions.append((f, (FUNCTION, INT), result))
        return f"let {f} ({g} : int -> int) ({x} : int) : {result} = let {v} = {g} ({g} {x}) in {body}"

    def mutual(self, result: str) -> str:
        self.note("mutual recursion")
        f, g, n = self.name("f"), self.name("g"), self.name("n")
        first, second = (self.expression(result, {n: INT}, 1) for _ in range(2))
        self.functions.append((f, ("count",), result))
        return (
            f"let rec {f} ({n} : int) : {result} = if {n} <= 0 then {first} else {g} ({n} - 1)\n"
            f"and {g} ({n} : int) : {result} = if {n} <= 0 then {second} else {f} ({n} - 1)"
        )

    def polymorphic(self, result: str) -> str:
        self.note("polymorphism")
        f = self.name("f")
        self.functions.append((f, (result, result, BOOL), result))
        return f"let {f} x y b = if b then fst (x, 1) else snd (true, y)"


_MAKERS: dict[str, tuple[Callable[[_Writer, dict[str, str], int], str], ...]] = {
    INT: (
        _Writer.arithmetic,
        _Writer.arithmetic,
        _Writer.scaled,
        _Writer.divided,
        _Writer.length,
        _Writer.fold,
        _Writer.array,
        _Writer.record,
    ),
    BOOL: (_Writer.comparison, _Writer.comparison, _Writer.logic, _Writer.equality, _Writer.text),
    LIST: (_Writer.cons, _Writer.cons, _Writer.mapped),
    PAIR: (_Writer.pair,),
    OPTION: (_Writer.some,),
    SHAPE: (_Writer.shape,),
}


def generate(seed: int) -> Generated:
    """A program up to `body`, the function that `main` calls."""
    chance = random.Random(seed)
    writer = _Writer(chance)
    lines = [writer.definition() for _ in range(chance.randint(1, 3))]
    arguments = tuple("ab"[: chance.randint(1, 2)])
    scope = dict.fromkeys(arguments, INT)
    body = writer.expression(INT, scope, 3)
    written = " ".join(f"({name} : int)" for name in arguments)
    text = "\n".join([DECLARATIONS, *lines, f"let body {written} : int = {body}"])
    return Generated(text, arguments, frozenset(writer.constructs))
