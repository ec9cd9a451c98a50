/* A copy of all elements but the first two. */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);
void reach_error(void) { abort(); }
void check(int condition) {
    if (!condition)
        reach_error();
}

int main(void) {
    int n = __VERIFIER_nondet_int();
    if (n < 3 || n > 1000)
        return 0;
    int a[n], b[n];
    for (int i = 0; i < n; i++)
        a[i] = 3 * i;
    for (int i = 2; i < n; i++)
        b[i - 2] = a[i];
    for (int i = 0; i + 2 < n; i++)
        check(b[i] == 3 * i + 6);
    return 0;
}
