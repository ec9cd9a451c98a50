"""Small systems of Horn clauses whose derivable facts can be counted."""
