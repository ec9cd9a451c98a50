"""What hypothesis draws terms and Horn systems from.

`terms_of(sort)` are well-sorted terms over a few variables of every sort; `horn_systems()` are small systems
over Int and Bool, as text and so as a user would write them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import z3
from hypothesis import strategies as st
from hypothesis.strategies import DrawFn

from sorrel.frontends.smtlib import read_text
from sorrel.horn.system import HornSystem
from sorrel.logic.terms import Sort, Term

BOOL, INT, REAL = z3.BoolSort(), z3.IntSort(), z3.RealSort()
BYTE = z3.BitVecSort(8)
INTS = z3.ArraySort(INT, INT)


def _option() -> z3.DatatypeSortRef:
    datatype = z3.Datatype("Option")
    datatype.declare("none")
    datatype.declare("some", ("value", INT))
    return datatype.create()


OPTION = _option()
SORTS: tuple[Sort, ...] = (BOOL, INT, REAL, BYTE, INTS, OPTION)

# Names that printers must get right: quoted, like those that z3 invents, like keywords.
NAMES = ("x", "y", "a!1", "a!2", "x!1", "two words", "let", "t1", "é")


def variables_of(sort: Sort) -> list[Term]:
    """The variables that terms of the sort are made from."""
    letter = {BOOL: "b", INT: "", REAL: "r", BYTE: "v", INTS: "m", OPTION: "o"}[sort]
    return [z3.Const(f"{letter}{name}", sort) for name in NAMES]


def values_of(sort: Sort) -> st.SearchStrategy[Term]:
    """Values as they stand in derivations."""
    if sort == BOOL:
        return st.sampled_from([z3.BoolVal(True), z3.BoolVal(False)])
    if sort == INT:
        return st.integers(-1000, 1000).map(z3.IntVal)
    if sort == REAL:
        return st.fractions(-100, 100, max_denominator=50).map(lambda f: z3.RealVal(str(f)))
    if sort == BYTE:
        return st.integers(0, 255).map(lambda n: z3.BitVecVal(n, 8))
    if sort == INTS:
        return st.builds(
            lambda default, items: _stored(z3.K(INT, z3.IntVal(default)), items),
            st.integers(-5, 5),
            st.dictionaries(st.integers(-5, 5), st.integers(-5, 5), max_size=3),
        )
    return st.one_of(st.just(OPTION.none), st.integers(-5, 5).map(lambda n: OPTION.some(z3.IntVal(n))))


def _stored(array: Term, items: dict[int, int]) -> Term:
    for index, value in items.items():
        array = z3.Store(array, z3.IntVal(index), z3.IntVal(value))
    return array


@st.composite
def terms_of(draw: DrawFn, sort: Sort, *, quantifiers: bool = False, steps: int = 12) -> Term:
    """A term of the sort. Each step builds on earlier results, so that subterms are shared."""
    pool: dict[Sort, list[Term]] = {
        s: [*draw(st.lists(st.sampled_from(variables_of(s)), min_size=1, max_size=2)), draw(values_of(s))]
        for s in SORTS
    }
    for _ in range(draw(st.integers(0, steps))):
        target = draw(st.sampled_from(SORTS))
        pool[target].append(_application(draw, pool, target, quantifiers))
    return _application(draw, pool, sort, quantifiers)


def _application(draw: DrawFn, pool: dict[Sort, list[Term]], sort: Sort, quantifiers: bool) -> Term:
    def pick(wanted: Sort) -> Term:
        # The newest terms are the largest.
        return pool[wanted][-1 - draw(st.integers(0, min(3, len(pool[wanted]) - 1)))]

    builders = list(_BUILDERS[sort])
    if sort == BOOL and quantifiers:
        builders.append(lambda p: _quantified(draw, p))
    return draw(st.sampled_from(builders))(pick)


def _quantified(draw: DrawFn, pick: Callable[[Sort], Term]) -> Term:
    bound = draw(st.sampled_from(variables_of(draw(st.sampled_from((INT, BOOL, BYTE))))))
    return draw(st.sampled_from((z3.ForAll, z3.Exists)))([bound], pick(BOOL))


_Pick = Callable[[Sort], Term]
_BUILDERS: dict[Sort, Sequence[Callable[[_Pick], Term]]] = {
    BOOL: (
        lambda p: z3.And(p(BOOL), p(BOOL), p(BOOL)),
        lambda p: z3.Or(p(BOOL), p(BOOL)),
        lambda p: z3.Not(p(BOOL)),
        lambda p: z3.Implies(p(BOOL), p(BOOL)),
        lambda p: z3.Xor(p(BOOL), p(BOOL)),
        lambda p: p(BOOL) == p(BOOL),
        lambda p: z3.If(p(BOOL), p(BOOL), p(BOOL)),
        lambda p: p(INT) <= p(INT),
        lambda p: p(INT) == p(INT),
        lambda p: p(REAL) < p(REAL),
        lambda p: z3.ULE(p(BYTE), p(BYTE)),
        lambda p: p(BYTE) > p(BYTE),
        lambda p: p(INTS) == p(INTS),
        lambda p: p(OPTION) == p(OPTION),
        lambda p: OPTION.is_some(p(OPTION)),
        lambda p: z3.Distinct(p(INT), p(INT), p(INT)),
    ),
    INT: (
        lambda p: p(INT) + p(INT) + p(INT),
        lambda p: p(INT) - p(INT),
        lambda p: -p(INT),
        lambda p: z3.IntVal(-3) * p(INT),
        lambda p: p(INT) / z3.IntVal(3),
        lambda p: p(INT) % z3.IntVal(5),
        lambda p: z3.If(p(BOOL), p(INT), p(INT)),
        lambda p: p(INTS)[p(INT)],
        lambda p: z3.ToInt(p(REAL)),
        lambda p: z3.BV2Int(p(BYTE)),
        lambda p: OPTION.value(p(OPTION)),
    ),
    REAL: (
        lambda p: p(REAL) + p(REAL),
        lambda p: p(REAL) - p(REAL),
        lambda p: p(REAL) * z3.RealVal("-2/3"),
        lambda p: p(REAL) / z3.RealVal(3),
        lambda p: z3.ToReal(p(INT)),
        lambda p: z3.If(p(BOOL), p(REAL), p(REAL)),
    ),
    BYTE: (
        lambda p: p(BYTE) + p(BYTE),
        lambda p: p(BYTE) * p(BYTE),
        lambda p: ~p(BYTE),
        lambda p: p(BYTE) & p(BYTE),
        lambda p: p(BYTE) << p(BYTE),
        lambda p: z3.UDiv(p(BYTE), p(BYTE)),
        lambda p: z3.Concat(z3.Extract(3, 0, p(BYTE)), z3.Extract(7, 4, p(BYTE))),
        lambda p: z3.If(p(BOOL), p(BYTE), p(BYTE)),
        lambda p: z3.Int2BV(p(INT), 8),
    ),
    INTS: (
        lambda p: z3.Store(p(INTS), p(INT), p(INT)),
        lambda p: z3.K(INT, p(INT)),
        lambda p: z3.If(p(BOOL), p(INTS), p(INTS)),
    ),
    OPTION: (
        lambda p: OPTION.some(p(INT)),
        lambda p: z3.If(p(BOOL), p(OPTION), p(OPTION)),
    ),
}


# Horn systems

_INT_VARIABLES = ("x", "y", "z")
_BOOL_VARIABLES = ("b", "c")


@st.composite
def horn_scripts(draw: DrawFn) -> str:
    """Text of a small Horn system over Int and Bool: recursion, several clauses, one or two queries."""
    signatures = draw(st.lists(st.lists(st.sampled_from(("Int", "Int", "Bool")), max_size=3), min_size=1, max_size=3))
    predicates = {f"p{i}": sorts for i, sorts in enumerate(signatures)}
    lines = ["(set-logic HORN)"]
    lines += [f"(declare-fun {name} ({' '.join(sorts)}) Bool)" for name, sorts in predicates.items()]
    for name in predicates:
        lines.append(_clause(draw, predicates, [], name))
    for _ in range(draw(st.integers(0, 3))):
        callees = draw(st.lists(st.sampled_from(sorted(predicates)), min_size=1, max_size=2))
        lines.append(_clause(draw, predicates, callees, draw(st.sampled_from(sorted(predicates)))))
    for _ in range(draw(st.integers(1, 2))):
        callees = draw(st.lists(st.sampled_from(sorted(predicates)), min_size=1, max_size=2))
        lines.append(_clause(draw, predicates, callees, None))
    return "\n".join([*lines, "(check-sat)"]) + "\n"


def horn_systems() -> st.SearchStrategy[HornSystem]:
    """Small Horn systems over Int and Bool."""
    return horn_scripts().map(read_text)


def _clause(draw: DrawFn, predicates: dict[str, list[str]], callees: Sequence[str], head: str | None) -> str:
    body = [_atom(draw, name, predicates[name]) for name in callees]
    body += [_constraint(draw) for _ in range(draw(st.integers(0, 2)))]
    premise = f"(and {' '.join(body)})" if len(body) > 1 else "".join(body) or "true"
    conclusion = _atom(draw, head, predicates[head]) if head else "false"
    binders = " ".join([*(f"({name} Int)" for name in _INT_VARIABLES), *(f"({name} Bool)" for name in _BOOL_VARIABLES)])
    return f"(assert (forall ({binders}) (=> {premise} {conclusion})))"


def _atom(draw: DrawFn, name: str, sorts: Sequence[str]) -> str:
    arguments = [_integer(draw) if sort == "Int" else _boolean(draw) for sort in sorts]
    return f"({name} {' '.join(arguments)})" if arguments else name


def _integer(draw: DrawFn) -> str:
    variable, number = st.sampled_from(_INT_VARIABLES), st.integers(0, 5)
    shape = draw(st.integers(0, 5))
    if shape < 3:
        return str(draw(variable))
    if shape == 3:
        return str(draw(number))
    sign = "+" if shape == 4 else "-"
    return f"({sign} {draw(variable)} {draw(number)})"


def _boolean(draw: DrawFn) -> str:
    return str(draw(st.sampled_from((*_BOOL_VARIABLES, "true", "(not b)"))))


def _constraint(draw: DrawFn) -> str:
    shape = draw(st.integers(0, 3))
    if shape == 0:
        return _boolean(draw)
    if shape == 1:
        return f"(= {_integer(draw)} {_integer(draw)})"
    if shape == 2:
        return f"(<= {_integer(draw)} {_integer(draw)})"
    return f"(or (< {_integer(draw)} {_integer(draw)}) {_boolean(draw)})"
