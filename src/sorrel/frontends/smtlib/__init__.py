"""SMT-LIB 2 files in both dialects of Horn clauses."""

from sorrel.frontends.smtlib.reader import read_file, read_text

__all__ = ["read_file", "read_text"]
