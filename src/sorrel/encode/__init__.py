"""Programs as Horn clauses: one predicate for each procedure and each loop head, and the way back."""
