/* The block function of SHA-256 and the buffering around it. The round constants are short here: eight of them, in turn. */
#include <assert.h>
#include <stdint.h>

#define BLOCK 64

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct sha {
    uint32_t state[8];
    unsigned char block[BLOCK];
    unsigned int filled;
    unsigned int blocks;
};

static const uint32_t constants[8] = {
    0x428a2f98u, 0x71374491u, 0xb5c0fbcfu, 0xe9b5dba5u, 0x3956c25bu, 0x59f111f1u, 0x923f82a4u, 0xab1c5ed5u};

static uint32_t rotate(uint32_t x, int n) {
    return (x >> n) | (x << (32 - n));
}

static uint32_t big_endian(const unsigned char *p) {
    return (uint32_t)p[0] << 24 | (uint32_t)p[1] << 16 | (uint32_t)p[2] << 8 | p[3];
}

static void schedule(uint32_t *w, const unsigned char *block) {
    for (int i = 0; i < 16; i++)
        w[i] = big_endian(&block[4 * i]);
    for (int i = 16; i < 64; i++) {
        uint32_t s0 = rotate(w[i - 15], 7) ^ rotate(w[i - 15], 18) ^ (w[i - 15] >> 3);
        uint32_t s1 = rotate(w[i - 2], 17) ^ rotate(w[i - 2], 19) ^ (w[i - 2] >> 10);
        w[i] = w[i - 16] + s0 + w[i - 7] + s1;
    }
}

static void compress(struct sha *sha) {
    uint32_t w[64], v[8];
    schedule(w, sha->block);
    for (int i = 0; i < 8; i++)
        v[i] = sha->state[i];
    for (int i = 0; i < 64; i++) {
        uint32_t choice = (v[4] & v[5]) ^ (~v[4] & v[6]);
        uint32_t majority = (v[0] & v[1]) ^ (v[0] & v[2]) ^ (v[1] & v[2]);
        uint32_t t1 = v[7] + (rotate(v[4], 6) ^ rotate(v[4], 11) ^ rotate(v[4], 25)) + choice + constants[i % 8] + w[i];
        uint32_t t2 = (rotate(v[0], 2) ^ rotate(v[0], 13) ^ rotate(v[0], 22)) + majority;
        for (int k = 7; k > 0; k--)
            v[k] = v[k - 1];
        v[4] += t1;
        v[0] = t1 + t2;
    }
    for (int i = 0; i < 8; i++)
        sha->state[i] += v[i];
    sha->blocks++;
}

static void sha_init(struct sha *sha) {
    for (uint32_t i = 0; i < 8; i++)
        sha->state[i] = 0x6a09e667u + i;
    sha->filled = 0;
    sha->blocks = 0;
}

static void sha_add(struct sha *sha, unsigned char byte) {
    sha->block[sha->filled] = byte;
    sha->filled++;
    if (sha->filled > BLOCK) {
        compress(sha);
        sha->filled = 0;
    }
}

static void sha_finish(struct sha *sha, uint64_t length) {
    sha_add(sha, 0x80);
    while (sha->filled != BLOCK - 8)
        sha_add(sha, 0);
    for (int shift = 56; shift >= 0; shift -= 8)
        sha_add(sha, (unsigned char)(length >> shift));
}

int main(void) {
    struct sha sha;
    int bytes = 0;
    sha_init(&sha);
    while (bytes < 1000 && __VERIFIER_nondet_int()) {
        sha_add(&sha, __VERIFIER_nondet_uchar());
        bytes++;
        assert(sha.filled < BLOCK);
    }
    sha_finish(&sha, (uint64_t)bytes * 8);
    assert(sha.filled == 0);
    assert(sha.blocks >= 1);
    return 0;
}
