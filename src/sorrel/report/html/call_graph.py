"""A drawing of which procedures call which: layers from callers to callees, as coordinates for an SVG.

Procedures that call each other stand in one layer, edges that span several layers go through points of their own, and
each layer is ordered by the places of its neighbours (Sugiyama, Tagawa and Toda, Methods for visual understanding of
hierarchical system structures, 1981).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise

from sorrel.model.components import strongly_connected
from sorrel.model.outline import ProcedureOutline
from sorrel.model.values import dataclass

WIDTH, HEIGHT, GAP, LAYER = 8, 26, 18, 64
"""Of a character and a box, between boxes, and from layer to layer, in units of the drawing."""
SWEEPS = 8
MOST_PROCEDURES = 300


@dataclass(frozen=True, slots=True)
class Box:
    name: str
    x: float
    y: float
    width: float

    @property
    def middle(self) -> float:
        return self.x + self.width / 2


@dataclass(frozen=True, slots=True)
class Drawing:
    """`edges` are paths in the language of SVG."""

    boxes: tuple[Box, ...]
    edges: tuple[str, ...]
    width: float
    height: float


def drawing(procedures: Sequence[ProcedureOutline]) -> Drawing | None:
    """Nothing if there is nothing to see, or too much of it."""
    if not 2 <= len(procedures) <= MOST_PROCEDURES:
        return None
    calls = {p.name: [c.procedure for c in p.calls if c.procedure != p.name] for p in procedures}
    layers = _layered(calls)
    depth = {name: number for number, layer in enumerate(layers) for name in layer}
    chains = [_chain(caller, callee, depth) for caller in calls for callee in dict.fromkeys(calls[caller])]
    for chain in chains:
        for point in chain[1:-1]:
            layers[depth[point]].append(point)
    _order(layers, chains)
    boxes = _placed(layers, set(calls))
    edges = tuple(_path([boxes[point] for point in chain]) for chain in chains)
    shown = tuple(boxes[name] for name in calls)
    width = max((box.x + box.width for box in boxes.values()), default=0) + GAP
    return Drawing(shown, edges, width, len(layers) * LAYER)


def _layered(calls: Mapping[str, Sequence[str]]) -> list[list[str]]:
    """Each component below all those that call it."""
    order = list(reversed(strongly_connected({name: tuple(callees) for name, callees in calls.items()})))
    of = {name: number for number, component in enumerate(order) for name in component}
    level = [0] * len(order)
    for number, component in enumerate(order):
        for name in component:
            for callee in calls[name]:
                if of[callee] != number:
                    level[of[callee]] = max(level[of[callee]], level[number] + 1)
    layers: list[list[str]] = [[] for _ in range(max(level, default=-1) + 1)]
    for name in calls:
        layers[level[of[name]]].append(name)
    return layers


def _chain(caller: str, callee: str, depth: dict[str, int]) -> list[str]:
    """The procedures, with a point in each layer between them."""
    between = []
    for layer in range(depth[caller] + 1, depth[callee]):
        point = f"{caller} {callee} {layer}"  # names have no blanks
        depth[point] = layer
        between.append(point)
    return [caller, *between, callee]


def _order(layers: list[list[str]], chains: Sequence[Sequence[str]]) -> None:
    above: dict[str, list[str]] = {}
    below: dict[str, list[str]] = {}
    for chain in chains:
        for upper, lower in pairwise(chain):
            above.setdefault(lower, []).append(upper)
            below.setdefault(upper, []).append(lower)
    for sweep in range(SWEEPS):
        downwards = sweep % 2 == 0
        neighbours = above if downwards else below
        for number in range(1, len(layers)) if downwards else range(len(layers) - 2, -1, -1):
            beside = layers[number - 1] if downwards else layers[number + 1]
            place = {name: position for position, name in enumerate(beside)}
            own = {name: position for position, name in enumerate(layers[number])}
            layers[number].sort(key=lambda name: _barycentre(name, neighbours, place, own[name]))


def _barycentre(name: str, neighbours: Mapping[str, Sequence[str]], place: Mapping[str, int], otherwise: int) -> float:
    found = [place[each] for each in neighbours.get(name, ()) if each in place]
    return sum(found) / len(found) if found else otherwise


def _placed(layers: Sequence[Sequence[str]], named: set[str]) -> dict[str, Box]:
    boxes: dict[str, Box] = {}
    widths = [sum(_width(name, named) + GAP for name in layer) for layer in layers]
    widest = max(widths, default=0)
    for number, layer in enumerate(layers):
        x = GAP + (widest - widths[number]) / 2
        for name in layer:
            boxes[name] = Box(name, x, number * LAYER + GAP, _width(name, named))
            x += _width(name, named) + GAP
    return boxes


def _width(name: str, named: set[str]) -> float:
    return WIDTH * len(name) + 20 if name in named else 2


def _path(boxes: Sequence[Box]) -> str:
    """From box to box; between procedures of one layer as an arc below them."""
    first, last = boxes[0], boxes[-1]
    if first.y == last.y:
        low = first.y + HEIGHT
        return f"M{first.middle:g} {low:g} {_curve(first.middle, low + 24, last.middle, low)}"
    if last.y < first.y:
        return f"M{first.middle:g} {first.y:g} L{last.middle:g} {last.y + HEIGHT:g}"
    text = f"M{first.middle:g} {first.y + HEIGHT:g}"
    for upper, lower in pairwise(boxes):
        start = upper.y + HEIGHT
        text += f" L{upper.middle:g} {start:g} {_curve(upper.middle, (start + lower.y) / 2, lower.middle, lower.y)}"
    return text


def _curve(from_x: float, between: float, to_x: float, to_y: float) -> str:
    return f"C{from_x:g} {between:g} {to_x:g} {between:g} {to_x:g} {to_y:g}"
