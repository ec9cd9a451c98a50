"""Encodings of programs written by hand: which predicates and clauses, and what comes back from evidence."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sorrel.encode.arithmetic import GROWING, Arithmetic
from sorrel.encode.body import MOST_STATES
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.points import Place
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions
from sorrel.engines.spacer import Spacer
from sorrel.evidence.certificate import check
from sorrel.evidence.result import Accepted
from sorrel.horn.clause import Role
from sorrel.horn.text import write_system
from sorrel.horn.verdict import Safe, Unsafe, Verdict
from sorrel.logic.printing_smtlib import smtlib
from sorrel.model.budget import Budget
from sorrel.model.errors import Span
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.program.construction import binary
from sorrel.program.expression import (
    Apply,
    Constant,
    Convert,
    Expression,
    Filled,
    Operator,
    Select,
    Store,
    Variable,
)
from sorrel.program.interpreter import run
from sorrel.program.program import Procedure, Program
from sorrel.program.run import Violated
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Call,
    Choice,
    Goto,
    Havoc,
    Return,
    Statement,
    Terminator,
)
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Machine, Type
from sorrel.program.validate import validate

INT, UNSIGNED, BYTE = Machine(32, True), Machine(32, False), Machine(8, False)
n, m, r, x, y, i, s, g, h = (Variable(name, INT) for name in "nmrxyisgh")


def number(value: int, type: Type = INT) -> Constant:
    return Constant(value, type)


def op(left: Expression | int, operator: str, right: Expression | int) -> Expression:
    """An operation in which a plain number has the type of the other side."""
    if isinstance(left, int):
        assert not isinstance(right, int)
        left = number(left, right.type)
    if isinstance(right, int):
        right = number(right, left.type)
    return binary(Operator(operator), left, right)


def block(label: str, *steps: Statement | Terminator) -> Block:
    *statements, terminator = steps
    return Block(label, tuple(statements), terminator)  # type: ignore[arg-type]


def main(*blocks: Block, locals: tuple[Variable, ...] = (n, m, r, x, y, i, s)) -> Procedure:
    return Procedure("main", (), (), locals, blocks, "start")


def program(*procedures: Procedure, globals: tuple[Variable, ...] = (), **initial: Constant) -> Program:
    made = Program(procedures, globals, initial)
    validate(made)
    return made


def solve(encoding: Encoding, seconds: float = 20) -> Verdict:
    verdict = Spacer(SpacerOptions()).solve(encoding.system, Circumstances(Budget(seconds=seconds).start()), {})
    if isinstance(verdict, Safe | Unsafe):
        assert isinstance(check(encoding.system, verdict), Accepted)
    return verdict


def replay(encoding: Encoding) -> object:
    verdict = solve(encoding)
    assert isinstance(verdict, Unsafe)
    return run(encoding.program, encoding.choices(verdict.derivation)).end


def arguments(encoding: Encoding, predicate: str) -> list[tuple[str, Role]]:
    return [(argument.name, argument.role) for argument in encoding.system.predicate[predicate].arguments]


F91 = Procedure(
    "f91",
    (n,),
    (r,),
    (m,),
    (
        block("start", Branch(op(n, ">", 100), "large", "small")),
        block("large", Assign(r, op(n, "-", 10)), Return()),
        block("small", Call("f91", (op(n, "+", 11),), (m,)), Call("f91", (m,), (r,)), Return()),
    ),
    "start",
    Span("f91.c", 3, 1),
)


def mccarthy(condition: Expression) -> Program:
    return program(F91, main(block("start", Havoc(x), Call("f91", (x,), (r,)), Assert(condition), Return())))


# Predicates


def test_a_procedure_is_one_predicate_with_roles_and_main_has_none() -> None:
    encoding = encode(mccarthy(op(r, ">=", 91)), Arithmetic.IDEAL)
    assert arguments(encoding, "f91") == [("n", Role.INPUT), ("r", Role.OUTPUT)]
    assert list(encoding.points) == ["f91"]
    assert [len(clause.body) for clause in encoding.system.clauses] == [0, 2, 1]


def counting(*body: Statement, check: Expression, before: tuple[Statement, ...] = ()) -> Program:
    return program(
        main(
            block("start", *before, Assign(i, number(0)), Goto("head")),
            block("head", Branch(op(i, "<", n), "body", "after")),
            block("body", *body, Assign(i, op(i, "+", 1)), Goto("head")),
            block("after", Assert(check), Return()),
        )
    )


def test_a_loop_head_speaks_of_what_matters_only() -> None:
    idle = Assign(s, op(s, "+", 2))  # counts, but nobody looks
    encoding = encode(counting(idle, check=op(i, ">=", 0), before=(Havoc(n),)), Arithmetic.IDEAL)
    ((name, point),) = encoding.points.items()
    assert point.place is Place.LOOP
    assert [argument for argument, _ in arguments(encoding, name)] == ["n", "i"]


def test_a_result_that_may_overflow_matters_where_ranges_do() -> None:
    idle = Assign(s, op(s, "+", 2))
    encoding = encode(counting(idle, check=op(i, ">=", 0), before=(Havoc(n),)), Arithmetic.RANGED)
    ((name, _),) = encoding.points.items()
    assert [argument for argument, _ in arguments(encoding, name)] == ["n", "i", "s"]


def test_a_bound_that_is_set_once_needs_no_place_in_the_invariant() -> None:
    encoding = encode(counting(check=op(i, "==", 10), before=(Assign(n, number(10)),)), Arithmetic.IDEAL)
    ((name, _),) = encoding.points.items()
    assert [argument for argument, _ in arguments(encoding, name)] == ["i"]
    assert isinstance(solve(encoding), Safe)


def summing() -> Procedure:
    return Procedure(
        "sum",
        (n,),
        (r,),
        (i,),
        (
            block("start", Assign(i, number(0)), Assign(r, number(0)), Goto("head")),
            block("head", Branch(op(i, "<", n), "body", "after")),
            block("body", Assign(i, op(i, "+", 1)), Assign(r, op(r, "+", i)), Goto("head")),
            block("after", Return()),
        ),
        "start",
        Span("sum.c", 1, 1),
    )


def test_an_input_that_does_not_change_has_one_place_in_the_invariant() -> None:
    asked = main(
        block("start", Havoc(x), Assume(op(x, ">=", 0)), Call("sum", (x,), (y,)), Assert(op(y, ">=", 0)), Return())
    )
    encoding = encode(program(summing(), asked), Arithmetic.IDEAL)
    names = [name for name in encoding.points if name != "sum"]
    assert [arguments(encoding, name) for name in names] == [
        [("n", Role.INPUT), ("r", Role.OUTPUT), ("i", Role.OUTPUT)]
    ]


def test_a_changed_parameter_is_in_the_invariant_as_it_was_and_as_it_is() -> None:
    down = Procedure(
        "down",
        (n,),
        (r,),
        (),
        (
            block("start", Assign(r, number(0)), Goto("head")),
            block("head", Branch(op(n, ">", 0), "body", "after")),
            block("body", Assign(n, op(n, "-", 1)), Assign(r, op(r, "+", 1)), Goto("head")),
            block("after", Return()),
        ),
        "start",
    )
    asked = main(block("start", Havoc(x), Call("down", (x,), (y,)), Assert(op(y, ">=", 0)), Return()))
    encoding = encode(program(down, asked), Arithmetic.IDEAL)
    (name,) = (name for name in encoding.points if name != "down")
    assert [argument for argument, _ in arguments(encoding, name)] == ["n.old", "n", "r"]
    verdict = solve(encoding)
    assert isinstance(verdict, Safe)
    (loop,) = (c for c in encoding.contracts(verdict.summaries) if c.kind is ContractKind.LOOP)
    assert all("n.old" not in conjunct for conjunct in loop.conjuncts)


def test_globals_that_are_never_written_are_constants() -> None:
    reader = Procedure("limit", (), (r,), (), (block("start", Assign(r, op(g, "+", 1)), Return()),), "start")
    asked = main(block("start", Call("limit", (), (x,)), Assert(op(x, "==", 8)), Return()))
    encoding = encode(program(reader, asked, globals=(g,), g=number(7)), Arithmetic.IDEAL)
    assert arguments(encoding, "limit") == [("r", Role.OUTPUT)]
    assert isinstance(solve(encoding), Safe)


def test_a_written_global_goes_in_only_if_its_old_value_matters() -> None:
    bump = Procedure(
        "bump", (), (), (), (block("start", Assign(g, op(g, "+", 1)), Assign(h, number(3)), Return()),), "start"
    )
    asked = main(block("start", Call("bump", (), ()), Assert(op(op(g, "+", h), "==", 4)), Return()))
    encoding = encode(program(bump, asked, globals=(g, h), g=number(0), h=number(0)), Arithmetic.RANGED)
    assert arguments(encoding, "bump") == [("g", Role.INPUT), ("g.new", Role.OUTPUT), ("h", Role.OUTPUT)]
    assert isinstance(solve(encoding), Safe)


def test_a_written_global_comes_out_only_if_some_caller_looks() -> None:
    bump = Procedure(
        "bump", (), (), (), (block("start", Assign(g, number(2)), Assign(h, number(3)), Return()),), "start"
    )
    asked = main(block("start", Call("bump", (), ()), Assert(op(h, "==", 3)), Return()))
    encoding = encode(program(bump, asked, globals=(g, h), g=number(0), h=number(0)), Arithmetic.RANGED)
    assert arguments(encoding, "bump") == [("h", Role.OUTPUT)]
    assert isinstance(solve(encoding), Safe)


def test_names_that_the_logic_has_already_are_not_taken() -> None:
    own = Procedure(
        "abs",
        (Variable("select", INT),),
        (r,),
        (),
        (block("start", Assign(r, Variable("select", INT)), Return()),),
        "start",
    )
    asked = main(block("start", Havoc(x), Call("abs", (x,), (r,)), Assert(op(r, "==", x)), Return()))
    encoding = encode(program(own, asked), Arithmetic.IDEAL)
    assert "(declare-fun abs " not in write_system(encoding.system)
    assert isinstance(solve(encoding), Safe)


# Clauses


def diamonds(count: int, calls: bool, wanted: str = "<=") -> Program:
    """Choices one after the other; with or without a call on one side of each."""
    touch = Procedure("touch", (x,), (r,), (), (block("start", Assign(r, x), Return()),), "start")
    blocks = [block("start", Assign(s, number(0)), Goto("if0"))]
    for k in range(count):
        inside: Statement = Call("touch", (op(s, "+", 1),), (s,)) if calls else Assign(s, op(s, "+", 1))
        blocks += [
            block(f"if{k}", Havoc(x), Branch(op(x, ">", 0), f"then{k}", f"if{k + 1}")),
            block(f"then{k}", inside, Goto(f"if{k + 1}")),
        ]
    blocks.append(block(f"if{count}", Assert(op(s, wanted, count)), Return()))
    return program(touch, main(*blocks))


def test_paths_without_calls_are_one_clause() -> None:
    encoding = encode(diamonds(12, calls=False), Arithmetic.IDEAL)
    assert not encoding.system.clauses  # intervals see that the sum is at most the number of choices
    encoding = encode(diamonds(12, calls=False, wanted="!="), Arithmetic.IDEAL)
    assert len(encoding.system.clauses) == 1
    assert isinstance(replay(encoding), Violated)


def test_too_many_sequences_of_calls_meet_at_a_cut_point() -> None:
    encoding = encode(diamonds(12, calls=True), Arithmetic.IDEAL)
    assert len(encoding.system.clauses) < 12 * MOST_STATES
    assert {point.place for point in encoding.points.values()} == {Place.FUNCTION, Place.JOIN}
    verdict = solve(encoding)
    assert isinstance(verdict, Safe)
    assert {contract.kind for contract in encoding.contracts(verdict.summaries)} == {ContractKind.FUNCTION}


def test_a_counterexample_through_merged_paths_replays() -> None:
    assert isinstance(replay(encode(diamonds(4, calls=True, wanted="!="), Arithmetic.RANGED)), Violated)


def test_a_failure_in_a_callee_is_passed_on_with_its_place() -> None:
    guarded = Procedure(
        "guarded",
        (n,),
        (r,),
        (),
        (block("start", Assert(op(n, ">", 0), span=Span("a.c", 7, 3)), Assign(r, n), Return()),),
        "start",
    )
    middle = Procedure(
        "middle", (n,), (r,), (), (block("start", Call("guarded", (op(n, "-", 1),), (r,)), Return()),), "start"
    )
    asked = main(
        block("start", Havoc(x), Assume(op(x, ">", 1)), Call("middle", (x,), (y,), Span("a.c", 20, 1)), Return())
    )
    encoding = encode(program(guarded, middle, asked), Arithmetic.IDEAL)
    assert arguments(encoding, "middle")[-1] == ("ok", Role.OK)
    assert [clause.origin.line for clause in encoding.system.queries] == [20]
    verdict = solve(encoding)
    assert isinstance(verdict, Safe)
    contracts = {contract.procedure: contract for contract in encoding.contracts(verdict.summaries)}
    assert contracts["guarded"].requires == ("n >= 1",)
    assert contracts["middle"].requires == ("n >= 2",)


def test_main_may_be_called_too() -> None:
    again = main(
        block("start", Branch(op(g, "<", 3), "more", "done")),
        block("more", Assign(g, op(g, "+", 1)), Call("main", (), ()), Goto("done")),
        block("done", Assert(op(g, "<=", 3)), Return()),
    )
    assert isinstance(solve(encode(program(again, globals=(g,), g=number(0)), Arithmetic.RANGED)), Safe)


# Arithmetic


def unsigned_step(operator: str) -> str:
    u = Variable("u", UNSIGNED)
    asked = main(block("start", Havoc(u), Assign(u, op(u, operator, 1)), Assert(op(u, "!=", 5)), Return()), locals=(u,))
    return smtlib(encode(program(asked), Arithmetic.IDEAL).system.clauses[0].constraint)


def test_unsigned_arithmetic_wraps_by_comparison() -> None:
    assert "mod" not in unsigned_step("+")
    assert "(ite (<= 4294967295 u)" in unsigned_step("+")


def test_unsigned_arithmetic_that_cannot_wrap_has_no_cases() -> None:
    u = Variable("u", UNSIGNED)
    asked = main(
        block("start", Havoc(u), Assume(op(u, "<", 10)), Assign(u, op(u, "+", 1)), Assert(op(u, "<", 11)), Return()),
        locals=(u,),
    )
    assert not encode(program(asked), Arithmetic.IDEAL).system.clauses  # decided by intervals alone


def overflowing() -> Program:
    return program(main(block("start", Havoc(x), Assign(y, op(x, "+", 1)), Assert(op(y, ">", x)), Return())))


@pytest.mark.parametrize("arithmetic", GROWING)
def test_a_signed_result_out_of_range_is_not_a_counterexample(arithmetic: Arithmetic) -> None:
    assert isinstance(solve(encode(overflowing(), arithmetic)), Safe)


@pytest.mark.parametrize("arithmetic", [Arithmetic.WRAPPED, Arithmetic.WRAPPED_BITS])
def test_a_signed_result_out_of_range_is_one_where_it_wraps(arithmetic: Arithmetic) -> None:
    assert isinstance(solve(encode(overflowing(), arithmetic)), Unsafe)


@pytest.mark.parametrize("arithmetic", [Arithmetic.RANGED, Arithmetic.EXACT])
def test_unsigned_overflow_is_one(arithmetic: Arithmetic) -> None:
    u, v = Variable("u", BYTE), Variable("v", BYTE)
    asked = main(block("start", Havoc(u), Assign(v, op(u, "+", 1)), Assert(op(v, ">", u)), Return()), locals=(u, v))
    encoding = encode(program(asked), arithmetic)
    verdict = solve(encoding)
    assert isinstance(verdict, Unsafe)
    assert encoding.choices(verdict.derivation) == [255]


def test_bits_of_two_variables_are_marked_as_an_abstraction() -> None:
    asked = main(block("start", Havoc(x), Havoc(y), Assert(op(op(x, "&", y), "!=", 4)), Return()))
    encoding = encode(program(asked), Arithmetic.RANGED)
    assert set(encoding.abstractions) == {clause.name for clause in encoding.system.queries}
    assert not encode(program(asked), Arithmetic.EXACT).abstractions


def test_an_abstracted_value_is_marked_too() -> None:
    asked = main(block("start", Havoc(x, Choice.ABSTRACTION, "a float"), Assert(op(x, "!=", 4)), Return()))
    assert encode(program(asked), Arithmetic.IDEAL).abstractions == {"main#0": ("a float",)}


@pytest.mark.parametrize("arithmetic", list(Arithmetic))
def test_arrays_are_followed_and_replayed(arithmetic: Arithmetic) -> None:
    a = Variable("a", Array(INT))
    asked = main(
        block(
            "start",
            Havoc(a),
            Havoc(i),
            Assign(a, Store(a, i, number(7), a.type)),
            Assert(op(Select(a, op(Convert(i, UNBOUNDED), "+", 1), INT), "!=", 9)),
            Return(),
        ),
        locals=(a, i),
    )
    assert isinstance(replay(encode(program(asked), arithmetic)), Violated)


def test_a_table_that_never_changes_is_known_in_every_procedure() -> None:
    table = Variable("table", Array(INT))
    initial = Store(Filled(number(0), table.type), number(2, UNBOUNDED), number(5), table.type)
    reader = Procedure("look", (n,), (r,), (), (block("start", Assign(r, Select(table, n, INT)), Return()),), "start")
    asked = main(block("start", Call("look", (number(2),), (x,)), Assert(op(x, "==", 5)), Return()))
    made = Program((reader, asked), (table,), {"table": initial})
    encoding = encode(made, Arithmetic.IDEAL)
    assert arguments(encoding, "look") == [("n", Role.INPUT), ("r", Role.OUTPUT)]
    assert isinstance(solve(encoding), Safe)


@pytest.mark.parametrize("arithmetic", [Arithmetic.RANGED, Arithmetic.EXACT])
def test_uninterpreted_functions_are_asked_once_for_each_argument(arithmetic: Arithmetic) -> None:
    twice = op(Apply("f", (x,), INT), "-", Apply("f", (y,), INT))
    asked = main(
        block("start", Havoc(x), Havoc(y), Assume(op(x, "==", 1)), Assign(s, twice), Assert(op(s, "!=", 3)), Return())
    )
    assert isinstance(replay(encode(program(asked), arithmetic)), Violated)


def test_an_uninterpreted_function_is_one_function_along_a_path() -> None:
    first, second = Apply("f", (x,), INT), Apply("f", (y,), INT)
    same = main(
        block("start", Havoc(x), Assign(s, first), Assume(op(x, "==", y)), Branch(op(s, ">", 0), "more", "less")),
        block("more", Assert(op(second, ">", 0)), Return()),
        block("less", Assert(op(second, "<=", 0)), Return()),
    )
    assert isinstance(solve(encode(program(same), Arithmetic.IDEAL)), Safe)
    other = main(block("start", Havoc(x), Havoc(y), Assign(s, first), Assert(op(s, "==", second)), Return()))
    assert isinstance(replay(encode(program(other), Arithmetic.IDEAL)), Violated)


# Choices


def test_choices_come_in_the_order_of_execution() -> None:
    """Globals, then open starts, then havocs, with those of a callee where it is called."""
    asks = Procedure("asks", (), (r,), (), (block("start", Havoc(r), Assume(op(r, "==", 3)), Return()),), "start")
    wanted = op(op(op(g, "==", 1), "&&", op(op(x, "==", 2), "&&", op(y, "==", 3))), "&&", op(s, "==", 4))
    refuted = main(
        block(
            "start",
            Call("asks", (), (y,)),
            Havoc(s),
            Assume(wanted),
            Assert(Constant(False, BOOLEAN)),
            Return(),
        )
    )
    encoding = encode(program(asks, refuted, globals=(g,)), Arithmetic.RANGED)
    verdict = solve(encoding)
    assert isinstance(verdict, Unsafe)
    assert encoding.choices(verdict.derivation) == [1, 2, 3, 4]


# Contracts


def contract(encoding: Encoding, procedure: str) -> ProgramContract:
    verdict = solve(encoding)
    assert isinstance(verdict, Safe)
    return next(c for c in encoding.contracts(verdict.summaries) if c.procedure == procedure)


@pytest.mark.parametrize("arithmetic", [Arithmetic.IDEAL, Arithmetic.RANGED])
def test_the_contract_of_mccarthy_91_has_two_cases(arithmetic: Arithmetic) -> None:
    exact = op(
        op(op(x, "<=", 100), "==>", op(r, "==", 91)), "&&", op(op(x, ">", 100), "==>", op(r, "==", op(x, "-", 10)))
    )
    found = contract(encode(mccarthy(exact), arithmetic), "f91")
    assert found.conjuncts == ("\\result == (n <= 100 ? 91 : n - 10)",)
    assert found.span == Span("f91.c", 3, 1)


def test_a_contract_speaks_of_old_and_new_globals() -> None:
    bump = Procedure("bump", (n,), (), (), (block("start", Assign(g, op(g, "+", n)), Return()),), "start")
    asked = main(block("start", Havoc(x), Call("bump", (x,), ()), Assert(op(g, "==", op(x, "+", 5))), Return()))
    encoding = encode(program(bump, asked, globals=(g,), g=number(5)), Arithmetic.IDEAL)
    conjuncts = contract(encoding, "bump").conjuncts
    assert conjuncts
    assert all("\\old(g)" in each and "g " in each.replace("\\old(g)", "") for each in conjuncts)


def test_names_of_ours_are_not_told() -> None:
    hidden = Variable("t.1", INT)
    shown = Variable("k.2", INT)
    asked = replace(
        main(
            block("start", Assign(hidden, number(0)), Assign(shown, number(0)), Havoc(n), Goto("head")),
            block("head", Branch(op(shown, "<", n), "body", "after")),
            block("body", Assign(shown, op(shown, "+", 1)), Assign(hidden, op(hidden, "+", 1)), Goto("head")),
            block("after", Assert(op(hidden, "==", shown)), Return()),
            locals=(n, hidden, shown),
        ),
        source_names={"k.2": "k"},
    )
    encoding = encode(program(asked), Arithmetic.IDEAL)
    verdict = solve(encoding)
    assert isinstance(verdict, Safe)
    told = [conjunct for each in encoding.contracts(verdict.summaries) for conjunct in each.conjuncts]
    assert not any("." in conjunct for conjunct in told)


def test_ranges_of_types_are_not_told() -> None:
    u = Variable("u", UNSIGNED)
    same = Procedure(
        "same",
        (u,),
        (Variable("v", UNSIGNED),),
        (),
        (block("start", Assign(Variable("v", UNSIGNED), u), Return()),),
        "start",
    )
    asked = main(block("start", Havoc(u), Call("same", (u,), (u,)), Assert(op(u, ">=", 0)), Return()), locals=(u,))
    encoding = encode(program(same, asked), Arithmetic.RANGED)
    _, formal = encoding.system.predicate["same"].formals
    (found,) = encoding.contracts({"same": formal >= 0})
    assert found.conjuncts == ()
