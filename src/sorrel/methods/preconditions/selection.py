"""Which conditions together exclude every call that goes wrong, and still let the function do its work."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from sorrel.methods.preconditions.atoms import Atom
from sorrel.methods.preconditions.sampling import Call, Judge
from sorrel.model.values import dataclass

MOST_TOGETHER, MOST_TRIED, MOST_BRANCHES, MOST_KEPT = 5, 600, 10, 40
LIKELY, HEAVY = 0.12, 0.01
"""What it is worth, as a share of the calls, that the program makes a comparison itself; and what each word costs."""


def conjoined(texts: Iterable[str]) -> str:
    """All of them, each by itself."""
    return " && ".join(f"({each})" if "==>" in each or "||" in each else each for each in texts)


@dataclass(frozen=True, slots=True, eq=False)
class Candidate:
    """Conditions that exclude all calls that went wrong; `kept` of the `safe` calls satisfy them."""

    atoms: tuple[Atom, ...]
    kept: int
    safe: int

    @property
    def score(self) -> float:
        likely = sum(atom.likely for atom in self.atoms)
        weight = sum(atom.weight for atom in self.atoms)
        return self.kept / max(1, self.safe) + LIKELY * likely - HEAVY * weight

    @property
    def text(self) -> str:
        return conjoined(each.text for each in self.atoms)


class Selection:
    """Sets of calls are numbers, one bit for each call."""

    def __init__(self, atoms: Sequence[Atom], calls: Sequence[Call]) -> None:
        self._atoms = list(atoms)
        self._tests = [Judge(atom.said) for atom in atoms]
        self._calls: list[Call] = []
        self._true = [0] * len(self._atoms)
        for call in calls:
            self.add(call)

    def add(self, call: Call) -> None:
        bit = 1 << len(self._calls)
        self._calls.append(call)
        for position, test in enumerate(self._tests):
            if test.holds(call.state):
                self._true[position] |= bit
        self.__dict__.pop("_safe", None)
        self.__dict__.pop("_groups", None)

    @cached_property
    def _safe(self) -> int:
        return sum(1 << position for position, call in enumerate(self._calls) if call.is_safe)

    @cached_property
    def _groups(self) -> tuple[int, ...]:
        """For each assertion that a safe call gets past, those that do."""
        found: dict[object, int] = {}
        for position, call in enumerate(self._calls):
            for place in call.reached if call.is_safe else ():
                found[place] = found.get(place, 0) | 1 << position
        return tuple(dict.fromkeys(found.values()))

    def _covers(self, admitted: int) -> bool:
        """Whether some call that is admitted gets past each assertion that any safe call gets past.

        Without this the best conditions are those under which the function refuses to work.
        """
        return bool(admitted & self._safe) and all(admitted & group for group in self._groups)

    def candidates(self) -> list[Candidate]:
        """The best first."""
        found: dict[frozenset[int], Candidate] = {}
        every = (1 << len(self._calls)) - 1
        for chosen in dict.fromkeys(map(frozenset, self._search(every))):
            needed = self._without_what_is_not_needed(chosen, every)
            if needed not in found:
                found[needed] = self._candidate(sorted(needed), every)
        return sorted(found.values(), key=lambda each: -each.score)[:MOST_KEPT]

    def strengthened(self, candidate: Candidate, texts: Sequence[str]) -> Iterator[Candidate]:
        """The candidate with one more condition, which must still let the function do its work."""
        every = (1 << len(self._calls)) - 1
        own = [position for position, atom in enumerate(self._atoms) if atom in candidate.atoms]
        for position, atom in enumerate(self._atoms):
            if atom.text in texts and self._covers(self._admitted([*own, position], every)):
                yield self._candidate([*own, position], every)

    def together(self, atoms: Sequence[Atom]) -> Candidate | None:
        """These conditions, if they let the function do its work."""
        every = (1 << len(self._calls)) - 1
        chosen = [position for position, atom in enumerate(self._atoms) if atom in atoms]
        return self._candidate(chosen, every) if self._covers(self._admitted(chosen, every)) else None

    def _candidate(self, chosen: Sequence[int], every: int) -> Candidate:
        kept = self._admitted(chosen, every) & self._safe
        return Candidate(tuple(self._atoms[p] for p in chosen), kept.bit_count(), self._safe.bit_count())

    def _admitted(self, chosen: Iterator[int] | Sequence[int], every: int) -> int:
        admitted = every
        for position in chosen:
            admitted &= self._true[position]
        return admitted

    def _without_what_is_not_needed(self, chosen: Iterable[int], every: int) -> frozenset[int]:
        kept = list(chosen)
        for position in sorted(chosen, key=lambda each: -self._atoms[each].weight):
            rest = [each for each in kept if each != position]
            if not self._admitted(rest, every) & ~self._safe:
                kept = rest
        return frozenset(kept)

    def _search(self, every: int) -> Iterator[tuple[int, ...]]:
        """Each step excludes one more call that goes wrong, by the conditions that keep most of the others."""
        pending: list[tuple[tuple[int, ...], int]] = [((), every)]
        tried = 0
        while pending and tried < MOST_TRIED:
            chosen, admitted = pending.pop()
            wrong = admitted & ~self._safe
            if not wrong:
                yield chosen
                continue
            if len(chosen) >= MOST_TOGETHER:
                continue
            tried += 1
            first = wrong & -wrong
            options = [p for p, true in enumerate(self._true) if not true & first and self._covers(admitted & true)]
            options.sort(key=lambda p: self._worth(p, admitted))
            pending += [((*chosen, p), admitted & self._true[p]) for p in options[-MOST_BRANCHES:]]

    def _worth(self, position: int, admitted: int) -> float:
        atom, safe = self._atoms[position], admitted & self._safe
        kept = (safe & self._true[position]).bit_count() / max(1, safe.bit_count())
        wrong = admitted & ~self._safe
        excluded = (wrong & ~self._true[position]).bit_count() / max(1, wrong.bit_count())
        return kept + 0.5 * excluded + LIKELY * atom.likely - HEAVY * atom.weight
