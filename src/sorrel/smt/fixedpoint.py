"""Z3's Spacer as a question about a Horn system: summaries, or the facts of a refutation."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeAlias

import z3

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.smt.solver import Oracle

# Off, so that a proof speaks of the clauses that went in, and interpolants are not existential bodies.
_NO_TRANSFORMATIONS: Mapping[str, Any] = {
    "xform.slice": False,
    "xform.inline_linear": False,
    "xform.inline_eager": False,
}


@dataclass(frozen=True, slots=True, eq=False)
class Solved:
    """The clauses have this solution, as far as the solver says."""

    summaries: Summaries


@dataclass(frozen=True, slots=True, eq=False)
class Fact:
    """A node of Spacer's refutation: a fact and the facts it was derived from (indices of earlier nodes)."""

    predicate: Predicate | None  # None: the query
    arguments: tuple[Term, ...]
    premises: tuple[int, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Refuted:
    """A query is derivable; `facts` are the nodes of the proof, premises first, or nothing if none were asked for."""

    facts: tuple[Fact, ...] = ()


@dataclass(frozen=True, slots=True)
class Undetermined:
    reason: str


Answer: TypeAlias = Solved | Refuted | Undetermined


def solve(
    system: HornSystem, oracle: Oracle, *, seconds: float | None = None, parameters: Mapping[str, Any] | None = None
) -> Answer:
    """Does the system have a solution? With z3's own preprocessing, whose models cover every predicate."""
    solver = z3.SolverFor("HORN")
    for name, value in (parameters or {}).items():
        solver.set(name if name in _PLAIN else f"fp.{name}", value)
    for clause in system.clauses:
        solver.add(terms.forall(clause.variables, clause.formula))
    allowed = oracle.clock.remaining(seconds if seconds is not None else 1e6)
    if allowed <= 0:
        return Undetermined("time limit reached")
    solver.set("timeout", max(1, int(allowed * 1000)))
    with oracle.statistics.timed("spacer") as tally:
        try:
            answer = solver.check()
        except z3.Z3Exception as problem:
            tally.undecided += 1
            return Undetermined(_message(problem))
        if answer == z3.unsat:
            return Refuted()
        if answer == z3.unknown:
            tally.undecided += 1
            return Undetermined(solver.reason_unknown())
        return Solved(_interpretation(solver.model(), system))


_PLAIN = frozenset({"timeout", "rlimit"})


def _interpretation(model: z3.ModelRef, system: HornSystem) -> Summaries:
    """The model's relations over our formals; a predicate that the model leaves out may be anything: true."""
    by_name = {declaration.name(): declaration for declaration in model.decls()}
    found: dict[str, Term] = {}
    for predicate in system.predicates:
        declaration = by_name.get(predicate.name)
        if declaration is None:
            found[predicate.name] = terms.TRUE
            continue
        value = model[declaration]
        if predicate.arguments and isinstance(value, z3.FuncInterp):
            found[predicate.name] = _function(value, predicate)
        else:
            found[predicate.name] = value
    return found


def _function(value: z3.FuncInterp, predicate: Predicate) -> Term:
    body = z3.substitute_vars(value.else_value(), *predicate.formals)
    for index in range(value.num_entries()):
        entry = value.entry(index)
        point = [f == entry.arg_value(i) for i, f in enumerate(predicate.formals)]
        body = z3.If(z3.And(point), entry.value(), body)
    return body


def refute(system: HornSystem, oracle: Oracle, *, seconds: float | None = None) -> Answer:
    """Search with Spacer on the clauses exactly as they are, for the facts of a refutation."""
    fixedpoint = z3.Fixedpoint()
    fixedpoint.set(engine="spacer", **{name: value for name, value in _NO_TRANSFORMATIONS.items()})
    goal = z3.Function("sorrel!goal", z3.BoolSort())
    fixedpoint.register_relation(goal, *(p.declaration for p in system.predicates))
    for clause in system.clauses:
        premise = terms.conjunction([*(a.term for a in clause.body), clause.constraint])
        rule = terms.implication(premise, clause.head.term if clause.head else goal())
        fixedpoint.add_rule(terms.forall(clause.variables, rule), name=clause.name)
    allowed = oracle.clock.remaining(seconds if seconds is not None else 1e6)
    if allowed <= 0:
        return Undetermined("time limit reached")
    fixedpoint.set("timeout", max(1, int(allowed * 1000)))
    with oracle.statistics.timed("spacer") as tally:
        try:
            answer = fixedpoint.query(goal())
            if answer == z3.sat:
                return Refuted(_facts(fixedpoint.get_answer(), system))
            if answer == z3.unsat:
                covers = {
                    p.name: z3.substitute_vars(fixedpoint.get_cover_delta(-1, p.declaration), *p.formals)
                    for p in system.predicates
                }
                return Solved(covers)
        except z3.Z3Exception as problem:
            tally.undecided += 1
            return Undetermined(_message(problem))
        tally.undecided += 1
        return Undetermined(fixedpoint.reason_unknown())


def _facts(proof: Term, system: HornSystem) -> tuple[Fact, ...]:
    """The hyper-resolution steps of the proof, premises first, each conclusion once."""
    facts: list[Fact] = []
    index_of: dict[int, int] = {}  # proof node id -> index; `proof` keeps the nodes alive
    stack: list[tuple[Term, bool]] = [(proof, False)]
    while stack:
        node, expanded = stack.pop()
        identity = node.get_id()
        if identity in index_of:
            continue
        premises = [child for child in node.children() if _is_step(child)]
        if not expanded:
            stack.append((node, True))
            stack.extend((premise, False) for premise in premises)
            continue
        conclusion = node.children()[-1] if node.num_args() else node
        name = conclusion.decl().name() if z3.is_app(conclusion) else ""
        if _is_step(node) and name in system.predicate:
            indices = tuple(index_of[p.get_id()] for p in premises)
            index_of[identity] = len(facts)
            facts.append(Fact(system.predicate[name], tuple(conclusion.children()), indices))
        elif premises and name == "sorrel!goal":
            index_of[identity] = len(facts)
            facts.append(Fact(None, (), tuple(index_of[p.get_id()] for p in premises)))
            return tuple(facts)
        else:
            index_of[identity] = index_of[premises[0].get_id()] if premises else -1
    return tuple(facts)


def _is_step(node: Term) -> bool:
    return bool(z3.is_app_of(node, z3.Z3_OP_PR_HYPER_RESOLVE))


def _message(problem: z3.Z3Exception) -> str:
    value = problem.value if hasattr(problem, "value") else problem
    return value.decode(errors="replace") if isinstance(value, bytes) else str(value)
