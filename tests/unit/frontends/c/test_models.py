"""Models of library functions do what the compiled program's library does, on thousands of calls."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from c_execution import program_of, require_compiler
from sorrel.frontends.c import CSettings, DataModel
from sorrel.frontends.c.library.catalogue import PREFIX, entries
from sorrel.frontends.c.parsing.parser import Parser
from sorrel.model.assumption import AssumptionKind
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process import pipeline
from sorrel.program.interpreter import run
from sorrel.program.program import LIBRARY
from sorrel.program.run import Finished
from sorrel.program.statement import Choice, Stream
from sorrel.program.value import zero

_PRELUDE = r"""
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <inttypes.h>
#include <wchar.h>
#include <math.h>
extern int ffsl(long), ffsll(long long);
static const char strings[16][8] = {"", "a", "ab", "abc", "abd", "b", "\377", "\200a", "ab\377", "  12", "-7x",
  "+00", "aXa", "zabcz", "\t-99", "9999999"};
static const wchar_t wide[4][4] = {L"", L"a", L"ab", L"b\u00e9"};
static const double fractions[16] = {0.0, 0.5, 1.5, 2.5, 0.1, 2.75, 1e30, 1e-320, 1.0, 3.0, 1e9, 123456.789,
  4503599627370495.5, 8388607.5, 1.0 / 0.0, 0.0 / 0.0};
static unsigned state = 1, sum;
static unsigned next(unsigned limit) { state = state * 1103515245u + 12345u; return state / 65536u % limit; }
static void add(unsigned value) { sum = sum * 31u + value; }
static void number(double x) {
  if (x != x || x > 1e9 || x < -1e9) add(x > 0 ? 7 : x < 0 ? 8 : 9);
  else { add((int)x); add((int)((x - (int)x) * 1e6)); if (x == 0) add(1 / x > 0); } }
static int ordered(const void *a, const void *b) {
  int x = *(const int *)a, y = *(const int *)b; return x < y ? -1 : x > y; }
static void add_all(const char *t, int n) { for (int i = 0; i < n; i++) add((unsigned char)t[i]); }
"""
_BODIES = {name: entry for name, entry in entries().items() if entry.has_body}
_CASES = {
    name: entry.trial for name, entry in _BODIES.items() if entry.trial and not entry.trial.startswith("nothing,")
}


def driver(rounds: int) -> str:
    parts = [_PRELUDE]
    for name, case in _CASES.items():
        parts.append(
            f"static void test_{name}(void) {{ sum = 0;\n for (int k = 0; k < {rounds}; k++) {{\n"
            f"  const char *a = strings[next(16)], *b = strings[next(16)]; char *p; char t[40] = {{0}};\n"
            f"  size_t n = next(9); int c = next(257); unsigned long long xll = next(65536);\n"
            f"  xll = next(3) ? xll << next(48) : xll * 65536u; unsigned long xl = xll; unsigned x = xll;\n"
            f"  double d = fractions[next(16)] * (next(2) ? -1 : 1), e = fractions[next(16)] * (next(2) ? -1 : 1);\n"
            f"  float f = d, g = e;\n"
            f'  {case}\n }}\n printf("{name} %u\\n", sum); }}'
        )
    calls = "".join(f"test_{name}(); " for name in _CASES)
    return "\n".join([*parts, f"int main(void) {{ {calls} return 0; }}"])


@pytest.mark.parametrize("calls", [3, pytest.param(10_000, marks=pytest.mark.long)])
def test_models_agree_with_the_library_of_the_compiled_program(calls: int, tmp_path: Path) -> None:
    _compare(driver(calls), tmp_path)


def _compare(text: str, tmp_path: Path) -> None:
    """What the compiled program prints is what the interpreter says, and depends on nothing that is left open."""
    source, binary = tmp_path / "driver.c", tmp_path / "driver"
    source.write_text(text)
    subprocess.run(
        [require_compiler(), "-w", "-fno-builtin", str(source), "-o", str(binary), "-lm"], check=True, timeout=60
    )
    there = subprocess.run([str(binary)], capture_output=True, timeout=20, check=True)
    outcome = run(program_of(text), zero, steps=2_000_000_000)
    assert isinstance(outcome.end, Finished)
    assert not [used for used in outcome.used if used.choice is Choice.ABSTRACTION and used.source.isidentifier()]
    here = bytes(outcome.written[Stream.OUTPUT].text)
    assert here.splitlines() == there.stdout.splitlines()


_FORMATS = (
    "%d",
    "%i|%5d|%-5d|%05d",
    "%u %x %X %o",
    "%hhd %hd %hhu",
    "%ld %lu %lld %llx",
    "%zu",
    "<%6x|%-6o|%06X>",
    "%c%3c%%",
)
_STRING_FORMATS = ("%s", "a%5sb", "%-4s|", "%.2s", "%6.1s")


def test_formats_print_what_the_library_prints(tmp_path: Path) -> None:
    lines = []
    numbers = ("0", "-7", "65", "-2147483647 - 1")
    for format in _FORMATS:
        count = len(re.findall("%[^%]", format.replace("%%", "")))
        for number in numbers:
            wide = [f"(long long)({number})" if "l" in format or "z" in format else number] * count
            lines += [f't = sprintf(b, "{format}", {", ".join(wide)}); printf("%d ", t); puts(b);']
            lines += [f't = snprintf(b, 5, "{format}", {", ".join(wide)}); printf("%d ", t); puts(b);']
    for format in _STRING_FORMATS:
        for text in ("", "x", "xyz", "abcdefgh"):
            lines += [f'strcpy(s, "{text}"); t = sprintf(b, "{format}", s); printf("%d ", t); puts(b);']
            lines += [f't = snprintf(b, 4, "{format}", s); printf("%d ", t); puts(b);']
    functions = [
        f"static void f{i}(void) {{ char b[160], s[16]; int t; {line} }}" for i, line in enumerate(_pairs(lines))
    ]
    calls = "".join(f"f{i}();" for i in range(len(functions)))
    program = "\n".join(
        ["#include <stdio.h>", "#include <string.h>", *functions, f"int main(void) {{ {calls} return 0; }}"]
    )
    _compare(program, tmp_path)


def _pairs(lines: list[str]) -> list[str]:
    return [f"{one} {other}" for one, other in zip(lines[::2], lines[1::2], strict=True)]


def test_what_is_not_compared_reads_from_outside_or_writes_or_is_left_open() -> None:
    left = [_BODIES[name] for name in set(_BODIES) - set(_CASES)]
    assert left
    assert all(entry.writes or any(word in (entry.trial or "") for word in ("input", "open")) for entry in left)


@pytest.mark.parametrize("model", list(DataModel))
def test_each_file_defines_what_it_has_entries_for(model: DataModel) -> None:
    with Parser(CSettings(model)) as parser:
        for name in _BODIES:
            _, function, body = parser.model(name)
            assert function.name == f"{PREFIX}{name}"
            assert body.statements


def answer(text: str, goal: Property = Property.ASSERTIONS, *, replay: bool = False) -> Answer:
    headers = "".join(f"#include <{name}.h>\n" for name in ("assert", "ctype", "stdlib", "string"))
    task = Task((Source(text=headers + text),), goal)
    return pipeline.verify(task, Options(budget=Budget(60.0), replay=replay)).answer


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ('char b[8] = "abc"; assert(strlen(b) == 3);', Answer.SAFE),
        ('char b[8] = "abc"; assert(strlen(b) == 4);', Answer.UNSAFE),
        ("assert(toupper('a') == 'A' && isalpha('x') && !isalpha('1'));", Answer.SAFE),
        ("assert(isupper('a'));", Answer.UNSAFE),
        ('assert(strcmp("b", "a") > 0); assert(!strcmp("b", "b"));', Answer.SAFE),
        ('assert(strcmp("b", "a") < 0);', Answer.UNSAFE),
        pytest.param('int order = strcmp("b", "a"); assert(order > 0);', Answer.SAFE, marks=pytest.mark.long),
        ('assert(strcmp("b", "a") == 1);', Answer.UNKNOWN),
        ("assert(isdigit('1') == 1);", Answer.UNKNOWN),
        ("assert(isdigit('1') != 0); assert(0 == isdigit('x'));", Answer.SAFE),
        pytest.param(
            "unsigned x = 5; assert(__builtin_popcount(x) == 2 && __builtin_clz(x) == 29);",
            Answer.SAFE,
            marks=pytest.mark.long,
        ),
        ("assert(__builtin_ctzll(1ULL << 40) == 41);", Answer.UNSAFE),
        ("int r; assert(__builtin_add_overflow(2147483647, 1, &r) && r < 0);", Answer.SAFE),
        ("unsigned char r; assert(!__builtin_mul_overflow(16, 16L, &r));", Answer.UNSAFE),
        ("unsigned r; assert(__builtin_usub_overflow(1, 2, &r) && r == 4294967295u);", Answer.SAFE),
        ("assert(__builtin_constant_p(3));", Answer.UNKNOWN),
        ('char a[4]; assert(strcpy(a, "xy") == a);', Answer.SAFE),
        ('char a[] = "xyz"; *strchr(a, 121) = 0; assert(strlen(a) == 1);', Answer.SAFE),
        ("int (*f)(int) = toupper; assert(f('b') == 'B');", Answer.SAFE),
    ],
)
def test_answers_are_about_what_the_library_does(statements: str, expected: Answer) -> None:
    assert answer(f"int main(void) {{ {statements} }}") is expected


@pytest.mark.parametrize(
    ("statements", "expected"),
    [
        ("char *p = 0; return strlen(p);", Answer.UNSAFE),
        ('char b[3]; strcpy(b, "abc");', Answer.UNSAFE),
        ('char b[4]; strcpy(b, "abc");', Answer.SAFE),
        ("char b[2] = {1, 2}; return strlen(b);", Answer.UNSAFE),
        ('char b[6] = "abc"; strcat(b, "de");', Answer.SAFE),
        ('char b[6] = "abc"; strcat(b, "def");', Answer.UNSAFE),
        ("char b[4]; size_t n = 5; memset(b, 0, n);", Answer.UNSAFE),
        ('char b[8] = "abcd"; strcpy(b + 1, b);', Answer.UNSAFE),
        ('char b[40] = "ab"; strcpy(b + 10, "123456789"); strcat(b + 10, b);', Answer.SAFE),
        ('char b[40] = "ab"; strcpy(b + 10, "123456789"); strncat(b + 10, b, 1);', Answer.SAFE),
        ('char b[40] = "ab"; strncpy(b + 5, b, 10);', Answer.SAFE),
        ('char b[40] = "ab"; stpncpy(b + 3, b, 10);', Answer.SAFE),
        ('char b[40] = "ab"; strncpy(b + 2, b, 10);', Answer.UNSAFE),
        ('char b[40] = "ab"; strncpy(b, b + 5, 10);', Answer.UNSAFE),
        ('char b[40] = "abc"; strcat(b, b + 1);', Answer.UNSAFE),
        ('char b[40] = "abc"; b[8] = 0; strcat(b + 8, b + 6);', Answer.SAFE),
        ('char b[40] = "abcdefghi"; b[5] = 0; strcat(b, b + 6);', Answer.UNSAFE),
        pytest.param('char b[8] = "abcd"; memmove(b + 1, b, strlen(b) + 1);', Answer.SAFE, marks=pytest.mark.long),
        ("return isalpha(1000);", Answer.UNSAFE),
        ("return isalpha(200);", Answer.SAFE),
    ],
)
def test_what_the_library_reads_and_writes_must_be_there(statements: str, expected: Answer) -> None:
    assert answer(f"int main(void) {{ {statements} return 0; }}", Property.VALID_DEREF) is expected


def test_a_mistake_in_a_library_function_is_its_callers() -> None:
    text = '#include <string.h>\nint main(void) {\n  char b[3];\n  strcpy(b, "abc");\n  return 0;\n}'
    task = Task((Source(text=text),), Property.VALID_DEREF)
    outcome = pipeline.verify(task, Options(budget=Budget(60.0)))
    assert outcome.violation is not None
    assert outcome.violation.span.line == 4
    assert "in strcpy" in outcome.violation.message
    assert {event.procedure for event in outcome.run[:-1]} == {"main"}


def test_a_function_that_is_announced_otherwise_is_another_one() -> None:
    program = program_of("int toupper(char *); int main(void) { char c = 0; return toupper(&c); }")
    assert not any(procedure.name.startswith(LIBRARY) for procedure in program.procedures)
    program = program_of('int strlen(); int main(void) { return strlen("abc"); }')
    assert any(procedure.name.startswith(LIBRARY) for procedure in program.procedures)


def test_structures_with_pointers_are_sorted_and_found(tmp_path: Path) -> None:
    """Memory keeps its type: what members point to is known afterwards."""
    text = r"""
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
struct word { const char *text; int length; };
static int by_text(const void *a, const void *b) {
  return ((const struct word *)a)->text[0] - ((const struct word *)b)->text[0]; }
static int by_number(const void *a, const void *b) {
  double x = *(double *)a, y = *(double *)b; return (x > y) - (x < y); }
int main(void) {
  struct word words[5] = {{"pear", 4}, {"fig", 3}, {"apple", 5}, {"date", 4}, {"kiwi", 4}}, wanted = {"kiwi"}, *found;
  double numbers[4] = {2.5, -1, 9, 0};
  qsort(words, 5, sizeof *words, by_text);
  qsort(numbers + 1, 3, sizeof(double), by_number);
  for (int i = 0; i < 5; i++) printf("%s %d\n", words[i].text, words[i].length);
  for (int i = 0; i < 4; i++) printf("%d\n", (int)(numbers[i] * 2));
  found = bsearch(&wanted, words, 5, sizeof(struct word), by_text);
  printf("%d\n", found ? (int)(found - words) : -1);
  wanted.text = "lime";
  printf("%d\n", bsearch(&wanted, words, 5, sizeof(struct word), by_text) != 0);
  return 0;
}
"""
    _compare(text, tmp_path)


def test_which_of_equal_elements_comes_first_is_open() -> None:
    text = """#include <stdlib.h>
#include <assert.h>
struct pair { int key, place; };
static int by_key(const void *a, const void *b) { return ((struct pair *)a)->key - ((struct pair *)b)->key; }
int main(void) { struct pair p[2] = {{1, 0}, {1, 1}}; qsort(p, 2, sizeof *p, by_key); assert(p[0].place == 0); }
"""
    outcome = pipeline.verify(Task((Source(text=text),), data_model="LP64"), Options(budget=Budget(seconds=3.0)))
    assert outcome.answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("does", "is_open"),
    [("n++;", True), ('printf("%d", n);', True), ("int d = x[0] - y[0]; if (d) return d;", False)],
)
def test_how_often_elements_are_compared_is_open_where_that_makes_a_difference(does: str, is_open: bool) -> None:
    text = f"""#include <stdlib.h>
#include <stdio.h>
#include <string.h>
#include <assert.h>
int n;
static int order(const void *a, const void *b) {{ const char *x = a, *y = b; {does} return strncmp(x, y, 1); }}
int main(void) {{ char a[5] = "edcb"; qsort(a, 4, 1, order); assert(n != 6); }}
"""
    outcome = pipeline.verify(Task((Source(text=text),), data_model="LP64"), Options(budget=Budget(seconds=3.0)))
    assert any(each.kind is AssumptionKind.ORDER for each in outcome.assumptions) or not is_open
    assert outcome.answer is not Answer.UNSAFE
    program = program_of(text)
    assert is_open is any(each.kind is AssumptionKind.ORDER for each in program.assumptions)


def test_elements_of_another_size_are_left_to_the_library() -> None:
    text = """#include <stdlib.h>
static int order(const void *a, const void *b) { return *(char *)a - *(char *)b; }
int main(void) { int n[3] = {3, 2, 1}; qsort(n, 6, 2, order); return n[0]; }
"""
    assert "library.qsort" not in {procedure.name for procedure in program_of(text).procedures}
