"""s and τ(s) in one incremental SAT solver: the shared path formula of section VII.

Each path of each function has a literal that says it is taken. The head of a function (its parameters and
results) is there once, and a call that several paths make before they part is there once too: an existential
variable may be shared between alternatives. A conjunct of s gets a switch: switched on, it holds at every call;
and it can be asked to fail at a head.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from sorrel.engines.cdnf.conjuncts import Conjunct, cube_literals
from sorrel.engines.cdnf.layout import Behaviour, Layout
from sorrel.finite.function import FiniteFunction, FiniteProgram, Path
from sorrel.logic.listing import listing
from sorrel.logic.terms import Term
from sorrel.model.errors import InternalError
from sorrel.model.values import dataclass
from sorrel.smt.bits import Word, encode
from sorrel.smt.sat import FALSE, TRUE, Circuit, Literal


@dataclass(frozen=True, slots=True)
class _Instance:
    """A behaviour in the solver; s holds of it while `active` does."""

    function: str
    vector: tuple[Literal, ...]
    active: Literal


@dataclass(frozen=True, slots=True)
class _Taken:
    """A path in the solver."""

    literal: Literal
    calls: tuple[_Instance, ...]


@dataclass(frozen=True, slots=True)
class Escape:
    """A behaviour of τ(s) that is not in s, and the calls it rests on, which are."""

    head: Behaviour
    calls: tuple[Behaviour, ...]


class PathFormula:
    def __init__(self, program: FiniteProgram, layout: Layout, circuit: Circuit) -> None:
        self._layout = layout
        self._circuit = circuit
        self._program = program
        self._instances: dict[tuple[Literal, ...], _Instance] = {}
        self._heads: dict[str, tuple[Literal, ...]] = {}
        self._free: dict[str, _Instance] = {}
        self._run: dict[str, Literal] = {}  # one of the paths of the function is taken
        self._taken: dict[str, list[_Taken]] = {}
        self._on: dict[int, Literal] = {}
        self._fails: dict[int, list[tuple[str, Literal, Literal]]] = {}  # function, that it fails there, that it holds
        self._retired: set[int] = set()
        self._held: list[Conjunct] = []  # switches are known by the conjunct's id
        for function in program.functions:
            self._add_function(function)

    # The paths

    def _add_function(self, function: FiniteFunction) -> None:
        circuit = self._circuit
        words = [circuit.variables(width) for width in function.widths]
        self._heads[function.name] = self._vector(function.name, words)
        free = [circuit.variables(width) for width in function.widths]
        self._free[function.name] = self._instance(function.name, self._vector(function.name, free))
        results: dict[Term, Word] = {}  # of calls, by their variables
        self._taken[function.name] = [self._add_path(function, path, words, results) for path in function.paths]
        self._run[function.name] = circuit.variable()
        circuit.clause(-self._run[function.name], *(taken.literal for taken in self._taken[function.name]))

    def _add_path(
        self, function: FiniteFunction, path: Path, head: Sequence[Word], results: dict[Term, Word]
    ) -> _Taken:
        circuit = self._circuit
        taken = circuit.variable()
        variables = list(function.parameters)
        values: list[Word] = list(head[: len(variables)])
        calls = []
        for call in path.calls:
            (guard,), *arguments = encode(circuit, listing(variables, [call.guard, *call.arguments]), values)
            circuit.clause(-taken, guard)
            widths = self._program.function[call.function].widths[len(call.arguments) :]
            for result, width in zip(call.results, widths, strict=True):
                if result not in results:
                    results[result] = circuit.variables(width)
                variables.append(result)
                values.append(results[result])
            own = [*arguments, *(results[result] for result in call.results)]
            calls.append(self._instance(call.function, self._vector(call.function, own)))
            circuit.clause(-taken, calls[-1].active)
        (guard,), *returned = encode(circuit, listing(variables, [path.guard, *path.results]), values)
        circuit.clause(-taken, guard)
        for word, wanted in zip(returned, head[len(function.parameters) :], strict=True):
            for bit, other in zip(word, wanted, strict=True):
                circuit.clause(-taken, -bit, other)
                circuit.clause(-taken, bit, -other)
        return _Taken(taken, tuple(calls))

    def _vector(self, function: str, words: Iterable[Word]) -> tuple[Literal, ...]:
        tag = self._layout.tag(function)
        vector = [TRUE if tag >> place & 1 else FALSE for place in range(self._layout.size)]
        for (at, width), word in zip(self._layout.words(function), words, strict=True):
            vector[at : at + width] = word
        return tuple(vector)

    def _instance(self, function: str, vector: tuple[Literal, ...]) -> _Instance:
        found = self._instances.get(vector)
        if found is None:
            found = self._instances[vector] = _Instance(function, vector, self._circuit.variable())
        return found

    # The summary

    def _switch(self, conjunct: Conjunct) -> Literal:
        found = self._on.get(id(conjunct))
        if found is not None:
            if id(conjunct) in self._retired:
                raise InternalError("a conjunct is asked about after it was given up")
            return found
        circuit = self._circuit
        on = circuit.variable()
        self._on[id(conjunct)] = on
        self._held.append(conjunct)
        for instance in self._instances.values():
            literal = conjunct.literal(circuit, self._layout, instance.function, instance.vector)
            if literal != TRUE:
                circuit.clause(-instance.active, -on, literal)
        self._fails[id(conjunct)] = []
        for name, vector in self._heads.items():
            literal = conjunct.literal(circuit, self._layout, name, vector)
            if literal == TRUE:
                continue
            fails = circuit.variable()
            circuit.clause(-fails, -literal)
            circuit.clause(-fails, self._run[name])
            self._fails[id(conjunct)].append((name, fails, literal))
        return on

    def retire(self, conjunct: Conjunct) -> None:
        """It will not be asked about again: the solver may forget it."""
        if id(conjunct) in self._on and id(conjunct) not in self._retired:
            self._retired.add(id(conjunct))
            self._circuit.clause(-self._on[id(conjunct)])

    # Questions

    def violation(self, summary: Sequence[Conjunct], wanted: Conjunct, function: str) -> Behaviour | None:
        """A behaviour in s that the wanted formula excludes: s ∧ ¬p."""
        free = self._free[function]
        literal = wanted.literal(self._circuit, self._layout, function, free.vector)
        assumptions = [*map(self._switch, summary), free.active, -literal]
        return self._behaviour(function, free.vector) if self._circuit.solve(assumptions, "entails") else None

    def support_of(self, summary: Sequence[Conjunct], wanted: Conjunct, function: str) -> list[Conjunct] | None:
        """Conjuncts that are enough to imply the wanted formula."""
        if self.violation(summary, wanted, function) is not None:
            return None
        return self._in_core(summary)

    def escape(self, summary: Sequence[Conjunct], targets: Sequence[Conjunct] | None = None) -> Escape | None:
        """A behaviour of τ(s) outside of one of the targets, which are all of s unless said otherwise."""
        on = list(map(self._switch, summary))
        targets = summary if targets is None else targets
        for target in targets:
            self._switch(target)
        ask = self._circuit.variable()
        fails = [(name, literal) for target in targets for name, literal, _ in self._fails[id(target)]]
        self._circuit.clause(-ask, *(literal for _, literal in fails))
        found = self._circuit.solve([*on, ask], "inductive")
        if not found:
            self._circuit.clause(-ask)
            return None
        name = next(name for name, literal in fails if self._circuit.value(literal))
        escape = self._escape(name)
        self._circuit.clause(-ask)
        return escape

    def support_for(self, summary: Sequence[Conjunct], target: Conjunct) -> list[Conjunct] | None:
        """Conjuncts at calls that are enough for the target at heads."""
        on = list(map(self._switch, summary))
        self._switch(target)
        needed: dict[int, Conjunct] = {}
        for _, fails, _ in self._fails[id(target)]:
            if self._circuit.solve([*on, fails], "support"):
                return None
            needed.update((id(c), c) for c in self._in_core(summary))
        return list(needed.values())

    def blocked(
        self, summary: Sequence[Conjunct], clause: Conjunct, function: str, mask: int, value: int
    ) -> int | Escape:
        """Is a cube of behaviours out of reach in one step, from calls in s and outside of the cube?

        The part of the mask that is already enough, or a behaviour of the cube with its calls.
        """
        on = [*map(self._switch, summary), self._switch(clause)]
        cube = cube_literals(mask, value, self._heads[function])
        if self._circuit.solve([*on, self._run[function], *cube], "block"):
            return self._escape(function)
        core = self._circuit.core()
        places = [place for place in range(self._layout.size) if mask >> place & 1]
        kept = 0
        for place, literal in zip(places, cube, strict=True):
            if literal in core:
                kept |= 1 << place
        return kept

    def false_at_head(self, conjuncts: Sequence[Conjunct], function: str) -> list[Conjunct]:
        """Which of the conjuncts fail at the head in the last model."""
        found = []
        for conjunct in conjuncts:
            literals = [literal for name, _, literal in self._fails[id(conjunct)] if name == function]
            if not all(map(self._circuit.value, literals)):
                found.append(conjunct)
        return found

    def _in_core(self, summary: Sequence[Conjunct]) -> list[Conjunct]:
        core = self._circuit.core()
        return [conjunct for conjunct in summary if self._on[id(conjunct)] in core]

    def _escape(self, function: str) -> Escape:
        taken = next((t for t in self._taken[function] if self._circuit.value(t.literal)), None)
        if taken is None:
            raise InternalError("a model takes no path of the function that it runs")
        calls = tuple(self._behaviour(call.function, call.vector) for call in taken.calls)
        return Escape(self._behaviour(function, self._heads[function]), calls)

    def _behaviour(self, function: str, vector: Sequence[Literal]) -> Behaviour:
        count = len(self._program.function[function].parameters)
        values = tuple(self._circuit.number(vector[at : at + w]) for at, w in self._layout.words(function))
        return Behaviour(function, values[:count], values[count:])
