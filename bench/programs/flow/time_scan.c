/* A lookup in a secret position of a table that reads the whole table and keeps what it wants by masks, and a comparison of
 * two secret blocks by the sum of their differences' bits. Decryption of a short message by such lookups.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define ENTRIES 16
#define LARGEST 24

int box[ENTRIES];
int text[LARGEST];
int cost;

/* All ones if the arguments are equal, else zero. */
unsigned equal_mask(unsigned one, unsigned other) {
    unsigned difference = one ^ other;
    unsigned nonzero = (difference | (0u - difference)) >> 31;
    return nonzero - 1u;
}

int look_up(int secret) {
    unsigned found = 0;
    for (int i = 0; i < ENTRIES; i++) {
        cost = cost + 1;
        found = found | ((unsigned)box[i] & equal_mask((unsigned)i, (unsigned)secret));
    }
    return (int)(found & 15u);
}

void decrypt(int length, int key) {
    for (int i = 0; i < length; i++) {
        text[i] = look_up((text[i] ^ key) & 15);
        key = (key * 5 + text[i]) & 15;
    }
}

int main(void) {
    int length = __VERIFIER_nondet_int();
    sorrel_low(length);
    __VERIFIER_assume(0 <= length && length <= LARGEST);
    int key = __VERIFIER_nondet_int() & 15;
    for (int i = 0; i < ENTRIES; i++)
        box[i] = (i * 7 + 3) & 15;
    for (int i = 0; i < length; i++)
        text[i] = __VERIFIER_nondet_int();
    decrypt(length, key);
    sorrel_assert_low(cost);
    return 0;
}
