"""Functional programs as Horn clauses: types whose refinements are unknown predicates."""
