"""Versions whose loops and recursive procedures belong together, as questions without loops and recursion.

If two procedures return the same whenever the calls inside of them that belong together return the same for the same
inputs, then they return the same wherever both return: by induction on how deep the calls of one of them nest (Godlin
and Strichman, Regression verification, DAC 2009). So each pair is asked about with its inner calls as values of one
function, whichever that is, and so is the function that the versions are about.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import count

from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.construction import binary
from sorrel.program.effects import effects
from sorrel.program.expression import Apply, Expression, Operator, Variable
from sorrel.program.graph import called
from sorrel.program.inline import calling_themselves, inlined
from sorrel.program.liveness import open_starts
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import loops_as_procedures
from sorrel.program.statement import Assert, Assign, Block, Call, Choice, Havoc, Kind, Observe, Return, Statement
from sorrel.program.types import Array
from sorrel.relate.versions import NEW, NEW_PROCEDURE, Versions, one_after_the_other, renamed_procedure


def matched(pair: Versions) -> list[Program] | None:
    """Programs without recursion: if none of them violates an assertion, the versions are the same where both return.

    None if some loop or recursive procedure of one version has none in the other that it could belong to.
    """
    old, new = (loops_as_procedures(each)[0] for each in (pair.old, pair.new))
    names = _recursive(old, pair.function)
    if not names or names != _recursive(new, pair.function) or not pair.start_alike:
        return None
    found = [_match(old, new, name) for name in names]
    matches = {each.name: each for each in found if each is not None}
    if len(matches) < len(names):
        return None
    flat = replace(
        pair, old=_abstract(old, matches, new=False, among=names), new=_abstract(new, matches, new=True, among=names)
    )
    asked = [_question(flat, each) for each in matches.values()]
    if pair.function not in matches:
        asked.append(one_after_the_other(flat))
    try:  # what is known of a function is known within one procedure
        return [replace(each, procedures=(inlined(each, each.main),)) for each in asked]
    except InputError:
        return None


def _recursive(program: Program, function: str) -> tuple[str, ...]:
    there = frozenset(called(program, function))
    return tuple(sorted(there & calling_themselves(program)))


@dataclass(frozen=True, slots=True)
class _Match:
    """Two procedures of one name: `parameters` and `outputs` are, for each of the old one's, the place in the new one.

    `globals` are what either of them depends on, `written` what either of them writes.
    """

    name: str
    parameters: tuple[int, ...]
    outputs: tuple[int, ...]
    globals: tuple[Variable, ...]
    written: tuple[Variable, ...]


def _match(old: Program, new: Program, name: str) -> _Match | None:
    before, after = old.procedure[name], new.procedure[name]
    parameters = _places(before, before.parameters, after, after.parameters)
    outputs = _places(before, before.outputs, after, after.outputs)
    if parameters is None or outputs is None or not _is_function(old, name) or not _is_function(new, name):
        return None
    touched = [effects(program)[name] for program in (old, new)]
    written = {v for each in touched for v in each.writes}
    used = {v for each in touched for v in each.reads} | written
    if any(isinstance(v.type, Array) for v in (*used, *before.parameters, *before.outputs)):
        return None
    by_name = sorted(used, key=lambda each: each.name)
    return _Match(name, parameters, outputs, tuple(by_name), tuple(v for v in by_name if v in written))


def _places(
    before: Procedure, olds: Sequence[Variable], after: Procedure, news: Sequence[Variable]
) -> tuple[int, ...] | None:
    """Variables that the user calls the same belong together, and then those of the same type, in order."""
    free = dict(enumerate(news))
    found: dict[int, int] = {}
    for by_name in (True, False):
        for position, variable in enumerate(olds):
            if position in found:
                continue
            told = before.source_names.get(variable.name, variable.name)
            for place, other in free.items():
                alike = not by_name or after.source_names.get(other.name, other.name) == told
                if alike and other.type == variable.type:
                    found[position] = place
                    del free[place]
                    break
    return None if free or len(found) < len(olds) else tuple(found[position] for position in range(len(olds)))


def _is_function(program: Program, name: str) -> bool:
    """Whether what it returns and writes depends on what it is given and on globals alone."""
    reached = [program.procedure[each] for each in called(program, name)]
    statements = (statement for each in reached for block in each.blocks for statement in block.statements)
    chooses = any(isinstance(statement, Havoc | Observe) for statement in statements)
    return not chooses and not any(open_starts(each) for each in reached)


def _abstract(program: Program, matches: Mapping[str, _Match], *, new: bool, among: Sequence[str]) -> Program:
    """With values of functions in place of all calls of the matched procedures."""
    numbers = count()

    def procedure(each: Procedure) -> Procedure:
        made: list[Variable] = []

        def changed(statement: Statement) -> Iterator[Statement]:
            if not isinstance(statement, Call) or statement.procedure not in among:
                yield statement
                return
            match = matches[statement.procedure]
            callee = program.procedure[statement.procedure]
            places = match.parameters if new else range(len(match.parameters))
            given = (*(statement.arguments[place] for place in places), *match.globals)
            order = match.outputs if new else range(len(match.outputs))
            targets = [(statement.results[place], callee.outputs[place].type) for place in order]
            targets += [(variable, variable.type) for variable in match.written]
            values = [
                (target, Variable(f"value.{next(numbers)}", type), Apply(f"same {match.name}.{number}", given, type))
                for number, (target, type) in enumerate(targets)
            ]
            made.extend(variable for _, variable, _ in values)
            yield from (Assign(variable, value, statement.span) for _, variable, value in values)
            yield from (
                Assign(target, variable, statement.span) for target, variable, _ in values if target is not None
            )

        blocks = [
            replace(block, statements=tuple(after for before in block.statements for after in changed(before)))
            for block in each.blocks
        ]
        return replace(each, blocks=tuple(blocks), locals=(*each.locals, *made))

    return replace(program, procedures=tuple(map(procedure, program.procedures)))


def _question(pair: Versions, match: _Match) -> Program:
    """Both procedures in one state, whichever, with an assertion for everything that they leave behind."""
    old = pair.old
    callee = old.procedure[match.name]
    span = callee.span
    shared = {v: Variable(f"{NEW}{v.name}", v.type) for v in old.globals}
    olds = tuple(Variable(f"old.{i}", v.type) for i, v in enumerate(callee.outputs))
    news = tuple(Variable(f"{NEW}{i}", v.type) for i, v in enumerate(callee.outputs))
    given = tuple(Variable(f"given.{i}", v.type) for i, v in enumerate(callee.parameters))
    placed: list[Expression] = list(given)
    results: list[Variable | None] = list(news)
    for position, place in enumerate(match.parameters):
        placed[place] = given[position]
    for position, place in enumerate(match.outputs):
        results[place] = news[position]
    changing = {v for program in (pair.old, pair.new) for v in effects(program)[pair.function].writes}
    open_ones = [v for v in old.globals if v in changing or v.name not in old.initial]
    statements: list[Statement] = [Havoc(v, Choice.INPUT, "any", span) for v in (*given, *open_ones)]
    statements += [Assign(theirs, mine, span) for mine, theirs in shared.items()]
    statements.append(Call(match.name, given, olds, span))
    statements.append(Call(f"{NEW_PROCEDURE}{match.name}", tuple(placed), tuple(results), span))
    compared = [*zip(olds, news, strict=True), *((v, shared[v]) for v in match.written)]
    for left, right in compared:
        statements.append(Assert(binary(Operator.EQUAL, left, right), Kind.ASSERTION, "differs", span))
    start = Procedure(
        old.main, (), (), (*given, *olds, *news), (Block("start", tuple(statements), Return(span)),), "start", span, {}
    )
    procedures = [each for each in old.procedures if each.name != old.main]
    procedures += [renamed_procedure(pair.new.procedure[name], shared) for name in called(pair.new, match.name)]
    return replace(
        old,
        procedures=(*procedures, start),
        globals=(*old.globals, *shared.values()),
        initial={**old.initial, **{theirs.name: mine for mine, theirs in shared.items() if mine.name in old.initial}},
    )
