"""Random programs with floating-point numbers, whose results are told by comparisons alone."""

from __future__ import annotations

import random

_NUMBERS = ("0.0", "-0.0", "1.0", "0.1", "0.5", "3.0", "1e-3", "16777216.0", "1e38", "1e-40", "1e300", "7.25", "100.0")
_COMPARISONS = ("<", "<=", ">", ">=", "==", "!=")
_TYPES = ("float", "double")
_STEPS = ("x / 2.0S", "x * 0.5S + y * 0.25S", "(x + y) / 2.0S", "x + 0.1S", "x * y", "x - y", "-x", "x / y")


class Drawing:
    """Expressions of C over variables `a`, `b` (float), `c`, `d` (double) and `i` (int)."""

    def __init__(self, chance: random.Random) -> None:
        self._chance = chance

    def number(self, type: str, depth: int) -> str:
        chance = self._chance
        if depth == 0 or chance.random() < 0.2:
            if chance.random() < 0.4:
                literal = chance.choice(_NUMBERS)
                return f"({literal}{'f' if type == 'float' and '300' not in literal else ''})"
            return chance.choice(("a", "b") if type == "float" else ("c", "d", "a"))
        match chance.randrange(8):
            case 0:
                return f"(-{self.number(type, depth - 1)})"
            case 1:
                return f"(({type}){self.number(chance.choice(_TYPES), depth - 1)})"
            case 2:
                return (
                    f"({self.condition(depth - 1)} ? {self.number(type, depth - 1)} : {self.number(type, depth - 1)})"
                )
            case 3:
                return f"({self.number(type, depth - 1)} * i)"
            case _:
                return f"({self.number(type, depth - 1)} {chance.choice('+-*/')} {self.number(type, depth - 1)})"

    def condition(self, depth: int) -> str:
        chance = self._chance
        if depth > 0 and chance.random() < 0.25:
            return f"!({self.condition(depth - 1)})"
        if depth > 0 and chance.random() < 0.25:
            return f"({self.condition(depth - 1)} {chance.choice(('&&', '||'))} {self.condition(depth - 1)})"
        left, right = (self.number(chance.choice(_TYPES), max(depth - 1, 0)) for _ in range(2))
        return f"({left} {chance.choice(_COMPARISONS)} {right})"


def closed_program(seed: int, conditions: int = 40) -> str:
    """Without inputs: it returns a digest of what its conditions are."""
    drawing = Drawing(random.Random(seed))
    chance = random.Random(seed + 1)
    lines = [
        "int main(void) {",
        "  unsigned sum = 1; int i = 3; float a = 0.1f, b = -2.5f; double c = 1.0 / 3, d = -0.0;",
    ]
    for _ in range(conditions):
        lines.append(f"  sum = sum * 3u + {drawing.condition(3)};")
        name, type = chance.choice((("a", "float"), ("b", "float"), ("c", "double"), ("d", "double")))
        lines.append(f"  {name} = {drawing.number(type, 2)};")
        lines.append(f"  i = {name} > -1e6 && {name} < 1e6 ? (int){name} : i + 1;")
    return "\n".join([*lines, "  return (int)(sum % 251u);", "}", ""])


def open_program(seed: int) -> str:
    """With inputs and a loop: an assertion that may hold or not."""
    chance = random.Random(seed)
    type = chance.choice(_TYPES)
    suffix = "f" if type == "float" else ""
    low, high = sorted(chance.sample([-100, -10, -1, 0, 1, 2, 10, 100], 2))
    step = chance.choice(
        (
            "x / 2.0S",
            "x * 0.5S + y * 0.25S",
            "(x + y) / 2.0S",
            "x + 0.1S",
            "x * y",
            "x - y",
            "-x",
            "y",
            "x * 0.9S",
            "x / y",
        )
    ).replace("S", suffix)
    bound = chance.choice((low, high, 2 * high, high + 1, 0))
    test = chance.choice(("x <= B", "x >= B", "x == x", "!(x > B)", "x < B || x >= B", "x - x == 0")).replace(
        "B", f"{float(bound)}{suffix}"
    )
    rounds = chance.choice(("__VERIFIER_nondet_int()", "i++ < 3", "i++ < n"))
    inside = chance.choice(("x >= L && x <= H", "x >= L", "1")).replace("L", f"{float(low)}{suffix}")
    inside = inside.replace("H", f"{float(high)}{suffix}")
    return f"""extern {type} __VERIFIER_nondet_{type}(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);
int main(void) {{
  int i = 0, n = __VERIFIER_nondet_int();
  {type} x = __VERIFIER_nondet_{type}(), y = __VERIFIER_nondet_{type}();
  if (n > 50 || !({inside}) || !({inside.replace("x", "y")})) return 0;
  while ({rounds}) {{
    x = {step};
    if (x > 1e30{suffix}) break;
  }}
  if (!({test})) reach_error();
  return 0;
}}
"""
