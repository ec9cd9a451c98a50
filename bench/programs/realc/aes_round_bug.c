/* One round of AES without tables: the field with 256 elements, rows that shift, columns that mix. */
#include <assert.h>

#define STATE 16
#define ROUNDS 10

extern unsigned char __VERIFIER_nondet_uchar(void);
extern int __VERIFIER_nondet_int(void);

typedef unsigned char byte;

struct cipher {
    byte state[STATE];
    byte key[STATE];
    int round;
};

static byte xtime(byte x) {
    int doubled = x * 2;
    if (doubled > 255)
        doubled = (doubled - 256) ^ 0x1b;
    return (byte)doubled;
}

static byte multiply(byte x, byte y) {
    byte product = 0;
    while (y > 0) {
        if (y % 2 == 1)
            product ^= x;
        x = xtime(x);
        y /= 2;
    }
    return product;
}

/* x to the power of 254, which is 1/x; 0 stays 0. */
static byte inverse(byte x) {
    byte power = 1;
    for (int i = 0; i < 254; i++)
        power = multiply(power, x);
    return power;
}

static byte rotate(byte x, int by) {
    return (byte)(x << by | x >> (8 - by));
}

static byte substitute(byte x) {
    byte b = inverse(x);
    return (byte)(b ^ rotate(b, 1) ^ rotate(b, 2) ^ rotate(b, 3) ^ rotate(b, 4) ^ 0x63);
}

static void shift_rows(byte *state) {
    byte old[STATE];
    for (int i = 0; i < STATE; i++)
        old[i] = state[i];
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 4; column++)
            state[row + 4 * column] = old[row + 4 * (column + row)];
}

static void mix_columns(byte *state) {
    for (int column = 0; column < 4; column++) {
        byte *c = &state[4 * column];
        byte all = c[0] ^ c[1] ^ c[2] ^ c[3];
        byte first = c[0];
        for (int row = 0; row < 4; row++) {
            byte next = row < 3 ? c[row + 1] : first;
            c[row] = (byte)(c[row] ^ all ^ xtime((byte)(c[row] ^ next)));
        }
    }
}

static void add_key(struct cipher *cipher) {
    for (int i = 0; i < STATE; i++)
        cipher->state[i] ^= cipher->key[i];
}

static void next_round(struct cipher *cipher) {
    if (cipher->round >= ROUNDS)
        return;
    for (int i = 0; i < STATE; i++)
        cipher->state[i] = substitute(cipher->state[i]);
    shift_rows(cipher->state);
    cipher->round++;
    if (cipher->round < ROUNDS)
        mix_columns(cipher->state);
    add_key(cipher);
}

int main(void) {
    struct cipher cipher;
    for (int i = 0; i < STATE; i++) {
        cipher.state[i] = __VERIFIER_nondet_uchar();
        cipher.key[i] = __VERIFIER_nondet_uchar();
    }
    cipher.round = 0;
    add_key(&cipher);
    while (__VERIFIER_nondet_int()) {
        next_round(&cipher);
        assert(cipher.round >= 1 && cipher.round <= ROUNDS);
    }
    return 0;
}
