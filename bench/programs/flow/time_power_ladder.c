/* Modular exponentiation by Montgomery's ladder with exchanges by arithmetic instead of branches: the same operations on
 * the same addresses for every exponent of a given length.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define MODULUS 10007
#define BITS 12

int cost;
int exponent[BITS];

int multiply(int one, int other) {
    cost = cost + 1;
    return one * other % MODULUS;
}

int choose(int bit, int if_one, int if_zero) { return bit * if_one + (1 - bit) * if_zero; }

int power(int base, int length) {
    int low = 1;
    int high = base;
    for (int i = 0; i < length; i++) {
        int bit = exponent[i];
        int product = multiply(low, high);
        int square = multiply(choose(bit, high, low), choose(bit, high, low));
        low = choose(bit, product, square);
        high = choose(bit, square, product);
    }
    return low;
}

int main(void) {
    int base = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    sorrel_low(base);
    sorrel_low(length);
    __VERIFIER_assume(0 <= base && base < MODULUS && 0 <= length && length <= BITS);
    for (int i = 0; i < length; i++) {
        int bit = __VERIFIER_nondet_int();
        exponent[i] = bit & 1;
    }
    power(base, length);
    sorrel_assert_low(cost);
    return 0;
}
