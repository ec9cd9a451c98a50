/* Ascii85: four bytes are five characters to the base 85, four zeros are a single 'z', and a shorter group at the end
   has one character more than bytes. */
#include <assert.h>
#include <stdint.h>
#include <stdbool.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

#define RAW 12
#define TEXT (RAW / 4 * 5 + 6)

struct sink {
    uint8_t *data;
    int room;
    int length;
};

static bool put(struct sink *s, uint8_t byte) {
    if (s->length >= s->room)
        return false;
    s->data[s->length++] = byte;
    return true;
}

static bool encode_group(struct sink *s, const uint8_t *in, int count) {
    uint8_t digits[5];
    uint32_t value = 0;
    for (int i = 0; i < 4; i++)
        value = value << 8 | (i < count ? in[i] : 0u);
    if (value == 0 && count == 4)
        return put(s, 'z');
    for (int i = 4; i >= 0; i--) {
        digits[i] = (uint8_t)(value % 85);
        value >>= 6;
    }
    for (int i = 0; i <= count; i++)
        if (!put(s, (uint8_t)('!' + digits[i])))
            return false;
    return true;
}

static bool encode(struct sink *s, const uint8_t *in, int size) {
    int at = 0;
    for (; size - at >= 4; at += 4)
        if (!encode_group(s, in + at, 4))
            return false;
    return size == at || encode_group(s, in + at, size - at);
}

static bool decode_group(struct sink *s, const uint8_t *digits, int count) {
    uint64_t value = 0;
    for (int i = 0; i < 5; i++)
        value = value * 85 + (i < count ? digits[i] : 84u);
    if (value > 0xffffffffu)
        return false;
    for (int i = 0; i < count - 1; i++)
        if (!put(s, (uint8_t)(value >> (24 - 8 * i))))
            return false;
    return true;
}

static bool decode(struct sink *s, const uint8_t *text, int size) {
    uint8_t digits[5];
    int count = 0;
    for (int i = 0; i < size; i++) {
        uint8_t c = text[i];
        if (c == ' ' || c == '\n')
            continue;
        if (c == 'z') {
            if (count != 0)
                return false;
            for (int k = 0; k < 4; k++)
                if (!put(s, 0))
                    return false;
            continue;
        }
        if (c < '!' || c > 'u')
            return false;
        digits[count++] = (uint8_t)(c - '!');
        if (count == 5) {
            if (!decode_group(s, digits, 5))
                return false;
            count = 0;
        }
    }
    return count == 0 || (count > 1 && decode_group(s, digits, count));
}

int main(void) {
    uint8_t raw[RAW], text[TEXT], back[RAW];
    struct sink encoded = {text, TEXT, 0}, decoded = {back, RAW, 0};
    int size = __VERIFIER_nondet_int();
    if (size < 0 || size > RAW)
        return 1;
    for (int i = 0; i < size; i++)
        raw[i] = __VERIFIER_nondet_uchar();
    bool fits = encode(&encoded, raw, size);
    assert(fits);
    assert(decode(&decoded, text, encoded.length) && decoded.length == size);
    for (int i = 0; i < size; i++)
        assert(back[i] == raw[i]);
    decoded.length = 0;
    for (int i = 0; i < TEXT; i++)
        text[i] = __VERIFIER_nondet_uchar();
    decode(&decoded, text, TEXT);
    assert(decoded.length <= RAW);
    return 0;
}
