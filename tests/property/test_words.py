"""Numbers in a graph: what is known of them, what a model makes of them and what the solver says, against a run."""

from __future__ import annotations

import random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from programs import BYTE, INT, SMALL, SMALLS, UNSIGNED, expression, random_value
from sorrel.encode.bounds import Bounds
from sorrel.encode.cells import Arrays, Cells, Content
from sorrel.encode.unrolled_expressions import Expressions
from sorrel.encode.unrolled_operations import TooWide
from sorrel.encode.unrolled_state import State
from sorrel.logic.graph import Graph
from sorrel.logic.graph_model import Model
from sorrel.logic.node import Node, Open, Truth, range_of
from sorrel.program.evaluation import UndefinedOperation, compile, evaluate
from sorrel.program.expression import Variable
from sorrel.program.types import BOOLEAN, UNBOUNDED, Array, Type
from sorrel.program.value import ArrayValue, Value
from sorrel.smt.word_solver import WordSolver

TYPES: tuple[Type, ...] = (BOOLEAN, SMALL, BYTE, INT, UNSIGNED, UNBOUNDED, SMALLS)
SCOPE = tuple(Variable(f"{letter}{number}", type) for number, type in enumerate(TYPES) for letter in "ab")


def chosen(values: dict[str, Value], graph: Graph) -> Model:
    """A model in which the variables of the scope have these values."""

    def choose(node: Node) -> int:
        array, *index = node.parts
        if not isinstance(array, Open):
            return int(values[str(array).split("!")[0]])  # type: ignore[arg-type]
        whole = values[array.name.split("!")[0]]
        assert isinstance(whole, ArrayValue)
        return int(whole[model.value(index[0])])  # type: ignore[arg-type]

    model = Model(choose)
    return model


@given(data=st.data(), seed=st.integers(0, 1000), narrow=st.booleans())
def test_a_run_a_model_and_the_solver_agree_on_every_value_and_it_is_among_those_that_are_known(
    data: st.DataObject, seed: int, narrow: bool
) -> None:
    type = data.draw(st.sampled_from([each for each in TYPES if not isinstance(each, Array)]))
    drawn = expression(data.draw, type, SCOPE, functions=False, depth=3)
    source, graph, left_out = random.Random(seed), Graph(), list[Truth]()
    values = {each.name: random_value(each.type, source) for each in SCOPE}

    def leave_out(condition: Truth, state: State) -> None:
        left_out.append(graph.conjunction(state.guard(graph), condition))

    expressions = Expressions(graph, Arrays(graph), frozenset(), False, leave_out)
    state = State({}, {}, Bounds())
    for each in SCOPE:
        state.locals[each.name] = expressions.fresh(each.name, each.type)
        if narrow:
            _learn(state, graph, state.locals[each.name], values[each.name], source)
    try:
        found = expressions.evaluate(state, drawn)
    except TooWide:
        return
    model = chosen(values, graph)
    if any(model.holds(each) for each in left_out):
        return
    try:
        wanted = evaluate(compile(drawn, frozenset()), values, {}, _no_function)
    except UndefinedOperation:
        assert not model.holds(state.path.guard)
        return
    assert model.holds(state.path.guard)
    assert model.value(found) == wanted
    low, high = state.bounds.of(found)
    assert low <= int(wanted) <= high  # type: ignore[arg-type]
    own = range_of(found)
    assert own[0] <= int(wanted) <= own[1]  # type: ignore[arg-type]
    solver = WordSolver()
    solver.add(state.path.guard)
    solver.add(_said(graph, state.locals, model))
    is_wanted: Truth = found if type == BOOLEAN else graph.equal(found, int(wanted), own, (int(wanted),) * 2)  # type: ignore
    if type == BOOLEAN and not wanted:
        is_wanted = graph.negation(found)
    assert solver.ask([is_wanted], lambda: False)
    assert not solver.ask([graph.negation(is_wanted)], lambda: False)


def _learn(state: State, graph: Graph, content: Content, value: Value, source: random.Random) -> None:
    """Something that is true of the value."""
    if isinstance(content, Node) and not content.is_truth and isinstance(value, int):
        most = value + source.choice((0, 1, 10))
        state.meet(graph, graph.negation(graph.less(most, content, (most, most), range_of(content))))
        least = value - source.choice((0, 1, 10))
        state.meet(graph, graph.negation(graph.less(content, least, range_of(content), (least, least))))


def _said(graph: Graph, contents: dict[str, Content], model: Model) -> Truth:
    """All that was chosen has the value that the model gives it."""
    said: Truth = True
    for content in contents.values():
        nodes = list(content.base.elements.values()) if isinstance(content, Cells) else [content]  # type: ignore
        indices = list(content.base.elements) if isinstance(content, Cells) else []  # type: ignore[union-attr]
        for node in (*nodes, *indices):
            if not isinstance(node, Node):
                continue
            value = model.value(node)
            equal = node if node.is_truth else graph.equal(node, value, range_of(node), (value, value))
            said = graph.conjunction(said, graph.negation(equal) if node.is_truth and not value else equal)
    return said


def _no_function(function: str, arguments: tuple[Value, ...], type: Type) -> Value:
    raise AssertionError(function)


@pytest.mark.parametrize("size", [1, 7, 64, 200])
def test_an_element_is_found_behind_all_that_was_written_and_chosen(size: int) -> None:
    """Against a list that is changed in the same way, for values that are drawn."""
    source, graph, bounds = random.Random(size), Graph(), Bounds()
    start = [source.randrange(256) for _ in range(size)]
    whole, numbers, arrays = list(start), dict[Node, int](), Arrays(graph)

    def choose(node: Node) -> int:
        return start[model.value(node.parts[1])] if node.kind == "element" else numbers[node]  # type: ignore[arg-type]

    model, array = Model(choose), Cells(Open("a", 0, 255, False), {})
    for number in range(30):
        index, test = (
            graph.variable(f"i{number}", 0, size - 1 if number % 3 else 1 << 20),
            graph.truth_variable(f"t{number}"),
        )
        place, value = source.randrange(size), source.randrange(256)
        numbers[test] = source.randrange(2)
        if isinstance(index, Node):
            numbers[index] = place
            index = index if number % 2 else graph.choice(test, place, 0, (place, place), (0, 0))
        place = model.value(index)
        assert model.value(arrays.read(array, index, bounds)) == whole[place]  # type: ignore[arg-type]
        array = arrays.array_choice(test, arrays.written(array, index, value, bounds), array)
        if numbers[test]:
            whole[place] = value


def test_an_element_is_read_by_a_choice_of_indices_some_of_which_are_known_not_to_be_it() -> None:
    for seed in range(300):
        source, graph, known = random.Random(seed), Graph(), Bounds()
        start = [source.randrange(256) for _ in range(6)]
        tests = [graph.truth_variable(f"t{number}") for number in range(3)]
        numbers = {test: source.randrange(2) for test in tests}
        elements = dict(enumerate(start))

        def choose(node: Node, numbers: dict[Node, int] = numbers, elements: dict[int, int] = elements) -> int:
            return numbers[node] if node in numbers else elements[node.parts[1]]  # type: ignore[index]

        model = Model(choose)
        index: Content = source.randrange(6)
        for test in source.choices(tests, k=4):
            place = source.randrange(6)
            index = graph.choice(test, place, index, (place, place), range_of(index))  # type: ignore[arg-type]
        if not isinstance(index, Node):
            continue
        value, other = model.value(index), source.randrange(6)
        assert known.learn_value(index, other, value == other)
        low, high = known.of(index)
        assert low <= value <= high
        assert model.value(Arrays(graph).read(Cells(Open("a", 0, 255, False), {}), index, known)) == start[value]  # type: ignore
