"""The compiler's functions for atomic access, and <stdatomic.h>: as compiled, and indivisible among threads."""

from __future__ import annotations

from functools import cache

import pytest

from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.program.statement import Call
from sorrel.program.threads import ATOMIC_BEGIN

_HEAD = (
    "#include <stdatomic.h>\n#include <limits.h>\nstatic int g = 5; static unsigned char c = 250; static long l = 7;\n"
)
_BODIES = {
    "load and store": "__atomic_store_n(&g, 8, __ATOMIC_SEQ_CST); return __atomic_load_n(&g, __ATOMIC_ACQUIRE);",
    "load and store by address": "int x = 3, y; __atomic_store(&g, &x, 5); __atomic_load(&g, &y, 5); return y + g;",
    "exchange": "int x = 1, y; __atomic_exchange(&g, &x, &y, 5); return 10 * y + __atomic_exchange_n(&g, 4, 5) + g;",
    "old values": "return __atomic_fetch_add(&g, 3, 5) * 100 + __atomic_fetch_sub(&g, 1, 5) * 10 + g;",
    "new values": "return __atomic_add_fetch(&g, 3, 5) * 100 + __atomic_sub_fetch(&g, 1, 5) * 10 + g;",
    "bits": (
        "return __atomic_fetch_or(&g, 10, 5) + __atomic_and_fetch(&g, 6, 5) * 9 + __atomic_xor_fetch(&g, 3, 5) * 80;"
    ),
    "what is too large wraps around": "g = INT_MAX; __atomic_fetch_add(&g, 2, 5); return g == INT_MIN + 1;",
    "narrow numbers wrap around": "return __atomic_add_fetch(&c, 10, 5) * 3 + c;",
    "an exchange that happens": (
        "int e = 5; _Bool done = __atomic_compare_exchange_n(&g, &e, 9, 0, 5, 5); return 100 * done + 10 * g + e;"
    ),
    "an exchange that does not": (
        "int e = 6; _Bool done = __atomic_compare_exchange_n(&g, &e, 9, 0, 5, 5); return 100 * done + 10 * g + e;"
    ),
    "older names": (
        "return __sync_fetch_and_add(&g, 1) + __sync_add_and_fetch(&l, 4) * 10 + __sync_or_and_fetch(&g, 1, &l);"
    ),
    "older exchanges": (
        "int n = __sync_bool_compare_and_swap(&g, 5, 6); n += 10 * __sync_val_compare_and_swap(&g, 5, 7); return"
        " n + 1000 * g;"
    ),
    "a lock": "int n = __sync_lock_test_and_set(&g, 1); __sync_synchronize(); __sync_lock_release(&g); return n + g;",
    "one inside of another": "return __atomic_fetch_add(&g, __atomic_fetch_add(&l, 2, 5), 5) + g * 10 + (int)l * 100;",
    "the address is evaluated once": (
        "int a[3] = { 1, 2, 3 }, *p = a; __sync_fetch_and_add(p++, 7); return a[0] * 10 + *p;"
    ),
    "of the header": (
        "atomic_int a = 3; atomic_fetch_add(&a, 4); atomic_store(&a, atomic_load(&a) * 2); int e = 14; _Bool"
        " done = atomic_compare_exchange_strong(&a, &e, 20); return done * 1000 + a + atomic_exchange(&a, 1);"
    ),
    "flags of the header": (
        "atomic_flag f = ATOMIC_FLAG_INIT; int n = atomic_flag_test_and_set(&f); n += 2 *"
        " atomic_flag_test_and_set(&f); atomic_flag_clear(&f); return n;"
    ),
}


@cache
def _compiled() -> dict[str, str]:
    bodies = "".join(f"static int f{n}(void) {{ {body} }}\n" for n, body in enumerate(_BODIES.values()))
    calls = "".join(f'g = 5; c = 250; l = 7; printf("%d\\n", f{n}());' for n in range(len(_BODIES)))
    lines = executed(f"#include <stdio.h>\n{_HEAD}{bodies}int main(void) {{ {calls} return 0; }}").text.splitlines()
    return dict(zip(_BODIES, lines[:-1], strict=True))


@pytest.mark.parametrize("name", _BODIES)
def test_atomic_accesses_are_as_compiled(name: str) -> None:
    require_compiler()
    program = program_of(f"{_HEAD}int main(void) {{ {_BODIES[name]} }}")
    assert interpreted(program).text == f"returned {_compiled()[name]}"


def test_atomic_accesses_of_threads_are_sections_of_their_own() -> None:
    program = program_of(
        "#include <pthread.h>\nstatic int g; static void *add(void *p) { __sync_fetch_and_add(&g, 1); return 0; }\n"
        "int main(void) { pthread_t t; pthread_create(&t, 0, add, 0); add(0); pthread_join(t, 0); return g; }"
    )
    added = next(each for each in program.procedures if each.name == "add")
    begun = [each for block in added.blocks for each in block.statements if isinstance(each, Call)]
    assert ATOMIC_BEGIN in {each.procedure for each in begun}
