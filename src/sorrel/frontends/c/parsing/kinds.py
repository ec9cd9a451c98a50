"""The numbers that libclang gives to what it finds (clang-c/Index.h: enum CXCursorKind and its kin)."""

from __future__ import annotations

from enum import IntEnum


class Cursor(IntEnum):
    STRUCT = 2
    UNION = 3
    ENUM = 5
    FIELD = 6
    ENUM_CONSTANT = 7
    FUNCTION = 8
    VARIABLE = 9
    PARAMETER = 10
    TYPEDEF = 20
    MEMBER_REFERENCE = 47
    FIRST_EXPRESSION = 100
    UNEXPOSED = 100
    REFERENCE = 101
    MEMBER = 102
    CALL = 103
    INTEGER = 106
    FLOATING = 107
    IMAGINARY = 108
    STRING = 109
    CHARACTER = 110
    PARENTHESES = 111
    UNARY = 112
    SUBSCRIPT = 113
    BINARY = 114
    COMPOUND_ASSIGNMENT = 115
    CONDITIONAL = 116
    CAST = 117
    COMPOUND_LITERAL = 118
    INITIALIZER_LIST = 119
    LABEL_ADDRESS = 120
    STATEMENT_EXPRESSION = 121
    GENERIC = 122
    SIZE = 136
    FIRST_STATEMENT = 200
    UNEXPOSED_STATEMENT = 200
    LABEL = 201
    COMPOUND = 202
    CASE = 203
    DEFAULT = 204
    IF = 205
    SWITCH = 206
    WHILE = 207
    DO = 208
    FOR = 209
    GOTO = 210
    COMPUTED_GOTO = 211
    CONTINUE = 212
    BREAK = 213
    RETURN = 214
    ASSEMBLY = 215
    EMPTY = 230
    DECLARATION = 231
    FIRST_ATTRIBUTE = 400
    UNEXPOSED_ATTRIBUTE = 400
    LABEL_ATTRIBUTE = 407
    STATIC_ASSERTION = 602


class Linkage(IntEnum):
    INTERNAL = 2
    EXTERNAL = 4


class Storage(IntEnum):
    EXTERN = 2
    STATIC = 3


TERSE = 17
"""enum CXPrintingPolicyProperty: declarations without their bodies."""
