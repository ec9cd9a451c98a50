"""Following all runs: safe if none fails and none was left out, and not if somebody only says so."""

from __future__ import annotations

import pytest

from asking import verified
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.unrolling import Unrolled, unrolled
from sorrel.evidence.door import AllRuns, accept
from sorrel.evidence.effort import Effort
from sorrel.methods.reading import checked
from sorrel.model.budget import Budget
from sorrel.model.errors import InputError
from sorrel.model.options import Options
from sorrel.model.outcome import Answer, Cause, Outcome, Standing
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.process.request import request
from sorrel.program.cutting import Cut
from sorrel.program.expression import Binary, Constant, Operator
from sorrel.program.statement import Assert
from sorrel.program.text import read
from sorrel.program.types import BOOLEAN
from sorrel.smt.word_solver import WordSolver

HEADER = """#include <assert.h>
extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);
"""
CODE = (
    HEADER
    + """
static const char digits[] = "0123456789abcdef";
static int back(char c) { return c <= '9' ? c - '0' : c - 'a' + 10; }
static int nested(int n) { return n <= 0 ? 0 : 1 + nested(n - 1); }
int main(void) {
    unsigned char bytes[4], again[4];
    char text[9];
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 4) return 0;
    for (int i = 0; i < n; i++) {
        bytes[i] = __VERIFIER_nondet_uchar();
        text[2 * i] = digits[bytes[i] >> 4];
        text[2 * i + 1] = digits[bytes[i] & 15];
    }
    for (int i = 0; i < n; i++)
        again[i] = (unsigned char)(back(text[2 * i]) * 16 + back(text[2 * i + 1]));
    for (int i = 0; i < n; i++)
        assert(again[i] == bytes[i]);
    assert(nested(n) == n);
    return 0;
}
"""
)


FIELDS = (
    HEADER
    + """
int main(void) {
    unsigned char text[12];
    int n = __VERIFIER_nondet_int(), i = 0, sum = 0;
    if (n < 0 || n > 12) return 0;
    for (int k = 0; k < n; k++)
        text[k] = __VERIFIER_nondet_uchar();
    while (i < n) {
        int length = text[i] % 5;
        if (length == 0 || length > n - i) length = 1;
        for (int k = 0; k < length; k++)
            sum += text[i + k];
        i += length;
    }
    assert(sum >= 0);
    return 0;
}
"""
)


COLLECTED = (
    HEADER
    + """
int main(void) {
    char out[5];
    int n = 0;
    for (int i = 0; i < 12; i++) {
        int c = __VERIFIER_nondet_int();
        if (c == ' ') continue;
        if (n == 5) return 1;
        out[n++] = 'x';
    }
    assert(n <= ROOM);
    return 0;
}
"""
)


def test_a_count_that_is_not_the_end_is_before_it_also_as_a_choice_among_numbers() -> None:
    """So that the accesses are no part of the last question."""
    (task,) = request([Source(text=COLLECTED.replace("ROOM", "5"))], goal="valid-memsafety").tasks
    program = checked(task)
    runs = Unrolled()
    assert unrolled(program, False, runs, lambda _: True, lambda: True)
    assert not runs.failed
    assert verified(COLLECTED.replace("ROOM", "5"), engine="unrolling").answer is Answer.SAFE
    assert verified(COLLECTED.replace("ROOM", "4"), engine="unrolling").answer is Answer.UNSAFE


def test_an_index_that_what_is_left_bounds_is_within_the_text() -> None:
    assert verified(FIELDS, goal="valid-memsafety", engine="unrolling").answer is Answer.SAFE


@pytest.mark.parametrize(
    ("right", "wrong"),
    [pytest.param("length > n - i", "length > n - i + 1", marks=pytest.mark.long), ("length > n - i", "0")],
)
def test_an_index_that_is_not_is_shown_by_a_run(right: str, wrong: str) -> None:
    outcome = verified(FIELDS.replace(right, wrong), goal="valid-memsafety", engine="unrolling")
    assert outcome.answer is Answer.UNSAFE


@pytest.mark.parametrize("goal", [pytest.param("assertions", marks=pytest.mark.long), "valid-memsafety", "no-overflow"])
def test_what_is_encoded_and_decoded_again_is_the_same(goal: str) -> None:
    outcome = verified(CODE, goal=goal, engine="unrolling")
    assert outcome.answer is Answer.SAFE
    assert outcome.decided_by == "all runs followed"
    assert [each.checker for each in outcome.confirmations] == ["Bitwuzla"]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        (">> 4", ">> 5"),
        pytest.param("c - 'a' + 10", "c - 'a' + 9", marks=pytest.mark.long),
        pytest.param("n > 4", "n > 5", marks=pytest.mark.long),
        ("1 + nested(n - 1)", "1 + nested(n - 2)"),
    ],
)
def test_a_mistake_is_shown_by_a_run(right: str, wrong: str) -> None:
    goal = "valid-memsafety" if right == "n > 4" else "assertions"
    outcome = verified(CODE.replace(right, wrong), goal=goal, engine="unrolling")
    assert outcome.answer is Answer.UNSAFE
    assert outcome.violation is not None


def test_a_loop_without_an_end_is_not_called_safe() -> None:
    text = (
        HEADER + "int main(void) { unsigned x = 1; while (__VERIFIER_nondet_int()) x *= 3; assert(x % 2); return 0; }"
    )
    outcome = verified(text, engine="unrolling", timeout=1.0)
    assert outcome.answer is Answer.UNKNOWN


def _asked(text: str) -> Outcome:
    options = Options(budget=Budget(seconds=20))
    effort = Effort(options, options.budget.start(), lambda _: None)
    task = Task((Source("program.sorrel", text),))
    return accept(AllRuns(read(text, "program.sorrel"), task, Arithmetic.EXACT), effort)


GROWING = """procedure main() {
  local x: int;
  local i: u8;
start:
  x = 1;
  i = 0u8;
  goto head;
head:
  if i < LIMITu8 goto body else done;
body:
  x = x * 3;
  i = i + 1u8;
  goto head;
done:
  assert x > 0;
  return;
}
"""


def test_time_passes_in_a_loop_that_does_nothing() -> None:
    spin = "void spin(void) { for (;;) ; } "
    text = (
        f"{HEADER}{spin}int main(void) {{ int n = __VERIFIER_nondet_int(); if (n) spin(); assert(n == 0); return 0; }}"
    )
    outcome = verified(text, engine="unrolling", timeout=0.5)
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is not Cause.INTERNAL


def test_numbers_that_outgrow_their_bits_are_not_taken_for_what_is_left_of_them() -> None:
    assert _asked(GROWING.replace("LIMIT", "20")).answer is Answer.SAFE
    outcome = _asked(GROWING.replace("LIMIT", "60"))
    assert outcome.answer is Answer.UNKNOWN
    assert outcome.reason is not None
    assert outcome.reason.cause is Cause.INCOMPLETE


def test_numbers_of_more_bits_are_refused_wherever_they_stand() -> None:
    start = "procedure main() { local x: int; local y: i64; start: havoc y input; "
    large = str(1 << 90)
    for value in (large, "int(i128(y) * i128(y))", f"y > 0i64 ? {large} : 1"):
        outcome = _asked(f"{start}x = {value}; assert x == 0; return; }}")
        assert outcome.answer is not Answer.SAFE
        assert outcome.reason is not None
        assert outcome.reason.cause is Cause.UNSUPPORTED


def test_numbers_of_any_size_are_compared_as_what_they_are() -> None:
    larger = "procedure main() { local x: int; local y: int; start: havoc x input; havoc y input; assume x < y; assert "
    assert _asked(larger + "x != y; return; }").answer is Answer.SAFE
    assert _asked(larger + "y != 5; return; }").answer is Answer.UNSAFE
    assert _asked(larger + "x + 1 <= y; return; }").answer is Answer.UNKNOWN


def test_runs_that_somebody_calls_impossible_are_left_out_and_found_again() -> None:
    text = GROWING.replace("LIMIT", "20").replace("local i", "local more: bool;\n  local i")
    text = text.replace("body:\n", "body:\n  havoc more input;\n  if more goto on else done;\non:\n")
    program = read(text, "program.sorrel")
    runs = Unrolled()
    assert unrolled(program, False, runs, lambda _: False, lambda: True)
    assert runs.left_out
    solver = WordSolver()
    solver.add(runs.left_out[0].guard)
    assert solver.ask([], lambda: False)


ROUNDS = (
    HEADER
    + """
int main(void) {
    int ring[8], count = 0, first = 0;
    for (int i = 0; i < 8; i++) ring[i] = 0;
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        if (value > 0 && value < 50 && count < 8) {
            ring[(first + count) % 8] = value;
            count++;
        } else if (count > 0) {
            int sum = 1000;
            for (int i = 0; i < count; i++) sum += ring[(first + i) % 8];
            assert(sum < 1500);
            first = (first + 1) % 8;
            count--;
        }
    }
    assert(count <= 8);
    return 0;
}
"""
)


@pytest.mark.parametrize(
    "goal",
    [
        pytest.param("assertions", marks=pytest.mark.long),
        pytest.param("valid-memsafety", marks=pytest.mark.long),
        "no-overflow",
    ],
)
def test_a_loop_without_an_end_is_safe_if_facts_are_found_that_every_round_keeps(goal: str) -> None:
    outcome = verified(ROUNDS, goal=goal, engine="unrolling", timeout=20.0)
    assert outcome.answer is Answer.SAFE
    assert not [each for each in outcome.assumptions if each.needed and each.standing is Standing.OPEN]


@pytest.mark.parametrize(
    ("right", "wrong"), [("count < 8", "count < 9"), pytest.param("value < 50", "value < 80", marks=pytest.mark.long)]
)
def test_no_facts_make_a_wrong_loop_safe(right: str, wrong: str) -> None:
    assert verified(ROUNDS.replace(right, wrong), engine="unrolling", timeout=1.5).answer is not Answer.SAFE


COUNTING = """procedure main() {
  local x: i32;
  local more: bool;
start:
  x = 0i32;
  goto head;
head:
  havoc more input;
  if more goto body else done;
body:
  x = x < 10i32 ? x + 1i32 : 0i32;
  goto head;
done:
  assert x <= 10i32;
  return;
}
"""


def _with_claim(text: str, claim: str, label: str = "head", more: int = 0) -> Outcome:
    """What evidence says of a loop for which somebody claims a condition on x, or on a number that is more."""
    program = read(text, "program.sorrel")
    (x, *_) = program.procedure["main"].variables
    sign, number = claim.split()
    left = Binary(Operator.ADD, x, Constant(more, x.type), x.type) if more else x
    fact = Binary(Operator(sign), left, Constant(int(number), x.type), BOOLEAN)
    options = Options(budget=Budget(seconds=20))
    effort = Effort(options, options.budget.start(), lambda _: None)
    task = Task((Source("program.sorrel", text),))
    cut = Cut(label, (), ((fact,),))
    return accept(AllRuns(program, task, Arithmetic.EXACT, (cut,)), effort)


def test_one_round_stands_for_all_only_with_facts_that_hold_before_and_after_it() -> None:
    assert _with_claim(COUNTING, "<= 10").answer is Answer.SAFE
    for claim in ("<= 9", ">= 1", "<= 11"):  # a round breaks it, it does not hold at the start, it is not enough
        assert _with_claim(COUNTING, claim).answer is Answer.UNKNOWN
    assert _with_claim(COUNTING, "<= 10", label="body").answer is Answer.UNKNOWN


def test_what_a_round_changes_is_seen_and_not_believed() -> None:
    """The claim says that nothing changes; and a loop that is entered behind its head is not cut."""
    assert _with_claim(COUNTING.replace("assert x <= 10i32", "assert x == 0i32"), "<= 10").answer is Answer.UNKNOWN
    entered = COUNTING.replace("  goto head;\nhead:", "  havoc more input;\n  if more goto body else head;\nhead:", 1)
    assert _with_claim(entered, "<= 10").answer is Answer.UNKNOWN


def test_a_claim_that_computes_is_refused() -> None:
    """x + 2147483647 has no value but for x = 0: to suppose that it has one would leave out all other runs."""
    assert (
        _with_claim(COUNTING.replace("assert x <= 10i32", "assert x == 0i32"), ">= 0", more=2**31 - 1).answer
        is Answer.UNKNOWN
    )


SHARED = """procedure main() {
  local x: i32;
  local y: i32;
  local n: i32;
  local used: [bool];
  local size: [u8];
  local more: bool;
start:
  x = 0i32;
  y = 0i32;
  n = 0i32;
  used = filled(false);
  havoc size uninitialised "size";
  goto head;
head:
  havoc more input;
  if more && n < 100i32 goto body else done;
body:
  havoc more input;
  x = more ? x + 1i32 : x;
  y = more ? y : y + 1i32;
  n = n + 1i32;
  used = used[n % 2i32 := true];
  size = size[n % 2i32 := 7u8];
  goto head;
done:
  assert CLAIMED;
  return;
}
"""


def _with_claims(claimed: str, *claims: str) -> Outcome:
    """What evidence says if `claims` are claimed of every round, and something is asserted after the last one."""
    text = SHARED.replace("CLAIMED", claimed)
    program = read(text, "program.sorrel")
    facts = []
    for claim in claims:  # read where it may stand in a program
        (statement,) = [
            each
            for block in read(SHARED.replace("CLAIMED", claim), "claim.sorrel").procedure["main"].blocks
            for each in block.statements
            if isinstance(each, Assert)
        ]
        facts.append((statement.condition,))
    options = Options(budget=Budget(seconds=20))
    effort = Effort(options, options.budget.start(), lambda _: None)
    task = Task((Source("program.sorrel", text),))
    return accept(AllRuns(program, task, Arithmetic.EXACT, (Cut("head", (), tuple(facts)),)), effort)


COUNTED = ("x >= 0i32 && y >= 0i32", "int(x) + int(y) == int(n)", "n <= 100i32")


def test_sums_and_clauses_stand_for_what_every_round_keeps() -> None:
    assert _with_claims("x <= 100i32", *COUNTED).answer is Answer.SAFE
    assert _with_claims("used[1i32] ==> size[1i32] == 7u8", "used[1i32] ==> size[1i32] == 7u8").answer is Answer.SAFE
    counts = "(used[0i32] ? 1 : 0) + (used[1i32] ? 1 : 0) <= 2"
    assert _with_claims(counts, counts).answer is Answer.SAFE


@pytest.mark.parametrize(
    "claims",
    [
        ("n <= 100i32",),  # not enough
        (COUNTED[0], "int(x) + int(y) <= int(n) - 1", COUNTED[2]),  # wrong at the start
        (COUNTED[0], "int(x) == int(y)", COUNTED[2]),  # right at the start alone
        (*COUNTED, "more ==> int(x) + int(x) <= int(n)"),  # about what is not there at the head
        ("x + y == n", COUNTED[2]),  # has no value in some states, which would be left out
        ("x - y <= n", COUNTED[2]),
        ("n > 0i32 ==> x / n <= 1i32", COUNTED[2]),
        ("-x <= 0i32", COUNTED[2]),
        ("more ==> x * x >= 0i32", COUNTED[2]),
        ("int(x) << 1 == int(x)", COUNTED[2]),
    ],
)
def test_claims_that_some_round_breaks_or_some_state_gives_no_value_are_refused(claims: tuple[str, ...]) -> None:
    try:
        outcome = _with_claims("x <= 99i32" if claims[1:] and claims[0] == COUNTED[0] else "x <= 50i32", *claims)
    except InputError:
        return  # what is no expression cannot be claimed
    assert outcome.answer is Answer.UNKNOWN


def test_a_false_clause_about_elements_is_refused() -> None:
    for claim in ("size[1i32] == 7u8", "!used[1i32] ==> size[1i32] == 7u8", "used[0i32] ==> size[1i32] == 7u8"):
        assert _with_claims("used[1i32] ==> size[1i32] == 7u8", claim).answer is Answer.UNKNOWN


def test_a_sum_outside_of_the_numbers_that_are_followed_proves_nothing() -> None:
    """The product of large numbers leaves them: such runs count as left out, whatever is claimed of them."""
    huge = " * ".join(["(int(x) + 1000000000000)"] * 3)
    assert _with_claims("x <= 50i32", f"{huge} >= 0", COUNTED[2]).answer is Answer.UNKNOWN


TABLE = (
    HEADER
    + """
int main(void) {
    int id[4], tokens[4], used = 0, put = 0, taken = 0;
    for (int i = 0; i < 4; i++) id[i] = 0;
    while (put < 1000 && __VERIFIER_nondet_int()) {
        int i = __VERIFIER_nondet_int(), n = __VERIFIER_nondet_int();
        if (i < 0 || i >= 4) continue;
        if (id[i] == 0 && n > 0 && n < 30) {
            id[i] = 1; tokens[i] = n; used++; put++;
        } else if (id[i] != 0) {
            assert(tokens[i] < 30);
            id[i] = 0; used--; taken++;
        }
        assert(used == put - taken);
        assert(used <= 4);
    }
    return 0;
}
"""
)


@pytest.mark.parametrize("goal", ["assertions", pytest.param("no-overflow", marks=pytest.mark.long)])
def test_elements_in_use_are_bounded_and_counted(goal: str) -> None:
    outcome = verified(TABLE, goal=goal, engine="unrolling", timeout=30.0)
    assert outcome.answer is Answer.SAFE
    assert not [each for each in outcome.assumptions if each.needed and each.standing is Standing.OPEN]


@pytest.mark.parametrize(
    ("right", "wrong"),
    [
        ("used <= 4", "used < 4"),
        pytest.param("n < 30)", "n < 31)", marks=pytest.mark.long),
        pytest.param("used--; ", "", marks=pytest.mark.long),
    ],
)
def test_no_count_makes_a_wrong_table_safe(right: str, wrong: str) -> None:
    assert verified(TABLE.replace(right, wrong), engine="unrolling", timeout=2.0).answer is not Answer.SAFE
