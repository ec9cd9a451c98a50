/* Only every third element is written, and read. */
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
    for (int i = 0; i < n; i++)
        a[3 * i] = i + 1;
    for (int i = 0; i < n; i++)
        check(a[3 * i] == i + 1);
    return 0;
}
