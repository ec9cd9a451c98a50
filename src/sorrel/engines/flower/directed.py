"""Property-directed guesses (section 5.6.2): for one call, from what its bounded environment says.

CLOVER asks for them before it interpolates. The context guess are atoms that the environment implies and that are
handed on to recursive calls (FILTER, algorithm 11); together they are the antecedent of every consequent of the grammar
(COMBINEGUESS, algorithm 12, which tries all subsets of them). What is left of these guesses after CHECKGUESSES counts
only if it excludes the environment; then it is an interpolant between the body of the procedure and the environment.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from sorrel.engines.flower.plan import PLAN
from sorrel.guess.contexts import ContextHoudini, Frame, Part, Side
from sorrel.guess.lattice import Literal
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.logic import terms, walk
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.smt.solver import Oracle, Unsat
from sorrel.smt.statistics import Statistics

MOST_ATOMS = 60


class DirectedGuesser:
    """REFINEOVER (algorithm 10) for a product program whose clauses are given with frames for its predicates.

    Facts are free of quantifiers, since the rules that use them afterwards are. An environment that was asked about
    with the same summaries is not asked about again.
    """

    def __init__(self, system: HornSystem, frames: Mapping[str, Frame], clock: Clock, statistics: Statistics) -> None:
        self._system = system
        self._frames = frames
        self._clock = clock
        self._statistics = statistics
        self._asked: set[tuple[str, int, int]] = set()
        self._kept: list[Term] = []

    def refine(self, predicate: Predicate, environment: Term, over: Mapping[str, Term]) -> Mapping[str, Sequence[Term]]:
        """An implication about the predicate that excludes the environment, or nothing."""
        known = over[predicate.name]
        key = (predicate.name, environment.get_id(), known.get_id())
        if predicate.name not in self._frames or key in self._asked:
            return {}
        self._asked.add(key)
        self._kept += [environment, known]  # z3 gives the number of a freed term to a new one
        clock = PLAN.directed.of(self._clock)
        oracle = Oracle(clock, self._statistics, query_seconds=PLAN.directed_question)
        frame = self._frames[predicate.name]
        context = self._context(predicate, environment, known, oracle)
        after = tuple(literal for literal in frame.after if literal.index is None or literal.whole is not None)
        offered = Frame(frame.guard, tuple(context), after, frame.always)
        return self._checked(predicate, offered, environment, over, oracle)

    def _context(self, predicate: Predicate, environment: Term, known: Term, oracle: Oracle) -> Iterator[Literal]:
        """Atoms that hold at the call: those of the grammar, and conjuncts of the environment about the arguments."""
        session = oracle.session("directed")
        session.add(environment, known, self._frames[predicate.name].guard)
        atoms = [*self._frames[predicate.name].before, *map(Literal, _own_conjuncts(predicate, environment))]
        for literal in [atom for atom in atoms if atom.index is None or atom.whole is not None][:MOST_ATOMS]:
            session.push()
            session.add(terms.negation(literal.closed))
            if isinstance(session.check(), Unsat):
                yield literal
            session.pop()

    def _checked(
        self, predicate: Predicate, frame: Frame, environment: Term, over: Mapping[str, Term], oracle: Oracle
    ) -> Mapping[str, Sequence[Term]]:
        """FILTER and CHECKGUESSES on the clauses of the predicate, others being known by their summaries."""
        clauses = self._system.defining[predicate.name]
        names = dict.fromkeys([predicate.name, *(atom.predicate.name for clause in clauses for atom in clause.body)])
        part = HornSystem(tuple(self._system.predicate[name] for name in names), tuple(clauses))
        houdini = ContextHoudini(part, {predicate.name: frame}, oracle, over)
        if not houdini.run():
            return {}
        useful = _excluding(houdini, predicate.name, frame, environment, over[predicate.name], oracle)
        found = houdini.with_reasons(useful) if useful else None
        return {name: [formula] for name, formula in found.items()} if found is not None else {}


def _excluding(
    houdini: ContextHoudini, name: str, frame: Frame, environment: Term, known: Term, oracle: Oracle
) -> list[Part]:
    """Consequents, few of them, that contradict the environment; what is before the call holds in it."""
    parts = [*houdini.left(name, Side.AFTER), *houdini.left(name, Side.ALWAYS)]
    claims = [literal.closed for side in (Side.AFTER, Side.ALWAYS) for literal in houdini.left(name, side).values()]
    meant = len(houdini.left(name, Side.AFTER))
    said = [terms.implication(frame.guard, c) if i < meant else c for i, c in enumerate(claims)]
    core = oracle.core([environment, known], said, "directed")
    return [] if core is None else [parts[index] for index in core]


def _own_conjuncts(predicate: Predicate, environment: Term) -> Iterator[Term]:
    formals = {formal.get_id() for formal in predicate.formals}
    for conjunct in terms.conjuncts(environment):
        variables = walk.free_variables(conjunct)
        if variables and all(variable.get_id() in formals for variable in variables):
            yield conjunct
