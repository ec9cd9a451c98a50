"""The engine: the search, and what its end means for the clauses."""

from __future__ import annotations

from sorrel.engines.engine import Circumstances
from sorrel.engines.whale.executions import derivation_of
from sorrel.engines.whale.function import procedures
from sorrel.engines.whale.interpolants import Way
from sorrel.engines.whale.options import WhaleOptions
from sorrel.engines.whale.plan import PLAN
from sorrel.engines.whale.refinement import OutOfTimeError, StuckError
from sorrel.engines.whale.search import Search
from sorrel.guess.houdini import Houdini
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.model.errors import UsageError
from sorrel.model.explanation import Explanation
from sorrel.model.outcome import Cause, Reason
from sorrel.smt.solver import Oracle


class Whale:
    def __init__(self, options: WhaleOptions) -> None:
        self._options = options
        self._ways = _ways(options.methods)
        if options.expand not in ("all", "path"):
            raise UsageError(f"expand is all or path, not {options.expand!r}")

    def unsupported(self, system: HornSystem) -> str:
        return ""

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        clock = PLAN.kept_back.reserved(run.clock)
        oracle = Oracle(
            clock,
            run.statistics,
            query_seconds=PLAN.question,
            seed=run.seed,
            measure_sizes=False,
        )
        search = Search(procedures(system, seeds), run, self._options, self._ways, oracle)
        try:
            return self._searched(system, search, run, seeds)
        finally:
            run.statistics.counts.update(ARGs=len(search.graph.args), refinements=search.refinement.count)

    def _searched(self, system: HornSystem, search: Search, run: Circumstances, seeds: Summaries) -> Verdict:
        try:
            execution = search.run()
        except OutOfTimeError:
            return _unknown(system, search, run, seeds, Reason(Cause.TIME, f"time ran out: {_note(search)}"))
        except StuckError as stuck:
            cause = Cause.TIME if search.is_late else Cause.INCOMPLETE
            return _unknown(system, search, run, seeds, Reason(cause, f"{stuck}: {_note(search)}"))
        if execution is not None:
            return Unsafe(derivation_of(execution), (_note(search),), _explanation(search))
        return Safe(_summaries(system, search, seeds), (_note(search),), _explanation(search))


def _note(search: Search) -> str:
    return f"{len(search.graph.args)} ARGs, {search.refinement.count} refinements"


def _explanation(search: Search) -> Explanation:
    return Explanation(tuple(search.narration.deductions))


def _summaries(system: HornSystem, search: Search, seeds: Summaries) -> Summaries:
    """Hoare's rule for mutual recursion: what the uncovered contracts say of a function, all at once."""
    claims = {p.name: [seeds.get(p.name, terms.TRUE)] for p in system.predicates}
    for contract in search.graph.uncovered():
        if contract is not search.graph.root:
            claims[contract.arg.function.name].append(contract.claim)
    return {name: terms.conjunction(found) for name, found in claims.items()}


def _unknown(system: HornSystem, search: Search, run: Circumstances, seeds: Summaries, reason: Reason) -> Unknown:
    return Unknown(reason, _facts(system, search, run, seeds), (_note(search),), _explanation(search))


def _facts(system: HornSystem, search: Search, run: Circumstances, seeds: Summaries) -> Summaries:
    """The contracts that are inductive together: true of everything derivable, whoever asks."""
    candidates: dict[str, list[terms.Term]] = {p.name: [] for p in system.predicates}
    for arg in search.graph.args[1:]:
        candidates[arg.function.name] += [contract.claim for contract in arg.contracts]
    if not any(candidates.values()):
        return seeds
    inductive = HornSystem(system.predicates, tuple(clause for clause in system.clauses if clause.head))
    # Half of what is left: the facts must still be lifted and checked.
    oracle = Oracle(PLAN.facts.of(run.clock), run.statistics, query_seconds=PLAN.facts_question, seed=run.seed)
    found = Houdini(inductive, candidates, oracle, seeds).run()
    return {name: terms.conjunction([*kept, seeds.get(name, terms.TRUE)]) for name, kept in found.items()}


def _ways(words: str) -> tuple[Way, ...]:
    try:
        return tuple(Way(word) for word in words.split("+"))
    except ValueError:
        known = ", ".join(Way)
        raise UsageError(f"methods are joined by + and taken from {known}; {words!r} is not such a list") from None
