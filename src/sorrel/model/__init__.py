"""Plain data that any process can hold: tasks, properties, options, budgets, outcomes, errors; free of solvers."""
