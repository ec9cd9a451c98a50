"""Counterexamples of OCaml programs as OCaml programs, and what the compiled ones do."""

from __future__ import annotations

import shutil
import subprocess
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

from sorrel.functional.execution import Kind, Used
from sorrel.functional.program import Program
from sorrel.functional.type import BOOL, INT, UNIT, Arrow, ground, is_optional, labels_of, uncurried
from sorrel.functional.value import shown
from sorrel.model.errors import Span
from sorrel.model.outcome import Replay, ReplayResult, Violation

ASSERTION_STATUS = 2
"""How a program ends that an exception leaves."""
_STARVED = 3
_EXCEPTIONS = {
    Kind.ASSERTION: "Assert_failure",
    Kind.BOUNDS: "Invalid_argument(",  # an index, or the length of an array that is made
    Kind.DIVISION: "Division_by_zero",
    Kind.EXCEPTION: "Fatal error: exception",
}


class NoProgram(Exception):
    """There is no OCaml program that repeats the run; the message says why."""


_ENDED = 'let sorrel_ended e = prerr_endline ("Fatal error: exception " ^ e); exit 2'
_INDEX = 'sorrel_ended "Invalid_argument(\\"index out of bounds\\")"'
_WATCHED = {
    Kind.DIVISION: (
        _ENDED,
        'let ( / ) a b = if b = 0 then sorrel_ended "Division_by_zero" else a / b',
        'let ( mod ) a b = if b = 0 then sorrel_ended "Division_by_zero" else a mod b',
    ),
    Kind.BOUNDS: (
        _ENDED,
        "module Array = struct",
        "  include Array",
        f"  let get a i = if i < 0 || i >= length a then {_INDEX} else get a i",
        f"  let set a i x = if i < 0 || i >= length a then {_INDEX} else set a i x",
        '  let make n x = if n < 0 then sorrel_ended "Invalid_argument(\\"Array.make\\")" else make n x',
        "end",
        "module String = struct",
        "  include String",
        f"  let get s i = if i < 0 || i >= length s then {_INDEX} else get s i",
        "end",
    ),
}
"""What ends the program where it goes wrong, whoever would handle it: these properties ask whether it happens."""


def harness(program: Program, files: Sequence[tuple[str, str]], used: Sequence[Used], kind: Kind) -> str:
    """The source behind a prologue that feeds what the program asks for, and a call of its entry in the end."""
    data = dict(program.data)
    own = [each for each in used if not each.span.line]
    asked = [each for each in used if each.span.line]
    if any(isinstance(each.type, Arrow) for each in used):
        raise NoProgram("a function is among the inputs")
    numbers = [shown(each.value, INT, data) for each in asked if each.type == INT]
    truths = [shown(each.value, BOOL, data) for each in asked if each.type == BOOL]
    lines = [
        f"let sorrel_numbers : int list ref = ref [{'; '.join(numbers)}]",
        f"let sorrel_truths : bool list ref = ref [{'; '.join(truths)}]",
        f"let sorrel_next r = match !r with [] -> exit {_STARVED} | x :: rest -> r := rest; x",
        "module Random = struct",
        "  let int (_ : int) : int = sorrel_next sorrel_numbers",
        "  let bool () : bool = sorrel_next sorrel_truths",
        "end",
        "let read_int () : int = sorrel_next sorrel_numbers",
        *_WATCHED.get(kind, ()),
    ]
    for name, text in files[:-1]:
        module = Path(name).name.split(".")[0]
        lines += [f"module {module[:1].upper()}{module[1:]} = struct", f'# 1 "{name}"', text, "end"]
    name, text = files[-1]
    lines += [f'# 1 "{name}"', text]
    if program.entry:
        arguments = _arguments(program, own)
        lines.append(f";; let _ = {program.entry} {' '.join(arguments)}")
    return "\n".join(lines) + "\n"


def _arguments(program: Program, own: Sequence[Used]) -> list[str]:
    """The values of the entry's parameters; () where that is the type."""
    remaining = list(own)
    found = []
    declared = program.declared[program.entry]
    for type, label in zip(uncurried(ground(declared))[0], labels_of(declared), strict=True):
        if type == UNIT:
            text = "()"
        elif remaining:
            text = shown(remaining.pop(0).value, type, dict(program.data))
        else:
            raise NoProgram("a value of the entry's parameters was not chosen")
        found.append(f"{label if is_optional(label) else f'~{label}'}:{text}" if label else text)
    return found


def compiler() -> list[str] | None:
    """The command that makes a program of one file, if the machine has one."""
    for command in (["ocamlfind", "ocamlopt"], ["ocamlopt"], ["ocamlfind", "ocamlc"], ["ocamlc"]):
        if shutil.which(command[0]):
            return [*command, "-w", "-a"]
    return None


def replay(text: str, violation: Violation, seconds: float) -> Replay:
    """Compile and run the harness; reached if the program ends by the exception that the violation is."""
    found = compiler()
    if found is None:
        return Replay(ReplayResult.IMPOSSIBLE, "there is no OCaml compiler (ocamlfind, ocamlopt or ocamlc)")
    started = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="sorrel-") as folder:
        source = Path(folder, "harness.ml")
        source.write_text(text, encoding="latin-1", errors="replace")
        command = [*found, "-o", str(Path(folder, "harness")), str(source)]
        try:
            made = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=folder, check=False)
            if made.returncode:
                return Replay(ReplayResult.IMPOSSIBLE, f"it does not compile: {made.stderr.strip()[:300]}")
            ran = subprocess.run(
                [str(Path(folder, "harness"))],
                capture_output=True,
                text=True,
                timeout=seconds,
                stdin=subprocess.DEVNULL,
                errors="replace",
                check=False,
            )
        except subprocess.TimeoutExpired:
            return Replay(ReplayResult.IMPOSSIBLE, "it takes too long")
    took = time.monotonic() - started
    shown_command = " ".join([*found, "harness.ml"])
    return _judged(ran, violation, shown_command, took)


def _failed_assertions(span: Span) -> tuple[str, str]:
    """What OCaml says at its end, and what it says if the program has its module of exceptions linked in."""
    column = span.column - 1
    return (
        f'Assert_failure("{span.file}", {span.line}, {column})',
        f'File "{span.file}", line {span.line}, characters {column}-{column + 6}: Assertion failed',
    )


def _judged(ran: subprocess.CompletedProcess[str], violation: Violation, command: str, seconds: float) -> Replay:
    last = ran.stderr.strip().splitlines()[-1:] or [""]
    said = last[0]
    wanted = _EXCEPTIONS.get(Kind(violation.kind), "")
    if violation.kind == Kind.ASSERTION:
        named = any(words in ran.stderr.replace("\\", "") for words in _failed_assertions(violation.span))
    else:
        named = bool(wanted) and wanted in ran.stderr
    reached = named and ran.returncode == ASSERTION_STATUS
    if reached:
        return Replay(ReplayResult.REACHED, said, command, seconds=seconds)
    if not wanted:
        return Replay(ReplayResult.IMPOSSIBLE, f"OCaml does not notice: {violation.message}", command, seconds=seconds)
    return Replay(
        ReplayResult.MISSED, f"the compiled program ends with status {ran.returncode}: {said}", command, seconds=seconds
    )
