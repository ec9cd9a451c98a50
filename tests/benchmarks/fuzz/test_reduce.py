"""Failing texts made smaller."""

from __future__ import annotations

from collections.abc import Sequence

from bench.fuzz.reduce import reduced

PROGRAM = """int f(int x) {
  return x;
}
int main(void) {
  int a = 1;
  if (a) {
    int b = 2;
    while (b) {
      bad();
      b--;
    }
  }
  return f(a);
}""".splitlines()


def _balanced(lines: Sequence[str]) -> bool:
    text = "\n".join(lines)
    return text.count("{") == text.count("}")


def test_only_what_fails_is_left() -> None:
    found = reduced(PROGRAM, lambda lines: _balanced(lines) and any("bad" in line for line in lines), 10)
    assert [line.strip() for line in found] == ["bad();"]


def test_blocks_lose_their_frames_and_keep_what_is_needed() -> None:
    def fails(lines: Sequence[str]) -> bool:
        text = "\n".join(lines)
        return _balanced(lines) and "int main(void) {" in text and "int b = 2;" in text and "bad" in text

    found = reduced(PROGRAM, fails, 10)
    assert [line.strip() for line in found] == ["int main(void) {", "int b = 2;", "bad();", "}"]


def test_without_time_nothing_is_lost() -> None:
    assert reduced(PROGRAM, lambda _: True, -1) == PROGRAM
