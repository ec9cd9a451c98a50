"""Several runs at once: by running the program, or by proof about the product of the runs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from sorrel.engines.options import parse_options
from sorrel.evidence.effort import Effort, Reading
from sorrel.methods.options import DifferingOptions
from sorrel.methods.programs import ProgramQuestion
from sorrel.methods.relational import labels
from sorrel.methods.relational.pairs import accept_differing
from sorrel.methods.relational.plan import PLAN
from sorrel.methods.relational.related import observed
from sorrel.methods.safety import CheckedProgram, arithmetics, attempts
from sorrel.model.outcome import Answer, Assumption, Cause, Outcome, unknown
from sorrel.model.task import Task
from sorrel.program.program import Program
from sorrel.relate.product import Product
from sorrel.testing.differing import look

FOUND = Outcome(Answer.UNKNOWN, notes=("found by running the program",))


def differing(question: ProgramQuestion, effort: Effort) -> Outcome:
    """By trying runs that agree on what is low; what a law requires is seldom met by chance, so it is not for laws."""
    seed = parse_options(DifferingOptions, dict(effort.options.engine_options)).seed + effort.options.seed
    seconds = PLAN.looking.of(effort.clock).remaining()
    found = look(question.product, seconds, seed)
    if found is None:
        return unknown(Cause.INCOMPLETE, "no runs were found that differ")
    return accept_differing(question.product, question.task, found, FOUND, effort)


def labelled(question: ProgramQuestion, effort: Effort) -> Outcome:
    """By labels alone; they have no clauses to show."""
    settled = None if effort.options.horn else labels.proved(observed(question.checked, question.task), effort)
    return settled or unknown(Cause.INCOMPLETE, "some value may depend on a secret")


def by_product(question: ProgramQuestion, effort: Effort) -> Outcome:
    """By the engine that the effort names, on the clauses of the product; engine synonym makes its own."""
    task = question.task
    outcome = proved(question.product, task, effort, question.product_in)
    if not (task.is_java and outcome.reason and outcome.reason.cause is Cause.UNCONFIRMED):
        return outcome
    narrow = proved(question.narrow_product, task, effort)
    return narrow if narrow.answer is Answer.UNSAFE else outcome


def proved(
    product: Product, task: Task, effort: Effort, read: Callable[[Reading], Program | None] = lambda _: None
) -> Outcome:
    outcome = attempts(CheckedProgram(product.program, product, read=read), arithmetics(task), task, effort)
    own = product.originals[0].assumptions
    common = [Assumption.of(each) for each in product.program.assumptions if each not in own]
    return replace(outcome, assumptions=(*outcome.assumptions, *common))
