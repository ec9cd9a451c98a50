"""Algebraic datatypes: which ones a set of terms needs, and their declarations as text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TypeAlias

import z3

from sorrel.logic.printing_smtlib import smtlib_sort, symbol
from sorrel.logic.sexpr import Atom, SExpr, Text, read
from sorrel.logic.terms import Sort, Term
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True, eq=False)
class Constructor:
    """One way to build a value of a datatype, by its place among all."""

    sort: Sort
    place: int

    @property
    def sorts(self) -> list[Sort]:
        """Of the fields."""
        build = self.sort.constructor(self.place)
        return [build.domain(j) for j in range(build.arity())]

    @property
    def is_recursive(self) -> bool:
        return any(field.eq(self.sort) for field in self.sorts)

    def __call__(self, fields: Sequence[Term]) -> Term:
        return self.sort.constructor(self.place)(*fields)

    def recognizes(self, value: Term) -> Term:
        return self.sort.recognizer(self.place)(value)

    def fields(self, value: Term) -> list[Term]:
        return [self.sort.accessor(self.place, j)(value) for j in range(len(self.sorts))]

    def builds(self, value: Term) -> bool:
        """Whether a term is an application of this constructor."""
        return bool(z3.is_app(value) and value.decl().eq(self.sort.constructor(self.place)))


def declared(name: str, kinds: Sequence[tuple[str, Sequence[Sort | None]]]) -> Sort:
    """A datatype with these constructors; a field without a sort is of the datatype itself."""
    made = z3.Datatype(name)
    for kind, (constructor, fields) in enumerate(kinds):
        named = [(f"{name}!{kind}!{j}", made if field is None else field) for j, field in enumerate(fields)]
        made.declare(f"{name}!{constructor}", *named)
    return made.create()


def constructors(sort: Sort) -> list[Constructor]:
    return [Constructor(sort, place) for place in range(sort.num_constructors())]


def is_datatype(sort: Sort) -> bool:
    return bool(sort.kind() == z3.Z3_DATATYPE_SORT)


def accessed(term: Term) -> tuple[Constructor, int, Term] | None:
    """Constructor, place and value, if the term is a field of a value."""
    if not z3.is_app_of(term, z3.Z3_OP_DT_ACCESSOR):
        return None
    value = term.arg(0)
    for constructor in constructors(value.sort()):
        for place in range(len(constructor.sorts)):
            if term.decl().eq(value.sort().accessor(constructor.place, place)):
                return constructor, place, value
    return None


def recognized(term: Term) -> tuple[Constructor, Term] | None:
    """Constructor and value, if the term asks whether it built the value."""
    if not (z3.is_app_of(term, z3.Z3_OP_DT_IS) or z3.is_app_of(term, z3.Z3_OP_DT_RECOGNISER)):
        return None
    value = term.arg(0)
    for constructor in constructors(value.sort()):
        if term.eq(constructor.recognizes(value)):
            return constructor, value
    return None


_PLAIN = frozenset((z3.Z3_BOOL_SORT, z3.Z3_INT_SORT, z3.Z3_REAL_SORT, z3.Z3_BV_SORT))


def used(variables: Iterable[Term]) -> list[Sort]:
    """Datatype sorts of the variables, and those that they are built from."""
    return [sort for sort in _parts(v.sort() for v in variables) if sort.kind() == z3.Z3_DATATYPE_SORT]


def unsupported(sort: Sort) -> str | None:
    """The sort, or a part of it, whose values cannot be written down and read again; None: there is none."""
    for part in _parts([sort]):
        if part.kind() not in (*_PLAIN, z3.Z3_ARRAY_SORT, z3.Z3_DATATYPE_SORT):
            return smtlib_sort(part)
    return None


def _parts(sorts: Iterable[Sort]) -> Iterator[Sort]:
    """The sorts, their element and field sorts, each once; they are held, so that no id is reused."""
    seen: dict[int, Sort] = {}
    for root in sorts:
        stack = [root]
        while stack:
            sort = stack.pop()
            if sort.get_id() in seen:
                continue
            seen[sort.get_id()] = sort
            yield sort
            if sort.kind() == z3.Z3_ARRAY_SORT:
                stack.extend((sort.range(), sort.domain()))
            elif sort.kind() == z3.Z3_DATATYPE_SORT:
                fields = [field for _, constructor in _constructors(sort) for _, field in constructor]
                stack.extend(reversed(fields))


def _constructors(sort: Sort) -> list[tuple[str, list[tuple[str, Sort]]]]:
    """Names of constructors, each with the names and sorts of its fields."""
    found = []
    for i in range(sort.num_constructors()):
        constructor = sort.constructor(i)
        fields = [(sort.accessor(i, j).name(), constructor.domain(j)) for j in range(constructor.arity())]
        found.append((constructor.name(), fields))
    return found


def declare(variables: Iterable[Term]) -> list[str]:
    """One `declare-datatypes` command for all datatypes that the variables need, or none."""
    families: dict[str, list[Sort]] = {}
    for sort in used(variables):
        families.setdefault(sort.name(), []).append(sort)
    if not families:
        return []
    heads = " ".join(f"({symbol(name)} {len(_parameters(f[0]))})" for name, f in families.items())
    return [f"(declare-datatypes ({heads}) ({' '.join(map(_declaration, families.values()))}))"]


_Tree: TypeAlias = "str | tuple[_Tree, ...]"
"""A sort as text, taken apart: `Int`, or (`Array`, `Int`, `Bool`)."""


def _declaration(instances: Sequence[Sort]) -> str:
    """The declaration of a datatype, from all its instances (one, unless it has parameters).

    z3 tells only the instances of a datatype with parameters, `(List Int)`. A field becomes a parameter where
    it has the sort of that parameter in all of them, which is right for these instances, if not for others.
    """
    parameters = [_parameters(sort) for sort in instances]
    alike = [_constructors(sort) for sort in instances]
    words = []
    for i, (name, fields) in enumerate(alike[0]):
        written = "".join(
            f" ({symbol(field)} {_generalize([_tree(a[i][1][j][1]) for a in alike], parameters)})"
            for j, (field, _) in enumerate(fields)
        )
        words.append(f"({symbol(name)}{written})")
    body = f"({' '.join(words)})"
    formal = " ".join(f"T{k}" for k in range(len(parameters[0])))
    return f"(par ({formal}) {body})" if formal else body


def _tree(sort: Sort) -> _Tree:
    text = smtlib_sort(sort)
    return _flat(read(Text(text), 0, len(text)))


def _flat(item: SExpr) -> _Tree:
    return item.text if isinstance(item, Atom) else tuple(map(_flat, item.items))


def _parameters(sort: Sort) -> list[_Tree]:
    tree = _tree(sort)
    return [] if isinstance(tree, str) else list(tree[1:])


def _generalize(sorts: Sequence[_Tree], parameters: Sequence[list[_Tree]]) -> str:
    for k in range(len(parameters[0])):
        if all(sort == own[k] for sort, own in zip(sorts, parameters, strict=True)):
            return f"T{k}"
    groups = [sort for sort in sorts if isinstance(sort, tuple)]
    if not groups:
        return str(sorts[0])
    return f"({' '.join(_generalize(parts, parameters) for parts in zip(*groups, strict=True))})"
