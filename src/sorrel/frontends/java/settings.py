"""Which fields can have any value: those that anybody can set, and those that an argument is stored in as it is.

An object comes from outside, in any state; but a field that only its own class sets has the values that the class
stores there, and a run with another value is none of a machine.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.frontends.java.tree import Node, unparenthesized

_BODIES = ("constructor_body", "block")


def stored_arguments(members: Sequence[Node]) -> Iterator[frozenset[str]]:
    """For each constructor or method that does nothing but store its arguments, the fields that it sets."""
    for member in members:
        body = member.get("body")
        if member.kind in ("constructor_declaration", "method_declaration") and body is not None:
            stored = _stored(member["parameters"], body)
            if stored:
                yield stored


def _stored(parameters: Node, body: Node) -> frozenset[str] | None:
    """The fields that get the parameters, each another one; None if anything else happens."""
    free = {each["name"].text for each in parameters.of_kind("formal_parameter")}
    found = set()
    for statement in body.children:
        inner = statement.children[0] if statement.kind == "expression_statement" else None
        if inner is None or inner.kind != "assignment_expression" or inner["operator"].text != "=":
            return None
        name, source = _field(inner["left"], free), inner["right"].text
        if not name or source not in free or inner["right"].kind != "identifier":
            return None
        free.remove(source)
        found.add(name)
    return frozenset(found)


def _field(target: Node, parameters: set[str]) -> str:
    if target.kind == "field_access" and target["object"].kind == "this":
        return target["field"].text
    return target.text if target.kind == "identifier" and target.text not in parameters else ""


def assigned(members: Sequence[Node]) -> frozenset[str]:
    """The names that anything is assigned to in the class, whatever they mean there."""
    return frozenset(name for member in members for name in _assigned(member))


def _assigned(root: Node) -> Iterator[str]:
    stack = [root]
    while stack:
        node = stack.pop()
        target = None
        if node.kind == "assignment_expression":
            target = node["left"]
        elif node.kind == "update_expression":
            target = node.children[0]
        if target is not None:
            target = unparenthesized(target)
            yield (target.get("field") or target).text
        stack += node.children
