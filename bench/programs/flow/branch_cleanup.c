/* A secret decides which of two code books is used; the message is public, its encoding is secret, but the encoded length
 * is not: both books encode every symbol by as many digits, in different ways (after the balanced branches of Darvas, Hähnle
 * and Sands). What is left over in the scratch variables is overwritten before it is printed.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

int digits;
int scratch;

/* Two digits for each bit of the symbol, most significant bit first. */
void encode_by_division(int symbol) {
    for (int weight = 8; weight > 0; weight = weight / 2) {
        scratch = symbol / weight % 2;
        digits = digits + 2;
    }
}

/* Eight digits for each symbol: a one among zeros, or all zeros and a mark. */
void encode_by_position(int symbol) {
    int left = 8;
    while (left > 0) {
        scratch = symbol % 8 == left;
        digits = digits + 1;
        left = left - 1;
    }
}

int main(void) {
    int book = __VERIFIER_nondet_int();
    int length = __VERIFIER_nondet_int();
    sorrel_low(length);
    __VERIFIER_assume(0 <= length && length <= 100);
    for (int i = 0; i < length; i++) {
        int symbol = __VERIFIER_nondet_int();
        sorrel_low(symbol);
        __VERIFIER_assume(0 <= symbol && symbol < 16);
        if (book)
            encode_by_division(symbol);
        else
            encode_by_position(symbol);
        sorrel_assert_low(digits);
    }
    scratch = book ? 0 : scratch - scratch;
    sorrel_assert_low(digits);
    sorrel_assert_low(scratch);
    return 0;
}
