"""VERIFY and PROCESSNODE (algorithms 1 to 3), with the rules by their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Protocol

from sorrel.engines.clover.bodies import Bodies
from sorrel.engines.clover.cubes import NegatedCubes
from sorrel.engines.clover.goal import Lemma, Lemmas, Over, Trace, readable
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.clover.plan import PLAN
from sorrel.engines.clover.rules import Rule, Rules
from sorrel.engines.clover.template_invariants import TemplateInvariants
from sorrel.engines.clover.tree import Node, Tree
from sorrel.engines.engine import Circumstances
from sorrel.engines.unwind import ForwardSearch
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import Model, implicant, value_in
from sorrel.logic.printing import infix
from sorrel.logic.terms import Term
from sorrel.smt.projection import project_cube
from sorrel.smt.solver import Oracle, Sat, Unsat

MOST_CUBES = 3
MOST_HOPES = 6
LARGEST_CYCLE = 8
EARLY_STAGES = 2


class Stuck(Exception):
    """No node is left that could teach anything at this bound."""

    def __init__(self, node: Node | None) -> None:
        super().__init__("stuck")
        self.node = node


class Guesser(Protocol):
    """Somebody who knows what summaries of the system may look like, and is asked before they are interpolated."""

    def refine(self, predicate: Predicate, environment: Term, over: Mapping[str, Term]) -> Mapping[str, Sequence[Term]]:
        """Facts that are inductive together with O and exclude the environment of a call; none if there are none.

        `environment` is over the formals of the predicate and variables of its own.
        """


class RuleSearch:
    """One proof search at one bound; O, U and L outlive it, so that a larger bound goes on from there."""

    def __init__(
        self,
        system: HornSystem,
        over: Over,
        lemmas: Lemmas,
        forward: ForwardSearch,
        run: Circumstances,
        options: CloverOptions,
        bound: int,
        trace: Trace,
        guesser: Guesser | None = None,
    ) -> None:
        self.over = over
        self.trace = trace
        self.tree = Tree(Rules.of(system), bound)
        self._system = system
        self._lemmas = lemmas
        self._forward = forward
        self._run = run
        self._options = options
        self._oracle: Oracle = run.oracle(query_seconds=PLAN.rules_question)
        self._depths = _call_depths(system)
        moduli = vocabulary(system).moduli if options.congruences else ()
        self._cubes = NegatedCubes(forward, self._oracle, moduli)
        self._invariants = TemplateInvariants(system, forward, run)
        self._bodies = Bodies(system, self.tree.rules, over, self._oracle)
        self._last: Node | None = None
        self._guesser = guesser

    # Algorithm 1

    def safe(self) -> bool:
        """SAFE: O makes every query valid; every other clause is valid under O at all times."""
        summaries = self.over.summaries()
        for query in self.tree.rules.queries:
            calls = [terms.substitute(summaries[c.predicate.name], c.bind()) for c in query.calls]
            if not isinstance(self._oracle.check(query.constraint, *calls, kind="safe"), Unsat):
                return False
        return True

    def step(self) -> Derivation | None:
        """Process the best available node. Raises Stuck when there is none."""
        node = self._choose()
        if node is None:
            raise Stuck(self._last)
        self._last = node
        return self._process(node)

    def _choose(self) -> Node | None:
        """Appendix B.1; a node about which nothing has changed is passed over (B.2)."""
        while True:
            available = [n for n in self.tree.nodes if n.available]
            if not available:
                return None
            node = min(available, key=self._priority)
            if node.stamp and node.stamp == self._stamp(node):
                node.available = False  # MU
                continue
            return node

    def _priority(self, node: Node) -> tuple[float, int, int]:
        sign = -1.0 if self._options.order == "dfs" else 1.0
        score = sign * self._options.alpha * node.depth + self._options.beta * node.chosen
        return score, self._depths.get(node.predicate.name, 0), -node.path[-1][1]

    def _stamp(self, node: Node) -> tuple[int, ...]:
        """Versions of every summary that the node's queries mention; of facts only how many there are, about."""
        window = node.path[-self.tree.bound :]
        names = {c.predicate.name for rule, _ in window for c in rule.calls}
        names |= {c.predicate.name for rule in self.tree.rules.by_predicate[node.predicate.name] for c in rule.calls}
        names.add(node.predicate.name)
        known = [self.over.version[name] for name in sorted(names)]
        facts = [len(self._forward.known(name)).bit_length() for name in sorted(names)]
        return (*known, *facts, len(self._lemmas.known))

    # Algorithm 2

    def _process(self, node: Node) -> Derivation | None:
        node.chosen += 1
        node.later = False
        stamp = self._stamp(node)
        environment = self.tree.environment(node)
        over_environment = environment.approximate(self.over.summaries())
        under_environment = environment.approximate(self._forward.summaries())
        updated = False
        found_under = False
        for rule in self.tree.rules.by_predicate[node.predicate.name]:
            if self._ou(node, rule, over_environment):
                updated = True
                if self._uu(node, rule, under_environment):
                    found_under = True
        if updated:
            derivation = self._forward.refute_now()
            if derivation is not None:
                return derivation
        discharged = False
        if not found_under:
            learned, discharged = self._oo(node, over_environment)
            updated |= learned
            if not discharged and not learned:
                updated |= self._uo(node, under_environment)
        if not found_under and not discharged:
            self._add_nodes(node)
        self._processed(node, updated, stamp)
        return None

    def _processed(self, node: Node, updated: bool, stamp: tuple[int, ...]) -> None:
        """PROCESSED: what was learned may help the bounded parents; then MU."""
        if updated:
            self._renew_bodies(node)
            for parent in node.parents:
                parent.available = True  # MA
        node.available = updated or node.later
        node.stamp = () if node.later else stamp

    def _add_nodes(self, node: Node) -> None:
        """ADDNODES (algorithm 3): the callees of this procedure, or their equivalent nodes if something is new."""
        for rule in self.tree.rules.by_predicate[node.predicate.name]:
            for position in range(len(rule.calls)):
                if self.tree.try_add(node, rule, position) is None:
                    twin = self.tree.equivalent(node, rule, position)
                    if not twin.stamp or twin.stamp != self._stamp(twin):
                        twin.available = True  # MA

    # Under-approximations

    def _ou(self, node: Node, rule: Rule, over_environment: Term) -> bool:
        """OU: a fact by this rule that some path through the over-approximated environment could use."""
        cube = self._forward.learn_within(rule.clause, over_environment)
        if cube is None:
            return False
        fact = f"{node.predicate.name}({', '.join(map(str, node.predicate.formals))})"
        self.trace.add(node.names, "Over", "Under", "OU", lambda: f"{infix(cube.formula)} ⇒ {fact}")
        return True

    def _uu(self, node: Node, rule: Rule, under_environment: Term) -> bool:
        """UU: the same inside the under-approximated environment, where a counterexample is likely."""
        newest = self._forward.known(node.predicate.name)[-1]
        meets = self._oracle.check(under_environment, newest.formula, kind="UU")
        if isinstance(meets, Sat):
            self.trace.add(node.names, "Under", "Under", "UU", lambda: infix(newest.formula))
            return True
        return False

    # Over-approximations

    def _oo(self, node: Node, over_environment: Term) -> tuple[bool, bool]:
        """OO, OOI and OOIL on cubes of the environment. Was something learned, and is the subtask discharged?"""
        learned = self._learn_body(node) | self._refine_over(node, over_environment, "Over")
        name = node.predicate.name
        for attempt in range(0 if self._options.templates else 1, MOST_CUBES + 1):
            match self._oracle.check(over_environment, self.over.of(name), kind="OO"):
                case Unsat():
                    return learned, True
                case Sat(model):
                    cube = self._environment_cube(node, over_environment, model)
                case _:
                    return learned, False
            if not any(terms.same(cube, old) for old in node.cubes):
                node.cubes = [*node.cubes[-7:], cube]
            if attempt == 0:
                # What templates say of all values, cubes would say of one after the other.
                excluded, found = self._templates(node, over_environment)
                if excluded:
                    return True, True
                learned |= found
            elif not self._block(node, cube, over_environment, "Over"):
                return learned, False
            else:
                learned = True
        return learned, False

    def _refine_over(self, node: Node, environment: Term, how: str) -> bool:
        """REFINEOVER (FLOWER, algorithm 10): a guess that excludes the environment, before any rule is tried."""
        if self._guesser is None:
            return False
        facts = self._guesser.refine(node.predicate, environment, self.over.summaries())
        learned = [name for name, found in facts.items() if self.over.adopt(name, found, self._oracle)]
        for name in learned:
            fact = partial(readable, self._system.predicate[name], terms.conjunction(facts[name]))
            self.trace.add(node.names, how, "Over", "guess", fact)
        if learned:
            self._discharge(node)
        return bool(learned)

    def _templates(self, node: Node, environment: Term) -> tuple[bool, bool]:
        """OOI with a conjunction of templates as 𝕀. Is the environment excluded, and was something learned?

        With EC lemmas, ancestors of the same cycle of calls are assumed to meet templates of their own (OOIL),
        and all of them are discharged together (EL). What is not inductive is dropped until the rest is.
        """
        if self._bodies.tell_all(node.predicate.name):
            return False, False
        targets = self._targets(node)
        if self._waits(node, targets):
            node.later = True
            return False, False
        invariants = self._invariants.invariants(targets, node.predicate, environment, self.over.summaries())
        node.later = invariants.later
        learned = [n for n, facts in invariants.facts.items() if self.over.adopt(n, facts, self._oracle)]
        for name in learned:
            predicate = self._system.predicate[name]
            fact = partial(readable, predicate, terms.conjunction(invariants.facts[name]))
            for rule in ("OOI",) if len(targets) == 1 else ("OOIL", "EL"):
                self.trace.add(node.names, "Over", "Over", rule, fact)
        if learned:
            self._discharge(node)
        return invariants.exclude, bool(learned)

    def _waits(self, node: Node, targets: Sequence[str]) -> bool:
        """Is there a procedure below of which little is known yet? It is visited before much is guessed above it."""
        below = [name for name in self._system.call_graph.reached(node.predicate.name) if name not in targets]
        if node.chosen > 1 + EARLY_STAGES * len(below):
            return False
        recursive = self._system.call_graph.recursive
        return any(
            self._invariants.tried(name) < EARLY_STAGES if name in recursive else not self.over.version[name]
            for name in below
        )

    def _targets(self, node: Node) -> list[str]:
        """The procedure, and the ancestors that an EC lemma about it may speak of.

        Below the procedure its cycle of calls comes round to it again, by then with all of the cycle as ancestors: a
        small cycle is taken whole at once, without the descent.
        """
        own = node.predicate.name
        if not self._options.ec_lemmas:
            return [own]
        cycle = next(group for group in self._system.call_graph.components if own in group)
        if len(cycle) > LARGEST_CYCLE:
            above = {a.predicate.name for a in node.ancestors()}
            cycle = tuple(name for name in cycle if name == own or name in above)
        return sorted(cycle)

    def _uo(self, node: Node, under_environment: Term) -> bool:
        """UO and UOIL: the same with the environment under-approximated."""
        if self._refine_over(node, under_environment, "Under"):
            return True
        match self._oracle.check(under_environment, self.over.of(node.predicate.name), kind="UO"):
            case Sat(model):
                cube = self._environment_cube(node, under_environment, model)
                return self._block(node, cube, under_environment, "Under")
        return False

    def _environment_cube(self, node: Node, environment: Term, model: Model) -> Term:
        """A part of the environment around a model, projected onto the formals of the target.

        Quantified conjuncts are left out, since a model does not say whether they hold: the part may be too large, and
        then there is less that excludes it.
        """
        plain = [conjunct for conjunct in terms.conjuncts(environment) if not walk.has_quantifier(conjunct)]
        environment = terms.conjunction(plain)
        formals = {f.get_id() for f in node.predicate.formals}
        local = [v for v in walk.free_variables(environment) if v.get_id() not in formals]
        literals = implicant(environment, lambda t: terms.is_true(value_in(model, t)))
        cube = project_cube(self._oracle, terms.conjunction(literals), model, local)
        kept = self._oracle.without_redundant([terms.simplify(literal) for literal in cube])
        return terms.conjunction(kept)

    def _candidates(self, node: Node, cube: Term, environment: Term) -> Iterator[Term]:
        """For 𝕀: an interpolant excludes all of the environment, a negated part of the cube a part of it."""
        if self._options.interpolants:
            plain = [conjunct for conjunct in terms.conjuncts(environment) if not walk.has_quantifier(conjunct)]
            between = self._bodies.interpolant(node.predicate, terms.conjunction(plain))
            yield from () if between is None else (between,)
        yield from self._cubes.of(node.predicate, cube)

    def _block(self, node: Node, cube: Term, environment: Term, how: str) -> bool:
        """Find an invariant I with I ⇒ ¬cube (OO, OOI), or a lemma for it (OOIL); True if something was learned."""
        predicate = node.predicate
        assumptions = self._assumptions(node)
        for candidate in self._candidates(node, cube, environment):
            used = self._inductive(node, candidate, assumptions)
            if used is None:
                self._hope(node, candidate)
                continue
            prefix = "OO" if how == "Over" else "UO"
            if not used:
                if self.over.refine(predicate.name, candidate, self._oracle):
                    self.trace.add(node.names, how, "Over", f"{prefix}I", partial(readable, predicate, candidate))
                    self._discharge(node)
                    return True
                continue
            if self._lemmas.add(Lemma(predicate.name, candidate, tuple(used))):
                self.trace.add(node.names, how, "Over", f"{prefix}IL", partial(readable, predicate, candidate, used))
                self._discharge(node)
                return True
        return False

    def _discharge(self, node: Node) -> None:
        """RL and EL: lemmas whose assumptions now follow become part of O."""
        for lemma in self._lemmas.discharge(self.over, self._oracle):
            predicate = self._system.predicate[lemma.predicate]
            if self.over.refine(lemma.predicate, lemma.fact, self._oracle):
                self.trace.add(node.names, "", "Over", "EL", partial(readable, predicate, lemma.fact))

    @staticmethod
    def _hope(node: Node, candidate: Term) -> None:
        """A descendant may assume what would discharge this node's subtask."""
        if not terms.is_false(candidate) and not any(terms.same(candidate, old) for old in node.hopes):
            node.hopes = [*node.hopes[-(MOST_HOPES - 1) :], candidate]

    def _assumptions(self, node: Node) -> list[tuple[str, Term]]:
        """What may be assumed of callees: that an ancestor's subtask is discharged, and facts of known lemmas."""
        if not self._options.ec_lemmas:
            return []
        callees = {c.predicate.name for r in self.tree.rules.by_predicate[node.predicate.name] for c in r.calls}
        found: dict[int, tuple[str, Term]] = {}
        for ancestor in node.ancestors():
            if ancestor.predicate.name in callees:
                wishes = [*(terms.negation(cube) for cube in reversed(ancestor.cubes)), *reversed(ancestor.hopes)]
                # What a derivable point refutes can never be discharged.
                for assumed in self._cubes.unrefuted(ancestor.predicate, wishes):
                    found.setdefault(assumed.get_id(), (ancestor.predicate.name, assumed))
        for lemma in self._lemmas.known:
            if lemma.predicate in callees:
                found.setdefault(lemma.fact.get_id(), (lemma.predicate, lemma.fact))
        return list(found.values())[: self._options.assumptions]

    def _inductive(
        self, node: Node, candidate: Term, assumptions: Sequence[tuple[str, Term]]
    ) -> list[tuple[str, Term]] | None:
        """Does every rule preserve the candidate? The assumptions that were needed, or None if it does not."""
        name = node.predicate.name
        needed: dict[int, tuple[str, Term]] = {}
        for rule in self.tree.rules.by_predicate[name]:
            background = [rule.constraint, terms.negation(candidate)]
            switches: list[Term] = []
            meaning: list[tuple[str, Term]] = []
            for call in rule.calls:
                background.append(self.over.at(call))
                if call.predicate.name == name:
                    background.append(terms.substitute(candidate, call.bind()))  # the induction hypothesis
                for assumed in assumptions:
                    if assumed[0] == call.predicate.name:
                        switches.append(terms.substitute(assumed[1], call.bind()))
                        meaning.append(assumed)
            if isinstance(self._oracle.check(*background, kind="OOI"), Unsat):
                continue
            if not switches:
                return None
            core = self._oracle.core(background, switches, kind="OOIL")
            if core is None:
                return None
            for index in core:
                needed[meaning[index][1].get_id()] = meaning[index]
        return list(needed.values())

    def _learn_body(self, node: Node) -> bool:
        """Appendix B.3: the projection of the over-approximated body, while it is small; once for each node."""
        if not self._options.bodies or node.chosen > 1:
            return False
        learned = self._bodies.learn(node.predicate)
        if learned is None:
            return False
        self.trace.add(node.names, "", "Over", "body", partial(readable, node.predicate, learned))
        return True

    def _renew_bodies(self, node: Node) -> None:
        """What callees have learned, procedures without recursion say too, without being visited."""
        if self._options.bodies:
            for name, learned in self._bodies.renew():
                fact = partial(readable, self._system.predicate[name], learned)
                self.trace.add(node.names, "", "Over", "body", fact)


def _call_depths(system: HornSystem) -> dict[str, int]:
    """The distance of each predicate from the queries in the call graph."""
    depths: dict[str, int] = {}
    level = [a.predicate.name for query in system.queries for a in query.body]
    depth = 0
    while level:
        fresh = [name for name in dict.fromkeys(level) if name not in depths]
        depths.update(dict.fromkeys(fresh, depth))
        level = [callee for name in fresh for callee in system.call_graph.callees[name]]
        depth += 1
    return depths
