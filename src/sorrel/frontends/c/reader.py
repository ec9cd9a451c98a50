"""C files to a program: the whole path on one page."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import partial

from sorrel.frontends.c import syntax
from sorrel.frontends.c.beside import beside
from sorrel.frontends.c.context import Translation
from sorrel.frontends.c.elements import trusted
from sorrel.frontends.c.entry import EntryReader, any_of, command_line, started_by
from sorrel.frontends.c.errors import Unsupported
from sorrel.frontends.c.globals import GlobalReader
from sorrel.frontends.c.handing import handed_on
from sorrel.frontends.c.inputs import make_inputs
from sorrel.frontends.c.layout import Inexpressible, Layout
from sorrel.frontends.c.lifetimes import Outlived, outlived
from sorrel.frontends.c.linking import Linked, Linker
from sorrel.frontends.c.naming import assign_names
from sorrel.frontends.c.objects import Object, ObjectKind, Objects, collect
from sorrel.frontends.c.outline import Declared, outline_of, replaceable
from sorrel.frontends.c.parsing.parser import Parser
from sorrel.frontends.c.procedures import ProcedureReader
from sorrel.frontends.c.records import keep_as_declared, unify_records
from sorrel.frontends.c.recursion import executed, mark_several
from sorrel.frontends.c.references import NO_REFERENCES, find_references, make_referents
from sorrel.frontends.c.regions import PointsTo
from sorrel.frontends.c.scoping import Frames, ScopeReader, frames_of
from sorrel.frontends.c.sequencing import Conflicts, conflicts
from sorrel.frontends.c.settings import CSettings
from sorrel.frontends.c.tearing import refuse_floating_accesses, refuse_variables_of_each_thread
from sorrel.frontends.c.types import CType, Integer, Record, Void, bytewise
from sorrel.frontends.c.unions import keep_apart
from sorrel.frontends.c.visible import visible_globals, visible_locals
from sorrel.frontends.c.wording import Wording, beginnings, wordings
from sorrel.model.assumption import APART, AssumptionKind, Premise
from sorrel.model.components import reached
from sorrel.model.errors import InternalError, Span, UsageError
from sorrel.model.source import Source
from sorrel.program.creation import THREAD_BEGIN
from sorrel.program.expression import Expression
from sorrel.program.program import Procedure, Program
from sorrel.program.visible import VisibleVariable

_DEPTH = 200_000  # of nested syntax; Python's own stack is on the heap

MOST_PLACES = 5
"""So many are named in a sentence."""
MANY_FUNCTIONS = 150
"""From so many on it takes longer to look at all of them than to start a process that does."""


class Files:
    """Files that were parsed once, and that can be read as programs that start with any of their functions."""

    def __init__(self, parser: Parser) -> None:
        self._parser = parser
        self._trees: list[Translation] = []
        """Kept for as long as the files are, by whoever would rather not wait until all of them are given back."""

    def defines(self, name: str) -> bool:
        """Whether one of them has a function of this name that others can call."""
        pairs = ((unit, function) for unit in self._parser.units for function in unit.functions)
        return any(each.name == name and each.external and self._parser.has_body(unit, each) for unit, each in pairs)

    def prototype(self, name: str) -> tuple[str, str, tuple[tuple[str, str], ...]] | None:
        """Name, result and parameters of a function that others can call, if `long long` has room for all of them."""
        for unit in self._parser.units:
            for function in unit.functions:
                if function.name == name and function.external and self._parser.has_body(unit, function):
                    kinds = [each.type for each in function.parameters]
                    returns = not isinstance(function.result, Void)
                    if function.variadic or not all(map(_is_plain, [*kinds, *([function.result] if returns else [])])):
                        return None
                    parameters = tuple((str(each.type), each.name) for each in function.parameters)
                    return name, str(function.result) if returns else "", parameters
        return None

    def outline(self) -> tuple[Declared, ...]:
        """What they define."""
        return outline_of(self._parser)

    def replaceable(self) -> frozenset[str]:
        """Functions that may do something else in a program with more files."""
        return replaceable(self._parser)

    def wordings(self) -> dict[Span, Wording]:
        """How the functions with a body are worded, by where they stand."""
        return wordings(self._parser)

    def beginnings(self) -> dict[str, tuple[str, ...]]:
        """How initial values of variables are worded."""
        return beginnings(self._parser)

    def read(self, settings: CSettings) -> Program:
        """The program from the settings' function on; files and macros are those that were parsed."""
        program, translation = _read_from(self._parser, settings)
        self._trees.append(translation)
        return program


def _is_plain(type: CType) -> bool:
    """Whether it is an integer, all values of which are values of `long long`, under a name that C has for it."""
    known = isinstance(type, Integer) and type.spelling in _PLAIN
    return known and isinstance(type, Integer) and (type.machine.signed or type.machine.bits < 64)


_PLAIN = frozenset(
    ("signed char", "unsigned char", "short", "unsigned short", "int", "unsigned int", "long", "long long", "char")
)


@contextmanager
def opened(
    sources: Sequence[Source], settings: CSettings, meanwhile: Callable[[], None] | None = None
) -> Iterator[Files]:
    """The files, for as long as this is entered; `meanwhile` is done where this process would wait for the parser."""
    with _parsed(sources, settings, meanwhile) as parser:
        parser.read_ahead(MANY_FUNCTIONS)
        yield Files(parser)


@contextmanager
def _parsed(
    sources: Sequence[Source], settings: CSettings, meanwhile: Callable[[], None] | None = None
) -> Iterator[Parser]:
    if not sources:
        raise UsageError("there is no C file to read")
    with _deep_recursion(), _no_collection(), Parser(settings) as parser:
        parser.parse(sources, meanwhile)
        parser.parse_library(settings.library)
        yield parser


def read(sources: Sequence[Source], settings: CSettings) -> Program:
    """The program that the files make together, from the settings' function on."""
    return _read(sources, settings)[0]


def read_with_globals(sources: Sequence[Source], settings: CSettings) -> tuple[Program, tuple[VisibleVariable, ...]]:
    """The program, and where its runs keep the global variables."""
    program, translation = _read(sources, settings)
    return program, visible_globals(translation)


def read_each(sources: Sequence[Source], settings: CSettings) -> Iterator[tuple[str, Callable[[], Program]]]:
    """Each function that the files define themselves, and how to read it as what is verified; files are parsed once."""
    with _parsed(sources, settings) as parser:
        names = {source.name for source in sources}
        for unit in list(parser.units):
            for function in list(unit.functions):
                if function.span.file in names and parser.has_body(unit, function):
                    yield function.name, partial(_read_function, parser, replace(settings, function=function.name))


def _read_function(parser: Parser, settings: CSettings) -> Program:
    return _read_from(parser, settings)[0]


def _read(sources: Sequence[Source], settings: CSettings) -> tuple[Program, Translation]:
    with _parsed(sources, settings) as parser:
        return _read_from(parser, settings)


def _read_from(parser: Parser, settings: CSettings) -> tuple[Program, Translation]:
    linked = Linker(parser).link(*settings.starts)
    parser.stop_reading_ahead()
    unify_records(parser.records)
    return _expressed(linked, settings, parser)


def _expressed(linked: Linked, settings: CSettings, parser: Parser) -> tuple[Program, Translation]:
    """The program; structures become bytes, or are left open, if what it does with pointers into them needs that."""
    changed: list[Record] = []
    try:
        keep_apart(linked, settings, parser.records)
        while True:
            try:
                return _translate(linked, settings, parser.has_volatile, changed)
            except Inexpressible as problem:
                if not isinstance(problem.type, Record) or problem.type.representative.unmodelled:
                    raise InternalError(f"{problem.type}, {problem.reason}, is modelled") from problem
                record = problem.type.representative
                changed.append(record)
                if bytewise(record) and not record.as_bytes:
                    record.as_bytes = True
                else:
                    record.unmodelled = problem.reason
    finally:
        keep_as_declared(parser.records)


def _translate(
    linked: Linked, settings: CSettings, volatile: bool, changed: Sequence[Record]
) -> tuple[Program, Translation]:
    """`changed` are the structures that are not kept by their members."""
    for entry in linked.entries:
        if entry.body is None:
            told = f"starting with {entry.source_name}, whose name says what it does"
            raise Unsupported(told, entry.declaration.span)
    entry_names = frozenset(entry.name for entry in linked.entries)
    objects = collect(linked)
    threads = any(function.name == THREAD_BEGIN for function in linked.reached)
    if threads:
        refuse_variables_of_each_thread(linked)
    if threads and settings.races:
        refuse_floating_accesses(linked)
    # What is passed as a copy other threads would not see change.
    references = NO_REFERENCES if threads else find_references(linked, objects, entry_names)
    make_referents(objects, references, linked)
    assign_names(linked, objects)
    points_to = PointsTo(linked, objects, references, failing_allocation=settings.failing_allocation)
    from_outside = settings.is_from_outside
    lines = {} if from_outside else {entry.name: command_line(entry) for entry in linked.entries}
    dropped = {name: unread for name, (unread, _) in lines.items()}
    given = [objects.parameters[name][position] for name, (_, read) in lines.items() for position in sorted(read)]
    for parameter in given:
        points_to.leave_open(parameter, "the arguments of the command line")
    unsettled = _unsettled(linked, objects, from_outside)
    points_to.solve()
    parameters = [each for entry in linked.entries for each in objects.parameters[entry.name] if from_outside]
    parameters.extend(given)
    inputs = make_inputs(objects, points_to, parameters, unsettled, named=from_outside)
    points_to.mark_parts()
    made = executed(linked)
    leaving = outlived(linked, objects, points_to, made)
    recursive = mark_several(linked, objects, points_to, made, entry_names, leaving.followed, threads=threads)
    layout = Layout(objects, points_to)
    functions = {function.name: function for function in linked.reached}
    translation = Translation(settings, linked, objects, references, points_to, layout, functions, inputs)
    _watch(translation, leaving)
    for name, file in linked.given.items():
        translation.assume(AssumptionKind.LIBRARY, f"{name} behaves as {file} says.")
    for told in trusted(function.source_name for function in linked.reached if function.library):
        translation.assume(AssumptionKind.LIBRARY, told)
    for record in changed:
        if not record.unmodelled:
            told = "stay within the member that they were made from: the ends of whole objects are checked"
            translation.assume(AssumptionKind.OTHER, f"Pointers into members of {record} {told}.")
    if volatile:
        translation.assume(AssumptionKind.VOLATILE, "Volatile variables are changed by the program only.")
    if holders := points_to.byte_holders():
        told = "Pointers are copied as a whole, not as numbers or bytes, between objects that are used as several types"
        places = tuple(dict.fromkeys(cell.span for cell in holders))
        translation.assume(AssumptionKind.OTHER, f"{told}: {_listed(places)}.", places)
    place = len(translation.assumptions)
    many = len(linked.reached) >= MANY_FUNCTIONS

    def found_beside() -> tuple[Conflicts, Frames]:
        return conflicts(linked, objects, points_to), frames_of(linked, objects)

    with beside(found_beside, worthwhile=many) as found:
        for object in leaving.otherwise:
            name = object.source_name or "what is made here"
            translation.assume(AssumptionKind.LIFETIME, f"{object.span}: {name} is not used after its lifetime.")
        procedures = _procedures(translation, dropped)
        unordered, frames = found()
        _tell_of_order(translation, unordered, place)
    starts = _starts(translation, unsettled)
    starts.start_literals()
    initial, prologue = starts.result()
    if from_outside:
        _tell_of_inputs(translation)
        return _from_outside(translation, procedures, starts, frames), translation
    (entry,) = linked.entries
    if prologue:
        if entry.name in recursive:
            raise InternalError("main calls itself and memory has to be set up before it starts")
        again = ProcedureReader(translation, entry, dropped[entry.name]).read(prologue)
        procedures = [again if procedure.name == entry.name else procedure for procedure in procedures]
    return _program(translation, procedures, initial, entry.name, frames), translation


def _tell_of_order(translation: Translation, unordered: Conflicts, place: int) -> None:
    """What is taken for granted of the order of evaluation, before what else was told from that place on."""
    told: list[Premise] = []
    if unordered.computed:
        where = _listed(unordered.computed)
        text = f"Where the order of evaluation makes a difference, it is from left to right: {where}."
        told.append(Premise(AssumptionKind.ORDER, text, unordered.computed))
    if unordered.printed:
        text = f"What is printed comes in the order of operands from left to right: {_listed(unordered.printed)}."
        told.append(Premise(AssumptionKind.QUESTION, text, unordered.printed))
    if unordered.compared:
        text = (
            f"Elements are compared as often and in the order in which models do that: {_listed(unordered.compared)}."
        )
        told.append(Premise(AssumptionKind.ORDER, text, unordered.compared))
    if told:
        known = list(translation.assumptions)
        translation.assumptions = dict.fromkeys((*known[:place], *told, *known[place:]))


def _from_outside(
    translation: Translation,
    procedures: list[Procedure],
    starts: GlobalReader,
    frames: Frames,
) -> Program:
    """The program that is started by a procedure of ours, which stands for every caller; or by any of several."""
    entries = translation.linked.entries
    prologue = starts.result()[1]
    if len(entries) == 1:
        reader = EntryReader(translation, entries[0])
        start = reader.read(prologue)
        program = _program(translation, [*procedures, start], starts.result()[0], start.name, frames)
        return replace(program, entry_parts=tuple(reader.parts), handed_on=handed_on(translation))
    readers = [EntryReader(translation, entry, started_by(entry.name)).read(prologue) for entry in entries]
    chosen = any_of(readers)
    return _program(translation, [*procedures, *readers, chosen], starts.result()[0], chosen.name, frames)


def _watch(translation: Translation, leaving: Outlived) -> None:
    """Notes what may end while there are pointers to it."""
    freed = translation.layout.freed()
    translation.mortal = frozenset(id(object) for object in (*freed, *leaving.followed))
    translation.ending_inside = leaving.with_block
    ending: dict[str, list[Object]] = {}
    for object in leaving.with_function:
        ending.setdefault(object.function, []).append(object)
    translation.ending = {name: tuple(group) for name, group in ending.items()}
    allocated = any(object.kind is ObjectKind.ALLOCATED for object in translation.objects.of_node.values())
    translation.watched = allocated or bool(translation.mortal)


def _tell_of_inputs(translation: Translation) -> None:
    """What is taken for granted of pointers that exist before a call."""
    inputs = translation.inputs
    passed: list[Object] = []
    for entry in translation.linked.entries:
        parameters = translation.objects.parameters[entry.name]
        passed.extend(parameters)
        if any(inputs.own(parameter) for parameter in parameters):
            translation.assume(AssumptionKind.ENTRY, f"Pointers that {entry.source_name} is called with {APART}.")
    if inputs.crowds or any(inlet.path or inlet.holder not in passed for inlet in inputs.inlets):
        others = "and not to those of pointers that they never meet, or are only compared with"
        told = f"Before the call, pointers inside of objects are null or lead to objects that are there, {others}."
        translation.assume(AssumptionKind.ENTRY, told)


def _procedures(translation: Translation, dropped: dict[str, frozenset[int]]) -> list[Procedure]:
    found = []
    for function in translation.linked.reached:
        if function.body is None:
            continue
        found.append(ProcedureReader(translation, function, dropped.get(function.name, frozenset())).read())
    return found


def _starts(translation: Translation, unsettled: list[Object]) -> GlobalReader:
    starts = GlobalReader(translation)
    objects = translation.objects
    for variable in translation.linked.reached_variables:
        object = objects.of_symbol[variable.declaration.symbol]
        if not variable.declaration.defined:
            translation.assume(AssumptionKind.QUESTION, _undefined(variable.source_name))
        known = object not in unsettled
        starts.start(object, variable.initializer if known else None, known)
    for object, node in _local_globals(translation.linked, objects):
        if not node.static:
            translation.assume(AssumptionKind.QUESTION, _undefined(object.source_name))
        known = object not in unsettled
        starts.start(object, node.initializer if known else None, known)
    return starts


def _listed(places: Sequence[Span]) -> str:
    more = f" and {len(places) - MOST_PLACES} more" if len(places) > MOST_PLACES else ""
    return ", ".join(map(str, places[:MOST_PLACES])) + more


def _unsettled(linked: Linked, objects: Objects, from_outside: bool) -> list[Object]:
    """What starts with any value: what no file defines, and before any call of a function all that can vary."""
    found: list[Object] = []
    for variable in linked.reached_variables:
        declaration = variable.declaration
        if not declaration.defined or (from_outside and not declaration.constant):
            found.append(objects.of_symbol[declaration.symbol])
    for object, node in _local_globals(linked, objects):
        if not node.static or (from_outside and not node.constant):
            found.append(object)
    return found


def _local_globals(linked: Linked, objects: Objects) -> list[tuple[Object, syntax.Variable]]:
    """Variables that functions declare, and that live as long as the program."""
    return [
        (object, object.node)
        for function in linked.reached
        for object in objects.locals[function.name]
        if object.kind is ObjectKind.GLOBAL and isinstance(object.node, syntax.Variable)
    ]


def _undefined(name: str) -> str:
    return f"{name}, which no file defines, starts with any value."


def _program(
    translation: Translation, procedures: list[Procedure], initial: dict[str, Expression], main: str, frames: Frames
) -> Program:
    shared = translation.layout.globals
    values = {name: value for name, value in initial.items() if name in shared}
    names = {procedure.name for procedure in procedures}
    used = _used(procedures, main)
    if not used <= names:
        raise InternalError(f"procedures are called that were not read: {sorted(used - names)}")
    reader = ScopeReader(translation, frames)
    kept = tuple(_scoped(translation, reader, procedure) for procedure in procedures if procedure.name in used)
    visible = (*visible_globals(translation), *visible_locals(translation))
    return Program(kept, tuple(shared.values()), values, main, tuple(translation.assumptions), visible=visible)


def _scoped(translation: Translation, reader: ScopeReader, procedure: Procedure) -> Procedure:
    """With the places where the user can say something; in a procedure of ours there are none."""
    function = translation.functions.get(procedure.name)
    return replace(procedure, scopes=reader.scopes(function) if function else {})


def _used(procedures: list[Procedure], main: str) -> set[str]:
    by_name = {procedure.name: procedure for procedure in procedures}
    return set(reached([main], lambda name: by_name[name].callees if name in by_name else ()))


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
