"""The few functions of libclang that the reader needs, called directly: clang's own Python layer is too slow here.

Its cursors, types and strings are C structures passed by value; the layouts below are those of clang-c/Index.h.
"""

from __future__ import annotations

import ctypes
from ctypes import POINTER, Structure, c_char_p, c_int, c_longlong, c_uint, c_void_p
from functools import cache
from typing import Any

from clang.cindex import conf


class CXString(Structure):
    _fields_ = [("data", c_void_p), ("private_flags", c_uint)]


class CXCursor(Structure):
    _fields_ = [("kind", c_int), ("xdata", c_int), ("pointer", c_void_p), ("data", c_void_p * 2)]


class CXType(Structure):
    _fields_ = [("kind", c_int), ("pointer", c_void_p), ("unit", c_void_p)]


class CXSourceLocation(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("data", c_uint)]


class CXSourceRange(Structure):
    _fields_ = [("pointers", c_void_p * 2), ("begin", c_uint), ("end", c_uint)]


class CXToken(Structure):
    _fields_ = [("data", c_uint * 4), ("pointer", c_void_p)]


class CXUnsavedFile(Structure):
    _fields_ = [("name", c_char_p), ("contents", c_char_p), ("length", ctypes.c_ulong)]


VISITOR = ctypes.CFUNCTYPE(c_int, CXCursor, CXCursor, c_void_p)
FIELD_VISITOR = ctypes.CFUNCTYPE(c_int, CXCursor, c_void_p)
CONTINUE = 1

_PROTOTYPES: tuple[tuple[str, Any, tuple[Any, ...]], ...] = (
    ("clang_createIndex", c_void_p, (c_int, c_int)),
    ("clang_disposeIndex", None, (c_void_p,)),
    (
        "clang_parseTranslationUnit2",
        c_int,
        (
            c_void_p,
            c_char_p,
            POINTER(c_char_p),
            c_int,
            POINTER(CXUnsavedFile),
            c_uint,
            c_uint,
            POINTER(c_void_p),
        ),
    ),
    ("clang_disposeTranslationUnit", None, (c_void_p,)),
    ("clang_getTranslationUnitCursor", CXCursor, (c_void_p,)),
    ("clang_getNumDiagnostics", c_uint, (c_void_p,)),
    ("clang_getDiagnostic", c_void_p, (c_void_p, c_uint)),
    ("clang_getDiagnosticSeverity", c_int, (c_void_p,)),
    ("clang_getDiagnosticSpelling", CXString, (c_void_p,)),
    ("clang_getDiagnosticLocation", CXSourceLocation, (c_void_p,)),
    ("clang_disposeDiagnostic", None, (c_void_p,)),
    ("clang_getCString", c_char_p, (CXString,)),
    ("clang_disposeString", None, (CXString,)),
    ("clang_visitChildren", c_uint, (CXCursor, VISITOR, c_void_p)),
    ("clang_getCursorType", CXType, (CXCursor,)),
    ("clang_getCursorSpelling", CXString, (CXCursor,)),
    ("clang_getCursorExtent", CXSourceRange, (CXCursor,)),
    ("clang_getCursorLocation", CXSourceLocation, (CXCursor,)),
    ("clang_Location_isInSystemHeader", c_int, (CXSourceLocation,)),
    ("clang_Location_isFromMainFile", c_int, (CXSourceLocation,)),
    ("clang_getRangeStart", CXSourceLocation, (CXSourceRange,)),
    ("clang_getRangeEnd", CXSourceLocation, (CXSourceRange,)),
    (
        "clang_getExpansionLocation",
        None,
        (CXSourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)),
    ),
    (
        "clang_getSpellingLocation",
        None,
        (CXSourceLocation, POINTER(c_void_p), POINTER(c_uint), POINTER(c_uint), POINTER(c_uint)),
    ),
    ("clang_getFileContents", c_char_p, (c_void_p, c_void_p, POINTER(ctypes.c_size_t))),
    ("clang_getFileName", CXString, (c_void_p,)),
    ("clang_getCursorReferenced", CXCursor, (CXCursor,)),
    ("clang_getCanonicalCursor", CXCursor, (CXCursor,)),
    ("clang_getCursorBinaryOperatorKind", c_int, (CXCursor,)),
    ("clang_getCursorUnaryOperatorKind", c_int, (CXCursor,)),
    ("clang_getCursorLinkage", c_int, (CXCursor,)),
    ("clang_Cursor_getStorageClass", c_int, (CXCursor,)),
    ("clang_getCursorTLSKind", c_int, (CXCursor,)),
    ("clang_Cursor_getNumArguments", c_int, (CXCursor,)),
    ("clang_Cursor_getArgument", CXCursor, (CXCursor, c_uint)),
    ("clang_Cursor_getVarDeclInitializer", CXCursor, (CXCursor,)),
    ("clang_Cursor_Evaluate", c_void_p, (CXCursor,)),
    ("clang_EvalResult_getKind", c_int, (c_void_p,)),
    ("clang_EvalResult_getAsLongLong", c_longlong, (c_void_p,)),
    ("clang_EvalResult_getAsDouble", ctypes.c_double, (c_void_p,)),
    ("clang_EvalResult_isUnsignedInt", c_uint, (c_void_p,)),
    ("clang_EvalResult_getAsUnsigned", ctypes.c_ulonglong, (c_void_p,)),
    ("clang_EvalResult_dispose", None, (c_void_p,)),
    ("clang_getCursorPrintingPolicy", c_void_p, (CXCursor,)),
    ("clang_PrintingPolicy_setProperty", None, (c_void_p, c_int, c_uint)),
    ("clang_PrintingPolicy_dispose", None, (c_void_p,)),
    ("clang_getCursorPrettyPrinted", CXString, (CXCursor, c_void_p)),
    ("clang_isCursorDefinition", c_uint, (CXCursor,)),
    ("clang_isConstQualifiedType", c_uint, (CXType,)),
    ("clang_isVolatileQualifiedType", c_uint, (CXType,)),
    ("clang_getCanonicalType", CXType, (CXType,)),
    ("clang_getPointeeType", CXType, (CXType,)),
    ("clang_Type_getValueType", CXType, (CXType,)),
    ("clang_getArrayElementType", CXType, (CXType,)),
    ("clang_getArraySize", c_longlong, (CXType,)),
    ("clang_getResultType", CXType, (CXType,)),
    ("clang_getNumArgTypes", c_int, (CXType,)),
    ("clang_getArgType", CXType, (CXType, c_uint)),
    ("clang_isFunctionTypeVariadic", c_uint, (CXType,)),
    ("clang_Type_getSizeOf", c_longlong, (CXType,)),
    ("clang_Type_visitFields", c_uint, (CXType, FIELD_VISITOR, c_void_p)),
    ("clang_getTypeDeclaration", CXCursor, (CXType,)),
    ("clang_getTypeSpelling", CXString, (CXType,)),
    ("clang_getEnumDeclIntegerType", CXType, (CXCursor,)),
    ("clang_getEnumConstantDeclValue", c_longlong, (CXCursor,)),
    ("clang_getFieldDeclBitWidth", c_int, (CXCursor,)),
    ("clang_getCursorSemanticParent", CXCursor, (CXCursor,)),
    ("clang_Cursor_getOffsetOfField", c_longlong, (CXCursor,)),
    ("clang_tokenize", None, (c_void_p, CXSourceRange, POINTER(POINTER(CXToken)), POINTER(c_uint))),
    ("clang_getTokenSpelling", CXString, (c_void_p, CXToken)),
    ("clang_disposeTokens", None, (c_void_p, POINTER(CXToken), c_uint)),
)


@cache
def library() -> Any:
    """The shared library with the prototypes above; a second handle, so that clang.cindex keeps its own."""
    handle = ctypes.CDLL(conf.get_filename())
    for name, result, arguments in _PROTOTYPES:
        function = getattr(handle, name)
        function.restype = result
        function.argtypes = list(arguments)
    return handle


def text(string: CXString) -> str:
    """The string's characters; the library's copy is given back."""
    clang = library()
    raw = clang.clang_getCString(string)
    clang.clang_disposeString(string)
    return raw.decode("utf-8", "replace") if raw is not None else ""
