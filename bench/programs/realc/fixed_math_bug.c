/* Arithmetic with 16 binary places: products and quotients that saturate, square roots, sines from a table. */
#include <assert.h>
#include <limits.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);

typedef int32_t fixed;

#define ONE 65536
#define QUADRANT 16 /* steps of a quarter of a turn */

/* round(65536 * sin(pi / 2 * i / 16)) */
static const fixed quarter_sine[QUADRANT + 1] = {
    0,     6424,  12785, 19024, 25080, 30893, 36410, 41576, 46341,
    50660, 54491, 57798, 60547, 62714, 64277, 65220, 65536,
};

static fixed saturate(int64_t value) {
    if (value > INT32_MAX)
        return INT32_MAX;
    if (value < INT32_MIN)
        return INT32_MIN;
    return (fixed)value;
}

static fixed fixed_add(fixed a, fixed b) {
    return saturate((int64_t)a + b);
}

static fixed fixed_multiply(fixed a, fixed b) {
    return saturate((int64_t)a * b / ONE);
}

static fixed fixed_divide(fixed a, fixed b) {
    if (b == 0)
        return a < 0 ? INT32_MIN : INT32_MAX;
    return saturate((int64_t)a * ONE / b);
}

/* The integer part of the square root of a number, bit by bit. */
static uint32_t root(uint64_t value) {
    uint64_t result = 0;
    uint64_t bit = (uint64_t)1 << 46;
    while (bit > value)
        bit >>= 2;
    while (bit != 0) {
        if (value >= result + bit) {
            value -= result + bit;
            result = (result >> 1) + bit;
        } else {
            result >>= 1;
        }
        bit >>= 2;
    }
    return (uint32_t)result;
}

static fixed fixed_root(fixed a) {
    return a <= 0 ? 0 : (fixed)root((uint64_t)a * ONE);
}

/* An angle is a fraction of a turn: ONE is a full turn. Between two entries of the table the sine is a line. */
static fixed fixed_sine(fixed angle) {
    int32_t turn = angle % ONE;
    if (turn < 0)
        turn += ONE;
    int quadrant = turn / (ONE / 4);
    int32_t within = turn % (ONE / 4);
    if (quadrant % 2 == 1)
        within = ONE / 4 - within;
    int step = within / (ONE / 4 / QUADRANT);
    int32_t rest = within % (ONE / 4 / QUADRANT);
    fixed low = quarter_sine[step];
    fixed high = quarter_sine[step + 1];
    fixed value = low + (high - low) * rest / (ONE / 4 / QUADRANT);
    return quadrant >= 2 ? -value : value;
}

static fixed fixed_cosine(fixed angle) {
    return fixed_sine(angle % ONE + ONE / 4);
}

/* The length of a vector. */
static fixed fixed_length(fixed x, fixed y) {
    uint64_t square = (uint64_t)((int64_t)x * x) + (uint64_t)((int64_t)y * y);
    uint64_t low = 0, high = (uint64_t)1 << 32;
    while (low + 1 < high) {
        uint64_t middle = (low + high) / 2;
        if (middle * middle <= square)
            low = middle;
        else
            high = middle;
    }
    return saturate((int64_t)low);
}

int main(void) {
    fixed a = __VERIFIER_nondet_int(), b = __VERIFIER_nondet_int();
    fixed product = fixed_multiply(a, b);
    assert(b != ONE || product == a);
    assert(b != ONE || fixed_divide(a, b) == a);
    assert(fixed_add(a, b) >= a || b < 0);
    fixed sine = fixed_sine(a), cosine = fixed_cosine(a);
    assert(sine >= -ONE && sine <= ONE && cosine >= -ONE && cosine <= ONE);
    if (a >= 0) {
        int64_t r = fixed_root(a);
        assert(r * r <= (int64_t)a * ONE && (r + 1) * (r + 1) > (int64_t)a * ONE);
        assert(fixed_length(a, 0) == a);
    }
    assert(fixed_length(a, b) >= 0);
    return 0;
}
