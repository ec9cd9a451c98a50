"""What an observer of time sees, as observations: steps, branches, and the elements that are accessed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from sorrel.program.construction import binary, negation, zero
from sorrel.program.expression import (
    CONNECTIVES,
    Binary,
    Conditional,
    Constant,
    Expression,
    Operator,
    Select,
    Store,
    Variable,
)
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Branch, Call, Observe, Purpose, Return, Statement, Terminator
from sorrel.program.traversal import expressions, operands
from sorrel.program.types import UNBOUNDED

STEPS = Variable("steps.taken", UNBOUNDED)
BRANCHES = "the two runs take different branches"
ELEMENTS = "the runs access different elements"
STEP_COUNTS = "the runs take different numbers of steps"


def only(program: Program, *purposes: Purpose) -> Program:
    """The program with the observations of these purposes."""

    def kept(block: Block) -> Block:
        wanted = (s for s in block.statements if not isinstance(s, Observe) or s.purpose in purposes)
        return replace(block, statements=tuple(wanted))

    return _with_blocks(program, kept)


def traced(program: Program) -> Program:
    """Conditions that are branched on and indices of elements are compared, where they are evaluated.

    Runs that agree on all of them stay together, so that it is enough to compare them where both are. What an
    assumption or an observation evaluates is no part of the program's work.
    """
    return _with_blocks(only(program, Purpose.LOW, Purpose.RELEASED), _traced_block)


def counted(program: Program) -> Program:
    """Each statement and each branch is a step; runs that end are compared by their number."""
    plain = only(program, Purpose.LOW, Purpose.RELEASED)
    made = _with_blocks(plain, _counted_block)
    main = made.procedure[made.main]
    compared = replace(main, blocks=tuple(map(_compared_block, main.blocks)))
    return replace(
        made,
        procedures=tuple(compared if each is main else each for each in made.procedures),
        globals=(*made.globals, STEPS),
        initial={**made.initial, STEPS.name: zero(UNBOUNDED)},
    )


def _with_blocks(program: Program, change: Callable[[Block], Block]) -> Program:
    def procedure(each: Procedure) -> Procedure:
        return replace(each, blocks=tuple(map(change, each.blocks)))

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


def _traced_block(block: Block) -> Block:
    statements: list[Statement] = []
    for statement in block.statements:
        statements += [*_seen(statement), statement]
    terminator = block.terminator
    statements += _seen(terminator)
    if isinstance(terminator, Branch) and not isinstance(terminator.condition, Constant):
        statements.append(Observe(terminator.condition, Purpose.COMPARED, BRANCHES, terminator.span))
    return replace(block, statements=tuple(statements))


def _seen(step: Statement | Terminator) -> Iterator[Observe]:
    if isinstance(step, Assign | Call | Branch):
        for expression in expressions(step):
            yield from (Observe(value, Purpose.COMPARED, message, step.span) for value, message in _inside(expression))


def _inside(expression: Expression) -> Iterator[tuple[Expression, str]]:
    """Conditions and indices within an expression, each with what it is, where they are evaluated.

    One that is not evaluated in a run has a fixed value there; whether it is evaluated was compared before it.
    """
    stack: list[tuple[Expression, Expression | None, bool]] = [(expression, None, False)]
    while stack:
        node, path, ready = stack.pop()
        if ready:
            if isinstance(node, Select | Store) and not isinstance(node.index, Constant):
                yield _on(path, node.index), ELEMENTS
            continue
        stack.append((node, path, True))
        match node:
            case Binary(operator, left, right) if operator in CONNECTIVES:
                if not isinstance(left, Constant):
                    yield _on(path, left), BRANCHES
                further = negation(left) if operator is Operator.OR else left
                stack += [(right, _and(path, further), False), (left, path, False)]
            case Conditional(condition, then, otherwise):
                if not isinstance(condition, Constant):
                    yield _on(path, condition), BRANCHES
                stack += [
                    (otherwise, _and(path, negation(condition)), False),
                    (then, _and(path, condition), False),
                    (condition, path, False),
                ]
            case _:
                stack += [(operand, path, False) for operand in reversed(operands(node))]


def _and(path: Expression | None, further: Expression) -> Expression:
    return further if path is None else binary(Operator.AND, path, further)


def _on(path: Expression | None, value: Expression) -> Expression:
    return value if path is None else Conditional(path, value, zero(value.type), value.type)


def _counted_block(block: Block) -> Block:
    work = sum(isinstance(statement, Assign | Call) for statement in block.statements)
    work += isinstance(block.terminator, Branch)
    if not work:
        return block
    sum_ = binary(Operator.ADD, STEPS, Constant(work, UNBOUNDED))
    return replace(block, statements=(*block.statements, Assign(STEPS, sum_)))


def _compared_block(block: Block) -> Block:
    if not isinstance(block.terminator, Return):
        return block
    end = Observe(STEPS, Purpose.COMPARED, STEP_COUNTS, block.terminator.span)
    return replace(block, statements=(*block.statements, end))
