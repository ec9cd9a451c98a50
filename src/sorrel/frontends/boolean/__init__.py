"""Boolean programs (section II.C of the paper), with words of a chosen width."""

from sorrel.finite.overflow import Overflow
from sorrel.frontends.boolean.reader import read_program

__all__ = ["Overflow", "read_program"]
