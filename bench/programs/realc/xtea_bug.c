/* XTEA in cipher-block chaining, with padding that tells how long it is. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define BLOCK 8
#define ROUNDS 32
#define PLAIN 24
#define CIPHER PLAIN
#define DELTA 0x9e3779b9u

typedef struct {
    uint32_t word[4];
} xtea_key;

static void load_key(xtea_key *key, const uint8_t bytes[16]) {
    for (int i = 0; i < 4; i++) {
        key->word[i] = 0;
        for (int k = 0; k < 4; k++)
            key->word[i] = key->word[i] << 8 | bytes[4 * i + k];
    }
}

static void load_block(uint32_t v[2], const uint8_t *bytes) {
    for (int i = 0; i < 2; i++)
        v[i] = (uint32_t)bytes[4 * i] << 24 | (uint32_t)bytes[4 * i + 1] << 16 | (uint32_t)bytes[4 * i + 2] << 8
               | bytes[4 * i + 3];
}

static void store_block(uint8_t *bytes, const uint32_t v[2]) {
    for (int i = 0; i < BLOCK; i++)
        bytes[i] = (uint8_t)(v[i / 4] >> (24 - i % 4 * 8));
}

static void encipher(const xtea_key *key, uint32_t v[2]) {
    uint32_t sum = 0;
    for (int round = 0; round < ROUNDS; round++) {
        v[0] += ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + key->word[sum & 3]);
        sum += DELTA;
        v[1] += ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + key->word[sum >> 11 & 3]);
    }
}

static void decipher(const xtea_key *key, uint32_t v[2]) {
    uint32_t sum = DELTA * ROUNDS;
    for (int round = 0; round < ROUNDS; round++) {
        v[1] -= ((v[0] << 4 ^ v[0] >> 5) + v[0]) ^ (sum + key->word[sum >> 11 & 3]);
        sum -= DELTA;
        v[0] -= ((v[1] << 4 ^ v[1] >> 5) + v[1]) ^ (sum + key->word[sum & 3]);
    }
}

/* The cipher text has a multiple of the block size, at least one byte more than the plain text. */
static size_t cbc_encrypt(const xtea_key *key, uint8_t *out, const uint8_t *in, size_t size) {
    size_t padded = (size / BLOCK + 1) * BLOCK;
    uint32_t chain[2] = {0, 0}, v[2];
    memcpy(out, in, size);
    memset(out + size, (int)(padded - size), padded - size);
    for (size_t at = 0; at < padded; at += BLOCK) {
        load_block(v, out + at);
        v[0] ^= chain[0];
        v[1] ^= chain[1];
        encipher(key, v);
        memcpy(chain, v, sizeof chain);
        store_block(out + at, v);
    }
    return padded;
}

/* The size of the plain text, or -1 if its padding is wrong. */
static int cbc_decrypt(const xtea_key *key, uint8_t *data, size_t size) {
    uint32_t chain[2] = {0, 0}, next[2], v[2];
    if (size == 0 || size % BLOCK != 0)
        return -1;
    for (size_t at = 0; at < size; at += BLOCK) {
        load_block(v, data + at);
        memcpy(next, v, sizeof next);
        decipher(key, v);
        v[0] ^= chain[0];
        v[1] ^= chain[1];
        memcpy(chain, next, sizeof chain);
        store_block(data + at, v);
    }
    size_t padding = data[size - 1];
    if (padding == 0 || padding > BLOCK)
        return -1;
    for (size_t i = size - padding; i < size; i++)
        if (data[i] != padding)
            return -1;
    return (int)(size - padding);
}

int main(void) {
    xtea_key key;
    uint8_t bytes[16], plain[PLAIN], cipher[CIPHER];
    for (int i = 0; i < 16; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    load_key(&key, bytes);
    size_t size = __VERIFIER_nondet_uint() % (PLAIN + 1);
    for (size_t i = 0; i < size; i++)
        plain[i] = __VERIFIER_nondet_uchar();
    size_t written = cbc_encrypt(&key, cipher, plain, size);
    assert(written > size && written <= CIPHER && written % BLOCK == 0);
    assert(cbc_decrypt(&key, cipher, written) == (int)size);
    assert(memcmp(plain, cipher, size) == 0);
    return 0;
}
