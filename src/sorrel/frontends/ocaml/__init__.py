"""OCaml: text to functional programs."""

from sorrel.frontends.ocaml.reader import read, text_of

__all__ = ["read", "text_of"]
