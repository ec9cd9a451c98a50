/* Each element is counted once. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 1000)
        return 0;
    int a[n];
    int negative = 0, positive = 0, zero = 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] < 0)
            negative++;
        else if (a[i] > 0)
            positive++;
        else
            zero++;
    }
    check(negative + positive + zero == n);
    check(zero <= n && zero >= 0);
    return 0;
}
