"""Horn clauses read as finite functions, where they are: every clause can be run forward, and results are unique.

A clause is run by solving its equations one variable at a time, from the inputs of its head through the calls of
its body to the outputs of its head.
"""

from __future__ import annotations

from itertools import combinations

from sorrel.finite.function import Call, FiniteFunction, FiniteProgram, Path, Property
from sorrel.horn.clause import Atom, Clause, Predicate, Role
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.listing import NotListed, listing, width_of
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.errors import SorrelError
from sorrel.smt.solver import Oracle, Sat


class NotFunctional(SorrelError):
    """Why the clauses are not finite, deterministic functions."""


def functions(system: HornSystem) -> FiniteProgram:
    """The system as functions and properties; determinism is a question of its own (`nondeterministic`)."""
    if system.obligations:
        raise NotFunctional("obligations of well-foundedness are not properties of finite functions")
    for predicate in system.predicates:
        _demand_roles(predicate)
    found = []
    for predicate in system.predicates:
        paths = tuple(_Runner(predicate, clause).path() for clause in system.defining[predicate.name])
        found.append(FiniteFunction(predicate.name, _formals(predicate, Role.INPUT), _results(predicate), paths))
    return FiniteProgram(tuple(found), tuple(map(_property, system.queries)))


def _demand_roles(predicate: Predicate) -> None:
    for argument in predicate.arguments:
        if argument.role not in (Role.INPUT, Role.OUTPUT):
            raise NotFunctional(
                f"argument {argument.name} of {predicate.name} is not marked as input or output "
                "(the text form has :sorrel-predicate notes for this)"
            )
        try:
            width_of(argument.sort)
        except NotListed as problem:
            raise NotFunctional(f"argument {argument.name} of {predicate.name}: {problem}") from None


def _places(predicate: Predicate, role: Role) -> list[int]:
    return [place for place, argument in enumerate(predicate.arguments) if argument.role is role]


def _formals(predicate: Predicate, role: Role) -> tuple[Term, ...]:
    return tuple(predicate.formals[place] for place in _places(predicate, role))


def _results(predicate: Predicate) -> tuple[Term, ...]:
    return _formals(predicate, Role.OUTPUT)


class _Runner:
    """Runs one clause symbolically: which variables are known, and what is still to be shown."""

    def __init__(self, predicate: Predicate, clause: Clause) -> None:
        if clause.head is None:
            raise NotFunctional(f"clause {clause.name} defines nothing")
        self._clause = clause
        self._head = clause.head
        self._names = Names(map(terms.name, predicate.formals))
        self._known: dict[int, Term] = {}  # by id of the clause's variable: its value over those of the path
        self._pending = list(terms.conjuncts(clause.constraint))
        self._parameters = _formals(predicate, Role.INPUT)
        arguments = [self._head.arguments[place] for place in _places(predicate, Role.INPUT)]
        self._pairs = list(zip(arguments, self._parameters, strict=True))  # a term of the clause, its value
        self._calls: list[Call] = []

    def path(self) -> Path:
        waiting = list(self._clause.body)
        while True:
            guard = self._settle()
            atom = next((a for a in waiting if self._is_ready(a)), None)
            if atom is None:
                break
            waiting.remove(atom)
            self._call(atom, guard)
        if waiting or self._pending or self._pairs:
            raise NotFunctional(f"clause {self._clause.name} cannot be run forward: {self._undetermined()}")
        head = self._head.predicate
        outputs = [self._head.arguments[place] for place in _places(head, Role.OUTPUT)]
        if not all(map(self._is_known, outputs)):
            raise NotFunctional(f"clause {self._clause.name} leaves a result open: {self._undetermined()}")
        results = tuple(map(self._value, outputs))
        values = tuple((v, self._known.get(v.get_id(), v)) for v in self._clause.variables)
        path = Path(self._clause.name, tuple(self._calls), guard, results, self._clause.origin, values)
        self._demand_finite(path)
        return path

    def _demand_finite(self, path: Path) -> None:
        known = [*self._parameters, *(r for call in path.calls for r in call.results)]
        parts = [path.guard, *path.results, *(part for call in path.calls for part in (call.guard, *call.arguments))]
        try:
            listing(known, parts)
        except NotListed as problem:
            raise NotFunctional(f"clause {self._clause.name}: {problem}") from None

    def _undetermined(self) -> str:
        open_ = [terms.name(v) for v in self._clause.variables if v.get_id() not in self._known]
        return f"the inputs do not determine {', '.join(open_)}" if open_ else "an equation is left over"

    def _is_known(self, term: Term) -> bool:
        return all(v.get_id() in self._known for v in walk.free_variables(term))

    def _value(self, term: Term) -> Term:
        return terms.substitute(term, [(v, self._known[v.get_id()]) for v in walk.free_variables(term)])

    def _settle(self) -> Term:
        """Solve equations until none is left that can be; what is only a condition comes back as the guard."""
        guards: list[Term] = []
        progress = True
        while progress:
            progress = False
            for pair in list(self._pairs):
                term, value = pair
                if self._is_known(term):
                    guards.append(terms.equal(value, self._value(term)))
                elif not self._define(term, value):
                    continue
                self._pairs.remove(pair)
                progress = True
            for conjunct in list(self._pending):
                if self._is_known(conjunct):
                    guards.append(self._value(conjunct))
                elif not self._solve(conjunct):
                    continue
                self._pending.remove(conjunct)
                progress = True
        return terms.conjunction(guards)

    def _define(self, variable: Term, value: Term) -> bool:
        if not terms.is_variable(variable) or variable.get_id() in self._known:
            return False
        self._known[variable.get_id()] = value
        return True

    def _solve(self, conjunct: Term) -> bool:
        """v = t, v or ¬v, with v the only variable not known."""
        if terms.is_variable(conjunct):
            return self._define(conjunct, terms.TRUE)
        if terms.is_not(conjunct):
            return self._define(terms.children(conjunct)[0], terms.FALSE)
        if not terms.is_equation(conjunct):
            return False
        left, right = terms.children(conjunct)
        for variable, term in ((left, right), (right, left)):
            if self._is_known(term) and self._define(variable, self._value(term)):
                return True
        return False

    def _is_ready(self, atom: Atom) -> bool:
        return all(self._is_known(atom.arguments[place]) for place in _places(atom.predicate, Role.INPUT))

    def _call(self, atom: Atom, guard: Term) -> None:
        predicate = atom.predicate
        arguments = tuple(self._value(atom.arguments[place]) for place in _places(predicate, Role.INPUT))
        results = []
        for place in _places(predicate, Role.OUTPUT):
            wish = atom.arguments[place] if terms.is_variable(atom.arguments[place]) else predicate.formals[place]
            result = self._names.variable(terms.name(wish), wish.sort())
            results.append(result)
            self._pairs.append((atom.arguments[place], result))
        self._calls.append(Call(guard, predicate.name, arguments, tuple(results)))


def _property(query: Clause) -> Property:
    """A query about one call, as a formula over the formals of its predicate."""
    if len(query.body) != 1:
        raise NotFunctional(f"query {query.name} has {len(query.body)} calls; a property is about one")
    (atom,) = query.body
    pairs: list[tuple[Term, Term]] = []
    conditions: list[Term] = []
    bound: set[int] = set()
    for argument, formal in zip(atom.arguments, atom.predicate.formals, strict=True):
        if terms.is_variable(argument) and argument.get_id() not in bound:
            bound.add(argument.get_id())
            pairs.append((argument, formal))
        else:
            conditions.append(terms.equal(formal, terms.substitute(argument, pairs)))
    if not {v.get_id() for v in query.variables} <= bound:
        raise NotFunctional(f"query {query.name} has a variable that is not an argument of its call")
    violated = terms.conjunction([*conditions, terms.substitute(query.constraint, pairs)])
    try:
        listing(atom.predicate.formals, [violated])
    except NotListed as problem:
        raise NotFunctional(f"query {query.name}: {problem}") from None
    return Property(query.name, atom.predicate.name, terms.negation(violated), query.origin)


def nondeterministic(program: FiniteProgram, oracle: Oracle) -> str:
    """Why results may not be unique, or nothing.

    Results are unique if any two paths agree wherever both are taken, and calls with equal arguments have equal
    results: by induction on the height of runs. So calls are uninterpreted functions of their arguments here.
    """
    for function in program.functions:
        taken = [(path, *_taken(path)) for path in function.paths]
        for (first, one, its_results), (second, other, other_results) in combinations(taken, 2):
            if oracle.clock.expired():
                return ""  # not shown, and not needed for soundness
            differ = [terms.distinct(a, b) for a, b in zip(its_results, other_results, strict=True)]
            if isinstance(oracle.check(one, other, terms.disjunction(differ), kind="deterministic"), Sat):
                return (
                    f"{function.name} may be nondeterministic: {first.name} and {second.name} can apply to the same "
                    "arguments with different results"
                )
    return ""


def _taken(path: Path) -> tuple[Term, list[Term]]:
    """When the path is taken, and what it returns, over the parameters: calls are functions of their arguments."""
    returned: list[tuple[Term, Term]] = []
    conditions = []
    for call in path.calls:
        conditions.append(terms.substitute(call.guard, returned))
        arguments = [terms.substitute(argument, returned) for argument in call.arguments]
        for place, result in enumerate(call.results):
            function = terms.declare(f"{call.function}!{place}", [a.sort() for a in arguments], result.sort())
            returned.append((result, terms.apply(function, arguments)))
    conditions.append(terms.substitute(path.guard, returned))
    return terms.conjunction(conditions), [terms.substitute(result, returned) for result in path.results]
