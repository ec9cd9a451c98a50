/* Squares, to which the index is added later. */
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
    for (int i = 0; i < n; i++)
        a[i] = i * i;
    for (int i = 0; i < n; i++)
        a[i] = a[i] + i;
    for (int i = 0; i < n; i++)
        check(a[i] == i * (i + 1));
    return 0;
}
