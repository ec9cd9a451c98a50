"""A C file that, compiled together with the program, repeats one run of it.

It defines the functions that the program leaves open, so that they return the values of the run in order, and it
notices the error: by the name of the function that is entered (`-finstrument-functions`), by a failing assert, or
it leaves noticing to the compiler's sanitizers. Functions have the name they must have by an assembler label, which
keeps their types out of the program's sight: a program may declare them as it likes.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence

from sorrel.model.outcome import ChosenValue, ValueOrigin, Violation
from sorrel.program.statement import READS
from sorrel.replay.allocations import BEGIN, linker_flags, wrappers
from sorrel.replay.entry import Entry, bits_of, constant
from sorrel.replay.observers import RESULT
from sorrel.replay.static_functions import lookup, may_be_static, test_of

REACHED, DIVERGED = 10, 11
"""Exit codes of the compiled harness: the error was reached; the program asked for other values than the run had."""
MARK = "sorrel-replay:"
"""Begins each line that the harness itself prints."""
ERROR_FUNCTIONS = ("reach_error", "__VERIFIER_error")

_RETURN_TYPES = {
    "bool": "_Bool",
    "char": "char",
    "schar": "signed char",
    "uchar": "unsigned char",
    "short": "short",
    "ushort": "unsigned short",
    "int": "int",
    "uint": "unsigned int",
    "unsigned": "unsigned int",
    "unsigned_int": "unsigned int",
    "u32": "unsigned int",
    "u16": "unsigned short",
    "u8": "unsigned char",
    "long": "long",
    "ulong": "unsigned long",
    "size_t": "unsigned long",
    "longlong": "long long",
    "ulonglong": "unsigned long long",
    "float": "float",
    "double": "double",
}
_FLOATING = {"f32": "float", "f64": "double"}
"""Types of values that a program writes so, in C."""
_CONDITIONS = {
    "assert": (REACHED, "assertion failed"),
    "__VERIFIER_assert": (REACHED, "assertion failed"),
    "assume": (DIVERGED, "an assumption is violated"),
    "__VERIFIER_assume": (DIVERGED, "an assumption is violated"),
}
"""Functions that programs use without defining them: what it means if their argument is 0."""
_NONDET = "__VERIFIER_nondet_"
_NUMBER = re.compile(r"[iuf]\d+|bool")
"""Types of values that a function can return, as programs write them."""
_FEEDABLE = (ValueOrigin.INPUT, ValueOrigin.EXTERNAL)


def write_harness(
    violation: Violation,
    choices: Sequence[ChosenValue],
    texts: Sequence[str],
    command: str,
    entry: Entry | None = None,
    observers: str = "",
) -> str:
    """A harness for a run that goes wrong."""
    return harness_text(_heading(violation, command, choices), choices, texts, entry, observers)


def harness_text(
    heading: str,
    choices: Sequence[ChosenValue],
    texts: Sequence[str],
    entry: Entry | None = None,
    observers: str = "",
) -> str:
    """`texts` are the program's sources, looked at for the names of open functions only.

    `observers` are functions that print what a run lets be seen; then a function under test prints its result, too.
    """
    open_ = [choice for choice in choices if choice.origin in _FEEDABLE and choice.source.isidentifier()]
    fed = [choice for choice in open_ if _NUMBER.fullmatch(choice.type)]
    feeding = {choice.source: _FLOATING.get(choice.type, "long long") for choice in fed}
    names = dict.fromkeys(choice.source for choice in open_)
    names.update(dict.fromkeys(name for text in texts for name in re.findall(rf"\b{_NONDET}\w+", text)))
    hidden = may_be_static(ERROR_FUNCTIONS, texts)
    parts = [
        heading,
        _PRELUDE.format(reached=REACHED, diverged=DIVERGED, mark=MARK),
        _table(fed),
        _NEXT.format(diverged=DIVERGED),
        observers,
        wrappers(choices, counted_at_once=entry is None),
        *(
            _supplier(name, feeding.get(name, "long long"), fed=name in feeding or name.startswith(_NONDET))
            for name in names
        ),
        lookup(hidden),
        _ERRORS.format(
            declarations="".join(f"void sorrel_{name}(void) LABEL({name}) WEAK;\n" for name in ERROR_FUNCTIONS),
            definitions="".join(
                f'void sorrel_{name}(void) {{ sorrel_end({REACHED}, "{name} was called", "", 0); }}\n'
                for name in ERROR_FUNCTIONS
            ),
            tests="".join(
                f'  if (function == (void *)sorrel_{name})\n    sorrel_end({REACHED}, "{name} was called", "", 0);\n'
                for name in ERROR_FUNCTIONS
            )
            + test_of(hidden, REACHED),
            conditions="".join(_condition(name, *meaning) for name, meaning in _CONDITIONS.items()),
            reached=REACHED,
        ),
    ]
    if entry is not None:
        parts.append(_main(entry, observed=bool(observers), counting=bool(linker_flags(choices))))
    return "\n".join(parts)


def with_a_mark_of_its_own(harness: str) -> tuple[str, str]:
    """The harness with another mark, which no program can know, and that mark: programs print what they like."""
    mark = f"{MARK[:-1]}-{secrets.token_hex(8)}:"
    return harness.replace(MARK, mark), mark


def as_printed_by(mark: str, errors: str) -> str:
    """What was printed: lines of the harness with the common mark, and no lines of others that look like them."""
    lines = (line for line in errors.split("\n") if not line.startswith(MARK))
    return "\n".join(MARK + line.removeprefix(mark) if line.startswith(mark) else line for line in lines)


def standard_input(choices: Sequence[ChosenValue]) -> bytes:
    """What a program finds there that reads lines as it did in the run."""
    read = [choice.value for choice in choices if choice.source == f"{READS}fgets"]
    return bytes(int(value) for value in read if value.isdecimal() and int(value) <= 255)


def _heading(violation: Violation, command: str, choices: Sequence[ChosenValue]) -> str:
    lines = [
        "/* Repeats a run that ends in an error:",
        f"     {_comment(violation.kind)} at {_comment(str(violation.span))}: {_comment(violation.message)}",
        "   Compile it together with the program and run it:",
        f"     {_comment(command)}",
        f"   It ends with exit code {REACHED}, or with a sanitizer's report, if the error is reached.",
    ]
    uncontrolled = [c for c in choices if c.origin not in _FEEDABLE and c.value not in ("0", "false")]
    if uncontrolled:
        lines.append(
            "   The run also depends on values that no function returns, which a compiled program may not have:"
        )
        lines += [
            f"     {_comment(c.variable)} = {_comment(c.value)} ({c.origin}, {c.span})" for c in uncontrolled[:20]
        ]
    return "\n".join([*lines, "*/"])


def _comment(text: str) -> str:
    return text.replace("*/", "* /").replace("\n", " ")


def _table(fed: Sequence[ChosenValue]) -> str:
    rows = [f'  {{"{c.source}", {_literal(c)}}}, /* {_comment(f"{c.variable}, {c.span}")} */' for c in fed]
    return "\n".join(["static const struct sorrel_value sorrel_values[] = {", *rows, '  {"", 0}', "};"])


def _literal(choice: ChosenValue) -> str:
    """A floating-point number is told by its bits."""
    value, truth = choice.value, {"true": 1, "false": 0}
    if choice.type in _FLOATING:
        return constant(bits_of(float(value), int(choice.type[1:])))
    return constant(truth[value] if value in truth else int(value) if re.fullmatch(r"-?\d+", value) else 0)


def _supplier(name: str, returned: str, *, fed: bool) -> str:
    """A function that returns the next value; one that returned no number in the run returns 0."""
    kind = _RETURN_TYPES.get(name.removeprefix(_NONDET), "long long") if name.startswith(_NONDET) else returned
    declaration = f"{kind} sorrel_{name}(void) LABEL({name}) WEAK;"
    if fed and kind in _FLOATING.values():
        from_bits = f'{kind} value; long long bits = sorrel_next("{name}"); memcpy(&value, &bits, sizeof value);'
        return f"{declaration}\n{kind} sorrel_{name}(void) {{ {from_bits} return value; }}"
    value = f'sorrel_next("{name}")' if fed else "0"
    return f"{declaration}\n{kind} sorrel_{name}(void) {{ return {value}; }}"


def _condition(name: str, code: int, what: str) -> str:
    return (
        f"void sorrel_{name}(int condition) LABEL({name}) WEAK;\n"
        f"void sorrel_{name}(int condition) {{\n"
        f'  if (!condition)\n    sorrel_end({code}, "{what}", "", 0);\n}}\n'
    )


def _main(entry: Entry, *, observed: bool, counting: bool) -> str:
    """The program's file is part of this one, so that a static function can be called and arguments are converted."""
    call = f"{entry.function}({', '.join(entry.arguments)})"
    lines = [
        "#undef main",
        f"#define main sorrel_main_of_{entry.function}",
        f'#include "{entry.file}"',
        "#undef main",
        "",
        "int main(void) {",
        *(f"  {line}" for line in [*entry.before, *([BEGIN] if counting else ())]),
        f'  sorrel_say("{RESULT}", "", (long long){call});' if observed else f"  {call};",
        "  return 0;",
        "}",
        "",
    ]
    return "\n".join(lines)


_PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define SORREL_TEXT(x) #x
#define SORREL_EXPANDED(x) SORREL_TEXT(x)
#define LABEL(name) __asm__(SORREL_EXPANDED(__USER_LABEL_PREFIX__) #name)
#define WEAK __attribute__((weak))
#define QUIET __attribute__((no_instrument_function))
#if defined __has_attribute
#if __has_attribute(no_sanitize_coverage)
#define UNSEEN __attribute__((no_sanitize_coverage))
#endif
#endif
#ifndef UNSEEN
#define UNSEEN
#endif
#define SORREL_MARK "{mark}"

struct sorrel_value {{
  const char *source;
  long long value;
}};

static void (*sorrel_before_end)(void);
QUIET UNSEEN static void sorrel_end(int code, const char *what, const char *file, unsigned line) {{
  fflush(stdout);
  if (sorrel_before_end)
    sorrel_before_end();
  fprintf(stderr, "\\n{mark} %s", what);
  if (line)
    fprintf(stderr, " at %s:%u", file, line);
  fputc('\\n', stderr);
  _exit(code);
}}
"""

_NEXT = """
QUIET UNSEEN static long long sorrel_next(const char *source) {{
  static unsigned long at;
  const unsigned long count = sizeof sorrel_values / sizeof *sorrel_values - 1;
  if (at >= count)
    sorrel_end({diverged}, "the program reads more inputs than the run had", "", 0);
  if (strcmp(sorrel_values[at].source, source) != 0)
    sorrel_end({diverged}, "the program asks for a value that the run did not ask for here", "", 0);
  return sorrel_values[at++].value;
}}
"""

_ERRORS = """
{declarations}{definitions}
{conditions}
QUIET void sorrel_enter(void *function, void *site) LABEL(__cyg_profile_func_enter);
QUIET void sorrel_leave(void *function, void *site) LABEL(__cyg_profile_func_exit);
void sorrel_enter(void *function, void *site) {{
  (void)site;
{tests}}}
void sorrel_leave(void *function, void *site) {{
  (void)function;
  (void)site;
}}

void sorrel_assert_fail(const char *text, const char *file, unsigned line, const char *function) LABEL(__assert_fail);
void sorrel_assert_fail(const char *text, const char *file, unsigned line, const char *function) {{
  (void)text;
  if (function && (strcmp(function, "reach_error") == 0 || strcmp(function, "__VERIFIER_error") == 0))
    sorrel_end({reached}, "reach_error was called", "", 0);
  sorrel_end({reached}, "assertion failed", file, line);
}}
void sorrel_assert_rtn(const char *function, const char *file, int line, const char *text) LABEL(__assert_rtn);
void sorrel_assert_rtn(const char *function, const char *file, int line, const char *text) {{
  sorrel_assert_fail(text, file, (unsigned)line, function);
}}
"""
