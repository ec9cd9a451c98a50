"""Runs of a law side by side, as an exploration aligned them: evidence that every tuple of runs meets the law.

Nothing of the exploration is believed but what is checked here. The functions are cut into the same pieces again. The
alignment must be one (`relate.alignment.faults`). It becomes a program in which every way that was taken to be
impossible is an assertion; the summaries must make its clauses valid. That runs may change places is a query of the
same system.
"""

from __future__ import annotations

from collections.abc import Iterable

from sorrel.encode.arithmetic import Arithmetic
from sorrel.encode.encoding import Encoding, encode
from sorrel.encode.flows import Flows
from sorrel.evidence.claims import AlignedRuns
from sorrel.evidence.clauses import confirm_encoded
from sorrel.evidence.effort import Effort
from sorrel.horn.clause import Clause
from sorrel.horn.flow import Question
from sorrel.horn.system import HornSystem
from sorrel.horn.verdict import Safe, Unknown
from sorrel.logic import terms
from sorrel.model.outcome import Cause, Outcome, unknown
from sorrel.model.values import dataclass
from sorrel.relate.alignment import Aligned, Alignment, Permutation, aligned, faults
from sorrel.relate.product import Product
from sorrel.relate.rests import courses


@dataclass(frozen=True, slots=True, eq=False)
class AlignedClauses:
    """The runs as they are aligned, as a program, and what has to be shown of it."""

    aligned: Aligned
    encoding: Encoding
    system: HornSystem


def accept_aligned_runs(claim: AlignedRuns, effort: Effort) -> Outcome:
    """Safe if the alignment covers all tuples of runs, and the verdict holds of what it leaves to be shown."""
    own = courses(claim.product.originals, claim.cutting)
    wrong = "it is about other functions" if own != claim.alignment.courses else next(faults(claim.alignment), None)
    if wrong is not None:
        return unknown(Cause.INTERNAL, f"what was explored does not cover all runs: {wrong}")
    if not isinstance(claim.verdict, Safe | Unknown):
        return unknown(Cause.UNCONFIRMED, "a derivation about runs that are aligned is no violation of the law")
    clauses = clauses_of(claim.product, claim.alignment, claim.arithmetic)
    return confirm_encoded(clauses.system, claim.verdict, effort)


def clauses_of(product: Product, alignment: Alignment, arithmetic: Arithmetic) -> AlignedClauses:
    made = aligned(alignment, product)
    encoding = encode(made.product.program, arithmetic, made.product.copies)
    question = Flows(product, alignment.courses, arithmetic).question()
    return AlignedClauses(made, encoding, with_symmetries(encoding.system, question, alignment.first.group))


def with_symmetries(system: HornSystem, question: Question, group: Iterable[Permutation]) -> HornSystem:
    """With a query for each permutation: what violates the law violates it in the other order of the runs, too."""
    violated = question.violation
    queries = tuple(
        Clause(
            f"symmetry#{number}",
            None,
            (),
            terms.conjunction([violated, terms.negation(question.permuted(violated, each))]),
        )
        for number, each in enumerate(sorted(group))
        if list(each) != sorted(each)
    )
    return HornSystem(system.predicates, (*system.clauses, *queries))
