/* Tiles of two elements, the last ones first. */
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
    int a[2 * n];
    for (int i = n - 1; i >= 0; i--) {
        a[2 * i] = 4;
        a[2 * i + 1] = 4;
    }
    for (int i = 0; i < 2 * n; i++)
        check(a[i] == 4);
    return 0;
}
