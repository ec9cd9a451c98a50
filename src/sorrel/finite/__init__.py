"""Deterministic functions over truth values and bit-vectors: what a run of them gives, and their Horn clauses."""
