"""Types by Hindley and Milner: syntax in, terms with types out."""

from sorrel.functional.inference.program import typed_program

__all__ = ["typed_program"]
