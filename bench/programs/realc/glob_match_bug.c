/* Patterns for names of files: '*', '?', sets like [a-z] and [!0-9], and a backslash before anything. */
#include <assert.h>
#include <stdbool.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define PATTERN 12
#define NAME 16

/* Looks for c in the set that begins at p (behind the bracket). Returns what follows the set, or NULL if it has no
   end; *found says whether c is in it. */
static const char *match_set(const char *p, char c, bool *found)
{
    bool negated = false;
    bool first = true;

    *found = false;
    if (*p == '!' || *p == '^') {
        negated = true;
        p++;
    }
    while (first || *p != ']') {
        char low = *p;
        if (low == '\0')
            return NULL;
        first = false;
        p++;
        if (low == '\\') {
            low = *p;
            if (low == '\0')
                return NULL;
            p++;
        }
        char high = low;
        if (*p == '-' && p[1] != ']') {
            high = p[1];
            p += 2;
        }
        if (low <= c && c <= high)
            *found = true;
    }
    if (negated)
        *found = !*found;
    return p + 1;
}

/* Matches one character and returns the pattern behind what matched it; NULL if it does not match. */
static const char *match_one(const char *p, char c)
{
    bool found;
    const char *rest;

    switch (*p) {
    case '\0':
        return NULL;
    case '?':
        return p + 1;
    case '[':
        rest = match_set(p + 1, c, &found);
        if (rest == NULL) /* not a set after all */
            return c == '[' ? p + 1 : NULL;
        return found ? rest : NULL;
    case '\\':
        if (p[1] != '\0')
            p++;
        return *p == c ? p + 1 : NULL;
    default:
        return *p == c ? p + 1 : NULL;
    }
}

static bool glob_match(const char *pattern, const char *name)
{
    const char *star = NULL; /* the pattern behind the last star */
    const char *retry = name;

    while (*name != '\0') {
        const char *next;
        if (*pattern == '*') {
            star = ++pattern;
            retry = name;
        } else if ((next = match_one(pattern, *name)) != NULL) {
            pattern = next;
            name++;
        } else if (star != NULL) {
            pattern = star;
            name = ++retry;
        } else {
            return false;
        }
    }
    while (*pattern == '*')
        pattern++;
    return *pattern == '\0';
}

static int read_text(char *text, int size)
{
    int n = 0;
    while (n < size) {
        text[n] = (char)__VERIFIER_nondet_uchar();
        if (text[n] == '\0')
            return n;
        n++;
    }
    text[n] = '\0';
    return n;
}

int main(void)
{
    char pattern[PATTERN + 1], name[NAME + 1];
    int tests = 0, matches = 0;
    while (tests < 100 && __VERIFIER_nondet_int()) {
        int pattern_length = read_text(pattern, PATTERN);
        int name_length = read_text(name, NAME);
        if (glob_match(pattern, name)) {
            matches++;
            assert(pattern_length > 0 || name_length == 0);
        }
        assert(glob_match("*", name));
        assert(!glob_match("?", name) || name_length == 1);
        tests++;
    }
    assert(matches <= tests);
    return 0;
}
