"""Formulas made short for people: nothing that the rest implies, in the shape that a person would choose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sorrel.encode import tables
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import linear, operations, terms, walk
from sorrel.logic.linear import Sum
from sorrel.logic.terms import Term
from sorrel.program.types import Machine, Type
from sorrel.smt.solver import Oracle

MOST_CONJUNCTS = 60
"""Longer formulas are printed as they are: a person does not read them, and shortening them takes too long."""
MOST_CONDITIONS = 8
MOST_VALUES = 6


def type_range(term: Term, type: Type) -> list[Term]:
    """The range of a machine type, if the term is an integer of the logic: a bit-vector cannot leave it."""
    if not isinstance(type, Machine) or not terms.is_integer(term):
        return []
    return [
        operations.at_most(terms.integer(type.smallest), term),
        operations.at_most(term, terms.integer(type.largest)),
    ]


def conditions(system: HornSystem, predicate: Predicate, inputs: Sequence[Term]) -> list[Term]:
    """Conditions on the inputs that the program itself decides on: literals of the predicate's clauses."""
    found: dict[int, Term] = {}
    for clause in system.defining[predicate.name]:
        if clause.head is None:
            continue
        renamed = [(own, formal) for formal, own in clause.head.bind() if terms.is_variable(own)]
        allowed = {terms.identity(formal) for formal in inputs}
        for part in terms.conjuncts(terms.substitute(clause.constraint, renamed)):
            variables = walk.free_variables(part)
            if variables and all(terms.identity(v) in allowed for v in variables):
                positive = terms.negation(part) if terms.is_not(part) else part
                found[terms.identity(positive)] = positive
    return list(found.values())


def tidy(
    formula: Term,
    background: Sequence[Term],
    inputs: Sequence[Term],
    outputs: Sequence[Term],
    conditions: Sequence[Term],
    oracle: Oracle,
) -> list[Term]:
    """Conjuncts that mean the formula wherever `background` holds, for a reader who knows the inputs first."""
    known = [part for part in terms.conjuncts(formula) if tables.is_table(part)]
    rest = terms.conjunction(part for part in terms.conjuncts(formula) if not tables.is_table(part))
    tidier = _Tidier([*background, *known], inputs, outputs, oracle)
    told = [tables.in_words(table, background, inputs, oracle) for table in known]
    clauses = [_literals(part) for part in _conjuncts(terms.simplify(rest))]
    if any(not clause for clause in clauses):
        return [terms.FALSE]
    if len(clauses) <= MOST_CONJUNCTS:
        clauses = tidier.shorter(_with_numbers(clauses))
        written = tidier.as_function(clauses, conditions)
        if written is not None:
            return [*told, written]
        clauses = tidier.with_values(clauses)
    return [*told, *tidier.all_written(tidier.with_equations(clauses))]


def _with_numbers(clauses: list[list[Term]]) -> list[list[Term]]:
    """Where a conjunct says which number a variable is, the others say that number."""
    known = {identity: (at, pair) for at, clause in enumerate(clauses) for identity, pair in _number(clause)}
    found: list[list[Term]] = []
    for at, clause in enumerate(clauses):
        values = [pair for place, pair in known.values() if place != at]
        whole = terms.disjunction(clause)
        put_in = terms.substitute(whole, values)
        found.append(clause if terms.same(put_in, whole) else _literals(terms.simplify(put_in)))
    return [clause for clause in found if not any(terms.is_true(literal) for literal in clause)]


def _number(clause: list[Term]) -> Iterator[tuple[int, tuple[Term, Term]]]:
    """The variable and its value, if that is all that the conjunct says."""
    atom = linear.atom(clause[0]) if len(clause) == 1 else None
    if atom is not None and atom.sign == "=" and len(atom.sum.terms) == 1:
        ((identity, (variable, factor)),) = atom.sum.terms.items()
        if abs(factor) == 1:
            yield identity, (variable, terms.integer(-atom.sum.constant * factor))


def _conjuncts(formula: Term) -> list[Term]:
    """The parts that all must hold; what must not hold with others must not hold by itself."""
    found: list[Term] = []
    waiting = terms.conjuncts(formula)[::-1]
    while waiting:
        part = waiting.pop()
        denied = terms.disjuncts(terms.negation(part)) if terms.is_not(part) else []
        if len(denied) > 1:
            waiting += [inner for each in reversed(denied) for inner in reversed(terms.conjuncts(terms.negation(each)))]
        else:
            found.append(part)
    return found


def _literals(part: Term) -> list[Term]:
    """The disjuncts, comparisons in normal form."""
    found: list[Term] = []
    for each in terms.disjuncts(part):
        denied = terms.conjuncts(terms.negation(each)) if terms.is_not(each) else []
        found += [terms.negation(inner) for inner in denied] if len(denied) > 1 else [each]
    return [_normal(literal) for literal in found]


def _normal(literal: Term) -> Term:
    atom = linear.atom(literal)
    if atom is None:
        return literal
    left, zero = linear.as_term(atom.sum), terms.integer(0)
    if atom.sign == "≤":
        return operations.at_most(left, zero)
    equation = operations.equal(left, zero)
    return equation if atom.sign == "=" else terms.negation(equation)


class _Tidier:
    def __init__(
        self,
        background: list[Term],
        inputs: Sequence[Term],
        outputs: Sequence[Term],
        oracle: Oracle,
    ) -> None:
        self._background = background
        self._inputs = {terms.identity(term) for term in inputs}
        self._outputs = {terms.identity(term): term for term in outputs}
        self._oracle = oracle
        self._least = dict(_least(background))

    def _implies(self, premises: Sequence[Term], conclusion: Term) -> bool:
        return self._oracle.entails(terms.conjunction([*self._background, *premises]), conclusion, "tidy") is True

    # Fewer and shorter conjuncts

    def shorter(self, clauses: list[list[Term]]) -> list[list[Term]]:
        """Equivalent under the background; the longest conjuncts are given up first."""
        kept = sorted(clauses, key=_cost)
        for position in range(len(kept) - 1, -1, -1):
            others = [terms.disjunction(clause) for clause in (*kept[:position], *kept[position + 1 :])]
            if self._implies(others, terms.disjunction(kept[position])):
                del kept[position]
            else:
                kept[position] = self._without_idle(kept[position], others)
        return kept

    def _without_idle(self, clause: list[Term], others: Sequence[Term]) -> list[Term]:
        """Without disjuncts that cannot hold unless another one does."""
        kept = sorted(clause, key=walk.size)
        for position in range(len(kept) - 1, -1, -1):
            if len(kept) == 1:
                break
            rest = [*kept[:position], *kept[position + 1 :]]
            if self._implies([*others, kept[position]], terms.disjunction(rest)):
                kept = rest
        return kept

    def with_equations(self, clauses: list[list[Term]]) -> list[list[Term]]:
        """x ≤ y and y ≤ x become x = y, under the same condition if there is one."""
        found: list[list[Term]] = []
        for clause in clauses:
            position, merged = next(
                ((at, made) for at, other in enumerate(found) if (made := _equation(other, clause))), (0, None)
            )
            if merged is None:
                found.append(clause)
            else:
                found[position] = merged
        return found

    # One value for each input

    def with_values(self, clauses: list[list[Term]]) -> list[list[Term]]:
        """output = value for outputs that all conjuncts together leave no choice, and what that does not say."""
        known = {id for clause in clauses if len(clause) == 1 for id in _solved(clause[0])}
        formula = terms.conjunction(terms.disjunction(clause) for clause in clauses)
        found: list[list[Term]] = []
        for output in [term for id, term in self._outputs.items() if id not in known][:MOST_VALUES]:
            equations = (operations.equal(output, value) for value in list(self._values(output, clauses))[:MOST_VALUES])
            implied = next((each for each in equations if self._implies([formula], each)), None)
            if implied is not None:
                found.append([_normal(implied)])
        if not found:
            return clauses
        values = [clause[0] for clause in found]
        return [*found, *(each for each in clauses if not self._implies(values, terms.disjunction(each)))]

    def as_function(self, clauses: list[list[Term]], conditions: Sequence[Term]) -> Term | None:
        """condition ? output = value : output = other, if that is what several conjuncts about one output say."""
        if len(self._outputs) != 1 or (len(clauses) == 1 and len(clauses[0]) == 1):
            return None
        (output,) = self._outputs.values()
        formula = terms.conjunction(terms.disjunction(clause) for clause in clauses)
        values = list(self._values(output, clauses))[:MOST_VALUES]
        for value in values:
            equation = operations.equal(output, value)
            if self._implies([formula], equation):
                return equation if self._implies([equation], formula) else None
        own = [literal for clause in clauses for literal in clause if self._is_about_inputs(literal)]
        return self._two_cases(formula, output, values, [*conditions, *own][:MOST_CONDITIONS])

    def _two_cases(
        self, formula: Term, output: Term, values: Sequence[Term], conditions: Sequence[Term]
    ) -> Term | None:
        for condition in conditions:
            sides = []
            for side in (condition, terms.negation(condition)):
                equations = (operations.equal(output, value) for value in values)
                sides.append(next((e for e in equations if self._implies([formula, side], e)), None))
            then, otherwise = sides
            if then is None or otherwise is None:
                continue
            made = terms.ite(self._readable(condition), then, otherwise)
            if self._implies([made], formula):
                return _one_equation(made)
        return None

    def _values(self, output: Term, clauses: list[list[Term]]) -> Iterator[Term]:
        """What the output is compared with, as terms over the inputs."""
        seen: set[int] = set()
        for clause in clauses:
            for literal in clause:
                atom = linear.atom(literal)
                own = atom.sum.terms.get(terms.identity(output)) if atom else None
                if atom is None or own is None or abs(own[1]) != 1:
                    continue
                rest = Sum({k: t for k, t in atom.sum.terms.items() if k != terms.identity(output)}, atom.sum.constant)
                value = linear.as_term(rest.scaled(-own[1]))
                if terms.identity(value) not in seen and self._is_about_inputs(value):
                    seen.add(terms.identity(value))
                    yield value

    def _is_about_inputs(self, term: Term) -> bool:
        return all(terms.identity(variable) in self._inputs for variable in walk.free_variables(term))

    # The shape that a person would choose

    def all_written(self, clauses: Sequence[list[Term]]) -> Iterator[Term]:
        """Two that speak of opposite cases are one."""
        left = list(clauses)
        while left:
            clause = left.pop(0)
            opposite = next((each for each in left if self._are_opposite(clause, each)), None)
            if opposite is None:
                yield self.written(clause)
                continue
            left.remove(opposite)
            condition, then = self._case(clause)
            yield _one_equation(terms.ite(condition, then, self._case(opposite)[1]))

    def _are_opposite(self, one: list[Term], other: list[Term]) -> bool:
        premises = [[literal for literal in clause if self._is_about_inputs(literal)] for clause in (one, other)]
        if any(len(own) != 1 or len(own) == len(clause) for own, clause in zip(premises, (one, other), strict=True)):
            return False
        return terms.same(_normal(terms.negation(premises[0][0])), _normal(premises[1][0]))

    def _case(self, clause: list[Term]) -> tuple[Term, Term]:
        """The condition of an implication, and what it implies."""
        premise, conclusion = terms.children(self.written(clause))
        return premise, conclusion

    def written(self, clause: list[Term]) -> Term:
        """A disjunction is an implication if some of it speaks of the inputs only."""
        premises = [literal for literal in clause if self._is_about_inputs(literal)]
        conclusions = [literal for literal in clause if not self._is_about_inputs(literal)]
        if not premises or not conclusions:
            return terms.disjunction(self._readable(literal) for literal in clause)
        denied = self.with_equations([[_normal(terms.negation(literal))] for literal in premises])
        premise = terms.conjunction(self._readable(literal) for (literal,) in denied)
        return terms.implication(premise, terms.disjunction(self._readable(literal) for literal in conclusions))

    def _readable(self, literal: Term) -> Term:
        """A comparison solved for one variable: an output if there is one."""
        atom = linear.atom(literal)
        if atom is None or not atom.sum.terms:
            return literal
        parts = list(atom.sum.terms.values())
        single = [part for part in parts if abs(part[1]) == 1]
        chosen = next((p for p in single if terms.identity(p[0]) in self._outputs), single[0] if single else None)
        if chosen is None or (len(parts) > 2 and terms.identity(chosen[0]) not in self._outputs):
            return _balanced(atom.sign, atom.sum)
        rest = Sum({k: t for k, t in atom.sum.terms.items() if k != terms.identity(chosen[0])}, atom.sum.constant)
        right = rest.scaled(-chosen[1])
        if atom.sign == "≤" and not right.terms:
            least = self._least.get(terms.identity(chosen[0]))
            if chosen[1] > 0 and right.constant == least:
                return operations.equation(chosen[0], terms.integer(least))
            if chosen[1] < 0 and least is not None and right.constant == least + 1:
                return operations.more(chosen[0], terms.integer(least))
        if atom.sign == "≤" and chosen[1] < 0:
            return _at_least(chosen[0], right)
        if atom.sign == "≤" and right.terms and right.constant == -1:
            return operations.less(chosen[0], linear.as_term(Sum(right.terms, 0)))
        return _compared(atom.sign, chosen[0], linear.as_term(right))


def _least(background: Sequence[Term]) -> Iterator[tuple[int, int]]:
    """The least value of each variable of which a limit is known."""
    for part in background:
        atom = linear.atom(part)
        if atom is not None and atom.sign == "≤" and len(atom.sum.terms) == 1:
            ((identity, (_, factor)),) = atom.sum.terms.items()
            if factor == -1:
                yield identity, atom.sum.constant


def _equation(one: list[Term], other: list[Term]) -> list[Term] | None:
    """One of two disjunctions that differ in opposite bounds of one sum."""
    shared = {terms.identity(literal) for literal in one} & {terms.identity(literal) for literal in other}
    rest, last = ([x for x in clause if terms.identity(x) not in shared] for clause in (one, other))
    if len(rest) != 1 or len(last) != 1:
        return None
    atoms = linear.atom(rest[0]), linear.atom(last[0])
    if atoms[0] is None or atoms[1] is None or {atoms[0].sign, atoms[1].sign} != {"≤"}:
        return None
    opposite = atoms[1].sum.scaled(-1)
    if not atoms[0].sum.same_terms(opposite) or atoms[0].sum.constant != opposite.constant:
        return None
    equation = operations.equal(linear.as_term(atoms[0].sum), terms.integer(0))
    return [*(literal for literal in one if terms.identity(literal) in shared), equation]


def _one_equation(cases: Term) -> Term:
    """c ? x = a : x = b is x = (c ? a : b)."""
    condition, then, otherwise = terms.children(cases)
    if not (terms.is_equation(then) and terms.is_equation(otherwise)) or not terms.same(then.arg(0), otherwise.arg(0)):
        return cases
    return operations.equation(then.arg(0), terms.ite(condition, then.arg(1), otherwise.arg(1)))


def _solved(literal: Term) -> list[int]:
    """The variables that an equation speaks of."""
    atom = linear.atom(literal)
    return list(atom.sum.terms) if atom is not None and atom.sign == "=" else []


def _at_least(left: Term, right: Sum) -> Term:
    """x ≥ y + 1 is x > y, if y is not a number."""
    if right.terms and right.constant == 1:
        return operations.more(left, linear.as_term(Sum(right.terms, 0)))
    return operations.not_less(left, linear.as_term(right))


def _compared(sign: str, left: Term, right: Term) -> Term:
    if sign == "≤":
        return operations.not_more(left, right)
    equation = operations.equation(left, right)
    return equation if sign == "=" else terms.negation(equation)


def _balanced(sign: str, sum_: Sum) -> Term:
    """Terms with positive coefficients on the left, the others on the right."""
    left = Sum({k: (t, a) for k, (t, a) in sum_.terms.items() if a > 0}, 0)
    right = Sum({k: (t, -a) for k, (t, a) in sum_.terms.items() if a < 0}, -sum_.constant)
    if not left.terms and sign == "≤":
        return operations.not_less(linear.as_term(Sum(right.terms, 0)), terms.integer(-right.constant))
    return _compared(sign, linear.as_term(left), linear.as_term(right))


def _cost(clause: list[Term]) -> int:
    return sum(walk.size(literal) for literal in clause)
