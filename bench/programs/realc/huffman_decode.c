/* Canonical Huffman codes: the table is built from the lengths of the codes alone, and over- or undersubscribed sets of
   lengths are refused, as DEFLATE demands it. */
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define SYMBOLS 20
#define MAX_BITS 7
#define INPUT 24

struct huffman {
    uint8_t count[MAX_BITS + 1];
    uint8_t symbol[SYMBOLS];
};

struct bits {
    const uint8_t *data;
    int size;
    int at;      /* next byte */
    int buffer;  /* bits that were read and not used */
    int pending; /* how many */
};

static int next_bit(struct bits *b) {
    if (b->pending == 0) {
        if (b->at == b->size)
            return -1;
        b->buffer = b->data[b->at++];
        b->pending = 8;
    }
    int bit = b->buffer & 1;
    b->buffer >>= 1;
    b->pending--;
    return bit;
}

/* 0: complete, > 0: codes are left over, < 0: too many codes. */
static int construct(struct huffman *h, const uint8_t *lengths, int n) {
    int offset[MAX_BITS + 1];
    for (int length = 0; length <= MAX_BITS; length++)
        h->count[length] = 0;
    for (int s = 0; s < n; s++)
        h->count[lengths[s]]++;
    if (h->count[0] == n)
        return 0;
    int left = 1;
    for (int length = 1; length <= MAX_BITS; length++) {
        left <<= 1;
        left -= h->count[length];
        if (left < 0)
            return left;
    }
    offset[1] = 0;
    for (int length = 1; length < MAX_BITS; length++)
        offset[length + 1] = offset[length] + h->count[length];
    for (int s = 0; s < n; s++)
        if (lengths[s] != 0)
            h->symbol[offset[lengths[s]]++] = (uint8_t)s;
    return left;
}

/* The next symbol; -1: the input ends, -2: no code begins like this. */
static int decode(const struct huffman *h, struct bits *b) {
    int code = 0, first = 0, index = 0;
    for (int length = 1; length <= MAX_BITS; length++) {
        int bit = next_bit(b);
        if (bit < 0)
            return -1;
        code |= bit;
        int count = h->count[length];
        if (code - count < first)
            return h->symbol[index + (code - first)];
        index += count;
        first += count;
        first <<= 1;
        code <<= 1;
    }
    return -2;
}

int main(void) {
    struct huffman h;
    uint8_t lengths[SYMBOLS];
    uint8_t data[INPUT];
    struct bits b = {data, INPUT, 0, 0, 0};
    int n = __VERIFIER_nondet_int();
    int decoded = 0;
    if (n < 1 || n > SYMBOLS)
        return 1;
    for (int s = 0; s < n; s++) {
        lengths[s] = __VERIFIER_nondet_uchar();
        if (lengths[s] > MAX_BITS)
            return 1;
    }
    if (construct(&h, lengths, n) < 0)
        return 1;
    for (int i = 0; i < INPUT; i++)
        data[i] = __VERIFIER_nondet_uchar();
    for (;;) {
        int symbol = decode(&h, &b);
        if (symbol < 0)
            break;
        assert(symbol < n);
        assert(lengths[symbol] > 0);
        decoded++;
    }
    assert(decoded <= INPUT * 8);
    return 0;
}
