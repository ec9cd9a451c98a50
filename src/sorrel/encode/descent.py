"""Termination as Horn clauses: the rule of well-founded descent on a program whose loops are procedures.

Without loops, each activation of a procedure makes finitely many calls, so a run that does not end has calls that nest
forever, each made after those before it have returned (Cook, Podelski, Rybalchenko, Summarization for termination: no
return!, FMSD 2009). The clauses say what procedures return (their summaries), with which inputs they are entered
(`reached`), and how the inputs of nested calls follow each other within a group of procedures that call each other
(`descent`, closed under composition). If every such relation is disjunctively well-founded, the program terminates.
"""

from __future__ import annotations

from collections.abc import Container, Mapping
from copy import copy

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.body import Body
from sorrel.encode.clauses import Clauses
from sorrel.encode.points import Meaning, Moment, Point
from sorrel.encode.state import State
from sorrel.encode.survey import Survey, survey
from sorrel.horn.clause import Argument, Atom, Clause, Predicate, Role, WellFounded
from sorrel.horn.system import CallGraph, HornSystem
from sorrel.logic import operations, terms
from sorrel.logic.names import Names
from sorrel.logic.printing_smtlib import FUNCTION_NAMES
from sorrel.logic.terms import Term
from sorrel.model.errors import Span
from sorrel.model.values import dataclass
from sorrel.program.expression import Variable
from sorrel.program.graph import called
from sorrel.program.program import Procedure, Program
from sorrel.program.recursion import LoopOrigin, loops_as_procedures
from sorrel.program.statement import Call

REACHED = "reached "
"""Begins the names of predicates about the inputs with which procedures are entered."""


@dataclass(frozen=True, slots=True, eq=False)
class Group:
    """Procedures that call each other, and the relation between the inputs of their calls.

    A place of the relation is that of one input of one procedure; with several procedures, one more for each says by 1
    or 0 whether it is the one that is entered. `inputs` names, for each place, the procedure and the variable;
    `variables` are these variables.
    """

    procedures: tuple[str, ...]
    relation: Predicate
    inputs: tuple[tuple[str, str], ...]
    variables: tuple[Variable | None, ...]
    obligation: WellFounded


@dataclass(frozen=True, slots=True, eq=False)
class Descent:
    """`loops` tells which procedures were loops of the program; `reached` names the predicates about entries."""

    loops: Mapping[str, LoopOrigin]
    system: HornSystem
    groups: tuple[Group, ...]
    reached: frozenset[str]


def descent(program: Program, arithmetic: Arithmetic) -> Descent:
    """Of a program without assertions; raises if it jumps into loops."""
    recursive, loops = loops_as_procedures(program)
    known = survey(recursive, arithmetic)
    making = _Making(known)
    for name, point in known.functions.items():
        making.clauses.points[point.predicate.name] = point
        _DescentBody(known, recursive.procedure[name], point, making).run()
    _DescentBody(known, recursive.procedure[recursive.main], None, making).run()
    predicates = (
        *(point.predicate for point in making.clauses.points.values()),
        *making.reached.values(),
        *(group.relation for group in making.groups),
    )
    obligations = tuple(group.obligation for group in making.groups)
    system = HornSystem(predicates, tuple(making.clauses.clauses), obligations)
    reached = frozenset(predicate.name for predicate in making.reached.values())
    return Descent(loops, system, tuple(making.groups), reached)


class Descents:
    """The descent of one group at a time, of a program without loops and assertions, from any state whatsoever."""

    def __init__(self, program: Program, arithmetic: Arithmetic) -> None:
        self._survey = survey(program, arithmetic)
        self._making = _Making(self._survey)

    @property
    def groups(self) -> tuple[Group, ...]:
        return tuple(self._making.groups)

    def system(self, group: Group, looked_into: Container[str] = ()) -> HornSystem:
        """The steps of the group. Of what other procedures return nothing is known unless they are looked into."""
        making = copy(self._making)
        making.clauses = Clauses()
        for name in self._survey.functions:
            if name in group.procedures:
                _DescentBody(*self._known(name, making), making).run()
            elif name in looked_into:
                Body(*self._known(name, making), making.clauses).run()
        entered = [making.reached[name] for name in group.procedures]
        points = [point.predicate for point in making.clauses.points.values()]
        own = {each.name: each for each in (*points, *entered, group.relation)}
        clauses = [each for each in making.clauses.clauses if each.head and each.head.predicate.name in own]
        called = {atom.predicate.name: atom.predicate for clause in clauses for atom in clause.body}
        unknown = [predicate for name, predicate in called.items() if name not in own]
        clauses += [Clause(f"any {p.name}", p(*p.formals), (), terms.TRUE) for p in (*entered, *unknown)]
        return HornSystem((*unknown, *own.values()), tuple(clauses), (group.obligation,))

    def _known(self, name: str, making: _Making) -> tuple[Survey, Procedure, Point]:
        point = making.clauses.points[self._survey.functions[name].predicate.name] = self._survey.functions[name]
        return self._survey, self._survey.program.procedure[name], point


class _Making:
    """The predicates that termination needs, and the clauses so far."""

    def __init__(self, known: Survey) -> None:
        self.clauses = Clauses()
        self.reached = {name: self._reached(point) for name, point in known.functions.items()}
        self.groups = [
            self._group(known, group, number) for number, group in enumerate(_recursive_groups(known.program))
        ]
        self.group = {name: group for group in self.groups for name in group.procedures}

    @staticmethod
    def _reached(point: Point) -> Predicate:
        name = f"{REACHED}{point.predicate.name}"
        chosen = [a for a, m in zip(point.predicate.arguments, point.meanings, strict=True) if _is_input(m)]
        return Predicate(name, tuple(chosen))

    def _group(self, known: Survey, procedures: tuple[str, ...], number: int) -> Group:
        inputs: list[tuple[str, str]] = []
        variables: list[Variable | None] = []
        arguments: list[Argument] = []
        names = Names(reserved=FUNCTION_NAMES)
        for procedure in procedures:
            if len(procedures) > 1:
                inputs.append((procedure, ""))
                variables.append(None)
                arguments.append(Argument(names.fresh(f"in {procedure}"), terms.INT, base=procedure))
            meanings = [meaning for meaning in known.functions[procedure].meanings if _is_input(meaning)]
            for argument, meaning in zip(self.reached[procedure].arguments, meanings, strict=True):
                if not terms.is_array(argument.formal):
                    variables.append(meaning.variable)
                    inputs.append((procedure, argument.base or argument.name))
                    wish = argument.name if len(procedures) == 1 else f"{procedure} {argument.name}"
                    sort = terms.INT if terms.is_boolean(argument.formal) else argument.sort
                    arguments.append(Argument(names.fresh(wish), sort, Role.INPUT, base=argument.base))
        after = [Argument(names.fresh(f"{a.name}'"), a.sort, Role.OUTPUT, base=a.base) for a in arguments]
        relation = Predicate(f"descent {number} of {procedures[0]}", (*arguments, *after))
        before_terms, after_terms = (tuple(a.formal for a in part) for part in (arguments, after))
        obligation = WellFounded(
            f"calls of {', '.join(procedures)}",
            before_terms,
            after_terms,
            (Atom(relation, (*before_terms, *after_terms)),),
            known.program.procedure[procedures[0]].span,
        )
        return Group(procedures, relation, tuple(inputs), tuple(variables), obligation)

    def place(self, procedure: str, given: tuple[Term, ...]) -> tuple[Term, ...]:
        """The inputs of a procedure as one half of its group's relation."""
        group = self.group[procedure]
        own = [a for a, d in zip(given, self.reached[procedure].formals, strict=True) if not terms.is_array(d)]
        waiting = iter(own)
        half = group.relation.arguments[: len(group.inputs)]
        found: list[Term] = []
        for (owner, variable), argument in zip(group.inputs, half, strict=True):
            if not variable:
                found.append(terms.integer(1 if owner == procedure else 0))
            elif owner != procedure:
                found.append(terms.default_value(argument.sort))
            else:
                value = next(waiting)
                if terms.is_boolean(value):
                    value = operations.ite(value, terms.integer(1), terms.integer(0))
                found.append(value)
        return tuple(found)


class _DescentBody(Body):
    """Notes, at each call, with which inputs it is made."""

    def __init__(self, known: Survey, procedure: Procedure, point: Point | None, making: _Making) -> None:
        super().__init__(known, procedure, point, making.clauses)
        self._making = making

    def _call(self, state: State, call: Call) -> None:
        callee = self._survey.functions[call.procedure]
        here = state.fork()
        values = self._arguments(here, call, callee)
        given = tuple(
            here.values[m.variable.name] if m.is_global else values[m.variable.name]
            for m in callee.meanings
            if _is_input(m) and m.variable
        )
        self._note(here, call, given)
        super()._call(state, call)

    def _note(self, state: State, call: Call, given: tuple[Term, ...]) -> None:
        making = self._making
        own: tuple[Term, ...] = ()
        if self._point:
            own = tuple(self._inputs[m.variable.name] for m in self._point.meanings if _is_input(m) and m.variable)
            state.calls = (Atom(making.reached[self._procedure.name], own), *state.calls)
        self._add(Atom(making.reached[call.procedure], given), state, call.span)
        group = making.group.get(call.procedure)
        if self._point is None or group is None or self._procedure.name not in group.procedures:
            return
        before, after = making.place(self._procedure.name, own), making.place(call.procedure, given)
        self._add(Atom(group.relation, (*before, *after)), state, call.span)
        self._close(state, group, before, after, call.span)

    def _close(self, state: State, group: Group, before: tuple[Term, ...], after: tuple[Term, ...], span: Span) -> None:
        half = group.relation.arguments[: len(group.inputs)]
        earlier = tuple(self._region.names.variable(f"{a.name} earlier", a.sort) for a in half)
        state.calls = (Atom(group.relation, (*earlier, *before)), *state.calls)
        self._add(Atom(group.relation, (*earlier, *after)), state, span)


def _is_input(meaning: Meaning) -> bool:
    return meaning.moment is Moment.ENTRY


def _recursive_groups(program: Program) -> list[tuple[str, ...]]:
    """Groups of procedures that a run can enter and that can call themselves, callees first."""
    graph = CallGraph({name: program.procedure[name].callees for name in called(program)})
    return [group for group in graph.components if any(name in graph.recursive for name in group)]
