"""What the benchmark of the cluster says of what the cluster costs."""

from __future__ import annotations

from bench.cluster import compared


def test_the_ratio_is_told_with_whether_it_is_small_enough() -> None:
    assert compared(40.0, 48.0).startswith("ratio: 1.20 (48.0 s on the cluster, 40.0 s with --jobs 2)")
    assert "overhead +20%, within the 25%" in compared(40.0, 48.0)
    assert "overhead +50%, above the 25%" in compared(40.0, 60.0)
    assert "overhead -50%, within" in compared(40.0, 20.0)
