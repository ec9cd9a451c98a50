/* Exponentiation with a table of small powers, two bits of the secret exponent at a time (compare Genkin, Pipman and
 * Tromer, CHES 2014). The number of multiplications is constant; which entry of the table is read is not.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define MODULUS 10007
#define DIGITS 6

int cost;
int table[4];
int digit[DIGITS];

int multiply(int one, int other) {
    cost = cost + 1;
    return one * other % MODULUS;
}

void prepare(int base) {
    table[0] = 1;
    for (int i = 1; i < 4; i++)
        table[i] = multiply(table[i - 1], base);
}

int power(int length) {
    int result = 1;
    for (int i = 0; i < length; i++) {
        result = multiply(result, result);
        result = multiply(result, result);
        result = multiply(result, table[digit[i]]);
    }
    return result;
}

int main(void) {
    int base = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    sorrel_low(base);
    sorrel_low(length);
    __VERIFIER_assume(0 <= base && base < MODULUS && 0 <= length && length <= DIGITS);
    for (int i = 0; i < length; i++) {
        int secret = __VERIFIER_nondet_int();
        digit[i] = secret & 3;
    }
    prepare(base);
    power(length);
    sorrel_assert_low(cost);
    return 0;
}
