"""C programs with threads, for tests."""

from __future__ import annotations

from collections.abc import Sequence

from sorrel.frontends import c
from sorrel.model.source import Source
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Kind

HEADER = """#include <pthread.h>
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_atomic_begin(void);
extern void __VERIFIER_atomic_end(void);
extern void abort(void);
void reach_error(void) { abort(); }
"""


def read(text: str, kinds: frozenset[Kind] = frozenset({Kind.ERROR_CALL})) -> Program:
    settings = c.CSettings(c.DataModel.LP64, (), (), "main")
    return instrument(c.read([Source("<test>", text)], settings), kinds)


def threads_text(declarations: str, bodies: Sequence[str], after: str = "") -> str:
    """A program that starts one thread for each body, waits for all, and then does what comes after."""
    functions = [
        f"void *thread_{i}(void *unused) {{ (void)unused; {body} return 0; }}" for i, body in enumerate(bodies)
    ]
    names = [f"t{i}" for i in range(len(bodies))]
    create = " ".join(f"pthread_create(&{name}, 0, thread_{i}, 0);" for i, name in enumerate(names))
    join = " ".join(f"pthread_join({name}, 0);" for name in names)
    main = f"int main(void) {{ pthread_t {', '.join(names)}; {create} {join} {after} return 0; }}"
    return "\n".join([HEADER, declarations, *functions, main, ""])
