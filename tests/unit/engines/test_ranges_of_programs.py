"""What ranges prove of programs in C, and do not prove of the same programs with an error."""

from __future__ import annotations

import pytest

from asking import verified
from sorrel.model.outcome import Answer

TOTAL = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int n = __VERIFIER_nondet_int(), sum = 0;
    if (n < 0 || n > 1000)
        return 1;
    for (int i = 0; i < n; i++) {
        int digit = __VERIFIER_nondet_int();
        if (digit >= -9 && digit <= 9)
            sum += digit < 0 ? -digit : digit;
    }
    return sum;
}
"""
SPANS = """
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int low[10], high[10];
    long long sum = 0;
    for (int i = 0; i < 10; i++) {
        low[i] = __VERIFIER_nondet_int();
        high[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < 10; i++)
        sum += (long long)high[i] - low[i] + 1;
    return sum > 0;
}
"""
HASHED = """
extern unsigned char __VERIFIER_nondet_uchar(void);
static int count[16];
int main(void) {
    unsigned hash = 2166136261u;
    for (int i = 0; i < 100; i++) {
        hash ^= __VERIFIER_nondet_uchar();
        hash *= 16777619u;
        count[hash % 16]++;
    }
    return 0;
}
"""
DESCENT = """
extern char __VERIFIER_nondet_char(void);
static const char *at;
static char text[17];
static int depth;
static void group(void) {
    while (*at == ' ')
        at++;
    if (*at != '(' || depth == 9)
        return;
    at++;
    depth++;
    group();
    depth--;
    if (*at == ')')
        at++;
}
int main(void) {
    int n = 0;
    while (n < 16 && (text[n] = __VERIFIER_nondet_char()) != 0)
        n++;
    text[n] = 0;
    at = text;
    group();
    return *at;
}
"""
BEHIND = """
#include <assert.h>
extern char __VERIFIER_nondet_char(void);
int main(void) {
    char text[17];
    int n = 0, i = 0;
    while (n < 16 && (text[n] = __VERIFIER_nondet_char()) != 0)
        n++;
    text[n] = 0;
    while (text[i] != 0)
        i++;
    assert(i <= n);
    return 0;
}
"""
GROWING = """
#include <stdlib.h>
extern int __VERIFIER_nondet_int(void);
int main(void) {
    int capacity = 4, used = 0;
    int *numbers = malloc(sizeof(int) * (size_t)capacity);
    while (used < 1000 && __VERIFIER_nondet_int()) {
        if (used == capacity) {
            int *more = malloc(sizeof(int) * (size_t)(2 * capacity));
            for (int i = 0; i < used; i++)
                more[i] = numbers[i];
            free(numbers);
            numbers = more;
            capacity *= 2;
        }
        numbers[used++] = 1;
    }
    free(numbers);
    return 0;
}
"""
PROVED = {
    "a total of digits": (TOTAL, "no-overflow", "n > 1000", "n > 1000000000"),
    "a total of differences": (SPANS, "no-overflow", "(long long)high[i]", "high[i]"),
    "a hash as an index": (HASHED, "valid-deref", "% 16", "% 17"),
    "recursive descent through a text": (DESCENT, "valid-deref", "text[n] = 0;", "text[n] = '(';"),
    "the end of a text": (BEHIND, "assertions", "i <= n", "i < n"),
    "a copy into a longer block": (GROWING, "valid-deref", "used == capacity", "used == 2 * capacity"),
}


@pytest.mark.parametrize("name", PROVED)
def test_ranges_prove_it_and_not_what_is_wrong(name: str) -> None:
    text, goal, right, wrong = PROVED[name]
    assert right in text
    assert verified(text, goal=goal, engine="ranges", timeout=30).answer in (Answer.SAFE, Answer.ASSUMING)
    changed = text.replace(right, wrong)
    assert verified(changed, goal=goal, engine="ranges", timeout=3).answer not in (Answer.SAFE, Answer.ASSUMING)
