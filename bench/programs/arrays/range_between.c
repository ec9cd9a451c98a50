/* Elements between two places, and those outside. */
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
    int low = __VERIFIER_nondet_int(), high = __VERIFIER_nondet_int();
    if (low < 0 || low > high || high > n)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = 0;
    for (int i = low; i < high; i++)
        a[i] = 1;
    for (int i = 0; i < n; i++)
        check(i >= low && i < high ? a[i] == 1 : a[i] == 0);
    return 0;
}
