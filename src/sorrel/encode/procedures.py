"""The view of a program as procedures: a vector for each, cut at loop heads and before and after calls."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.expressions import Evaluation
from sorrel.encode.knowledge import Knowledge
from sorrel.encode.scope import Scope
from sorrel.encode.semantics import Semantics
from sorrel.encode.steps import ERROR, RETURN, STOP, Explorer, Step, initial_values
from sorrel.encode.survey import semantics_for
from sorrel.encode.transition import COUNTER, Case, Relation, Slot, equations, nothing, renaming
from sorrel.logic import terms
from sorrel.logic.names import Names
from sorrel.logic.terms import Term
from sorrel.model.values import dataclass
from sorrel.program.effects import effects
from sorrel.program.expression import Variable
from sorrel.program.graph import called, reverse_postorder
from sorrel.program.liveness import live_variables
from sorrel.program.program import Procedure, Program, successors
from sorrel.program.statement import Block, Call, Goto, Statement

Vectors = Sequence[Sequence[Term]]


@dataclass(frozen=True, slots=True)
class Site:
    """A call: the place before it and the one after it."""

    call: Call
    before: str
    after: str


@dataclass(slots=True, eq=False)
class Graph:
    """A procedure whose calls stand alone in blocks of their own."""

    procedure: Procedure
    cuts: frozenset[str]
    sites: tuple[Site, ...]
    counters: dict[str, int] = field(default_factory=dict)
    live: Mapping[str, frozenset[Variable]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    slots: tuple[Slot, ...] = ()

    def kept(self, label: str) -> set[str]:
        """Variables whose value matters at the place."""
        if label == RETURN:
            return {each.name for each in self.procedure.outputs}
        return {each.name for each in self.live.get(label, frozenset())}


@dataclass(slots=True, eq=False)
class ProcedureView:
    program: Program
    semantics: Semantics
    graphs: dict[str, Graph]
    globals: tuple[Variable, ...]

    def members(self, domain: str) -> tuple[str, ...]:
        if domain == "procedures":
            return tuple(self.graphs)
        return (self.program.main,) if domain == "main" else ()

    def calls(self) -> tuple[tuple[str, str], ...]:
        return tuple((name, callee) for name, graph in self.graphs.items() for callee in graph.procedure.callees)

    def vector(self, index: str | None) -> tuple[Slot, ...]:
        return self.graphs[index].slots if index is not None else self._entry_slots()

    def relation(self, name: str, indices: tuple[str, ...]) -> Relation | None:
        match name, indices:
            case "init", ():
                return Relation((Case(self._initial),))
            case "next", (f,):
                return Relation(tuple(self._next(self.graphs[f], step) for step in self.graphs[f].steps))
            case "call", (f, g):
                return self._per_site(f, g, self._call)
            case "return", (f, g):
                return self._per_site(f, g, self._return)
            case "local", (f,):
                graph = self.graphs[f]
                return Relation(tuple(self._local(graph, site) for site in graph.sites))
            case "error", (f,):
                graph = self.graphs[f]
                failing = any(step.target == ERROR for step in graph.steps)
                place = terms.integer(graph.counters[ERROR])
                return Relation((Case(lambda v, _: [terms.equal(v[0][0], place)]),) if failing else ())
            case "same", ():
                return Relation((Case(lambda vectors, _: equations(vectors[0], vectors[1])),))
            case "enter", (f,):
                return Relation((Case(lambda vectors, _: self._entered(f, vectors)),))
        return None

    def _per_site(self, f: str, g: str, make: Callable[[Graph, Graph, Site], Case]) -> Relation:
        graph = self.graphs[f]
        return Relation(tuple(make(graph, self.graphs[g], site) for site in graph.sites if site.call.procedure == g))

    def _initial(self, vectors: Vectors, names: Names) -> list[Term]:
        graph = self.graphs[self.program.main]
        values, found = initial_values(self.semantics, self.program.globals, self.program.initial, names)
        return [*found, *self._at_entry(graph, vectors[0], values)]

    def _at_entry(self, graph: Graph, vector: Sequence[Term], values: Mapping[str, Term]) -> list[Term]:
        """At the entry, with the given values; other variables that may be read have any."""
        kept = graph.kept(graph.procedure.entry)
        types = {each.name: each.type for each in (*graph.procedure.variables, *self.globals)}
        found: list[Term] = []
        for slot, term in zip(graph.slots, vector, strict=True):
            if slot.is_counter:
                found.append(terms.equal(term, terms.integer(graph.counters[graph.procedure.entry])))
            elif slot.name in values and (slot.owner is None or slot.name in kept):
                found.append(terms.equal(term, values[slot.name]))
            elif slot.name in kept:
                found += self.semantics.type_facts(term, types[slot.name])
            else:
                found.append(terms.equal(term, nothing(slot.sort)))
        return found

    def _next(self, graph: Graph, step: Step) -> Case:
        kept = graph.kept(step.target)

        def parts(vectors: Vectors, names: Names) -> list[Term]:
            before, after = vectors
            pairs = renaming(step, {s.name: t for s, t in zip(graph.slots, before, strict=True)}, names)
            found = [terms.equal(before[0], terms.integer(graph.counters[step.source]))]
            found += terms.substitute_all([*step.conditions, *step.facts], pairs)
            for slot, there in zip(graph.slots, after, strict=True):
                if slot.is_counter:
                    new = terms.integer(graph.counters[step.target])
                elif slot.owner is None or slot.name in kept:
                    new = terms.substitute(step.values[slot.name], pairs)
                else:
                    new = nothing(slot.sort)
                found.append(terms.equal(there, new))
            return found

        return Case(parts, step.span, step)

    def _call(self, graph: Graph, callee: Graph, site: Site) -> Case:
        def parts(vectors: Vectors, names: Names) -> list[Term]:
            here, there = vectors
            values = {s.name: t for s, t in zip(graph.slots, here, strict=True)}
            scope = Scope(names, Knowledge())
            given = {
                parameter.name: Evaluation(self.semantics, values, scope).run(argument)
                for parameter, argument in zip(callee.procedure.parameters, site.call.arguments, strict=True)
            }
            shared = {each.name: values[each.name] for each in self.globals}
            place = terms.equal(here[0], terms.integer(graph.counters[site.before]))
            return [place, *scope.assumptions, *self._at_entry(callee, there, {**shared, **given})]

        return Case(parts, site.call.span)

    def _return(self, graph: Graph, callee: Graph, site: Site) -> Case:
        def parts(vectors: Vectors, names: Names) -> list[Term]:
            there, here = vectors
            results = {s.name: t for s, t in zip(callee.slots, there, strict=True)}
            found = [
                terms.equal(there[0], terms.integer(callee.counters[RETURN])),
                terms.equal(here[0], terms.integer(graph.counters[site.after])),
            ]
            pairs = zip(callee.procedure.outputs, site.call.results, strict=True)
            targets = {to.name: results[output.name] for output, to in pairs if to is not None}
            kept = graph.kept(site.after)
            for slot, term in zip(graph.slots, here, strict=True):
                if slot.name in targets and (slot.owner is None or slot.name in kept):
                    found.append(terms.equal(term, targets[slot.name]))
                elif slot.owner is None:
                    found.append(terms.equal(term, results[slot.name]))
            return found

        return Case(parts, site.call.span)

    def _local(self, graph: Graph, site: Site) -> Case:
        written = {each.name for each in site.call.results if each is not None}

        def parts(vectors: Vectors, names: Names) -> list[Term]:
            before, after = vectors
            kept = graph.kept(site.after)
            found = [
                terms.equal(before[0], terms.integer(graph.counters[site.before])),
                terms.equal(after[0], terms.integer(graph.counters[site.after])),
            ]
            for slot, here, there in zip(graph.slots, before, after, strict=True):
                if slot.owner is None or slot.is_counter:
                    continue
                if slot.name not in kept:
                    found.append(terms.equal(there, nothing(slot.sort)))
                elif slot.name not in written:
                    found.append(terms.equal(there, here))
            return found

        return Case(parts, site.call.span)

    # Entries of all procedures, in one vector

    def _inputs(self, name: str) -> list[Slot]:
        """What a procedure starts from, without what it does not read."""
        graph = self.graphs[name]
        kept = graph.kept(graph.procedure.entry)
        return [slot for slot in graph.slots if not slot.is_counter and (slot.owner is None or slot.name in kept)]

    def _entry_slots(self) -> tuple[Slot, ...]:
        slots = [Slot("which", terms.INT, "which", None, is_counter=True)]
        for name in self.graphs:
            slots += [Slot(f"{name}.{slot.name}", slot.sort, slot.base, name) for slot in self._inputs(name)]
        return tuple(slots)

    def _entered(self, name: str, vectors: Vectors) -> list[Term]:
        at_entry, entries = vectors
        values = {f"{name}.{s.name}": t for s, t in zip(self.graphs[name].slots, at_entry, strict=True)}
        number = list(self.graphs).index(name)
        found = [terms.equal(entries[0], terms.integer(number))]
        for slot, term in list(zip(self._entry_slots(), entries, strict=True))[1:]:
            found.append(terms.equal(term, values[slot.name] if slot.owner == name else nothing(slot.sort)))
        return found


def procedure_view(program: Program, arithmetic: Arithmetic) -> ProcedureView:
    semantics = semantics_for(program, arithmetic)
    reached = called(program)
    used = effects(program)
    touched = {each for name in reached for each in (*used[name].reads, *used[name].writes)}
    globals = tuple(each for each in program.globals if each in touched)
    graphs = {name: _graph(program.procedure[name], semantics, globals) for name in reached}
    return ProcedureView(program, semantics, graphs, globals)


def _graph(procedure: Procedure, semantics: Semantics, globals: tuple[Variable, ...]) -> Graph:
    split, sites = _calls_alone(procedure)
    cuts = {split.entry, *(site.before for site in sites), *(site.after for site in sites)}
    cuts |= _headers(split)
    graph = Graph(split, frozenset(cuts), sites)
    order = [label for label in reverse_postorder(split) if label in cuts]
    graph.counters = {label: number for number, label in enumerate([*order, RETURN, STOP, ERROR])}
    graph.live = live_variables(split)
    needed = {each for label in cuts for each in graph.live.get(label, frozenset())} | set(procedure.outputs)
    shown = procedure.source_names
    own = [each for each in procedure.variables if each in needed and each not in globals]
    graph.slots = (
        Slot(COUNTER, terms.INT, COUNTER, procedure.name, is_counter=True),
        *(Slot(each.name, semantics.sort(each.type), shown.get(each.name, each.name), procedure.name) for each in own),
        *(Slot(each.name, semantics.sort(each.type), each.name) for each in globals),
    )
    graph.steps = Explorer(semantics, split, graph.cuts, (*procedure.variables, *globals)).run()
    return graph


def _calls_alone(procedure: Procedure) -> tuple[Procedure, tuple[Site, ...]]:
    blocks: list[Block] = []
    sites: list[Site] = []
    for block in procedure.blocks:
        label, done = block.label, list[Statement]()
        for statement in block.statements:
            if not isinstance(statement, Call):
                done.append(statement)
                continue
            number = len(sites) + 1
            site = Site(statement, f"call.{number}", f"after.{number}")
            sites.append(site)
            blocks.append(Block(label, tuple(done), Goto(site.before, statement.span)))
            blocks.append(Block(site.before, (statement,), Goto(site.after, statement.span)))
            label, done = site.after, []
        blocks.append(Block(label, tuple(done), block.terminator))
    split = replace(procedure, blocks=tuple(blocks))
    reached = set(reverse_postorder(split))
    return split, tuple(site for site in sites if site.before in reached)


def _headers(procedure: Procedure) -> set[str]:
    order = {label: number for number, label in enumerate(reverse_postorder(procedure))}
    return {
        target
        for label in order
        for target in successors(procedure.block[label].terminator)
        if order[target] <= order[label]
    }
