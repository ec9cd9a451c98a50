"""What is known about a program before any clause is made: who matters to whom, and the predicates of procedures."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.bitvectors import BitVectors
from sorrel.encode.expressions import Evaluation
from sorrel.encode.floats import Floats, landmarks
from sorrel.encode.integers import Integers
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.points import Meaning, Moment, Place, Point, predicate_for
from sorrel.encode.region import writable
from sorrel.encode.relevance import Relevances, relevance
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.finite.overflow import Overflow
from sorrel.horn.clause import Argument, Predicate, Role
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import InputError
from sorrel.model.values import dataclass
from sorrel.program.constants import Known, Propagation, folded
from sorrel.program.effects import Effects, effects
from sorrel.program.expression import Apply, Constant, Variable
from sorrel.program.graph import called
from sorrel.program.program import Procedure, Program
from sorrel.program.relation import Relation
from sorrel.program.statement import Call, Statement
from sorrel.program.threads import has_threads
from sorrel.program.traversal import free_variables, subexpressions, substitute, written
from sorrel.program.types import Array
from sorrel.program.value import Value
from sorrel.relate.copies import CopyOf


@dataclass(frozen=True, slots=True, eq=False)
class Survey:
    """`functions` are the points of the procedures that are called, by name; `reserved` names no variable may have.

    `frozen` are globals that are never written and so always have their initial value; `initial_values` and
    `frozen_values` are those that are known as numbers. `partial_matters`: see `relevance`. `keeping` and `recalling`
    are the predicates of relations, by the procedures that add to them and take from them.
    """

    program: Program
    semantics: Semantics
    effects: Mapping[str, Effects]
    relevances: Relevances
    functions: Mapping[str, Point]
    frozen: Mapping[str, Term]
    initial_values: Known
    frozen_values: Known
    partial_matters: bool
    reserved: frozenset[str]
    copies: Mapping[str, CopyOf]
    keeping: Mapping[str, Predicate]
    recalling: Mapping[str, Predicate]

    def variables(self, procedure: Procedure) -> tuple[Variable, ...]:
        """All that the procedure can name, in a fixed order; a local hides no global, since names are unique."""
        return (*procedure.variables, *self.program.globals)

    def constants(self, procedure: Procedure, start: Known) -> Mapping[str, Mapping[str, Value]]:
        """By label and name, the values that do not depend on the way there: a bound that is set once before a loop
        needs no place in the loop's invariant."""
        found = Propagation(lambda variable: True, self._changed).at_blocks(procedure, start)
        return {label: {v.name: constant.value for v, constant in known.items()} for label, known in found.items()}

    def _changed(self, statement: Statement) -> tuple[Variable, ...]:
        outside = self.effects[statement.procedure].writes if isinstance(statement, Call) else ()
        return (*written(statement), *outside)


def survey(
    program: Program,
    arithmetic: Arithmetic,
    copies: Mapping[str, CopyOf] | None = None,
    *,
    alone: bool = False,
    relations: Sequence[Relation] = (),
) -> Survey:
    """`alone`: what a procedure's predicate speaks of does not depend on who calls it."""
    if has_threads(program):
        raise InputError("the program has threads, which are not followed here")
    semantics = semantics_for(program, arithmetic)
    found = effects(program)
    helpers = {each.name for relation in relations for each in (relation.keeping, relation.recalling)}
    reached = [name for name in called(program) if name not in helpers]
    callees = tuple(dict.fromkeys(c for name in reached for c in program.procedure[name].callees if c not in helpers))
    exact = arithmetic.is_partial
    known = relevance(program, found, callees, partial_matters=exact, alone=alone, relations=sorted(helpers))
    frozen = _frozen(program, semantics, {v.name for v in found[program.main].writes})
    names = Names(reserved=FUNCTION_NAMES)
    functions: dict[str, Point] = {}
    for name in callees:
        own = names.fresh(writable(name))
        may_fail = found[name].may_fail
        procedure = program.procedure[name]
        functions[name] = _function(program, semantics, own, procedure, known, frozen.keys(), copies or {}, may_fail)
    stored = {relation.name: _stored(relation, semantics, names) for relation in relations}
    predicates = (*(point.predicate for point in functions.values()), *stored.values())
    reserved = FUNCTION_NAMES | {predicate.name for predicate in predicates}
    initial = _initial_values(program)
    frozen_values = {variable: value for variable, value in initial.items() if variable.name in frozen}
    return Survey(
        program,
        semantics,
        found,
        known,
        functions,
        frozen,
        initial,
        frozen_values,
        exact,
        reserved,
        copies or {},
        {relation.keeping.name: stored[relation.name] for relation in relations},
        {relation.recalling.name: stored[relation.name] for relation in relations},
    )


def _stored(relation: Relation, semantics: Semantics, names: Names) -> Predicate:
    """What is true of every tuple of the relation."""
    own = Names(reserved=FUNCTION_NAMES)
    parts = [(each, Role.INPUT) for each in relation.keys] + [(each, Role.OUTPUT) for each in relation.values]
    arguments = [
        Argument(own.fresh(writable(each.name)), semantics.sort(each.type), role, None, each.name)
        for each, role in parts
    ]
    return Predicate(names.fresh(writable(relation.name)), tuple(arguments))


def semantics_for(program: Program, arithmetic: Arithmetic) -> Semantics:
    found = _semantics(program, arithmetic)
    found.floats = Floats(landmarks(program))
    return found


def _semantics(program: Program, arithmetic: Arithmetic) -> Semantics:
    match arithmetic:
        case Arithmetic.EXACT:
            return BitVectors(program)
        case Arithmetic.WRAPPED_BITS:
            return BitVectors(program, Overflow.WRAP)
        case Arithmetic.WRAPPED:
            return Integers(ranged=True, wrapping=True)
        case Arithmetic.IDEAL | Arithmetic.RANGED:
            return Integers(ranged=arithmetic is Arithmetic.RANGED)


def _frozen(program: Program, semantics: Semantics, written: Iterable[str]) -> Mapping[str, Term]:
    """Globals whose initial value is known and stays."""
    changing = set(written)
    values: dict[str, Term] = {}
    for variable in program.globals:
        initial = program.initial.get(variable.name)
        if initial is None or variable.name in changing:
            continue
        if any(isinstance(node, Apply) for node in subexpressions(initial)):
            continue
        if all(needed.name in values for needed in free_variables(initial)):
            scope = Scope(Names(), Knowledge())
            term = Evaluation(semantics, values, scope).run(initial)
            if not scope.abstractions and not scope.assumptions:
                values[variable.name] = term
    return values


def _initial_values(program: Program) -> Known:
    values: dict[Variable, Constant] = {}
    for variable in program.globals:
        initial = program.initial.get(variable.name)
        value = None if initial is None else folded(substitute(initial, values))
        if isinstance(value, Constant) and not isinstance(variable.type, Array):
            values[variable] = value
    return values


def _function(
    program: Program,
    semantics: Semantics,
    name: str,
    procedure: Procedure,
    known: Relevances,
    frozen: Container[str],
    copies: Mapping[str, CopyOf],
    may_fail: bool,
) -> Point:
    """The point of a called procedure: what matters at its entry, then what it returns and leaves behind."""
    before, after = known.called[procedure.name].entry, known.after[procedure.name]
    meanings = [
        *(Meaning(Moment.ENTRY, v) for v in procedure.parameters if v.name in before),
        *(
            Meaning(Moment.ENTRY, v, is_global=True)
            for v in program.globals
            if v.name in before and v.name not in frozen
        ),
        *(Meaning(Moment.EXIT, v) for v in procedure.outputs),
        *(Meaning(Moment.EXIT, v, is_global=True) for v in program.globals if v.name in after),
        *([Meaning(Moment.OK)] if may_fail else []),
    ]
    predicate = predicate_for(name, meanings, semantics, procedure, copies)
    return Point(predicate, Place.FUNCTION, procedure.name, procedure.entry, procedure.span, tuple(meanings))
