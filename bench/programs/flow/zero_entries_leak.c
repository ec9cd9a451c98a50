/* Which entries of a secret array are zero may be known; the printer is more generous, and prints negative entries too. */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define LARGEST 64

int calendar[LARGEST];

void release(int i, int n) {
    if (i >= n)
        return;
    sorrel_declassify(calendar[i] == 0);
    release(i + 1, n);
}

void print(int i, int n) {
    if (i >= n)
        return;
    if (calendar[i] <= 0)
        sorrel_assert_low(calendar[i]);
    print(i + 1, n);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    sorrel_low(n);
    __VERIFIER_assume(0 <= n && n <= LARGEST);
    for (int i = 0; i < n; i++)
        calendar[i] = __VERIFIER_nondet_int();
    release(0, n);
    print(0, n);
    return 0;
}
