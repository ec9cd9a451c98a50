"""Proofs by parts: each component of the call graph under the contracts of its callees (docs/modular-evidence.md)."""
