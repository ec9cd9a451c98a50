"""Proofs in which no operation overflows that the property depends on: searched among simple relations of numbers.

Which operations these are is a guess from the text of the program. Nothing rests on it: what is found is looked at
again with results that wrap around.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import replace
from itertools import combinations, permutations

from sorrel.contracts.entry import EntryState
from sorrel.encode.encoding import Encoding
from sorrel.guess.houdini import Candidates, Houdini
from sorrel.horn.verdict import Safe, Unknown, Verdict
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.methods.preconditions.paths import demanded
from sorrel.model.outcome import Cause, Reason
from sorrel.program.expression import Conditional, Expression, Select, Variable
from sorrel.program.program import Program
from sorrel.program.statement import Assert, Assign, Block, Branch, Kind, Statement, Terminator
from sorrel.program.traversal import operands, steps
from sorrel.program.types import Machine
from sorrel.smt.solver import Oracle

MOST_NUMBERS = 9
"""Of more numbers at one place, sums of two are not compared with others: there are too many."""
HOUDINI = "guessing relations of numbers"


# Which operations matter


def careful(program: Program) -> Program:
    """The program that asserts that nothing overflows, where that bears upon its other assertions."""
    known = _bearing(program)

    def wanted(statement: Statement) -> bool:
        is_overflow = isinstance(statement, Assert) and statement.kind is Kind.OVERFLOW
        return not is_overflow or not known.isdisjoint(_numbers(statement.condition))  # type: ignore[union-attr]

    def thinned(block: Block) -> Block:
        return replace(block, statements=tuple(filter(wanted, block.statements)))

    procedures = (replace(each, blocks=tuple(map(thinned, each.blocks))) for each in program.procedures)
    return replace(program, procedures=tuple(procedures))


def bearing(program: Program) -> frozenset[str]:
    """The names of numbers that other assertions than those about overflow depend on."""
    return frozenset(each.name for each in _bearing(program))


def _bearing(program: Program) -> set[Variable]:
    """From the assertions backwards; a branch counts that looks at one of these numbers.

    What elements of arrays hold is left out: they may hold anything.
    """
    everything = [s for each in program.procedures for block in each.blocks for s in steps(block)]
    found: set[Variable] = set()
    for step in everything:
        if isinstance(step, Assert) and step.kind is not Kind.OVERFLOW:
            found |= _numbers(step.condition)
    known = -1
    while known != len(found):
        known = len(found)
        for step in everything:
            found |= _needed_by(step, found)
    return found


def _needed_by(step: Statement | Terminator, found: set[Variable]) -> set[Variable]:
    match step:
        case Assign(target, value) if target in found:
            return _numbers(value)
        case Branch(condition) if not found.isdisjoint(_numbers(condition)):
            return _numbers(condition)
        case _:
            return set()


def _numbers(expression: Expression) -> set[Variable]:
    """Variables outside of elements that are read."""
    found: set[Variable] = set()
    pending = [expression]
    while pending:
        node = pending.pop()
        if isinstance(node, Variable):
            found.add(node)
        elif not _is_element(node):
            pending += operands(node)
    return found


def _is_element(expression: Expression) -> bool:
    """What is read of an array; whether it is the zero of a string that is known may be looked at first."""
    if isinstance(expression, Conditional):
        return isinstance(expression.then, Select) and isinstance(expression.otherwise, Select)
    return isinstance(expression, Select)


# What keeps operations from overflowing


def moderate(state: EntryState, checked: EntryState, among: Collection[str], strings: Collection[str]) -> list[str]:
    """What callers may see to so that nothing overflows, the first to be left out first.

    `checked` asserts that nothing overflows; `among` are the names of the numbers that matter, `strings` what is said
    of pointers that texts begin at.
    """
    signed = [
        (text, variable.type)
        for text, variable in state.vocabulary.now.items()
        if variable.name in among and isinstance(variable.type, Machine) and variable.type.signed
    ]
    widest = [type.largest for _, type in signed] or [Machine(32, True).largest]
    ends = tuple(str(end) for each in widest for end in (each, -each - 1))
    plain = [text for text in demanded(checked) if "==>" not in text and "||" not in text and text.endswith(ends)]
    low = [text for text in plain if ">=" in text]
    return [
        *(f"{type.smallest} < {text}" for text, type in signed),
        *low,
        *(f"{text} < {type.largest}" for text, type in signed),
        *(text for text in plain if text not in low),
        *(f"0 <= {text}" for text, _ in signed),
        *(f"{said} && strlen({said.partition('(')[2][:-1]}) < {min(widest)}" for said in strings),
    ]


# Proofs


def guessed(encoding: Encoding, oracle: Oracle, among: Candidates | None) -> Verdict:
    """Relations of numbers that are inductive together and exclude every error; `among` some, or the usual ones."""
    system = encoding.system
    candidates = among if among is not None else {p.name: _candidates(p.formals) for p in system.predicates}
    houdini = Houdini(system, candidates, oracle, {})
    houdini.run()
    found = houdini.support()
    if found is None:
        return Unknown(Reason(Cause.INCOMPLETE, "no sufficient relations between numbers were found"))
    return Safe({name: terms.conjunction(parts) for name, parts in found.items()}, by=HOUDINI)


def parts_of(verdict: Safe) -> Candidates:
    return {name: terms.conjuncts(summary) for name, summary in verdict.summaries.items()}


def _candidates(formals: Collection[Term]) -> list[Term]:
    numbers = [formal for formal in formals if terms.is_integer(formal)]
    one, largest = terms.integer(1), [terms.integer(2 ** (bits - 1) - 1) for bits in (32, 64)]
    zero, below = terms.integer(0), terms.integer(-1)
    found: list[Term] = []
    for x in numbers:
        found += [x >= zero, x >= one, x >= below, x <= zero]
        for most in largest:
            found += [x <= most, x < most, x > -most - one]
    for x, y in permutations(numbers, 2):
        found += [x <= y, x <= y + one, x < y]
    for x, y in combinations(numbers, 2):
        found += [x + y <= most for most in largest]
        if len(numbers) <= MOST_NUMBERS:
            found += [x + y <= z + more for z in numbers if z is not x and z is not y for more in (zero, one)]
    return found
