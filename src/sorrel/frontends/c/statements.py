"""Statements of C as blocks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from sorrel.frontends.c import syntax
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.evaluation import Evaluator
from sorrel.frontends.c.initialization import reads
from sorrel.frontends.c.initializers import Initializers
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.operations import both, compare, convert, exact, number
from sorrel.frontends.c.skipping import Skipping
from sorrel.frontends.c.types import Array, Floating, Record, Void, base_element
from sorrel.frontends.c.values import UNKNOWN, Value
from sorrel.model.errors import NOWHERE, Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.statement import Choice, Goto, Return


@dataclass(eq=False, slots=True)
class _Targets:
    """Where break and continue go; None where there is no such statement around. Depths count blocks around that."""

    stop: str | None = None
    again: str | None = None
    stop_depth: int = 0
    again_depth: int = 0


class Statements:
    def __init__(self, context: Context, memory: Memory, evaluator: Evaluator) -> None:
        self._context = context
        self._memory = memory
        self._evaluator = evaluator
        self._builder = context.builder
        self._initializers = Initializers(context, memory, evaluator)
        self._targets = [_Targets()]
        self._labels: dict[str, str] = {}
        self._cases: dict[int, str] = {}
        self._blocks: tuple[syntax.Compound | syntax.For, ...] = ()  # around the statement, outermost first
        self._handlers: dict[type[syntax.Node], Callable[[Any], None]] = {
            syntax.Compound: self._compound,
            syntax.Declaration: self._declaration,
            syntax.Empty: lambda node: None,
            syntax.If: self._if,
            syntax.While: self._while,
            syntax.Do: self._do,
            syntax.For: self._for,
            syntax.Switch: self._switch,
            syntax.Case: self._case,
            syntax.Default: self._case,
            syntax.Label: self._label,
            syntax.Goto: self._goto,
            syntax.Break: self._break,
            syntax.Continue: self._continue,
            syntax.Return: self._return,
        }

    def statement(self, node: syntax.Statement) -> None:
        if isinstance(node, syntax.Expression):
            self._evaluator.effect(node)
        elif isinstance(node, syntax.OtherStatement):
            raise Unsupported(node.words, node.span)
        else:
            self._handlers[type(node)](node)

    def statement_expression(self, node: syntax.StatementExpression) -> Value:
        """`({ …; v; })`: the value of the last statement."""
        last = node.body.statements[-1] if node.body.statements else None
        if not isinstance(last, syntax.Expression) or isinstance(node.type, Void):
            self._compound(node.body)
            return UNKNOWN
        with self._within(node.body):
            self._forget(self._skipping.of_block(node.body), node.span)
            for statement in node.body.statements[:-1]:
                self.statement(statement)
            value = self._evaluator.value(last)
            self._leave((node.body,), node.span)
            return value

    def _compound(self, node: syntax.Compound) -> None:
        with self._within(node):
            self._forget(self._skipping.of_block(node), node.span)
            for statement in node.statements:
                self.statement(statement)
            self._leave((node,), node.span)

    def _leave(self, blocks: Iterable[syntax.Compound | syntax.For], span: Span) -> None:
        """Their variables end, innermost first."""
        for block in reversed(tuple(blocks)):
            for object in self._context.translation.ending_inside.get(id(block), ()):
                self._memory.ended(object, span)

    @contextmanager
    def _within(self, block: syntax.Compound | syntax.For) -> Iterator[None]:
        outer, self._blocks = self._blocks, (*self._blocks, block)
        yield
        self._blocks = outer

    # Declarations

    @cached_property
    def _skipping(self) -> Skipping:
        body = self._context.translation.functions[self._context.name].body if self._context.name else None
        return Skipping(body or syntax.Empty(NOWHERE))

    def _forget(self, variables: Iterable[syntax.Variable], span: Span) -> None:
        """A block is entered whose variables may get no value: what they had in an earlier life is gone."""
        for variable in variables:
            object = self._context.translation.objects.of_symbol[variable.symbol]
            if object.runtime_length:
                raise Unsupported("a jump past an array of variable length", variable.span)
            self._memory.begin(object, span)
            self._memory.havoc_object(object, Choice.UNINITIALISED, object.source_name or object.name, span)

    def _declaration(self, node: syntax.Declaration) -> None:
        for item in node.items:
            if isinstance(item, syntax.OtherStatement):
                raise Unsupported(item.words, item.span)
            if isinstance(item, syntax.Variable):
                object = self._context.translation.objects.of_symbol[item.symbol]
                if object.kind is ObjectKind.LOCAL:
                    self.declare(object, item.initializer, item.sizes, item.span)

    def declare(
        self, object: Object, initializer: syntax.Expression | None, sizes: tuple[syntax.Expression, ...], span: Span
    ) -> None:
        """A new life of a local variable."""
        self._lengths(object, sizes, span)
        own = object.node.symbol if isinstance(object.node, syntax.Variable) else 0
        if not own or own not in self._skipping.early:
            self._memory.begin(object, span)
        if initializer is None or (own and reads(initializer, own)):
            self._memory.havoc_object(object, Choice.UNINITIALISED, object.source_name or object.name, span)
        if initializer is not None:
            self._initializers.initialize(object, initializer, span)

    def _lengths(self, object: Object, sizes: tuple[syntax.Expression, ...], span: Span) -> None:
        type, level = object.type, 0
        while isinstance(type, Array):
            if type.length is None:
                if level >= len(sizes):
                    raise Unsupported("an array whose length is named elsewhere", span)
                length = exact(self._evaluator.scalar(sizes[level]))
                self._context.assign(self._memory.length_variable(object, level), length, span)
                variable = self._memory.length_variable(object, level)
                positive = compare(Operator.AT_LEAST, variable, number(1))
                self._context.check(positive, "array of no elements", span)
            type, level = type.element, level + 1

    # Choices

    def _if(self, node: syntax.If) -> None:
        otherwise = node.otherwise
        failure = None if otherwise is None else self._evaluator.failed_assertion(otherwise)
        if failure is not None and isinstance(node.then, syntax.Empty):
            self._evaluator.assertion(node.condition, failure, node.span)
            return
        builder = self._builder
        yes, after = builder.label("then"), builder.label("after")
        no = after if otherwise is None else builder.label("else")
        self._evaluator.branch(node.condition, yes, no, node.span)
        builder.start(yes)
        self.statement(node.then)
        if otherwise is not None:
            builder.goto(after)
            builder.start(no)
            self.statement(otherwise)
        builder.start(after)

    def _switch(self, node: syntax.Switch) -> None:
        """A test for each case, in order, then the body as it stands: falling through needs nothing."""
        subject, body = node.subject, node.body
        value = self._evaluator.scalar(subject)
        if not isinstance(value, Variable | Constant):
            value = self._context.saved(value, "switch", subject.span)
        self._forget(self._skipping.inside(body), node.span)
        builder, after, default = self._builder, self._builder.label("after"), ""
        for case in _cases(body):
            label = self._cases[id(case)] = builder.label("case")
            if isinstance(case, syntax.Default):
                default = label
                continue
            following = builder.label("test")
            builder.branch(self._matches(value, case), label, following, case.span)
            builder.start(following)
        builder.goto(default or after)
        around = self._targets[-1]
        self._targets.append(_Targets(after, around.again, len(self._blocks), around.again_depth))
        builder.start(builder.label("switch"))
        self.statement(body)
        self._targets.pop()
        builder.start(after)

    def _matches(self, value: Expression, case: syntax.Case) -> Expression:
        low = convert(self._evaluator.scalar(case.low), value.type)
        if case.high is None:
            return compare(Operator.EQUAL, value, low)
        high = convert(self._evaluator.scalar(case.high), value.type)
        return both(compare(Operator.AT_LEAST, value, low), compare(Operator.AT_MOST, value, high))

    def _case(self, node: syntax.Case | syntax.Default) -> None:
        label = self._cases.get(id(node))
        if label is None:
            raise Unsupported("a case outside of a switch", node.span)
        self._builder.start(label)
        self.statement(node.body)

    # Loops

    def _while(self, node: syntax.While) -> None:
        builder = self._builder
        head, inside, after = builder.label("while"), builder.label("body"), builder.label("after")
        self._head(head, node)
        self._evaluator.branch(node.condition, inside, after, node.span)
        self._begin(inside, head, node)
        self._inside(node.body, after, head)
        builder.goto(head)
        builder.start(after)

    def _do(self, node: syntax.Do) -> None:
        builder = self._builder
        inside, test, after = builder.label("do"), builder.label("while"), builder.label("after")
        self._head(inside, node)
        self._inside(node.body, after, test)
        builder.start(test)
        self._evaluator.branch(node.condition, inside, after, node.span)
        builder.start(after)

    def _for(self, node: syntax.For) -> None:
        builder = self._builder
        head, inside, again = builder.label("for"), builder.label("body"), builder.label("step")
        after = builder.label("after")
        with self._within(node):
            self.statement(node.start)
            self._head(head, node)
            if node.condition is None:
                builder.goto(inside, node.span)
            else:
                self._evaluator.branch(node.condition, inside, after, node.span)
            self._begin(inside, head, node)
            self._inside(node.body, after, again)
            builder.start(again)
            self.statement(node.step)
        builder.goto(head)
        builder.start(after)
        self._leave((node,), node.span)

    def _head(self, label: str, node: syntax.Loop | syntax.Label) -> None:
        self._context.head(label, node)
        self._builder.start(label)

    def _begin(self, inside: str, head: str, node: syntax.Loop) -> None:
        """The body of a loop. Nothing stands before it if there is no condition: then the loop begins here."""
        before = self._builder.current
        if before.label == head and not before.statements and before.terminator == Goto(inside, node.span):
            self._context.head(inside, node)
        self._builder.start(inside)

    def _inside(self, body: syntax.Statement, stop: str, again: str) -> None:
        self._targets.append(_Targets(stop, again, len(self._blocks), len(self._blocks)))
        self.statement(body)
        self._targets.pop()

    # Jumps

    def _named(self, name: str) -> str:
        return self._labels.setdefault(name, self._builder.label(name))

    def _label(self, node: syntax.Label) -> None:
        self._head(self._named(node.name), node)
        self.statement(node.body)

    def _goto(self, node: syntax.Goto) -> None:
        self._leave(self._skipping.left(node.label, self._blocks), node.span)
        self._forget(self._skipping.entered(node.label, self._blocks), node.span)
        self._builder.goto(self._named(node.label), node.span)

    def _break(self, node: syntax.Break) -> None:
        target = self._targets[-1].stop
        if target is None:
            raise Unsupported("break here", node.span)
        self._leave(self._blocks[self._targets[-1].stop_depth :], node.span)
        self._builder.goto(target, node.span)

    def _continue(self, node: syntax.Continue) -> None:
        target = self._targets[-1].again
        if target is None:
            raise Unsupported("continue here", node.span)
        self._leave(self._blocks[self._targets[-1].again_depth :], node.span)
        self._builder.goto(target, node.span)

    def _return(self, node: syntax.Return) -> None:
        result = self._context.translation.objects.results[self._context.name]
        if node.value is not None and not isinstance(result.type, Void):
            value = self._returned(node.value, result)
            if not isinstance(base_element(result.type), Floating):
                self._memory.write(self._memory.object_place(result), value, node.span)
        elif node.value is not None:
            self._evaluator.effect(node.value)
        self._leave(self._blocks, node.span)
        self._memory.leave(node.span)
        self._builder.end(Return(node.span))

    def _returned(self, node: syntax.Expression, result: Object) -> Value:
        if isinstance(result.type, Record):
            return self._evaluator.value(node)
        return self._evaluator.converted(node, result.type)


def _cases(body: syntax.Statement) -> list[syntax.Case | syntax.Default]:
    """The cases of one switch, in the order of the text; those of a switch inside are its own."""
    found: list[syntax.Case | syntax.Default] = []
    pending: list[syntax.Node] = [body]
    while pending:
        node = pending.pop()
        if isinstance(node, syntax.Case | syntax.Default):
            found.append(node)
        if not isinstance(node, syntax.Switch):
            pending.extend(reversed(node.children))
    return found
