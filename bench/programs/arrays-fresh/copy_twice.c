/* A copy of a copy, the second one place back. */
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
    int a[n + 1], b[n + 1], c[n];
    for (int i = 0; i <= n; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i <= n; i++)
        b[i] = a[i];
    for (int i = 0; i < n; i++)
        c[i] = b[i + 1];
    for (int i = 0; i < n; i++)
        check(c[i] == a[i + 1]);
    return 0;
}
