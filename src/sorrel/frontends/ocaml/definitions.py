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
    Include,
    ModuleAlias,
    ModuleDefinition,
    Open,
    Signature,
    TopLevel,
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
        case "module_definition" if "rec" in node.words:
            raise Unsupported("modules that mention one another", node.span)
        case "module_definition":
            for binding in node.of_kind("module_binding"):
                yield module(binding, signatures)
        case "module_type_definition":
            return
        case "include_module" if node["module"].kind == "module_path":
            yield Include(path(node["module"]), node.span)
        case _:
            raise Unsupported(f"a definition of this kind ({node.kind.replace('_', ' ')})", node.span)


def module(node: Node, signatures: dict[str, Node]) -> ModuleDefinition | ModuleAlias:
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
    lets_out = _signature(signature, signatures) if signature is not None else None
    return ModuleDefinition(name, definitions(body), lets_out, node.span)


def _signature(node: Node, signatures: dict[str, Node]) -> Signature:
    if node.kind == "module_type_path":
        named = signatures.get(node.text)
        if named is None:
            raise Unsupported(f"the signature {node.text}, which is defined elsewhere", node.span)
        return _signature(named["body"], signatures)
    if node.kind != "signature":
        raise Unsupported(f"a signature of this kind ({node.kind.replace('_', ' ')})", node.span)
    for child in node.children:
        if child.kind not in _SPECIFICATIONS:
            raise Unsupported(f"a specification of this kind ({child.kind.replace('_', ' ')})", child.span)
    bindings = [binding for each in node.of_kind("type_definition") for binding in each.of_kind("type_binding")]
    bodies = [body for binding in bindings if (body := binding.get("body")) is not None]
    declared = [one for each in (*bodies, *node.of_kind("exception_definition")) for one in _constructors(each)]
    fields = [one.of_kind("field_name")[0].text for each in bodies for one in each.of_kind("field_declaration")]
    modules = [binding for each in node.of_kind("module_definition") for binding in each.of_kind("module_binding")]
    return Signature(
        tuple((path(e.children[0])[-1], type_expression(e["type"])) for e in node.of_kind("value_specification")),
        frozenset(binding["name"].text for binding in bindings),
        frozenset(declared),
        frozenset(fields),
        tuple((each.children[0].text, _signature(each["module_type"], signatures)) for each in modules),
        frozenset(binding["name"].text for binding in bindings if binding.get("body") is None),
    )


_SPECIFICATIONS = ("value_specification", "type_definition", "exception_definition", "module_definition")


def _constructors(node: Node) -> list[str]:
    return [each.children[0].text for each in node.of_kind("constructor_declaration")]
