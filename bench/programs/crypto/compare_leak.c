/* Two secret blocks of a public length are compared byte by byte until one differs: the time tells how far they
 * agree. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
#define LARGEST 64

typedef unsigned char byte;

byte expected[LARGEST];
byte given[LARGEST];

/* 1 if the first `length` bytes agree. */
int same(const byte *one, const byte *other, unsigned length) {
    for (unsigned i = 0; i < length; i++)
        if (one[i] != other[i])
            return 0;
    return 1;
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
