"""Functional programs: syntax, types, terms, their passes and their runs; no solver."""
