"""Trees that copies of the process read are those that would be read here."""

from __future__ import annotations

import os
import pickle
import time

import pytest

from sorrel.frontends import c
from sorrel.frontends.c import reader
from sorrel.frontends.c.parsing.ahead import Bodies, Copies, Sent
from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.parsing.tree import TreeReader
from sorrel.frontends.c.syntax import Unit
from sorrel.model.errors import InputError
from sorrel.model.source import Source
from sorrel.program.program import Program

FILES = [
    Source(
        "main.c",
        text="""
struct pair { int first, second; };
extern int __VERIFIER_nondet_int(void);
enum colour { RED, GREEN = 5 };
int total(struct pair p); int least(int a, int b); int told(const char *s); int counted(int n); int old(int n);
static volatile int flag;
int main(void) {
  struct pair p = {__VERIFIER_nondet_int(), GREEN};
  int a[3] = {1, 2};
  for (int i = 0; i < 3; i++) a[i] += total(p);
  flag = 1;
  return least(a[0], counted(a[1])) + told("text") + old(RED);
}
""",
    ),
    Source(
        "pairs.c",
        text="""
struct pair { int first, second; };
int total(struct pair p) { return p.first + p.second; }
int least(int a, int b) { struct local { int x; } l = {a}; return l.x < b ? l.x : b; }
int elsewhere(int n) { switch (n) { case 1: return 2; default: goto out; } out: return ~n; }
""",
    ),
    Source(
        "rest.c",
        text="""
#include <assert.h>
int told(const char *s) { assert(s[0] == 't'); return sizeof(int) + (int)1.5; }
static int kept;
int counted(int n) { static int calls; volatile int v = n; do { calls++; } while (n-- > 0); kept = v; return calls; }
int old(int n) { return elsewhere(n) && !n; }
""",
    ),
]


def _program(fewest: int, monkeypatch: pytest.MonkeyPatch) -> Program:
    monkeypatch.setattr(reader, "MANY_FUNCTIONS", fewest)
    monkeypatch.setattr(os, "sched_getaffinity", lambda _: {0, 1, 2})
    with c.opened(FILES, c.CSettings()) as files:
        if fewest == 1:
            time.sleep(0.3)  # so that all of it is told before the first body is asked for
        return files.read(c.CSettings())


def test_a_program_does_not_depend_on_who_read_its_trees(monkeypatch: pytest.MonkeyPatch) -> None:
    taken: list[int] = []
    take = TreeReader.take_bodies

    def noted(self: TreeReader, sent: Bodies, unit: Unit) -> None:
        taken.append(len(sent))
        take(self, sent, unit)

    monkeypatch.setattr(TreeReader, "take_bodies", noted)
    here = _program(1000, monkeypatch)
    assert not taken
    assert _program(1, monkeypatch) == here
    assert sum(taken) == 6  # all but the one that calls a function that is not announced


def test_copies_that_do_not_live_to_tell_cost_nothing_but_time(monkeypatch: pytest.MonkeyPatch) -> None:
    here = _program(1000, monkeypatch)
    monkeypatch.setattr(Parser, "_bodies", lambda self, position: os._exit(3))
    assert _program(1, monkeypatch) == here


def test_what_cannot_be_read_is_told_only_if_it_is_needed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reader, "MANY_FUNCTIONS", 1)
    broken = Source(
        "other.c", text="void f(int *p) {} int odd(void) { int x __attribute__((cleanup(f))) = 1; return x; }"
    )
    for text, right in (
        ("int main(void) { return 0; }", True),
        ("int odd(void); int main(void) { return odd(); }", False),
    ):
        with c.opened([Source("main.c", text=text), broken], c.CSettings()) as files:
            if right:
                assert files.read(c.CSettings()).main == "main"
            else:
                with pytest.raises(InputError, match="cleanup"):
                    files.read(c.CSettings())


def test_messages_are_taken_as_they_come_and_none_that_is_cut_off() -> None:
    def bodies(position: int) -> dict[int, Sent]:
        if position == 1:
            os._exit(0)
        return {0: Sent(b"x" * 100_000, (position,), False)}

    copies = Copies(4, 1, bodies)
    found: list[int] = []
    deadline = time.monotonic() + 20
    while len(found) < 2 and time.monotonic() < deadline:
        found += [position for position, _ in copies.told()]
    time.sleep(0.05)
    assert found == [3, 2]
    assert list(copies.told()) == []
    copies.end()
    with pytest.raises(ChildProcessError):
        os.waitpid(-1, os.WNOHANG)


def test_what_is_sent_can_be_sent() -> None:
    assert pickle.loads(pickle.dumps(Sent(b"", (1,), True))) == Sent(b"", (1,), True)
