/* DER-like values: a tag, a length in short or long form, and contents, which may have values inside. */
#include <assert.h>
#include <stdint.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

#define INPUT 48
#define NESTING 5
#define CONSTRUCTED 0x20

enum tag { INTEGER = 0x02, OCTETS = 0x04, SEQUENCE = 0x30 };
enum status { GOOD, CUT_OFF, BAD_LENGTH, TOO_DEEP, BAD_INTEGER };

struct span {
    const uint8_t *data;
    size_t size;
};

struct statistics {
    int values;
    int integers;
    int deepest;
    long long sum;
};

static int take_byte(struct span *in, uint8_t *byte) {
    if (in->size == 0)
        return 0;
    *byte = *in->data++;
    in->size--;
    return 1;
}

static enum status take_length(struct span *in, size_t *length) {
    uint8_t first, next;
    if (!take_byte(in, &first))
        return CUT_OFF;
    if (first < 0x80) {
        *length = first;
        return GOOD;
    }
    int count = first & 0x7f;
    if (count == 0 || count > 2)
        return BAD_LENGTH;
    *length = 0;
    while (count-- > 0) {
        if (!take_byte(in, &next))
            return CUT_OFF;
        *length = *length << 8 | next;
    }
    return *length < 0x80 ? BAD_LENGTH : GOOD; /* the short form would have done */
}

static enum status take_value(struct span *in, uint8_t *tag, struct span *contents) {
    size_t length;
    if (!take_byte(in, tag))
        return CUT_OFF;
    enum status status = take_length(in, &length);
    if (status != GOOD)
        return status;
    if (length > in->size + 2)
        return CUT_OFF;
    contents->data = in->data;
    contents->size = length;
    in->data += length;
    in->size -= length;
    return GOOD;
}

static enum status read_integer(struct span contents, int32_t *value) {
    if (contents.size == 0 || contents.size > 4)
        return BAD_INTEGER;
    uint32_t bits = contents.data[0] & 0x80 ? UINT32_MAX : 0;
    for (size_t i = 0; i < contents.size; i++)
        bits = bits << 8 | contents.data[i];
    *value = bits <= INT32_MAX ? (int32_t)bits : -(int32_t)(UINT32_MAX - bits) - 1;
    return GOOD;
}

static enum status walk(struct span in, int depth, struct statistics *s) {
    if (depth > NESTING)
        return TOO_DEEP;
    if (depth > s->deepest)
        s->deepest = depth;
    while (in.size > 0) {
        uint8_t tag;
        struct span contents;
        enum status status = take_value(&in, &tag, &contents);
        if (status == GOOD && tag & CONSTRUCTED)
            status = walk(contents, depth + 1, s);
        if (status == GOOD && tag == INTEGER) {
            int32_t value;
            status = read_integer(contents, &value);
            if (status == GOOD) {
                s->integers++;
                s->sum += value;
            }
        }
        if (status != GOOD)
            return status;
        s->values++;
    }
    return GOOD;
}

int main(void) {
    uint8_t input[INPUT];
    struct statistics s = {0, 0, 0, 0};
    struct span all = {input, __VERIFIER_nondet_uint() % (INPUT + 1)};
    for (size_t i = 0; i < all.size; i++)
        input[i] = __VERIFIER_nondet_uchar();
    enum status status = walk(all, 0, &s);
    assert(s.deepest <= NESTING);
    assert(s.integers <= INPUT && s.values <= INPUT);
    assert(s.integers <= s.values || status != GOOD);
    assert(2 * s.values <= INPUT);
    return status != GOOD;
}
