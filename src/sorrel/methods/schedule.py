"""Which methods are tried in which order, from what was seen of the question. The same features give the same schedule.

A schedule has three parts: what is tried first, once, before anything else; lanes that run side by side, each a
sequence of steps; and what is tried last. Lanes are more than processors: they take turns, the first ones first.
docs/schedule.md has the table of features.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import field, replace

from sorrel.methods.features import Features, Subject
from sorrel.methods.method import Method
from sorrel.model.values import dataclass

CLOSED_SHARE, CLOSED_SECONDS = 0.5, 5.0
"""How long a proof is sought of a program whose only run is known to be without an error: a proof says more."""
CONTRACTS_FIRST_SHARE, CONTRACTS_FIRST_SECONDS, WHOLE_SHARE = 0.12, 5.0, 0.6
"""How long contracts have the first chance, and the part of the time for the program as one procedure after that."""
FUNCTIONS_SHARE, PARTS_SHARE = 0.3, 0.8
"""Of the time for a law: with loops as functions, which shows soon; for its parts, which take less if they hold."""
PRODUCT_SHARE, CONFIGURATIONS_SHARE = 0.8, 0.5
RANKS_SHARE = 0.7
INTEGERS_SHARE = 0.7
"""Of clover's time, for clauses over bit-vectors as clauses over integers: most of its guesses are about numbers."""
FACTS_SHARE, FACTS_SECONDS = 0.2, 10.0
LINES_SHARE, LINES_SECONDS = 0.5, 20.0
"""How long limits and lines of floating-point numbers are guessed: what they prove, others seldom find."""
LONG_PROGRAM, RANGES_SHARE, RANGES_SECONDS = 17, 0.6, 40.0
"""From so many blocks on ranges come before clover, which seldom ends there in time."""
MUTATION_SHARE, MUTATION_SECONDS = 0.3, 20.0
"""Of the time for a long program, beside its proofs: errors that need a text or many calls are found by running it."""
HUGE_PROGRAM, CLOVER_SHARE = 36, 0.5
"""From so many blocks on what proves is one lane, ranges first, so that this and following runs have a processor each
of the two that there often are; clover's part of what the others left."""
UNROLLING_SHARE = 0.6
"""Of the time that is left then, for following all runs of a program with a loop that has no end."""
SOON_SHARE, SOON_SECONDS, FOLLOWING_SHARE = 0.06, 3.0, 0.75
"""Where loops have an end, for following at first and later on: it is of no use in parts."""
MUTATION_SOON_SHARE, MUTATION_SOON_SECONDS = 0.15, 8.0
"""Before the long part: most errors that runs by mutation find are found in so much."""


@dataclass(frozen=True, slots=True)
class Step:
    """A method with its options, and the part of the time left that it may use, at most so many seconds.

    `late`: it is tried only if the step before it ran out of time, and not if that had nothing left to try.
    """

    method: str
    options: tuple[tuple[str, str], ...] = ()
    share: float = 1.0
    seconds: float = 3600.0
    late: bool = False

    def __str__(self) -> str:
        given = ", ".join(f"{name}={value}" for name, value in self.options)
        return f"{self.method}({given})" if given else self.method


Lane = tuple[Step, ...]


@dataclass(frozen=True, slots=True)
class Schedule:
    """`share` and `seconds` limit the lanes, so that there is time for what comes last."""

    lanes: tuple[Lane, ...]
    first: tuple[Step, ...] = ()
    last: tuple[Step, ...] = ()
    share: float = 1.0
    seconds: float = field(default=3600.0)

    def __str__(self) -> str:
        lanes = " | ".join(" → ".join(map(str, lane)) for lane in self.lanes)
        parts = [", ".join(map(str, self.first)), lanes, ", ".join(map(str, self.last))]
        return "; ".join(part for part in parts if part)

    def without(self, method: str) -> Schedule:
        """What is left if nobody may ask this method, or use it on the way."""

        def rest(steps: Lane) -> Lane:
            return tuple(step for step in steps if step.method != method and ("engine", method) not in step.options)

        lanes = tuple(filter(None, map(rest, self.lanes)))
        return replace(self, lanes=lanes, first=rest(self.first), last=rest(self.last))

    @property
    def names(self) -> tuple[str, ...]:
        """The methods that take part, each once."""
        steps = (*self.first, *(step for lane in self.lanes for step in lane), *self.last)
        return tuple(dict.fromkeys(step.method for step in steps))


def only(methods: Sequence[Method]) -> Schedule:
    """The methods that were named, side by side, and nothing else."""
    return Schedule(tuple((Step(method.name),) for method in methods))


def schedule(features: Features) -> Schedule:
    """What is tried by default."""
    return _SCHEDULES[features.subject](features)


def _engine(name: str) -> tuple[tuple[str, str], ...]:
    return (("engine", name),)


def _clauses(features: Features) -> Schedule:
    if features.obligations:
        return Schedule(((Step("hsf"),),))
    lanes: list[Lane] = [(Step("slices"),), (Step("clover"),)]
    if features.bits:
        lanes[-1] = (Step("clover", (("passes", "integers"),), INTEGERS_SHARE), *lanes[-1])
    if features.copies:
        lanes.insert(0, (Step("flower"),))
    if features.bits and features.roles:
        lanes.insert(0, (Step("cdnf"),))
    return Schedule(tuple(lanes))


def _rule(features: Features) -> Schedule:
    first = () if features.obligations else (Step("interleavings"),)
    return Schedule(_clauses(features).lanes, first)


def _program(features: Features) -> Schedule:
    looking = (Step("running"), Step("exploration"))
    long = features.clauses >= LONG_PROGRAM and not features.closed
    lanes = _proved(features, _guessed(features, long=long))
    if long:
        lanes = (*lanes, _followed(features))
    if features.calls and features.many:
        lanes = (*lanes, (Step("whale"),))
    if features.linked:
        lanes = ((Step("linked"),), *lanes)
    if features.closed:
        return Schedule(lanes, looking, (Step("only-run"),), CLOSED_SHARE, CLOSED_SECONDS)
    return Schedule(lanes, looking)


def _guessed(features: Features, *, long: bool) -> Lane:
    ranges = Step("whole", _engine("ranges")) if features.calls else Step("ranges")
    steps = (replace(ranges, share=RANGES_SHARE, seconds=RANGES_SECONDS),) if long else ()
    lines = (Step("lines", share=LINES_SHARE, seconds=LINES_SECONDS),) if features.floats else ()
    return (*lines, *steps, Step("clover"))


def _proved(features: Features, guesses: Lane) -> tuple[Lane, ...]:
    """Contracts, the program as a whole, and guesses: side by side, or one after the other if other lanes take long."""
    contracts, whole = Step("slices"), Step("whole", share=WHOLE_SHARE, late=True)
    early = replace(contracts, share=CONTRACTS_FIRST_SHARE, seconds=CONTRACTS_FIRST_SECONDS)
    if features.closed:
        return ((contracts,), guesses)
    if features.limited and features.clauses >= HUGE_PROGRAM:
        ranges, clover = guesses[:-1], replace(guesses[-1], share=CLOVER_SHARE)
        return ((*ranges, early, *((replace(whole, late=False),) if features.calls else ()), clover, contracts),)
    if not features.calls:
        return ((contracts,), guesses)
    if features.limited:
        return ((early, whole, replace(contracts, late=True)), guesses)
    return ((contracts,), guesses, (Step("whole"),))


def _followed(features: Features) -> Lane:
    """All runs at once beside single ones: what either finds soon it finds before the other takes long."""
    mutation = Step("mutation", share=MUTATION_SHARE, seconds=MUTATION_SECONDS)
    if features.floats:
        return (mutation,)
    early = replace(mutation, share=MUTATION_SOON_SHARE, seconds=MUTATION_SOON_SECONDS)
    if features.endless:
        return (early, Step("unrolling", share=UNROLLING_SHARE), mutation, Step("unrolling"))
    soon = Step("unrolling", share=SOON_SHARE, seconds=SOON_SECONDS)
    return (soon, early, Step("unrolling", share=FOLLOWING_SHARE), mutation, Step("unrolling"))


def _ending(_: Features) -> Schedule:
    return Schedule(((Step("ranks", share=RANKS_SHARE), Step("hsf")),), (Step("lasso"), Step("recurrent-set")))


def _functional_ending(_: Features) -> Schedule:
    return Schedule(((Step("ranks", share=RANKS_SHARE), Step("hsf")),), (Step("lasso"),))


def _threads(_: Features) -> Schedule:
    by = {name: _engine(name) for name in ("slices", "clover")}
    first = (
        Step("product", by["slices"], PRODUCT_SHARE),
        Step("configurations", share=CONFIGURATIONS_SHARE),
        Step("thread-rules", by["slices"]),
    )
    second = (
        Step("configurations", share=CONFIGURATIONS_SHARE / 2),
        Step("product", (*by["clover"], ("comparisons", "off")), PRODUCT_SHARE),
        Step("thread-rules", by["clover"]),
    )
    return Schedule((first, second), (Step("interleavings"),))


def _relation(_: Features) -> Schedule:
    other = Step("differing-runs", (("seed", "1"),), share=0.3)
    return Schedule(((Step("flower"),), (other, Step("spacer"))), (Step("labels"), Step("differing-runs")))


def _law(_: Features) -> Schedule:
    def lane(engine: str, *, functions: bool = True) -> Lane:
        by = _engine(engine)
        loops = (Step("functions", by, FUNCTIONS_SHARE),) if functions else ()
        return (*loops, Step("parts", by, PARTS_SHARE), Step(engine))

    return Schedule((lane("flower"), lane("spacer"), lane("synonym", functions=False)))


def _functional(features: Features) -> Schedule:
    lanes = ((Step("slices"),), (Step("facts", share=FACTS_SHARE, seconds=FACTS_SECONDS), Step("clover")))
    if features.closed:
        return Schedule(lanes, (Step("running"),), (Step("only-run"),), CLOSED_SHARE, CLOSED_SECONDS)
    return Schedule(lanes, (Step("running"),))


_SCHEDULES = {
    Subject.CLAUSES: _clauses,
    Subject.RULE: _rule,
    Subject.PROGRAM: _program,
    Subject.ENDING: _ending,
    Subject.THREADS: _threads,
    Subject.RELATION: _relation,
    Subject.LAW: _law,
    Subject.FUNCTIONAL: _functional,
    Subject.FUNCTIONAL_ENDING: _functional_ending,
}
