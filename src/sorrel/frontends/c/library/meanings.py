"""Functions that mean something by their name, whether or not a file defines them."""

from __future__ import annotations

from enum import Enum, auto

from sorrel.frontends.c.library.catalogue import entry
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
    REALLOCATE = auto()  # realloc: pointer, size
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
    CLASSIFY = auto()  # isnan and the like, of any type
    OVERFLOWING = auto()  # arithmetic that tells whether its result fits
    ARGUMENT_LIST = auto()  # va_start, va_copy, va_end where the arguments are not known
    CONSTANT_KNOWN = auto()  # 0 or 1, as the compiler likes
    REQUIRE = auto()  # in a model: what its caller must see to
    SECTION_BEGINS, SECTION_ENDS = auto(), auto()  # of what nobody comes between
    SEPARATE = auto()
    BEHIND = auto()
    NOT_SUPPORTED = auto()


_INTERFACE = {
    "reach_error": Meaning.ERROR,
    "__VERIFIER_error": Meaning.ERROR,
    "assert": Meaning.ASSERT,
    "__VERIFIER_assert": Meaning.ASSERT,
    "__VERIFIER_assume": Meaning.ASSUME,
    "assume": Meaning.ASSUME,
    "sorrel_low": Meaning.OBSERVE,
    "sorrel_declassify": Meaning.OBSERVE,
    "sorrel_assert_low": Meaning.OBSERVE,
    "sorrel_low_array": Meaning.OBSERVE_ARRAY,
    "sorrel_declassify_array": Meaning.OBSERVE_ARRAY,
    "sorrel_assert_low_array": Meaning.OBSERVE_ARRAY,
    "__sorrel_input": Meaning.FROM_OUTSIDE,
    "__sorrel_any": Meaning.ANY,
    "__sorrel_any_number": Meaning.ANY,
    "__sorrel_positive": Meaning.POSITIVE,
    "__sorrel_nonzero": Meaning.NONZERO,
    "__sorrel_require": Meaning.REQUIRE,
    "__sorrel_section_begin": Meaning.SECTION_BEGINS,
    "__sorrel_section_end": Meaning.SECTION_ENDS,
    "__sorrel_separate": Meaning.SEPARATE,
    "__sorrel_behind": Meaning.BEHIND,
}
"""How programs, and models of the library, speak to Sorrel."""
PURPOSES = {
    "sorrel_low": Purpose.LOW,
    "sorrel_declassify": Purpose.RELEASED,
    "sorrel_assert_low": Purpose.COMPARED,
    "sorrel_low_array": Purpose.LOW,
    "sorrel_declassify_array": Purpose.RELEASED,
    "sorrel_assert_low_array": Purpose.COMPARED,
}
_INPUT_PREFIX = "__VERIFIER_nondet_"
_NOT_SUPPORTED_PREFIXES = (
    *("pthread_", "sem_open", "sem_wait", "sem_post", "sem_trywait", "sem_timedwait", "thrd_", "mtx_"),
    *("__sync_", "__atomic_", "__VERIFIER_atomic_"),
)

LOOKING = frozenset({Meaning.SEPARATE, Meaning.BEHIND})
"""Calls that look at where pointers point to, and at nothing else."""
WRITTEN_OUT = frozenset({Meaning.FILL, Meaning.COPY})
"""Calls that are written out element by element where they are short."""
PURE = frozenset({Meaning.FIRST_ARGUMENT, Meaning.ABSOLUTE, Meaning.CLASSIFY})
"""Calls that change nothing but what their arguments change."""
WRITE_NOTHING = PURE | {
    Meaning.INPUT,
    Meaning.ERROR,
    Meaning.ASSERTION_FAILURE,
    Meaning.ASSERT,
    Meaning.ASSUME,
    Meaning.STOP,
    Meaning.ALLOCATE,
    Meaning.ALLOCATE_ZEROED,
    Meaning.CONSTANT_KNOWN,
}
"""Calls that change no object that was there before, whatever they are given."""


def _of_library(name: str) -> Meaning | None:
    found = entry(name)
    return Meaning[found.means.replace(" ", "_").upper()] if found is not None and found.means else None


def meaning(name: str, has_body: bool) -> Meaning | None:
    """What a call of the function means, if its name says so; a body of the program's own comes first.

    Not so for the error functions: the question is whether they are called, and a body is there for compilers only.
    """
    if name.startswith(_INPUT_PREFIX):
        return None if has_body else Meaning.INPUT
    known = _INTERFACE.get(name) or _of_library(name)
    if known is Meaning.ERROR:
        return known
    if has_body:
        return None
    if known is None and name.startswith(_NOT_SUPPORTED_PREFIXES):
        return Meaning.NOT_SUPPORTED
    return known
