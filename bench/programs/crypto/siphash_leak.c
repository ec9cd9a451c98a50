/* SipHash-2-4 of a message of public length under a secret key (Aumasson and Bernstein, 2012), stopped early at a
 * zero byte of the message, which is secret. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
#define LARGEST 64

typedef unsigned long long word;

unsigned char message[LARGEST];

word turned(word value, int by) { return value << by | value >> (64 - by); }

void rounds(word v[4], int count) {
    for (int i = 0; i < count; i++) {
        v[0] += v[1];
        v[1] = turned(v[1], 13) ^ v[0];
        v[0] = turned(v[0], 32);
        v[2] += v[3];
        v[3] = turned(v[3], 16) ^ v[2];
        v[0] += v[3];
        v[3] = turned(v[3], 21) ^ v[0];
        v[2] += v[1];
        v[1] = turned(v[1], 17) ^ v[2];
        v[2] = turned(v[2], 32);
    }
}

word word_at(const unsigned char *bytes, unsigned count) {
    word found = 0;
    for (unsigned i = 0; i < count; i++)
        found |= (word)bytes[i] << (8 * i);
    return found;
}

word hash(word key0, word key1, unsigned length) {
    word v[4] = {key0 ^ 0x736f6d6570736575u, key1 ^ 0x646f72616e646f6du, key0 ^ 0x6c7967656e657261u,
                 key1 ^ 0x7465646279746573u};
    unsigned at = 0;
    for (; at + 8 <= length; at += 8) {
        if (message[at] == 0)
            break;
        word block = word_at(message + at, 8);
        v[3] ^= block;
        rounds(v, 2);
        v[0] ^= block;
    }
    word last = word_at(message + at, length % 8) | (word)length << 56;
    v[3] ^= last;
    rounds(v, 2);
    v[0] ^= last;
    v[2] ^= 0xff;
    rounds(v, 4);
    return v[0] ^ v[1] ^ v[2] ^ v[3];
}

word any_word(void) { return (word)(unsigned)__VERIFIER_nondet_int() << 32 | (unsigned)__VERIFIER_nondet_int(); }

int main(void) {
    unsigned length = (unsigned)__VERIFIER_nondet_int() % (LARGEST + 1);
    sorrel_low((int)length);
    for (unsigned i = 0; i < length; i++)
        message[i] = (unsigned char)__VERIFIER_nondet_int();
    word key0 = any_word(), key1 = any_word();
    word tag = hash(key0, key1, length);
    sorrel_assert_low((int)length);
    return (int)(tag & 1u);
}
