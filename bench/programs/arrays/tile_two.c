/* Tiles of two elements. */
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
    for (int i = 0; i < n; i++) {
        a[2 * i] = i;
        a[2 * i + 1] = i + 1;
    }
    for (int i = 0; i < n; i++)
        check(a[2 * i + 1] == a[2 * i] + 1);
    return 0;
}
