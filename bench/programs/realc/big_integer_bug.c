/* Natural numbers of any size up to a limit, in limbs of 16 bits: addition, subtraction, products, decimal in and out. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define LIMBS 8
#define DIGITS 39 /* of 2 to the power of 128 */

typedef struct {
    int length; /* the highest limb is not zero */
    uint16_t limb[LIMBS];
} big;

static void big_trim(big *a) {
    while (a->length > 0 && a->limb[a->length - 1] == 0)
        a->length--;
}

static void big_set(big *a, uint32_t value) {
    a->limb[0] = (uint16_t)value;
    a->limb[1] = (uint16_t)(value >> 16);
    a->length = 2;
    big_trim(a);
}

static int big_compare(const big *a, const big *b) {
    if (a->length != b->length)
        return a->length < b->length ? -1 : 1;
    for (int i = a->length - 1; i >= 0; i--)
        if (a->limb[i] != b->limb[i])
            return a->limb[i] < b->limb[i] ? -1 : 1;
    return 0;
}

static uint32_t limb_at(const big *a, int i) {
    return i < a->length ? a->limb[i] : 0;
}

static int big_add(big *sum, const big *a, const big *b) {
    int length = a->length > b->length ? a->length : b->length;
    uint32_t carry = 0;
    for (int i = 0; i < length; i++) {
        carry += limb_at(a, i) + limb_at(b, i);
        sum->limb[i] = (uint16_t)carry;
        carry >>= 16;
    }
    if (carry != 0) {
        if (length == LIMBS)
            return -1;
        sum->limb[length++] = (uint16_t)carry;
    }
    sum->length = length;
    return 0;
}

/* a must be at least b. */
static void big_subtract(big *difference, const big *a, const big *b) {
    uint32_t borrow = 0;
    for (int i = 0; i < a->length; i++) {
        uint32_t part = 0x10000u + a->limb[i] - limb_at(b, i) - borrow;
        difference->limb[i] = (uint16_t)part;
        borrow = part >> 16 == 0;
    }
    difference->length = a->length;
    big_trim(difference);
}

static int big_multiply_add(big *a, uint16_t factor, uint16_t addend) {
    uint32_t carry = addend;
    for (int i = 0; i < a->length; i++) {
        carry += (uint32_t)a->limb[i] * factor;
        a->limb[i] = (uint16_t)carry;
        carry >>= 16;
    }
    if (carry != 0) {
        a->limb[a->length++] = (uint16_t)carry;
    }
    return 0;
}

static unsigned big_divide_small(big *a, uint16_t divisor) {
    uint32_t rest = 0;
    for (int i = a->length - 1; i >= 0; i--) {
        rest = rest << 16 | a->limb[i];
        a->limb[i] = (uint16_t)(rest / divisor);
        rest %= divisor;
    }
    big_trim(a);
    return rest;
}

static int big_print(const big *value, char *text) {
    big rest = *value;
    char reversed[DIGITS];
    int n = 0;
    do
        reversed[n++] = (char)('0' + big_divide_small(&rest, 10));
    while (rest.length > 0);
    for (int i = 0; i < n; i++)
        text[i] = reversed[n - 1 - i];
    text[n] = '\0';
    return n;
}

static int big_parse(big *value, const char *text) {
    value->length = 0;
    for (; *text != '\0'; text++)
        if (*text < '0' || *text > '9' || big_multiply_add(value, 10, (uint16_t)(*text - '0')) != 0)
            return -1;
    big_trim(value);
    return 0;
}

int main(void) {
    big a, b, sum, back;
    char text[DIGITS + 1];
    int n = 0;
    while (n < DIGITS && (text[n] = (char)__VERIFIER_nondet_uchar()) != '\0')
        n++;
    text[n] = '\0';
    if (big_parse(&a, text) != 0)
        return 1;
    big_set(&b, __VERIFIER_nondet_uint());
    assert(big_print(&a, text) <= DIGITS);
    assert(big_parse(&back, text) == 0 && big_compare(&a, &back) == 0);
    if (big_add(&sum, &a, &b) == 0) {
        assert(big_compare(&sum, &a) >= 0);
        big_subtract(&back, &sum, &b);
        assert(big_compare(&back, &a) == 0);
    }
    return 0;
}
