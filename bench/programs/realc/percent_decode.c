/* Query strings: pairs of names and values, with percent signs for bytes and plus signs for spaces. */
#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define QUERY 32

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct pair {
    char *name;
    char *value;
};

static int hexadecimal(char c) {
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* A new string with what text[0..length) means, or null. */
static char *decode(const char *text, size_t length) {
    char *result = malloc(length + 1);
    size_t i = 0, o = 0;
    if (result == NULL)
        return NULL;
    while (i < length) {
        int high, low;
        if (text[i] == '%' && i + 2 < length && (high = hexadecimal(text[i + 1])) >= 0 &&
            (low = hexadecimal(text[i + 2])) >= 0) {
            result[o++] = (char)(high * 16 + low);
            i += 3;
        } else {
            result[o++] = text[i] == '+' ? ' ' : text[i];
            i++;
        }
    }
    result[o] = '\0';
    return result;
}

static size_t until(const char *text, size_t begin, char stop) {
    size_t end = begin;
    while (text[end] != '\0' && text[end] != stop && text[end] != '&')
        end++;
    return end;
}

/* Where the next pair begins; the pair is the caller's, to be released. */
static size_t next_pair(const char *query, size_t begin, struct pair *pair) {
    size_t end = until(query, begin, '=');
    pair->name = decode(&query[begin], end - begin);
    pair->value = NULL;
    if (query[end] == '=') {
        size_t value = end + 1;
        end = until(query, value, '&');
        pair->value = decode(&query[value], end - value);
    }
    return query[end] == '&' ? end + 1 : end;
}

static void release(struct pair *pair) {
    free(pair->name);
    free(pair->value);
    pair->name = NULL;
    pair->value = NULL;
}

static int count_pairs(const char *query) {
    size_t position = 0;
    int pairs = 0;
    while (query[position] != '\0') {
        struct pair pair;
        position = next_pair(query, position, &pair);
        if (pair.name != NULL && pair.name[0] != '\0')
            pairs++;
        release(&pair);
    }
    return pairs;
}

int main(void) {
    char query[QUERY];
    int n = 0;
    while (n < QUERY - 1) {
        query[n] = (char)__VERIFIER_nondet_uchar();
        if (query[n] == '\0')
            break;
        n++;
    }
    query[n] = '\0';
    int pairs = count_pairs(query);
    assert(pairs >= 0 && pairs <= n);
    return 0;
}
