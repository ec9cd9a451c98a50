/* Elements that are not negative go to one array, the others to a second one. */
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
    int a[n], b[n], c[n];
    int j = 0, k = 0;
    for (int i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++) {
        if (a[i] >= 0) {
            b[j] = a[i];
            j = j + 1;
        } else {
            c[k] = a[i];
            k = k + 1;
        }
    }
    check(j + k == n);
    for (int i = 0; i < j; i++)
        check(b[i] >= 0);
    for (int i = 0; i < k; i++)
        check(c[i] < 0);
    return 0;
}
