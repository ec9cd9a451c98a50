"""C files to a program: the whole path on one page."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from sorrel.assumption import AssumptionKind
from sorrel.errors import InternalError, UsageError
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.entry import ENTRY, EntryReader, make_inputs, unread_pointers
from sorrel.frontends.c.globals import GlobalReader
from sorrel.frontends.c.layout import Layout
from sorrel.frontends.c.lifetimes import outlived
from sorrel.frontends.c.linking import Linked, Linker
from sorrel.frontends.c.naming import assign_names
from sorrel.frontends.c.objects import Object, ObjectKind, collect
from sorrel.frontends.c.parser import Parser
from sorrel.frontends.c.procedures import ProcedureReader
from sorrel.frontends.c.records import unify_records
from sorrel.frontends.c.recursion import mark_several
from sorrel.frontends.c.references import find_references, make_referents
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.scoping import scopes
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.types import has_pointers
from sorrel.program.expression import Expression
from sorrel.program.program import Procedure, Program
from sorrel.source import Source

_DEPTH = 200_000  # of nested syntax; Python's own stack is on the heap


def read(sources: Sequence[Source], settings: CSettings) -> Program:
    """The program that the files make together, from the settings' function on."""
    if not sources:
        raise UsageError("there is no C file to read")
    with _deep_recursion(), _no_collection(), Parser(settings) as parser:
        parser.parse(sources)
        linked = Linker(parser).link(settings.function)
        unify_records(parser.records)
        return _translate(linked, settings, parser.has_volatile)


def _translate(linked: Linked, settings: CSettings, volatile: bool) -> Program:
    entry = linked.entry
    if entry is None:
        raise InternalError("linking gave no entry")
    objects = collect(linked)
    references = find_references(linked, objects, entry.name)
    make_referents(objects, references, linked)
    assign_names(linked, objects)
    points_to = PointsTo(linked, objects, references)
    from_outside = settings.function != "main"
    dropped = frozenset() if from_outside else unread_pointers(entry)
    inputs = make_inputs(linked, objects, points_to, entry) if from_outside else {}
    points_to.solve()
    recursive = mark_several(linked, objects, points_to, entry.name)
    layout = Layout(objects, points_to)
    functions = {function.name: function for function in linked.reached}
    translation = Translation(settings, linked, objects, references, points_to, layout, functions)
    if volatile:
        translation.assume(AssumptionKind.VOLATILE, "Volatile variables are changed by the program only.")
    for object in outlived(linked, objects, points_to):
        name = object.source_name or "what is made here"
        translation.assume(AssumptionKind.LIFETIME, f"{object.span}: {name} is not used after it has ended.")
    procedures = _procedures(translation, {entry.name: dropped})
    starts = _starts(translation, from_outside)
    starts.start_literals()
    initial, prologue = starts.result()
    main = entry.name
    if inputs:
        told = f"Pointers that {entry.source_name} is called with point to different objects."
        translation.assume(AssumptionKind.ENTRY, told)
    if from_outside:
        procedures.append(EntryReader(translation, entry, inputs).read(prologue))
        main = ENTRY
    elif prologue:
        if entry.name in recursive:
            raise InternalError("main calls itself and memory has to be set up before it starts")
        again = ProcedureReader(translation, entry, dropped).read(prologue)
        procedures = [again if procedure.name == entry.name else procedure for procedure in procedures]
    return _program(translation, procedures, initial, main)


def _procedures(translation: Translation, dropped: dict[str, frozenset[int]]) -> list[Procedure]:
    found = []
    for function in translation.linked.reached:
        if function.body is None:
            continue
        found.append(ProcedureReader(translation, function, dropped.get(function.name, frozenset())).read())
    return found


def _starts(translation: Translation, from_outside: bool) -> GlobalReader:
    """Verifying a function for all inputs, its globals may have any value that their initialiser does not fix."""
    starts = GlobalReader(translation)
    objects = translation.objects
    for variable in translation.linked.reached_variables:
        object = objects.of_symbol[variable.declaration.symbol]
        known = variable.declaration.defined and not (from_outside and _is_plain(object))
        if not variable.declaration.defined:
            translation.assume(AssumptionKind.QUESTION, _undefined(variable.source_name))
        starts.start(object, None if from_outside and _is_plain(object) else variable.initializer, known)
    for function in translation.linked.reached:
        for object in objects.locals[function.name]:
            node = object.node
            if object.kind is not ObjectKind.GLOBAL or node is None:
                continue
            if not node.static:
                translation.assume(AssumptionKind.QUESTION, _undefined(object.source_name))
            starts.start(object, node.initializer, node.static)
    return starts


def _undefined(name: str) -> str:
    return f"{name}, which no file defines, starts with any value."


def _is_plain(object: Object) -> bool:
    return not has_pointers(object.type)


def _program(
    translation: Translation, procedures: list[Procedure], initial: dict[str, Expression], main: str
) -> Program:
    shared = translation.layout.globals
    values = {name: value for name, value in initial.items() if name in shared}
    names = {procedure.name for procedure in procedures}
    used = _used(procedures, main)
    if not used <= names:
        raise InternalError(f"procedures are called that were not read: {sorted(used - names)}")
    kept = tuple(_scoped(translation, procedure) for procedure in procedures if procedure.name in used)
    return Program(kept, tuple(shared.values()), values, main, tuple(translation.assumptions))


def _scoped(translation: Translation, procedure: Procedure) -> Procedure:
    """With the places where the user can say something; in a procedure of ours there are none."""
    function = translation.functions.get(procedure.name)
    return replace(procedure, scopes=scopes(translation, function) if function else {})


def _used(procedures: list[Procedure], main: str) -> set[str]:
    by_name = {procedure.name: procedure for procedure in procedures}
    used: set[str] = set()
    pending = [main]
    while pending:
        name = pending.pop()
        if name not in used:
            used.add(name)
            pending.extend(by_name[name].callees if name in by_name else ())
    return used


@contextmanager
def _no_collection() -> Iterator[None]:
    """Trees are built, not thrown away: looking for garbage among them takes a third of the time and finds nothing."""
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


@contextmanager
def _deep_recursion() -> Iterator[None]:
    before = sys.getrecursionlimit()
    sys.setrecursionlimit(max(before, _DEPTH))
    try:
        yield
    finally:
        sys.setrecursionlimit(before)
