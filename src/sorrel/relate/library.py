"""Laws by name: what functions promise about themselves, for functions of any number of parameters."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace

from sorrel.model.errors import UsageError
from sorrel.relate.specification import RESULT, RunOf, Specification

Parameters = Sequence[str]
EQUIVALENCE = "equivalence"
RECEIVER = "this"
"""The object that a method is called on, as a parameter."""


def members(name: str) -> tuple[str, ...]:
    """The laws that a name stands for: several for the laws of comparators, of equals and of pick."""
    law, _, _ = name.partition("=")
    if name in GROUPS:
        return GROUPS[name]
    if law not in (*LAWS, EQUIVALENCE):
        raise UsageError(f"there is no specification {name}; there are: {', '.join((*LAWS, *GROUPS, EQUIVALENCE))}")
    return (name,)


def law(name: str, parameters: Parameters) -> Specification:
    """One law, for a function with these parameters; `equivalence=g` says which other function it is about."""
    first, _, other = name.partition("=")
    if first != EQUIVALENCE:
        return _with_receiver(first, parameters)
    if not other:
        raise UsageError("equivalence is about two functions: name the second one as equivalence=G")
    same = _same("a", parameters, "b", parameters)
    return _law(first, (RunOf("a"), RunOf("b", other)), same, _equal("a", "b"))


def _with_receiver(name: str, parameters: Parameters) -> Specification:
    """A law is about the arguments of a method; about its receiver too where that makes their number right."""
    try:
        return LAWS[name](name, parameters)
    except UsageError:
        others = [parameter for parameter in parameters if parameter != RECEIVER]
        if len(others) in (0, len(parameters)):
            raise
    found = LAWS[name](name, others)
    return replace(found, requires=(f"low({RECEIVER})", *found.requires))


def _law(name: str, runs: Sequence[RunOf], requires: Sequence[str], *ensures: str) -> Specification:
    return Specification(name, tuple(runs), tuple(requires), ensures)


def _runs(count: int) -> tuple[RunOf, ...]:
    return tuple(RunOf(name) for name in "abcd"[:count])


def _result(run: str) -> str:
    return f"{run}.{RESULT}"


def _equal(one: str, other: str) -> str:
    return f"{_result(one)} == {_result(other)}"


def _same(one: str, of_one: Parameters, other: str, of_other: Parameters) -> list[str]:
    """Parameters of one run have the values of parameters of another one."""
    return [f"{one}.{mine} == {other}.{theirs}" for mine, theirs in zip(of_one, of_other, strict=True)]


def _parts(name: str, parameters: Parameters, count: int) -> list[Parameters]:
    """The parameters as objects of equally many fields."""
    if not parameters or len(parameters) % count:
        raise UsageError(f"{name} is about {count} arguments or objects of equally many fields; there are {parameters}")
    size = len(parameters) // count
    return [parameters[at : at + size] for at in range(0, len(parameters), size)]


def _exactly(name: str, parameters: Parameters, count: int) -> Parameters:
    if len(parameters) != count:
        raise UsageError(f"{name} is about functions of {count} parameters, not {len(parameters)}")
    return parameters


def _determinism(name: str, parameters: Parameters) -> Specification:
    return _law(name, _runs(2), _same("a", parameters, "b", parameters), _equal("a", "b"))


def _commutativity(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    return _law(name, _runs(2), _same("a", [*x, *y], "b", [*y, *x]), _equal("a", "b"))


def _symmetry(name: str, parameters: Parameters) -> Specification:
    """A transposition and a rotation make all permutations."""
    p = list(parameters)
    if len(p) < 2:
        raise UsageError(f"{name} is about functions of at least two parameters")
    swapped, rotated = [p[1], p[0], *p[2:]], [*p[1:], p[0]]
    requires = [*_same("a", p, "b", swapped), *_same("a", p, "c", rotated)]
    return _law(name, _runs(3), requires, _equal("a", "b"), _equal("a", "c"))


def _associativity(name: str, parameters: Parameters) -> Specification:
    x, y = _exactly(name, parameters, 2)
    requires = [
        f"a.{y} == b.{x}",
        f"c.{x} == {_result('a')}",
        f"c.{y} == b.{y}",
        f"d.{x} == a.{x}",
        f"d.{y} == {_result('b')}",
    ]
    return _law(name, _runs(4), requires, _equal("c", "d"))


def _monotonicity(name: str, parameters: Parameters) -> Specification:
    return _law(name, _runs(2), [f"a.{p} <= b.{p}" for p in parameters], f"{_result('a')} <= {_result('b')}")


def _injectivity(name: str, parameters: Parameters) -> Specification:
    return _law(name, _runs(2), [_equal("a", "b")], *_same("a", parameters, "b", parameters))


def _idempotence(name: str, parameters: Parameters) -> Specification:
    (x,) = _exactly(name, parameters, 1)
    return _law(name, _runs(2), [f"b.{x} == {_result('a')}"], _equal("a", "b"))


def _homomorphism(name: str, parameters: Parameters) -> Specification:
    (x,) = _exactly(name, parameters, 1)
    return _law(name, _runs(3), [f"c.{x} == a.{x} + b.{x}"], f"{_result('c')} == {_result('a')} + {_result('b')}")


def _p1(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    requires = _same("a", [*x, *y], "b", [*y, *x])
    return _law(name, _runs(2), requires, f"sgn({_result('a')}) + sgn({_result('b')}) == 0")


def _chain(x: Parameters, y: Parameters) -> list[str]:
    """a compares x with y, b compares y with z, c compares x with z."""
    return [*_same("a", y, "b", x), *_same("a", x, "c", x), *_same("b", y, "c", y)]


def _p2(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    requires = [*_chain(x, y), f"{_result('a')} > 0", f"{_result('b')} > 0"]
    return _law(name, _runs(3), requires, f"{_result('c')} > 0")


def _p3(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    requires = [*_chain(x, y), f"{_result('a')} == 0"]
    return _law(name, _runs(3), requires, f"sgn({_result('c')}) == sgn({_result('b')})")


def _reflexivity(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    return _law(name, _runs(1), _same("a", x, "a", y), _result("a"))


def _equals_symmetry(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    return _law(name, _runs(2), [*_same("a", [*x, *y], "b", [*y, *x]), _result("a")], _result("b"))


def _equals_transitivity(name: str, parameters: Parameters) -> Specification:
    x, y = _parts(name, parameters, 2)
    return _law(name, _runs(3), [*_chain(x, y), _result("a"), _result("b")], _result("c"))


def _p13(name: str, parameters: Parameters) -> Specification:
    x, y, z = _parts(name, parameters, 3)
    return _law(name, _runs(2), _same("a", [*x, *y, *z], "b", [*y, *x, *z]), _equal("a", "b"))


def _p14(name: str, parameters: Parameters) -> Specification:
    x, y, z = _parts(name, parameters, 3)
    mine = [*x, *y, *z]
    requires = [*_same("a", mine, "b", [*y, *x, *z]), *_same("a", mine, "c", [*z, *y, *x])]
    return _law(name, _runs(3), requires, _equal("a", "b"), _equal("a", "c"))


Law = Callable[[str, Parameters], Specification]


LAWS: Mapping[str, Law] = {
    "determinism": _determinism,
    "commutativity": _commutativity,
    "symmetry": _symmetry,
    "associativity": _associativity,
    "monotonicity": _monotonicity,
    "injectivity": _injectivity,
    "idempotence": _idempotence,
    "homomorphism": _homomorphism,
    "P1": _p1,
    "P2": _p2,
    "P3": _p3,
    "equals-reflexivity": _reflexivity,
    "equals-symmetry": _equals_symmetry,
    "equals-transitivity": _equals_transitivity,
    "P13": _p13,
    "P14": _p14,
}

GROUPS: Mapping[str, tuple[str, ...]] = {
    "comparator": ("P1", "P2", "P3"),
    "equals": ("equals-reflexivity", "equals-symmetry", "equals-transitivity"),
    "pick": ("P13", "P14"),
}
