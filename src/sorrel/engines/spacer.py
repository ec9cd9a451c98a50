"""Z3's Spacer as the reference engine, with evidence for each of its answers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import islice, product

from sorrel.engines.engine import Circumstances
from sorrel.engines.options import SpacerOptions, UnwindOptions
from sorrel.engines.prepared import TOO_WEAK, joined, solve_prepared, strengthened
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Derivation, Safe, Step, Summaries, Unknown, Unsafe, Verdict
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, assignment_from, evaluate, value_in
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.outcome import Cause, Reason
from sorrel.smt import fixedpoint
from sorrel.smt.fixedpoint import Fact
from sorrel.smt.recursion_free import is_solution
from sorrel.smt.solver import Oracle, Sat
from sorrel.transform.simplify import simplify

MOST_ASSIGNMENTS = 64
"""How many ways to match the premises of a fact with the calls of a clause are tried."""


class Spacer:
    """Spacer answers; a solution comes from its model, a derivation is rebuilt from the facts of its proof."""

    def __init__(self, options: SpacerOptions) -> None:
        self._options = options

    def unsupported(self, system: HornSystem) -> str:
        return ""

    @cached_property
    def _settings(self) -> fixedpoint.Settings:
        """What differs from z3's defaults, by z3's names."""
        options = self._options
        wanted: dict[str, tuple[bool | int, bool | int]] = {
            "spacer.global": (options.guidance, False),
            "spacer.restarts": (options.restarts, False),
            "spacer.arith.solver": (options.arithmetic, 2),
            "spacer.ground_pobs": (options.ground, True),
            "spacer.use_euf_gen": (options.equalities, False),
            "xform.inline_linear": (options.inlining, True),
            "xform.inline_eager": (options.inlining, True),
        }
        return {name: value for name, (value, default) in wanted.items() if value != default}

    def solve(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        def search(prepared: HornSystem, exact: bool) -> Verdict:
            return self._solve(prepared, run, {}, derive=exact)

        if self._options.lemmas:
            return self._telling(system, run, seeds)
        passes = self._options.passes
        found = solve_prepared(system, passes, run, seeds, run.later(), search) if passes else None
        return found if found is not None else self._solve(system, run, seeds)

    def _solve(self, system: HornSystem, run: Circumstances, seeds: Summaries, *, derive: bool = True) -> Verdict:
        seeded = strengthened(system, seeds)
        run.progress({"phase": "spacer"})
        match fixedpoint.solve(seeded, run.oracle(), settings=self._settings):
            case fixedpoint.Solved(summaries):
                return self._settle(system, seeded, summaries, seeds, run.later())
            case fixedpoint.Refuted():
                return self._derive(system, run.later(), run) if derive else Unknown(TOO_WEAK)
            case fixedpoint.Undetermined(reason):
                return Unknown(_reason(reason))

    def _telling(self, system: HornSystem, run: Circumstances, seeds: Summaries) -> Verdict:
        """On the simplified clauses that others prove facts about: what is inductive when time is over is for them."""
        run.progress({"phase": "spacer"})
        simpler = simplify(strengthened(system, seeds))
        match fixedpoint.refute(simpler.system, run.oracle(), settings=self._settings):
            case fixedpoint.Solved(summaries):
                found = simpler.lift(Safe(summaries), run.later())
                return replace(found, summaries=joined(found.summaries, seeds)) if isinstance(found, Safe) else found
            case fixedpoint.Refuted(facts):
                derivation = rebuild(simpler.system, facts, run.later())
                return Unsafe(simpler.derivation(derivation)) if derivation else self._derive(system, run.later(), run)
            case fixedpoint.Undetermined(reason, lemmas):
                if not all(map(terms.is_true, lemmas.values())):
                    run.exchange.tell(simpler.system, lemmas)
                return Unknown(_reason(reason))

    def _settle(
        self, system: HornSystem, seeded: HornSystem, summaries: Summaries, seeds: Summaries, oracle: Oracle
    ) -> Verdict:
        """z3's preprocessing sometimes returns a model that is not a solution: then ask without it."""
        found = joined(summaries, seeds)
        if is_solution(system, found, oracle):
            return Safe(found)
        match fixedpoint.refute(seeded, oracle, settings=self._settings):
            case fixedpoint.Solved(again) if is_solution(system, joined(again, seeds), oracle):
                return Safe(joined(again, seeds))
        return Unknown(Reason(Cause.UNCONFIRMED, "Spacer says safe, but its model is not a solution"))

    def _derive(self, system: HornSystem, oracle: Oracle, run: Circumstances) -> Verdict:
        """Spacer's answer is unsafe: search again for a proof that names the facts, then fill in the values.

        That search must not transform the clauses itself, so it gets a system that we have simplified. If it
        does not find a proof we can use, facts are derived forward: that a counterexample exists is known.
        """
        run.progress({"phase": "derivation"})
        simpler = simplify(system)
        seconds = oracle.clock.remaining() * self._options.refute_share
        match fixedpoint.refute(simpler.system, oracle, seconds=seconds, settings=self._settings):
            case fixedpoint.Refuted(facts):
                derivation = rebuild(simpler.system, facts, oracle)
                if derivation is not None:
                    return Unsafe(simpler.derivation(derivation))
        from sorrel.engines.unwind import Unwind  # seldom needed

        match Unwind(UnwindOptions()).solve(simpler.system, replace(run, clock=oracle.clock), {}):
            case Unsafe(derivation):
                return Unsafe(simpler.derivation(derivation))
        return Unknown(Reason(Cause.UNCONFIRMED, "Spacer says unsafe, but no derivation could be built"))


def _reason(message: str) -> Reason:
    lowered = message.lower()
    if any(word in lowered for word in ("timeout", "canceled", "time limit", "resource limit")):
        return Reason(Cause.TIME, "Spacer did not finish in time")
    if "memory" in lowered:
        return Reason(Cause.MEMORY, "Spacer ran out of memory")
    first, *_ = message.splitlines() or [""]  # it goes on with clauses in a syntax of its own
    return Reason(Cause.INCOMPLETE, f"Spacer gave up: {first.removesuffix(' in <null>:')}")


def rebuild(system: HornSystem, facts: tuple[Fact, ...], oracle: Oracle) -> Derivation | None:
    """A ground derivation from facts that only say what follows from what: find each clause and its values."""
    if not facts or facts[-1].predicate is not None:
        facts = (*facts, Fact(None, (), ()))  # a query without calls leaves no trace in a proof
    builder = _Builder(system, facts, oracle)
    return Derivation(tuple(builder.steps)) if all(map(builder.add, facts)) else None


class _Builder:
    """Steps for facts, premises first. A proof may leave out premises that hold trivially: these are added."""

    def __init__(self, system: HornSystem, facts: Sequence[Fact], oracle: Oracle) -> None:
        self.steps: list[Step] = []
        self._system = system
        self._facts = facts
        self._oracle = oracle
        self._place: list[int] = []  # the step of each fact
        self._points: list[tuple[Term, ...]] = []  # the conclusion of each step

    def add(self, fact: Fact) -> bool:
        """Append a step that concludes the fact; False if none was found."""
        candidates = self._system.queries if fact.predicate is None else self._system.defining[fact.predicate.name]
        for clause in candidates:
            for premises in self._assignments(clause, fact):
                if self._try(clause, fact, premises):
                    self._place.append(len(self.steps) - 1)
                    return True
        return False

    def _assignments(self, clause: Clause, fact: Fact) -> Iterator[tuple[int | Clause, ...]]:
        """For each call the step of a premise, each premise used; calls left over take a clause without calls."""
        options: list[list[int | Clause]] = []
        for atom in clause.body:
            name = atom.predicate.name
            own = dict.fromkeys(self._place[p] for p in fact.premises if _name(self._facts[p]) == name)
            trivial = [c for c in self._system.defining[name] if not c.body]
            options.append([*own, *trivial])
        needed = {self._place[p] for p in fact.premises}
        usable = (choice for choice in product(*options) if needed <= {c for c in choice if isinstance(c, int)})
        yield from islice(usable, MOST_ASSIGNMENTS)

    def _try(self, clause: Clause, fact: Fact, premises: tuple[int | Clause, ...]) -> bool:
        """Solve for values such that the calls are these premises and the head is the fact."""
        parts = [clause.constraint]
        names = Names(v.decl().name() for v in clause.variables)
        trivial: dict[int, tuple[Clause, list[tuple[Term, Term]]]] = {}
        for index, (atom, premise) in enumerate(zip(clause.body, premises, strict=True)):
            if isinstance(premise, int):
                conclusion = self._points[premise]
            else:
                instance, renaming = premise.rename_apart(names)
                trivial[index] = (premise, renaming)
                parts.append(instance.constraint)
                conclusion = instance.head.arguments if instance.head else ()
            parts += [terms.equal(a, v) for a, v in zip(atom.arguments, conclusion, strict=True)]
        if clause.head:
            given = zip(clause.head.arguments, fact.arguments, strict=True)
            # An argument that Spacer left open may have any value that fits.
            parts += [terms.equal(argument, value) for argument, value in given if terms.is_value(value)]
        match self._oracle.check(*parts, kind="rebuild"):
            case Sat(model):
                self._append(clause, premises, trivial, model)
                return True
        return False

    def _append(
        self,
        clause: Clause,
        premises: tuple[int | Clause, ...],
        trivial: dict[int, tuple[Clause, list[tuple[Term, Term]]]],
        model: Model,
    ) -> None:
        places = list(premises)
        for index, (unit, renaming) in trivial.items():
            places[index] = self._conclude(unit, {own: value_in(model, fresh) for own, fresh in renaming}, ())
        numbers = tuple(place for place in places if isinstance(place, int))
        self._conclude(clause, assignment_from(model, clause.variables), numbers)

    def _conclude(self, clause: Clause, values: dict[Term, Term], premises: tuple[int, ...]) -> int:
        self.steps.append(Step(clause.name, values, premises))
        arguments = clause.head.arguments if clause.head else ()
        self._points.append(tuple(evaluate(argument, values) for argument in arguments))
        return len(self.steps) - 1


def _name(fact: Fact) -> str:
    return fact.predicate.name if fact.predicate else ""
