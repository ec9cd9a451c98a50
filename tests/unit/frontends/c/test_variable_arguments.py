"""Functions with variable arguments, called with what they ask for and with something else."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, left_open, program_of, require_compiler
from sorrel.frontends.c import DataModel
from sorrel.frontends.c.errors import Unsupported

_SUM = (
    "#include <stdarg.h>\n"
    "int sum(int n, ...) { va_list ap; int s = 0; va_start(ap, n); while (n-- > 0) s += va_arg(ap, int); "
    "va_end(ap); return s; } "
)
_MIXED = """
#include <stdarg.h>
#include <string.h>
struct pair { int a, b; };
int mixed(const char *kinds, ...) {
  va_list ap; int total = 0; va_start(ap, kinds);
  for (int i = 0; kinds[i]; i++) switch (kinds[i]) {
    case 'i': total += va_arg(ap, int); break;
    case 'l': total += (int)va_arg(ap, long long); break;
    case 's': total += (int)strlen(va_arg(ap, const char *)); break;
    case 'p': *va_arg(ap, int *) = total; break;
    case 'S': { struct pair q = va_arg(ap, struct pair); total += q.a * q.b; break; }
    case 'u': total += va_arg(ap, unsigned); break;
  }
  va_end(ap);
  return total;
}
"""
_PROGRAMS = {
    "any number of them": _SUM + "int main(void) { return sum(3, 1, 2, 3) + 10 * sum(0) + 20 * sum(1, 4); }",
    "small types arrive promoted": _SUM
    + "int main(void) { char c = 'x'; short s = -5; return sum(3, c, s, (_Bool)7); }",
    "arguments that are left over": _SUM + "int main(void) { return sum(1, 4, 5, 6); }",
    "several types": _MIXED
    + 'int main(void) { int seen = 0; struct pair q = {3, 4}; int t = mixed("islpSu", 1, "abc", 10LL, &seen, q, 7u); '
    "return t + 10 * seen; }",
    "a list that is handed on": "#include <stdarg.h>\n"
    "int inner(int n, va_list ap) { int s = 0; while (n-- > 0) s = s * 3 + va_arg(ap, int); return s; } "
    "int outer(int n, ...) { va_list ap; va_start(ap, n); int s = inner(n, ap); va_end(ap); return s; } "
    "int main(void) { return outer(2, 4, 5) + outer(3, 1, 0, 2); }",
    "a list that is copied": "#include <stdarg.h>\n"
    "int twice(int n, ...) { va_list a, b; va_start(a, n); int x = va_arg(a, int); va_copy(b, a); "
    "int y = va_arg(a, int), z = va_arg(b, int); va_end(b); va_end(a); return x * 100 + y * 10 + z; } "
    "int main(void) { return twice(2, 1, 2); }",
    "static variables are those of all calls": "#include <stdarg.h>\n"
    "int count(int n, ...) { static int calls; return ++calls; } "
    "int main(void) { count(1); count(1, 2); return count(1, 2L); }",
    "a function that calls itself": "#include <stdarg.h>\n"
    "int down(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); va_end(ap); "
    "return n == 0 ? x : down(n - 1, x + n); } int main(void) { return down(5, 1); }",
    "structures with arrays": "#include <stdarg.h>\ntypedef struct { int n, v[2]; } S; "
    "int f(int n, ...) { va_list ap; va_start(ap, n); int r = 0; while (n-- > 0) { S s = va_arg(ap, S); "
    "r += s.v[1] * s.n; } va_end(ap); return r; } "
    "int main(void) { S s = {2, {3, 4}}; return f(2, s, (S){1, {1, 5}}); }",
    "functions": "#include <stdarg.h>\nint up(int x) { return x + 1; } int down(int x) { return x - 1; } "
    "int call(int n, ...) { va_list ap; va_start(ap, n); int (*f)(int) = va_arg(ap, int (*)(int)); va_end(ap); "
    "return f(n); } int main(void) { return call(3, up) * 10 + call(3, down); }",
    "a list that is started again": "#include <stdarg.h>\nint again(int n, ...) { va_list ap; va_start(ap, n); "
    "int a = va_arg(ap, int); va_end(ap); va_start(ap, n); int b = va_arg(ap, int); va_end(ap); return a * 10 + b; } "
    "int main(void) { return again(1, 7); }",
    "only sometimes": "#include <stdarg.h>\nint some(int n, ...) { va_list ap; va_start(ap, n); "
    "int r = n && va_arg(ap, int) ? va_arg(ap, int) : -1; va_end(ap); return r; } "
    "int main(void) { return some(1, 1, 42) + some(1, 0) + some(0); }",
    "through a macro": "#include <stdarg.h>\n#define NEXT(list) va_arg(list, int)\n"
    "#define ADD(...) add(0, __VA_ARGS__, -1)\n"
    "int add(int s, ...) { va_list ap; va_start(ap, s); for (int x = NEXT(ap); x >= 0; x = NEXT(ap)) s += x; "
    "va_end(ap); return s; } int main(void) { return ADD(1, 2, 3) + 10 * ADD(4); }",
}


@pytest.mark.parametrize("name", _PROGRAMS)
def test_variable_arguments_are_what_the_compiled_function_gets(name: str) -> None:
    require_compiler()
    expected = executed(_PROGRAMS[name])
    assert expected.text.startswith("returned")
    for model in DataModel:
        assert interpreted(program_of(_PROGRAMS[name], model)) == expected


@pytest.mark.parametrize(
    "call",
    ["sum(3, 1, 2)", "sum(1)", "sum(1, 2LL)", 'sum(1, "text")'],
    ids=["too few", "none", "too wide", "a pointer"],
)
def test_asking_for_what_was_not_passed_is_an_access_outside(call: str) -> None:
    assert interpreted(program_of(f"{_SUM} int main(void) {{ return {call}; }}")).text == "undefined"


def test_a_function_that_is_verified_on_its_own_gets_any_numbers() -> None:
    program = program_of(_SUM, function="sum")
    assert any("an argument of type int is passed here" in str(premise) for premise in program.assumptions)
    assert left_open(program_of(_MIXED, function="mixed")) == {"a variable argument", "what comes from outside"}


@pytest.mark.parametrize(
    "text",
    [
        "void f(va_list *p) { (void)va_arg(*p, int); } "
        "void g(int n, ...) { va_list a; va_start(a, n); f(&a); va_end(a); } ",
        "va_list kept; void g(int n, ...) { va_start(kept, n); va_end(kept); } ",
        "struct s { va_list a; }; void g(int n, ...) { struct s s; va_start(s.a, n); va_end(s.a); } ",
    ],
    ids=["its address", "a global", "a member"],
)
def test_lists_that_live_elsewhere_are_refused(text: str) -> None:
    with pytest.raises(Unsupported, match="a va_list that is not a variable"):
        program_of(f"#include <stdarg.h>\n{text} int main(void) {{ g(1, 2); return 0; }}")
