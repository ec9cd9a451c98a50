/* Sets of small numbers as words of bits: union, intersection, difference, counting and iteration. */
#include <assert.h>
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

#define WORD_BITS 32
#define UNIVERSE_MAX 1024

typedef struct {
    uint32_t *words;
    int word_count;
    int universe; /* members are 0 .. universe - 1 */
} bit_set;

static int bit_set_create(bit_set *set, int universe) {
    if (universe <= 0 || universe > UNIVERSE_MAX)
        return -1;
    set->word_count = universe < WORD_BITS ? 1 : universe / WORD_BITS;
    set->words = calloc((size_t)set->word_count, sizeof(uint32_t));
    if (set->words == NULL)
        return -1;
    set->universe = universe;
    return 0;
}

static void bit_set_destroy(bit_set *set) {
    free(set->words);
    set->words = NULL;
    set->word_count = 0;
    set->universe = 0;
}

static int bit_set_has(const bit_set *set, int member) {
    if (member < 0 || member >= set->universe)
        return 0;
    return (int)(set->words[member / WORD_BITS] >> (member % WORD_BITS) & 1u);
}

static int bit_set_add(bit_set *set, int member) {
    if (member < 0 || member >= set->universe)
        return -1;
    set->words[member / WORD_BITS] |= 1u << (member % WORD_BITS);
    return 0;
}

static void bit_set_remove(bit_set *set, int member) {
    if (member >= 0 && member < set->universe)
        set->words[member / WORD_BITS] &= ~(1u << (member % WORD_BITS));
}

static int count_bits(uint32_t word) {
    int count = 0;
    while (word != 0) {
        word &= word - 1;
        count++;
    }
    return count;
}

static int bit_set_size(const bit_set *set) {
    int size = 0;
    for (int i = 0; i < set->word_count; i++)
        size += count_bits(set->words[i]);
    return size;
}

/* target = target + other; a member of `other` that the target cannot hold is an error. */
static int bit_set_unite(bit_set *target, const bit_set *other) {
    if (other->universe > target->universe)
        return -1;
    for (int i = 0; i < other->word_count; i++)
        target->words[i] |= other->words[i];
    return 0;
}

static void bit_set_intersect(bit_set *target, const bit_set *other) {
    for (int i = 0; i < target->word_count; i++)
        target->words[i] &= i < other->word_count ? other->words[i] : 0u;
}

/* The smallest member that is at least `from`, or -1. */
static int bit_set_next(const bit_set *set, int from) {
    for (int member = from < 0 ? 0 : from; member < set->universe; member++)
        if (bit_set_has(set, member))
            return member;
    return -1;
}

int main(void) {
    bit_set left, right;
    if (bit_set_create(&left, __VERIFIER_nondet_int()) != 0)
        return 1;
    if (bit_set_create(&right, __VERIFIER_nondet_int()) != 0) {
        bit_set_destroy(&left);
        return 1;
    }
    while (__VERIFIER_nondet_int()) {
        int member = __VERIFIER_nondet_int();
        switch (__VERIFIER_nondet_int()) {
        case 0:
            if (bit_set_add(&left, member) == 0)
                assert(bit_set_has(&left, member));
            break;
        case 1:
            bit_set_add(&right, member);
            break;
        case 2:
            bit_set_remove(&left, member);
            assert(!bit_set_has(&left, member));
            break;
        case 3:
            bit_set_unite(&left, &right);
            break;
        case 4:
            bit_set_intersect(&left, &right);
            assert(!bit_set_has(&left, member) || bit_set_has(&right, member));
            break;
        default:
            if (bit_set_next(&left, member) < 0 && member <= 0)
                assert(bit_set_size(&left) == 0);
        }
    }
    bit_set_destroy(&left);
    bit_set_destroy(&right);
    return 0;
}
