"""Expressions, and the definitions that stand inside of them."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Sequence as Several
from dataclasses import replace
from functools import reduce

from sorrel.frontends.errors import Unsupported
from sorrel.frontends.ocaml.exceptions import callers
from sorrel.frontends.ocaml.patterns import literal, pattern
from sorrel.frontends.ocaml.tree import flattened, path
from sorrel.frontends.ocaml.types import constructor_declaration, type_expression
from sorrel.frontends.trees import Node
from sorrel.functional.syntax import (
    Annotated,
    AnyPattern,
    Application,
    ArrayOf,
    Assertion,
    Binding,
    Case,
    Cases,
    Conditional,
    Constructed,
    ConstructorPattern,
    ExceptionDefinition,
    Expression,
    FieldOf,
    For,
    Lambda,
    LetDefinition,
    LetIn,
    Literal,
    LocalException,
    Matching,
    ModuleDefinition,
    ModuleIn,
    Name,
    NamePattern,
    OpenIn,
    Pattern,
    RecordOf,
    Sequence,
    SetField,
    TopLevel,
    Trying,
    TupleOf,
    TuplePattern,
    TypedPattern,
    While,
)
from sorrel.functional.type import CONS, NIL
from sorrel.model.errors import Span


def expression(node: Node) -> Expression:
    found = literal(node)
    if found is not None:
        return found
    read = _READERS.get(node.kind)
    if read is None:
        raise Unsupported(f"an expression of this kind ({node.kind.replace('_', ' ')})", node.span)
    return read(node)


def _only(node: Node) -> Expression:
    return expression(node["expression"])


def _typed(node: Node) -> Expression:
    return Annotated(_only(node), type_expression(node["type"]), node.span)


def _application(node: Node) -> Expression:
    given = [_argument(each) for each in node.all("argument")]
    function = node["function"]
    values, labels = tuple(value for _, value in given), tuple(label for label, _ in given)
    if function.kind == "constructor_path":
        return Constructed(path(function), values[0] if len(values) == 1 else TupleOf(values, node.span), node.span)
    return Application(expression(function), values, node.span, labels if any(labels) else ())


def _argument(node: Node) -> tuple[str, Expression]:
    """With its label: `x`, `?x`, or none."""
    if node.kind != "labeled_argument":
        return "", expression(node)
    name, value = node.of_kind("label_name")[0].text, node.get("expression")
    label = f"?{name}" if "?" in node.words else name
    return label, expression(value) if value is not None else Name((name,), node.span)


def _infix(node: Node) -> Expression:
    operator, left, right = node["operator"].text, expression(node["left"]), expression(node["right"])
    return Application(Name((operator,), node["operator"].span), (left, right), node.span)


def _prefix(node: Node) -> Expression:
    operator, inner = node["operator"].text, expression(node["expression"])
    if node.kind == "sign_expression":
        if isinstance(inner, Literal) and isinstance(inner.value, int) and operator == "-":
            return Literal(-inner.value, node.span)
        operator = f"~{operator}"
    return Application(Name((operator,), node["operator"].span), (inner,), node.span)


def _conditional(node: Node) -> Expression:
    then = node.of_kind("then_clause")[0]["expression"]
    otherwise = [clause["expression"] for clause in node.of_kind("else_clause")]
    last = expression(otherwise[0]) if otherwise else None
    return Conditional(expression(node["condition"]), expression(then), last, node.span)


def _let(node: Node) -> Expression:
    definition, body = node.children[0], expression(node["body"])
    match definition.kind:
        case "value_definition":
            if definition.of_kind("let_operator"):
                return _let_operator(definition, body)
            bound = let_definition(definition)
            return LetIn(bound.recursive, bound.bindings, body, node.span)
        case "open_module":
            return OpenIn(path(definition["module"]), body, node.span)
        case "module_definition":
            return _local_modules(definition.of_kind("module_binding"), body, node)
        case "exception_definition":
            declared = constructor_declaration(definition.of_kind("constructor_declaration")[0])
            return LocalException(declared, callers(declared.name, node["body"]), body, node.span)
        case _:
            raise Unsupported(f"a local definition of this kind ({definition.kind.replace('_', ' ')})", definition.span)


def _local_modules(bindings: tuple[Node, ...], body: Expression, node: Node) -> Expression:
    from sorrel.frontends.ocaml.definitions import module

    for binding in reversed(bindings):
        made = module(binding, {})
        if _has_exception(made):
            raise Unsupported("an exception inside of a local module", binding.span, "Declare it outside.")
        body = ModuleIn(made, body, node.span)
    return body


def _has_exception(definition: TopLevel) -> bool:
    """A local one would be another exception each time."""
    inside = definition.definitions if isinstance(definition, ModuleDefinition) else ()
    return isinstance(definition, ExceptionDefinition) or any(map(_has_exception, inside))


def _let_operator(node: Node, body: Expression) -> Expression:
    """`let* p = e and* q = f in body` is `( let* ) (( and* ) e f) (fun (p, q) -> body)`."""
    first, *others = map(_binding, node.of_kind("let_binding"))
    value, bound = first.value, first.pattern
    for operator, each in zip(node.of_kind("let_and_operator"), others, strict=True):
        value = Application(Name((operator.text,), operator.span), (value, each.value), node.span)
        bound = TuplePattern((bound, each.pattern), node.span)
    operator = node.of_kind("let_operator")[0]
    function = Lambda((bound,), body, node.span)
    return Application(Name((operator.text,), operator.span), (value, function), node.span)


def let_definition(node: Node) -> LetDefinition:
    if node.of_kind("let_operator"):
        raise Unsupported("a definition with an operator", node.span)
    if node.of_kind("attribute_id"):
        raise Unsupported("a definition that an extension rewrites", node.span)
    return LetDefinition("rec" in node.words, tuple(map(_binding, node.of_kind("let_binding"))), node.span)


def _demand_no_types(node: Node) -> None:
    for child in node.of_kind("abstract_type"):
        raise Unsupported("a type as a parameter", child.span, "Write a type variable, or nothing.")


def _binding(node: Node) -> Binding:
    _demand_no_types(node)
    bound = pattern(node["pattern"])
    body = expression(node["body"])
    parameters = node.of_kind("parameter")
    annotation = node.get("type")
    if annotation is not None and parameters:
        body = Annotated(body, type_expression(annotation), node.span)
    elif annotation is not None:
        bound = TypedPattern(bound, type_expression(annotation), node.span)
    return Binding(bound, function(parameters, body, node.span) if parameters else body, node.span)


def function(parameters: Several[Node], body: Expression, span: Span) -> Lambda:
    """A default is looked at after all arguments are there: `?(x = d)` takes what may be absent."""
    labels = tuple(map(_label, parameters))
    taken = []
    for position, parameter in enumerate(parameters):
        named = NamePattern(_given(position), parameter.span)
        taken.append(_own_pattern(parameter) if parameter.get("default") is None else named)
    for position, parameter in reversed(list(enumerate(parameters))):
        default = parameter.get("default")
        if default is not None:
            _demand_own_names(default, parameters[position + 1 :])
            own, value = _own_pattern(parameter), expression(default)
            body = _with_default(own, _given(position), value, body, parameter.span)
    return Lambda(tuple(taken), body, span, labels if any(labels) else ())


def _own_pattern(parameter: Node) -> Pattern:
    written, type = pattern(parameter["pattern"]), parameter.get("type")
    return written if type is None else TypedPattern(written, type_expression(type), parameter.span)


def _given(position: int) -> str:
    """A name that no program can have."""
    return f"optional argument {position + 1}"


def _with_default(bound: Pattern, given: str, default: Expression, body: Expression, span: Span) -> Expression:
    there = Case(ConstructorPattern(("Some",), NamePattern(_MATCHED, span), span), None, Name((_MATCHED,), span))
    absent = Case(ConstructorPattern(("None",), None, span), None, default)
    value = Matching(Name((given,), span), (there, absent), span)
    return LetIn(False, (Binding(bound, value, span),), body, span)


def _label(node: Node) -> str:
    mark = "?" if "?" in node.words else "~" if "~" in node.words else ""
    if not mark:
        return ""
    names = node.of_kind("label_name")
    name = names[0].text if names else node["pattern"].text
    return f"?{name}" if mark == "?" else name


def _demand_own_names(default: Node, later: Several[Node]) -> None:
    """What a default mentions is looked up in front of the parameters that follow."""
    bound = {name for parameter in later for name in _words(parameter["pattern"], "value_pattern")}
    if bound & set(_words(default, "value_path")):
        raise Unsupported("a default that mentions the name of a later parameter", default.span)


def _words(node: Node, kind: str) -> Iterator[str]:
    if node.kind == kind:
        yield node.text
    for child in node.children:
        yield from _words(child, kind)


def _lambda(node: Node) -> Expression:
    _demand_no_types(node)
    body = expression(node["body"])
    annotation = node.get("type")
    if annotation is not None:
        body = Annotated(body, type_expression(annotation), node.span)
    return function(node.of_kind("parameter"), body, node.span)


def _cases(node: Node) -> tuple[Case, ...]:
    return tuple(map(_case, node.of_kind("match_case")))


def _case(node: Node) -> Case:
    guards = node.of_kind("guard")
    guard = expression(guards[0]["expression"]) if guards else None
    if node["body"].kind == "refutation_case":
        raise Unsupported("a case that cannot happen by its type", node.span)
    matched = node["pattern"]
    matched = matched.children[0] if matched.kind == "exception_pattern" else matched
    return Case(pattern(matched), guard, expression(node["body"]))


_MATCHED = "what is matched"
"""A name that no program can have."""


def _match(node: Node) -> Expression:
    """Cases of exceptions are handlers of the subject alone: what follows from it waits until they are left."""
    handled = [case for case in node.of_kind("match_case") if case["pattern"].kind == "exception_pattern"]
    plain = tuple(_case(case) for case in node.of_kind("match_case") if case not in handled)
    if not handled:
        return Matching(_only(node), plain, node.span)
    if not plain:
        raise Unsupported("a match with cases of exceptions only", node.span)
    span = node.span
    value = Matching(Name((_MATCHED,), span), plain, span)
    body = LetIn(False, (Binding(NamePattern(_MATCHED, span), _only(node), span),), _later(value), span)
    cases = tuple(replace(each, body=_later(each.body)) for each in map(_case, handled))
    return Application(Trying(body, cases, span), (Literal(None, span),), span)


def _later(expression: Expression) -> Expression:
    return Lambda((AnyPattern(expression.span),), expression, expression.span)


def _while(node: Node) -> Expression:
    return While(expression(node["condition"]), _block(node.of_kind("do_clause")[0]), node.span)


def _for(node: Node) -> Expression:
    body = _block(node.of_kind("do_clause")[0])
    start, end = expression(node["from"]), expression(node["to"])
    return For(node["name"].text, start, end, "to" in node.words, body, node.span)


def _block(node: Node) -> Expression:
    return expression(node.children[0]) if node.children else Literal(None, node.span)


def _list(node: Node) -> Expression:
    found: Expression = Constructed((NIL,), None, node.span)
    for item in reversed(node.children):
        found = Constructed((CONS,), TupleOf((expression(item), found), node.span), node.span)
    return found


def _cons(node: Node) -> Expression:
    pair = TupleOf((expression(node["left"]), expression(node["right"])), node.span)
    return Constructed((CONS,), pair, node.span)


def _record(node: Node) -> Expression:
    base = node.get("record")
    fields = []
    for field in node.of_kind("field_expression"):
        name, body = path(field.of_kind("field_path")[0]), field.get("body")
        fields.append((name, expression(body) if body is not None else Name((name[-1],), field.span)))
    return RecordOf(tuple(fields), expression(base) if base is not None else None, node.span)


def _set(node: Node) -> Expression:
    target, value = node.children[0], expression(node["body"])
    match target.kind:
        case "field_get_expression":
            return SetField(expression(target["record"]), path(target["field"]), value, node.span)
        case "array_get_expression":
            parts = (expression(target["sequence"]), expression(target["index"]), value)
            return Application(Name(("Array", "set"), node.span), parts, node.span)
        case _:
            raise Unsupported(f"an assignment of this kind ({target.kind.replace('_', ' ')})", node.span)


def _element(node: Node) -> Expression:
    module = "Array" if node.kind == "array_get_expression" else "String"
    parts = (expression(node["sequence"]), expression(node["index"]))
    return Application(Name((module, "get"), node.span), parts, node.span)


def _sequence(node: Node) -> Expression:
    parts = [expression(child) for child in node.children]
    return reduce(lambda rest, first: Sequence(first, rest, node.span), reversed(parts[:-1]), parts[-1])


def _open(node: Node) -> Expression:
    return OpenIn(path(node.children[0]), expression(node["expression"]), node.span)


_READERS = {
    "value_path": lambda node: Name(path(node), node.span),
    "parenthesized_expression": _only,
    "typed_expression": _typed,
    "constructor_path": lambda node: Constructed(path(node), None, node.span),
    "application_expression": _application,
    "infix_expression": _infix,
    "sign_expression": _prefix,
    "prefix_expression": _prefix,
    "if_expression": _conditional,
    "let_expression": _let,
    "fun_expression": _lambda,
    "function_expression": lambda node: Cases(_cases(node), node.span),
    "match_expression": _match,
    "try_expression": lambda node: Trying(_only(node), _cases(node), node.span),
    "while_expression": _while,
    "for_expression": _for,
    "tuple_expression": lambda node: TupleOf(tuple(map(expression, flattened(node))), node.span),
    "empty_list": lambda node: Constructed((NIL,), None, node.span),
    "list_expression": _list,
    "cons_expression": _cons,
    "array_expression": lambda node: ArrayOf(tuple(map(expression, node.children)), node.span),
    "record_expression": _record,
    "field_get_expression": lambda node: FieldOf(expression(node["record"]), path(node["field"]), node.span),
    "set_expression": _set,
    "array_get_expression": _element,
    "string_get_expression": _element,
    "sequence_expression": _sequence,
    "assert_expression": lambda node: Assertion(_only(node), node.span),
    "local_open_expression": _open,
}
