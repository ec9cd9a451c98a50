/* One of two secrets is taken by a secret bit, with a branch in place of a mask. */
extern int __VERIFIER_nondet_int(void);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);
/* All ones for 1, nothing for 0. */
unsigned mask_of(unsigned bit) { return 0u - (bit & 1u); }

unsigned choose(unsigned bit, unsigned one, unsigned other) {
    if (bit & 1u)
        return one;
    return other;
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
