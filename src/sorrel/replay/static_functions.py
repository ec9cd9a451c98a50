"""Error functions that are static: a harness cannot name them, so it looks for them in the symbols of its own file.

`static void reach_error(void) { abort(); }` is as good an error function as one that others can see. Where a program
is no ELF file, or its symbols were stripped, such a function is not noticed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

_ASIDE = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|^[ \t]*#(?:\\\n|[^\n])*", re.DOTALL | re.MULTILINE
)
_PLAIN = r"(?:^|[;}}])\s*(?:extern\s+)?(?:_Noreturn\s+)?void\s+(?:__attribute__\s*\(\(\w+\)\)\s*)?{name}\s*\("
_OWN_HEADER = re.compile(r"^[ \t]*#[ \t]*include[ \t]*(?!<)", re.MULTILINE)

_LOOKUP = """
/* Which of these static functions it is, if any: their addresses are in the symbols of the file alone. */
QUIET void sorrel_anchor(void) LABEL(sorrel_anchor);
void sorrel_anchor(void) {}
QUIET UNSEEN static unsigned long long sorrel_read(FILE *file, unsigned long long at, int bytes) {
  unsigned char found[8] = {0};
  unsigned long long value = 0;
  if (fseek(file, (long)at, SEEK_SET) || fread(found, 1, (size_t)bytes, file) != (size_t)bytes)
    return 0;
  while (bytes-- > 0)
    value = value << 8 | found[bytes];
  return value;
}
QUIET UNSEEN static int sorrel_is_named(FILE *file, unsigned long long at, const char *name) {
  char found[32] = {0};
  return !fseek(file, (long)at, SEEK_SET) && fread(found, 1, sizeof found - 1, file) && strcmp(found, name) == 0;
}
QUIET UNSEEN static const char *sorrel_static_name(void *function) {
  enum { WIDE = sizeof(void *) == 8, WORD = WIDE ? 8 : 4, SYMBOL = WIDE ? 24 : 16, MOST = 8 };
  static const char *const wanted[] = {@NAMES@};
  static unsigned long long addresses[MOST], base;
  static const char *found[MOST];
  static int count = -1;
  FILE *file = count < 0 ? fopen("/proc/self/exe", "rb") : NULL;
  if (count < 0)
    count = 0;
  if (file) {
    unsigned long long sections = sorrel_read(file, WIDE ? 40 : 32, WORD), each = sorrel_read(file, WIDE ? 58 : 46, 2);
    for (unsigned long long i = 0; i < sorrel_read(file, WIDE ? 60 : 48, 2); i++) {
      unsigned long long header = sections + i * each;
      if (sorrel_read(file, header + 4, 4) != 2)
        continue;
      unsigned long long symbols = sorrel_read(file, header + (WIDE ? 24 : 16), WORD);
      unsigned long long size = sorrel_read(file, header + (WIDE ? 32 : 20), WORD);
      unsigned long long names = sections + sorrel_read(file, header + (WIDE ? 40 : 24), 4) * each;
      unsigned long long texts = sorrel_read(file, names + (WIDE ? 24 : 16), WORD);
      for (unsigned long long at = symbols; at < symbols + size; at += SYMBOL) {
        unsigned long long text = texts + sorrel_read(file, at, 4);
        unsigned long long value = sorrel_read(file, at + (WIDE ? 8 : 4), WORD);
        if (sorrel_is_named(file, text, "sorrel_anchor"))
          base = (unsigned long long)(size_t)(void *)sorrel_anchor - value;
        for (unsigned which = 0; which < sizeof wanted / sizeof *wanted; which++)
          if (count < MOST && value && sorrel_is_named(file, text, wanted[which])) {
            addresses[count] = value;
            found[count++] = wanted[which];
          }
      }
    }
    fclose(file);
  }
  for (int i = 0; i < count; i++)
    if ((unsigned long long)(size_t)function == base + addresses[i])
      return found[i];
  return NULL;
}
"""


def may_be_static(names: Sequence[str], texts: Sequence[str]) -> list[str]:
    """Those that a text uses without declaring them for all to see, or that a header of the user's may define."""
    plain = [_ASIDE.sub(" ", text) for text in texts]
    open_ = any(map(_OWN_HEADER.search, texts))
    return [name for name in names if open_ or any(_is_hidden(name, text) for text in plain)]


def _is_hidden(name: str, text: str) -> bool:
    return bool(re.search(rf"\b{name}\b", text)) and not re.search(_PLAIN.format(name=name), text)


def lookup(names: Sequence[str]) -> str:
    """What a harness needs to notice them: `sorrel_static_name(function)`."""
    return _LOOKUP.replace("@NAMES@", ", ".join(f'"{name}"' for name in names)) if names else ""


def test_of(names: Sequence[str], reached: int) -> str:
    """Where a function is entered: the end of the run with this code, if it is one of them."""
    if not names:
        return ""
    return (
        "  const char *name = sorrel_static_name(function);\n  if (name) {\n    char what[64];\n"
        f'    snprintf(what, sizeof what, "%s was called", name);\n    sorrel_end({reached}, what, "", 0);\n  }}\n'
    )
