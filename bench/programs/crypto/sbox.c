/* The S-box of AES without a table: the inverse in the field of 256 elements as a power, then an affine map, all by
 * shifts and masks. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
typedef unsigned char byte;

/* The product in the field, bit by bit. */
byte product(byte one, byte other) {
    unsigned left = one, right = other, sum = 0;
    for (int i = 0; i < 8; i++) {
        sum ^= left & (0u - (right & 1u));
        left = (left << 1) ^ (0x11bu & (0u - (left >> 7 & 1u)));
        right >>= 1;
    }
    return (byte)sum;
}

/* The 254th power: 254 = 2 + 4 + ... + 128. */
byte inverse(byte value) {
    byte square = product(value, value), power = square;
    for (int i = 0; i < 6; i++) {
        square = product(square, square);
        power = product(power, square);
    }
    return power;
}

byte turned(byte value, unsigned by) { return (byte)((unsigned)value << by | (unsigned)value >> (8 - by)); }

byte substitute(byte value) {
    byte x = inverse(value);
    return (byte)(x ^ turned(x, 1) ^ turned(x, 2) ^ turned(x, 3) ^ turned(x, 4) ^ 0x63u);
}

byte state[16];

int main(void) {
    for (int i = 0; i < 16; i++)
        state[i] = (byte)__VERIFIER_nondet_int();
    for (int i = 0; i < 16; i++)
        state[i] = substitute(state[i]);
    sorrel_assert_low(16);
    return 0;
}
