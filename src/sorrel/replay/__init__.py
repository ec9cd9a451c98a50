"""Counterexamples as C: a harness that repeats a run, and the system's compiler to try it. Free of solvers."""
