"""The theorem of docs/modular-evidence.md, tried out: parts are accepted exactly if the whole is."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from bench.project import generate
from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import encode, encoding_of
from sorrel.encode.pieces import Pieces
from sorrel.evidence.result import Accepted
from sorrel.evidence.summaries import check_summaries
from sorrel.frontends import c
from sorrel.horn.verdict import Summaries
from sorrel.logic import terms
from sorrel.model.budget import Budget
from sorrel.model.source import Source
from sorrel.modular.asking import question
from sorrel.modular.component import Parts, split
from sorrel.modular.finding import find_contract
from sorrel.modular.judging import accepted
from sorrel.program.checks import instrument
from sorrel.program.program import Program
from sorrel.program.statement import Kind

KINDS = frozenset({Kind.ASSERTION, Kind.ERROR_CALL})


def program_of(folder: Path) -> Program:
    files = [Source(str(file)) for file in sorted((folder / "src").glob("*.c"))]
    return instrument(c.read(files, c.CSettings()), KINDS)


def proved(parts: Parts) -> dict[str, terms.Term]:
    """Contracts for all components, found callees first."""
    known: dict[str, terms.Term] = {}
    for component in parts.components:
        asked = question([component], known, goals=not component.is_start)
        found = find_contract(asked, Budget(seconds=60).start())
        known.update((each.name, found.summaries[each.name]) for each in component.own)
    return known


def changed(known: Summaries, chance: random.Random) -> Iterator[Summaries]:
    """The summaries with one of them weakened, strengthened, or taken from another state of affairs."""
    for name in known:
        parts = terms.conjuncts(known[name])
        if len(parts) > 1:
            dropped = chance.randrange(len(parts))
            yield {**known, name: terms.conjunction(p for i, p in enumerate(parts) if i != dropped)}
        yield {**known, name: terms.TRUE}
        yield {**known, name: terms.FALSE}
        yield {**known, name: terms.negation(known[name])}


@pytest.mark.parametrize("seed", [0, *(pytest.param(seed, marks=pytest.mark.long) for seed in (1, 2))])
def test_summaries_are_accepted_component_by_component_exactly_if_for_the_whole(tmp_path: Path, seed: int) -> None:
    generate(tmp_path, 9, 3, seed)
    pieces = Pieces(program_of(tmp_path), Arithmetic.IDEAL, alone=True)
    encoding, parts = encoding_of(pieces), split(pieces)
    known = proved(parts)
    assert {p.name for p in encoding.system.predicates} == set(known)
    answers = set()
    for summaries in ({**known}, *changed(known, random.Random(seed))):
        whole = isinstance(check_summaries(encoding.system, summaries), Accepted)
        by_parts = all(isinstance(accepted(each, summaries), Accepted) for each in parts.components)
        assert whole == by_parts
        answers.add(whole)
    assert answers == {True, False}


def test_every_clause_belongs_to_one_component(tmp_path: Path) -> None:
    generate(tmp_path, 12, 3, 7)
    program = program_of(tmp_path)
    parts = split(Pieces(program, Arithmetic.IDEAL, alone=True))
    owned = [clause.name for component in parts.components for clause in component.system.clauses]
    whole = encode(program, Arithmetic.IDEAL, alone=True).system
    assert sorted(owned) == sorted(clause.name for clause in whole.clauses)


def test_the_clauses_of_a_component_do_not_depend_on_which_were_made_before(tmp_path: Path) -> None:
    generate(tmp_path, 12, 3, 5)
    program = program_of(tmp_path)
    forwards, backwards = (split(Pieces(program, Arithmetic.IDEAL, alone=True)).components for _ in range(2))
    found = {each.name: [str(clause) for clause in each.system.clauses] for each in reversed(backwards)}
    assert {each.name: [str(clause) for clause in each.system.clauses] for each in forwards} == found


def test_callees_come_before_callers(tmp_path: Path) -> None:
    generate(tmp_path, 12, 3, 7)
    parts = split(Pieces(program_of(tmp_path), Arithmetic.IDEAL, alone=True))
    place = {component.name: number for number, component in enumerate(parts.components)}
    for component in parts.components:
        assert all(place[callee.name] < place[component.name] for callee in parts.below(component))


def test_what_callers_look_at_makes_no_difference_to_a_procedure() -> None:
    text = """
    int counter; void tick(void) {{ counter = counter + 1; }}
    int main(void) {{ counter = 0; tick(); {after} return 0; }}
    """
    encodings = []
    for after in ("__VERIFIER_assert(counter == 1);", ""):
        source = Source("a.c", "extern void __VERIFIER_assert(int);" + text.format(after=after))
        encodings.append(encode(instrument(c.read([source], c.CSettings()), KINDS), Arithmetic.IDEAL, alone=True))
    first, second = (encoding.system.predicate["tick"] for encoding in encodings)
    assert [a.name for a in first.arguments] == [a.name for a in second.arguments]
