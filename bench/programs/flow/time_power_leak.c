/* Modular exponentiation by squaring, with a multiplication for each one bit of the secret exponent (after Kocher, CRYPTO
 * 1996). The cost is the number of multiplications. The length of the exponent is public.
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

int power(int base, int length) {
    int result = 1;
    for (int i = 0; i < length; i++) {
        result = multiply(result, result);
        if (exponent[i])
            result = multiply(result, base);
    }
    return result;
}

int main(void) {
    int base = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    sorrel_low(base);
    sorrel_low(length);
    __VERIFIER_assume(0 <= base && base < MODULUS && 0 <= length && length <= BITS);
    for (int i = 0; i < length; i++) {
        exponent[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= exponent[i] && exponent[i] <= 1);
    }
    power(base, length);
    sorrel_assert_low(cost);
    return 0;
}
