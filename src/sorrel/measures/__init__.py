"""Numbers that measure values of algebraic datatypes, and clauses about these numbers instead of the values."""
