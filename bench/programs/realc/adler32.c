/* Adler-32: two sums modulo 65521, reduced only as often as 32 bits demand. */
#include <assert.h>
#include <stdlib.h>

#define BASE 65521u
#define CHUNK 5552

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct adler {
    unsigned int a;
    unsigned int b;
};

static void adler_init(struct adler *sum) {
    sum->a = 1;
    sum->b = 0;
}

/* At most CHUNK bytes, so that neither sum wraps around before it is reduced. */
static void add_chunk(struct adler *sum, const unsigned char *data, int length) {
    unsigned int a = sum->a;
    unsigned int b = sum->b;
    for (int i = 0; i < length; i++) {
        a += data[i];
        b += a;
    }
    sum->a = a % BASE;
    sum->b = b % BASE;
}

static void adler_add(struct adler *sum, const unsigned char *data, int length) {
    int done = 0;
    while (length - done > CHUNK) {
        add_chunk(sum, &data[done], CHUNK);
        done += CHUNK;
    }
    add_chunk(sum, &data[done], length - done);
}

static unsigned int adler_value(const struct adler *sum) {
    return sum->b * 65536u + sum->a;
}

/* Moves a window of `length` bytes on by one. */
static void adler_roll(struct adler *sum, unsigned char old, unsigned char new, unsigned int length) {
    unsigned int a = sum->a + BASE - old % BASE + new;
    unsigned int drop = (length % BASE) * old % BASE;
    sum->a = a % BASE;
    sum->b = (sum->b + BASE - drop + sum->a + BASE - 1) % BASE;
}

static unsigned char *read_data(int length) {
    unsigned char *data = malloc((size_t)length);
    if (data == NULL)
        return NULL;
    for (int i = 0; i < length; i++)
        data[i] = __VERIFIER_nondet_uchar();
    return data;
}

int main(void) {
    struct adler sum;
    int length = __VERIFIER_nondet_int();
    if (length < 1 || length > 100000)
        return 1;
    unsigned char *data = read_data(length);
    if (data == NULL)
        return 1;
    adler_init(&sum);
    adler_add(&sum, data, length);
    assert(sum.a < BASE && sum.b < BASE);
    for (int i = 0; i + 1 < length; i++)
        adler_roll(&sum, data[i], data[i + 1], (unsigned int)length);
    assert(sum.a < BASE && sum.b < BASE);
    unsigned int value = adler_value(&sum);
    free(data);
    return value == 0;
}
