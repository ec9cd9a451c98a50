/* Written forwards and increased backwards. */
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
    int v = __VERIFIER_nondet_int();
    if (v < -1000 || v > 1000)
        return 0;
    for (int i = 0; i < n; i++)
        a[i] = v;
    for (int i = n - 1; i >= 0; i--)
        a[i] = a[i] + 2;
    for (int i = 0; i < n; i++)
        check(a[i] == v + 2);
    return 0;
}
