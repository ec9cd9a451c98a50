/* The ChaCha20 stream cipher: blocks of 64 bytes from a key, a counter and a nonce; what is left of a block is used for
   the next call. */
#include <assert.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define BLOCK 64
#define MESSAGE 80

struct chacha {
    uint32_t state[16];
    uint8_t block[BLOCK];
    size_t used; /* of the block */
};

static uint32_t rotate(uint32_t x, int n) {
    return x << n | x >> (32 - n);
}

static uint32_t load32(const uint8_t *p) {
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
}

static void store32(uint8_t *p, uint32_t x) {
    for (int i = 0; i < 4; i++)
        p[i] = (uint8_t)(x >> 8 * i);
}

#define QUARTER(x, a, b, c, d)                   \
    do {                                         \
        x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 16); \
        x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 12); \
        x[a] += x[b]; x[d] = rotate(x[d] ^ x[a], 8);  \
        x[c] += x[d]; x[b] = rotate(x[b] ^ x[c], 7);  \
    } while (0)

static void chacha_block(struct chacha *c) {
    uint32_t x[16];
    memcpy(x, c->state, sizeof x);
    for (int round = 0; round < 20; round += 2) {
        QUARTER(x, 0, 4, 8, 12);
        QUARTER(x, 1, 5, 9, 13);
        QUARTER(x, 2, 6, 10, 14);
        QUARTER(x, 3, 7, 11, 15);
        QUARTER(x, 0, 5, 10, 15);
        QUARTER(x, 1, 6, 11, 12);
        QUARTER(x, 2, 7, 8, 13);
        QUARTER(x, 3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++)
        store32(c->block + 4 * i, x[i] + c->state[i]);
    c->state[12]++;
    c->used = 0;
}

static void chacha_init(struct chacha *c, const uint8_t key[32], const uint8_t nonce[12], uint32_t counter) {
    static const char constant[] = "expand 32-byte k";
    for (int i = 0; i < 4; i++)
        c->state[i] = load32((const uint8_t *)constant + 4 * i);
    for (int i = 0; i < 8; i++)
        c->state[4 + i] = load32(key + 4 * i);
    c->state[12] = counter;
    for (int i = 0; i < 3; i++)
        c->state[13 + i] = load32(nonce + 4 * i);
    c->used = BLOCK;
}

static void chacha_crypt(struct chacha *c, uint8_t *data, size_t size) {
    for (size_t i = 0; i < size; i++) {
        if (c->used == BLOCK)
            chacha_block(c);
        data[i] ^= c->block[c->used++];
    }
}

int main(void) {
    struct chacha c;
    uint8_t key[32], nonce[12], message[MESSAGE], plain[MESSAGE];
    for (int i = 0; i < 32; i++)
        key[i] = (uint8_t)i;
    for (int i = 0; i < 12; i++)
        nonce[i] = __VERIFIER_nondet_uchar();
    size_t size = __VERIFIER_nondet_uint() % (MESSAGE + 1);
    size_t cut = __VERIFIER_nondet_uint() % (MESSAGE + 1);
    if (cut > size)
        cut = size;
    for (size_t i = 0; i < size; i++)
        plain[i] = message[i] = __VERIFIER_nondet_uchar();
    chacha_init(&c, key, nonce, 1);
    chacha_crypt(&c, message, size);
    assert(c.used <= BLOCK);
    chacha_init(&c, key, nonce, 1); /* in two parts it is the same stream */
    chacha_crypt(&c, message, cut);
    chacha_crypt(&c, message + cut, size - cut);
    for (size_t i = 0; i < size; i++)
        assert(message[i] == plain[i]);
    return 0;
}
