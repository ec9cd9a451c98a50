"""A rule on a program: its assertions as predicates, its clauses for all indices and all cases of the relations."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product

from sorrel.encode.clauses import solved_equations
from sorrel.encode.rules.rule import Assertion, Ranges, Rule, RuleClause, RuleObligation, Use, Vector
from sorrel.encode.transition import Case, Slot, View
from sorrel.horn.clause import Argument, Atom, Clause, Predicate, Role, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass

Indices = Mapping[str, str]


@dataclass(frozen=True, slots=True, eq=False)
class Origin:
    """Which assertion of the rule a predicate is, for which indices; `slots` are the places of each of its vectors."""

    assertion: str
    indices: tuple[str, ...]
    slots: tuple[tuple[Slot, ...], ...]

    def counters(self) -> tuple[int, ...]:
        """The positions of the arguments that say where the program is."""
        flat = [slot for vector in self.slots for slot in vector]
        return tuple(position for position, slot in enumerate(flat) if slot.is_counter)


@dataclass(frozen=True, slots=True, eq=False)
class Made:
    """How a clause came about: the clause of the rule, and the cases of the relations in it, in order.

    `solved` gives the variables that were substituted away, over those that are left.
    """

    clause: str
    cases: tuple[Case, ...]
    vectors: Mapping[str, tuple[Term, ...]]
    solved: Mapping[int, tuple[Term, Term]]


@dataclass(frozen=True, slots=True, eq=False)
class Instance:
    rule: Rule
    view: View
    system: HornSystem
    origins: Mapping[str, Origin]
    made: Mapping[str, Made]


def instantiate(rule: Rule, view: View) -> Instance:
    return _Instantiation(rule, view).run()


class _Instantiation:
    def __init__(self, rule: Rule, view: View) -> None:
        self._rule = rule
        self._view = view
        self._predicates: dict[tuple[str, tuple[str, ...]], Predicate] = {}
        self._origins: dict[str, Origin] = {}
        self._made: dict[str, Made] = {}
        self._clauses: list[Clause] = []

    def run(self) -> Instance:
        for assertion in self._rule.assertions:
            for indices in self._indices(assertion.ranges):
                self._declare(assertion, indices)
        self._reserved = FUNCTION_NAMES | {predicate.name for predicate in self._predicates.values()}
        for clause in self._rule.clauses:
            for indices in self._indices(clause.ranges):
                self._instances(clause, indices)
        obligations = tuple(
            self._obligation(each, indices) for each in self._rule.obligations for indices in self._indices(each.ranges)
        )
        system = HornSystem(tuple(self._predicates.values()), tuple(self._clauses), obligations)
        return Instance(self._rule, self._view, system, self._origins, self._made)

    def _indices(self, ranges: Ranges) -> Iterator[Indices]:
        options: list[list[dict[str, str]]] = []
        for each in ranges.ranges:
            if each.other:
                calls: tuple[tuple[str, str], ...] = getattr(self._view, "calls", tuple)()
                options.append([{each.name: f, each.other: g} for f, g in calls])
            else:
                options.append([{each.name: member} for member in self._view.members(each.domain)])
        for chosen in product(*options):
            indices = {"main": next(iter(self._view.members("main")), "")}
            for part in chosen:
                indices.update(part)
            if all(indices[a] != indices[b] for a, b in ranges.different):
                yield indices

    # Assertions

    def _declare(self, assertion: Assertion, indices: Indices) -> None:
        own = tuple(indices[index] for index in assertion.indices)
        slots = tuple(self._slots(vector, indices) for vector in assertion.vectors)
        name = assertion.name + (f"[{','.join(own)}]" if own else "")
        names = Names(reserved=FUNCTION_NAMES | {name})
        arguments = [
            Argument(
                names.fresh(slot.name + "'" * position),
                slot.sort,
                Role.INPUT if position == 0 else Role.OUTPUT,
                base=slot.base,
            )
            for position, vector in enumerate(slots)
            for slot in vector
        ]
        self._predicates[assertion.name, own] = Predicate(name, tuple(arguments))
        self._origins[name] = Origin(assertion.name, own, slots)

    def _slots(self, vector: Vector, indices: Indices) -> tuple[Slot, ...]:
        return self._view.vector(indices[vector.index] if vector.index is not None else None)

    # Clauses

    def _instances(self, clause: RuleClause, indices: Indices) -> None:
        uses = [one for use in clause.body for one in self._each(use, indices)]
        atoms = [(use, inner) for use, inner in uses if (use.name, self._own(use, inner)) in self._predicates]
        relations = [(use, inner) for use, inner in uses if (use.name, self._own(use, inner)) not in self._predicates]
        cases = [self._cases(use, inner) for use, inner in relations]
        suffix = f"[{','.join(v for k, v in indices.items() if k != 'main')}]" if len(indices) > 1 else ""
        for number, chosen in enumerate(product(*cases)):
            self._instance(clause, indices, atoms, relations, chosen, f"{clause.name}{suffix}#{number}")

    def _each(self, use: Use, indices: Indices) -> list[tuple[Use, Indices]]:
        if use.each is None:
            return [(use, indices)]
        return [(use, {**indices, use.each.name: member}) for member in self._view.members(use.each.domain)]

    @staticmethod
    def _own(use: Use, indices: Indices) -> tuple[str, ...]:
        return tuple(indices[index] for index in use.indices)

    def _cases(self, use: Use, indices: Indices) -> tuple[Case, ...]:
        relation = self._view.relation(use.name, self._own(use, indices))
        if relation is None:
            raise InputError(f"programs like this have no relation {use.name} with such indices", use.span)
        return relation.cases

    def _instance(
        self,
        clause: RuleClause,
        indices: Indices,
        atoms: Sequence[tuple[Use, Indices]],
        relations: Sequence[tuple[Use, Indices]],
        cases: Sequence[Case],
        name: str,
    ) -> None:
        names = Names(reserved=self._reserved)
        vectors: dict[str, tuple[Term, ...]] = {}
        parts: list[Term] = []
        for (use, inner), case in zip(relations, cases, strict=True):
            parts += case.parts([self._terms(v, inner, vectors, names) for v in use.vectors], names)
        if _contradict(parts):
            return
        body = tuple(self._atom(use, inner, vectors, names) for use, inner in atoms)
        head = self._atom(clause.head, indices, vectors, names) if clause.head else None
        parts = [piece for part in parts for piece in terms.conjuncts(part)]
        solved = solved_equations(parts)
        pairs = list(solved.values())
        constraint = terms.conjunction(terms.simplify(part) for part in terms.substitute_all(parts, pairs))
        if terms.is_false(constraint):
            return
        span = next((case.span for case in cases if case.span.line), clause.span)
        tidy = [_tidied(atom, pairs) for atom in body]
        self._clauses.append(Clause(name, _tidied(head, pairs) if head else None, tuple(tidy), constraint, span))
        self._made[name] = Made(clause.name, tuple(cases), vectors, solved)

    def _terms(
        self, vector: Vector, indices: Indices, vectors: dict[str, tuple[Term, ...]], names: Names
    ) -> tuple[Term, ...]:
        key = vector.name if vector.index is None else f"{vector.name}[{indices[vector.index]}]"
        if key not in vectors:
            primes = "'" * vector.name.count("'")
            vectors[key] = tuple(names.variable(slot.name + primes, slot.sort) for slot in self._slots(vector, indices))
        return vectors[key]

    def _atom(self, use: Use, indices: Indices, vectors: dict[str, tuple[Term, ...]], names: Names) -> Atom:
        predicate = self._predicates[use.name, self._own(use, indices)]
        arguments = [term for vector in use.vectors for term in self._terms(vector, indices, vectors, names)]
        if len(arguments) != len(predicate.arguments):
            raise InputError(f"{use} does not have the vectors that {use.name} was declared with", use.span)
        return Atom(predicate, tuple(arguments))

    def _obligation(self, obligation: RuleObligation, indices: Indices) -> WellFounded:
        names = Names(reserved=self._reserved)
        vectors: dict[str, tuple[Term, ...]] = {}
        uses = [one for use in obligation.relation for one in self._each(use, indices)]
        atoms = tuple(self._atom(use, inner, vectors, names) for use, inner in uses)
        (use, inner) = uses[0]
        before, after = (self._terms(vector, inner, vectors, names) for vector in use.vectors)
        own = [v for k, v in indices.items() if k != "main"]
        name = obligation.name + (f"[{','.join(own)}]" if own else "")
        return WellFounded(name, before, after, atoms, obligation.span)


def _contradict(parts: Sequence[Term]) -> bool:
    """Whether two parts demand different constants of one variable: most combinations of cases do."""
    known: dict[int, Term] = {}
    for part in parts:
        if not terms.is_equation(part):
            continue
        left, right = terms.children(part)
        fixed = terms.is_variable(left) and terms.is_value(right)
        if fixed and not known.setdefault(left.get_id(), right).eq(right):
            return True
    return False


def _tidied(atom: Atom, pairs: Sequence[tuple[Term, Term]]) -> Atom:
    arguments = [terms.substitute(argument, pairs) for argument in atom.arguments]
    return Atom(atom.predicate, tuple(a if terms.is_variable(a) else terms.simplify(a) for a in arguments))


def counters_of(instance: Instance) -> Mapping[str, tuple[int, ...]]:
    """For each predicate, which of its arguments say where the program is."""
    return {name: origin.counters() for name, origin in instance.origins.items()}
