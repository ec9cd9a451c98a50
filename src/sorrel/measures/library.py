"""Measures of a datatype by structural recursion: size, height, sum, least and greatest element, order."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import reduce

from sorrel.horn.recursion import Lemma, Recursion, Recursive
from sorrel.logic import datatypes, operations, terms
from sorrel.logic.datatypes import Constructor
from sorrel.logic.terms import Sort, Term
from sorrel.smt.solver import Oracle, Unsat

GROUPS = {
    "sizes": ("size",),
    "heights": ("size", "height"),
    "sums": ("size", "sum"),
    "orders": ("size", "least", "greatest", "ordered"),
}
"""What is measured together: more numbers than a property needs make it harder."""

ZERO, ONE = terms.integer(0), terms.integer(1)
_Body = Callable[[Constructor, Sequence[Term], dict[str, Recursive]], Term]


def measures(sorts: Sequence[Sort], group: str, oracle: Oracle) -> Recursion:
    """The measures of a group for each of the datatypes, and the lemmas about them that induction proves."""
    functions: list[Recursive] = []
    lemmas: list[Lemma] = []
    for sort in sorts:
        own = _functions(sort, GROUPS[group])
        functions += own.values()
        lemmas += _proved(own, oracle)
    return Recursion(tuple(functions), tuple(lemmas))


def _functions(sort: Sort, names: Sequence[str]) -> dict[str, Recursive]:
    formal = terms.variable("l", sort)
    found: dict[str, Recursive] = {}
    for name in names:
        result = terms.BOOL if name == "ordered" else terms.INT
        declaration = terms.declare(f"{name}-{sort}", [sort], result)
        found[name] = Recursive(declaration, formal, terms.TRUE)  # so that its own body can apply it
        cases = [(c, _BODIES[name](c, c.fields(formal), found)) for c in datatypes.constructors(sort)]
        body = cases[-1][1]
        for constructor, case in reversed(cases[:-1]):
            body = operations.ite(constructor.recognizes(formal), case, body)
        found[name] = Recursive(declaration, formal, body)
    return found


def _parts(constructor: Constructor, fields: Sequence[Term]) -> list[Term]:
    """The fields that are of the datatype itself."""
    return [field for field in fields if terms.sort_of(field).eq(constructor.sort)]


def _size(constructor: Constructor, fields: Sequence[Term], own: dict[str, Recursive]) -> Term:
    parts = _parts(constructor, fields)
    return reduce(operations.add, map(own["size"], parts), ONE) if parts else ZERO


def _height(constructor: Constructor, fields: Sequence[Term], own: dict[str, Recursive]) -> Term:
    parts = _parts(constructor, fields)
    return operations.add(reduce(_greater, map(own["height"], parts)), ONE) if parts else ZERO


def _sum(constructor: Constructor, fields: Sequence[Term], own: dict[str, Recursive]) -> Term:
    numbers = [field for field in fields if terms.is_integer(field)]
    return reduce(operations.add, [*numbers, *map(own["sum"], _parts(constructor, fields))], ZERO)


def _extreme(name: str, better: Callable[[Term, Term], Term]) -> _Body:
    def body(constructor: Constructor, fields: Sequence[Term], own: dict[str, Recursive]) -> Term:
        found: Term | None = None
        for field in sorted(fields, key=lambda f: not terms.is_integer(f)):
            if terms.is_integer(field):
                found = field if found is None else better(found, field)
            elif terms.sort_of(field).eq(constructor.sort):
                inside = own[name](field)
                empty = operations.equal(own["size"](field), ZERO)
                found = inside if found is None else operations.ite(empty, found, better(found, inside))
        return ZERO if found is None else found

    return body


def _ordered(constructor: Constructor, fields: Sequence[Term], own: dict[str, Recursive]) -> Term:
    """No element is greater than one in a later field, and the parts are ordered themselves."""
    said = [own["ordered"](part) for part in _parts(constructor, fields)]
    blocks: list[tuple[Term, Term, Term]] = []
    for field in fields:
        if terms.is_integer(field):
            blocks.append((terms.TRUE, field, field))
        elif terms.sort_of(field).eq(constructor.sort):
            some = operations.less(ZERO, own["size"](field))
            blocks.append((some, own["least"](field), own["greatest"](field)))
    for later, (there, least, _) in enumerate(blocks):
        for here, _, greatest in blocks[:later]:
            both = [terms.negation(here), terms.negation(there)]
            said.append(terms.disjunction([*both, operations.at_most(greatest, least)]))
    return terms.conjunction(said)


def _less(left: Term, right: Term) -> Term:
    return operations.ite(operations.at_most(left, right), left, right)


def _greater(left: Term, right: Term) -> Term:
    return operations.ite(operations.at_most(left, right), right, left)


_BODIES: dict[str, _Body] = {
    "size": _size,
    "height": _height,
    "sum": _sum,
    "least": _extreme("least", _less),
    "greatest": _extreme("greatest", _greater),
    "ordered": _ordered,
}


# Lemmas


def _proved(own: dict[str, Recursive], oracle: Oracle) -> list[Lemma]:
    """The greatest set of likely lemmas that is proved by induction, all together."""
    lemmas = [Lemma(own["size"].formal, formula) for formula in _likely(own)]
    while True:
        recursion = Recursion(tuple(own.values()), tuple(lemmas))
        kept = [lemma for lemma in lemmas if all(_holds(step, oracle) for step in recursion.induction_steps(lemma))]
        if len(kept) == len(lemmas):
            return kept
        lemmas = kept


def _holds(formula: Term, oracle: Oracle) -> bool:
    return isinstance(oracle.check(terms.negation(formula), kind="measures"), Unsat)


def _likely(own: dict[str, Recursive]) -> list[Term]:
    formal = own["size"].formal
    value = {name: function(formal) for name, function in own.items()}
    size = value["size"]
    empty = operations.equal(size, ZERO)
    found = [operations.at_most(ZERO, size)]
    if "height" in value:
        found += [operations.at_most(value["height"], size), operations.at_most(ZERO, value["height"])]
        found.append(terms.equal(empty, operations.equal(value["height"], ZERO)))
    for name in ("sum", "least", "greatest"):
        if name in value:
            found.append(operations.implies(empty, operations.equal(value[name], ZERO)))
    if "ordered" in value:
        found.append(operations.implies(empty, value["ordered"]))
        found.append(operations.at_most(value["least"], value["greatest"]))
    return found
