"""The C around a program whose contracts are looked at: what it is given, how its runs begin, and how checks report."""

from __future__ import annotations

from collections.abc import Sequence


def harness(
    calls: Sequence[Sequence[Sequence[str]]], included: Sequence[str], functions: Sequence[str], seed: int
) -> str:
    lines = [_PRELUDE.replace("SEED", str(seed))]
    for name in functions:
        kind = "_Bool" if name.endswith("bool") else "long long"
        lines.append(f"{kind} sorrel_open_{name}(void) LABEL({name});")
        lines.append(f"{kind} sorrel_open_{name}(void) {{ return sorrel_any(); }}")
    if included:
        lines += ["#define main sorrel_unused_main", *(f'#include "{each}"' for each in included), "#undef main"]
        for part, own in enumerate(calls):
            lines += [f"static void sorrel_part{part}(int number) {{", f"  switch (number % {max(1, len(own))}) {{"]
            lines += [f"  case {number}: {{ {' '.join(call)} break; }}" for number, call in enumerate(own)]
            lines += ["  }", "}"]
        cases = " ".join(f"case {part}: sorrel_part{part}(number); break;" for part in range(len(calls)))
        lines.append("void sorrel_call(int part, int number);")
        lines.append(f"void sorrel_call(int part, int number) {{ sorrel_seed(number); switch (part) {{ {cases} }} }}")
    return "\n".join([*lines, ""])


def driver(ranges: Sequence[tuple[int, int]], runs: int, seconds: int) -> str:
    """Main: a process for each run, in which conditions of the part's own are looked at."""
    table = ", ".join(f"{{{first}, {last}}}" for first, last in ranges)
    return (
        _DRIVER.replace("RANGES", table)
        .replace("PARTS", str(len(ranges)))
        .replace("RUNS", str(runs))
        .replace("SECONDS", str(seconds))
    )


_PRELUDE = """#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#define SORREL_TEXT(x) #x
#define SORREL_EXPANDED(x) SORREL_TEXT(x)
#define LABEL(name) __asm__(SORREL_EXPANDED(__USER_LABEL_PREFIX__) #name)

static unsigned long long sorrel_state;
static void sorrel_seed(int number) {
  sorrel_state = 0x9E3779B97F4A7C15ULL * (2 * (SEED + 1) + 1024 * number + 1);
}
__attribute__((constructor)) static void sorrel_begin(int count, char **words) {
  sorrel_seed(count > 1 ? atoi(words[1]) : 0);
}
static unsigned long long sorrel_random(void) {
  sorrel_state ^= sorrel_state << 13;
  sorrel_state ^= sorrel_state >> 7;
  sorrel_state ^= sorrel_state << 17;
  return sorrel_state;
}
static long long sorrel_any(void) {
  long long number = (long long)(sorrel_random() >> 8);
  switch (sorrel_random() >> 60) {
  case 0: return number;
  case 1: return (int)number;
  case 2: return 0x7fffffff - number % 2;
  case 3: return -(number % 10);
  case 4: case 5: return number % 1000;
  case 6: case 7: case 8: return number % 2;
  default: return number % 12;
  }
}
"""

# A file of its own: in the file that includes the user's text there may be other definitions of these.
OUTSIDE = """#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#define SORREL_TEXT(x) #x
#define SORREL_EXPANDED(x) SORREL_TEXT(x)
#define LABEL(name) __asm__(SORREL_EXPANDED(__USER_LABEL_PREFIX__) #name)
#define WEAK __attribute__((weak))
void sorrel_error(void) LABEL(reach_error) WEAK;
void sorrel_error(void) { _exit(0); }
void sorrel_older_error(void) LABEL(__VERIFIER_error) WEAK;
void sorrel_older_error(void) { _exit(0); }
void sorrel_assumed(int condition) LABEL(__VERIFIER_assume) WEAK;
void sorrel_assumed(int condition) {
  if (!condition)
    _exit(0);
}
void sorrel_asserted(int condition) LABEL(__VERIFIER_assert) WEAK;
void sorrel_asserted(int condition) {
  if (!condition)
    _exit(0);
}
static int sorrel_first = 0, sorrel_last = 1 << 16, sorrel_run = 0;
void sorrel_told(int number, int holds);
void sorrel_told(int number, int holds) {
  static unsigned char said[1 << 16];
  if (number < sorrel_first || number >= sorrel_last)
    return;
  unsigned char *known = &said[number & 0xffff];
  if (*known & (holds ? 1 : 2))
    return;
  *known |= holds ? 1 : 2;
  dprintf(2, "\\nsorrel_told %d %d %d\\n", sorrel_run, number, holds); // the program may have another stderr
}
"""

_DRIVER = """void sorrel_call(int part, int number);
static const int sorrel_ranges[PARTS][2] = {RANGES};
int main(void) {
  for (sorrel_run = 0; sorrel_run < PARTS * RUNS; sorrel_run++) {
    pid_t child = fork();
    if (child == 0) {
      const struct rlimit most = {SECONDS, SECONDS};
      setrlimit(RLIMIT_CPU, &most);
      alarm(4 * SECONDS);
      sorrel_first = sorrel_ranges[sorrel_run / RUNS][0];
      sorrel_last = sorrel_ranges[sorrel_run / RUNS][1];
      sorrel_call(sorrel_run / RUNS, sorrel_run % RUNS);
      _exit(0);
    }
    if (child > 0)
      waitpid(child, 0, 0);
  }
  return 0;
}
"""
