"""Linked structures: what is the same of every object in memory, in place of the memory itself."""
