/* Base32 with the alphabet of RFC 4648: five bytes are eight characters, the rest is filled with '='. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define RAW 15
#define ENCODED (((RAW + 4) / 5) * 8)

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

static int base32_encode(char *out, const uint8_t *in, int size) {
    int n = 0;
    uint32_t buffer = 0;
    int bits = 0;
    for (int i = 0; i < size; i++) {
        buffer = (buffer << 8 | in[i]) & 0xfff;
        bits += 8;
        while (bits >= 5) {
            bits -= 5;
            out[n++] = alphabet[buffer >> bits & 31];
        }
    }
    if (bits > 0)
        out[n++] = alphabet[buffer << (5 - bits) & 31];
    while (n % 8 != 0)
        out[n++] = '=';
    out[n] = '\0';
    return n;
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a';
    if (c >= '2' && c <= '7')
        return c - '2' + 26;
    return -1;
}

/* The number of bytes, or -1: a character that does not belong, or bits left over that are not zero. */
static int base32_decode(uint8_t *out, int room, const char *in) {
    int n = 0;
    uint32_t buffer = 0;
    int bits = 0;
    const char *p = in;
    for (; *p != '\0' && *p != '='; p++) {
        int value = digit(*p);
        if (value < 0)
            return -1;
        buffer = (buffer << 5 | (uint32_t)value) & 0xfff;
        bits += 5;
        if (bits >= 8) {
            bits -= 8;
            if (n == room)
                return -1;
            out[n++] = (uint8_t)(buffer >> bits);
        }
    }
    if (bits >= 5 || (buffer & ((1u << bits) - 1)) != 0)
        return -1;
    while (*p == '=')
        p++;
    if (*p != '\0' || (p - in) % 8 != 0)
        return -1;
    return n;
}

static void check_round_trip(void) {
    uint8_t raw[RAW], back[RAW];
    char text[ENCODED + 1];
    int size = __VERIFIER_nondet_int();
    if (size < 0 || size > RAW)
        return;
    for (int i = 0; i < size; i++)
        raw[i] = __VERIFIER_nondet_uchar();
    int length = base32_encode(text, raw, size);
    assert(length % 8 == 0 && length <= ENCODED);
    int decoded = base32_decode(back, RAW, text);
    assert(decoded == size);
    assert(memcmp(raw, back, (size_t)size) == 0);
}

int main(void) {
    char text[ENCODED + 1];
    uint8_t out[RAW];
    check_round_trip();
    int n = 0;
    while (n < ENCODED) {
        text[n] = (char)__VERIFIER_nondet_uchar();
        if (text[n] == '\0')
            break;
        n++;
    }
    text[n] = '\0';
    int decoded = base32_decode(out, RAW, text);
    assert(decoded >= -1 && decoded <= RAW);
    return 0;
}
