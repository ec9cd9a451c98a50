"""Proof rules as data: text, instantiated on a program to a system of Horn clauses."""
