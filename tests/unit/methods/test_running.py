"""Looking before thinking: it leaves most of what is planned to others."""

from __future__ import annotations

import pytest

from asking import Plainly
from c_execution import program_of
from sorrel.evidence.effort import Effort
from sorrel.methods.plan import PLAN
from sorrel.methods.running import probed
from sorrel.model.budget import Budget
from sorrel.model.options import Options
from sorrel.model.property import Property
from sorrel.model.source import Source
from sorrel.model.task import Task
from sorrel.model.work import METER, SECOND


@pytest.mark.parametrize("seconds", [0.5, 2.0])
def test_the_only_run_of_a_program_takes_no_more_than_its_share(seconds: float) -> None:
    program = program_of("int main(void) { unsigned n = 0; while (n < 3000000000u) n++; return 0; }")
    options = Options(budget=Budget(seconds=seconds))
    question = Plainly(program, Task((Source(text=""),), Property.UNREACH_CALL))
    effort = Effort(options, options.budget.start(), lambda _: None)
    before = METER.done
    probed(question, effort)
    assert METER.done - before <= 1.01 * PLAN.alone * seconds * SECOND
