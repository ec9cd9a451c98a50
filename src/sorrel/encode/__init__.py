"""Programs as systems of Horn clauses, and evidence about the clauses as evidence about the program."""
