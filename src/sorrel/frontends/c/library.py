"""Functions that mean something by their name, whether or not a file defines them."""

from __future__ import annotations

from enum import Enum, auto

from sorrel.program.statement import Purpose


class Meaning(Enum):
    INPUT = auto()  # any value of its type, chosen by the environment
    ERROR = auto()  # must not be called
    ASSERTION_FAILURE = auto()  # what the assert macro calls
    ASSERT = auto()
    ASSUME = auto()
    STOP = auto()
    ALLOCATE = auto()  # malloc, alloca: size in bytes
    ALLOCATE_ZEROED = auto()  # calloc: count, size
    FREE = auto()
    FILL = auto()  # memset
    COPY = auto()  # memcpy, memmove
    FIRST_ARGUMENT = auto()  # __builtin_expect
    ABSOLUTE = auto()
    OBSERVE = auto()  # a value that matters between runs
    OBSERVE_ARRAY = auto()  # elements that do
    UNREACHABLE = auto()
    FROM_OUTSIDE = auto()  # in a model: what the environment chooses
    ANY, POSITIVE, NONZERO = auto(), auto(), auto()  # in a model: what the library says no more about
    OVERFLOWING = auto()  # arithmetic that tells whether its result fits
    CONSTANT_KNOWN = auto()  # 0 or 1, as the compiler likes
    REQUIRE = auto()  # in a model: what its caller must see to
    SEPARATE = auto()
    BEHIND = auto()
    NOT_SUPPORTED = auto()


_WIDTHS = ("", "l", "ll")
_MEANINGS = {
    "reach_error": Meaning.ERROR,
    "__VERIFIER_error": Meaning.ERROR,
    "__assert_fail": Meaning.ASSERTION_FAILURE,
    "__assert_perror_fail": Meaning.ASSERTION_FAILURE,
    "__assert": Meaning.ASSERTION_FAILURE,
    "__assert_rtn": Meaning.ASSERTION_FAILURE,
    "assert": Meaning.ASSERT,
    "__VERIFIER_assert": Meaning.ASSERT,
    "__VERIFIER_assume": Meaning.ASSUME,
    "assume": Meaning.ASSUME,
    "abort": Meaning.STOP,
    "exit": Meaning.STOP,
    "_exit": Meaning.STOP,
    "_Exit": Meaning.STOP,
    "quick_exit": Meaning.STOP,
    "__builtin_abort": Meaning.STOP,
    "__builtin_trap": Meaning.STOP,
    "__builtin_unreachable": Meaning.UNREACHABLE,
    "malloc": Meaning.ALLOCATE,
    "alloca": Meaning.ALLOCATE,
    "__builtin_alloca": Meaning.ALLOCATE,
    "calloc": Meaning.ALLOCATE_ZEROED,
    "free": Meaning.FREE,
    "memset": Meaning.FILL,
    "__builtin_memset": Meaning.FILL,
    "memcpy": Meaning.COPY,
    "__builtin_memcpy": Meaning.COPY,
    "memmove": Meaning.COPY,
    "__builtin_memmove": Meaning.COPY,
    "__builtin_expect": Meaning.FIRST_ARGUMENT,
    "abs": Meaning.ABSOLUTE,
    "labs": Meaning.ABSOLUTE,
    "llabs": Meaning.ABSOLUTE,
    "__builtin_abs": Meaning.ABSOLUTE,
    "sorrel_low": Meaning.OBSERVE,
    "sorrel_declassify": Meaning.OBSERVE,
    "sorrel_assert_low": Meaning.OBSERVE,
    "sorrel_low_array": Meaning.OBSERVE_ARRAY,
    "sorrel_declassify_array": Meaning.OBSERVE_ARRAY,
    "sorrel_assert_low_array": Meaning.OBSERVE_ARRAY,
    **{
        f"__builtin_{kind}{operation}{width}_overflow": Meaning.OVERFLOWING
        for kind, widths in (("", ("",)), ("s", _WIDTHS), ("u", _WIDTHS))
        for operation in ("add", "sub", "mul")
        for width in widths
    },
    "__builtin_constant_p": Meaning.CONSTANT_KNOWN,
    "__sorrel_input": Meaning.FROM_OUTSIDE,
    "__sorrel_any": Meaning.ANY,
    "__sorrel_positive": Meaning.POSITIVE,
    "__sorrel_nonzero": Meaning.NONZERO,
    "__sorrel_require": Meaning.REQUIRE,
    "__sorrel_separate": Meaning.SEPARATE,
    "__sorrel_behind": Meaning.BEHIND,
    "realloc": Meaning.NOT_SUPPORTED,
    "setjmp": Meaning.NOT_SUPPORTED,
    "_setjmp": Meaning.NOT_SUPPORTED,
    "sigsetjmp": Meaning.NOT_SUPPORTED,
    "__sigsetjmp": Meaning.NOT_SUPPORTED,
    "__builtin_setjmp": Meaning.NOT_SUPPORTED,
    "longjmp": Meaning.NOT_SUPPORTED,
    "_longjmp": Meaning.NOT_SUPPORTED,
    "__longjmp_chk": Meaning.NOT_SUPPORTED,
    "__builtin_longjmp": Meaning.NOT_SUPPORTED,
    "siglongjmp": Meaning.NOT_SUPPORTED,
    "fork": Meaning.NOT_SUPPORTED,
    "vfork": Meaning.NOT_SUPPORTED,
    "signal": Meaning.NOT_SUPPORTED,
    "atexit": Meaning.NOT_SUPPORTED,
}
PURPOSES = {
    "sorrel_low": Purpose.LOW,
    "sorrel_declassify": Purpose.RELEASED,
    "sorrel_assert_low": Purpose.COMPARED,
    "sorrel_low_array": Purpose.LOW,
    "sorrel_declassify_array": Purpose.RELEASED,
    "sorrel_assert_low_array": Purpose.COMPARED,
}
_INPUT_PREFIX = "__VERIFIER_nondet_"
_NOT_SUPPORTED_PREFIXES = ("pthread_", "__builtin_va_", "__sync_", "__atomic_", "__VERIFIER_atomic_", "thrd_", "mtx_")

LOOKING = frozenset({Meaning.SEPARATE, Meaning.BEHIND})
"""Calls that look at where pointers point to, and at nothing else."""
WRITTEN_OUT = frozenset({Meaning.FILL, Meaning.COPY})
"""Calls that are written out element by element where they are short."""
PURE = frozenset({Meaning.FIRST_ARGUMENT, Meaning.ABSOLUTE})
"""Calls that change nothing but what their arguments change."""

WRITERS = frozenset(
    {"printf", "__builtin_printf", "fprintf", "__builtin_fprintf", "puts", "__builtin_puts", "fputs", "putchar"}
    | {"__builtin_putchar", "fputc", "putc", "perror", "fflush", "fwrite"}
)
"""They neither change what the program computes nor return what it should rely on."""


def meaning(name: str, has_body: bool) -> Meaning | None:
    """What a call of the function means, if its name says so; a body of the program's own comes first.

    Not so for the error functions: the question is whether they are called, and a body is there for compilers only.
    """
    if name.startswith(_INPUT_PREFIX):
        return None if has_body else Meaning.INPUT
    known = _MEANINGS.get(name)
    if known is Meaning.ERROR:
        return known
    if has_body:
        return None
    if known is None and name.startswith(_NOT_SUPPORTED_PREFIXES):
        return Meaning.NOT_SUPPORTED
    return known
