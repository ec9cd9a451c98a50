"""Summaries as refinement types in OCaml-like syntax, over the program's own names."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sorrel.encode import tidying
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import FunctionRefinement, Held, Path, Refinement
from sorrel.functional.type import Arrow, Named, Product, Type, shown
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.printing_ml import can_be_said, ml_syntax, variables_of
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle

RESULT = "r"
MOST_CHARACTERS = 400
"""A formula that nobody reads is left out: the type is then weaker, and still true."""


@dataclass(frozen=True, slots=True)
class _Binder:
    """A value in a type: its name, its type, and the formulas that are said of it."""

    name: str
    type: Type
    said: tuple[str, ...] = ()
    inner: Mapping[Path, Held] | None = None
    needed: bool = False


class RefinementTypes:
    """Types of functions under a solution of their clauses."""

    def __init__(self, shapes: Shapes, summaries: Summaries, oracle: Oracle) -> None:
        self._shapes = shapes
        self._summaries = summaries
        self._oracle = oracle

    def text(self, function: FunctionRefinement, names: tuple[str, ...]) -> str:
        """`names` are those of the parameters, as far as they have any."""
        return self._function(function, names, {})

    def _function(self, function: FunctionRefinement, names: tuple[str, ...], around: Mapping[str, str]) -> str:
        parameters = [names[i] if i < len(names) and names[i] else f"x{i + 1}" for i in range(len(function.parameters))]
        texts = dict(around)
        self._name_terms(function.takes, parameters, texts)
        requirements = self._formulas(function.takes, texts)
        said: dict[str, list[str]] = {name: [] for name in parameters}
        mentioned: set[str] = set()
        own = self._owners(function, parameters)
        for formula, text in requirements:
            about = [own[v] for v in (terms.name_of(x) for x in walk.free_variables(formula)) if v in own]
            last = max(about, key=parameters.index, default="")
            if last:
                said[last].append(text)
                mentioned.update(about)
        result_texts = dict(texts)
        result_type = (
            function.gives.type.items[0]
            if function.cells and isinstance(function.gives.type, Product)
            else function.gives.type
        )
        self._name_value(result_type, RESULT, function.gives.own, result_texts)
        promises = self._formulas(function.gives, result_texts)
        for formula, _ in promises:
            mentioned.update(own[v] for v in variables_of_formals(function.gives, formula) if v in own)
        pieces = []
        for position, (name, type) in enumerate(zip(parameters, function.parameters, strict=True)):
            inner = {path[1:]: held for path, held in function.takes.inner.items() if path and path[0] == position}
            nested = self._nested_mentions(inner, own)
            mentioned |= nested
            pieces.append((name, self._value(_Binder(name, type, tuple(said[name]), inner), texts), type))
        written = [
            self._parameter(name, text, name in mentioned and not text.startswith("{"), type)
            for name, text, type in pieces
        ]
        inner_result = {
            p[1:] if function.cells else p: h
            for p, h in function.gives.inner.items()
            if not function.cells or p[0] == 0
        }
        result = self._value(
            _Binder(RESULT, result_type, tuple(text for _, text in promises), inner_result), result_texts
        )
        return " -> ".join([*written, result])

    def _parameter(self, name: str, text: str, named: bool, type: Type) -> str:
        if isinstance(type, Arrow):
            return f"{name}:({text})"
        if text.startswith("{"):
            return f"{name}:{text}"
        wrapped = f"({text})" if isinstance(type, Product) else text
        return f"{name}:{wrapped}" if named else wrapped

    def _value(self, binder: _Binder, texts: Mapping[str, str]) -> str:
        type, inner = binder.type, binder.inner or {}
        if isinstance(type, Arrow):
            held = inner.get(())
            if isinstance(held, FunctionRefinement):
                return self._function(held, (), texts)
            return shown(type)
        written = self._plain(type, inner, texts)
        if not binder.said:
            return written
        return "{" + f"{binder.name}:{written} | {' && '.join(binder.said)}" + "}"

    def _plain(self, type: Type, inner: Mapping[Path, Held], texts: Mapping[str, str]) -> str:
        """The type, with what is said of elements."""
        if isinstance(type, Named) and type.name in ("list", "array"):
            held = inner.get(("::",)) if type.name == "list" else inner.get(("elements",))
            if isinstance(held, Refinement):
                element = type.arguments[0]
                own = dict(texts)
                item = held.type.items[0] if type.name == "list" and isinstance(held.type, Product) else held.type
                self._name_value(item, "x", held.own, own)
                said = tuple(text for _, text in self._formulas(held, own))
                if said:
                    return "{" + f"x:{shown(element)} | {' && '.join(said)}" + "} " + type.name
        return shown(type)

    # Formulas

    def _formulas(self, held: Refinement, texts: Mapping[str, str]) -> list[tuple[Term, str]]:
        """What the summary says, part by part, as far as it speaks of what has a name here."""
        summary = self._summaries.get(held.predicate.name, terms.TRUE)
        formals = held.predicate.formals
        actual = [*held.scope, *held.own]
        known = {}
        for formal, term in zip(formals, actual, strict=True):
            name = terms.name_of(term) if terms.is_variable(term) else ""
            if name in texts:
                known[terms.name_of(formal)] = texts[name]
        outputs = list(formals[len(held.scope) :])
        background = self._shapes.facts(held.type, list(outputs))
        conjuncts = tidying.tidy(summary, background, list(formals[: len(held.scope)]), outputs, [], self._oracle)
        found = []
        renaming = list(zip(formals, actual, strict=True))
        for part in conjuncts:
            if terms.is_true(part) or not can_be_said(part) or not variables_of(part) <= known.keys():
                continue
            text = ml_syntax(part, known)
            if len(text) <= MOST_CHARACTERS:
                wrapped = f"({text})" if " || " in text and len(conjuncts) > 1 else text
                found.append((terms.substitute(part, renaming), wrapped))
        return found

    def _name_terms(self, takes: Refinement, parameters: list[str], texts: dict[str, str]) -> None:
        remaining = list(takes.own)
        types = takes.type.items if isinstance(takes.type, Product) else ()
        for name, type in zip(parameters, types, strict=False):
            count = len(self._shapes.sorts(type))
            self._name_value(type, name, tuple(remaining[:count]), texts)
            del remaining[:count]

    def _name_value(self, type: Type, name: str, own: tuple[Term, ...], texts: dict[str, str]) -> None:
        for term, text in zip(own, self._readable(type, name), strict=False):
            if text:
                texts[terms.name_of(term)] = text

    def _readable(self, type: Type, name: str) -> list[str]:
        """How the terms of a value are written; nothing for those that OCaml has no short word for."""
        if isinstance(type, Named) and type.name in ("list", "array", "string"):
            return [f"{type.name.capitalize()}.length {name}"]
        if isinstance(type, Product) and len(type.items) == 2:
            parts = zip(type.items, ("fst", "snd"), strict=True)
            return [text for item, word in parts for text in self._readable(item, f"({word} {name})")]
        names = self._shapes.names(type, name)
        return [each if each == name or _is_field(type, self._shapes) else "" for each in names]

    def _owners(self, function: FunctionRefinement, parameters: list[str]) -> dict[str, str]:
        """The parameter that each variable belongs to."""
        found: dict[str, str] = {}
        remaining = list(function.takes.own)
        for name, type in zip(parameters, function.parameters, strict=True):
            for _ in self._shapes.sorts(type):
                found[terms.name_of(remaining.pop(0))] = name
        return found

    def _nested_mentions(self, inner: Mapping[Path, Held], own: Mapping[str, str]) -> set[str]:
        """The parameters that types of function parameters speak of."""
        found: set[str] = set()
        for held in inner.values():
            refinements = [held.takes, held.gives] if isinstance(held, FunctionRefinement) else [held]
            for each in refinements:
                if not isinstance(each, Refinement):
                    continue
                summary = self._summaries.get(each.predicate.name, terms.TRUE)
                for variable in variables_of_formals(
                    each,
                    terms.substitute(summary, list(zip(each.predicate.formals, [*each.scope, *each.own], strict=True))),
                ):
                    if variable in own:
                        found.add(own[variable])
        return found


def variables_of_formals(held: Refinement, formula: Term) -> set[str]:
    return {terms.name_of(variable) for variable in walk.free_variables(formula)}


def _is_field(type: Type, shapes: Shapes) -> bool:
    """Whether the terms are fields of a record, which are written as such."""
    if not isinstance(type, Named) or type.name not in shapes.data:
        return False
    constructors = shapes.data[type.name].constructors
    return len(constructors) == 1 and bool(constructors[0].fields)
