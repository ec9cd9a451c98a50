"""Constrained Horn clauses, what is known about them, and the evidence for it."""
