"""A path with the bodies of transparent functions in place of its calls to them: one formula that can be run.

For each call a number says which path of the callee was taken, so that values of all variables tell an execution.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from sorrel.engines.whale.executions import Execution
from sorrel.engines.whale.function import Function, Path
from sorrel.engines.whale.program import factored
from sorrel.horn.clause import Atom, Clause
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import evaluate
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass

MOST_VARIABLES = 20_000
"""With more of them a path is too large to be run in one go."""


@dataclass(frozen=True, slots=True, eq=False)
class Copy:
    """A path over variables of its own; for each of its calls the number of the path taken, and the copies of these."""

    path: Path
    renaming: tuple[tuple[Term, Term], ...]
    calls: tuple[tuple[Term, tuple[Copy, ...]] | None, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Unfolded:
    """`path` calls what is not transparent and nothing else; `top` tells what each part of it was before."""

    path: Path
    top: Copy

    def execution(self, values: Iterable[tuple[Term, Term]], given: Sequence[Execution]) -> Execution:
        """The execution that has these values; `given` are those of the calls that are left, in order."""
        left = iter(given)
        return _execution(self.top, {terms.identity(variable): value for variable, value in values}, left)


class TooLargeError(Exception):
    """There would be too many variables."""


def unfolded(path: Path, functions: Mapping[str, Function]) -> list[Unfolded]:
    """One for each case of the path."""
    return _Unfolding(functions).unfold(path)


class _Unfolding:
    def __init__(self, functions: Mapping[str, Function]) -> None:
        self._functions = functions
        self._count = 0

    def unfold(self, path: Path) -> list[Unfolded]:
        left = tuple(call for call in path.calls if not self._functions[call.predicate.name].is_transparent)
        found: list[Unfolded] = []
        for copy, constraint in self._copies(path, [(v, v) for v in path.clause.variables]):
            clause = Clause(path.name, path.clause.head, left, constraint, path.clause.origin)
            found.append(Unfolded(Path(clause, constraint), copy))
        return found

    # Functions that are looked through call each other without recursion: the depth is that of the call graph.

    def _copies(self, path: Path, renaming: Sequence[tuple[Term, Term]]) -> Iterator[tuple[Copy, Term]]:
        """One for each case of its constraint, if there are calls: what they are made with differs."""
        whole = terms.simplify(terms.substitute(path.constraint, renaming))
        has_calls = any(self._functions[call.predicate.name].is_transparent for call in path.calls)
        for own in terms.disjuncts(whole) if has_calls else [whole]:
            parts, fixed = [own], _fixed(own)
            calls: list[tuple[Term, tuple[Copy, ...]] | None] = []
            for call in path.calls:
                callee = self._functions[call.predicate.name]
                if not callee.is_transparent:
                    calls.append(None)
                    continue
                taken = self._fresh("taken", terms.INT)
                copies, formula = self._ways(callee, call.substitute(renaming).substitute(fixed), taken)
                calls.append((taken, copies))
                parts.append(formula)
            constraint = terms.conjunction(parts)
            if not terms.is_false(constraint):
                yield Copy(path, tuple(renaming), tuple(calls)), constraint

    def _ways(self, callee: Function, call: Atom, taken: Term) -> tuple[tuple[Copy, ...], Term]:
        copies: list[Copy] = []
        cases: list[Term] = []
        for path in callee.paths:
            if path.clause.head is None:
                raise InternalError("a query is called")
            renaming = self._renaming(path.clause.variables, path.clause.head, call)
            returned = path.clause.head.substitute(renaming).arguments
            same = [terms.equal(a, b) for a, b in zip(call.arguments, returned, strict=True) if not terms.same(a, b)]
            for copy, constraint in self._copies(path, renaming):
                case = terms.simplify(terms.conjunction([*same, constraint]))
                if not terms.is_false(case):
                    cases.append(terms.conjunction([terms.equal(taken, terms.integer(len(copies))), case]))
                    copies.append(copy)
        return tuple(copies), terms.disjunction(cases)

    def _renaming(self, variables: Sequence[Term], head: Atom, call: Atom) -> list[tuple[Term, Term]]:
        """What is called with stands for variables of the head; other variables get names of their own.

        So cases that the call excludes are seen to be false, and fewer equations are left.
        """
        actual: dict[int, Term] = {}
        for formal, argument in zip(head.arguments, call.arguments, strict=True):
            if terms.is_variable(formal):
                actual.setdefault(terms.identity(formal), argument)
        return [(v, self._stands_for(v, actual.get(terms.identity(v)))) for v in variables]

    def _stands_for(self, variable: Term, actual: Term | None) -> Term:
        return self._fresh(terms.name_of(variable), variable.sort()) if actual is None else actual

    def _fresh(self, wish: str, sort: terms.Sort) -> Term:
        self._count += 1
        if self._count > MOST_VARIABLES:
            raise TooLargeError
        return terms.variable(f"{wish}!u{self._count}", sort)


def _fixed(formula: Term) -> list[tuple[Term, Term]]:
    """Variables with the value that every case of the formula gives them."""
    found: list[tuple[Term, Term]] = []
    for part in terms.conjuncts(formula):
        common = factored(terms.disjuncts(part))[0] if terms.is_or(part) else [part]
        found += [pair for literal in common if (pair := _value(literal)) is not None]
    return found


def _value(literal: Term) -> tuple[Term, Term] | None:
    if terms.is_variable(literal):
        return literal, terms.TRUE
    if terms.is_not(literal) and terms.is_variable(terms.children(literal)[0]):
        return terms.children(literal)[0], terms.FALSE
    if terms.is_equation(literal):
        left, right = terms.children(literal)
        for one, other in ((left, right), (right, left)):
            if terms.is_variable(one) and terms.is_value(other):
                return one, other
    return None


def _evaluated(term: Term, values: Mapping[int, Term]) -> Term:
    """A variable that has no value may have any."""
    if terms.is_value(term):
        return term
    if terms.is_variable(term):
        return _given(term, values)
    return evaluate(term, [(variable, _given(variable, values)) for variable in walk.free_variables(term)])


def _given(variable: Term, values: Mapping[int, Term]) -> Term:
    found = values.get(terms.identity(variable))
    return terms.default_value(variable.sort()) if found is None else found


def _execution(copy: Copy, values: Mapping[int, Term], left: Iterator[Execution]) -> Execution:
    own = {variable: _evaluated(renamed, values) for variable, renamed in copy.renaming}
    callees: list[Execution] = []
    for call in copy.calls:
        if call is None:
            callees.append(next(left))
            continue
        taken = terms.as_number(values[terms.identity(call[0])])
        if not isinstance(taken, int):
            raise InternalError("a call was passed without taking a path")
        callees.append(_execution(call[1][taken], values, left))
    return Execution(copy.path.clause, own, tuple(callees))
