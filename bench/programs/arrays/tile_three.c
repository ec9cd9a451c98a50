/* Tiles of three elements, all positive. */
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
    int a[3 * n];
    for (int i = 0; i < n; i++) {
        a[3 * i] = 1;
        a[3 * i + 1] = 2;
        a[3 * i + 2] = 3;
    }
    for (int i = 0; i < 3 * n; i++)
        check(a[i] > 0);
    return 0;
}
