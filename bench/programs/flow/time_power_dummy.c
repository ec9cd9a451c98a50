/* Modular exponentiation by squaring, with a multiplication that is thrown away for each zero bit (in the spirit of the
 * safe variants in Antonopoulos and others, PLDI 2017). The number of multiplications is the same, but not the path.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define MODULUS 10007
#define BITS 12

int cost;
int exponent;
int discarded;

int multiply(int one, int other) {
    cost = cost + 1;
    return one * other % MODULUS;
}

/* The leading bits first, by recursion over the length. */
int power(int base, int bits, int rest) {
    int half;
    if (bits == 0)
        return 1;
    half = power(base, bits - 1, rest / 2);
    half = multiply(half, half);
    if (rest % 2 == 1)
        half = multiply(half, base);
    else
        discarded = multiply(half, base);
    return half;
}

int main(void) {
    int base = __VERIFIER_nondet_int();
    int bits = __VERIFIER_nondet_int();
    exponent = __VERIFIER_nondet_int();
    sorrel_low(base);
    sorrel_low(bits);
    __VERIFIER_assume(0 <= base && base < MODULUS && 0 <= bits && bits <= BITS);
    __VERIFIER_assume(0 <= exponent && exponent < 4096);
    power(base, bits, exponent);
    sorrel_assert_low(cost);
    return 0;
}
