/* The smaller of two elements is not larger than either. */
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
    int a[n], b[n], c[n];
    for (int i = 0; i < n; i++) {
        a[i] = __VERIFIER_nondet_int();
        b[i] = __VERIFIER_nondet_int();
    }
    for (int i = 0; i < n; i++) {
        if (a[i] < b[i])
            c[i] = a[i];
        else
            c[i] = b[i];
    }
    for (int i = 0; i < n; i++)
        check(c[i] <= a[i] && c[i] <= b[i]);
    return 0;
}
