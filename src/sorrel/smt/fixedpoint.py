"""Z3's Spacer as a question about a Horn system: summaries, or the facts of a refutation."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import field
from typing import Any, TypeAlias

import z3

from sorrel.horn.clause import Predicate
from sorrel.horn.system import HornSystem
from sorrel.horn.text import read_certificate, write_system
from sorrel.horn.verdict import Safe, Summaries
from sorrel.logic import terms
from sorrel.logic.terms import Term
from sorrel.model.budget import LONGEST
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.model.work import METER, QUESTION
from sorrel.smt import questions, units
from sorrel.smt.parameters import restored
from sorrel.smt.solver import Oracle
from sorrel.smt.units import Counter

Settings: TypeAlias = Mapping[str, bool | int]
"""Parameters of z3's fixed-point engines by their names without `fp`, as in `spacer.global`."""
DEFAULTS: Settings = {}

FORGET_BUILT_IN_SORTS = "(reset)"
"""z3 starts with a datatype List of its own, which a file's would clash with."""

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


@dataclass(frozen=True, slots=True, eq=False)
class Undetermined:
    """`lemmas` are what Spacer had proved inductive by then (its lemmas at the infinite level), as far as it tells."""

    reason: str
    lemmas: Summaries = field(default_factory=dict)


Answer: TypeAlias = Solved | Refuted | Undetermined


def solve(system: HornSystem, oracle: Oracle, *, seconds: float | None = None, settings: Settings = DEFAULTS) -> Answer:
    """Does the system have a solution? With z3's own preprocessing, whose models cover every predicate.

    The question goes as text to a fresh z3, as its command line would ask it: the same clauses through the
    programming interface took 20 times as long on some systems, and orders inside a clause matter too.
    """
    allowed = oracle.clock.allowed(LONGEST if seconds is None else seconds)
    if allowed <= 0:
        return Undetermined("time limit reached")
    context = z3.Context()
    _evaluate(context, FORGET_BUILT_IN_SORTS)
    chosen = {f"fp.{name}": value for name, value in settings.items()}
    chosen |= {**units.limits(allowed, oracle.clock), "smt.random_seed": oracle.seed}
    options = "".join(f"(set-option :{name} {str(value).lower()})" for name, value in chosen.items())
    clauses = f"(set-logic HORN)\n{system.script}\n(check-sat)\n" if system.script else write_system(system)
    counter = Counter(context)
    with oracle.statistics.timed("spacer") as tally:
        with restored(chosen):
            answer = _evaluate(context, options + clauses)
        METER.add(QUESTION)
        counter.charge()
        questions.note_text("spacer", clauses, answer.split())
        if answer.startswith("unsat"):
            return Refuted()
        if not answer.startswith("sat"):
            tally.undecided += 1
            return Undetermined(_why(context) if answer.startswith("unknown") else answer)
        return _read_model(system, _evaluate(context, "(get-model)"))


def _evaluate(context: z3.Context, script: str) -> str:
    try:
        return str(z3.Z3_eval_smtlib2_string(context.ref(), script))
    except z3.Z3Exception as problem:
        return _message(problem)


def _why(context: z3.Context) -> str:
    return _evaluate(context, "(get-info :reason-unknown)").strip().removeprefix("(:reason-unknown").strip(' ")')


def _read_model(system: HornSystem, text: str) -> Answer:
    """The model's relations over our formals; a predicate that the model leaves out may be anything: true."""
    if "".join(text.split()) == "()":
        return Solved({p.name: terms.TRUE for p in system.predicates})
    try:
        found = read_certificate(system, text, "<model>")
    except InputError as problem:
        return Undetermined(f"the model cannot be read: {problem}")
    if not isinstance(found, Safe):
        return Undetermined("the model cannot be read")
    return Solved({p.name: found.summaries.get(p.name, terms.TRUE) for p in system.predicates})


def refute(
    system: HornSystem, oracle: Oracle, *, seconds: float | None = None, settings: Settings = DEFAULTS
) -> Answer:
    """Search with Spacer on the clauses exactly as they are, for the facts of a refutation."""
    fixedpoint = z3.Fixedpoint()
    fixedpoint.set(engine="spacer", **{**settings, **_NO_TRANSFORMATIONS})
    goal = z3.Function("sorrel!goal", z3.BoolSort())
    fixedpoint.register_relation(goal, *(p.declaration for p in system.predicates))
    for clause in system.clauses:
        premise = terms.conjunction([*(a.term for a in clause.body), clause.constraint])
        rule = terms.implication(premise, clause.head.term if clause.head else goal())
        fixedpoint.add_rule(terms.forall(clause.variables, rule), name=clause.name)
    allowed = oracle.clock.allowed(LONGEST if seconds is None else seconds)
    if allowed <= 0:
        return Undetermined("time limit reached")
    fixedpoint.set(**units.limits(allowed, oracle.clock))
    with oracle.statistics.timed("spacer") as tally, _counted(system):
        try:
            answer = fixedpoint.query(goal())
            if answer == z3.sat:
                return Refuted(_facts(fixedpoint.get_answer(), system))
            if answer == z3.unsat:
                return Solved(_covers(fixedpoint, system))
            reason = fixedpoint.reason_unknown()
        except z3.Z3Exception as problem:
            reason = _message(problem)
        tally.undecided += 1
        return Undetermined(reason, _lemmas(fixedpoint, system))


def _covers(fixedpoint: z3.Fixedpoint, system: HornSystem) -> Summaries:
    """What holds of each predicate at every level."""
    return {
        p.name: z3.substitute_vars(fixedpoint.get_cover_delta(-1, p.declaration), *p.formals) for p in system.predicates
    }


def _lemmas(fixedpoint: z3.Fixedpoint, system: HornSystem) -> Summaries:
    try:
        return _covers(fixedpoint, system)
    except z3.Z3Exception:  # a search that had not begun has none
        return {}


@contextmanager
def _counted(system: HornSystem) -> Iterator[None]:
    """What is done in the context of all terms."""
    own = units.counter()
    yield
    METER.add(QUESTION)
    own.charge()
    questions.note_lines("spacer.facts", system.clauses)


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
