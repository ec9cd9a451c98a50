"""Memory that a run asked for and did not get: allocation functions of the compiled program fail where the run says so.

Calls of the program's own files go through functions of the harness (the linker's `--wrap`), which count them; what the
library allocates for itself does not. Those that the interpreter counts are the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from sorrel.model.outcome import ChosenValue
from sorrel.program.statement import FAILS

_FUNCTIONS = {
    "malloc": ("size_t size", "size"),
    "calloc": ("size_t count, size_t size", "count, size"),
    "realloc": ("void *old, size_t size", "old, size"),
    "strdup": ("const char *text", "text"),
    "strndup": ("const char *text, size_t most", "text, most"),
}
"""What asks for memory once in each call: parameters and arguments. All of them return null if there is none."""
WRAPPING = (f"-Wl,{','.join(f'--wrap={name}' for name in _FUNCTIONS)}",)
"""For the linker: calls go through functions of ours."""
BEGIN = "sorrel_allocating = 1;"
"""A statement before the call of a function under test: what the harness itself needs is not counted."""


NO_MEMORY = "an allocation gives null"
"""What the harness says where the machine has no memory, for those who take for granted that there is some."""


def allocate(texts: Iterable[str]) -> bool:
    """Whether the sources name a function that asks for memory."""
    asking = re.compile(rf"\b({'|'.join(_FUNCTIONS)})\b")
    return any(map(asking.search, texts))


def noticing(status: int) -> str:
    """Functions of C that end a run in which an allocation gives null, with this status."""
    return "\n".join(
        f"void *__real_{name}({parameters});\nQUIET UNSEEN void *__wrap_{name}({parameters}) {{\n"
        f"  void *found = __real_{name}({arguments});\n"
        f'  if (!found)\n    sorrel_end({status}, "{NO_MEMORY}", "", 0);\n  return found;\n}}'
        for name, (parameters, arguments) in _FUNCTIONS.items()
    )


def linker_flags(choices: Sequence[ChosenValue]) -> tuple[str, ...]:
    """What the harness is compiled with, if some allocation of the run fails."""
    return WRAPPING if any(_failures(choices)) else ()


def wrappers(choices: Sequence[ChosenValue], *, counted_at_once: bool) -> str:
    """Functions of C; empty if every allocation of the run succeeds."""
    failures = _failures(choices)
    if not any(failures):
        return ""
    table = ", ".join(str(int(each)) for each in failures)
    return "\n".join([_COUNTING.format(table=table, start=int(counted_at_once)), *map(_wrapper, _FUNCTIONS)])


def _failures(choices: Sequence[ChosenValue]) -> list[bool]:
    return [choice.value == "true" for choice in choices if choice.source == FAILS]


def _wrapper(name: str) -> str:
    parameters, arguments = _FUNCTIONS[name]
    return (
        f"void *__real_{name}({parameters});\n"
        f"QUIET UNSEEN void *__wrap_{name}({parameters}) "
        f"{{ return sorrel_fails() ? 0 : __real_{name}({arguments}); }}"
    )


_COUNTING = """
static const char sorrel_failures[] = {{{table}}};
static int sorrel_allocating = {start};
QUIET UNSEEN static int sorrel_fails(void) {{
  static unsigned long at;
  return sorrel_allocating && at < sizeof sorrel_failures && sorrel_failures[at++];
}}
"""
