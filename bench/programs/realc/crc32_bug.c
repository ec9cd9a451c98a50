/* CRC-32 with a table that is made at the start, over data that arrives in pieces. */
#include <assert.h>
#include <stdint.h>

#define POLYNOMIAL 0xedb88320u
#define PIECE 48

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static uint32_t table[256];
static int ready;

static uint32_t entry(uint32_t byte) {
    uint32_t value = byte;
    for (int bit = 0; bit < 8; bit++) {
        if (value % 2 != 0)
            value = (value >> 1) ^ POLYNOMIAL;
        else
            value = value >> 1;
    }
    return value;
}

static void make_table(void) {
    for (uint32_t byte = 0; byte < 256; byte++)
        table[byte] = entry(byte);
    ready = 1;
}

struct crc {
    uint32_t state;
    unsigned int bytes;
};

static void crc_begin(struct crc *crc) {
    if (!ready)
        make_table();
    crc->state = 0xffffffffu;
    crc->bytes = 0;
}

static void crc_add(struct crc *crc, const unsigned char *data, int length) {
    uint32_t state = crc->state;
    for (int i = 0; i < length; i++)
        state = table[(state ^ data[i]) & 0xff] ^ (state >> 8);
    crc->state = state;
    crc->bytes += (unsigned int)length;
}

static uint32_t crc_end(const struct crc *crc) {
    return crc->state ^ 0xffffffffu;
}

/* Compares with the four bytes behind the data, the lowest first. */
static int crc_matches(const struct crc *crc, const unsigned char *data, int length) {
    uint32_t sum = crc_end(crc);
    for (int i = 0; i < 4; i++) {
        if (data[length + i] != (unsigned char)(sum & 0xff))
            return 0;
        sum >>= 8;
    }
    return 1;
}

int main(void) {
    unsigned char data[PIECE + 4];
    struct crc crc;
    unsigned int total = 0;
    crc_begin(&crc);
    assert(ready);
    for (int i = 0; i < PIECE + 4; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (int round = 0; round < 1000 && __VERIFIER_nondet_int(); round++) {
        int length = __VERIFIER_nondet_int();
        if (length < 0 || length > PIECE + 4)
            continue;
        crc_add(&crc, data, length);
        total += (unsigned int)length;
        assert(crc.bytes == total);
        if (crc_matches(&crc, data, length))
            crc_begin(&crc), total = 0;
    }
    return 0;
}
