"""Where included files are found."""

from __future__ import annotations

import subprocess
from functools import cache
from pathlib import Path
from platform import machine
from shutil import which

from sorrel.frontends.c.library.catalogue import atomics
from sorrel.frontends.c.parsing.thread_headers import THREAD_HEADERS
from sorrel.frontends.c.settings import DataModel

_COMPILERS = ("cc", "gcc", "clang")
_VIRTUAL = "/sorrel-headers"  # no such folder exists: these texts are handed to the parser, never written

_ATOMICS = "sorrel-atomics.h"  # comes before every file

# The library of a 64-bit system announces which of its functions are stubs on 32 bits in a file that only its 32-bit
# edition has; nothing in it matters to a reader.
_EMPTY = ("gnu/stubs-32.h", "gnu/stubs-64.h")

# What <float.h> tells about each of the three types, and the parser's macro that knows it where the names differ.
_FLOATING = {
    **{name: name for name in ("MANT_DIG", "DIG", "MIN_EXP", "MIN_10_EXP", "MAX_EXP", "MAX_10_EXP", "DECIMAL_DIG")},
    **{name: name for name in ("MAX", "MIN", "EPSILON")},
    "TRUE_MIN": "DENORM_MIN",
    "HAS_SUBNORM": "HAS_DENORM",
}


def _float_header() -> str:
    lines = ["#ifndef SORREL_FLOAT_H", "#define SORREL_FLOAT_H", "#define FLT_RADIX __FLT_RADIX__"]
    lines += [
        "#define FLT_ROUNDS 1",
        "#define FLT_EVAL_METHOD __FLT_EVAL_METHOD__",
        "#define DECIMAL_DIG __DECIMAL_DIG__",
    ]
    for type in ("FLT", "DBL", "LDBL"):
        lines += [f"#define {type}_{name} __{type}_{known}__" for name, known in _FLOATING.items()]
    return "\n".join([*lines, "#endif", ""])


# The compiler's own part of the standard headers, which the parser comes without. They define what the parser's
# predefined macros say, for the data model at hand.
_OWN = {
    "stddef.h": """#ifndef SORREL_STDDEF_H
#define SORREL_STDDEF_H
typedef __SIZE_TYPE__ size_t;
typedef __PTRDIFF_TYPE__ ptrdiff_t;
typedef __WCHAR_TYPE__ wchar_t;
typedef struct { long long whole; long double real; } max_align_t;
#define offsetof(type, member) __builtin_offsetof(type, member)
#endif
#undef NULL
#define NULL ((void *)0)
#ifdef __need_wint_t
typedef __WINT_TYPE__ wint_t;
#endif
""",
    "stdarg.h": """#ifndef SORREL_STDARG_H
#define SORREL_STDARG_H
typedef __builtin_va_list va_list;
typedef __builtin_va_list __gnuc_va_list;
#define va_start(list, last) __builtin_va_start(list, last)
#define va_end(list) __builtin_va_end(list)
#define va_arg(list, type) __builtin_va_arg(list, type)
#define va_copy(to, from) __builtin_va_copy(to, from)
#endif
""",
    "stdbool.h": """#ifndef SORREL_STDBOOL_H
#define SORREL_STDBOOL_H
#define bool _Bool
#define true 1
#define false 0
#define __bool_true_false_are_defined 1
#endif
""",
    "limits.h": """#ifndef SORREL_LIMITS_H
#define SORREL_LIMITS_H
#define _GCC_LIMITS_H_
#define CHAR_BIT 8
#define MB_LEN_MAX 16
#define SCHAR_MAX __SCHAR_MAX__
#define SCHAR_MIN (-__SCHAR_MAX__ - 1)
#define UCHAR_MAX (__SCHAR_MAX__ * 2 + 1)
#define CHAR_MAX SCHAR_MAX
#define CHAR_MIN SCHAR_MIN
#define SHRT_MAX __SHRT_MAX__
#define SHRT_MIN (-__SHRT_MAX__ - 1)
#define USHRT_MAX (__SHRT_MAX__ * 2 + 1)
#define INT_MAX __INT_MAX__
#define INT_MIN (-__INT_MAX__ - 1)
#define UINT_MAX (__INT_MAX__ * 2U + 1U)
#define LONG_MAX __LONG_MAX__
#define LONG_MIN (-__LONG_MAX__ - 1L)
#define ULONG_MAX (__LONG_MAX__ * 2UL + 1UL)
#define LLONG_MAX __LONG_LONG_MAX__
#define LLONG_MIN (-__LONG_LONG_MAX__ - 1LL)
#define ULLONG_MAX (__LONG_LONG_MAX__ * 2ULL + 1ULL)
#if __has_include_next(<limits.h>)
#include_next <limits.h>
#endif
#ifndef SSIZE_MAX
#define SSIZE_MAX LONG_MAX
#endif
#ifndef PATH_MAX
#define PATH_MAX 4096
#endif
#endif
""",
    "stdint.h": """#ifndef SORREL_STDINT_H
#define SORREL_STDINT_H
#if __has_include_next(<stdint.h>)
#include_next <stdint.h>
#else
#define SORREL_SIZED(bits) \\
  typedef __INT##bits##_TYPE__ int##bits##_t, int_least##bits##_t, int_fast##bits##_t; \\
  typedef __UINT##bits##_TYPE__ uint##bits##_t, uint_least##bits##_t, uint_fast##bits##_t;
SORREL_SIZED(8)
SORREL_SIZED(16)
SORREL_SIZED(32)
SORREL_SIZED(64)
#undef SORREL_SIZED
typedef __INTPTR_TYPE__ intptr_t;
typedef __UINTPTR_TYPE__ uintptr_t;
typedef __INTMAX_TYPE__ intmax_t;
typedef __UINTMAX_TYPE__ uintmax_t;
#define INT8_MAX 127
#define INT8_MIN (-128)
#define UINT8_MAX 255
#define INT16_MAX 32767
#define INT16_MIN (-32768)
#define UINT16_MAX 65535
#define INT32_MAX 2147483647
#define INT32_MIN (-2147483647 - 1)
#define UINT32_MAX 4294967295U
#define INT64_MAX __INT64_MAX__
#define INT64_MIN (-__INT64_MAX__ - 1)
#define UINT64_MAX __UINT64_MAX__
#define INTPTR_MAX __INTPTR_MAX__
#define INTPTR_MIN (-__INTPTR_MAX__ - 1)
#define UINTPTR_MAX __UINTPTR_MAX__
#define INTMAX_MAX __INTMAX_MAX__
#define INTMAX_MIN (-__INTMAX_MAX__ - 1)
#define UINTMAX_MAX __UINTMAX_MAX__
#define PTRDIFF_MAX __PTRDIFF_MAX__
#define PTRDIFF_MIN (-__PTRDIFF_MAX__ - 1)
#define SIZE_MAX __SIZE_MAX__
#define INT8_C(value) value
#define INT16_C(value) value
#define INT32_C(value) value
#define INT64_C(value) __INT64_C(value)
#define UINT8_C(value) value
#define UINT16_C(value) value
#define UINT32_C(value) value##U
#define UINT64_C(value) value##ULL
#endif
#endif
""",
    "float.h": _float_header(),
    **THREAD_HEADERS,
    "stdatomic.h": """#ifndef SORREL_STDATOMIC_H
#define SORREL_STDATOMIC_H
#include <stdbool.h>
typedef _Atomic _Bool atomic_bool;
typedef _Atomic char atomic_char;
typedef _Atomic signed char atomic_schar;
typedef _Atomic unsigned char atomic_uchar;
typedef _Atomic short atomic_short;
typedef _Atomic unsigned short atomic_ushort;
typedef _Atomic int atomic_int;
typedef _Atomic unsigned int atomic_uint;
typedef _Atomic long atomic_long;
typedef _Atomic unsigned long atomic_ulong;
typedef _Atomic long long atomic_llong;
typedef _Atomic unsigned long long atomic_ullong;
typedef _Atomic __SIZE_TYPE__ atomic_size_t;
typedef _Atomic __PTRDIFF_TYPE__ atomic_ptrdiff_t;
typedef _Atomic __INTPTR_TYPE__ atomic_intptr_t;
typedef _Atomic __UINTPTR_TYPE__ atomic_uintptr_t;
typedef struct { _Atomic _Bool set; } atomic_flag;
typedef enum {
  memory_order_relaxed, memory_order_consume, memory_order_acquire,
  memory_order_release, memory_order_acq_rel, memory_order_seq_cst
} memory_order;
#define ATOMIC_VAR_INIT(value) (value)
#define ATOMIC_FLAG_INIT { 0 }
#define kill_dependency(value) (value)
#define atomic_thread_fence(order) ((void)(order))
#define atomic_signal_fence(order) ((void)(order))
#define atomic_init(object, value) ((void)(*(object) = (value)))
#define atomic_load(object) (*(object))
#define atomic_store(object, value) ((void)(*(object) = (value)))
#define atomic_exchange(object, value) __atomic_exchange_n(object, value, 5)
#define atomic_fetch_add(object, value) __atomic_fetch_add(object, value, 5)
#define atomic_fetch_sub(object, value) __atomic_fetch_sub(object, value, 5)
#define atomic_fetch_or(object, value) __atomic_fetch_or(object, value, 5)
#define atomic_fetch_and(object, value) __atomic_fetch_and(object, value, 5)
#define atomic_fetch_xor(object, value) __atomic_fetch_xor(object, value, 5)
#define atomic_compare_exchange_strong(object, expected, wanted) \\
  __atomic_compare_exchange_n(object, expected, wanted, 0, 5, 5)
#define atomic_compare_exchange_weak(object, expected, wanted) \\
  __atomic_compare_exchange_n(object, expected, wanted, 1, 5, 5)
#define atomic_flag_test_and_set(object) __atomic_exchange_n(&(object)->set, 1, 5)
#define atomic_flag_clear(object) atomic_store(&(object)->set, 0)
/* Whatever order they ask for, there is one order of all: that is what is assumed of atomic accesses. */
#define atomic_load_explicit(object, order) ((void)(order), atomic_load(object))
#define atomic_store_explicit(object, value, order) ((void)(order), atomic_store(object, value))
#define atomic_exchange_explicit(object, value, order) ((void)(order), atomic_exchange(object, value))
#define atomic_fetch_add_explicit(object, value, order) ((void)(order), atomic_fetch_add(object, value))
#define atomic_fetch_sub_explicit(object, value, order) ((void)(order), atomic_fetch_sub(object, value))
#define atomic_fetch_or_explicit(object, value, order) ((void)(order), atomic_fetch_or(object, value))
#define atomic_fetch_and_explicit(object, value, order) ((void)(order), atomic_fetch_and(object, value))
#define atomic_fetch_xor_explicit(object, value, order) ((void)(order), atomic_fetch_xor(object, value))
#define atomic_flag_test_and_set_explicit(object, order) ((void)(order), atomic_flag_test_and_set(object))
#define atomic_flag_clear_explicit(object, order) ((void)(order), atomic_flag_clear(object))
#define atomic_compare_exchange_strong_explicit(object, expected, wanted, success, failure) \\
  ((void)(success), (void)(failure), atomic_compare_exchange_strong(object, expected, wanted))
#define atomic_compare_exchange_weak_explicit(object, expected, wanted, success, failure) \\
  ((void)(success), (void)(failure), atomic_compare_exchange_weak(object, expected, wanted))
#endif
""",
    "stdnoreturn.h": "#define noreturn _Noreturn\n",
    "stdalign.h": (
        "#define alignas _Alignas\n#define alignof _Alignof\n"
        "#define __alignas_is_defined 1\n#define __alignof_is_defined 1\n"
    ),
    "iso646.h": (
        "#define and &&\n#define and_eq &=\n#define bitand &\n#define bitor |\n#define compl ~\n#define not !\n"
        "#define not_eq !=\n#define or ||\n#define or_eq |=\n#define xor ^\n#define xor_eq ^=\n"
    ),
}


def virtual_headers() -> dict[str, str]:
    """Texts by path, of files that do not exist on disk but that an #include finds."""
    own = (*_OWN.items(), (_ATOMICS, atomics()), *((name, "") for name in _EMPTY))
    return {f"{_VIRTUAL}/{name}": content for name, content in own}


def search_arguments(model: DataModel) -> list[str]:
    """How to tell the parser where to look, after the user's own folders."""
    return [
        "-nostdinc",
        "-include",
        f"{_VIRTUAL}/{_ATOMICS}",
        "-isystem",
        _VIRTUAL,
        *(argument for folder in system_folders() for argument in ("-isystem", folder)),
    ]


@cache
def system_folders() -> tuple[str, ...]:
    """Where the system's compiler looks, its own folder last (ours come first); without one, the usual places."""
    for compiler in _COMPILERS:
        if (path := which(compiler)) is not None and (folders := _asked(path)):
            own = [folder for folder in folders if "/gcc/" in folder or "/clang/" in folder]
            return (*(folder for folder in folders if folder not in own), *own)
    beside = sorted(Path("/usr/include").glob(f"{machine()}-linux-*"))  # where Debian keeps what depends on the machine
    return tuple(str(each) for each in (Path("/usr/local/include"), *beside, Path("/usr/include")) if each.is_dir())


def _asked(compiler: str) -> list[str]:
    try:
        run = subprocess.run(
            [compiler, "-E", "-v", "-x", "c", "/dev/null"], capture_output=True, text=True, timeout=20, check=False
        )
    except (OSError, subprocess.SubprocessError):
        return []
    lines = run.stderr.splitlines()
    start = next((at for at, line in enumerate(lines) if line.startswith("#include <...>")), None)
    if start is None:
        return []
    found = []
    for line in lines[start + 1 :]:
        if not line.startswith(" "):
            break
        found.append(line.strip().removesuffix(" (framework directory)"))
    return [folder for folder in found if Path(folder).is_dir()]
