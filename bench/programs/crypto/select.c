/* One of two secrets is taken by a secret bit, by masks and without a branch; two secrets change places in the same
 * way. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
/* All ones for 1, nothing for 0. */
unsigned mask_of(unsigned bit) { return 0u - (bit & 1u); }

unsigned choose(unsigned bit, unsigned one, unsigned other) {
    unsigned mask = mask_of(bit);
    return (one & mask) | (other & ~mask);
}

void exchange(unsigned bit, unsigned *one, unsigned *other) {
    unsigned difference = (*one ^ *other) & mask_of(bit);
    *one ^= difference;
    *other ^= difference;
}

int main(void) {
    unsigned secret = (unsigned)__VERIFIER_nondet_int();
    unsigned low_word = (unsigned)__VERIFIER_nondet_int();
    unsigned high_word = (unsigned)__VERIFIER_nondet_int();
    unsigned rounds = (unsigned)__VERIFIER_nondet_int() % 33;
    sorrel_low((int)rounds);
    for (unsigned i = 0; i < rounds; i++) {
        exchange(secret >> i, &low_word, &high_word);
        low_word += choose(secret >> i, high_word, i);
    }
    sorrel_assert_low((int)rounds);
    return 0;
}
