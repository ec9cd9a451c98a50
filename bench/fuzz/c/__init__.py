"""C programs whose verdicts the compiler decides, with all their inputs."""

from bench.fuzz.c.campaign import run

__all__ = ["run"]
