"""A cluster answers as processes of our own do, also for benchmarks; one without workers is not waited for."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from sorrel.bench.process import Halt, Limits
from sorrel.bench.remote import Remote
from sorrel.modular import cluster
from sorrel.modular.cluster import Cluster
from sorrel.modular.pool import Lost, Question

SYSTEM = """(set-logic HORN)
(declare-fun f (Int Int) Bool)
(assert (forall ((x Int) (y Int)) (=> (= y (+ x 1)) (f x y))))
"""


@pytest.fixture(scope="module")
def local() -> Iterator[Any]:
    distributed = pytest.importorskip("distributed")  # not before it is needed: it takes seconds to load
    with distributed.LocalCluster(n_workers=1, threads_per_worker=1, processes=False, dashboard_address=None) as found:
        yield found


def question(seconds: float = 60.0) -> Question:
    return {"kind": "contract", "system": SYSTEM, "seeds": "", "seconds": seconds}


def test_the_same_question_twice_is_one_task_with_two_answers(local: Any) -> None:
    workers = Cluster(local.scheduler_address, 2048)
    workers.submit("one", question())
    workers.submit("two", question())
    assert len(workers._tasks) == 1
    found: dict[str, Any] = {}
    deadline = time.monotonic() + 120
    while len(found) < 2 and time.monotonic() < deadline:
        found.update(workers.answers())
    workers.close()
    assert found["one"] == found["two"]
    assert "define-fun f" in found["one"]["summaries"]


def test_a_run_of_a_benchmark_is_made_elsewhere(local: Any) -> None:
    made = Remote(local.scheduler_address).execute(["echo", "sat"], Limits(wall=60), Halt())
    assert made.stdout == "sat\n"
    assert made.exit_code == 0


def test_a_cluster_without_workers_counts_as_lost(local: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    workers = Cluster(local.scheduler_address, 2048)
    monkeypatch.setattr(workers._client, "scheduler_info", lambda: {"workers": {}})
    monkeypatch.setattr(cluster, "UNMANNED_SECONDS", 0.0)
    with pytest.raises(Lost, match="no worker"):
        workers._demand_workers()
    workers.close()
