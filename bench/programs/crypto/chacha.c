/* A block of ChaCha20 (RFC 8439) of a secret key is added to a secret message of public length. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
#define LARGEST 64

unsigned state[16];
unsigned working[16];
unsigned char text[LARGEST];

unsigned turned(unsigned value, int by) { return value << by | value >> (32 - by); }

void quarter(int a, int b, int c, int d) {
    working[a] += working[b];
    working[d] = turned(working[d] ^ working[a], 16);
    working[c] += working[d];
    working[b] = turned(working[b] ^ working[c], 12);
    working[a] += working[b];
    working[d] = turned(working[d] ^ working[a], 8);
    working[c] += working[d];
    working[b] = turned(working[b] ^ working[c], 7);
}

void block(void) {
    for (int i = 0; i < 16; i++)
        working[i] = state[i];
    for (int i = 0; i < 10; i++) {
        quarter(0, 4, 8, 12);
        quarter(1, 5, 9, 13);
        quarter(2, 6, 10, 14);
        quarter(3, 7, 11, 15);
        quarter(0, 5, 10, 15);
        quarter(1, 6, 11, 12);
        quarter(2, 7, 8, 13);
        quarter(3, 4, 9, 14);
    }
    for (int i = 0; i < 16; i++)
        working[i] += state[i];
}

int main(void) {
    unsigned length = (unsigned)__VERIFIER_nondet_int() % (LARGEST + 1);
    sorrel_low((int)length);
    state[0] = 0x61707865;
    state[1] = 0x3320646e;
    state[2] = 0x79622d32;
    state[3] = 0x6b206574;
    for (int i = 4; i < 16; i++)
        state[i] = (unsigned)__VERIFIER_nondet_int();
    for (unsigned i = 0; i < length; i++)
        text[i] = (unsigned char)__VERIFIER_nondet_int();
    block();
    for (unsigned i = 0; i < length; i++)
        text[i] = (unsigned char)(text[i] ^ working[i / 4] >> (8 * (i % 4)));
    sorrel_assert_low((int)length);
    return 0;
}
