/* Networks in CIDR notation: addresses are parsed and printed, and a small routing table finds the longest prefix. */
#include <assert.h>
#include <stdint.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define ROUTES 6
#define TEXT_MAX 18 /* 255.255.255.255/32 */

struct route {
    uint32_t network;
    int prefix;
    int hop;
};

struct table {
    struct route routes[ROUTES];
    int count;
};

static uint32_t mask_of(int prefix) {
    return prefix == 0 ? 0 : 0xffffffffu << (32 - prefix);
}

/* A decimal number without superfluous zeros, at most `limit`; NULL if there is none. */
static const char *parse_number(const char *s, int limit, int *value) {
    if (*s < '0' || *s > '9')
        return NULL;
    if (*s == '0' && s[1] >= '0' && s[1] <= '9')
        return NULL;
    *value = 0;
    while (*s >= '0' && *s <= '9') {
        *value = *value * 10 + (*s - '0');
        if (*value > limit)
            return NULL;
        s++;
    }
    return s;
}

static int parse_route(const char *s, uint32_t *network, int *prefix) {
    int part;
    *network = 0;
    for (int i = 0; i < 4; i++) {
        if (i > 0 && *s++ != '.')
            return -1;
        s = parse_number(s, 255, &part);
        if (s == NULL)
            return -1;
        *network = *network << 8 | (uint32_t)part;
    }
    *prefix = 32;
    if (*s == '/') {
        s = parse_number(s + 1, 32, prefix);
        if (s == NULL)
            return -1;
    }
    return *s == '\0' ? 0 : -1;
}

static char *print_number(char *out, unsigned value) {
    if (value >= 100)
        *out++ = (char)('0' + value / 100);
    if (value >= 10)
        *out++ = (char)('0' + value / 10 % 10);
    *out++ = (char)('0' + value % 10);
    return out;
}

static int print_route(char *text, uint32_t network, int prefix) {
    char *out = text;
    for (int shift = 24; shift >= 0; shift -= 8) {
        out = print_number(out, network >> shift & 255);
        *out++ = shift > 0 ? '.' : '/';
    }
    out = print_number(out, (unsigned)prefix);
    *out = '\0';
    return (int)(out - text);
}

static int table_add(struct table *t, const char *text, int hop) {
    struct route r;
    if (t->count >= ROUTES || parse_route(text, &r.network, &r.prefix) != 0)
        return -1;
    r.hop = hop;
    t->routes[t->count++] = r;
    return 0;
}

static const struct route *table_match(const struct table *t, uint32_t address) {
    const struct route *best = NULL;
    for (int i = 0; i < t->count; i++) {
        const struct route *r = &t->routes[i];
        if ((address & mask_of(r->prefix)) == r->network && (best == NULL || r->prefix > best->prefix))
            best = r;
    }
    return best;
}

int main(void) {
    struct table t = {.count = 0};
    char text[TEXT_MAX + 1];
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            int n = 0;
            while (n < TEXT_MAX && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
                n++;
            text[n] = '\0';
            table_add(&t, text, n);
        } else {
            uint32_t network = __VERIFIER_nondet_uint(), parsed;
            int prefix = __VERIFIER_nondet_int(), parsed_prefix;
            if (prefix < 0 || prefix > 32)
                continue;
            assert(print_route(text, network, prefix) <= TEXT_MAX);
            assert(parse_route(text, &parsed, &parsed_prefix) == 0);
            assert(parsed == network && parsed_prefix == prefix);
            if (table_add(&t, text, 0) == 0)
                assert(table_match(&t, network)->prefix >= prefix);
        }
    }
    return 0;
}
