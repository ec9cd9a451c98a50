/* The average of secret numbers may be known; it is laundered (after Sabelfeld and Sands, JCS 2009): the released value is
 * the average of the numbers as they are, the printed one that of numbers which were overwritten by the first.
 */
extern int __VERIFIER_nondet_int(void);
extern void __VERIFIER_assume(int);
extern void sorrel_low(int);
extern void sorrel_declassify(int);
extern void sorrel_assert_low(int);

#define LARGEST 32

int wages[LARGEST];

int average(int n) {
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum = sum + wages[i];
    return sum / n;
}

void prepare(int n, int tidy) {
    if (tidy)
        for (int i = 1; i < n; i++)
            wages[i] = wages[i - 1];
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    int tidy = __VERIFIER_nondet_int();
    sorrel_low(n);
    sorrel_low(tidy);
    __VERIFIER_assume(1 <= n && n <= LARGEST);
    for (int i = 0; i < n; i++) {
        wages[i] = __VERIFIER_nondet_int();
        __VERIFIER_assume(0 <= wages[i] && wages[i] <= 10000);
    }
    sorrel_declassify(average(n));
    prepare(n, tidy);
    sorrel_assert_low(average(n));
    return 0;
}
