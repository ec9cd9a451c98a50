/* Two secret blocks of a public length are compared byte by byte, whatever is found; only the verdict is used. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
#define LARGEST 64

typedef unsigned char byte;

byte expected[LARGEST];
byte given[LARGEST];

/* 1 if the first `length` bytes agree. */
int same(const byte *one, const byte *other, unsigned length) {
    byte difference = 0;
    for (unsigned i = 0; i < length; i++)
        difference |= (byte)(one[i] ^ other[i]);
    return (int)(1u & (((unsigned)difference - 1u) >> 8));
}

int main(void) {
    unsigned length = (unsigned)__VERIFIER_nondet_int() % (LARGEST + 1);
    sorrel_low((int)length);
    for (unsigned i = 0; i < length; i++) {
        expected[i] = (byte)__VERIFIER_nondet_int();
        given[i] = (byte)__VERIFIER_nondet_int();
    }
    int verdict = same(expected, given, length);
    sorrel_assert_low((int)length + 1);
    return verdict;
}
