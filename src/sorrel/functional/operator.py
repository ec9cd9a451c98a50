"""Operations that the machine has: on numbers, truth values, texts, references and arrays."""

from __future__ import annotations

from enum import StrEnum


class Operator(StrEnum):
    ADD = "+"
    SUBTRACT = "-"
    MULTIPLY = "*"
    DIVIDE = "/"
    REMAINDER = "mod"
    NEGATE = "~-"
    COUNT_UP = "count up"  # to the next number, which need not fit: a loop over numbers ends before it is used
    COUNT_DOWN = "count down"
    AND_BITS = "land"
    OR_BITS = "lor"
    XOR_BITS = "lxor"
    SHIFT_LEFT = "lsl"
    SHIFT_RIGHT = "lsr"
    SHIFT_SIGNED = "asr"
    NOT_BITS = "lnot"
    EQUAL = "="
    DIFFERENT = "<>"
    LESS = "<"
    AT_MOST = "<="
    GREATER = ">"
    AT_LEAST = ">="
    SAME = "=="
    NOT_SAME = "!="
    NOT = "not"
    MAKE_REFERENCE = "ref"
    CONTENT = "!"
    ASSIGN = ":="
    MAKE_ARRAY = "Array.make"
    ARRAY_LITERAL = "[| |]"
    ARRAY_LENGTH = "Array.length"
    ARRAY_GET = "Array.get"
    ARRAY_SET = "Array.set"
    TEXT_LENGTH = "String.length"
    TEXT_GET = "String.get"
    TEXT_JOIN = "^"
    TEXT_OF_NUMBER = "string_of_int"
    CODE = "int_of_char"
    CHARACTER = "char_of_int"
    EXIT = "exit"  # the run ends here
    SHOW = "print"  # output: its argument is evaluated, and nothing else happens


ARITHMETIC = frozenset(
    (
        Operator.ADD,
        Operator.SUBTRACT,
        Operator.MULTIPLY,
        Operator.DIVIDE,
        Operator.REMAINDER,
        Operator.NEGATE,
        Operator.COUNT_UP,
        Operator.COUNT_DOWN,
    )
)
BITWISE = frozenset(
    (
        Operator.AND_BITS,
        Operator.OR_BITS,
        Operator.XOR_BITS,
        Operator.SHIFT_LEFT,
        Operator.SHIFT_RIGHT,
        Operator.SHIFT_SIGNED,
        Operator.NOT_BITS,
    )
)
COMPARISONS = frozenset(
    (Operator.EQUAL, Operator.DIFFERENT, Operator.LESS, Operator.AT_MOST, Operator.GREATER, Operator.AT_LEAST)
)
