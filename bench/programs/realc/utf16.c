/* Between UTF-8 and UTF-16: surrogate pairs, byte order marks, and a replacement for what is malformed. */
#include <assert.h>
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define UNITS 12
#define BYTES (UNITS * 3)
#define REPLACEMENT 0xfffdu
#define BYTE_ORDER_MARK 0xfeffu

static int is_high(uint32_t unit) { return unit >= 0xd800 && unit < 0xdc00; }
static int is_low(uint32_t unit) { return unit >= 0xdc00 && unit < 0xe000; }

/* Decodes one character of in[*at .. size) and moves on. */
static uint32_t next_from_utf16(const uint16_t *in, int size, int *at) {
    uint32_t unit = in[(*at)++];
    if (is_high(unit)) {
        if (*at < size && is_low(in[*at])) {
            uint32_t low = in[(*at)++];
            return 0x10000 + ((unit - 0xd800) << 10) + (low - 0xdc00);
        }
        return REPLACEMENT;
    }
    return is_low(unit) ? REPLACEMENT : unit;
}

static int put_utf8(uint8_t *out, uint32_t c) {
    if (c < 0x80) {
        out[0] = (uint8_t)c;
        return 1;
    }
    if (c < 0x800) {
        out[0] = (uint8_t)(0xc0 | c >> 6);
        out[1] = (uint8_t)(0x80 | (c & 0x3f));
        return 2;
    }
    if (c < 0x10000) {
        out[0] = (uint8_t)(0xe0 | c >> 12);
        out[1] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
        out[2] = (uint8_t)(0x80 | (c & 0x3f));
        return 3;
    }
    out[0] = (uint8_t)(0xf0 | c >> 18);
    out[1] = (uint8_t)(0x80 | (c >> 12 & 0x3f));
    out[2] = (uint8_t)(0x80 | (c >> 6 & 0x3f));
    out[3] = (uint8_t)(0x80 | (c & 0x3f));
    return 4;
}

/* At most three bytes for a unit: a pair of units is four bytes. */
static int utf16_to_utf8(uint8_t *out, const uint16_t *in, int size) {
    int n = 0, at = 0;
    if (size > 0 && in[0] == BYTE_ORDER_MARK)
        at = 1;
    while (at < size)
        n += put_utf8(out + n, next_from_utf16(in, size, &at));
    return n;
}

/* Well-formed input only, as the other direction writes it. */
static uint32_t next_from_utf8(const uint8_t *in, int size, int *at) {
    uint8_t first = in[(*at)++];
    int more = first < 0x80 ? 0 : first < 0xe0 ? 1 : first < 0xf0 ? 2 : 3;
    uint32_t c = more == 0 ? first : first & (0x3fu >> more);
    while (more-- > 0 && *at < size)
        c = c << 6 | (in[(*at)++] & 0x3f);
    return c;
}

static int utf8_to_utf16(uint16_t *out, int room, const uint8_t *in, int size) {
    int n = 0, at = 0;
    while (at < size) {
        uint32_t c = next_from_utf8(in, size, &at);
        if (c >= 0x10000) {
            if (room - n < 2)
                return -1;
            out[n++] = (uint16_t)(0xd800 + ((c - 0x10000) >> 10 & 0x3ff));
            out[n++] = (uint16_t)(0xdc00 + (c & 0x3ff));
        } else {
            if (n == room)
                return -1;
            out[n++] = (uint16_t)c;
        }
    }
    return n;
}

int main(void) {
    uint16_t units[UNITS], back[UNITS];
    uint8_t bytes[BYTES];
    int size = __VERIFIER_nondet_int(), replaced = 0;
    if (size < 0 || size > UNITS)
        return 1;
    for (int i = 0; i < size; i++)
        units[i] = (uint16_t)__VERIFIER_nondet_uint();
    int length = utf16_to_utf8(bytes, units, size);
    assert(length <= 3 * size);
    int again = utf8_to_utf16(back, UNITS, bytes, length);
    int skipped = size > 0 && units[0] == BYTE_ORDER_MARK;
    assert(again == size - skipped);
    for (int i = 0; i < again; i++) {
        if (back[i] == REPLACEMENT)
            replaced++;
        else
            assert(back[i] == units[i + skipped]);
    }
    assert(replaced <= size);
    for (int i = 0; i < BYTES; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    again = utf8_to_utf16(back, UNITS, bytes, BYTES);
    assert(again >= -1 && again <= UNITS);
    return 0;
}
