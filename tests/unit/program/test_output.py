"""What programs print and the status they end with: as the compiled program has them, and without any other effect."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from c_execution import interpreted, program_of, require_compiler
from sorrel.frontends.errors import Unsupported
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.outcome import Answer
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process.pipeline import verify
from sorrel.program.checks import instrument, unwatched
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.printing import pieces
from sorrel.program.program import Program
from sorrel.program.run import Run, Starved, Stopped, Undefined
from sorrel.program.statement import Kind, Print, Stop, Stream
from sorrel.program.text import read, write
from sorrel.program.traversal import steps
from sorrel.program.validate import complaints
from sorrel.program.value import ArrayValue


def _printed(outcome: Run, stream: Stream = Stream.OUTPUT) -> bytes:
    written = outcome.written.get(stream)
    assert written is None or not written.unknown
    return bytes(written.text) if written else b""


def _compiled(text: str, folder: Path) -> subprocess.CompletedProcess[bytes]:
    source, binary = folder / "program.c", folder / "program"
    source.write_text(text)
    subprocess.run([require_compiler(), "-w", str(source), "-o", str(binary)], check=True, timeout=60)
    return subprocess.run([str(binary)], capture_output=True, timeout=20, check=False)


def _same_output(text: str, folder: Path) -> None:
    outcome = run(unwatched(program_of(text)), (), indeterminate=NOBODYS)
    there = _compiled(text, folder)
    assert (_printed(outcome), _printed(outcome, Stream.ERRORS)) == (there.stdout, there.stderr)


NUMBERS = """#include <stdio.h>
int main(void) {
  int i; long long big[5] = {0, 7, -7, 2147483647, -9223372036854775807};
  for (i = 0; i < 5; i++) {
    printf("%d|%5d|%-5d|%05d|%+d|% d|%.3d|%8.3d|%-8.3d|%08.3d;", (int)big[i], (int)big[i], (int)big[i], (int)big[i],
           (int)big[i], (int)big[i], (int)big[i], (int)big[i], (int)big[i], (int)big[i]);
    printf("%u %x %X %o %#x %#o %#X %08x %hhd %hd %hhu %hu;", (unsigned)big[i], (unsigned)big[i], (unsigned)big[i],
           (unsigned)big[i], (unsigned)big[i], (unsigned)big[i], (unsigned)big[i], (unsigned)big[i], (int)big[i],
           (int)big[i], (int)big[i], (int)big[i]);
    printf("%lld %llx %ld %lu %zu %jd %td\\n", big[i], big[i], (long)big[i], (unsigned long)big[i], (size_t)big[i],
           (long)big[i], (long)big[i]);
    printf("%*d|%-*d|%.*d|%*.*d\\n", 6, (int)big[i], 6, (int)big[i], 4, (int)big[i], -9, 4, (int)big[i]);
  }
  printf("%.0d|%.d|%i%%%c%c\\n", 0, 0, 42, 'x', 65 + 256);
  return 0;
}
"""

STRINGS = """#include <stdio.h>
char shared[16] = "shared", *chosen;
struct pair { char name[8]; int n; };
void say(const char *text, int width) { printf("[%s|%*s|%-8s|%.2s|%.0s]", text, width, text, text, text, text); }
int main(void) {
  char own[8] = {'o', 'w', 'n', 0, 'x'}; char letter = 0; int i;
  struct pair p = {"pair", 2};
  const char *words[3] = {"one", "two", "a longer one"};
  say("literal \\" %d \\n \\377", 12); say(own, 3); say(shared + 2, 5); say(p.name, 4); say(&letter, 3);
  for (i = 0; i < 3; i++) { chosen = i == 1 ? own : i == 2 ? shared : "third"; say(chosen, 10); }
  for (i = 0; i < 3; i++) puts(words[i]);
  own[1] = 0; puts(own);
  fputs("errors", stderr); fprintf(stderr, "%d\\n", i); fprintf(stdout, "%s", shared); fputs("!", stdout);
  putchar('\\n'); putchar(300); fputc('a', stdout); putc('b', stderr); printf("50%%\\n"); printf("%.3s", p.name);
  return 0;
}
"""


@pytest.mark.parametrize("text", [NUMBERS, STRINGS], ids=["numbers", "strings"])
def test_what_is_printed_is_what_the_compiled_program_prints(text: str, tmp_path: Path) -> None:
    _same_output(text, tmp_path)


@pytest.mark.parametrize(
    "ending", ["return 3;", "exit(3);", "exit(259);", "return 256 + 7;", "_Exit(1);", "exit(-1);", "f();", "return 0;"]
)
def test_the_status_at_the_end_is_that_of_the_compiled_program(ending: str, tmp_path: Path) -> None:
    text = f"#include <stdlib.h>\nvoid f(void) {{ abort(); }}\nint main(void) {{ {ending} }}\n"
    there = _compiled(text, tmp_path).returncode
    assert run(unwatched(program_of(text)), (), indeterminate=NOBODYS).status == (there if there >= 0 else 128 - there)


def test_what_is_not_modelled_makes_the_rest_unknown() -> None:
    text = '#include <stdio.h>\nint main(void) { long double d = 1; printf("a%d %Lf b", 1, d); puts("c"); return 0; }'
    written = run(unwatched(program_of(text)), (), indeterminate=NOBODYS).written[Stream.OUTPUT]
    assert (bytes(written.text), written.unknown) == (b"a1 ", True)


def test_numbers_with_a_fraction_are_printed_as_the_library_prints_them(tmp_path: Path) -> None:
    formats = ("%f", "%.0f", "%8.3f|", "%-9.1e|", "%+g", "%010.2f", "%G", "%#g", "% f", "%E", "%.10g", "%5.1f")
    numbers = ("0.0", "-0.0", "1.5", "2.5", "-0.1", "1e100", "123456789.0", "1.0 / 0", "-1.0 / 0", "1e-7", "0.1f")
    lines = [f'printf("{format}\\n", {number});' for format in formats for number in numbers]
    _same_output(f"#include <stdio.h>\nint main(void) {{ {''.join(lines)} return 0; }}\n", tmp_path)


def test_a_format_that_is_computed_is_unknown() -> None:
    text = '#include <stdio.h>\nchar *f = "%d"; int main(void) { printf(f, 1); return 0; }'
    assert run(unwatched(program_of(text)), (), indeterminate=NOBODYS).written[Stream.OUTPUT].unknown


def test_a_string_without_an_end_has_no_text() -> None:
    text = '#include <stdio.h>\nchar a[2] = {65, 66}, b[2]; int main(void) { printf("%s", a); return 0; }'
    assert isinstance(run(unwatched(program_of(text)), (), indeterminate=NOBODYS).end, Undefined)


def test_a_function_of_the_programs_own_prints_nothing_by_its_name() -> None:
    text = "int n; int putchar(int c) { n = c; return 0; } int main(void) { putchar(7); return n; }"
    assert interpreted(program_of(text)).text == "returned 7"
    assert not run(unwatched(program_of(text)), (), indeterminate=NOBODYS).written


def test_files_that_are_not_standard_are_all_one() -> None:
    text = '#include <stdio.h>\nint main(void) { FILE *f = stdout; fprintf(f, "x"); return 0; }'
    assert set(run(unwatched(program_of(text)), (), indeterminate=NOBODYS).written) == {Stream.OTHERS}


def _steps(program: Program) -> list[object]:
    return [step for procedure in program.procedures for block in procedure.blocks for step in steps(block)]


def test_what_is_verified_neither_prints_nor_tells_a_status_but_evaluates() -> None:
    text = '#include <stdio.h>\n#include <stdlib.h>\nint main(int n) { printf("%d", n + 1); exit(n + 2); }'
    checked = _steps(instrument(program_of(text), frozenset({Kind.OVERFLOW})))
    assert not any(isinstance(step, Print) for step in checked)
    assert all(step.status is None for step in checked if isinstance(step, Stop))
    assert sum("assert" in repr(type(step)).lower() for step in checked) == 2


def test_text_and_status_survive_the_text_form() -> None:
    text = """procedure main() {
  local `print`: i32;
  local `with`: [u8];
start:
  print output "a\\u00ff%05d|%s%%%?\\n", `print` + 1i32, `with`, 0, 3;
  print errors "";
  stop with `print`;
}
"""
    program = read(text, "text")
    assert not list(complaints(program))
    assert read(write(program), "again") == program
    end = run(program, [4, ArrayValue(0, dict(enumerate(b"abc")))]).end
    assert isinstance(end, Stopped)
    assert end.status == 4


@pytest.mark.parametrize(
    ("printed", "wrong"),
    [('"%d"', "0 arguments"), ('"%s", 1, 2, 3', "type int"), ('"%y"', "directive"), ('"%d", true', "type bool")],
)
def test_text_that_does_not_fit_its_arguments_is_ill_formed(printed: str, wrong: str) -> None:
    with pytest.raises(Exception, match=wrong):
        read(f"procedure main() {{ start: print output {printed}; return; }}", "text")


def test_a_percent_sign_alone_begins_no_directive() -> None:
    with pytest.raises(ValueError, match="directive"):
        pieces("100%")


def test_a_pointer_to_a_function_that_prints_prints(tmp_path: Path) -> None:
    text = "#include <stdio.h>\nint (*say)(FILE *, const char *, ...) = &fprintf;\n"
    _same_output(text + 'int main(void) { say(stdout, "%d %s\\n", 7, "seven"); return 0; }', tmp_path)


STRINGS_PRINTED = """#include <stdio.h>
int main(void) { char s[4] = {'a', 'b', 'c', CHARACTER}; char *p = s; printf("%s\\n", p); return 0; }
"""


@pytest.mark.parametrize(
    ("character", "answer"), [("0", Answer.SAFE), ("'d'", Answer.UNKNOWN)], ids=["terminated", "not terminated"]
)
def test_the_only_run_shows_that_what_is_printed_is_there(character: str, answer: Answer) -> None:
    task = Task((Source("program.c", STRINGS_PRINTED.replace("CHARACTER", character)),))
    assert verify(task, Options(budget=Budget(20))).answer is answer


def test_a_number_that_is_told_how_much_was_printed_is_refused() -> None:
    with pytest.raises(Unsupported):
        program_of('#include <stdio.h>\nint n; int main(void) { printf("abc%n", &n); return n; }')


@pytest.mark.parametrize("printed", ['printf("%d\\n", n)', 'printf("%s\\n", b)', 'printf("%*d\\n", n, 1)', "puts(b)"])
def test_a_run_that_prints_what_nobody_chose_starves_there(printed: str) -> None:
    text = f"#include <stdio.h>\nint main(void) {{ int n; char b[4]; {printed}; return 0; }}"
    assert isinstance(run(unwatched(program_of(text)), (), indeterminate=NOBODYS).end, Starved)
