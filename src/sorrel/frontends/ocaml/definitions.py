"""What stands at the top level of a file or of a module."""

from __future__ import annotations

from collections.abc import Iterator

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.ocaml.expressions import expression, let_definition
from sorrel.frontends.ocaml.tree import path
from sorrel.frontends.ocaml.types import constructor_declaration, type_definition, type_expression
from sorrel.frontends.trees import Node
from sorrel.functional.syntax import (
    Effect,
    ExceptionDefinition,
    ModuleAlias,
    ModuleDefinition,
    Open,
    TopLevel,
    TypeExpression,
)


def definitions(node: Node) -> tuple[TopLevel, ...]:
    """The definitions in order; signatures are looked up by the modules that they belong to."""
    signatures = {each.children[0].text: each for each in node.of_kind("module_type_definition")}
    return tuple(found for child in node.children for found in _definition(child, signatures))


def _definition(node: Node, signatures: dict[str, Node]) -> Iterator[TopLevel]:
    match node.kind:
        case "value_definition":
            yield let_definition(node)
        case "expression_item":
            yield Effect(expression(node.children[0]), node.span)
        case "type_definition":
            yield type_definition(node)
        case "exception_definition":
            yield ExceptionDefinition(constructor_declaration(node.of_kind("constructor_declaration")[0]))
        case "open_module":
            yield Open(path(node["module"]), node.span)
        case "module_definition":
            for binding in node.of_kind("module_binding"):
                yield _module(binding, signatures)
        case "module_type_definition":
            return
        case "include_module" if node["module"].kind == "module_path":
            yield Open(path(node["module"]), node.span)
        case _:
            raise Unsupported(f"a definition of this kind ({node.kind.replace('_', ' ')})", node.span)


def _module(node: Node, signatures: dict[str, Node]) -> TopLevel:
    name, body = node.children[0].text, node.get("body")
    if body is None or node.of_kind("module_parameter"):
        raise Unsupported("a functor", node.span)
    if body.kind == "typed_module_expression":
        return _structured(name, body["module"], body["module_type"], node, signatures)
    return _structured(name, body, node.get("module_type"), node, signatures)


def _structured(
    name: str, body: Node, signature: Node | None, node: Node, signatures: dict[str, Node]
) -> ModuleDefinition | ModuleAlias:
    if body.kind == "parenthesized_module_expression":
        return _structured(name, body.children[0], signature, node, signatures)
    if body.kind == "module_path":
        return ModuleAlias(name, path(body), node.span)
    if body.kind != "structure":
        raise Unsupported(f"a module of this kind ({body.kind.replace('_', ' ')})", node.span)
    exported = _exported(signature, signatures) if signature is not None else None
    return ModuleDefinition(name, definitions(body), exported, node.span)


def _exported(signature: Node, signatures: dict[str, Node]) -> tuple[tuple[str, TypeExpression], ...]:
    """The values that a signature lists. Types stay known outside: hiding them refuses programs, it changes no run."""
    if signature.kind == "module_type_path":
        named = signatures.get(signature.text)
        if named is None:
            raise Unsupported(f"the signature {signature.text}, which is defined elsewhere", signature.span)
        return _exported(named["body"], signatures)
    if signature.kind != "signature":
        raise Unsupported(f"a signature of this kind ({signature.kind.replace('_', ' ')})", signature.span)
    listed = signature.of_kind("value_specification")
    return tuple((path(each.children[0])[-1], type_expression(each["type"])) for each in listed)
