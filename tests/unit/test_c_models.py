"""Models of library functions do what the compiled program's library does, on thousands of calls."""

from __future__ import annotations

import re
import subprocess
from pathlib import Path

import pytest

from c_execution import program_of, require_compiler
from sorrel.frontends.c.models import MODELLED, text_of
from sorrel.program.interpreter import Finished, run
from sorrel.program.statement import Stream

ROUNDS = 250
_PRELUDE = r"""
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
extern int ffsl(long), ffsll(long long);
static const char strings[16][8] = {"", "a", "ab", "abc", "abd", "b", "\377", "\200a", "ab\377", "  12", "-7x",
  "+00", "aXa", "zabcz", "\t-99", "9999999"};
static unsigned state = 1, sum;
static unsigned next(unsigned limit) { state = state * 1103515245u + 12345u; return state / 65536u % limit; }
static void add(unsigned value) { sum = sum * 31u + value; }
static void add_all(const char *t, int n) { for (int i = 0; i < n; i++) add((unsigned char)t[i]); }
"""
_TEXTS = {
    "strlen": "add(strlen(a));",
    "strnlen": "add(strnlen(a, n));",
    "strcmp": "add(strcmp(a, b) < 0); add(strcmp(a, b) == 0);",
    "strncmp": "add(strncmp(a, b, n) < 0); add(!strncmp(a, b, n));",
    "memcmp": "add(memcmp(a, b, n) < 0); add(memcmp(a, b, n) == 0);",
    "bcmp": "add(bcmp(a, b, n) == 0);",
    "strchr": "p = strchr(a, c); add(p ? p - a : 99);",
    "strrchr": "p = strrchr(a, c); add(p ? p - a : 99);",
    "memchr": "p = memchr(a, c, n); add(p ? p - a : 99);",
    "strspn": "add(strspn(a, b));",
    "strcspn": "add(strcspn(a, b));",
    "strpbrk": "p = strpbrk(a, b); add(p ? p - a : 99);",
    "strstr": "p = strstr(a, b); add(p ? p - a : 99);",
    "strcpy": "strcpy(t, a); add_all(t, 8);",
    "stpcpy": "add(stpcpy(t, a) - t); add_all(t, 8);",
    "strncpy": "strncpy(t, a, n); add_all(t, 10);",
    "strcat": "strcpy(t, a); strcat(t, b); add_all(t, 16);",
    "strncat": "strcpy(t, a); strncat(t, b, n); add_all(t, 16);",
    "memset": "memset(t, c, n); add_all(t, 8);",
    "bzero": "strcpy(t, a); bzero(t, n); add_all(t, 8);",
    "memcpy": "memcpy(t, a, n); add_all(t, 8);",
    "memmove": "strcpy(t, a); memmove(t + c % 3, t + c % 2, n); add_all(t, 12);",
    "atoi": "add(atoi(a));",
    "atol": "add(atol(a));",
    "atoll": "add(atoll(a));",
}
_OF_A_CHARACTER = {name: f"add({name}(c - 1) != 0);" for name in MODELLED["ctype.c"] if name.startswith("is")}
_OF_A_CHARACTER |= {name: f"add({name}(c - 1));" for name in ("tolower", "toupper")}
_OF_A_NUMBER = {
    name: f"add({name}(x));" if "tz" not in name and "lz" not in name else f"if (x) add({name}(x));"
    for name in MODELLED["bits.c"]
}
_CASES = {**_TEXTS, **_OF_A_CHARACTER, **_OF_A_NUMBER}


def driver() -> str:
    parts = [_PRELUDE]
    for name, case in _CASES.items():
        width = "long long" if name.endswith(("ll", "64")) else "long" if name.endswith("l") else "int"
        parts.append(
            f"static void test_{name}(void) {{ sum = 0;\n for (int k = 0; k < {ROUNDS}; k++) {{\n"
            f"  const char *a = strings[next(16)], *b = strings[next(16)]; char *p; char t[40] = {{0}};\n"
            f"  size_t n = next(9); int c = next(257); unsigned {width} x = next(65536);\n"
            f"  x = next(3) ? x << next(8 * sizeof x - 16) : x * 65536u;\n"
            f'  {case}\n }}\n printf("{name} %u\\n", sum); }}'
        )
    calls = "".join(f"test_{name}(); " for name in _CASES)
    return "\n".join([*parts, f"int main(void) {{ {calls} return 0; }}"])


def test_models_agree_with_the_library_of_the_compiled_program(tmp_path: Path) -> None:
    text = driver()
    source, binary = tmp_path / "driver.c", tmp_path / "driver"
    source.write_text(text)
    subprocess.run([require_compiler(), "-w", "-fno-builtin", str(source), "-o", str(binary)], check=True, timeout=60)
    there = subprocess.run([str(binary)], capture_output=True, timeout=20, check=True)
    outcome = run(program_of(text), (), steps=50_000_000)
    assert isinstance(outcome.end, Finished)
    assert not outcome.used
    here = bytes(outcome.written[Stream.OUTPUT].text)
    assert here.decode().splitlines() == there.stdout.decode().splitlines()


def test_every_model_is_compared() -> None:
    assert set(_CASES) == {name for names in MODELLED.values() for name in names}


@pytest.mark.parametrize("file", MODELLED)
def test_each_file_defines_what_it_is_listed_for(file: str) -> None:
    for name in MODELLED[file]:
        short = re.sub("^(is|__builtin_)|l{1,2}$", "", name)
        assert short in text_of(file)
