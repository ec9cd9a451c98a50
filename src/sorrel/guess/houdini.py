"""The largest inductive part of a set of candidates (Flanagan and Leino's Houdini, on Horn clauses)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field

from sorrel.guess.bench import Bench, Benches, atoms, session_of
from sorrel.guess.fixpoint import settle, with_reasons
from sorrel.guess.plan import PLAN
from sorrel.horn.clause import Atom, Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms, walk
from sorrel.logic.evaluate import value_in
from sorrel.logic.terms import Term
from sorrel.model.budget import Clock
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Result, Sat, Unsat

ANY_INDEX: Term = terms.variable("any!index", terms.INT)
"""The index at which a claim about all elements of an array is denied."""

MOST_INSTANCES = 16
MOST_SOLVERS = 200

Candidates = Mapping[str, Sequence[Term]]
"""For each predicate, by name, formulas over its formals; the only quantifier is one ∀ over integers in front."""


@dataclass(frozen=True, slots=True, eq=False)
class _Sheet:
    """The candidates of one predicate, each under a switch and denied under another, as one formula for the solver."""

    switches: list[Term]
    denials: list[Term]
    hypotheses: Term  # switch ⇒ candidate, for all of them
    refutations: Term  # denial ⇒ ¬candidate, for all of them


@dataclass
class _Sheets(Bench):
    """One clause in a solver, with the sheets of its calls and of its head."""

    callees: list[str] = field(default_factory=list)
    claims: list[Term] = field(default_factory=list)  # the head's candidates at the head


class Houdini:
    """Candidates of each predicate, thinned out until what is left is inductive together with `known`."""

    def __init__(
        self,
        system: HornSystem,
        candidates: Candidates,
        oracle: Oracle,
        known: Summaries,
        patience: Clock | None = None,
    ) -> None:
        """`patience`: until when to thin, where the survivors are asked about later, by the oracle's own clock."""
        self._system = system
        self._oracle = oracle
        self._patience = patience or oracle.clock
        self._known = known
        self._candidates = {p.name: list(candidates.get(p.name, ())) for p in system.predicates}
        self._active = {name: set(range(len(found))) for name, found in self._candidates.items()}
        self._indices: dict[str, list[Term]] = {}
        self._sheets = {p.name: self._sheet(p.name) for p in system.predicates}
        # The oldest solvers make room, so that memory does not grow with the system.
        self._benches = Benches(self._set_up, MOST_SOLVERS)

    def run(self) -> dict[str, list[Term]]:
        """The largest inductive subset; what cannot be decided is dropped."""
        # Callees first: what they lose, their callers need not be asked about.
        order = (name for group in self._system.call_graph.components for name in group)
        clauses = (c for name in order for c in self._system.defining[name])
        if not settle(clauses, self._visit, self._patience):
            self._active = {name: set() for name in self._active}
        return self.survivors()

    def _visit(self, clause: Clause) -> list[Clause]:
        if clause.head and self._thin(self._benches.of(clause)):
            return [c for c in self._system.using[clause.head.predicate.name] if c.head]
        return []

    def survivors(self) -> dict[str, list[Term]]:
        return {name: [self._candidates[name][i] for i in sorted(kept)] for name, kept in self._active.items()}

    def support(self, queries: Iterable[Clause] | None = None) -> dict[str, list[Term]] | None:
        """A part of the survivors that is inductive by itself and settles every query; None if they do not.

        The queries are those of the system, if no others are given.
        """
        work: list[tuple[str, int]] = []
        for query in self._system.queries if queries is None else queries:
            used = self._used(self._benches.of(query))
            if used is None:
                return None
            work += used
        return self._closure(work)

    def part(self, most: int) -> dict[str, list[Term]]:
        """The first survivors of each predicate, and what they need to be inductive; all, if that is not decided."""
        first = [(name, i) for name, kept in self._active.items() for i in sorted(kept)[:most]]
        return self._closure(first) or self.survivors()

    def _closure(self, wanted: Iterable[tuple[str, int]]) -> dict[str, list[Term]] | None:
        """These survivors and all that their proofs use."""
        needed = with_reasons(wanted, self._proofs, together=lambda part: part[0])
        if needed is None:
            return None
        return {
            name: [self._candidates[name][i] for i in sorted(kept) if (name, i) in needed]
            for name, kept in self._active.items()
        }

    def _proofs(self, part: tuple[str, int]) -> Iterator[list[tuple[str, int]] | None]:
        name, index = part
        return (self._used(self._benches.of(clause), index) for clause in self._system.defining[name])

    def relied_on(self, clause: Clause) -> list[tuple[str, int]] | None:
        """Which candidates at its calls make the clause valid, as predicates and indices; None if not known."""
        bench = self._benches.of(clause)
        if clause.head is None:
            return self._used(bench)
        found: list[tuple[str, int]] = []
        for index in range(len(self._candidates[clause.head.predicate.name])):
            used = self._used(bench, index)
            if used is None:
                return None
            found += used
        return found

    def _sheet(self, name: str) -> _Sheet:
        candidates = self._candidates[name]
        switches = [terms.variable(f"on!{name}!{i}", terms.BOOL) for i in range(len(candidates))]
        denials = [terms.variable(f"deny!{i}", terms.BOOL) for i in range(len(candidates))]
        claims = [_opened(candidate) for candidate in candidates]
        return _Sheet(
            switches,
            denials,
            terms.joined([terms.implication(s, c) for s, c in zip(switches, candidates, strict=True)]),
            terms.joined([terms.implication(d, terms.negation(c)) for d, c in zip(denials, claims, strict=True)]),
        )

    def _set_up(self, clause: Clause) -> _Sheets:
        callees = list(dict.fromkeys(atom.predicate.name for atom in clause.body))
        session = session_of(clause, self._oracle, self._known, "houdini")
        session.add(*(self._at_call(clause, atom) for atom in clause.body))
        if clause.head:
            name = clause.head.predicate.name
            session.add(terms.substitute(self._sheets[name].refutations, clause.head.bind()))
        return _Sheets(clause, session, callees=callees)

    def _at_call(self, clause: Clause, atom: Atom) -> Term:
        """The callee's candidates at the call, instantiated where they speak of every index."""
        sheet, candidates = self._sheets[atom.predicate.name], self._candidates[atom.predicate.name]
        if not any(map(terms.is_forall, candidates)):
            return terms.substitute(sheet.hypotheses, atom.bind())
        return terms.joined(
            [
                terms.implication(switch, instance)
                for switch, hypothesis in zip(
                    sheet.switches, terms.substitute_all(candidates, atom.bind()), strict=True
                )
                for instance in self._instances(clause, hypothesis)
            ]
        )

    def _instances(self, clause: Clause, hypothesis: Term) -> list[Term]:
        """What is used of a hypothesis: itself, or its instances at the indices that occur and the one denied.

        Fewer instances prove less, never something wrong.
        """
        if not terms.is_forall(hypothesis):
            return [hypothesis]
        return [terms.open_quantifier(hypothesis, [index]) for index in self._indices_of(clause)]

    def _indices_of(self, clause: Clause) -> list[Term]:
        """Integer terms at which the clause reads or writes arrays, and its integer arguments."""
        if clause.name not in self._indices:
            arguments = [argument for atom in atoms(clause) for argument in atom.arguments]
            reads = [t for part in (clause.constraint, *arguments) for t in walk.array_indices(part)]
            integers = [t for t in (ANY_INDEX, *reads, *arguments) if terms.is_integer(t)]
            self._indices[clause.name] = list({t.get_id(): t for t in integers}.values())[:MOST_INSTANCES]
        return self._indices[clause.name]

    def _switched_on(self, bench: _Sheets) -> list[Term]:
        return [self._sheets[name].switches[i] for name in bench.callees for i in sorted(self._active[name])]

    def _thin(self, bench: _Sheets) -> bool:
        """Drop the head's candidates that this clause does not preserve; was any dropped?"""
        if bench.clause.head is None:
            return False
        active = self._active[bench.clause.head.predicate.name]
        dropped = False
        while active:
            result = self._denied(bench, active)
            if isinstance(result, Unsat):
                break
            dropped = True
            false = self._false(bench, active, result) if isinstance(result, Sat) else set()
            active.difference_update(false or self._not_proved(bench, active))
        return dropped

    def _denied(self, bench: _Sheets, group: Iterable[int], seconds: float | None = None) -> Result:
        """Can one of these candidates of the head be false where the active ones hold at the calls?"""
        denials = self._head(bench).denials
        some = terms.disjunction(denials[i] for i in sorted(group))
        return bench.session.check_with([some], self._switched_on(bench), seconds)

    def _head(self, bench: _Sheets) -> _Sheet:
        if bench.clause.head is None:
            raise InternalError("a query has no candidates to thin out")
        return self._sheets[bench.clause.head.predicate.name]

    def _false(self, bench: _Sheets, group: Iterable[int], result: Sat) -> set[int]:
        """Which candidates of the head the model refutes."""
        head = bench.clause.head
        if head and not bench.claims:
            claims = [_opened(candidate) for candidate in self._candidates[head.predicate.name]]
            bench.claims = terms.substitute_all(claims, head.bind())
        return {i for i in group if terms.is_false(value_in(result.model, bench.claims[i]))}

    def _not_proved(self, bench: _Sheets, active: set[int]) -> set[int]:
        """Half by half, where the solver could not decide them together; all of them if time runs out."""
        failed: set[int] = set()
        groups = [sorted(active)]
        while groups:
            if self._patience.expired():
                return set(active)
            group = groups.pop()
            match self._denied(bench, group, PLAN.group):
                case Unsat():
                    continue
                case Sat() as result:
                    false = self._false(bench, group, result) or set(group)
                    failed |= false
                    rest = [i for i in group if i not in false]
                    groups += [rest] if rest else []
                case _ if len(group) == 1:
                    failed.update(group)
                case _:
                    middle = len(group) // 2
                    groups += [group[:middle], group[middle:]]
        # Undecided together but proved apart: whoever asks again would get no answer again.
        return failed or set(active)

    def _used(self, bench: _Sheets, head: int | None = None) -> list[tuple[str, int]] | None:
        """Which survivors at the calls prove the clause, for one candidate of the head or for a query."""
        asked = [self._head(bench).denials[head]] if head is not None else []
        bench.session.minimize_cores()
        match bench.session.check([*self._switched_on(bench), *asked]):
            case Unsat(core):
                names = {terms.name(literal) for literal in core}
                return [
                    (name, i)
                    for name in bench.callees
                    for i in sorted(self._active[name])
                    if terms.name(self._sheets[name].switches[i]) in names
                ]
        return None


def _opened(candidate: Term) -> Term:
    """A claim about all indices at the index where it would be denied."""
    return terms.open_quantifier(candidate, [ANY_INDEX]) if terms.is_forall(candidate) else candidate
