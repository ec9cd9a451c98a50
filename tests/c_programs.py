"""Generated C programs: all integer types, all operators, control flow, arrays, structures, pointers, recursion.

Every program ends: loops count, recursion decreases. Nothing is read uninitialised, and no full expression changes
what it reads elsewhere, so that each program has one behaviour, which may be to be undefined.
`LONG` and `ULONG` stand for long and unsigned long, so that the judge can be told how wide they are.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from hypothesis import strategies as st

TYPES = (
    "_Bool",
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "LONG",
    "ULONG",
    "long long",
    "unsigned long long",
)
_ARITHMETIC = ("+", "-", "*", "/", "%", "&", "|", "^", "<<", ">>")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_CONSTANTS = (
    *("0", "1", "2", "3", "5", "7", "31", "100", "127", "128", "255", "256", "32767", "65535", "2147483647"),
    *("0x80000000", "4294967295u", "1u", "3L", "5UL", "9LL", "18446744073709551615ULL", "'a'", "'\\n'", "1000000007"),
)

PRELUDE = """#ifndef LONG
#define LONG long
#define ULONG unsigned long
#endif
int __VERIFIER_nondet_int(void);
unsigned __VERIFIER_nondet_uint(void);
void reach_error(void);
void __VERIFIER_assume(int);
enum colour { RED, GREEN = 5, BLUE };
typedef struct { short s; unsigned u; int a[3]; } Record;
"""


@dataclass
class Scope:
    """Names that can be read, and those that can be written."""

    scalars: list[str] = field(default_factory=list)
    arrays: list[tuple[str, int]] = field(default_factory=list)
    records: list[str] = field(default_factory=list)
    pointers: list[str] = field(default_factory=list)
    functions: list[str] = field(default_factory=list)
    fixed: set[str] = field(default_factory=set)  # loop counters: not to be written

    def child(self) -> Scope:
        return Scope(
            list(self.scalars),
            list(self.arrays),
            list(self.records),
            list(self.pointers),
            list(self.functions),
            set(self.fixed),
        )


class Writer:
    """Draws a program, line by line."""

    def __init__(self, draw: Callable[..., object], size: int) -> None:
        self._draw = draw
        self._fuel = size
        self._names = 0
        self._lines: list[str] = []

    def _pick(self, options: tuple[str, ...] | list[str]) -> str:
        return str(self._draw(st.sampled_from(list(options))))

    def _chance(self, one_in: int) -> bool:
        return self._number(1, one_in) == 1

    def _number(self, low: int, high: int) -> int:
        number = self._draw(st.integers(low, high))
        assert isinstance(number, int)
        return number

    def _name(self, stem: str) -> str:
        self._names += 1
        return f"{stem}{self._names}"

    # Expressions without side effects

    def expression(self, scope: Scope, depth: int) -> str:
        if depth <= 0 or self._chance(4):
            return self._atom(scope)
        form = self._number(0, 8)
        one = self.expression(scope, depth - 1)
        if form == 0:
            return f"({self._pick(['-', '~', '!', '+'])} {one})"
        if form == 1:
            return f"(({self._pick(TYPES)}){one})"
        other = self.expression(scope, depth - 1)
        if form == 2:
            return f"({one} {self._pick(_COMPARISONS)} {other})"
        if form == 3:
            return f"({one} {self._pick(['&&', '||'])} {other})"
        if form == 4:
            return f"({one} ? {other} : {self.expression(scope, depth - 1)})"
        if form == 5:
            return f"({one} {self._pick(['/', '%'])} (({other}) | 1))"
        if form == 6:
            return f"({one} {self._pick(['<<', '>>'])} ({other} & 7))"
        return f"({one} {self._pick(_ARITHMETIC)} {other})"

    def _atom(self, scope: Scope) -> str:
        places = self._places(scope)
        if places and not self._chance(3):
            return self._pick(places)
        if self._chance(12):
            return self._pick(["RED", "GREEN", "BLUE", "sizeof(int)", "sizeof(LONG)", "sizeof(Record)"])
        return self._pick(_CONSTANTS)

    def _places(self, scope: Scope) -> list[str]:
        """Readable scalars; indices stay inside."""
        found = list(scope.scalars)
        found += [f"{name}[{self._index(scope, length)}]" for name, length in scope.arrays]
        for record in scope.records:
            found += [f"{record}.s", f"{record}.u", f"{record}.a[{self._index(scope, 3)}]"]
        found += [f"*{name}" for name in scope.pointers]
        return found

    def _index(self, scope: Scope, length: int) -> str:
        if scope.scalars and self._chance(2):
            return f"(unsigned){self._pick(scope.scalars)} % {length}"
        return str(self._number(0, length - 1))

    def _target(self, scope: Scope) -> str:
        return self._pick([place for place in self._places(scope) if place not in scope.fixed])

    # Statements

    def _emit(self, level: int, line: str) -> None:
        self._lines.append("  " * level + line)

    def block(self, scope: Scope, level: int, in_loop: bool) -> None:
        for _ in range(self._number(1, 4)):
            if self._fuel <= 0:
                return
            self._fuel -= 1
            self.statement(scope, level, in_loop)

    def statement(self, scope: Scope, level: int, in_loop: bool) -> None:
        form = self._number(0, 15)
        simple: dict[int, Callable[[Scope, int], None]] = {
            0: self._declare,
            1: self._array,
            2: self._pointer,
            3: self._record,
            4: self._step,
            5: self._compound,
            6: self._call,
            7: self._nested_assignment,
            8: self._for,
            9: self._while,
            10: self._switch,
            11: self._jump_forward,
        }
        if form in simple:
            simple[form](scope, level)
        elif form == 12 and in_loop:
            self._emit(level, f"if ({self.expression(scope, 2)}) {self._pick(['break', 'continue'])};")
        elif form == 13:
            self._if(scope, level, in_loop)
        else:
            self._emit(level, f"{self._target(scope)} = {self.expression(scope, 3)};")

    def _declare(self, scope: Scope, level: int) -> None:
        name = self._name("v")
        value = self.expression(scope, 3)
        self._emit(level, f"{self._pick(TYPES)} {name} = {value};")
        scope.scalars.append(name)

    def _array(self, scope: Scope, level: int) -> None:
        name, length = self._name("a"), self._number(1, 5)
        values = ", ".join(self.expression(scope, 1) for _ in range(self._number(1, length)))
        self._emit(level, f"{self._pick(TYPES)} {name}[{length}] = {{{values}}};")
        scope.arrays.append((name, length))

    def _record(self, scope: Scope, level: int) -> None:
        if scope.records and self._chance(2):
            self._emit(level, f"{self._pick(scope.records)} = {self._pick(scope.records)};")
            return
        name = self._name("r")
        value = f"{{ {self.expression(scope, 1)}, .a = {{ [1] = {self.expression(scope, 1)} }} }}"
        self._emit(level, f"Record {name} = {value};")
        scope.records.append(name)

    def _pointer(self, scope: Scope, level: int) -> None:
        """Always to an int of its own group, so that memory is never reinterpreted."""
        target, other = self._name("t"), self._name("t")
        name = self._name("p")
        self._emit(level, f"int {target} = {self.expression(scope, 1)}, {other}[2] = {{ 1, 2 }};")
        chosen = f"({self.expression(scope, 1)}) ? &{target} : &{other}[{self._number(0, 1)}]"
        self._emit(level, f"int *{name} = {self._pick([f'&{target}', f'{other} + 1', chosen])};")
        scope.scalars.append(target)
        scope.arrays.append((other, 2))
        scope.pointers.append(name)

    def _step(self, scope: Scope, level: int) -> None:
        target = self._target(scope)
        self._emit(level, f"{self._pick(['++', '--'])}({target});" if self._chance(2) else f"({target})++;")

    def _compound(self, scope: Scope, level: int) -> None:
        operator = self._pick(_ARITHMETIC)
        value = self.expression(scope, 2)
        if operator in ("/", "%"):
            value = f"({value}) | 1"
        if operator in ("<<", ">>"):
            value = f"({value}) & 7"
        self._emit(level, f"{self._target(scope)} {operator}= {value};")

    def _call(self, scope: Scope, level: int) -> None:
        if not scope.functions:
            return
        call = f"{self._pick(scope.functions)}({self.expression(scope, 1)}, {self.expression(scope, 1)})"
        target, extra = self._target(scope), self.expression(scope, 1)
        form = self._number(0, 2)
        if form == 0 and scope.scalars:
            self._emit(level, f"{target} = {call};")
        elif form == 1:
            self._emit(level, f"if ({extra} && {call}) {target} = 1;")
        else:
            value = self._name("v")
            self._emit(level, f"int {value} = {extra} ? {call} : 3;")
            scope.scalars.append(value)

    def _nested_assignment(self, scope: Scope, level: int) -> None:
        """Assignments inside of expressions, each to a variable that is read nowhere else in it."""
        one, other = self._name("v"), self._name("v")
        self._emit(level, f"{self._pick(TYPES)} {one} = 0; {self._pick(TYPES)} {other} = 1;")
        value = self.expression(scope, 2)
        form = self._pick(
            [
                f"({one} = {value}) && ({other} += 2);",
                f"{one} = ({other} = {value}, {other} + 1);",
                f"{one} = {value} ? {other}++ : --{other};",
                f"({value}) || (({one} = 3), ({other} = {one} + 1));",
            ]
        )
        self._emit(level, form)
        scope.scalars += [one, other]

    def _if(self, scope: Scope, level: int, in_loop: bool) -> None:
        self._emit(level, f"if ({self.expression(scope, 3)}) {{")
        self.block(scope.child(), level + 1, in_loop)
        if self._chance(2):
            self._emit(level, "} else {")
            self.block(scope.child(), level + 1, in_loop)
        self._emit(level, "}")

    def _for(self, scope: Scope, level: int) -> None:
        counter = self._name("i")
        inner = scope.child()
        inner.scalars.append(counter)
        inner.fixed.add(counter)
        head = f"int {counter} = 0; {counter} < {self._number(1, 4)}; {counter}++"
        self._emit(level, f"for ({head}) {{")
        self.block(inner, level + 1, True)
        self._emit(level, "}")

    def _while(self, scope: Scope, level: int) -> None:
        counter = self._name("w")
        scope.scalars.append(counter)
        scope.fixed.add(counter)
        self._emit(level, f"int {counter} = {self._number(1, 4)};")
        if self._chance(2):
            self._emit(level, f"while ({counter}-- > 0 && ({self.expression(scope, 2)})) {{")
            self.block(scope.child(), level + 1, True)
            self._emit(level, "}")
        else:
            self._emit(level, "do {")
            self.block(scope.child(), level + 1, True)
            self._emit(level, f"}} while (--{counter} > 0);")

    def _switch(self, scope: Scope, level: int) -> None:
        self._emit(level, f"switch (({self.expression(scope, 2)}) & 3) {{")
        labels = ["case 0:", "case 1:", "case GREEN - 3:", "default:"]
        for label in self._draw(st.permutations(labels)):  # type: ignore[attr-defined]
            self._emit(level, f"{label} {{")
            self.block(scope.child(), level + 1, False)
            self._emit(level, "}" + self._pick([" break;", ""]))
        self._emit(level, "}")

    def _jump_forward(self, scope: Scope, level: int) -> None:
        label = self._name("label")
        self._emit(level, f"if ({self.expression(scope, 2)}) goto {label};")
        self.block(scope.child(), level, False)
        self._emit(level, f"{label}: ;")

    # Whole programs

    def program(self) -> str:
        scope = Scope()
        for _ in range(self._number(1, 3)):
            name = self._name("g")
            self._emit(0, f"{self._pick(['static ', ''])}{self._pick(TYPES)} {name} = {self._pick(_CONSTANTS)};")
            scope.scalars.append(name)
        self._emit(0, "static int table[4] = { 1, [2] = -3 };")
        scope.arrays.append(("table", 4))
        for _ in range(self._number(0, 2)):
            self._function(scope)
        self._emit(0, "int main(void) {")
        inner = scope.child()
        self._emit(1, "int n = __VERIFIER_nondet_int(); unsigned m = __VERIFIER_nondet_uint();")
        inner.scalars += ["n", "m"]
        self.block(inner, 1, False)
        self.block(inner, 1, False)
        self._checksum(inner)
        self._emit(0, "}")
        return PRELUDE + "\n".join(self._lines) + "\n"

    def _function(self, scope: Scope) -> None:
        """Recursion that decreases, an out parameter, and a body."""
        name, helper = self._name("f"), self._name("h")
        kinds = [self._pick(TYPES) for _ in range(3)]
        self._emit(0, f"static void {helper}(int *out, {kinds[1]} y) {{ *out = *out + (int)(y & 15); }}")
        self._emit(0, f"static {kinds[0]} {name}({kinds[1]} x, {kinds[2]} y) {{")
        inner = scope.child()
        inner.scalars += ["x", "y"]
        self._emit(1, "static int calls; int result = 0;")
        self._emit(1, "if (++calls > 20) return 1;")
        inner.scalars.append("result")
        self._emit(1, f"{helper}(&result, x);")
        self.block(inner, 1, False)
        if self._chance(2):
            self._emit(1, f"if ((x & 3) != 0) result = {name}(x - 1, {self.expression(inner, 1)});")
        self._emit(1, f"return {self.expression(inner, 2)};")
        self._emit(0, "}")
        scope.functions.append(name)

    def _checksum(self, scope: Scope) -> None:
        self._emit(1, "unsigned sum = 17;")
        for place in self._places(scope):
            self._emit(1, f"sum = sum * 31u + (unsigned)({place});")
        self._emit(1, "if (sum % 5 == 0) reach_error();")
        self._emit(1, "return (int)(sum >> 1);")


@st.composite
def programs(draw: Callable[..., object], size: int = 14) -> str:
    return Writer(draw, size).program()


@st.composite
def expression_programs(draw: Callable[..., object]) -> str:
    """One expression over variables of every type, with values at the edges."""
    writer = Writer(draw, 0)
    scope = Scope()
    lines = []
    for position, type in enumerate(TYPES):
        value = writer._pick(_CONSTANTS)
        sign = writer._pick(["", "-"])
        lines.append(f"  {type} x{position} = {sign}{value};")
        scope.scalars.append(f"x{position}")
    body = []
    for number in range(4):
        body.append(f"  {writer._pick(TYPES)} y{number} = {writer.expression(scope, 4)};")
        body.append(f"  sum = sum * 31 + (unsigned long long)y{number};")
    text = [
        "int main(void) {",
        "  unsigned long long sum = 0;",
        *lines,
        *body,
        "  return (int)((sum ^ sum >> 32) >> 1);",
        "}",
    ]
    return PRELUDE + "\n".join(text) + "\n"
