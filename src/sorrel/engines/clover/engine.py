"""The engine: bounds of calls, forward facts, tables and the pool, then the rules, with forward facts in between."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

from sorrel.engines.clover.goal import Lemmas, Over, Trace
from sorrel.engines.clover.options import CloverOptions
from sorrel.engines.clover.plan import PLAN
from sorrel.engines.clover.search import Guesser, RuleSearch, Stuck
from sorrel.engines.clover.template_invariants import exact_facts, samples
from sorrel.engines.engine import Circumstances
from sorrel.engines.options import UnwindOptions
from sorrel.engines.prepared import TOO_WEAK, Search, solve_prepared
from sorrel.engines.unwind import ForwardSearch, GaveUp
from sorrel.guess.calls import contracts_of_calls
from sorrel.guess.pool import Candidates, Samples, pool
from sorrel.guess.roles import asks_for_values, has_ok, with_roles
from sorrel.guess.scans import has_arrays, scan
from sorrel.guess.shrinking import Shrinking, shrink
from sorrel.guess.tabulation import tabulate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.model.budget import Clock
from sorrel.model.explanation import Explanation, TreeNode
from sorrel.model.outcome import Cause, Reason
from sorrel.model.plan import Part
from sorrel.model.work import METER
from sorrel.smt.nonlinear import is_nonlinear, linear
from sorrel.smt.solver import Oracle
from sorrel.transform.equations import solve_for_locals

FIRST_BOUND, LAST_BOUND = 2, 10
WARM_UP_LEAST, WARM_UP_LEVELS = 3, 12
"""So many levels even of large systems, where one takes long: guesses are filtered by what they show."""
MOST_TABULATED = 200
SMALLER_LEVELS, SMALLER_FACTS = 60, 8


class Clover:
    """`guesser`, if given, is asked for summaries before the rules interpolate them."""

    def __init__(self, options: CloverOptions, guesser: Guesser | None = None) -> None:
        self._options = options
        self._guesser = guesser

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        if self._options.passes:
            prepared = solve_prepared(system, self._options.passes, run, seeds, run.oracle(), self._on_prepared(run))
            if prepared is not None:
                return prepared
        return self._solve(system, run, seeds)

    def _on_prepared(self, run: Circumstances) -> Search:
        def search(system: HornSystem, exact: bool) -> Verdict:
            verdict = self._solve(system, run, {})
            if isinstance(verdict, Unsafe) and not exact:
                return Unknown(TOO_WEAK)
            return verdict if isinstance(verdict, Unknown) else replace(verdict, by=f"{verdict.by} on prepared clauses")

        return search

    def _solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        bounded = self._bound_calls(system, run, seeds)
        if bounded is not None:
            return bounded
        scanned = self._scan(system, run, seeds)
        if scanned is not None:
            return scanned
        if is_nonlinear(system):
            seeds, verdict = self._solve_linear(linear(system), run, seeds)
            if isinstance(verdict, Safe):
                return verdict
        return _Attempt(system, run, self._options, seeds, self._guesser).verdict()

    def _bound_calls(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Safe | None:
        """Where something can fail, it often does not because callers see to it. Needs no facts, so it comes first."""
        if not self._options.calls or self._guesser is not None or not has_ok(system):
            return None
        run.progress({"phase": "calls"})
        clock = PLAN.calls.of(run.clock)
        oracle = Oracle(clock, run.statistics, query_seconds=PLAN.calls_question, seed=run.seed)
        found = contracts_of_calls(system, oracle, seeds if self._options.seeding else {})
        return (
            Safe(found, ("decided by bounds of calls",), by="bounds of calls of clover") if found is not None else None
        )

    def _scan(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Safe | None:
        """Loops over arrays, by runs of the clauses. Needs no facts either."""
        if not self._options.scans or self._guesser is not None or not has_arrays(system):
            return None
        run.progress({"phase": "scans"})
        oracle = Oracle(PLAN.scans.of(run.clock), run.statistics, query_seconds=PLAN.question, seed=run.seed)
        solved = system.with_clauses(map(solve_for_locals, system.clauses))
        found = scan(solved, oracle, seeds if self._options.seeding else {})
        return Safe(found, ("decided by scans",), by="scans of clover") if found is not None else None

    def _solve_linear(self, weaker: HornSystem, run: Circumstances, seeds: Summaries) -> tuple[Summaries, Verdict]:
        """What is proved of weaker clauses holds; a derivation of theirs need not be one, so the search goes on."""
        part = replace(run, clock=PLAN.linear.of(run.clock))
        verdict = _Attempt(weaker, part, self._options, seeds, self._guesser).verdict()
        if isinstance(verdict, Safe):
            return seeds, replace(verdict, notes=(*verdict.notes, "products as variables with linear bounds"))
        return verdict.facts if isinstance(verdict, Unknown) else seeds, verdict


class _Attempt:
    def __init__(
        self, system: HornSystem, run: Circumstances, options: CloverOptions, seeds: Summaries, guesser: Guesser | None
    ) -> None:
        self._system = system
        self._guesser = guesser
        self._run = run
        self._options = options
        self._over = Over(system, dict(seeds) if options.seeding else {})
        self._lemmas = Lemmas()
        self._trace = Trace(run.explain)
        self._tree: list[TreeNode] = []
        self._forward = ForwardSearch(system, run, UnwindOptions())
        self._forward_ended = not options.forward
        self._forward_seconds = 0.0
        self._forward_share = PLAN.forward
        self._rule_seconds = 0.0

    def verdict(self) -> Verdict:
        verdict = self._warm_up() or self._by_guesses() or self._apply_rules()
        return replace(verdict, explanation=Explanation(tuple(self._trace.deductions), tuple(self._tree)))

    # Forward

    def _advance(self) -> Verdict | None:
        started = METER.now()
        try:
            derivation = self._forward.advance()
        except GaveUp:
            self._forward_ended = True
            return None
        finally:
            self._forward_seconds += METER.now() - started
        if derivation is not None:
            return Unsafe(derivation, ("decided by forward search",), by="forward search of clover")
        if self._forward.complete:
            return Safe(
                self._forward.summaries(),
                ("decided by forward search: these are all facts",),
                by="forward search of clover",
            )
        self._run.progress({"level": self._forward.level, "facts": self._forward.facts.count})
        return None

    def _warm_up(self) -> Verdict | None:
        clock = PLAN.warm_up.of(self._run.clock)
        for _ in range(WARM_UP_LEVELS):
            enough = self._forward.level >= WARM_UP_LEAST and self._forward_seconds > PLAN.warm_up_enough
            if self._forward_ended or enough or clock.expired():
                return None
            verdict = self._advance()
            if verdict is not None:
                return verdict
        return None

    # Guesses

    def _by_guesses(self) -> Verdict | None:
        """Tables first where values decide: what can fail, and what queries ask of values. Templates say it shorter."""
        if not self._options.pool:
            return None
        points = samples(self._forward, self._oracle(PLAN.samples))
        functions = with_roles(self._system, points)
        of_values = asks_for_values(functions)
        if of_values:
            self._forward_share = PLAN.forward_of_values
        if has_ok(functions) or asks_for_values(functions, MOST_TABULATED):
            return self._tabulate(functions) or self._guess(points)
        # Values that are too large for tables are a matter of forward search.
        return self._guess(points) or (None if of_values else self._tabulate(functions))

    def _oracle(self, part: Part) -> Oracle:
        clock = part.of(self._run.clock)
        return Oracle(clock, self._run.statistics, query_seconds=PLAN.question, seed=self._run.seed)

    def _tabulate(self, system: HornSystem) -> Verdict | None:
        """Where callers restrict the inputs, a table of results may be all that is needed."""
        if not self._options.tables:
            return None
        self._run.progress({"phase": "tables"})
        found = tabulate(system, self._oracle(PLAN.tables), self._over.summaries())
        return Safe(found, ("decided by tables",), by="tables of clover") if found is not None else None

    def _guess(self, points: Samples) -> Verdict | None:
        self._run.progress({"phase": "pool"})
        most = PLAN.pool.seconds + PLAN.pool_each * len(self._system.predicates)
        clock = replace(PLAN.pool, seconds=most).of(self._run.clock)
        return self._harvest_of_smaller(clock) or self._harvest(clock, points, exact_facts(self._forward))

    def _harvest_of_smaller(self, clock: Clock) -> Verdict | None:
        """Where nothing is derived of some predicate, because large numbers lie before it: look with smaller ones."""
        if not has_arrays(self._system) or all(map(self._forward.known, self._system.predicate)):
            return None  # without arrays, rules and other engines do as well from the other end
        shrinking = shrink(self._system)
        if shrinking is None:
            return None
        own = PLAN.smaller.of(clock)
        run = replace(self._run, clock=PLAN.smaller_forward.of(own))
        forward = ForwardSearch(shrinking.system, run, UnwindOptions())
        with suppress(GaveUp):
            while not (forward.complete or forward.level >= SMALLER_LEVELS or self._reached(forward)):
                forward.advance()
        return self._harvest(own, samples(forward, self._oracle(PLAN.smaller)), None, shrinking)

    def _reached(self, forward: ForwardSearch) -> bool:
        """Are there enough facts about every predicate to judge guesses by?"""
        return all(len(forward.known(name)) >= SMALLER_FACTS for name in self._system.predicate)

    def _harvest(
        self, clock: Clock, points: Samples, exact: Candidates | None, shrinking: Shrinking | None = None
    ) -> Verdict | None:
        oracle = Oracle(clock, self._run.statistics, query_seconds=PLAN.question, seed=self._run.seed)
        harvest = pool(self._system, points, oracle, self._over.summaries(), exact, shrinking)
        if harvest.solution is not None:
            return Safe(harvest.solution, ("decided by the pool",), by="pool of clover")
        adopted = [self._over.adopt(name, facts, oracle) for name, facts in harvest.facts.items()]
        if any(adopted):
            self._run.exchange.tell(self._system, self._over.summaries())
        return None

    # Rules

    def _apply_rules(self) -> Verdict:
        bounds = [self._options.bound] if self._options.bound else list(range(FIRST_BOUND, LAST_BOUND + 1))
        stuck = ""
        for bound in bounds:
            search = RuleSearch(
                self._system,
                self._over,
                self._lemmas,
                self._forward,
                self._run,
                self._options,
                bound,
                self._trace,
                self._guesser,
            )
            verdict = self._search(search, bound)
            self._tree = [
                TreeNode(n.number, n.parent.number if n.parent else None, n.predicate.name, n.chosen)
                for n in search.tree.nodes
            ]
            if isinstance(verdict, Safe | Unsafe):
                return verdict
            stuck = verdict
            if self._run.clock.expired():
                break
        while not self._forward_ended and not self._run.clock.expired():
            found = self._advance()
            if found is not None:
                return found
        cause = Cause.TIME if self._run.clock.expired() else Cause.INCOMPLETE
        return Unknown(Reason(cause, stuck or "nothing was left to try"), self._over.summaries())

    def _search(self, search: RuleSearch, bound: int) -> Safe | Unsafe | str:
        """Steps of the rules, forward levels in between; the reason if it ends without an answer."""
        if search.safe():
            return Safe(self._over.summaries(), ("decided by the rules",), by="rules of clover")
        versions = dict(self._over.version)
        while not self._run.clock.expired():
            started = METER.now()
            try:
                derivation = search.step()
            except Stuck as stop:
                at = " → ".join(stop.node.names) if stop.node else "the queries"
                return f"stuck at bound {bound}, at {at}"
            except GaveUp as stop:
                return str(stop.reason)
            self._rule_seconds += METER.now() - started
            if derivation is not None:
                return Unsafe(derivation, ("decided by the rules",), by="rules of clover")
            if versions != self._over.version:
                versions = dict(self._over.version)
                if search.safe():
                    return Safe(self._over.summaries(), ("decided by the rules",), by="rules of clover")
            self._run.progress({"bound": bound, "nodes": len(search.tree.nodes), "lemmas": len(self._lemmas.known)})
            while not self._forward_ended and self._forward_seconds < self._forward_share * self._rule_seconds:
                found = self._advance()
                if isinstance(found, Safe | Unsafe):
                    return found
        return f"time ran out at bound {bound} with {len(search.tree.nodes)} nodes"
