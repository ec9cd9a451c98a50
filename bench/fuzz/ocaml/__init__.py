"""OCaml programs whose verdicts the compiler decides, with all their inputs."""

from bench.fuzz.ocaml.campaign import run

__all__ = ["run"]
