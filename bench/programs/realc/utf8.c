/* UTF-8: decoding with all checks, encoding, and counting of code points. */
#include <assert.h>

#define BYTES 64
#define REPLACEMENT 0xfffd

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

/* The number of bytes that a first byte announces; 0 for one that cannot be first. */
static int sequence_length(unsigned char first) {
    if (first < 0x80)
        return 1;
    if (first < 0xc2)
        return 0;
    if (first < 0xe0)
        return 2;
    if (first < 0xf0)
        return 3;
    return first < 0xf5 ? 4 : 0;
}

static int lowest(int length) {
    switch (length) {
    case 2:
        return 0x80;
    case 3:
        return 0x800;
    case 4:
        return 0x10000;
    default:
        return 0;
    }
}

/* Decodes what begins at text[i]; the number of bytes it takes, and a code point. */
static int decode(const unsigned char *text, int n, int i, int *point) {
    int length = sequence_length(text[i]);
    *point = REPLACEMENT;
    if (length == 0 || length > n - i)
        return 1;
    int value = length == 1 ? text[i] : text[i] % (1 << (7 - length));
    for (int k = 1; k < length; k++) {
        if (text[i + k] / 64 != 2)
            return k;
        value = value * 64 + text[i + k] % 64;
    }
    if (value < lowest(length) || value > 0x10ffff || (value >= 0xd800 && value <= 0xdfff))
        return length;
    *point = value;
    return length;
}

static int encode(int point, unsigned char *out, int room) {
    if (point < 0x80) {
        if (room < 1)
            return 0;
        out[0] = (unsigned char)point;
        return 1;
    }
    int length = point < 0x800 ? 2 : point < 0x10000 ? 3 : 4;
    if (room < length)
        return 0;
    for (int k = length - 1; k > 0; k--) {
        out[k] = (unsigned char)(0x80 + point % 64);
        point /= 64;
    }
    out[0] = (unsigned char)((length == 2 ? 0xc0 : length == 3 ? 0xe0 : 0xf0) + point);
    return length;
}

int main(void) {
    unsigned char text[BYTES], out[BYTES];
    int n = __VERIFIER_nondet_int();
    int points = 0, written = 0, i = 0;
    if (n < 0 || n > BYTES)
        return 1;
    for (int k = 0; k < n; k++)
        text[k] = __VERIFIER_nondet_uchar();
    while (i < n) {
        int point;
        int taken = decode(text, n, i, &point);
        assert(taken >= 1 && taken <= 4);
        assert(point >= 0 && point <= 0x10ffff);
        i += taken;
        points++;
        written += encode(point, out + written, BYTES - written);
    }
    assert(points <= n);
    assert(written <= BYTES);
    return 0;
}
