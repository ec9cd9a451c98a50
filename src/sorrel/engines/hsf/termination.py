"""Obligations of disjunctive well-foundedness, as safety: no step of the relation lies outside the ranks found so far.

A derivation of a step outside is the next thing to rank: the conjunction of the constraints along it, as a
transition from `before` to `after`. Predicates and proofs are kept from round to round.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.engines.hsf.counterexample import Counterexample
from sorrel.engines.hsf.loop import Answer, GaveUp, Loop, Refuted
from sorrel.engines.hsf.plan import PLAN
from sorrel.engines.hsf.rules import Rule
from sorrel.horn.clause import Atom, Clause, WellFounded
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Rank, Ranks, Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, implicant
from sorrel.logic.names import Names
from sorrel.logic.printing import infix
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.linearise import linearised
from sorrel.smt.projection import project_model
from sorrel.smt.ranking import Transition, lexicographic_rank

MOST_STEPS_AT_ONCE = 24
"""A lexicographic rank for the defining clauses is looked for if they have at most so many cases."""


class RankSearch:
    """Rounds of the loop, each with a query for every obligation, until none is derivable."""

    def __init__(self, system: HornSystem, loop: Loop, most: int) -> None:
        self._system = system
        self._loop = loop
        self._most = most
        self._ranks: dict[str, list[Rank]] = {obligation.name: [] for obligation in system.obligations}
        names = Names(clause.name for clause in system.clauses)
        self._query_names = {o.name: names.fresh(f"dwf!{o.name}") for o in system.obligations}

    def run(self) -> Answer:
        """Solved: the relations lie within the ranks; refuted: a query of the system itself is derivable."""
        for obligation in self._system.obligations:
            self._rank_one_step(obligation)
        by_query = {self._query_names[o.name]: o for o in self._system.obligations}
        while True:
            answer = self._loop.run([self._query(obligation) for obligation in self._system.obligations])
            if not isinstance(answer, Refuted):
                return answer
            violated = by_query.get(answer.derivation.steps[-1].clause)
            if violated is None:
                return answer
            if answer.counterexample is None or answer.feasible is None:
                message = f"a derivation of a step of obligation {violated.name} is too large to be ranked"
                return GaveUp(Reason(Cause.INCOMPLETE, message))
            problem = self._rank_derivation(violated, answer.counterexample, answer.feasible.model)
            if problem:
                return GaveUp(Reason(Cause.INCOMPLETE, problem))

    def ranks_needed(self, summaries: Summaries) -> Ranks:
        """The ranks without those that the others make superfluous."""
        needed: dict[str, tuple[Rank, ...]] = {}
        for obligation in self._system.obligations:
            relation = [terms.substitute(summaries[a.predicate.name], a.bind()) for a in obligation.relation]
            kept = list(self._ranks[obligation.name])
            for rank in list(kept):
                others = [other for other in kept if other is not rank]
                inside = terms.disjunction(descent(obligation, other) for other in others)
                if self._loop.oracle.entails(
                    terms.conjunction(relation), inside, "hsf.ranks", seconds=PLAN.superfluous_rank
                ):
                    kept = others
            needed[obligation.name] = tuple(kept)
        return needed

    def _query(self, obligation: WellFounded) -> Clause:
        """T(v, v′) ∧ ¬⋁ rankᵢ(v, v′) → false."""
        outside = [terms.negation(descent(obligation, rank)) for rank in self._ranks[obligation.name]]
        name = self._query_names[obligation.name]
        return Clause(name, None, obligation.relation, terms.conjunction(outside), obligation.origin)

    # One step at a time

    def _rank_one_step(self, obligation: WellFounded) -> None:
        """A lexicographic rank of the steps that define the relation without recursion, if there is one.

        Such a rank is transitive, so it often contains the closure of the steps as well; the loop finds out.
        """
        if len(obligation.relation) != 1:
            return
        (atom,) = obligation.relation
        name = atom.predicate.name
        (group,) = [g for g in self._system.call_graph.components if name in g]
        first = [
            rule
            for rule in self._loop.rules
            if rule.head and rule.head.predicate.name == name and not any(a.predicate.name in group for a in rule.body)
        ]
        if not first or len(first) > MOST_STEPS_AT_ONCE:
            return
        steps = [_step(obligation, atom, rule) for rule in first]
        components = lexicographic_rank(self._loop.oracle, steps)
        if components is not None:
            self._learn(obligation, Rank(components))

    # Derivations

    def _rank_derivation(self, obligation: WellFounded, counterexample: Counterexample, model: Model) -> str:
        """A rank for the steps that follow this derivation; the reason, if none was found."""
        found = self._ranks[obligation.name]
        if len(found) >= self._most:
            return f"obligation {obligation.name} is not covered by {len(found)} ranks"
        copies = {variable.get_id(): copy for variable, copy in counterexample.query.renaming}
        before = tuple(copies.get(v.get_id(), v) for v in obligation.before)
        after = tuple(copies.get(v.get_id(), v) for v in obligation.after)
        # First without the condition that the step lies outside the other ranks: more general, if it works.
        outside = {part.get_id() for part in counterexample.query.parts[: len(counterexample.query.rule.parts)]}
        everything = [part for node in counterexample.nodes for part in node.parts]
        for parts in ([p for p in everything if p.get_id() not in outside], everything):
            literals = _literals(terms.conjunction(parts), model)
            components = lexicographic_rank(self._loop.oracle, [Transition(before, after, _linear(literals))])
            if components is not None:
                at_obligation = list(zip(before, obligation.before, strict=True))
                rank = Rank(tuple(terms.substitute(c, at_obligation) for c in components))
                self._learn(obligation, rank)
                return ""
        return self._defeat(obligation, everything, model, [*before, *after])

    def _defeat(self, obligation: WellFounded, parts: list[Term], model: Model, keep: list[Term]) -> str:
        """The relation for which no rank was found, over the variables of the obligation."""
        formula = terms.conjunction(parts)
        kept = {variable.get_id() for variable in keep}
        eliminate = [v for v in walk.free_variables(formula) if v.get_id() not in kept]
        relation = project_model(self._loop.oracle, formula, model, eliminate)
        named = terms.substitute(relation, zip(keep, [*obligation.before, *obligation.after], strict=True))
        return f"no ranking function was found for obligation {obligation.name} on the steps with {infix(named)}"

    def _learn(self, obligation: WellFounded, rank: Rank) -> None:
        """Keep the rank, and offer its parts to the abstraction of the relation."""
        self._ranks[obligation.name].append(rank)
        parts = [descent(obligation, rank)]
        for component in rank.components:
            there = terms.substitute(component, zip(obligation.before, obligation.after, strict=True))
            parts += [component >= 0, there <= component - 1, there <= component]
        for atom in obligation.relation:
            formals = _formal_of_variable(atom)
            for part in parts:
                variables = walk.free_variables(part)
                if all(v.get_id() in formals for v in variables):
                    pairs = [(v, formals[v.get_id()]) for v in variables]
                    self._loop.predicates.add(atom.predicate.name, terms.substitute(part, pairs))


def descent(obligation: WellFounded, rank: Rank) -> Term:
    """The relation of a rank, over the variables of the obligation."""
    step = list(zip(obligation.before, obligation.after, strict=True))
    cases: list[Term] = []
    kept: list[Term] = []
    for component in rank.components:
        there = terms.substitute(component, step)
        cases.append(terms.conjunction([*kept, component >= 0, there <= component - 1]))
        kept.append(there <= component)
    return terms.disjunction(cases)


def _formal_of_variable(atom: Atom) -> Mapping[int, Term]:
    """For each variable that is an argument by itself, the formal in its place."""
    return {argument.get_id(): formal for formal, argument in atom.bind() if terms.is_variable(argument)}


def _step(obligation: WellFounded, atom: Atom, rule: Rule) -> Transition:
    """One rule for the relation as a transition; what its calls say is left out, which only adds steps."""
    names = Names(terms.name_of(v) for v in (*obligation.before, *obligation.after))
    clause, renaming = rule.clause.rename_apart(names)
    head = clause.head.arguments if clause.head else ()
    parts = terms.substitute_all(rule.parts, renaming)
    equations = [terms.equal(a, b) for a, b in zip(atom.arguments, head, strict=True)]
    return Transition(obligation.before, obligation.after, _linear([*parts, *equations]))


def _linear(parts: Sequence[Term]) -> tuple[Term, ...]:
    """The same with quotients and remainders by what bounds them."""
    return tuple(terms.conjuncts(linearised(terms.conjunction(parts))))


def _literals(formula: Term, model: Model) -> list[Term]:
    """Literals that are true in the model and imply the formula."""
    return implicant(formula, lambda part: terms.is_true(model.eval(part, model_completion=True)))
