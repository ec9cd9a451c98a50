"""Types that are told: as short as they can be said, read back from their text, and true in runs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import PurePath

from sorrel.encode.contracts import WITHHELD
from sorrel.encode.refinement.encoding import Encoding
from sorrel.encode.refinement.readback import Readback
from sorrel.encode.refinement.types import RefinementTypes
from sorrel.encode.refinement.values import FunctionRefinement
from sorrel.frontends import ocaml
from sorrel.functional.claims import CHECK, claim
from sorrel.functional.execution import Kind, Violated
from sorrel.functional.exploration import choosers
from sorrel.functional.interpreter import execute
from sorrel.functional.refined import Refined, RefinedFunction, RefinedValue, read_refined
from sorrel.horn.verdict import Summaries
from sorrel.methods.functional.plan import PLAN
from sorrel.model.errors import InputError, Span, complain
from sorrel.model.outcome import ContractKind, ProgramContract
from sorrel.model.source import Source
from sorrel.model.values import dataclass
from sorrel.model.work import METER
from sorrel.smt.solver import Oracle

MOST_RUNS, MOST_STEPS = 60, 5_000
"""For one function, and for one run of it."""
CLAIMS = "sorrel_claims.ml"


@dataclass(frozen=True, slots=True)
class NamedFunction:
    """A function to tell the type of: the names of its parameters, where it stands, whether others can call it."""

    name: str
    refinement: FunctionRefinement
    parameters: tuple[str, ...]
    span: Span
    is_public: bool = True
    labels: tuple[str, ...] = ()


def contracts(
    subjects: Sequence[NamedFunction],
    encoding: Encoding,
    summaries: Summaries,
    sources: Sequence[Source],
    oracle: Oracle,
) -> Iterator[ProgramContract]:
    """The types of the functions, without what does not survive."""
    types = RefinementTypes(encoding.shapes, encoding.system, summaries, oracle)
    readback = Readback(encoding.shapes, summaries, oracle, ocaml.read_condition)
    for subject in subjects:
        told = types.told(subject.refinement, subject.parameters)
        if told is None:
            continue
        survived = _read_back(subject, told, readback)
        if survived != told:
            oracle.statistics.counts[WITHHELD] = oracle.statistics.counts.get(WITHHELD, 0) + 1
        if survived is None:
            continue
        if any(_is_excluded(each) for each in survived.parameters):
            continue  # nobody calls it, which says nothing about what it does
        text = survived.labelled(subject.labels)
        if subject.is_public and not _holds_in_runs(subject, str(survived), sources):
            oracle.statistics.counts[WITHHELD] = oracle.statistics.counts.get(WITHHELD, 0) + 1
            complain(f"{text} is told of {subject.name}, and false in a run", subject.span)
            continue
        yield ProgramContract(subject.name, ContractKind.TYPE, subject.span, (f"val {subject.name} : {text}",))


def _is_excluded(refined: Refined) -> bool:
    """Whether no value is of that type."""
    return isinstance(refined, RefinedValue) and "false" in refined.conditions


def _read_back(subject: NamedFunction, told: RefinedFunction, readback: Readback) -> RefinedFunction | None:
    try:
        return readback.surviving(subject.refinement, read_refined(str(told)))
    except InputError:
        return None


def _holds_in_runs(subject: NamedFunction, text: str, sources: Sequence[Source]) -> bool:
    """Whether no run of the function with some arguments shows the type, read from its text, to be false."""
    refined = read_refined(text)
    if not isinstance(refined, RefinedFunction):
        return False
    stem = PurePath(sources[-1].name).name.split(".")[0]
    module = stem[:1].upper() + stem[1:]
    try:
        checking = Source(CLAIMS, f"open {module}\n{claim(f'{module}.{subject.name}', refined, subject.labels)}")
        program = ocaml.read([*sources, checking], CHECK)
    except InputError:
        return True  # what a text cannot call is not run; its certificate was read back
    deadline = METER.now() + PLAN.runs
    for position, choose in enumerate(choosers(program, 0)):
        if position >= MOST_RUNS or METER.now() > deadline:
            break
        end = execute(program, choose, frozenset({Kind.ASSERTION}), steps=MOST_STEPS).end
        if isinstance(end, Violated) and end.span.file == CLAIMS:
            return False
    return True
