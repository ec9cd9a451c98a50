"""Summaries as refinement types over the program's own names, as short as they can be said.

What is promised may be told in part; what is demanded is told as a whole, or the type is not told.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import field, replace

from sorrel.encode import tidying
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.values import FunctionRefinement, Held, Path, Refinement
from sorrel.functional.refined import Refined, RefinedFunction, RefinedValue
from sorrel.functional.type import Arrow, Named, TupleType, Type, shown
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import operations, terms, walk
from sorrel.logic.printing_ml import can_be_said, ml_syntax, variables_of
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle

RESULT = "r"
_LETTERS = ("x", "y", "z", "u", "v", "w")
MOST_CHARACTERS = 200
"""A formula that nobody reads is left out: the type is then weaker, and still true."""


class Unsaid(Exception):
    """What a type demands cannot be said in OCaml."""


@dataclass(frozen=True, slots=True, eq=False)
class _Around:
    """Where a type stands: how variables are written there, what holds of them, and names that are taken."""

    texts: Mapping[str, str] = field(default_factory=dict)
    facts: tuple[Term, ...] = ()
    taken: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True, eq=False)
class Condition:
    """A part of what is said of a value, as text and as a formula; `about` are variables of its own."""

    text: str
    formula: Term


class RefinementTypes:
    """Types of functions under a solution of their clauses."""

    def __init__(self, shapes: Shapes, system: HornSystem, summaries: Summaries, oracle: Oracle) -> None:
        self._shapes = shapes
        self._system = system
        self._summaries = summaries
        self._oracle = oracle

    def told(self, function: FunctionRefinement, names: tuple[str, ...]) -> RefinedFunction | None:
        """`names` are those of the parameters, as far as they have any; None if the type cannot be told."""
        try:
            return _with_names_needed(self._function(function, names, _Around(), promised=True))
        except Unsaid:
            return None

    def _function(
        self, function: FunctionRefinement, names: tuple[str, ...], around: _Around, *, promised: bool
    ) -> RefinedFunction:
        """`promised`: the function is the program's, which promises results and demands arguments."""
        parameters = _parameter_names(len(function.parameters), names, around.taken)
        takes = function.takes
        texts = {**around.texts, **self._words(_items(takes.type), [*parameters, *[""] * len(function.cells)], takes)}
        inside = _Around(texts, around.facts, around.taken | set(parameters))
        said = self._distributed(takes, parameters, inside, promised=not promised)
        background = self._shapes.facts(takes.type, list(takes.own))
        inside = replace(inside, facts=(*around.facts, *background, self._summary(takes)))
        refined = tuple(
            self._value(type, name, said[name], _below(takes.inner, position), inside, promised=not promised)
            for position, (name, type) in enumerate(zip(parameters, function.parameters, strict=True))
        )
        return RefinedFunction(refined, self._result(function, inside, promised=promised))

    def _result(self, function: FunctionRefinement, around: _Around, *, promised: bool) -> Refined:
        gives = function.gives
        name = RESULT if RESULT not in around.taken else _fresh(around.taken)
        type = _items(gives.type)[0] if function.cells else gives.type
        inner = _below(gives.inner, 0) if function.cells else gives.inner
        words = self._words([type], [name], gives)
        here = _Around({**around.texts, **words}, around.facts, around.taken | {name})
        said = tuple(each.text for each in self._conditions(gives, here, promised=promised))
        return self._value(type, name, said, inner, here, promised=promised)

    def _value(
        self,
        type: Type,
        name: str,
        said: tuple[str, ...],
        inner: Mapping[Path, Held],
        around: _Around,
        *,
        promised: bool,
    ) -> Refined:
        if isinstance(type, Arrow):
            held = inner.get(())
            if not isinstance(held, FunctionRefinement):
                return RefinedValue(shown(type), name)
            return self._function(held, (), around, promised=promised)
        element = self._element(type, inner, around, promised=promised)
        return RefinedValue(shown(type), name, said, element)

    def _element(
        self, type: Type, inner: Mapping[Path, Held], around: _Around, *, promised: bool
    ) -> RefinedValue | None:
        """What is said of each element of a list or array; what is inside of other data has no words."""
        is_list = isinstance(type, Named) and type.name == "list"
        is_array = isinstance(type, Named) and type.name == "array"
        place: Path = ("::",) if is_list else ("elements",)
        for path, part in inner.items():
            if not promised and not (path == place and (is_list or is_array)):
                self._demand_nothing(part)
        held = inner.get(place) if is_list or is_array else None
        if not isinstance(held, Refinement) or not isinstance(type, Named):
            return None
        name = _fresh(around.taken)
        words = self._words([type.arguments[0]], [name], held)
        here = _Around({**around.texts, **words}, around.facts, around.taken | {name})
        said = tuple(each.text for each in self._conditions(held, here, promised=promised))
        for deeper in held.inner.values() if not promised else ():
            self._demand_nothing(deeper)
        return RefinedValue(shown(type.arguments[0]), name, said) if said else None

    def _demand_nothing(self, held: Held) -> None:
        """Raise `Unsaid` where something is demanded that has no place in the text."""
        if isinstance(held, Refinement):
            if not terms.is_true(terms.simplify(self._summary(held))):
                raise Unsaid
            for deeper in held.inner.values():
                self._demand_nothing(deeper)
        elif isinstance(held, FunctionRefinement):
            raise Unsaid

    # Conditions

    def _distributed(
        self, takes: Refinement, parameters: list[str], around: _Around, *, promised: bool
    ) -> dict[str, tuple[str, ...]]:
        """Each condition on arguments stands at the last one that it mentions."""
        found: dict[str, tuple[str, ...]] = dict.fromkeys(parameters, ())
        values = [name for name, type in zip(parameters, _items(takes.type), strict=False) if not _is_function(type)]
        for condition in self._conditions(takes, around, promised=promised):
            about = [name for name in values if mentions(condition.text, name)] or values
            if not about:
                if promised:
                    continue
                raise Unsaid
            found[about[-1]] += (condition.text,)
        return found

    def _conditions(self, held: Refinement, around: _Around, *, promised: bool) -> list[Condition]:
        """What the summary says beyond what holds anyway, part by part."""
        background = [*around.facts, *self._shapes.facts(held.type, list(held.own))]
        found = []
        parts = self._tidied(held, background)
        for part in parts:
            if terms.is_true(part):
                continue
            text = ""
            if can_be_said(part) and variables_of(part) <= around.texts.keys():
                text = ml_syntax(part, around.texts)
            if text and len(text) <= MOST_CHARACTERS:
                wrapped = f"({text})" if (" || " in text or text.startswith("if ")) and len(parts) > 1 else text
                found.append(Condition(wrapped, part))
            elif not promised:
                raise Unsaid
        return found

    def _tidied(self, held: Refinement, background: list[Term]) -> list[Term]:
        summary = self._summary(held)
        pairs = self._pairs(held)
        decided = tidying.conditions(self._system, held.predicate, held.predicate.formals[: len(held.scope)])
        conditions = [terms.substitute(each, pairs) for each in decided]
        scope, own = list(held.scope), list(held.own)
        truth = self._as_truth(summary, own, background)
        if truth is not None:
            return [truth]
        tidied = tidying.tidy(summary, background, scope, own, conditions, self._oracle)
        return [_without_arrow(self._as_written(part, conditions)) for part in tidied]

    def _as_written(self, part: Term, conditions: list[Term]) -> Term:
        """Cases are told apart by a condition as the program has it."""
        if not terms.is_ite(part):
            return part
        condition, then, otherwise = terms.children(part)
        own = next((each for each in conditions if self._same(each, condition, [])), condition)
        return terms.ite(_number_last(own), then, otherwise)

    def _as_truth(self, summary: Term, own: list[Term], background: list[Term]) -> Term | None:
        """r = condition, if that is what the summary says of a truth value."""
        if len(own) != 1 or not terms.is_boolean(own[0]):
            return None
        for part in terms.conjuncts(summary):
            for literal in terms.disjuncts(part):
                for condition in (literal, terms.negation(literal)):
                    variables = walk.free_variables(condition)
                    if not variables or any(terms.same(each, own[0]) for each in variables):
                        continue
                    made = operations.equation(own[0], condition)
                    if can_be_said(made) and self._same(summary, made, background):
                        return made
        return None

    def _same(self, left: Term, right: Term, background: list[Term]) -> bool:
        sides = ((left, right), (right, left))
        return all(self._oracle.entails(terms.conjunction([*background, a]), b, "types") is True for a, b in sides)

    def _summary(self, held: Refinement) -> Term:
        """In terms of the variables that stand for the values."""
        found = self._summaries.get(held.predicate.name, terms.TRUE)
        return terms.simplify(terms.substitute(found, self._pairs(held)))

    def _pairs(self, held: Refinement) -> list[tuple[Term, Term]]:
        return list(zip(held.predicate.formals, [*held.scope, *held.own], strict=True))

    # Words

    def _words(self, types: Iterable[Type], names: Iterable[str], held: Refinement) -> dict[str, str]:
        """How the terms of the values are written."""
        found: dict[str, str] = {}
        remaining = list(held.own)
        for type, name in zip(types, names, strict=False):
            texts = self._readable(type, name) if name else [""] * len(self._shapes.sorts(type))
            for text in texts:
                variable = remaining.pop(0)
                if text:
                    found[terms.name_of(variable)] = text
        return found

    def _readable(self, type: Type, name: str) -> list[str]:
        """How the terms of a value are written; nothing for those that OCaml has no short word for."""
        if isinstance(type, Named) and type.name in ("list", "array", "string"):
            others = len(self._shapes.sorts(type)) - 1
            return [f"{type.name.capitalize()}.length {name}", *[""] * others]
        if isinstance(type, TupleType) and len(type.items) == 2:
            parts = zip(type.items, ("fst", "snd"), strict=True)
            return [text for item, word in parts for text in self._readable(item, f"({word} {name})")]
        names = self._shapes.names(type, name)
        return [each if each == name or self._is_field(type) else "" for each in names]

    def _is_field(self, type: Type) -> bool:
        """Whether the terms are fields of a record, which are written as such."""
        if not isinstance(type, Named) or type.name not in self._shapes.data:
            return False
        constructors = self._shapes.data[type.name].constructors
        return len(constructors) == 1 and bool(constructors[0].fields)


def _number_last(condition: Term) -> Term:
    """n > 100, not 100 < n."""
    found = operations.comparison(condition)
    if found is None or operations.literal(found[1]) is None or found[0] == "=":
        return condition
    sign, low, high = found
    return operations.more(high, low) if sign == "<" else operations.not_less(high, low)


def _without_arrow(part: Term) -> Term:
    """a ⇒ b as OCaml says it: not a, or b."""
    if not terms.is_implication(part):
        return part
    premise, conclusion = terms.children(part)
    denied = [terms.negation(each) for each in terms.conjuncts(premise)]
    return terms.disjunction([*denied, conclusion])


def mentions(text: str, name: str) -> bool:
    return re.search(rf"(?<![\w.']){re.escape(name)}(?![\w'])", text) is not None


def _is_function(type: Type) -> bool:
    return isinstance(type, Arrow)


def _items(type: Type) -> tuple[Type, ...]:
    return type.items if isinstance(type, TupleType) else ()


def _below(inner: Mapping[Path, Held], position: int) -> dict[Path, Held]:
    return {path[1:]: held for path, held in inner.items() if path and path[0] == position}


def _fresh(taken: Iterable[str]) -> str:
    known = set(taken)
    for count in range(len(known) + 1):
        for letter in _LETTERS:
            name = f"{letter}{count or ''}"
            if name not in known:
                return name
    raise ValueError("names never end")


def _parameter_names(count: int, names: tuple[str, ...], taken: frozenset[str]) -> list[str]:
    """Those of the user; letters for the others."""
    found: list[str] = []
    for position in range(count):
        own = names[position] if position < len(names) else ""
        known = {*taken, *found, *names}
        found.append(own if own and own not in taken and own not in found else _fresh(known))
    return found


def _texts(refined: Refined) -> list[str]:
    if isinstance(refined, RefinedFunction):
        return [text for part in (*refined.parameters, refined.result) for text in _texts(part)]
    return [*refined.conditions, *(_texts(refined.element) if refined.element else ())]


def _with_names_needed(refined: RefinedFunction) -> RefinedFunction:
    """Without names that no condition mentions; a name is known inside of the function that it belongs to."""
    texts = _texts(refined)

    def pruned(part: Refined) -> Refined:
        if isinstance(part, RefinedFunction):
            return _with_names_needed(part)
        needed = part.conditions or any(mentions(text, part.name) for text in texts)
        return part if needed else replace(part, name="")

    return RefinedFunction(tuple(map(pruned, refined.parameters)), pruned(refined.result))
