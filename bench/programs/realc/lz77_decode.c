/* Decoding a byte-oriented LZ77 format: tokens with a nibble for literals and one for the match, longer lengths are
   continued in bytes of 255, offsets are two bytes in little-endian order. */
#include <assert.h>
#include <stdint.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

#define INPUT_MAX 64
#define OUTPUT_MAX 96
#define MIN_MATCH 4

enum result { OK = 0, TRUNCATED = -1, NO_ROOM = -2, BAD_OFFSET = -3 };

struct reader {
    const uint8_t *at;
    const uint8_t *end;
};

struct writer {
    uint8_t *begin;
    uint8_t *at;
    uint8_t *end;
};

static int read_byte(struct reader *r) {
    return r->at < r->end ? *r->at++ : -1;
}

/* A nibble of 15 is continued by bytes that are added up until one is not 255. */
static int read_length(struct reader *r, int nibble, int *length) {
    int more;
    *length = nibble;
    if (nibble != 15)
        return OK;
    do {
        more = read_byte(r);
        if (more < 0)
            return TRUNCATED;
        *length += more;
        if (*length > OUTPUT_MAX)
            return NO_ROOM;
    } while (more == 255);
    return OK;
}

static int copy_literals(struct writer *w, struct reader *r, int length) {
    if (r->end - r->at < length)
        return TRUNCATED;
    if (w->end - w->at < length)
        return NO_ROOM;
    memcpy(w->at, r->at, (size_t)length);
    w->at += length;
    r->at += length;
    return OK;
}

/* A match may overlap with what it writes, so it is copied byte by byte. */
static int copy_match(struct writer *w, int offset, int length) {
    if (offset == 0 || offset > w->at - w->begin)
        return BAD_OFFSET;
    if (w->end - w->at < length)
        return NO_ROOM;
    const uint8_t *from = w->at - offset;
    while (length-- > 0)
        *w->at++ = *from++;
    return OK;
}

static int decode(struct writer *w, struct reader *r) {
    for (;;) {
        int length, status;
        int token = read_byte(r);
        if (token < 0)
            return TRUNCATED;
        status = read_length(r, token >> 4, &length);
        if (status == OK)
            status = copy_literals(w, r, length);
        if (status != OK)
            return status;
        if (r->at == r->end)
            return OK; /* the last sequence has no match */
        int low = read_byte(r);
        int high = read_byte(r);
        if (high < 0)
            return TRUNCATED;
        status = read_length(r, token & 15, &length);
        if (status == OK)
            status = copy_match(w, low | high << 8, length + MIN_MATCH);
        if (status != OK)
            return status;
    }
}

int main(void) {
    uint8_t input[INPUT_MAX], output[OUTPUT_MAX];
    struct reader r;
    struct writer w;
    int size = __VERIFIER_nondet_int();
    if (size < 0 || size > INPUT_MAX)
        return 1;
    for (int i = 0; i < size; i++)
        input[i] = __VERIFIER_nondet_uchar();
    r.at = input;
    r.end = input + size;
    w.begin = w.at = output;
    w.end = output + OUTPUT_MAX;
    int status = decode(&w, &r);
    assert(w.at - w.begin >= 0 && w.at - w.begin <= OUTPUT_MAX);
    if (status == OK)
        assert(r.at == r.end && size > 0);
    return status != OK;
}
