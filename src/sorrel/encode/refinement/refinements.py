"""Fresh refinement types: an unknown predicate at each place where a formula may stand."""

from __future__ import annotations

from sorrel.encode.refinement.conversion import Conversion, instantiated, pairs_of
from sorrel.encode.refinement.shapes import Shapes
from sorrel.encode.refinement.trail import Trail
from sorrel.encode.refinement.values import Anything, FunctionRefinement, Held, Path, Refinement, Typed, Value
from sorrel.functional.type import EXCEPTION, INT, Arrow, TupleType, Type, arrows, uncurried
from sorrel.horn.clause import Argument, Predicate, Role
from sorrel.logic import terms, walk
from sorrel.logic.names import Names
from sorrel.logic.terms import Sort, Term


class Refinements:
    def __init__(self, shapes: Shapes, conversion: Conversion, *, exceptions: bool, staged: bool) -> None:
        """`exceptions`: whether it matters which exceptions leave a function.

        `staged`: whether functions may do something before they have all their arguments. Then a function type takes
        one argument, unless it is the type of a definition that takes more of them at once.
        """
        self._shapes = shapes
        self._conversion = conversion
        self._exceptions = exceptions
        self._staged = staged
        self._names = Names()  # of predicates and variables: clauses as text know both by name only
        self._born: dict[int, tuple[int, Term]] = {}  # with the variable itself, which keeps its identity
        self.predicates: list[Predicate] = []

    def _new(self, wish: str, sort: Sort) -> Term:
        made = self._names.variable(wish, sort)
        self._born[terms.identity(made)] = (len(self._born), made)
        return made

    @property
    def age(self) -> int:
        """How many variables there are; those that are made later are younger."""
        return len(self._born)

    def older(self, than: int, *formulas: Term) -> tuple[Term, ...]:
        """The variables of the formulas that were there when there were so many."""
        found = {terms.identity(each): each for each in walk.free_variables(*formulas)}
        return tuple(each for key, each in found.items() if key in self._born and self._born[key][0] < than)

    # Fresh types

    def of(self, type: Type, scope: tuple[Term, ...], label: str, name: str, *, result: bool = False) -> Refinement:
        """`label` is for the predicate, `name` for the value that it is about."""
        own = tuple(
            self._new(wish, sort)
            for wish, sort in zip(self._shapes.names(type, name), self._shapes.sorts(type), strict=True)
        )
        return self._with(type, scope, own, label, result)

    def _with(self, type: Type, scope: tuple[Term, ...], own: tuple[Term, ...], label: str, result: bool) -> Refinement:
        predicate = self._predicate(label, scope, own, result)
        inner: dict[Path, Held] = {}
        for path, part, _ in self._shapes.inner(type):
            inside = f"{label}:{'.'.join(map(str, path))}" if path else label
            if isinstance(part, Arrow):
                inner[path] = self.function(part, (*scope, *own), inside, handed_in=not result)
            else:
                inner[path] = self.of(part, scope, inside, "element", result=result)
        return Refinement(type, predicate, scope, own, inner)

    def function(
        self,
        type: Type,
        scope: tuple[Term, ...],
        label: str,
        parameter_names: tuple[str, ...] = (),
        cells: tuple[tuple[int, Type], ...] = (),
        at_once: int = 1,
        ghosts: tuple[int, ...] = (),
        handed_in: bool = False,
    ) -> FunctionRefinement:
        """`cells` are references that the function uses, with the types of their contents; `ghosts` as in its type.

        What a function takes that is `handed_in` is what others give to it.
        """
        parameters, result = uncurried(type)
        if self._staged:
            parameters, result = parameters[:at_once], arrows(parameters[at_once:], result)
        taken = TupleType((*parameters, *(content for _, content in cells), *(INT,) * sum(ghosts)))
        names = [n or f"x{i}" for i, n in enumerate(parameter_names, 1)][: len(parameters)]
        names += [f"x{i}" for i in range(len(names) + 1, len(taken.items) + 1)]
        own: list[Term] = []
        for name, each in zip(names, taken.items, strict=True):
            wishes = zip(self._shapes.names(each, name), self._shapes.sorts(each), strict=True)
            own += [self._new(wish, sort) for wish, sort in wishes]
        takes = self._with(taken, scope, tuple(own), f"{label}:takes", handed_in)
        given = TupleType((result, *(content for _, content in cells))) if cells else result
        behind = (*scope, *own)
        gives = self.of(given, behind, f"{label}:gives", "r", result=not handed_in)
        raised: Type = TupleType((EXCEPTION, *(content for _, content in cells))) if cells else EXCEPTION
        raises = (
            self.of(raised, behind, f"{label}:raises", "exception", result=not handed_in) if self._exceptions else None
        )
        return FunctionRefinement(label, parameters, takes, gives, raises, tuple(cell for cell, _ in cells), ghosts)

    def _predicate(self, label: str, scope: tuple[Term, ...], own: tuple[Term, ...], result: bool) -> Predicate:
        taken = Names()
        arguments = []
        for position, term in enumerate((*scope, *own)):
            role = Role.OUTPUT if result and position >= len(scope) else Role.INPUT
            wish = terms.name_of(term).split("!")[0] if terms.is_variable(term) else "x"
            arguments.append(Argument(taken.fresh(wish), terms.sort_of(term), role))
        predicate = Predicate(self._names.fresh(label), tuple(arguments))
        self.predicates.append(predicate)
        return predicate

    # Values of types

    def fresh(self, held: Held, trail: Trail, name: str) -> tuple[Value, Trail]:
        """Any value of which this holds, and what is known then."""
        if isinstance(held, FunctionRefinement):
            return Typed(held), trail
        type = held.type
        given = [
            self._new(wish, sort)
            for wish, sort in zip(self._shapes.names(type, name), self._shapes.sorts(type), strict=True)
        ]
        facts = self._shapes.facts(type, list(given))
        if isinstance(held, Anything):
            inner: dict[Path, Held] = {path: Anything(part) for path, part, _ in self._shapes.inner(type)}
            return self._conversion.value_of(type, list(given), inner), trail.after(facts=facts)
        pairs = pairs_of(held.own, given)
        inner = {path: instantiated(each, pairs) for path, each in held.inner.items()}
        value = self._conversion.value_of(type, list(given), inner)
        return value, trail.after(held.predicate(*held.scope, *given), facts=facts)
