"""What the writer and the reader of program text agree on; docs/program.md describes the text."""

from __future__ import annotations

import re

from sorrel.program.expression import Operator

_TOP_LEVEL = ("note", "entry", "global", "procedure", "returns")
_STATEMENTS = ("local", "source", "havoc", "assume", "because", "assert", "as", "call", "observe", "print", "with")
_TERMINATORS = ("goto", "if", "else", "return", "stop")
_EXPRESSIONS = ("true", "false", "filled", "apply", "int", "bool", "real", "_")
RESERVED = frozenset((*_TOP_LEVEL, *_STATEMENTS, *_TERMINATORS, *_EXPRESSIONS))
MACHINE_TYPE = re.compile(r"(?P<sign>[iu])(?P<bits>[1-9][0-9]*)")
PLAIN_NAME = re.compile(r"[A-Za-z_$.][A-Za-z0-9_$.]*")

# As in C; `==>` binds weaker than `||`, and `? :` weakest. Prefix operators and then [] bind strongest.
CONDITIONAL_LEVEL = 0
LEVELS = {
    Operator.IMPLIES: 1,
    Operator.OR: 2,
    Operator.AND: 3,
    Operator.BIT_OR: 4,
    Operator.BIT_XOR: 5,
    Operator.BIT_AND: 6,
    Operator.EQUAL: 7,
    Operator.DIFFERENT: 7,
    Operator.LESS: 8,
    Operator.AT_MOST: 8,
    Operator.MORE: 8,
    Operator.AT_LEAST: 8,
    Operator.SHIFT_LEFT: 9,
    Operator.SHIFT_RIGHT: 9,
    Operator.ADD: 10,
    Operator.SUBTRACT: 10,
    Operator.MULTIPLY: 11,
    Operator.DIVIDE: 11,
    Operator.REMAINDER: 11,
}
PREFIX_LEVEL = 12
PRIMARY_LEVEL = 13


def groups_right(operator: Operator) -> bool:
    """a ==> b ==> c is a ==> (b ==> c); all others group to the left."""
    return operator is Operator.IMPLIES


def is_reserved(name: str) -> bool:
    return name in RESERVED or MACHINE_TYPE.fullmatch(name) is not None
