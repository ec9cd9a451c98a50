/* A buffer with a read and a write cursor, as network libraries have it (compare the stuffers of s2n). Secrets pass through
 * it; after it was wiped, public data are written, and all that can be read is public.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_assert_low(int);

#define SIZE 32

int blob[SIZE];
int read_cursor;
int write_cursor;
int high_water;

int write_one(int value) {
    if (write_cursor >= SIZE)
        return -1;
    blob[write_cursor] = value;
    write_cursor = write_cursor + 1;
    if (write_cursor > high_water)
        high_water = write_cursor;
    return 0;
}

int read_one(void) {
    int value;
    if (read_cursor >= write_cursor)
        return -1;
    value = blob[read_cursor];
    read_cursor = read_cursor + 1;
    return value;
}

/* Back to the beginning, without forgetting what was written. */
void rewrite(void) {
    write_cursor = 0;
    read_cursor = 0;
}

void wipe(void) {
    for (int i = 0; i < high_water; i++)
        blob[i] = 0;
    high_water = 0;
    rewrite();
}

void skip_write(int n) {
    if (n > SIZE - write_cursor)
        n = SIZE - write_cursor;
    write_cursor = write_cursor + n;
    if (write_cursor > high_water)
        high_water = write_cursor;
}

int main(void) {
    int secrets = __VERIFIER_nondet_int();
    int publics = __VERIFIER_nondet_int();
    int gap = __VERIFIER_nondet_int();
    sorrel_low(secrets);
    sorrel_low(publics);
    sorrel_low(gap);
    __VERIFIER_assume(0 <= secrets && secrets <= SIZE && 0 <= publics && publics <= SIZE && 0 <= gap && gap <= SIZE);
    for (int i = 0; i < secrets; i++) {
        write_one(__VERIFIER_nondet_int());
        if (i % 8 == 7)
            rewrite();
    }
    wipe();
    for (int i = 0; i < publics; i++) {
        int value = __VERIFIER_nondet_int();
        sorrel_low(value);
        write_one(value);
    }
    skip_write(gap);
    while (read_cursor < write_cursor)
        sorrel_assert_low(read_one());
    return 0;
}
