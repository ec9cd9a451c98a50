/* A reversed copy of increasing numbers: both together are the same everywhere. */
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
    int a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = i;
    for (int i = 0; i < n; i++)
        b[n - 1 - i] = a[i];
    for (int i = 0; i < n; i++)
        check(b[i] + a[i] == n - 1);
    return 0;
}
