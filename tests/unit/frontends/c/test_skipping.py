"""A jump past a declaration: the variable has no value, whatever it had in an earlier execution of its block."""

from __future__ import annotations

import pytest

from c_execution import executed, interpreted, program_of, require_compiler
from sorrel.program.interpreter import NOBODYS, run
from sorrel.program.run import Finished, Starved

_LOST = {
    "in a loop": "for (k = 0; k < 2; k++) { if (k) goto past; int x = 7; past: r += x; }",
    "by a switch": "for (k = 0; k < 2; k++) switch (k) { int x; case 0: x = 7; default: r += x; }",
    "into a block": "{ goto in; } again: { int x = 7; in: r += x; } if (k++ < 1) goto in;",
    "from a block that ended": "for (k = 0; k < 2; k++) { { if (k) goto in; } { int x = 7; in: r += x; } }",
    "in a block in a loop": "while (k < 2) { if (k == 1) goto past; int x = 7; { past: r += x; } k++; }",
    "what pointers lead to": "for (k = 0; k < 2; k++) { if (k) goto past; int x = 7; int *p; past: p = &x; r += *p; }",
    "a member": "for (k = 0; k < 2; k++) { if (k) goto past; struct { int a, b; } x = { 7, 8 }; past: r += x.b; }",
}
_KEPT = {
    "a jump back within the block": "{ int x = 7; back: r += x; x++; if (k++ < 2) goto back; }",
    "a jump behind the declaration": "{ int x = 7; if (k == 0) goto out; x = 1; out: r += x; }",
    "a jump out of a loop": "int x = 7; for (;;) { if (k++ > 3) goto out; x += k; } out: r = x;",
    "a case before the declaration": "switch (k) { case 0: { int x = 7; r = x; break; } default: r = 1; }",
    "jumps inside of a statement expression": "r = ({ int x = 3; again: x++; if (x < 9) goto again; x; });",
    "a jump back to before the declaration": "back: { int x = 5 + k; if (k++ < 2) goto back; r = x; }",
    "assigned after the jump": "for (k = 0; k < 2; k++) { if (k) goto past; int x = 7; past: x = k; r += x; }",
    "a device": "int n = 5; switch (n % 2) { case 0: do { int x = 0; r++; case 1: x = 1; r += x; } while (--n > 0); }",
}


def _program(body: str) -> str:
    return f"int main(void) {{ int k = 0, r = 0; {body} return r; }}"


@pytest.mark.parametrize("body", _LOST.values(), ids=_LOST)
def test_a_variable_whose_declaration_was_passed_over_has_no_value(body: str) -> None:
    assert isinstance(run(program_of(_program(body)), indeterminate=NOBODYS).end, Starved)


@pytest.mark.parametrize("body", _KEPT.values(), ids=_KEPT)
def test_a_variable_keeps_its_value_as_long_as_its_block_is_not_left(body: str) -> None:
    require_compiler()
    text = _program(body)
    assert interpreted(program_of(text)) == executed(text)
    assert isinstance(run(program_of(text), indeterminate=NOBODYS).end, Finished)
