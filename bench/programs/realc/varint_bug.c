/* Numbers of variable length, seven bits in each byte, and messages of tagged fields made of them. */
#include <assert.h>
#include <stdint.h>

#define BUFFER 64

extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

struct writer {
    unsigned char *bytes;
    int size;
    int used;
    int failed;
};

struct reader {
    const unsigned char *bytes;
    int size;
    int position;
    int failed;
};

static void put(struct writer *w, unsigned int value) {
    while (value >= 128) {
        if (w->used >= w->size) {
            w->failed = 1;
            return;
        }
        w->bytes[w->used++] = (unsigned char)(128 + value % 128);
        value /= 128;
    }
    if (w->used >= w->size) {
        w->failed = 1;
        return;
    }
    w->bytes[w->used++] = (unsigned char)value;
}

static unsigned int get(struct reader *r) {
    unsigned int value = 0;
    for (unsigned int shift = 0; shift < 35; shift += 7) {
        if (r->position >= r->size)
            break;
        unsigned char byte = r->bytes[r->position++];
        if (shift < 28)
            value += (unsigned int)(byte % 128) << shift;
        else
            value += (unsigned int)(byte % 16) << 28;
        if (byte < 128)
            return value;
    }
    r->failed = 1;
    return 0;
}

static unsigned int zigzag(int value) {
    return value < 0 ? 2u * (unsigned int)(-(value + 1)) + 1u : 2u * (unsigned int)value;
}

static int skip(struct reader *r, unsigned int length) {
    if ((int)length > r->size - r->position) {
        r->failed = 1;
        return -1;
    }
    r->position += (int)length;
    return 0;
}

/* The number of fields; each is a tag, then a number (even tags) or a length and as many bytes (odd tags). */
static int read_message(struct reader *r) {
    int fields = 0;
    while (r->position < r->size && !r->failed) {
        unsigned int tag = get(r);
        unsigned int value = get(r);
        if (!r->failed && tag % 2 == 1)
            skip(r, value);
        if (!r->failed)
            fields++;
    }
    return r->failed ? -1 : fields;
}

int main(void) {
    unsigned char bytes[BUFFER];
    struct writer w = {bytes, BUFFER, 0, 0};
    for (int i = 0; i < BUFFER; i++)
        bytes[i] = __VERIFIER_nondet_uchar();
    while (!w.failed && __VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            put(&w, __VERIFIER_nondet_uint());
        else
            put(&w, zigzag(__VERIFIER_nondet_int()));
        assert(w.used <= BUFFER);
    }
    struct reader r = {bytes, BUFFER, 0, 0};
    int fields = read_message(&r);
    assert(r.position <= BUFFER);
    assert(fields >= -1 && fields <= BUFFER);
    return 0;
}
