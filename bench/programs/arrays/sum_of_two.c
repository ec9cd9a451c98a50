/* The sum of two arrays, element by element. */
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
        a[i] = i;
        b[i] = n - i;
    }
    for (int i = 0; i < n; i++)
        c[i] = a[i] + b[i];
    for (int i = 0; i < n; i++)
        check(c[i] == n);
    return 0;
}
