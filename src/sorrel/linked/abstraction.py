"""A program without its memory: what is stored is kept in relations, what is read is any of what was kept.

docs/linked.md has the argument why every run of the program is one of the abstract program, too.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from sorrel.linked.hoisting import hoisted
from sorrel.linked.memory import Memory
from sorrel.linked.path import Path, TooLarge
from sorrel.linked.records import NOTHING, Attribute
from sorrel.linked.regions import allocation, base_and_displacement, regions, touched
from sorrel.linked.unpacked import Unpacked
from sorrel.linked.wildness import wild_places
from sorrel.model.values import dataclass
from sorrel.program.construction import binary
from sorrel.program.expression import Binary, Constant, Expression, Operator, Store, Variable
from sorrel.program.graph import loop_heads
from sorrel.program.liveness import live_variables
from sorrel.program.program import Procedure, Program
from sorrel.program.relation import Relation
from sorrel.program.statement import (
    Assert,
    Assign,
    Assume,
    Block,
    Branch,
    Goto,
    Print,
    Return,
    Statement,
    Stop,
    Terminator,
)
from sorrel.program.traversal import read, rewrite_terminator, written
from sorrel.program.types import UNBOUNDED

MOST_BLOCKS = 600


@dataclass(frozen=True, slots=True)
class Plan:
    """How the memory of a program is described: the attributes of each region, by its name, and how many objects of
    one region stay in variables from one round of a loop to the next."""

    attributes: Mapping[str, tuple[Attribute, ...]]
    focus: int = 0


@dataclass(frozen=True, slots=True)
class Abstraction:
    program: Program
    relations: tuple[Relation, ...]


def abstraction(program: Program, plan: Plan) -> Abstraction | None:
    """None if there is no memory that could be left out, or if too much would come of it."""
    simple = hoisted(program)
    found = regions(simple)
    if not found:
        return None
    unset: frozenset[Variable] = frozenset()
    try:
        while True:
            memory = Memory(found, plan.attributes, wild_places(simple, found, unset), _written_through(simple))
            made = _Rewriting(simple, memory, plan).made()
            if memory.unset <= unset:
                return made
            unset |= memory.unset  # what was taken for set is not: once more, without that
    except TooLarge:
        return None


Place = tuple[str, int, Unpacked]
"""A label, how many statements of its block were done, and what is in variables there."""


class _Rewriting:
    def __init__(self, program: Program, memory: Memory, plan: Plan) -> None:
        self._program = program
        self._main = program.procedure[program.main]
        self._plan = plan
        self._memory = memory
        self._heads = loop_heads(self._main)
        self._live = live_variables(self._main, at_return=program.globals)
        self._labels: dict[Place, str] = {}
        self._waiting: list[Place] = []
        self._blocks: list[Block] = []
        self._counts: dict[str, int] = {}

    def made(self) -> Abstraction:
        entry = self._label((self._main.entry, 0, Unpacked()))
        while self._waiting:
            place = self._waiting.pop()
            self._block(place)
            if len(self._blocks) > MOST_BLOCKS:
                raise TooLarge
        relations = tuple(shape.relation for shape in self._memory.shapes.values())
        main = self._procedure(entry)
        helpers = [each for relation in relations for each in (relation.keeping, relation.recalling)]
        return Abstraction(self._with(main, helpers), relations)

    # The new program

    def _procedure(self, entry: str) -> Procedure:
        globals = set(self._program.globals)
        beside = [
            carried
            for pointer, shape in self._memory.of_pointer.items()
            if pointer not in globals
            for carried in shape.carried(pointer)
        ]
        mentioned = {each for block in self._blocks for s in block.statements for each in (*read(s), *written(s))}
        used = [each for each in (*beside, *self._memory.slots) if each in mentioned]
        return replace(
            self._main,
            locals=(*self._main.locals, *sorted(used, key=lambda each: each.name)),
            blocks=tuple(self._blocks),
            entry=entry,
            scopes=None,
        )

    def _with(self, main: Procedure, helpers: Sequence[Procedure]) -> Program:
        kept = [each for each in self._program.globals if each not in self._memory.of_field]
        initial = {each.name: self._program.initial[each.name] for each in kept if each.name in self._program.initial}
        added: list[Variable] = []
        for pointer in kept:
            if pointer in self._memory.of_pointer:
                carried = self._memory.of_pointer[pointer].carried(pointer)
                added += carried
                if pointer.name in initial:
                    initial.update((each.name, NOTHING) for each in carried)
        for shape in self._memory.shapes.values():
            added.append(shape.counter)
            initial[shape.counter.name] = Constant(shape.region.first, UNBOUNDED)
        return replace(
            self._program, procedures=(main, *helpers), globals=(*kept, *added), initial=initial, main=main.name
        )

    # Blocks

    def _label(self, place: Place) -> str:
        known = self._labels.get(place)
        if known is None:
            count = self._counts.get(place[0], 0)
            self._counts[place[0]] = count + 1
            known = self._labels[place] = f"{place[0]}.${count}" if count else place[0]
            self._waiting.append(place)
        return known

    def _block(self, place: Place) -> None:
        """From a place to the end of its block, or to where it matters which object a pointer means."""
        label, position, unpacked = place
        block = self._main.block[label]
        path = Path(self._memory, self, self._labels[place], unpacked)
        while position < len(block.statements):
            statement = block.statements[position]
            following = block.statements[position + 1] if position + 1 < len(block.statements) else None
            pair = allocation(statement, following) if following is not None else None
            if pair is not None and pair[0] in self._memory.of_pointer:
                path.allocate(pair[0])
                position += 2
                continue
            if self._must_look(path, statement, (label, position)):
                return
            path.statement(statement)
            position += 1
        if self._must_look(path, block.terminator, (label, position)):
            return
        self._end(path, block.terminator)

    def _must_look(self, path: Path, step: Statement | Terminator, at: tuple[str, int]) -> bool:
        """Whether the block ends here, because a pointer is followed and it is open what it means."""
        if isinstance(step, Print):
            return False
        for pointer in self.followed(step):
            if path.unpacked.of(pointer) is None:
                path.look_up(pointer, at, checked=self._is_checked(pointer, at))
                return True
        return False

    def _is_checked(self, pointer: Variable, at: tuple[str, int]) -> bool:
        """Whether it was checked, or assumed, earlier in the block that the pointer is no fixed number."""
        fixed = self._memory.of_pointer[pointer].region.fixed
        enough = [binary(Operator.MORE, pointer, NOTHING)] if all(number <= 0 for number in fixed) else []
        enough += [binary(Operator.DIFFERENT, pointer, NOTHING)] if fixed <= {0} else []
        for statement in reversed(self._main.block[at[0]].statements[: at[1]]):
            if isinstance(statement, Assume | Assert) and any(c in enough for c in _conjuncts(statement.condition)):
                return True
            if pointer in written(statement):
                return False
        return False

    def followed(self, step: Statement | Terminator) -> list[Variable]:
        """The pointers whose objects the step needs."""
        found: dict[Variable, None] = {}
        for shape in self._memory.shapes.values():
            found.update(dict.fromkeys(touched(step, shape.region)))
        if isinstance(step, Assign) and step.target in self._memory.of_field and isinstance(step.value, Store):
            pair = base_and_displacement(step.value.index)
            if pair is not None:
                found[pair[0]] = None
        return list(found)

    def _end(self, path: Path, terminator: Terminator) -> None:
        match terminator:
            case Branch(condition, then, otherwise, span):
                path.null_has_nothing(condition)
                test = path.read(condition)
                ends = [self._arrival(path, target) for target in (then, otherwise)]
                path.close(Branch(test, ends[0], ends[1], span))
            case Goto(target, span):
                path.close(Goto(self._arrival(path, target), span))
            case Return() | Stop():
                path.close(rewrite_terminator(terminator, path.read))

    def _arrival(self, path: Path, target: str) -> str:
        """Where the path goes on; on the way to the head of a loop it packs what does not stay unpacked."""
        unpacked = path.unpacked.alive(self._live[target])
        if target not in self._heads or not unpacked.slots:
            return self._label((target, 0, unpacked))
        on_the_way = Path(self._memory, self, self.fresh(target), unpacked)
        on_the_way.pack_for_loop(self._plan.focus)
        settled = on_the_way.unpacked
        on_the_way.close(Goto(self._label((target, 0, settled))))
        return on_the_way.label

    # What paths need

    def fresh(self, wish: str) -> str:
        self._counts[wish] = self._counts.get(wish, 0) + 1
        return f"{wish}.${self._counts[wish] - 1}" if self._counts[wish] > 1 else f"{wish}.$"

    def place(self, label: str, position: int, unpacked: Unpacked) -> str:
        return self._label((label, position, unpacked))

    def add(self, block: Block) -> None:
        self._blocks.append(block)


def _written_through(program: Program) -> frozenset[str]:
    stores = (s.value for p in program.procedures for b in p.blocks for s in b.statements if isinstance(s, Assign))
    bases = (base_and_displacement(store.index) for store in stores if isinstance(store, Store))
    return frozenset(pair[0].name for pair in bases if pair is not None)


def _conjuncts(condition: Expression) -> list[Expression]:
    if isinstance(condition, Binary) and condition.operator is Operator.AND:
        return [*_conjuncts(condition.left), *_conjuncts(condition.right)]
    return [condition]
