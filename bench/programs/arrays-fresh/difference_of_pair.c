/* Two arrays that differ by the same everywhere. */
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
    int k = __VERIFIER_nondet_int();
    if (k < 0 || k > 1000)
        return 0;
    int a[n], b[n], c[n];
    for (int i = 0; i < n; i++) {
        a[i] = 2 * i;
        b[i] = 2 * i + k;
    }
    for (int i = 0; i < n; i++)
        c[i] = b[i] - a[i];
    for (int i = 0; i < n; i++)
        check(c[i] == k);
    return 0;
}
