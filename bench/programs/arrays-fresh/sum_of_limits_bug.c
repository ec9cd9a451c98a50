/* The sum is one larger than the bounds of elements allow for. */
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
    int sum = 1;
    for (int i = 0; i < n; i++) {
        if (__VERIFIER_nondet_int())
            a[i] = 2;
        else
            a[i] = 5;
    }
    for (int i = 0; i < n; i++)
        sum = sum + a[i];
    check(sum >= 2 * n);
    check(sum <= 5 * n);
    return 0;
}
