"""What is told about a program: proved, read back from its text, and true in runs of the program.

The certificate is about clauses. That a text says what was proved is checked when the text is made; that what was
proved is about this program, by running it with the conditions inside.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace

from sorrel.contracts.checks import Claim, with_claims
from sorrel.contracts.elements import kept
from sorrel.contracts.frames import left_alone
from sorrel.contracts.meaning import meaning
from sorrel.contracts.reading import Dialect
from sorrel.encode.contracts import WITHHELD, Told
from sorrel.encode.encoding import Encoding
from sorrel.encode.points import Place
from sorrel.explain.frames import narrowed
from sorrel.explain.plan import PLAN
from sorrel.horn.verdict import Summaries
from sorrel.model.errors import complain
from sorrel.model.outcome import ProgramContract
from sorrel.model.work import METER
from sorrel.program.interpreter import Prepared, run
from sorrel.program.program import CONTRACT, Program
from sorrel.program.run import Violated
from sorrel.program.statement import Assert
from sorrel.smt.solver import Oracle
from sorrel.smt.statistics import Statistics
from sorrel.testing.probe import choosers, constants_of

MOST_RUNS, MOST_STEPS = 60, 5_000
"""For all conditions together, and for one run; most go wrong at once if they do."""


MOST_LINES = 3
"""Of what a function does; what it is owed comes on top."""
_FRAME = "what a frame does not list is as it was"


def contracts(
    encoding: Encoding, summaries: Summaries, oracle: Oracle, proved: Summaries | None = None
) -> tuple[ProgramContract, ...]:
    """The summaries as contracts and invariants, without what does not survive; `proved` may be more than is told."""
    told = narrowed(encoding, encoding.told(summaries, oracle), proved or summaries, oracle)
    return surviving(encoding.program, told, oracle.clock.remaining(PLAN.running), oracle.statistics)


def short(contracts: Sequence[ProgramContract]) -> tuple[ProgramContract, ...]:
    """Each in a few lines: what is longest is left out, where nothing depends on all being told.

    Values by cases are exact, so that they go last.
    """
    return tuple(map(_short, contracts))


def _short(contract: ProgramContract) -> ProgramContract:
    while len(contract.clauses) - len(contract.requires) > MOST_LINES and contract.conjuncts:
        plain = [text for text in contract.conjuncts if " == (" not in text]
        longest = (plain or contract.conjuncts)[-1]
        contract = replace(contract, conjuncts=tuple(text for text in contract.conjuncts if text != longest))
    return contract


def surviving(
    program: Program, told: Sequence[Told], seconds: float, statistics: Statistics
) -> tuple[ProgramContract, ...]:
    """The contracts without conditions that are false in a run."""
    placed = [(position, claim) for position, each in enumerate(told) for claim in _claims(program, each)]
    false = set(falsified(program, [claim for _, claim in placed], seconds))
    for claim in false:
        statistics.counts[WITHHELD] = statistics.counts.get(WITHHELD, 0) + 1
        if not claim.at_entry:
            complain(f"{claim.text} is told of {claim.procedure}, and false in a run", claim.span)
    gone = {(position, claim.at_entry, claim.text) for position, claim in placed if claim in false}
    return tuple(_without(each.contract, position, gone) for position, each in enumerate(told))


def falsified(program: Program, claims: Sequence[Claim], seconds: float) -> list[Claim]:
    """Those of the claims that some run finds false."""
    deadline = METER.now() + seconds
    found: list[Claim] = []
    left = list(claims)
    prepared: Prepared = {}
    watched = with_claims(program, left)
    for choose in choosers(constants_of(program), MOST_RUNS):
        while left and METER.now() < deadline:
            end = run(watched, choose, steps=MOST_STEPS, prepared=prepared).end
            broken = [c for c in left if isinstance(end, Violated) and end.assertion == c.assertion]
            if not broken:
                break
            found += broken
            left = [claim for claim in left if claim not in broken]
            watched, prepared = with_claims(program, left), {}
    return found


def violates(program: Program, is_wanted: Callable[[Assert], bool], seconds: float) -> bool:
    """Whether some run finds such an assertion false."""
    deadline = METER.now() + seconds
    prepared: Prepared = {}
    for choose in choosers(constants_of(program), MOST_RUNS):
        if METER.now() > deadline:
            return False
        end = run(program, choose, steps=MOST_STEPS, prepared=prepared).end
        if isinstance(end, Violated) and is_wanted(end.assertion):
            return True
    return False


def _claims(program: Program, told: Told) -> Iterator[Claim]:
    contract, point, known = told.contract, told.point, told.known
    label = CONTRACT if point.place is Place.FUNCTION else point.label
    if contract.assigns is not None:
        same = left_alone(contract.assigns, program, program.procedure[point.procedure])
        if same is not None:
            yield Claim(point.procedure, label, same, _FRAME, contract.span)
        for places in _by_array(contract.assigns):
            others = kept(places, known, program)
            if others is not None:
                yield Claim(point.procedure, label, others, _FRAME, contract.span)
    for text in contract.conjuncts:
        said = meaning(text, Dialect.ACSL, known, contract.span)
        yield Claim(point.procedure, label, said, text, contract.span)
    for text in contract.in_c:
        said = meaning(text, Dialect.C, known, contract.span)
        yield Claim(point.procedure, label, said, text, contract.span)
    for text in contract.requires:
        said = meaning(text, Dialect.ACSL, known.at_entry, contract.span)
        yield Claim(point.procedure, label, said, text, contract.span, at_entry=True)


def _by_array(assigned: Sequence[str]) -> Iterator[list[str]]:
    """The places that are elements, those of one array together."""
    bases = dict.fromkeys(place.rpartition("[")[0] for place in assigned if place.endswith("]"))
    for base in bases:
        yield [place for place in assigned if place.endswith("]") and place.rpartition("[")[0] == base]


def _without(contract: ProgramContract, position: int, gone: set[tuple[int, bool, str]]) -> ProgramContract:
    """What is required is of use only as a whole."""
    lost = any((position, True, text) in gone for text in contract.requires)
    return replace(
        contract,
        conjuncts=tuple(text for text in contract.conjuncts if (position, False, text) not in gone),
        in_c=tuple(text for text in contract.in_c if (position, False, text) not in gone),
        requires=() if lost else contract.requires,
        assigns=None if (position, False, _FRAME) in gone else contract.assigns,
    )
