/* Run-length coding as printers use it: a count byte n below 128 is followed by n + 1 literal bytes, 257 - n copies of
   one byte follow a larger one, and 128 ends the data. */
#include <assert.h>
#include <stddef.h>

extern unsigned char __VERIFIER_nondet_uchar(void);
extern unsigned int __VERIFIER_nondet_uint(void);

typedef unsigned char byte;

enum { END_MARK = 128, LONGEST = 128, PLAIN = 40 };

/* Every literal run costs one byte more than it has; the end is one byte. */
#define PACKED (PLAIN + PLAIN / 2 + 2)

static size_t run_at(const byte *in, size_t at, size_t size) {
    size_t length = 1;
    while (at + length < size && length < LONGEST && in[at + length] == in[at])
        length++;
    return length;
}

static size_t literals_at(const byte *in, size_t at, size_t size) {
    size_t length = 0;
    while (at + length < size && length < LONGEST) {
        if (at + length + 1 < size && in[at + length] == in[at + length + 1])
            break;
        length++;
    }
    return length;
}

static size_t pack(byte *out, size_t room, const byte *in, size_t size) {
    size_t n = 0;
    size_t at = 0;
    while (at < size) {
        size_t run = run_at(in, at, size);
        if (run >= 2) {
            if (n + 2 > room)
                return 0;
            out[n++] = (byte)(257 - run);
            out[n++] = in[at];
            at += run;
        } else {
            size_t literals = literals_at(in, at, size);
            if (n + 1 + literals > room)
                return 0;
            out[n++] = (byte)(literals - 1);
            for (size_t i = 0; i < literals; i++)
                out[n++] = in[at + i];
            at += literals;
        }
    }
    if (n + 1 > room)
        return 0;
    out[n++] = END_MARK;
    return n;
}

/* The number of bytes written, or (size_t)-1 if the data are cut off or too long. */
static size_t unpack(byte *out, size_t room, const byte *in, size_t size) {
    size_t n = 0;
    size_t at = 0;
    while (at < size) {
        byte control = in[at++];
        if (control == END_MARK)
            return n;
        if (control < END_MARK) {
            size_t literals = (size_t)control + 1;
            if (literals > size - at || literals > room - n)
                return (size_t)-1;
            while (literals-- > 0)
                out[n++] = in[at++];
        } else {
            size_t copies = 257 - (size_t)control;
            if (at >= size || copies > room)
                return (size_t)-1;
            while (copies-- > 0)
                out[n++] = in[at];
            at++;
        }
    }
    return (size_t)-1;
}

int main(void) {
    byte plain[PLAIN], packed[PACKED], again[PLAIN];
    size_t size = __VERIFIER_nondet_uint() % (PLAIN + 1);
    for (size_t i = 0; i < size; i++)
        plain[i] = __VERIFIER_nondet_uchar();
    size_t packed_size = pack(packed, sizeof packed, plain, size);
    if (packed_size > 0) {
        size_t restored = unpack(again, sizeof again, packed, packed_size);
        assert(restored == size);
        for (size_t i = 0; i < size; i++)
            assert(again[i] == plain[i]);
    }
    /* What comes from elsewhere may be anything. */
    size_t foreign = __VERIFIER_nondet_uint() % (PACKED + 1);
    for (size_t i = 0; i < foreign; i++)
        packed[i] = __VERIFIER_nondet_uchar();
    size_t written = unpack(again, sizeof again, packed, foreign);
    assert(written == (size_t)-1 || written <= PLAIN);
    return 0;
}
