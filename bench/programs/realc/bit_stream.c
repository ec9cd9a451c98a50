/* Fields of any width up to 32 bits, written one after the other into bytes, the highest bit first, and Exp-Golomb codes
   as video formats have them. */
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define BYTES 32
#define FIELDS 24

typedef struct {
    uint8_t *data;
    unsigned bits; /* in the buffer */
    unsigned at;   /* next bit */
} bit_stream;

static void stream_open(bit_stream *s, uint8_t *data, unsigned bytes) {
    s->data = data;
    s->bits = bytes * 8;
    s->at = 0;
}

static unsigned stream_left(const bit_stream *s) {
    return s->bits - s->at;
}

static int write_bits(bit_stream *s, uint32_t value, unsigned width) {
    if (width > 32 || width > stream_left(s))
        return -1;
    while (width > 0) {
        unsigned free_bits = 8 - s->at % 8;
        unsigned part = width < free_bits ? width : free_bits;
        unsigned shift = free_bits - part;
        uint32_t field = value >> (width - part) & ((1u << part) - 1);
        uint8_t mask = (uint8_t)(((1u << part) - 1) << shift);
        s->data[s->at / 8] = (uint8_t)((s->data[s->at / 8] & ~mask) | field << shift);
        s->at += part;
        width -= part;
    }
    return 0;
}

static int read_bits(bit_stream *s, unsigned width, uint32_t *value) {
    uint32_t result = 0;
    if (width > 32 || width > stream_left(s))
        return -1;
    while (width > 0) {
        unsigned available = 8 - s->at % 8;
        unsigned part = width < available ? width : available;
        uint8_t byte = s->data[s->at / 8];
        result = result << part | (byte >> (available - part) & ((1u << part) - 1));
        s->at += part;
        width -= part;
    }
    *value = result;
    return 0;
}

static unsigned bit_length(uint32_t value) {
    unsigned length = 0;
    while (value != 0) {
        length++;
        value >>= 1;
    }
    return length;
}

/* n zeros, then the n + 1 bits of value + 1. */
static int write_golomb(bit_stream *s, uint32_t value) {
    if (value == UINT32_MAX)
        return -1;
    unsigned length = bit_length(value + 1);
    if (2 * length - 1 > stream_left(s))
        return -1;
    write_bits(s, 0, length - 1);
    return write_bits(s, value + 1, length);
}

static int read_golomb(bit_stream *s, uint32_t *value) {
    unsigned zeros = 0;
    uint32_t bit, rest = 0;
    for (;;) {
        if (read_bits(s, 1, &bit) != 0)
            return -1;
        if (bit)
            break;
        if (++zeros > 31)
            return -1;
    }
    if (read_bits(s, zeros, &rest) != 0)
        return -1;
    *value = ((uint32_t)1 << zeros) - 1 + rest;
    return 0;
}

int main(void) {
    uint8_t data[BYTES] = {0};
    uint32_t values[FIELDS], value;
    unsigned widths[FIELDS]; /* 0: a Golomb code */
    int count = 0;
    bit_stream s;
    stream_open(&s, data, BYTES);
    while (count < FIELDS && __VERIFIER_nondet_int()) {
        unsigned width = __VERIFIER_nondet_uint();
        value = __VERIFIER_nondet_uint();
        if (width < 32)
            value &= width == 0 ? UINT32_MAX : (1u << width) - 1;
        if ((width == 0 ? write_golomb(&s, value) : write_bits(&s, value, width)) != 0)
            break;
        values[count] = value;
        widths[count++] = width;
        assert(s.at <= s.bits);
    }
    unsigned written = s.at;
    stream_open(&s, data, BYTES);
    for (int i = 0; i < count; i++) {
        int status = widths[i] == 0 ? read_golomb(&s, &value) : read_bits(&s, widths[i], &value);
        assert(status == 0 && value == values[i]);
    }
    assert(s.at == written);
    return 0;
}
