/* A copy that is one place further, and is read as if it were not. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 1000)
        return 0;
    int a[n], b[n];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = 0;
    }
    for (int i = 0; i + 1 < n; i++)
        b[i + 1] = a[i];
    for (int i = 1; i < n; i++)
        check(b[i] == a[i]);
    return 0;
}
