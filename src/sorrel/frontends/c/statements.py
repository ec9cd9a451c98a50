"""Statements of C as blocks."""

from __future__ import annotations

from dataclasses import dataclass

from sorrel.frontends.c.calls import Calls
from sorrel.frontends.c.context import Context
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.expressions import Expressions
from sorrel.frontends.c.initialization import reads
from sorrel.frontends.c.initializers import Initializers
from sorrel.frontends.c.memory import Memory
from sorrel.frontends.c.objects import Object, ObjectKind
from sorrel.frontends.c.operations import both, compare, convert, exact, number
from sorrel.frontends.c.syntax import Node, NodeKind
from sorrel.frontends.c.types import Array, Floating, Record, Void, base_element
from sorrel.frontends.c.values import UNKNOWN, Value
from sorrel.model.errors import Span
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.statement import Choice, Goto, Return

_EXPRESSIONS = frozenset(
    {
        NodeKind.REFERENCE,
        NodeKind.MEMBER,
        NodeKind.CALL,
        NodeKind.INTEGER,
        NodeKind.FLOATING,
        NodeKind.STRING,
        NodeKind.PARENTHESES,
        NodeKind.UNARY,
        NodeKind.SUBSCRIPT,
        NodeKind.BINARY,
        NodeKind.COMPOUND_ASSIGNMENT,
        NodeKind.CONDITIONAL,
        NodeKind.CAST,
        NodeKind.COMPOUND_LITERAL,
        NodeKind.STATEMENT_EXPRESSION,
        NodeKind.SIZE,
        NodeKind.IMPLICIT,
    }
)


@dataclass(eq=False, slots=True)
class _Targets:
    """Where break and continue go; None where there is no such statement around."""

    stop: str | None = None
    again: str | None = None


class Statements:
    def __init__(self, context: Context, memory: Memory, expressions: Expressions, calls: Calls) -> None:
        self._context = context
        self._memory = memory
        self._expressions = expressions
        self._calls = calls
        self._builder = context.builder
        self._initializers = Initializers(context, memory, expressions)
        self._targets = [_Targets()]
        self._labels: dict[str, str] = {}
        self._cases: dict[int, str] = {}
        self._handlers = {
            NodeKind.COMPOUND: self._compound,
            NodeKind.DECLARATION: self._compound,
            NodeKind.VARIABLE: self._variable,
            NodeKind.IF: self._if,
            NodeKind.WHILE: self._while,
            NodeKind.DO: self._do,
            NodeKind.FOR: self._for,
            NodeKind.SWITCH: self._switch,
            NodeKind.CASE: self._case,
            NodeKind.DEFAULT: self._case,
            NodeKind.LABEL: self._label,
            NodeKind.GOTO: self._goto,
            NodeKind.BREAK: self._break,
            NodeKind.CONTINUE: self._continue,
            NodeKind.RETURN: self._return,
        }

    def statement(self, node: Node) -> None:
        handler = self._handlers.get(node.kind)
        if handler is not None:
            handler(node)
        elif node.kind in _EXPRESSIONS:
            self._expressions.effect(node)
        elif node.kind is NodeKind.OTHER:
            raise Unsupported(node.spelling, node.span)

    def statement_expression(self, node: Node) -> Value:
        """`({ …; v; })`: the value of the last statement."""
        statements = node.children[0].children
        for statement in statements[:-1]:
            self.statement(statement)
        if not statements:
            return UNKNOWN
        last = statements[-1]
        if last.kind in _EXPRESSIONS and not isinstance(node.type, Void):
            return self._expressions.value(last)
        self.statement(last)
        return UNKNOWN

    def _compound(self, node: Node) -> None:
        for child in node.children:
            self.statement(child)

    # Declarations

    def _variable(self, node: Node) -> None:
        object = self._context.translation.objects.of_symbol[node.symbol]
        if object.kind is ObjectKind.LOCAL:
            self.declare(object, node.initializer, node.sizes, node.span)

    def declare(self, object: Object, initializer: Node | None, sizes: tuple[Node, ...], span: Span) -> None:
        """A new life of a local variable."""
        self._lengths(object, sizes, span)
        self._memory.begin(object, span)
        own = object.node.symbol if object.kind is ObjectKind.LOCAL and object.node is not None else 0
        if initializer is None or (own and reads(initializer, own)):
            self._memory.havoc_object(object, Choice.UNINITIALISED, object.source_name or object.name, span)
        if initializer is not None:
            self._initializers.initialize(object, initializer, span)

    def _lengths(self, object: Object, sizes: tuple[Node, ...], span: Span) -> None:
        type, level = object.type, 0
        while isinstance(type, Array):
            if type.length is None:
                if level >= len(sizes):
                    raise Unsupported("an array whose length is named elsewhere", span)
                length = exact(self._expressions.scalar(sizes[level]))
                self._context.assign(self._memory.length_variable(object, level), length, span)
                variable = self._memory.length_variable(object, level)
                positive = compare(Operator.AT_LEAST, variable, number(1))
                self._context.check(positive, "array of no elements", span)
            type, level = type.element, level + 1

    # Choices

    def _if(self, node: Node) -> None:
        condition, then, *rest = node.children
        if rest and then.kind is NodeKind.NOTHING and self._calls.fails_assertion(rest[0]):
            self._calls.assertion(condition, rest[0], node.span)
            return
        builder = self._builder
        yes, after = builder.label("then"), builder.label("after")
        no = builder.label("else") if rest else after
        self._expressions.decisions.branch(condition, yes, no, node.span)
        builder.start(yes)
        self.statement(then)
        if rest:
            builder.goto(after)
            builder.start(no)
            self.statement(rest[0])
        builder.start(after)

    def _switch(self, node: Node) -> None:
        """A test for each case, in order, then the body as it stands: falling through needs nothing."""
        subject, body = node.children
        value = self._expressions.scalar(subject)
        if not isinstance(value, Variable | Constant):
            value = self._context.saved(value, "switch", subject.span)
        builder, after, default = self._builder, self._builder.label("after"), ""
        for case in _cases(body):
            label = self._cases[id(case)] = builder.label("case")
            if case.kind is NodeKind.DEFAULT:
                default = label
                continue
            following = builder.label("test")
            builder.branch(self._matches(value, case), label, following, case.span)
            builder.start(following)
        builder.goto(default or after)
        self._targets.append(_Targets(after, self._targets[-1].again))
        builder.start(builder.label("switch"))
        self.statement(body)
        self._targets.pop()
        builder.start(after)

    def _matches(self, value: Expression, case: Node) -> Expression:
        constants = [convert(self._expressions.scalar(child), value.type) for child in case.children[:-1]]
        if len(constants) == 1:
            return compare(Operator.EQUAL, value, constants[0])
        # `case low ... high`
        low, high = constants
        return both(compare(Operator.AT_LEAST, value, low), compare(Operator.AT_MOST, value, high))

    def _case(self, node: Node) -> None:
        label = self._cases.get(id(node))
        if label is None:
            raise Unsupported("a case outside of a switch", node.span)
        self._builder.start(label)
        self.statement(node.children[-1])

    # Loops

    def _while(self, node: Node) -> None:
        condition, body = node.children
        builder = self._builder
        head, inside, after = builder.label("while"), builder.label("body"), builder.label("after")
        self._head(head, node)
        self._expressions.decisions.branch(condition, inside, after, node.span)
        self._begin(inside, head, node)
        self._inside(body, after, head)
        builder.goto(head)
        builder.start(after)

    def _do(self, node: Node) -> None:
        body, condition = node.children
        builder = self._builder
        inside, test, after = builder.label("do"), builder.label("while"), builder.label("after")
        self._head(inside, node)
        self._inside(body, after, test)
        builder.start(test)
        self._expressions.decisions.branch(condition, inside, after, node.span)
        builder.start(after)

    def _for(self, node: Node) -> None:
        start, condition, step, body = node.children
        builder = self._builder
        head, inside, again = builder.label("for"), builder.label("body"), builder.label("step")
        after = builder.label("after")
        self.statement(start)
        self._head(head, node)
        if condition.kind is NodeKind.NOTHING:
            builder.goto(inside, node.span)
        else:
            self._expressions.decisions.branch(condition, inside, after, node.span)
        self._begin(inside, head, node)
        self._inside(body, after, again)
        builder.start(again)
        self.statement(step)
        builder.goto(head)
        builder.start(after)

    def _head(self, label: str, node: Node) -> None:
        self._context.head(label, node)
        self._builder.start(label)

    def _begin(self, inside: str, head: str, node: Node) -> None:
        """The body of a loop. Nothing stands before it if there is no condition: then the loop begins here."""
        before = self._builder.current
        if before.label == head and not before.statements and before.terminator == Goto(inside, node.span):
            self._context.head(inside, node)
        self._builder.start(inside)

    def _inside(self, body: Node, stop: str, again: str) -> None:
        self._targets.append(_Targets(stop, again))
        self.statement(body)
        self._targets.pop()

    # Jumps

    def _named(self, name: str) -> str:
        return self._labels.setdefault(name, self._builder.label(name))

    def _label(self, node: Node) -> None:
        self._head(self._named(node.spelling), node)
        for child in node.children:
            self.statement(child)

    def _goto(self, node: Node) -> None:
        self._builder.goto(self._named(node.children[0].spelling), node.span)

    def _break(self, node: Node) -> None:
        target = self._targets[-1].stop
        if target is None:
            raise Unsupported("break here", node.span)
        self._builder.goto(target, node.span)

    def _continue(self, node: Node) -> None:
        target = self._targets[-1].again
        if target is None:
            raise Unsupported("continue here", node.span)
        self._builder.goto(target, node.span)

    def _return(self, node: Node) -> None:
        result = self._context.translation.objects.results[self._context.name]
        if node.children and not isinstance(result.type, Void):
            value = self._returned(node.children[0], result)
            if not isinstance(base_element(result.type), Floating):
                self._memory.write(self._memory.object_place(result), value, node.span)
        elif node.children:
            self._expressions.effect(node.children[0])
        self._builder.end(Return(node.span))

    def _returned(self, node: Node, result: Object) -> Value:
        if isinstance(result.type, Record):
            return self._expressions.value(node)
        return self._expressions.converted(node, result.type)


def _cases(body: Node) -> list[Node]:
    """The cases of one switch, in the order of the text; those of a switch inside are its own."""
    found: list[Node] = []
    pending = [body]
    while pending:
        node = pending.pop()
        if node.kind in (NodeKind.CASE, NodeKind.DEFAULT):
            found.append(node)
        if node.kind is not NodeKind.SWITCH:
            pending.extend(reversed(node.children))
    return found
