"""Contracts about information flow, in words: on which inputs each output of a function depends."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode
from sorrel.encode.points import Meaning, Moment, Place, Point
from sorrel.engines.flower.engine import shapes
from sorrel.engines.flower.grammar import plain_shape_of
from sorrel.engines.flower.product import Pair, Tagging, products_of
from sorrel.evidence.door import InductiveFacts, accept
from sorrel.evidence.effort import Effort
from sorrel.guess.lattice import Implication, LatticeHoudini
from sorrel.horn.clause import Role
from sorrel.logic import terms
from sorrel.methods.relational.plan import PLAN
from sorrel.model.assumption import AssumptionKind
from sorrel.model.outcome import Answer, Assumption, ContractKind, Outcome, ProgramContract
from sorrel.program.checks import may_overflow
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.relate.observing import only
from sorrel.relate.product import product
from sorrel.smt.nonlinear import without_nonlinear
from sorrel.smt.solver import Oracle


def dependences(program: Program, effort: Effort) -> Outcome:
    """For each function and loop what its results depend on, over unbounded integers; proved for pairs of runs."""
    plain = only(program)
    pair = product(plain)
    encoding = encode(pair.program, Arithmetic.IDEAL, pair.copies)
    system = encoding.system
    effort.sizes.update(system=system.statistics())
    oracle = Oracle(PLAN.dependences.of(effort.clock), effort.statistics, query_seconds=PLAN.dependences_question)
    products = products_of(system, oracle)
    houdini = LatticeHoudini(without_nonlinear(system), shapes(system, products, plain_shape_of), oracle, {})
    effort.progress({"phase": "dependences"})
    found = houdini.run()
    facts = {name: terms.conjunction(formulas) for name, formulas in houdini.facts().items()}
    outcome = accept(InductiveFacts(system, facts), effort)
    if outcome.answer is not Answer.SAFE:
        return outcome
    flat, origins = loops_as_procedures(plain)
    overflow = [Assumption.that(AssumptionKind.OVERFLOW)] if may_overflow(plain) else []
    told = [
        _contract(encoding.points[name], products[name], found[name], flat.procedure, origins)
        for name in encoding.points
        if name in products and encoding.points[name].place is Place.FUNCTION
    ]
    return replace(
        outcome,
        program_contracts=tuple(sorted(told, key=lambda c: (c.span.file, c.span.line, c.span.column))),
        arithmetic=str(Arithmetic.IDEAL),
        assumptions=(*map(Assumption.of, program.assumptions), *overflow),
    )


def _contract(
    point: Point,
    arguments: Tagging,
    proved: Sequence[Implication],
    procedures: Mapping[str, Procedure],
    origins: Mapping[str, LoopOrigin],
) -> ProgramContract:
    procedure = procedures[point.procedure]
    names = _names(point, procedure)
    sentences = [
        _sentence(number, output, arguments, proved, names)
        for number, output in enumerate(arguments.outputs)
        if (output.name, output.role) in names
    ]
    origin = origins.get(procedure.name)
    owner, kind = (origin.procedure, ContractKind.LOOP) if origin else (procedure.name, ContractKind.FUNCTION)
    return ProgramContract(owner, kind, procedure.span, tuple(sentences))


def _sentence(
    number: int,
    output: Pair,
    arguments: Tagging,
    proved: Sequence[Implication],
    names: Mapping[tuple[str, Role], str],
) -> str:
    """With the fewest inputs that were proved to be enough; the consequents of a shape begin with the outputs."""
    name = names[output.name, output.role]
    sets = [implication.antecedents for implication in proved if implication.consequent == number]
    if not sets:
        return f"{name} may depend on more than the inputs: nothing was proved about it"
    fewest = min(sets, key=lambda each: (len(each), sorted(each)))
    inputs = [arguments.inputs[each] for each in sorted(fewest)]
    shown = [names.get((each.name, each.role), each.name) for each in inputs]
    return f"{name} depends only on {', '.join(shown)}" if shown else f"{name} depends on no input"


def _names(point: Point, procedure: Procedure) -> Mapping[tuple[str, Role], str]:
    """What the user calls the arguments, by base name and role; those that have no name are left out."""
    changed = {_base(meaning) for meaning in point.meanings if meaning.moment is Moment.EXIT}
    found: dict[tuple[str, Role], str] = {}
    for meaning, argument in zip(point.meanings, point.predicate.arguments, strict=True):
        base = argument.base or argument.name
        text = procedure.source_names.get(base, "" if "." in base else base)
        if not text or argument.role not in (Role.INPUT, Role.OUTPUT):
            continue
        old = argument.role is Role.INPUT and _base(meaning) in changed
        found[base, argument.role] = f"\\old({text})" if old else text
    return found


def _base(meaning: Meaning) -> str:
    return meaning.variable.name if meaning.variable else ""
