/* Base64, both ways, between buffers of the caller. */
#include <assert.h>

#define BYTES 30
#define TEXT 41

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

static const char alphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

static int encoded_length(int n) {
    return (n + 2) / 3 * 4;
}

/* The number of characters written, without the zero behind them; -1 if there is no room. */
static int encode(const unsigned char *bytes, int n, char *text, int size) {
    int i = 0, o = 0;
    if (n < 0 || n > BYTES || size <= encoded_length(n))
        return -1;
    while (i + 2 < n) {
        text[o] = alphabet[bytes[i] >> 2];
        text[o + 1] = alphabet[(bytes[i] % 4) * 16 + (bytes[i + 1] >> 2)];
        text[o + 2] = alphabet[(bytes[i + 1] % 16) * 4 + (bytes[i + 2] >> 6)];
        text[o + 3] = alphabet[bytes[i + 2] % 64];
        i += 3;
        o += 4;
    }
    if (i < n) {
        int next = i + 1 < n ? bytes[i + 1] : 0;
        text[o] = alphabet[bytes[i] >> 2];
        text[o + 1] = alphabet[(bytes[i] % 4) * 16 + (next >> 4)];
        text[o + 2] = i + 1 < n ? alphabet[(next % 16) * 4] : '=';
        text[o + 3] = '=';
        o += 4;
    }
    text[o] = '\0';
    return o;
}

static int digit(char c) {
    if (c >= 'A' && c <= 'Z')
        return c - 'A';
    if (c >= 'a' && c <= 'z')
        return c - 'a' + 26;
    if (c >= '0' && c <= '9')
        return c - '0' + 52;
    if (c == '+')
        return 62;
    return c == '/' ? 63 : -1;
}

/* The number of bytes, or -1 for a text that is not Base64 or too long. */
static int decode(const char *text, int n, unsigned char *bytes, int size) {
    int o = 0;
    if (n % 4 != 0)
        return -1;
    for (int i = 0; i < n; i += 4) {
        int a = digit(text[i]), b = digit(text[i + 1]), c = digit(text[i + 2]), d = digit(text[i + 3]);
        if (a < 0 || b < 0 || o + 3 > size)
            return -1;
        bytes[o] = (unsigned char)(a * 4 + b / 16);
        o++;
        if (text[i + 2] == '=')
            return i + 4 == n ? o : -1;
        if (c < 0)
            return -1;
        bytes[o] = (unsigned char)((b % 16) * 16 + c / 4);
        o++;
        if (text[i + 3] == '=')
            return i + 4 == n ? o : -1;
        if (d < 0)
            return -1;
        bytes[o] = (unsigned char)((c % 4) * 64 + d);
        o++;
    }
    return o;
}

int main(void) {
    unsigned char bytes[BYTES], back[BYTES];
    char text[TEXT];
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < BYTES; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    int length = encode(bytes, n, text, TEXT);
    if (length < 0)
        return 1;
    assert(length == encoded_length(n));
    int decoded = decode(text, length, back, BYTES);
    assert(decoded <= BYTES);
    return 0;
}
