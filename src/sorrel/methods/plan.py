"""What methods of one module may use for what, in planned seconds (docs/plans.md)."""

from __future__ import annotations

from sorrel.model.plan import Part
from sorrel.model.values import dataclass


@dataclass(frozen=True, slots=True)
class Plan:
    left_for_last: Part
    """Lanes leave it for what comes last."""
    kept_back: Part
    """Kept back from an engine so that its answer can still be lifted and checked."""
    explanation: Part
    """Kept back from an attempt, for telling what it found."""
    ideal: Part
    """An attempt that another one may follow."""
    probe: float
    """Running a program before anything else."""
    alone: float
    """A share, for the only run of a program: it is made again to be accepted, and to see what it prints."""
    exploring: Part
    """From state to state. Errors that are found in this way are found soon."""
    invariance: Part
    """An invariant at each loop of the program as a whole: predicate abstraction likes one call a clause."""
    rule: Part
    """Predicate abstraction by each rule for threads but the last: with few places, invariance decides most."""
    linked: float
    """A share, for one attempt without the memory of objects; its rounds are in linked.py."""
    linked_counting: Part
    """The same by relations of lengths and counters."""
    linked_hazard: float
    """Whether memory is used as it may be, once more."""
    ranks_told: Part
    """Ranks in the words of the program."""
    ranks_told_question: float
    function_summary: float
    """Each of several functions: what is found later is seldom worth the wait."""
    settling: Part
    """Whether what a proof assumes holds."""
    settling_least: float
    """At most, if the proof was short."""
    settling_of_proof: float
    """At most so many times what the proof took, between these two."""
    settling_provers_weight: int
    """How many times as long as others the engine has that has proved the program as one procedure."""
    settling_check: float
    """Real seconds: whether the proof passes in another reading."""
    settling_probe: float
    settling_exploring: Part
    hints: Part
    """Annotations of loops that nobody asked about."""
    hint: Part
    """One of them, of what is left for all."""
    vacuity: Part
    """Whether assertions are reached at all."""
    vacuity_probe: float


PLAN = Plan(
    left_for_last=Part(0.2, 2.0),
    kept_back=Part(0.1, 1.0),
    explanation=Part(0.1, 2.0),
    ideal=Part(0.7),
    probe=0.25,
    alone=1 / 3,
    exploring=Part(0.05, 3.0),
    invariance=Part(0.6),
    rule=Part(0.85),
    linked=0.6,
    linked_counting=Part(0.6, 20.0),
    linked_hazard=3.0,
    ranks_told=Part(0.5, 3.0),
    ranks_told_question=0.5,
    function_summary=6.0,
    settling=Part(0.6, 20.0),
    settling_least=10.0,
    settling_of_proof=2.0,
    settling_provers_weight=4,
    settling_check=5.0,
    settling_probe=0.25,
    settling_exploring=Part(0.2, 2.0),
    hints=Part(0.2, 12.0),
    hint=Part(0.5, 4.0),
    vacuity=Part(0.1, 3.0),
    vacuity_probe=0.25,
)


@dataclass(frozen=True, slots=True)
class LoopPlan:
    """Following all runs, and facts about loops. Bitwuzla counts no work: its seconds are those of the processor."""

    cut: Part
    """For a proof of everything with loops cut that have no end; and of the rest, for what was asked for."""
    whole: Part
    """The same where loops seem to have an end, since other proofs would follow as many runs."""
    written: Part
    """Of that, with all loops written out."""
    needed: Part
    """With facts that were found to be needed, or for what was asked for alone."""
    apart: Part
    """Of what is left where paths that met leave something open, for paths that are kept apart."""
    plain: Part
    """Plain facts about loops."""
    further: Part
    """Of the rest, for those that are needed beside them."""
    following: Part
    """Of that, for following all runs with plain facts."""
    round: Part
    """A round with all guesses taken for granted."""
    round_at_once: Part
    """A round of which nothing is known: where its loops go on it is too long without facts."""
    lost_question: float
    """Which guesses a round does not keep that was followed with all of them."""
    lost_next: float
    """For the next one once one is lost: that no other is lost is asked without it."""
    kept_question: float
    """Whether a round keeps all of several guesses."""
    kept_each: float
    """Whether it keeps one."""
    needed_question: float
    """Whether something fails from a state that guesses allow."""
    needed_each: float
    """Whether one of the things that are to be shown does."""
    needed_left: float
    """For all of these: whoever looks at them once facts are known knows more while runs are followed."""


LOOPS = LoopPlan(
    cut=Part(0.7),
    whole=Part(0.9),
    written=Part(0.8),
    needed=Part(1.0),
    apart=Part(0.9),
    plain=Part(0.6),
    further=Part(0.7),
    following=Part(0.5),
    round=Part(0.5),
    round_at_once=Part(0.2, 0.8),
    lost_question=6.0,
    lost_next=0.5,
    kept_question=3.0,
    kept_each=0.5,
    needed_question=8.0,
    needed_each=3.0,
    needed_left=9.0,
)
