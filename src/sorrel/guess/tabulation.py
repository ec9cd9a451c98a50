"""Tables of procedures: what the queries ask of them, input by input, each entry proved as it is made.

An entry says: for these inputs the outputs are those, and nothing fails. It is proved clause by clause from the entries
of the calls that are made on the way, so all entries together are inductive. Where only finitely many inputs matter,
because whoever calls restricts them, the table is a summary (memo tables, as in tabled evaluation of logic programs).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import field
from itertools import islice

from sorrel.guess.bench import Bench, Benches, session_of
from sorrel.guess.houdini import Houdini
from sorrel.guess.pieces import Piece, Sample, Signature, conclusion, limits, piece, polynomial_pieces, signature
from sorrel.guess.plan import PLAN
from sorrel.guess.points import Number
from sorrel.guess.tables import Shift, constants_of, exactly, joined_bounds, possible_shifts, small_inputs, value_of
from sorrel.guess.vocabulary import vocabulary
from sorrel.horn.clause import Clause
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.logic.evaluate import Model, evaluate, value_in
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.solver import Oracle, Sat, Unsat

SCOUT_CALLS = 45
MOST_FAILURES = 3
FEW, MOST_VALUES = 24, 1000
"""After a few entries we look whether inputs as large as that are asked for: then a table is not what is needed."""


@dataclass(frozen=True, slots=True)
class Extent:
    """How many entries a table may have, how deep calls may go; `wide` entries cover more than what was asked."""

    entries: int
    depth: int
    wide: bool = True


WHOLE = Extent(300, 250)
SCOUT = Extent(60, 40, wide=False)


@dataclass(frozen=True, slots=True)
class Call:
    """A procedure at given inputs."""

    name: str
    inputs: tuple[Number, ...]


@dataclass
class _Entries(Bench):
    """A clause in a solver, with the entries of its calls; `told` counts them, call by call."""

    told: list[int] = field(default_factory=list)


class NoTable(Exception):
    """A procedure has no table: it fails, has several results, does not return, or needs too many entries."""


class Tabulation:
    """Entries for calls, made when they are asked for."""

    def __init__(
        self,
        system: HornSystem,
        signatures: Mapping[str, Signature],
        oracle: Oracle,
        known: Summaries,
        extent: Extent = WHOLE,
    ) -> None:
        self._system = system
        self._signatures = signatures
        self._oracle = oracle
        self._known = known
        self._extent = extent
        self._benches = Benches(self._set_up)
        self._covered: dict[str, list[Term]] = {p.name: [] for p in system.predicates}
        self._made: set[Call] = set()
        self._hopeless: set[Call] = set()
        self._constants = constants_of(system)
        self._ranges = limits(system)
        self._shifts = {name: possible_shifts(about) for name, about in signatures.items()}
        self.pieces: dict[str, list[Piece]] = {p.name: [] for p in system.predicates}
        self.samples: dict[str, list[Sample]] = {p.name: [] for p in system.predicates}

    @property
    def full(self) -> bool:
        return len(self._made) >= self._extent.entries or self._oracle.clock.expired()

    def add(self, proved: Piece) -> None:
        """A piece that was proved, together with others that are added."""
        self.pieces[proved.predicate.name].append(proved)
        self._covered[proved.predicate.name].append(proved.guard)

    def summaries(self) -> Summaries:
        """What is known and what the table says, together inductive."""
        return {
            name: terms.conjunction([self._known.get(name, terms.TRUE), *(entry.formula for entry in entries)])
            for name, entries in self.pieces.items()
        }

    def settles_all(self) -> bool:
        """Do the entries settle every query, with those that can be made?"""
        try:
            return all(map(self._settles, self._system.queries))
        except NoTable:
            return False

    def _settles(self, query: Clause) -> bool:
        """Make entries for whatever the query calls until it is contradicted."""
        first = len(self._made)
        while True:
            bench = self._bench(query)
            if len(self._made) >= first + FEW and self._asks_far(query, bench):
                raise NoTable("there are too many inputs")
            match bench.session.check(seconds=PLAN.table_question):
                case Unsat():
                    return True
                case Sat(model):
                    wanted = self._wanted(query, model)
                case _:
                    return False
            if wanted is None:
                return False
            self.make(wanted)

    def _asks_far(self, query: Clause, bench: _Entries) -> bool:
        """Is a call possible with inputs that a table of single values would not get to?"""
        far = []
        for atom in query.body:
            about = self._signatures.get(atom.predicate.name)
            if about is None:
                continue
            formals = [about.predicate.formals[i] for i in about.inputs]
            beyond = [p for f in formals if terms.is_integer(f) for p in (f > MOST_VALUES, f < -MOST_VALUES)]
            uncovered = [terms.negation(guard) for guard in self._covered[about.predicate.name]]
            outside = terms.conjunction([terms.disjunction(beyond), *uncovered])
            far.append(terms.substitute(outside, atom.bind()))
        return not isinstance(bench.session.check_with([terms.disjunction(far)], seconds=PLAN.table_question), Unsat)

    def make(self, root: Call) -> None:
        """The entry of a call, and before it those of the calls it makes."""
        work = {root: None}  # in the order of the calls
        try:
            while work:
                call = next(reversed(work))
                first = self._entry(call)
                if first is None:
                    del work[call]
                elif first in work or first in self._hopeless or len(work) >= self._extent.depth:
                    raise NoTable(f"{first.name} may not return")
                else:
                    work[first] = None
        except NoTable:
            self._hopeless.update(work)
            raise

    def _entry(self, call: Call) -> Call | None:
        """Add the entry of this call, or say which call needs one first."""
        if self.full:
            raise NoTable("there are too many entries")
        about = self._signatures[call.name]
        values = [value_of(about.predicate.formals[i], n) for i, n in zip(about.inputs, call.inputs, strict=True)]
        outputs: list[Term] | None = None
        alone = True  # does it return without calling anyone?
        for clause in self._system.defining[call.name]:
            found = self._outputs(clause, about, values, outputs)
            if isinstance(found, Call):
                return found
            if found is not None:
                outputs, alone = found, not clause.body
        self._record(call, about, values, outputs, alone)
        return None

    def _outputs(
        self, clause: Clause, about: Signature, values: Sequence[Term], known: list[Term] | None
    ) -> list[Term] | Call | None:
        """What this clause returns for the inputs, if it does and it is not known; or a call to be looked at before."""
        if clause.head is None:
            raise InternalError("a query returns nothing")
        arguments = clause.head.arguments
        bench = self._bench(clause)
        bench.session.push()
        try:
            bench.session.add(*(terms.equal(arguments[i], v) for i, v in zip(about.inputs, values, strict=True)))
            if known is not None:
                bench.session.add(self._otherwise(clause, about, known))
            found: list[Term] | None = None
            while True:
                match bench.session.check(seconds=PLAN.table_question):
                    case Unsat():
                        return found
                    case Sat(model):
                        first = self._wanted(clause, model)
                    case _:
                        raise NoTable("not decided")
                if first is not None:
                    return first
                failed = about.ok is not None and not terms.is_true(value_in(model, arguments[about.ok]))
                if failed or known is not None or found is not None:
                    raise NoTable(f"{about.predicate.name} fails, or has several results")
                found = [value_in(model, arguments[i]) for i in about.outputs]
                bench.session.add(self._otherwise(clause, about, found))
        finally:
            bench.session.pop()

    def _otherwise(self, clause: Clause, about: Signature, outputs: Sequence[Term]) -> Term:
        """The clause concludes something else."""
        if clause.head is None:
            raise InternalError("a query returns nothing")
        return terms.negation(terms.substitute(conclusion(about, outputs), clause.head.bind()))

    def _wanted(self, clause: Clause, model: Model) -> Call | None:
        """The first call in the model without an entry."""
        for atom in clause.body:
            about = self._signatures.get(atom.predicate.name)
            if about is None:
                raise NoTable(f"{atom.predicate.name} is not a function of numbers")
            inputs = [value_in(model, atom.arguments[i]) for i in about.inputs]
            numbers = [terms.as_number(value) for value in inputs]
            call = Call(atom.predicate.name, tuple(n for n in numbers if n is not None))
            if not self._covers(call, about, inputs):
                return call
        return None

    def _covers(self, call: Call, about: Signature, inputs: Sequence[Term]) -> bool:
        if call in self._made:
            return True
        pairs = about.at_inputs(inputs)
        return any(terms.is_true(evaluate(guard, pairs)) for guard in self._covered[call.name])

    def _set_up(self, clause: Clause) -> _Entries:
        session = session_of(clause, self._oracle, self._known, "table")
        session.minimize_cores()
        return _Entries(clause, session, told=[0] * len(clause.body))

    def _bench(self, clause: Clause) -> _Entries:
        """The clause in a solver, which is told of entries made since it was asked last."""
        bench = self._benches.of(clause)
        for position, atom in enumerate(clause.body):
            entries = self.pieces[atom.predicate.name]
            for entry in entries[bench.told[position] :]:
                bench.session.add(terms.substitute(entry.formula, atom.bind()))
            bench.told[position] = len(entries)
        return bench

    # Entries

    def _record(
        self, call: Call, about: Signature, values: Sequence[Term], outputs: list[Term] | None, alone: bool
    ) -> None:
        """The entry for these inputs, or for as many others as the same proof covers."""
        self._made.add(call)
        if outputs is not None:
            numbers = tuple(n for n in map(terms.as_number, outputs) if n is not None)
            self.samples[call.name].append(Sample(call.inputs, numbers))
        exact = self._exact(about, values, outputs)
        if not self._extent.wide:
            self.pieces[call.name].append(exact)
            return
        entry = self._shifted(about, values, outputs) or self._weakened(about, exact, alone)
        self.pieces[call.name].append(piece(about.predicate, joined_bounds(about, entry.guard), entry.conclusion))
        if not terms.same(entry.guard, exact.guard):
            self._covered[call.name].append(entry.guard)

    def _shifted(self, about: Signature, values: Sequence[Term], outputs: list[Term] | None) -> Piece | None:
        """An output at a fixed distance from an input, whatever that input is, within the range of a type."""
        if outputs is None or len(about.inputs) < 2:
            return None
        for shift in self._shifts[about.predicate.name]:
            if shift.failures >= MOST_FAILURES:
                continue
            entry = self._shift(about, values, outputs, shift)
            if entry is not None:
                return entry
            shift.failures += 1
        return None

    def _shift(self, about: Signature, values: Sequence[Term], outputs: list[Term], shift: Shift) -> Piece | None:
        """The entry with one output as one input plus a constant, and the other inputs as they are."""
        free, moved = shift.free, shift.moved
        formal = about.predicate.formals[about.inputs[free]]
        shifted = terms.simplify(formal + (outputs[moved] - values[free]))
        claim = conclusion(about, [*outputs[:moved], shifted, *outputs[moved + 1 :]])
        fixed = [literal for i, parts in enumerate(exactly(about, values)) if i != free for literal in parts]
        for within in ([], *([shifted >= low, shifted <= high] for low, high in self._ranges)):
            entry = self._proved(about, [*fixed, *within], claim)
            if entry is not None:
                return entry
        return None

    def _exact(self, about: Signature, values: Sequence[Term], outputs: list[Term] | None) -> Piece:
        """For these inputs and no others; without outputs, the procedure does not return."""
        claim = conclusion(about, outputs) if outputs is not None else terms.FALSE
        guard = terms.conjunction(literal for parts in exactly(about, values) for literal in parts)
        return piece(about.predicate, guard, claim)

    def _weakened(self, about: Signature, exact: Piece, alone: bool) -> Piece:
        """The entry without the bounds that its proof does not use."""
        entry = self._proved(about, terms.conjuncts(exact.guard), exact.conclusion)
        if entry is None:
            raise NoTable("an entry could not be proved again")
        return self._widened(about, entry) if alone else entry

    def _widened(self, about: Signature, entry: Piece) -> Piece:
        """Bounds moved outwards to constants of the clauses, as far as the claim stays proved."""
        literals = terms.conjuncts(entry.guard)
        for position, literal in enumerate(literals):
            for wider in self._wider(literal):
                others = [*literals[:position], wider, *literals[position + 1 :]]
                if self._proved(about, others, entry.conclusion) is not None:
                    literals = others
                    break
        return piece(about.predicate, terms.conjunction(literals), entry.conclusion)

    def _wider(self, literal: Term) -> Iterator[Term]:
        """The same bound with other constants, the weakest first."""
        if not terms.is_comparison(literal):
            return
        formal, bound = terms.children(literal)
        limit = terms.as_number(bound)
        if limit is None:
            return
        if terms.same(literal, formal <= bound):
            yield from (formal <= c for c in reversed(self._constants) if c > limit)
        elif terms.same(literal, formal >= bound):
            yield from (formal >= c for c in self._constants if c < limit)

    def _proved(self, about: Signature, literals: Sequence[Term], claim: Term) -> Piece | None:
        """The claim under those of the literals that its proof uses, if it has one by the entries there are."""
        labels = [terms.variable(f"part!{i}", terms.BOOL) for i in range(len(literals))]
        used: set[str] = set()
        for clause in self._system.defining[about.predicate.name]:
            if clause.head is None:
                raise InternalError("a query defines nothing")
            bench = self._bench(clause)
            binding = clause.head.bind()
            guards = terms.substitute_all(list(literals), binding)
            bench.session.push()
            bench.session.add(*(terms.implication(label, g) for label, g in zip(labels, guards, strict=True)))
            bench.session.add(terms.negation(terms.substitute(claim, binding)))
            result = bench.session.check(labels, PLAN.table_question)
            bench.session.pop()
            if not isinstance(result, Unsat):
                return None
            used |= {terms.name(label) for label in result.core}
        kept = [literal for label, literal in zip(labels, literals, strict=True) if terms.name(label) in used]
        return piece(about.predicate, terms.conjunction(kept), claim)


def tabulate(system: HornSystem, oracle: Oracle, known: Summaries | None = None) -> Summaries | None:
    """Summaries that settle every query, made of affine pieces and of tables; None if there are none."""
    signatures = {p.name: s for p in system.predicates if (s := signature(p))}
    if not signatures or not system.queries:
        return None
    known = known or {}
    samples = _scouted(system, signatures, oracle, known)
    table = Tabulation(system, signatures, oracle, known)
    for degree in (1, 2):
        for proved in _polynomials(system, signatures, samples, oracle, table.summaries(), degree):
            table.add(proved)
        if table.settles_all():
            return _needed(system, table, oracle, known)
    return None


def _needed(system: HornSystem, table: Tabulation, oracle: Oracle, known: Summaries) -> Summaries:
    """The entries that the queries lead to; all of them, if that is not decided."""
    every = {name: [entry.formula for entry in entries] for name, entries in table.pieces.items()}
    used = Houdini(system, every, oracle, known).support() or every
    return {name: terms.conjunction([known.get(name, terms.TRUE), *found]) for name, found in used.items()}


def _scouted(
    system: HornSystem, signatures: Mapping[str, Signature], oracle: Oracle, known: Summaries
) -> dict[str, list[Sample]]:
    """Samples of each procedure at small inputs and near constants."""
    clock = PLAN.scout.of(oracle.clock)
    patient = Oracle(clock, oracle.statistics, query_seconds=PLAN.scout_question, seed=oracle.seed)
    words = vocabulary(system)
    found: dict[str, list[Sample]] = {p.name: [] for p in system.predicates}
    for group in system.call_graph.components:
        for name in group:
            if name not in signatures:
                continue
            scout = Tabulation(system, signatures, patient, known, SCOUT)
            for inputs in islice(small_inputs(signatures[name], words), SCOUT_CALLS):
                if scout.full:
                    break
                with suppress(NoTable):
                    scout.make(Call(name, inputs))
            for other, samples in scout.samples.items():
                found[other] += samples
    return {name: list(dict.fromkeys(samples)) for name, samples in found.items()}


def _polynomials(
    system: HornSystem,
    signatures: Mapping[str, Signature],
    samples: Mapping[str, Sequence[Sample]],
    oracle: Oracle,
    known: Summaries,
    degree: int,
) -> list[Piece]:
    """Pieces of this degree that are inductive together with what is known."""
    words, ranges = vocabulary(system), limits(system)
    guessed = {n: polynomial_pieces(about, samples[n], words, ranges, degree) for n, about in signatures.items()}
    clock = PLAN.pieces.of(oracle.clock)
    patient = Oracle(clock, oracle.statistics, query_seconds=PLAN.pieces_question, seed=oracle.seed)
    candidates = {name: [guess.formula for guess in found] for name, found in guessed.items()}
    held = Houdini(system, candidates, patient, known).run()
    kept = {name: {terms.identity(formula) for formula in found} for name, found in held.items()}
    return [p for name, found in guessed.items() for p in found if terms.identity(p.formula) in kept[name]]
