/* SipHash-2-4 over messages of any length up to a limit; the rounds work on 64-bit words that wrap around. */
#include <assert.h>
#include <stdint.h>

#define MESSAGE 40

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct state {
    uint64_t v0, v1, v2, v3;
    int rounds;
};

static uint64_t rotate(uint64_t word, int by) {
    return (word << by) | (word >> (64 - by));
}

static void one_round(struct state *s) {
    s->v0 += s->v1;
    s->v1 = rotate(s->v1, 13);
    s->v1 ^= s->v0;
    s->v0 = rotate(s->v0, 32);
    s->v2 += s->v3;
    s->v3 = rotate(s->v3, 16);
    s->v3 ^= s->v2;
    s->v0 += s->v3;
    s->v3 = rotate(s->v3, 21);
    s->v3 ^= s->v0;
    s->v2 += s->v1;
    s->v1 = rotate(s->v1, 17);
    s->v1 ^= s->v2;
    s->v2 = rotate(s->v2, 32);
    s->rounds++;
}

static uint64_t load(const unsigned char *bytes, int n) {
    uint64_t word = 0;
    for (int i = n - 1; i >= 0; i--)
        word = (word << 8) + bytes[i];
    return word;
}

static void absorb(struct state *s, uint64_t word) {
    s->v3 ^= word;
    one_round(s);
    one_round(s);
    s->v0 ^= word;
}

static uint64_t siphash(const unsigned char *message, int length, const uint64_t key[2], int *rounds) {
    struct state s = {
        key[0] ^ 0x736f6d6570736575u, key[1] ^ 0x646f72616e646f6du,
        key[0] ^ 0x6c7967656e657261u, key[1] ^ 0x7465646279746573u, 0};
    int done = 0;
    while (length - done >= 8) {
        absorb(&s, load(&message[done], 8));
        done += 8;
    }
    uint64_t last = load(&message[done], 8);
    last += (uint64_t)(unsigned char)length << 56;
    absorb(&s, last);
    s.v2 ^= 0xff;
    for (int i = 0; i < 4; i++)
        one_round(&s);
    *rounds = s.rounds;
    return s.v0 ^ s.v1 ^ s.v2 ^ s.v3;
}

int main(void) {
    unsigned char message[MESSAGE];
    uint64_t key[2] = {0x0706050403020100u, 0x0f0e0d0c0b0a0908u};
    int length = __VERIFIER_nondet_int();
    int rounds = 0;
    if (length < 0 || length > MESSAGE)
        return 1;
    for (int i = 0; i < length; i++)
        message[i] = __VERIFIER_nondet_uchar();
    uint64_t hash = siphash(message, length, key, &rounds);
    assert(rounds == 2 * (length / 8 + 1) + 4);
    return hash == 0;
}
