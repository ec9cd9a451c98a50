/* Which entries of a secret array are zero may be known, and those entries are printed (after Costanzo and Shao, POST
 * 2014). Recursion over the array, of any length up to the largest.
 */
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

int print(int i, int n, int printed) {
    if (i >= n)
        return printed;
    if (calendar[i] == 0) {
        sorrel_assert_low(calendar[i]);
        sorrel_assert_low(i);
        printed = printed + 1;
    }
    return print(i + 1, n, printed);
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    sorrel_low(n);
    __VERIFIER_assume(0 <= n && n <= LARGEST);
    for (int i = 0; i < n; i++)
        calendar[i] = __VERIFIER_nondet_int();
    release(0, n);
    sorrel_assert_low(print(0, n, 0));
    return 0;
}
