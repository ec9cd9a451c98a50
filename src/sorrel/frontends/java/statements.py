"""Statements of Java as blocks."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.java import containers, strings
from sorrel.frontends.java.context import Context, Value
from sorrel.frontends.java.expressions import ExpressionReader
from sorrel.frontends.java.operations import arithmetic, compared, converted, number, unboxed_value
from sorrel.frontends.java.tree import Node
from sorrel.frontends.java.types import STRING, ArrayOf, Primitive, is_reference, read_type
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.construction import TRUE, binary
from sorrel.program.expression import Constant, Expression, Operator, Variable
from sorrel.program.statement import Assign, Return, Stop
from sorrel.program.types import UNBOUNDED


@dataclass(frozen=True, slots=True)
class _Target:
    """Where break and continue lead; only a loop has a continue, and a labelled block is left by its label only."""

    label: str
    break_to: str
    continue_to: str = ""
    needs_label: bool = False


class StatementReader:
    """Reads the statements of one method; `result` takes what it returns."""

    def __init__(self, context: Context, result: Variable | None) -> None:
        self._context = context
        self._builder = context.builder
        self._expressions = ExpressionReader(context)
        self._result = result
        self._targets: list[_Target] = []
        self._label = ""

    def read(self, node: Node) -> None:
        reader = _READERS.get(node.kind)
        if reader is None:
            raise Unsupported(node.kind.replace("_", " "), node.span)
        label, self._label = self._label, ""
        if node.kind in _LOOPS:
            self._label = label
        reader(self, node)

    def _block(self, node: Node) -> None:
        with self._context.scope():
            self._sequence(node.children)

    def _sequence(self, nodes: Sequence[Node]) -> None:
        for each in nodes:
            self.read(each)

    def _declaration(self, node: Node) -> None:
        for declarator in node.all("declarator"):
            type = read_type(node["type"], declarator.get("dimensions"))
            if node["type"].text == "var":
                raise Unsupported("a variable whose type is not written", node.span)
            initializer = declarator.get("value")
            value = self._expressions.converted(initializer, type) if initializer else None
            local = self._context.declare(declarator["name"].text, type)
            if value is not None:
                self._builder.emit(Assign(local.variable, value.expression, declarator.span))
                self._context.define(local, declarator["name"].text, value.expression)

    def _expression(self, node: Node) -> None:
        inner = node.children[0]
        if inner.kind == "switch_expression":
            self._switch(inner)
        else:
            self._expressions.effect(inner)

    def _if(self, node: Node) -> None:
        test = self._expressions.condition(node["condition"])
        then, otherwise, after = (self._builder.label(hint) for hint in ("then", "else", "after"))
        alternative = node.get("alternative")
        self._builder.branch(test, then, otherwise if alternative else after, node["condition"].span)
        self._builder.start(then)
        self._way(node["consequence"], after)
        if alternative is not None:
            self._builder.start(otherwise)
            self._way(alternative, after)
        self._builder.start(after)

    def _way(self, node: Node, after: str) -> None:
        with self._context.branch(), self._context.scope():
            self.read(node)
        self._builder.goto(after)

    # Loops

    def _while(self, node: Node) -> None:
        head, body, after = (self._builder.label(hint) for hint in ("head", "body", "after"))
        self._builder.goto(head, node.span)
        self._builder.start(head)
        test = self._expressions.condition(node["condition"])
        self._builder.branch(test, body, after, node["condition"].span)
        self._builder.start(body)
        self._body(node["body"], after, head)
        self._builder.goto(head)
        self._builder.start(after)

    def _body(self, node: Node, break_to: str, continue_to: str) -> None:
        self._targets.append(_Target(self._label, break_to, continue_to))
        self._label = ""
        with self._context.branch(), self._context.scope():
            self.read(node)
        self._targets.pop()

    def _do(self, node: Node) -> None:
        body, test, after = (self._builder.label(hint) for hint in ("body", "test", "after"))
        self._builder.goto(body, node.span)
        self._builder.start(body)
        self._body(node["body"], after, test)
        self._builder.goto(test)
        self._builder.start(test)
        with self._context.branch():  # a break leaves without having come here
            condition = self._expressions.condition(node["condition"])
        self._builder.branch(condition, body, after, node["condition"].span)
        self._builder.start(after)

    def _for(self, node: Node) -> None:
        with self._context.scope():
            for first in node.all("init"):
                if first.kind == "local_variable_declaration":
                    self._declaration(first)
                else:
                    self._expressions.effect(first)
            head, body, step, after = (self._builder.label(hint) for hint in ("head", "body", "step", "after"))
            self._builder.goto(head, node.span)
            self._builder.start(head)
            condition = node.get("condition")
            test: Expression = self._expressions.condition(condition) if condition else TRUE
            self._builder.branch(test, body, after, condition.span if condition else node.span)
            self._builder.start(body)
            self._body(node["body"], after, step)
            self._builder.goto(step)
            self._builder.start(step)
            with self._context.branch():
                for update in node.all("update"):
                    self._expressions.effect(update)
            self._builder.goto(head)
            self._builder.start(after)

    def _for_each(self, node: Node) -> None:
        """With an index of our own; the container does not change while it is gone through."""
        span = node.span
        with self._context.scope():
            container = self._expressions.value(node["value"])
            kept = Value(self._context.saved(container.expression, "container", span), container.type)
            size = self._size_of(kept, span)
            index = self._context.temporary("index", number(0).expression.type)
            at = Value(index, Primitive.INT)
            self._builder.emit(Assign(index, number(0).expression, span))
            head, body, step, after = (self._builder.label(hint) for hint in ("head", "body", "step", "after"))
            self._builder.goto(head, span)
            self._builder.start(head)
            self._builder.branch(compared(self._context, "<", at, size, span).expression, body, after, span)
            self._builder.start(body)
            element = self._element_of(kept, at, span)
            type = read_type(node["type"], node.get("dimensions"))
            local = self._context.declare(node["name"].text, type)
            value = converted(self._context, element, type, span)
            self._builder.emit(Assign(local.variable, value.expression, node["name"].span))
            self._body(node["body"], after, step)
            self._builder.goto(step)
            self._builder.start(step)
            following = arithmetic(self._context, "+", at, number(1), span)
            self._builder.emit(Assign(index, following.expression, span))
            self._builder.goto(head)
            self._builder.start(after)

    def _size_of(self, container: Value, span: Span) -> Value:
        if isinstance(container.type, ArrayOf):
            return containers.array_length(self._context, container, span)
        if containers.is_list(self._context, container.type):
            return containers.list_size(self._context, container, (), span)
        raise Unsupported(f"a loop over {container.type}", span)

    def _element_of(self, container: Value, index: Value, span: Span) -> Value:
        if isinstance(container.type, ArrayOf):
            return containers.array_element(self._context, container, index, span)
        return containers.list_element(self._context, container, [index], span)

    def _labeled(self, node: Node) -> None:
        label, statement = node.children[0].text, node.children[1]
        if statement.kind in _LOOPS:
            self._label = label
            self.read(statement)
            return
        after = self._builder.label("after")
        self._targets.append(_Target(label, after, needs_label=True))
        with self._context.branch():
            self.read(statement)
        self._targets.pop()
        self._builder.goto(after)
        self._builder.start(after)

    def _break(self, node: Node) -> None:
        named = node.children[0].text if node.children else ""
        self._jump(node, lambda t: t.break_to if (t.label == named if named else not t.needs_label) else "")

    def _continue(self, node: Node) -> None:
        named = node.children[0].text if node.children else ""
        self._jump(node, lambda t: t.continue_to if not named or t.label == named else "")

    def _jump(self, node: Node, place: Callable[[_Target], str]) -> None:
        for target in reversed(self._targets):
            label = place(target)
            if label:
                self._builder.goto(label, node.span)
                return
        raise Unsupported(f"{node.text} outside of what it leaves", node.span)

    # Alternatives

    def _switch(self, node: Node) -> None:
        """One comparison after the other, then the statements, which fall through."""
        groups = node["body"].of_kind("switch_block_statement_group")
        if len(groups) != len(node["body"].children):
            raise Unsupported("a switch with arrows", node.span)
        value = unboxed_value(self._context, self._expressions.value(node["condition"]), node.span)
        if is_reference(value.type):
            self._context.require_object(value.expression, node.span)
        kept = Value(self._context.saved(value.expression, "switch", node.span), value.type)
        labels = [self._builder.label("case") for _ in groups]
        after = self._builder.label("after")
        default = after
        for group, label in zip(groups, labels, strict=True):
            for case in group.of_kind("switch_label"):
                if not case.children:
                    default = label
                for constant in case.children:
                    test = self._case(kept, constant)
                    following = self._builder.label("next")
                    self._builder.branch(test, label, following, case.span)
                    self._builder.start(following)
        self._builder.goto(default)
        self._targets.append(_Target("", after))
        with self._context.scope():
            for group, label in zip(groups, labels, strict=True):
                self._builder.start(label)
                with self._context.branch():
                    self._sequence([each for each in group.children if each.kind != "switch_label"])
        self._targets.pop()
        self._builder.goto(after)
        self._builder.start(after)

    def _case(self, value: Value, constant: Node) -> Expression:
        known = self._context.classes.get(value.type)
        if known is not None and constant.text in known.constants:
            return binary(Operator.EQUAL, value.expression, Constant(known.number(constant.text), UNBOUNDED))
        if value.type == STRING:
            given = [self._expressions.value(constant)]
            return strings.same_string(self._context, value, given, constant.span).expression
        return compared(self._context, "==", value, self._expressions.value(constant), constant.span).expression

    # Ends

    def _return(self, node: Node) -> None:
        if node.children and self._result is not None:
            value = self._expressions.converted(node.children[0], self._context.method.result)
            self._builder.emit(Assign(self._result, value.expression, node.span))
        self._builder.end(Return(node.span))

    def _throw(self, node: Node) -> None:
        """What it throws and who catches it is not looked at: the run ends."""
        self._builder.end(Stop(node.span))

    def _assert(self, node: Node) -> None:
        """Machines do not look at it unless they are told to; then fewer runs end, which is no matter of laws."""
        mark = self._builder.mark()
        with self._context.branch():
            self._expressions.condition(node.children[0])
        if not self._builder.only_assumed_since(mark):
            raise Unsupported("an assertion that does something", node.span)
        self._builder.undo(mark)

    def _nothing(self, node: Node) -> None:
        pass


_LOOPS = ("while_statement", "do_statement", "for_statement", "enhanced_for_statement")
_READERS: dict[str, Callable[[StatementReader, Node], None]] = {
    "block": StatementReader._block,
    "local_variable_declaration": StatementReader._declaration,
    "expression_statement": StatementReader._expression,
    "if_statement": StatementReader._if,
    "while_statement": StatementReader._while,
    "do_statement": StatementReader._do,
    "for_statement": StatementReader._for,
    "enhanced_for_statement": StatementReader._for_each,
    "labeled_statement": StatementReader._labeled,
    "break_statement": StatementReader._break,
    "continue_statement": StatementReader._continue,
    "switch_expression": StatementReader._switch,
    "return_statement": StatementReader._return,
    "throw_statement": StatementReader._throw,
    "assert_statement": StatementReader._assert,
    ";": StatementReader._nothing,
}
