"""What compiled runs let be seen, so that several of them can be compared: C text for the harness, and what it prints.

Calls of `sorrel_low` and its relatives print their arguments. Branches are seen as the basic blocks that a run enters
(`-fsanitize-coverage=trace-pc`): their number, and a fingerprint of their addresses in order. A function under test
prints what it returns.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from sorrel.model.values import dataclass
from sorrel.replay.entry import NoHarness

SEEN, BLOCKS, RESULT = "saw", "blocks", "result"
"""First words of the lines that observers print, after the mark of the harness."""
BLOCK_FLAGS = ("-fsanitize-coverage=trace-pc",)
OBSERVED_FUNCTIONS = ("sorrel_low", "sorrel_declassify", "sorrel_assert_low")
_HEADER = re.compile(r'^\s*#\s*include\s*[<"]sorrel\.h[>"]', re.MULTILINE)
_TYPE_WORDS = frozenset({"const", "unsigned", "signed", "int", "long", "short", "char", "_Bool"})


@dataclass(frozen=True, slots=True)
class Seen:
    """What one compiled run let be seen: values of calls in order, blocks with their fingerprint, what it returned."""

    values: tuple[tuple[str, int], ...] = ()
    blocks: tuple[int, str] | None = None
    result: int | None = None


def calls_observer(texts: Sequence[str]) -> str:
    """Functions that print their arguments, with the parameter types that the program declares."""
    parts = [_SAY]
    for name in OBSERVED_FUNCTIONS:
        parts.append(_ON_VALUE.format(name=name, type=_declared(name, texts, ("int",))[0], seen=SEEN))
        array, count = _declared(f"{name}_array", texts, ("const int *", "int"))
        parts.append(_ON_ARRAY.format(name=name, array=array, count=count, seen=SEEN))
    return "".join(parts)


def blocks_observer() -> str:
    """Counts the blocks that are entered, none of the harness among them."""
    return _ON_BLOCK.format(blocks=BLOCKS)


def _declared(name: str, texts: Sequence[str], default: tuple[str, ...]) -> tuple[str, ...]:
    """The parameter types of a function as a text declares it, without the names of parameters."""
    for text in texts:
        found = re.search(rf"\bvoid\s+{name}\s*\(([^()]*)\)\s*;", text)
        if found is not None:
            types = tuple(map(_type, found[1].split(",")))
            if len(types) != len(default):
                raise NoHarness(f"{name} is declared with {len(types)} parameters")
            return types
    with_header = any(_HEADER.search(text) for text in texts)
    return ("long long",) if with_header and default == ("int",) else default


def _type(parameter: str) -> str:
    words = re.findall(r"\w+|[*\[\]]", parameter)
    if words and re.fullmatch(r"[A-Za-z_]\w*", words[-1]) and words[-1] not in _TYPE_WORDS and len(words) > 1:
        words.pop()
    if not words or any(word not in _TYPE_WORDS | {"*"} for word in words):
        raise NoHarness(f"the type of the parameter {parameter.strip()} is not known to the harness")
    return " ".join(words)


def read_seen(lines: Sequence[str]) -> Seen:
    """From the lines that the harness printed, without its mark."""
    values: list[tuple[str, int]] = []
    blocks: tuple[int, str] | None = None
    result: int | None = None
    for line in lines:
        match line.split():
            case [word, name, value] if word == SEEN:
                values.append((name, int(value)))
            case [word, count, fingerprint] if word == BLOCKS:
                blocks = (int(count), fingerprint)
            case [word, value] if word == RESULT:
                result = int(value)
    return Seen(tuple(values), blocks, result)


def as_printed(value: Any) -> int:
    """A value of a run as observers print it: of 64 bits, with a sign."""
    return (int(value) + 2**63) % 2**64 - 2**63


_SAY = """
QUIET UNSEEN static void sorrel_say(const char *word, const char *name, long long value) {
  fprintf(stderr, "%s %s%s%s %lld\\n", SORREL_MARK, word, *name ? " " : "", name, value);
}
"""

_ON_VALUE = """
QUIET UNSEEN void sorrel_on_{name}({type} value) LABEL({name}) WEAK;
void sorrel_on_{name}({type} value) {{ sorrel_say("{seen}", "{name}", (long long)value); }}
"""

_ON_ARRAY = """
QUIET UNSEEN void sorrel_on_{name}_array({array} cells, {count} count) LABEL({name}_array) WEAK;
void sorrel_on_{name}_array({array} cells, {count} count) {{
  for ({count} i = 0; i < count; i++)
    sorrel_say("{seen}", "{name}", (long long)cells[i]);
}}
"""

_ON_BLOCK = """
static unsigned long sorrel_blocks, sorrel_fingerprint = 14695981039346656037UL;
QUIET UNSEEN static void sorrel_tell_blocks(void) __attribute__((destructor));
QUIET UNSEEN void sorrel_on_block(void) LABEL(__sanitizer_cov_trace_pc);
void sorrel_on_block(void) {{
  sorrel_blocks++;
  sorrel_fingerprint ^= (unsigned long)((char *)__builtin_return_address(0) - (char *)&sorrel_tell_blocks);
  sorrel_fingerprint *= 1099511628211UL;
}}
QUIET UNSEEN static void sorrel_watch(void) __attribute__((constructor));
static void sorrel_watch(void) {{ sorrel_before_end = sorrel_tell_blocks; }}
static void sorrel_tell_blocks(void) {{
  fprintf(stderr, "%s {blocks} %lu %lx\\n", SORREL_MARK, sorrel_blocks, sorrel_fingerprint);
}}
"""
