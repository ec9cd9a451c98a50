/* A Bloom filter: strings are hashed twice, further positions follow from these two; what was added is always found. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define MAX_BITS 4096
#define MAX_HASHES 8
#define WORD 8

struct bloom {
    uint32_t bits;
    int hashes;
    int added;
    uint8_t *field;
};

static uint32_t fnv1a(const char *text, uint32_t seed) {
    uint32_t hash = 2166136261u ^ seed;
    for (; *text != '\0'; text++) {
        hash ^= (uint8_t)*text;
        hash *= 16777619u;
    }
    return hash;
}

static uint32_t djb2(const char *text) {
    uint32_t hash = 5381;
    while (*text)
        hash = hash * 33 + (uint8_t)*text++;
    return hash | 1; /* odd, so that the steps visit all of a power of two */
}

static int bloom_init(struct bloom *b, int bits, int hashes) {
    if (bits < 8 || bits > MAX_BITS || hashes < 1 || hashes > MAX_HASHES)
        return -1;
    b->bits = (uint32_t)bits;
    b->hashes = hashes;
    b->added = 0;
    size_t bytes = b->bits / 8;
    b->field = malloc(bytes);
    if (b->field == NULL)
        return -1;
    memset(b->field, 0, bytes);
    return 0;
}

static void bloom_free(struct bloom *b) {
    free(b->field);
    b->field = NULL;
}

static uint32_t position(const struct bloom *b, uint32_t first, uint32_t step, int i) {
    return (first + (uint32_t)i * step) % b->bits;
}

static void bloom_add(struct bloom *b, const char *word) {
    uint32_t first = fnv1a(word, 0), step = djb2(word);
    for (int i = 0; i < b->hashes; i++) {
        uint32_t bit = position(b, first, step, i);
        b->field[bit / 8] |= (uint8_t)(1u << bit % 8);
    }
    b->added++;
}

static int bloom_may_have(const struct bloom *b, const char *word) {
    uint32_t first = fnv1a(word, 0), step = djb2(word);
    for (int i = 0; i < b->hashes; i++) {
        uint32_t bit = position(b, first, step, i);
        if (!(b->field[bit / 8] & 1u << bit % 8))
            return 0;
    }
    return 1;
}

/* The number of bits that are set, which tells how full the filter is. */
static int bloom_load(const struct bloom *b) {
    int load = 0;
    for (uint32_t i = 0; i < b->bits; i++)
        load += b->field[i / 8] >> i % 8 & 1;
    return load;
}

int main(void) {
    struct bloom b;
    char word[WORD + 1];
    int bits = __VERIFIER_nondet_int(), hashes = __VERIFIER_nondet_int();
    if (bloom_init(&b, bits, hashes) != 0)
        return 1;
    for (int round = 0; round < 50 && __VERIFIER_nondet_int(); round++) {
        int n = 0;
        while (n < WORD && (word[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
            n++;
        word[n] = '\0';
        int before = bloom_load(&b);
        bloom_add(&b, word);
        assert(bloom_may_have(&b, word));
        int after = bloom_load(&b);
        assert(before <= after && after <= before + hashes && after <= bits);
    }
    bloom_free(&b);
    return 0;
}
