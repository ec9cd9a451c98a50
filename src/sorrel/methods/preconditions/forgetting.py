"""Programs that forget what is in arrays, but for one element of each that is watched: fewer things to reason about.

An element that is not watched has any value whenever it is read, so that such a program does all that the other one
does, and more. What is proved of it goes back by saying what the watched element is: `a[zero]`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import field, replace

from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Moment, Point
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.construction import binary
from sorrel.program.expression import Conditional, Expression, Operator, Select, Store, Variable
from sorrel.program.program import Procedure, Program
from sorrel.program.statement import Assign, Block, Choice, Havoc, Statement
from sorrel.program.traversal import (
    free_variables,
    rewrite,
    rewrite_statement,
    rewrite_terminator,
    written,
)
from sorrel.program.types import Array, Type

Watched = Mapping[Variable, Variable | None]
"""Arrays that are forgotten, and where the element is that is not."""


class CannotForget(Exception):
    """The program does more with an array than read and write its elements."""


def cell(array: Variable) -> Variable:
    """What holds the element that is watched."""
    if not isinstance(array.type, Array):
        raise CannotForget(array.name)
    return Variable(f"{array.name}..watched", array.type.element)


def forgetting(program: Program, watched: Watched) -> Program:
    procedures = tuple(_Forgetting(each, watched).procedure() for each in program.procedures)
    cells = [cell(array) for array, place in watched.items() if place is not None]
    kept = tuple(each for each in program.globals if each not in watched)
    gone = {array.name for array in watched}
    initial = {name: value for name, value in program.initial.items() if name not in gone}
    return replace(program, procedures=procedures, globals=(*kept, *cells), initial=initial)


@dataclass
class _Forgetting:
    source: Procedure
    watched: Watched
    made: list[Variable] = field(default_factory=list)
    pending: list[Statement] = field(default_factory=list)

    def procedure(self) -> Procedure:
        if any(each in self.watched for each in (*self.source.parameters, *self.source.outputs, *self.source.locals)):
            raise CannotForget(self.source.name)
        blocks = tuple(map(self._block, self.source.blocks))
        return replace(self.source, blocks=blocks, locals=(*self.source.locals, *self.made))

    def _block(self, block: Block) -> Block:
        statements: list[Statement] = []
        for statement in block.statements:
            changed = self._statement(statement)
            statements += self.pending
            statements += [] if changed is None else [changed]
            self.pending = []
        terminator = rewrite_terminator(block.terminator, self._read)
        statements += self.pending
        self.pending = []
        return replace(block, statements=tuple(statements), terminator=terminator)

    def _statement(self, statement: Statement) -> Statement | None:
        target = next((each for each in written(statement) if each in self.watched), None)
        if target is None:
            return rewrite_statement(statement, self._read)
        place = self.watched[target]
        match statement:
            case Havoc():
                return None if place is None else replace(statement, target=cell(target))
            case Assign(_, value):
                if place is None:
                    return None
                return replace(statement, target=cell(target), value=self._read(self._at(value, target, place)))
            case _:
                raise CannotForget(target.name)

    def _at(self, array: Expression, target: Variable, place: Variable) -> Expression:
        """The element at the place of an array that is made from the old one."""
        match array:
            case Variable() if array == target:
                return cell(target)
            case Store(inner, index, value):
                same = binary(Operator.EQUAL, index, place)
                return Conditional(same, value, self._at(inner, target, place), value.type)
            case Conditional(test, then, otherwise):
                one, other = self._at(then, target, place), self._at(otherwise, target, place)
                return Conditional(test, one, other, one.type)
            case _:
                raise CannotForget(target.name)

    def _read(self, expression: Expression) -> Expression:
        changed = rewrite(expression, self._element)
        if any(each in self.watched for each in free_variables(changed)):
            raise CannotForget(str(free_variables(changed)))
        return changed

    def _element(self, node: Expression) -> Expression:
        if not isinstance(node, Select) or not isinstance(node.array, Variable) or node.array not in self.watched:
            return node
        place = self.watched[node.array]
        if place is not None and node.index == place:
            return cell(node.array)
        return self._any(node.type)

    def _any(self, type: Type) -> Variable:
        """Any value; the program itself looks whether it is the one that is watched."""
        made = Variable(f"any..{len(self.made) + 1}", type)
        self.made.append(made)
        self.pending.append(Havoc(made, Choice.ABSTRACTION, "an element"))
        return made


def arrays_of(program: Program) -> list[Variable]:
    """Globals that are arrays of numbers."""
    arrays = (each for each in program.globals if isinstance(each.type, Array))
    return [each for each in arrays if isinstance(each.type, Array) and not isinstance(each.type.element, Array)]


def remembered(whole: Encoding, forgetful: Encoding, summaries: Summaries, watched: Watched) -> Summaries | None:
    """What was proved of the program that forgets, said of the one that does not; None if it cannot be said."""
    found: dict[str, Term] = {}
    for name, point in whole.points.items():
        if name not in forgetful.points or name not in summaries:
            return None
        pairs = _pairs(point, forgetful.points[name], watched)
        if pairs is None:
            return None
        found[name] = terms.substitute(summaries[name], pairs)
    return found


def _pairs(whole: Point, forgetful: Point, watched: Watched) -> list[tuple[Term, Term]] | None:
    own = {(m.moment, m.variable): f for m, f in zip(whole.meanings, whole.predicate.formals, strict=True)}
    cells = {cell(array): (array, place) for array, place in watched.items() if place is not None}
    pairs: list[tuple[Term, Term]] = []
    for meaning, formal in zip(forgetful.meanings, forgetful.predicate.formals, strict=True):
        if meaning.variable in cells:
            array, place = cells[meaning.variable]
            held, index = own.get((meaning.moment, array)), _steady(own, place)
            if held is None or index is None:
                return None
            pairs.append((formal, terms.select(held, index)))
        elif (meaning.moment, meaning.variable) in own:
            pairs.append((formal, own[meaning.moment, meaning.variable]))
        else:
            return None
    return pairs


def _steady(own: Mapping[tuple[Moment, Variable | None], Term], variable: Variable | None) -> Term | None:
    """Where the zero is does not change."""
    return next((own[m, variable] for m in Moment if (m, variable) in own), None)
