"""Types and their declarations."""

from __future__ import annotations

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.ocaml.tree import flattened, path
from sorrel.frontends.trees import Node
from sorrel.functional.syntax import (
    ConstructorDeclaration,
    TypeArrow,
    TypeDeclaration,
    TypeDefinition,
    TypeExpression,
    TypeName,
    TypeTuple,
    TypeVariable,
)


def type_expression(node: Node) -> TypeExpression:
    match node.kind:
        case "type_variable":
            return TypeVariable(node.text.lstrip("'"), node.span)
        case "type_constructor_path":
            return TypeName(path(node), (), node.span)
        case "constructed_type":
            *arguments, name = node.children
            return TypeName(path(name), tuple(map(type_expression, arguments)), node.span)
        case "function_type":
            label, domain = "", node["domain"]
            if domain.kind == "labeled_argument_type":
                optional = "?" if "?" in domain.words else ""
                label, domain = f"{optional}{domain.of_kind('label_name')[0].text}", domain["type"]
            return TypeArrow(type_expression(domain), type_expression(node["codomain"]), label)
        case "tuple_type":
            return TypeTuple(tuple(map(type_expression, flattened(node))))
        case "parenthesized_type":
            return type_expression(node.children[0])
        case "polymorphic_type" if node.of_kind("abstract_type"):
            raise Unsupported("a type as a parameter", node.span, "Write a type variable, or nothing.")
        case "polymorphic_type":
            return type_expression(node["type"])
        case _:
            raise Unsupported(f"a type of this kind ({node.kind.replace('_', ' ')})", node.span)


def type_definition(node: Node) -> TypeDefinition:
    return TypeDefinition(tuple(map(_declaration, node.of_kind("type_binding"))), node.span)


def _declaration(node: Node) -> TypeDeclaration:
    name, body = node["name"].text, node.get("body")
    parameters = tuple(child.text.lstrip("'") for child in node.of_kind("type_variable"))
    if body is None:
        raise Unsupported("a type without a definition", node.span)
    match body.kind:
        case "variant_declaration":
            cases = tuple(map(constructor_declaration, body.of_kind("constructor_declaration")))
            if not cases:
                raise Unsupported("a type without values", node.span)
            return TypeDeclaration(name, parameters, cases, span=node.span)
        case "record_declaration":
            return TypeDeclaration(name, parameters, (_record(name, body),), span=node.span)
        case _:
            return TypeDeclaration(name, parameters, alias=type_expression(body), span=node.span)


def constructor_declaration(node: Node) -> ConstructorDeclaration:
    name, *arguments = node.children
    if "->" in node.words or ":" in node.words:
        raise Unsupported("a constructor with a type of its own (GADT)", node.span)
    if arguments and arguments[0].kind == "record_declaration":
        return _record(name.text, arguments[0])
    return ConstructorDeclaration(name.text, tuple(map(type_expression, arguments)), span=node.span)


def _record(name: str, node: Node) -> ConstructorDeclaration:
    fields = node.of_kind("field_declaration")
    return ConstructorDeclaration(
        name,
        tuple(type_expression(field["type"]) for field in fields),
        tuple(field.of_kind("field_name")[0].text for field in fields),
        tuple("mutable" in field.words for field in fields),
        node.span,
    )
