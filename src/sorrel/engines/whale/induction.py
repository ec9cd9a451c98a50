"""Is a claim about a function inductive: does it hold at the exit of every path if it holds of the recursive calls?"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sorrel.engines.whale.conditions import looked_through
from sorrel.engines.whale.function import Function, Path
from sorrel.engines.whale.graph import InterproceduralGraph
from sorrel.engines.whale.plan import PLAN
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle, Session, Unsat


class Induction:
    """Keeps a solver for each path, with its transparent calls looked through."""

    def __init__(self, graph: InterproceduralGraph, oracle: Oracle) -> None:
        self._graph = graph
        self._oracle = oracle
        self._sessions: dict[str, Session] = {}

    def is_inductive(self, function: Function, claim: Term, known: Mapping[str, Sequence[Term]]) -> bool:
        """`known` are claims about functions by name, which may be assumed of all calls."""
        return all(self._holds(function, path, claim, known) for path in function.paths)

    def _holds(self, function: Function, path: Path, claim: Term, known: Mapping[str, Sequence[Term]]) -> bool:
        session = self._session(path)
        session.push()
        session.add(terms.negation(path.at_exit(claim)))
        for call in path.calls:
            name = call.predicate.name
            assumed = [*known.get(name, ()), *([claim] if name == function.name else [])]
            session.add(*(terms.substitute(each, call.bind()) for each in assumed))
        answer = session.check(seconds=PLAN.inductive)
        session.pop()
        return isinstance(answer, Unsat)

    def _session(self, path: Path) -> Session:
        if path.name not in self._sessions:
            session = self._oracle.session("whale.induction")
            session.add(path.constraint, *looked_through(path, self._graph.transparent_args(path)))
            self._sessions[path.name] = session
        return self._sessions[path.name]
