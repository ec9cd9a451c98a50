"""The standard headers can be read, in any order."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from c_execution import Behaviour, executed, interpreted, program_of, require_compiler
from samples import some
from sorrel.frontends.c import CSettings, DataModel
from sorrel.frontends.c.linking import Linker
from sorrel.frontends.c.parsing import headers
from sorrel.frontends.c.parsing.parser import Parser
from sorrel.model.errors import InputError
from sorrel.model.source import Source

_HEADERS = (
    *("stdio", "stdlib", "string", "ctype", "limits", "stdint", "stdbool", "stddef", "float", "inttypes", "errno"),
    *("assert", "math", "time", "signal", "stdarg", "pthread", "unistd", "sys/types", "iso646", "stdnoreturn"),
    *("stdalign", "semaphore"),
)


def _read(headers: Sequence[str], model: DataModel) -> None:
    text = "".join(f"#include <{header}.h>\n" for header in headers)
    with Parser(CSettings(model)) as parser:
        parser.parse([Source("headers.c", text)])
        for function in (each for unit in parser.units for each in unit.functions):
            function.prototype()


@pytest.mark.parametrize("model", list(DataModel))
@pytest.mark.parametrize("first", some(_HEADERS, 4))
def test_any_header_can_come_first(first: str, model: DataModel) -> None:
    _read([first, *(header for header in _HEADERS if header != first)], model)


@pytest.mark.parametrize("model", list(DataModel))
def test_headers_can_be_read_backwards_and_twice(model: DataModel) -> None:
    _read([*reversed(_HEADERS), *_HEADERS], model)


@pytest.mark.long
@pytest.mark.parametrize("first", _HEADERS)
def test_any_two_headers_can_be_read(first: str) -> None:
    for second in _HEADERS:
        for model in DataModel:
            _read([first, second], model)


_CONSTANTS = (
    *("DBL_MANT_DIG", "FLT_MANT_DIG", "LDBL_MANT_DIG", "DBL_MAX_EXP", "DBL_MIN_EXP", "FLT_MAX_10_EXP", "FLT_DIG"),
    *("DECIMAL_DIG", "FLT_RADIX", "DBL_DIG", "LDBL_MIN_10_EXP", "CHAR_BIT", "SCHAR_MIN", "UCHAR_MAX", "SHRT_MIN"),
    *("USHRT_MAX", "INT_MAX", "INT_MIN", "UINT_MAX", "LONG_MAX", "LONG_MIN", "ULONG_MAX", "LLONG_MIN", "ULLONG_MAX"),
    *("MB_LEN_MAX", "PATH_MAX", "SSIZE_MAX", "INT_FAST8_MAX", "INT_FAST16_MAX", "INT_FAST32_MIN", "INT_LEAST16_MAX"),
    *("UINT_FAST16_MAX", "INT64_MIN", "UINT64_MAX", "SIZE_MAX", "PTRDIFF_MIN", "WCHAR_MAX", "INTMAX_MAX", "INT8_MIN"),
    *(
        "sizeof(int_fast16_t)",
        "sizeof(wchar_t)",
        "sizeof(max_align_t)",
        "sizeof(intmax_t)",
        "UINT32_C(7)",
        "INT64_C(-8)",
    ),
)


@pytest.mark.parametrize("constant", _CONSTANTS)
def test_constants_of_headers_have_the_compiler_s_values(constant: str) -> None:
    text = (
        "#include <limits.h>\n#include <float.h>\n#include <stdint.h>\n#include <stddef.h>\n"
        f"int main(void) {{ unsigned long long value = {constant}; "
        "return (int)(value & 0x7fffffff) ^ (int)(value >> 33); }"
    )
    require_compiler()
    found = interpreted(program_of(text))
    assert found == executed(text)
    assert found != Behaviour("undefined")


def test_headers_are_found_where_there_is_no_compiler(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(headers, "_COMPILERS", ())
    monkeypatch.setattr(headers, "system_folders", headers.system_folders.__wrapped__)
    source = Source(
        text="#include <assert.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) { return 0; }\n"
    )
    with Parser(CSettings()) as parser:
        parser.parse([source])
        assert parser.units[0].functions


@pytest.mark.parametrize(("used", "read"), [("0", []), ("made().a", ["struct s"])])
def test_what_is_announced_is_read_when_it_is_mentioned(used: str, read: list[str]) -> None:
    text = f"struct s {{ int a; }}; struct s made(void); int main(void) {{ return {used}; }}"
    with Parser(CSettings()) as parser:
        parser.parse([Source("f.c", text)])
        Linker(parser).link("main")
        assert [record.name for unit in parser.records for record in unit] == read


@pytest.mark.parametrize("kind", ["PTHREAD_MUTEX_RECURSIVE", "PTHREAD_MUTEX_ERRORCHECK", "1"])
def test_mutexes_that_are_not_normal_are_refused_by_name(kind: str) -> None:
    text = "#include <pthread.h>\nint main(void) {{ pthread_mutexattr_t a; return pthread_mutexattr_settype(&a, {}); }}"
    program_of(text.format("PTHREAD_MUTEX_NORMAL"))
    with pytest.raises(InputError, match="only normal mutexes are supported"):
        program_of(text.format(kind))
