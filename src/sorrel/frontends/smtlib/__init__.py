"""SMT-LIB 2 files in both dialects of Horn clauses."""

from sorrel.frontends.smtlib.reader import load, read_file, read_text

__all__ = ["load", "read_file", "read_text"]
