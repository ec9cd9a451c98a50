"""Small systems of Horn clauses whose derivable facts can be counted."""

from bench.fuzz.horn.campaign import run

__all__ = ["run"]
