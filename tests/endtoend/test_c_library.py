"""Functions of the library: nobody chooses what they return, and the compiled program has the real ones."""

from __future__ import annotations

import pytest

from asking import verified
from sorrel.frontends.c import CSettings, read
from sorrel.frontends.c.library.catalogue import is_standard
from sorrel.model.outcome import Answer, ReplayResult, ValueOrigin
from sorrel.model.source import Source
from sorrel.program.statement import Choice, Havoc
from sorrel.replay.compiler import compiler

needs_compiler = pytest.mark.skipif(not compiler(), reason="there is no C compiler")


def choices(text: str) -> set[Choice]:
    program = read([Source(text=text)], CSettings())
    statements = (s for p in program.procedures for block in p.blocks for s in block.statements)
    return {s.choice for s in statements if isinstance(s, Havoc) and s.source.isidentifier()}


@pytest.mark.parametrize(
    ("declaration", "call", "choice"),
    [
        ("#include <stdlib.h>", 'mblen("a", 1)', Choice.ABSTRACTION),
        ("int mblen();", 'mblen("a", 1)', Choice.ABSTRACTION),
        ("#include <unistd.h>", "getpgrp()", Choice.ABSTRACTION),
        ("int sensor(void);", "sensor()", Choice.EXTERNAL),
        ("#include <stdio.h>", "getchar()", Choice.INPUT),
        ("int rand(void);", "rand()", Choice.INPUT),
        ("signed char getchar(void);", "getchar()", Choice.ABSTRACTION),
    ],
)
def test_what_the_library_computes_is_no_input(declaration: str, call: str, choice: Choice) -> None:
    assert choices(f"{declaration}\nint main(void) {{ return (int){call}; }}") == {choice}


def test_a_static_function_is_not_the_librarys_whatever_its_name() -> None:
    assert is_standard("strtol")
    assert not choices("static int strtol(int x) { return x; } int main(void) { return strtol(3); }")


@needs_compiler
@pytest.mark.parametrize("replay", [False, pytest.param(True, marks=pytest.mark.long)])
def test_a_violation_that_needs_a_value_of_the_library_is_not_claimed(replay: bool) -> None:
    text = '#include <stdlib.h>\n#include <assert.h>\nint main(void) { assert(mblen("a", 1) == 1); }'
    outcome = verified(text, replay=replay)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert "the run needs mblen(…) =" in outcome.reason.message


@needs_compiler
def test_a_violation_that_the_program_with_the_real_library_reaches_is_one() -> None:
    text = '#include <stdlib.h>\n#include <assert.h>\nint main(void) { assert(mblen("a", 1) == 2); }'
    outcome = verified(text, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.choices[0].origin is ValueOrigin.ABSTRACTION
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED


@needs_compiler
@pytest.mark.parametrize(
    ("call", "possible", "impossible"),
    [
        ("getchar()", 255, 256),
        pytest.param("getchar()", -1, -2, marks=pytest.mark.long),
        ("rand()", 0, -1),
        pytest.param("fgetc(stdin)", 65, 300, marks=pytest.mark.long),
    ],
)
def test_what_the_environment_chooses_stays_within_what_the_library_promises(
    call: str, possible: int, impossible: int
) -> None:
    text = "#include <stdlib.h>\n#include <stdio.h>\n#include <assert.h>\nint main(void) {{ assert({} != {}); }}"
    found = verified(text.format(call, possible), replay=True)
    assert found.answer is Answer.UNSAFE
    assert found.replay is not None
    assert found.replay.result is ReplayResult.REACHED
    assert verified(text.format(call, impossible)).answer is Answer.SAFE


def test_what_is_spelled_like_a_pure_function_need_not_be_pure() -> None:
    text = (
        "#include <assert.h>\nint n; int abs(int x) { n++; return x; }"
        "int main(void) { int r = 0 && abs(1); int s = 1 && abs(1); assert(n == 1); return r + s; }"
    )
    assert verified(text).answer is Answer.SAFE


def test_a_run_that_does_not_look_at_a_value_of_the_library_does_not_need_it() -> None:
    text = "#include <stdlib.h>\n#include <assert.h>\nint main(void) {{ int n = mblen({}, 1); assert({}); }}"
    assert verified(text.format('"a"', "0")).answer is Answer.UNSAFE
    assert verified(text.format('"a"', "n == n")).answer is Answer.SAFE
    assert verified(text.format('"a"', "n == 1")).answer is Answer.UNKNOWN


@pytest.mark.parametrize(
    ("statements", "answer"),
    [
        ("int x = 1; __atomic_store_n(&x, 7, 5); assert(x == 1);", Answer.UNSAFE),
        ("int x = 1; assert(__atomic_fetch_add(&x, 3, 5) == 3);", Answer.UNSAFE),
        ("int x = 1; assert(__builtin_choose_expr(1, x, 7) == 1);", Answer.SAFE),
        ('int x = 1; assert(__builtin_choose_expr(sizeof x == 3, "a", x + 6) == 7);', Answer.SAFE),
        ("int x = 0; assert((x ?: 4) == 4);", Answer.SAFE),
    ],
)
def test_what_the_compiler_makes_of_several_values_is_known_or_refused(statements: str, answer: Answer) -> None:
    assert verified(f"#include <assert.h>\nint main(void) {{ {statements} }}").answer is answer


@pytest.mark.parametrize(
    ("statements", "answer"),
    [
        ('puts("abc"); printf("%d %s", 3, "x");', Answer.SAFE),
        ("char a[2] = {1, 1}; perror(a);", Answer.ASSUMING),
        ('char a[2] = {1, 1}; printf("%p", a);', Answer.ASSUMING),
        ('char a[4]; sprintf(a, "%f", 1.5);', Answer.ASSUMING),
        ("fputc(65, stdout); srand(3); clock();", Answer.SAFE),
        ('getenv("HOME");', Answer.SAFE),
    ],
)
def test_memory_that_the_library_is_told_of_and_nobody_looks_at_is_an_assumption(
    statements: str, answer: Answer
) -> None:
    headers = "".join(f"#include <{name}.h>\n" for name in ("assert", "stdio", "stdlib", "time"))
    assert verified(f"{headers}int main(void) {{ int n = 1; {statements} assert(n == 1); return 0; }}").answer is answer


@pytest.mark.parametrize(
    ("words", "letter", "answer"),
    [
        ("ab", "a", Answer.SAFE),
        pytest.param("a b", "a", Answer.SAFE, marks=pytest.mark.long),
        ("a b", "b", Answer.UNSAFE),
    ],
)
def test_the_first_word_of_a_text_begins_where_the_text_does(words: str, letter: str, answer: Answer) -> None:
    """The text never ends its life, so that no proof of that has to come in time."""
    text = f"""#include <string.h>
#include <assert.h>
int main(void) {{ static char a[] = "{words}"; char *p = strtok(a, " ");"""
    assert verified(f"{text} assert(p != 0 && *p == '{letter}'); return 0; }}").answer is answer


@needs_compiler
def test_lines_that_a_run_reads_are_the_standard_input_of_the_compiled_program() -> None:
    text = (
        "#include <stdio.h>\n#include <assert.h>\nint main(void) { char a[4];\n"
        "  if (fgets(a, 4, stdin)) assert(a[0] != 'q' || a[1] != 'r'); return 0; }"
    )
    outcome = verified(text, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.REACHED


@needs_compiler
def test_a_run_that_reads_a_file_is_not_confirmed() -> None:
    text = (
        "#include <unistd.h>\n#include <assert.h>\nint main(void) { char a[1];\n"
        "  if (read(5, a, 1) == 1) assert(a[0] != 'q'); return 0; }"
    )
    outcome = verified(text, replay=True)
    assert outcome.answer is Answer.UNSAFE
    assert outcome.replay is not None
    assert outcome.replay.result is ReplayResult.IMPOSSIBLE
    assert "does not supply" in outcome.replay.detail


@pytest.mark.parametrize(("size", "fits"), [pytest.param(4, True, marks=pytest.mark.long), (3, False)])
def test_where_lines_are_written_to_must_be_there(size: int, fits: bool) -> None:
    text = f"#include <stdio.h>\nint main(void) {{ char a[{size}]; fgets(a, 4, stdin); return 0; }}"
    answer = verified(text, goal="valid-deref").answer
    assert answer.is_proof if fits else answer is Answer.UNSAFE


@pytest.mark.parametrize(
    ("statements", "answer"),
    [
        ("char a[2] = {1, 1}; puts(a);", Answer.UNSAFE),
        ('char a[2] = {1, 0}; puts(a); printf("%s", a);', Answer.SAFE),
        ('char a[2] = {1, 1}; printf("%d %s", 3, a);', Answer.UNSAFE),
        ('char a[2] = {1, 1}; printf("%.2s", a);', Answer.SAFE),
        ('char *p = 0; fprintf(stderr, "%s", p);', Answer.UNSAFE),
        ('char a[4]; sprintf(a, "%d", 123456);', Answer.UNSAFE),
        pytest.param('char a[7]; sprintf(a, "%d", 123456);', Answer.SAFE, marks=pytest.mark.long),
        pytest.param('char a[4]; snprintf(a, 4, "%d", 123456);', Answer.SAFE, marks=pytest.mark.long),
        ('char a[4]; snprintf(a, 5, "%d", 123456);', Answer.UNSAFE),
        pytest.param('char a[4]; scanf("%3s", a);', Answer.SAFE, marks=pytest.mark.long),
        ('char a[4]; scanf("%4s", a);', Answer.UNSAFE),
        ('int x; scanf("%d", &x);', Answer.SAFE),
    ],
)
def test_what_formats_print_and_read_must_be_there(statements: str, answer: Answer) -> None:
    text = f"#include <stdio.h>\nint main(void) {{ {statements} return 0; }}"
    assert verified(text, goal="valid-deref").answer is answer


@pytest.mark.parametrize(
    ("assertion", "answer"),
    [("n == 1 || x == 3", Answer.SAFE), ("n == 1", Answer.UNSAFE), ("x != 77", Answer.UNSAFE), ("n <= 1", Answer.SAFE)],
)
def test_what_is_scanned_is_any_number_or_none(assertion: str, answer: Answer) -> None:
    text = '#include <stdio.h>\n#include <assert.h>\nint main(void) {{ int x = 3, n = scanf("%d", &x); assert({}); }}'
    assert verified(text.format(assertion)).answer is answer
