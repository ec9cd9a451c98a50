"""docs/extending.md is enough: what it tells to touch is touched in a copy of Sorrel, nothing else, and the copy works.

One property, one construct of C, one function of its library and one language are added to the copy, each by what its
recipe says. `test_extending` adds an engine and a method.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from extending import RECIPES, places
from folders import ROOT

Insertions = tuple[tuple[str, str], ...]
"""Each: a text of a file, and what is put before it; an empty text stands for a new file."""

ADDED: dict[str, dict[str, Insertions]] = {
    "A property": {
        "src/sorrel/model/property.py": (
            ('    NO_EXCEPTIONS = "no-', '    NO_NEGATIVE_REMAINDER = "no-negative-remainder"\n'),
            (
                "    Property.NO_EXCEPTIONS: frozenset(",
                '    Property.NO_NEGATIVE_REMAINDER: frozenset({"negative-remainder"}),\n',
            ),
            (
                '    Property.NO_EXCEPTIONS: "every',
                '    Property.NO_NEGATIVE_REMAINDER: "no remainder of a negative number is taken",\n',
            ),
        ),
        "src/sorrel/program/statement.py": (('    LEAK = "', '    NEGATIVE_REMAINDER = "negative-remainder"\n'),),
        "src/sorrel/program/checks.py": (
            ("    Kind.LEAK: ", '    Kind.NEGATIVE_REMAINDER: "no remainder is negative",\n'),
            (
                "    if isinstance(type, Machine) and type.signed and interval(left)",
                "    if expression.operator is Operator.REMAINDER and interval(left)[0] < 0:\n"
                "        condition = binary(Operator.AT_LEAST, left, zero(type))\n"
                '        yield Guard(condition, Kind.NEGATIVE_REMAINDER, "the remainder of a negative number")\n',
            ),
        ),
    },
    "A construct of C": {
        "src/sorrel/frontends/c/syntax/statements.py": (
            (
                "@dataclass(frozen=True, eq=False, slots=True)\nclass Compound(",
                '@dataclass(frozen=True, eq=False, slots=True)\nclass Assembly(Node):\n    """Nothing."""\n\n\n',
            ),
        ),
        "src/sorrel/frontends/c/syntax/__init__.py": (("    Break,\n", "    Assembly,\n"),),
        "src/sorrel/frontends/c/parsing/statement_reader.py": (
            (
                "            Cursor.EMPTY: lambda",
                "            Cursor.ASSEMBLY: lambda cursor: syntax.Assembly(self._cursors.span(cursor)),\n",
            ),
        ),
        "src/sorrel/frontends/c/statements.py": (
            ("            syntax.Empty: lambda", "            syntax.Assembly: lambda node: None,\n"),
        ),
    },
    "A function of the C library": {
        "src/sorrel/frontends/c/library/ctype.c": (
            (
                "/*: tolower toupper",
                "/*: isvowel\n    try: add(NAME(c)); */\n"
                "int model_isvowel(int c) { return c == 'a' || c == 'e' || c == 'i' || c == 'o' || c == 'u'; }\n\n",
            ),
        ),
    },
    "A front end": {
        "src/sorrel/frontends/counting/__init__.py": (
            (
                "",
                '"""Programs that count down: `from 5 by 1` ends at 0 or below it, where `exactly 0` must hold."""\n'
                "from sorrel.program.program import Program\n"
                "from sorrel.program.text import read as read_program\n\n"
                "def read(text: str, name: str = '') -> Program:\n"
                "    _, first, _, step = text.split()\n"
                "    return read_program('procedure main() { local i: int; start: i = %s; goto head;'\n"
                "        ' head: if 0 < i goto body else done; body: i = i - %s; goto head;'\n"
                "        ' done: assert i == 0 as assertion \"exactly 0\"; return; }' % (first, step), name)\n",
            ),
        ),
        "src/sorrel/model/source.py": (('".sorrel": ', '".counting": "sorrel.frontends.counting:read", '),),
    },
}
NONDET = "extern int __VERIFIER_nondet_int(void); extern void reach_error(void);\n"
REMAINDER = NONDET + "int main(void) {{ int x = __VERIFIER_nondet_int(); {} return x % 3; }}"
ASSEMBLY = NONDET + 'int main(void) {{ int x = 1; __asm__(""); if (x != {}) reach_error(); return 0; }}'
VOWEL = NONDET + "int isvowel(int); int main(void) {{ if (isvowel('{}')) reach_error(); return 0; }}"
QUESTIONS = {
    "A property": ("no-negative-remainder", "c", REMAINDER.format("if (x < 0) return 0;"), REMAINDER.format("")),
    "A construct of C": ("unreach-call", "c", ASSEMBLY.format(1), ASSEMBLY.format(2)),
    "A function of the C library": ("unreach-call", "c", VOWEL.format("b"), VOWEL.format("e")),
    "A front end": ("assertions", "counting", "from 6 by 2", "from 5 by 2"),
}
ASKING = """
import json, sys
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.source import Source
from sorrel.process.pipeline import verify
from sorrel.process.request import request
for goal, path in json.loads(sys.argv[1]):
    (task,) = request([Source(path)], goal=goal).tasks
    print(verify(task, Options(budget=Budget(60))).answer.value)
"""


def add(root: Path, file: str, insertions: Insertions) -> None:
    path = root / file
    path.parent.mkdir(exist_ok=True)
    text = path.read_text(encoding="utf-8") if path.exists() else ""
    for before, inserted in insertions:
        assert text.count(before) == 1 or not before, (file, before)
        text = text.replace(before, inserted + before) if before else inserted
    path.write_text(text, encoding="utf-8")


@pytest.fixture(scope="module")
def answers(tmp_path_factory: pytest.TempPathFactory) -> dict[str, list[str]]:
    """What the copy says of each addition: of a program that is right, and of one that is not."""
    root = tmp_path_factory.mktemp("copy")
    shutil.copytree(ROOT / "src", root / "src")  # with what is compiled of it: times are copied, too
    for files in ADDED.values():
        for file, insertions in files.items():
            add(root, file, insertions)
    asked = []
    for number, (goal, suffix, *texts) in enumerate(QUESTIONS.values()):
        for which, text in enumerate(texts):
            path = root / f"program{number}{which}.{suffix}"
            path.write_text(text, encoding="utf-8")
            asked.append((goal, str(path)))
    environment = {**os.environ, "PYTHONPATH": str(root / "src")}
    command = [sys.executable, "-P", "-c", ASKING, json.dumps(asked)]
    done = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=300)
    assert done.returncode == 0, done.stderr
    said = iter(done.stdout.split())
    return {title: [next(said), next(said)] for title in QUESTIONS}


@pytest.mark.parametrize("title", ADDED)
def test_what_is_added_by_its_recipe_is_proved_and_refuted(title: str, answers: dict[str, list[str]]) -> None:
    assert answers[title] == ["safe", "unsafe"]


@pytest.mark.parametrize("title", ADDED)
def test_no_file_is_touched_that_the_recipe_does_not_name(title: str) -> None:
    touched = set(ADDED[title])
    assert len(touched) <= 4
    assert [file for file in touched if not file.startswith(tuple(places(RECIPES[title])))] == []
