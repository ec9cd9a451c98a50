"""Exceptions that are defined inside of an expression.

OCaml makes a new one each time that the definition is evaluated, we have one for all of them. That is the same thing
where whoever raises it, and whoever handles it, is the very evaluation that defined it: it is raised inside of a `try`
that handles it, and what mentions it is no function that could be called later or by others. Functions that are handed
to those of `List`, `Array` and `Option` are called at once, and by nobody else.
"""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.trees import Node

_CALLERS = ("List", "Array", "Option")
_FUNCTIONS = ("fun_expression", "function_expression", "let_binding", "lazy_expression", "object_expression")
_HINT = "Define it at top level."


def callers(name: str, body: Node) -> tuple[str, ...]:
    """The modules to whose functions those are handed that mention the exception; refused where we cannot follow it."""
    found: list[str] = []
    for mention in _mentions(name, body):
        found += _followed(name, mention, body)
    return tuple(dict.fromkeys(found))


def _mentions(name: str, body: Node) -> Iterator[Node]:
    stack = [body]
    while stack:
        node = stack.pop()
        if node.kind == "exception_definition" and name in node.text:
            raise Unsupported(f"a second local exception {name}", node.span, _HINT)
        if node.kind == "constructor_path" and node.text == name:
            yield node
        stack.extend(node.children)


def _followed(name: str, mention: Node, body: Node) -> Iterator[str]:
    """From a mention outwards."""
    is_handler = handled = False
    node = mention
    while node.identity != body.identity:
        around = node.parent
        if around is None:
            break
        if around.kind == "match_case" and around["pattern"].identity == node.identity:
            is_handler = True
        if around.kind == "try_expression" and around["expression"].identity == node.identity:
            handled = handled or any(_catches(name, case) for case in around.of_kind("match_case"))
        if around.kind in _FUNCTIONS and (around.kind != "let_binding" or around.of_kind("parameter")):
            yield _caller(name, around)
        node = around
    if not is_handler and not handled:
        raise Unsupported(f"the local exception {name} outside of a try that handles it", mention.span, _HINT)


def _catches(name: str, case: Node) -> bool:
    """Whether the case handles every exception of that name."""
    if case.of_kind("guard"):
        return False
    pattern = case["pattern"]
    while pattern.kind == "parenthesized_pattern":
        pattern = pattern.children[0]
    if pattern.kind in ("any_pattern", "value_pattern"):
        return True
    if pattern.kind == "constructor_pattern":
        return pattern.children[0].text == name and pattern["pattern"].kind in ("any_pattern", "value_pattern")
    return pattern.kind == "constructor_path" and pattern.text == name


def _caller(name: str, function: Node) -> str:
    """The module whose function is handed this one."""
    node = function
    around = node.parent
    while around is not None and around.kind == "parenthesized_expression":
        node, around = around, around.parent
    if function.kind != "let_binding" and around is not None and around.kind == "application_expression":
        module, dot, _ = around["function"].text.partition(".")
        if dot and module in _CALLERS and around["function"].identity != node.identity:
            return module
    raise Unsupported(f"the local exception {name} inside of a function", function.span, _HINT)
