"""OCaml: text to functional programs."""

from sorrel.frontends.ocaml.reader import read, read_condition, read_functions

__all__ = ["read", "read_condition", "read_functions"]
