/* Each element is a digit, so that the sum has bounds. */
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
    int sum = 0;
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        if (a[i] < 0 || a[i] > 9)
            a[i] = 9;
    }
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    check(sum >= 0 && sum <= 9 * n);
    return 0;
}
