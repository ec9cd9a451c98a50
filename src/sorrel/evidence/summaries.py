"""Do these summaries make every clause of the system valid?"""

from __future__ import annotations

import time

import z3
from z3 import z3core

from sorrel.evidence.recursion import check_recursion
from sorrel.evidence.result import Accepted, NotConfirmed, Rejected, Result
from sorrel.evidence.seconds import CHECKING
from sorrel.horn.clause import Clause
from sorrel.horn.recursion import NOTHING, Recursion
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import pointers, terms, walk
from sorrel.logic.instances import without_quantifiers
from sorrel.logic.terms import Term

AT_ONCE = 200_000
"""Units of work for a first attempt at a clause, without the preparations that pay for hard ones only."""


MOST_QUESTIONS = 1000
"""For one solver: what it keeps of them, a little, is then given back."""


class _Quick:
    """The core of the solver alone, which finds most contradictions with little effort; it forgets each question.

    A question is pushed and popped: to reset the solver takes longer than most questions do, and all of them joined to
    one took 25 times as long where it had to be given up. One solver serves all systems, since to make one, and to
    give it its limit, takes as long as several questions.
    """

    def __init__(self) -> None:
        self._solver: z3.Solver | None = None
        self._context = z3.main_ctx().ref()
        self._asked = 0

    def refutes(self, *formulas: Term) -> bool:
        """Whether they contradict each other; that they do not is never said."""
        solver = self._ready()
        try:
            solver.push()
            for formula in formulas:  # they are formulas: what z3's own `add` does first is to look whether they are
                z3core.Z3_solver_assert(self._context, solver.solver, formula.ast)
            answer: bool = solver.check() == z3.unsat
            solver.pop()
        except BaseException:
            self._solver = None  # nothing of a question that failed may stay with the next
            raise
        return answer

    def _ready(self) -> z3.Solver:
        if self._solver is None or self._asked >= MOST_QUESTIONS:
            self._solver, self._asked = z3.SimpleSolver(), 0
            self._solver.set("rlimit", AT_ONCE)
        self._asked += 1
        return self._solver


_QUICK = _Quick()


def contradictory(formula: Term) -> bool:
    """Whether little effort shows that nothing satisfies the formula; else nothing is said of it."""
    try:
        return _QUICK.refutes(formula)
    except z3.Z3Exception:
        return False


def check_summaries(
    system: HornSystem, summaries: Summaries, seconds: float = CHECKING, recursion: Recursion = NOTHING
) -> Result:
    """Each clause with its predicates replaced by their summaries, refuted in a solver of its own.

    Obligations of well-foundedness are another question: `ranking.check_ranks`. Functions that the summaries speak of
    must be defined by structural recursion, and what is said of them proved by induction.
    """
    deadline = time.monotonic() + seconds
    result = check_recursion(recursion, seconds) if recursion else Accepted()
    if not isinstance(result, Accepted):
        return result
    meanings = {function.name: function for function in recursion.functions}
    for predicate in system.predicates:
        if predicate.name not in summaries:
            return Rejected(f"there is no summary for {predicate.name}")
        allowed = {terms.identity(formal) for formal in predicate.formals}
        constants, applications = pointers.uninterpreted(terms.identity(summaries[predicate.name]))
        for other in (node for node in constants if node not in allowed):
            told = pointers.term(other)
            return Rejected(f"the summary of {predicate.name} speaks of {told}, which is not an argument")
        for applied in map(pointers.term, applications):
            known = meanings.get(terms.name_of(applied))
            if known is None or not known.applies(applied):
                return Rejected(f"the summary of {predicate.name} uses a symbol without a meaning")
    for clause in system.clauses:
        if recursion and any(walk.uninterpreted_applications(c) for c in _spoken(clause)):
            return NotConfirmed("a clause speaks of a function without a meaning")
        result = _check_clause(clause, summaries, recursion, deadline - time.monotonic())
        if not isinstance(result, Accepted):
            return result
    return Accepted(f"{len(system.clauses)} clauses valid")


def _spoken(clause: Clause) -> list[Term]:
    atoms = [*clause.body, *([clause.head] if clause.head else [])]
    return [clause.constraint, *(argument for atom in atoms for argument in atom.arguments)]


def _check_clause(clause: Clause, summaries: Summaries, recursion: Recursion, seconds: float) -> Result:
    if seconds <= 0:
        return NotConfirmed("time ran out while the summaries were checked")
    deadline = time.monotonic() + seconds
    try:
        parts = _violation(clause, summaries)
        if not recursion and _QUICK.refutes(*parts):
            return Accepted()
        wrong = terms.conjunction(parts)
        if recursion:
            # Unfoldings and lemmas are true of the functions: what contradicts them has no model in which they are
            # meant.
            wrong = terms.conjunction([wrong, *recursion.facts(wrong)])
            if _QUICK.refutes(wrong):
                return Accepted()
        weaker = without_quantifiers(wrong)
        # What is not even satisfiable at some instances of its quantifiers is not satisfiable.
        if weaker is not None and weaker is not wrong and _ask(weaker, seconds / 2).check() == z3.unsat:
            return Accepted()
        solver = _ask(wrong, deadline - time.monotonic())
        answer = solver.check()
    except z3.Z3Exception as problem:
        return NotConfirmed(f"the solver failed on clause {_place(clause)}: {problem}")
    if answer == z3.unsat:
        return Accepted()
    if answer == z3.sat and recursion:
        return NotConfirmed(f"clause {_place(clause)} does not follow from single steps of the functions")
    if answer == z3.sat:
        return Rejected(f"clause {_place(clause)} is not valid under the summaries")
    return NotConfirmed(f"the solver could not decide clause {_place(clause)}: {solver.reason_unknown()}")


def _ask(formula: Term, seconds: float) -> z3.Solver:
    solver = z3.Solver()
    solver.set("timeout", max(1, int(seconds * 1000)))
    solver.add(formula)
    return solver


def violation(clause: Clause, summaries: Summaries) -> Term:
    """Satisfiable exactly if the summaries do not make the clause valid."""
    return terms.conjunction(_violation(clause, summaries))


def _violation(clause: Clause, summaries: Summaries) -> list[Term]:
    """Its conjuncts."""
    calls = [terms.substitute(summaries[atom.predicate.name], atom.bind()) for atom in clause.body]
    parts = [clause.constraint, *calls]
    if clause.head:
        head = terms.substitute(summaries[clause.head.predicate.name], clause.head.bind())
        parts.append(terms.negation(head))
    # A variable of the clause may have the name of a formal: substitution is simultaneous, so nothing is captured.
    return parts


def _place(clause: Clause) -> str:
    return f"{clause.name} ({clause.origin})" if clause.origin.line else clause.name
