"""Predicate abstraction and refinement for Horn clauses, with well-foundedness obligations (HSF)."""
